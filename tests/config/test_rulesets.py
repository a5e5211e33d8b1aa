"""What GitHub says of its rules, as it answers it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from novote.config.protection import NO_PROTECTION, Protection
from novote.config.rulesets import read_protection
from novote.model import SourceText

FILE = "rules.json"


def status_checks(*checks: dict[str, Any], strict: bool = True) -> dict[str, Any]:
    parameters = {
        "strict_required_status_checks_policy": strict,
        "do_not_enforce_on_create": False,
        "required_status_checks": list(checks),
    }
    return {"type": "required_status_checks", "parameters": parameters}


QUEUE = {
    "type": "merge_queue",
    "parameters": {
        "check_response_timeout_minutes": 60,
        "grouping_strategy": "ALLGREEN",
        "max_entries_to_build": 5,
        "max_entries_to_merge": 5,
        "merge_method": "SQUASH",
        "min_entries_to_merge": 1,
        "min_entries_to_merge_wait_minutes": 5,
    },
}
WORKFLOWS = {
    "type": "workflows",
    "parameters": {
        "do_not_enforce_on_create": True,
        "workflows": [{"repository_id": 7, "path": ".github/workflows/ci.yml", "ref": "refs/heads/main"}],
    },
}


def ruleset(*rules: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": 21,
        "name": "main",
        "target": "branch",
        "source_type": "Repository",
        "source": "acme/shop",
        "enforcement": "active",
        "conditions": {"ref_name": {"exclude": [], "include": ["~DEFAULT_BRANCH"]}},
        "rules": [{"type": "deletion"}, {"type": "non_fast_forward"}, *rules],
        "bypass_actors": [{"actor_id": 5, "actor_type": "RepositoryRole", "bypass_mode": "always"}],
        **more,
    }


PROTECTION = {
    "url": "https://api.github.com/repos/acme/shop/branches/main/protection",
    "required_status_checks": {
        "url": "https://api.github.com/repos/acme/shop/branches/main/protection/required_status_checks",
        "strict": False,
        "contexts": ["test", "ci/jenkins"],
        "contexts_url": "https://api.github.com/repos/acme/shop/branches/main/protection/x/contexts",
        "checks": [{"context": "test", "app_id": 15368}, {"context": "ci/jenkins", "app_id": None}],
    },
    "enforce_admins": {"url": "https://api.github.com/x", "enabled": False},
    "required_linear_history": {"enabled": False},
}


def read(value: object) -> Protection:
    loaded = read_protection(SourceText(FILE, json.dumps(value, indent=1)))
    assert loaded.problems == ()
    return loaded.protection


MAIN = "ruleset `main`"


def test_a_ruleset_says_what_is_required_and_by_whom() -> None:
    checks = (
        {"context": "test", "integration_id": 15368},
        {"context": "codecov/patch", "integration_id": 254},
    )
    found = read(ruleset(status_checks(*checks), QUEUE, WORKFLOWS))
    assert found == Protection(
        {"test": MAIN, "codecov/patch": MAIN},
        {".github/workflows/ci.yml": MAIN},
        frozenset({"codecov/patch"}),
        MAIN,
    )


def test_the_rules_of_a_branch_name_their_ruleset_each() -> None:
    origin = {"ruleset_source_type": "Repository", "ruleset_source": "acme/shop", "ruleset_id": 21}
    rules = [{"type": "deletion"}, status_checks({"context": "a"}), QUEUE]
    found = read([{**rule, **origin} for rule in rules])
    owner = "ruleset 21 of `acme/shop`"
    assert (found.checks, found.queue) == ({"a": owner}, owner)


@pytest.mark.parametrize("part", [PROTECTION, PROTECTION["required_status_checks"]])
def test_protection_says_what_is_required(part: object) -> None:
    found = read(part)
    assert found.checks == {"test": "`rules.json`", "ci/jenkins": "`rules.json`"}
    assert found.elsewhere == frozenset()


@pytest.mark.parametrize("level", ["non_admins", "everyone", "off"])
def test_a_branch_says_what_its_protection_requires(level: str) -> None:
    checks = {"enforcement_level": level, "contexts": ["a"], "checks": [{"context": "a", "app_id": None}]}
    answer = {
        "name": "main",
        "protected": True,
        "protection": {"enabled": True, "required_status_checks": checks},
    }
    assert read(answer).checks == (None if level == "off" else {"a": "`rules.json`"})


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"name": "main", "protected": False},
        {**PROTECTION, "required_status_checks": None},
        {key: value for key, value in PROTECTION.items() if key != "required_status_checks"},
        ruleset(),
        ruleset(status_checks({"context": "a"}), target="tag"),
        ruleset(status_checks({"context": "a"}), target="push"),
    ],
)
def test_what_requires_no_check_says_nothing(value: object) -> None:
    assert read(value) == NO_PROTECTION


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"enforcement": "disabled"}, "is not active"),
        ({"enforcement": "evaluate"}, "is not active"),
        ({"conditions": {"ref_name": {"include": [], "exclude": []}}}, "includes no branch"),
    ],
)
def test_a_ruleset_that_does_not_apply_is_told(more: dict[str, Any], why: str) -> None:
    found = read(ruleset(status_checks({"context": "a"}), QUEUE, **more))
    assert (found.checks, found.queue) == (None, "")
    (told,) = found.idle
    assert told.startswith(f"{MAIN} {why}")


def test_several_answers_add_up_and_the_first_says_who() -> None:
    one = ruleset(status_checks({"context": "a"}, strict=False))
    other = ruleset(status_checks({"context": "a"}, {"context": "b"}), name="all", conditions=None)
    found = read([one, other, PROTECTION])
    assert found.checks == {
        "a": MAIN,
        "b": "ruleset `all`",
        "test": "`rules.json`",
        "ci/jenkins": "`rules.json`",
    }


def test_a_long_name_is_cut_and_none_needs_one() -> None:
    assert read(ruleset(status_checks({"context": "a"}), name="x" * 500)).checks == {
        "a": f"ruleset `{'x' * 59}…`"
    }
    assert read(ruleset(status_checks({"context": "a"}), name=None)).checks == {"a": "`rules.json`"}


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "This is no JSON"),
        ("{\n  'a': 1}", (2, 3), "This is no JSON"),
        ("on: pull_request\n", (1, 1), "This is no JSON"),
        ("<!DOCTYPE html>", (1, 1), "This is no JSON"),
        ("7", (1, 1), "This is a number; save a ruleset"),
        ("{}", (1, 1), "This is not a ruleset"),
        ('{"name": "x", "jobs": {}}', (1, 1), "This is not a ruleset"),
        ('{\n\t"message": "Not Found",\n\t"status": "404"}', (2, 2), "an error that GitHub answered"),
        ('[{"id": 1, "name": "m", "enforcement": "active"}]', (1, 2), "not what it requires; save it by"),
        ('{"rules": {}}', (1, 11), "A list is expected here, and this is an object"),
        ('{"rules": [\n  7]}', (2, 3), "An object is expected here, and this is a number"),
        ('{"rules": [{"type": "workflows",\n "parameters": {"workflows": [{}]}}]}', (2, 31), "`path` must"),
        ('{"rules": [{"type": "required_status_checks"}]}', (1, 12), "An object is expected here, and this"),
        ('{"contexts": ["a", null]}', (1, 20), "The name of a check is nothing"),
        ('{"checks": [{"context": 7}]}', (1, 25), "`context` must be a text"),
        ('\ufeff{"contexts": 7}', (1, 14), "A list is expected here"),
        ("[" * 100_000, (1, 1), "no JSON that can be read"),
        ('[{"contexts": ' * 15 + "7", (1, 212), "This is no JSON"),
    ],
)  # fmt: skip
def test_what_is_no_such_answer_is_told_with_its_place(
    text: str, place: tuple[int, int], message: str
) -> None:
    source = SourceText(FILE, text)
    loaded = read_protection(source)
    (problem,) = loaded.problems
    assert loaded.protection == NO_PROTECTION
    assert (problem.file, problem.kind) == (FILE, "bad-rulesets")
    assert message in problem.message
    assert source.position(problem.span.start if problem.span else 0) == place
