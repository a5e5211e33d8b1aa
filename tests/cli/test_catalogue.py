"""`explain`, `rules` and `table`: what novote knows, printed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from novote.cli.catalogue import decision_table, policies, rule_ids
from novote.cli.layout import markdown_table, text_table

Run = Callable[..., CompletedProcess[str]]


def test_rules_lists_every_rule(run: Run) -> None:
    done = run("rules")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0].split() == ["rule", "severity", "what"]
    assert [line.split()[0] for line in lines[1:]] == list(rule_ids())


def test_rules_as_json(run: Run) -> None:
    document = json.loads(run("rules", "--format", "json").stdout)
    assert document["schema"] == "novote/rules/v1"
    assert [rule["id"] for rule in document["rules"]] == list(rule_ids())
    assert all(rule["title"] and rule["why"] and rule["remedy"] for rule in document["rules"])


def test_rules_as_markdown(run: Run) -> None:
    lines = run("rules", "--format=markdown").stdout.splitlines()
    assert lines[1] == "| --- | --- | --- |"
    assert [line.split("`")[1] for line in lines[2:]] == list(rule_ids())


@pytest.mark.parametrize("rule", rule_ids())
def test_every_rule_has_a_page_with_its_examples(run: Run, rule: str) -> None:
    done = run("explain", rule)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{rule} (")
    for heading in ("\nWhy\n", "\nInstead\n", "\nBad", "\nGood"):
        assert heading in done.stdout
    assert f"# novote: allow {rule} -- REASON" in done.stdout
    prose = [line for line in done.stdout.split("\nBad")[0].splitlines() if "http" not in line]
    assert max(map(len, prose)) <= 120


def test_the_examples_are_printed_whole(run: Run) -> None:
    (policy,) = [policy for policy in policies() if policy["id"] == "claim-skips-exam"]
    page = run("explain", "claim-skips-exam").stdout
    texts = [text for example in policy["examples"] for text in example_texts(example)]
    assert texts
    for text in texts:
        assert all(line.partition("  # expect:")[0] in page for line in text.splitlines())
    assert "# expect:" not in page


def example_texts(example: dict[str, object]) -> list[str]:
    return [text for text in example.values() if isinstance(text, str) and "jobs:" in text]


def test_an_unknown_rule_names_the_one_meant(run: Run) -> None:
    done = run("explain", "claim-skip-exam")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'claim-skips-exam'?" in done.stderr


def test_a_page_cites_the_decision_table(run: Run) -> None:
    page = " ".join(run("explain", "claim-skips-exam").stdout.split())
    assert "Branch name: may it decide? No. A name is free text." in page
    assert "In the decision table" not in run("explain", "suppression-expired").stdout


def test_every_rule_that_the_decision_table_names_exists() -> None:
    (at,) = [at for at, heading in enumerate(decision_table()[0]) if heading == "Rule"]
    named = {word for row in decision_table()[1:] for word in re.findall(r"[a-z]+(?:-[a-z]+)+", row[at])}
    assert named <= set(rule_ids())


def test_the_decision_table_in_every_format(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    headings, *rows = decision_table()
    assert rows
    monkeypatch.setenv("COLUMNS", "80")
    assert len(run("table").stdout.splitlines()) == len(rows) * (len(headings) + 1) - 1
    monkeypatch.setenv("COLUMNS", "999")
    text = run("table").stdout
    assert len(text.splitlines()) == len(rows) + 1
    listed = json.loads(run("table", "--format", "json").stdout)["rows"]
    assert [tuple(row.values()) for row in listed] == list(rows)
    assert all(list(row) == list(headings) for row in listed)
    assert len(run("table", "--format", "markdown").stdout.splitlines()) == len(rows) + 2


def test_a_text_table_has_columns() -> None:
    assert text_table([("a", "bb"), ("ccc", "d")]) == "a    bb\nccc  d\n"


def test_a_markdown_table_escapes_bars_and_line_breaks() -> None:
    assert markdown_table([("a",), ("b|c\nd",)]) == "| a |\n| --- |\n| b\\|c d |\n"


def test_explain_without_a_rule_says_where_they_are(run: Run) -> None:
    done = run("explain")
    assert (done.returncode, done.stderr) == (2, "novote: which rule? `novote rules` lists them\n")


def test_what_is_too_wide_for_a_terminal_is_told_cell_by_cell() -> None:
    rows = [("Source", "Why"), ("title", "free text"), ("label", "set by many")]
    assert text_table(rows, 18) == "title\n  Why  free text\n\nlabel\n  Why  set by many\n"
    assert text_table(rows, 19) == "Source  Why\ntitle   free text\nlabel   set by many\n"
