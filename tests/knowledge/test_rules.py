"""Every effect of a claim breaks exactly one rule, and every rule says what it means."""

from __future__ import annotations

import string
from itertools import product

import pytest

from novote.audit.wording import Wording
from novote.knowledge import builtin
from novote.knowledge.load import table
from novote.knowledge.rules import CHECK_SLOTS, MESSAGE_SLOTS, Rule
from novote.model import Severity

RULES = builtin().rules
POLARITIES = ("skip", "opt-in", "widen", "choose", "soften", "repeat")

MATCHES = [
    ("whether", "skip", "label", "claim-skips-exam"),
    ("whether", "choose", "body", "claim-skips-exam"),
    ("whether", "opt-in", "comment", "exam-on-request"),
    ("whether", "widen", "title", "claim-widens-exam"),
    ("which", "choose", "body", "claim-picks-fixtures"),
    ("which", "skip", "label", "claim-picks-fixtures"),
    ("which", "opt-in", "label", "exam-on-request"),
    ("which", "choose", "cache", "claim-picks-fixtures"),
    ("how-often", "repeat", "label", "claim-sets-retries"),
    ("how-often", "choose", "trailer", "claim-sets-retries"),
    ("verdict", "soften", "branch", "claim-softens-verdict"),
    ("verdict", "skip", "label", "claim-softens-verdict"),
    ("target", "choose", "milestone", "claim-moves-target"),
]


@pytest.mark.parametrize(("decision", "polarity", "claim", "rule"), MATCHES)
def test_an_effect_breaks_its_rule(decision: str, polarity: str, claim: str, rule: str) -> None:
    found = RULES.match(decision, polarity, claim)
    assert found is not None
    assert found.id == rule


def test_no_effect_breaks_two_rules() -> None:
    for decision, polarity in product(("which", "whether", "how-often", "verdict", "target"), POLARITIES):
        broken = [rule.id for rule in RULES.rules if rule.matches(decision, polarity, "label")]
        possible = decision != "whether" or polarity not in ("soften", "repeat")
        assert len(broken) == int(possible), (decision, polarity, broken)


@pytest.mark.parametrize("claim", ["draft", "unknown"])
def test_some_claims_have_rules_of_their_own(claim: str) -> None:
    assert RULES.match("whether", "skip", claim) is None
    assert RULES.match("which", "choose", claim) is None


def test_strict_makes_requests_errors() -> None:
    strict = {rule.id: rule.strict_severity for rule in RULES.rules if rule.strict_severity}
    assert strict == {"exam-on-request": Severity.ERROR, "claim-widens-exam": Severity.ERROR}


def test_ids_are_sorted_and_those_of_the_files() -> None:
    assert list(RULES.ids) == sorted(RULES.ids)
    assert RULES.get("claim-skips-exam") is not None
    assert RULES.get("nothing") is None
    assert RULES.check("gate-ignores-ready") == RULES.get("gate-ignores-ready")
    assert RULES.check("nothing") is None


SENTENCES = {"problem": "What is wrong. What to write."}
"""What fills a slot that is more than a word."""


@pytest.mark.parametrize("rule", RULES.rules, ids=lambda rule: rule.id)
def test_a_message_teaches(rule: Rule) -> None:
    named = {name for _, name, _, _ in string.Formatter().parse(rule.message) if name is not None}
    assert named <= (CHECK_SLOTS.get(rule.check, frozenset()) if rule.check else MESSAGE_SLOTS)
    text = rule.message.format_map(dict.fromkeys(named, "x") | SENTENCES)
    assert text.endswith(".")
    assert text.count(". ") == 2, "what is wrong, where it came from, what to write"
    assert "novote can" in text or "novote" not in text or ".github/novote" in text


@pytest.mark.parametrize("document", table("policies")["policies"], ids=lambda document: document["id"])
def test_a_rule_ships_with_its_proof(document: dict[str, object]) -> None:
    examples = document["examples"]
    assert isinstance(examples, list)
    assert {"bad", "good", "near_miss"} <= {key for example in examples for key in example}
    for example in examples:
        if "bad" in example:
            assert f"# expect: {document['id']}" in example["bad"]
        for key in ("good", "near_miss"):
            assert "expect:" not in example.get(key, "")


def test_messages_may_name_what_the_audit_fills() -> None:
    words = Wording._make("" for _ in Wording._fields)
    assert words.slots().keys() == MESSAGE_SLOTS


def test_a_page_holds_examples_and_references() -> None:
    for info in RULES.infos:
        assert "## What to do" in info.help_markdown
        begins = ("on:", "#", "version: 1", "- message:")
        assert any(f"```yaml\n{begin}" in info.help_markdown for begin in begins)
        assert info.references
        assert all(reference in info.help_markdown for reference in info.references)
