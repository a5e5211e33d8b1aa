"""What a file or a message claims, and how it stands beside CI's list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.commits.claimed import Claimed, UnreadableClaim, claimed_in_file, claimed_in_lines
from novote.commits.comparison import compare
from novote.commits.message import Keys

KEYS = Keys()
KNOWN = ("unit", "lint", "e2e")


@pytest.mark.parametrize(
    ("text", "fixtures"),
    [
        ('["unit", "lint", "unit"]', ("unit", "lint")),
        ('{"selector": "ci-recompute", "fixtures": ["unit"], "changed": ["src/a"]}', ("unit",)),
        ("unit\nlint\n", ("unit", "lint")),
        ("unit, lint;e2e other\r\n", ("unit", "lint", "e2e", "other")),
        ("", ()),
        ("[]", ()),
        ("This is it.\n\nClaimed-Fixtures: unit, lint\nTested-with: e2e\n", ("unit", "lint", "e2e")),
    ],
)
def test_a_file_may_hold_a_list_in_several_forms(text: str, fixtures: tuple[str, ...]) -> None:
    assert claimed_in_file(text, KEYS, KNOWN) == Claimed(fixtures)


@pytest.mark.parametrize("text", ["[1]", "{}", '{"fixtures": "unit"}', "[unit]", '["unit"', "[" * 100_000])
def test_what_is_no_list_is_told(text: str) -> None:
    with pytest.raises(UnreadableClaim, match="write a JSON list"):
        claimed_in_file(text, KEYS, KNOWN)


@pytest.mark.parametrize(
    ("message", "claimed"),
    [
        ("Tested-with: unit", Claimed(("unit",))),
        ("Tested-with: unit,\n lint\n", Claimed(("unit", "lint"))),
        ("Tested-with:\n - unit\n - lint\n", Claimed(("unit", "lint"))),
        ("Claimed-Fixtures: [unit, 'new-one']", Claimed(("unit", "new-one"))),
        ("Tested-with: unit lint e2e", Claimed(("unit", "lint", "e2e"))),
        ("Tested-with: pytest 8 on Linux", Claimed((), ("Tested-with: pytest 8 on Linux",))),
        ("Local-Green: yes", Claimed((), ("Local-Green: yes",))),
        ("Tested-with:", Claimed((), ("Tested-with:",))),
        ("Tested-with: unit, by hand", Claimed(("unit",))),
        ("A\n\nTested-with: unit\nLocal-Green: lint, unit", Claimed(("unit", "lint"))),
        ("No claim at all", Claimed()),
    ],
)
def test_lines_of_a_message_name_fixtures_or_speak_in_words(message: str, claimed: Claimed) -> None:
    assert claimed_in_lines(KEYS.claims(message), KNOWN) == claimed


def test_an_answer_that_is_a_fixture_of_the_map_is_one() -> None:
    assert claimed_in_lines(KEYS.claims("Local-Green: all"), ("all",)) == Claimed(("all",))


def test_both_lists_side_by_side() -> None:
    found = compare(Claimed(("e2e", "lint", "mine"), ("Local-Green: yes",)), ("unit", "lint", "e2e"))
    assert found.recomputed == ("unit", "lint", "e2e")
    assert found.same == ("lint", "e2e")
    assert found.only_claimed == ("mine",)
    assert found.only_recomputed == ("unit",)
    assert found.words == ("Local-Green: yes",)
    assert not found.match


@given(st.lists(st.sampled_from("abcd"), unique=True), st.lists(st.sampled_from("abcd"), unique=True))
def test_every_fixture_stands_in_one_part(claimed: list[str], recomputed: list[str]) -> None:
    found = compare(Claimed(tuple(claimed)), recomputed)
    parts = (*found.same, *found.only_claimed, *found.only_recomputed)
    assert sorted(parts) == sorted({*claimed, *recomputed})
    assert found.match is (set(claimed) == set(recomputed))
    assert found.recomputed == tuple(recomputed)
