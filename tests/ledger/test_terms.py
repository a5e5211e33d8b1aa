"""Terms: the base's map says how often, caps lower it, and what the change edits is worth nothing."""

from __future__ import annotations

from novote.fixturemap.model import DEFAULT_FILE, FixtureMap
from novote.fixturemap.read import load_map
from novote.ledger.terms import NO_BASE, entry_of, same_entry, terms_of

MAP = """\
version: 1
rules:
  - {paths: ["src/**"], fixtures: [http]}
fixtures:
  http: {command: ["./run"], timeout: 60, retries: 2, owner: a,
    quarantine: {owner: a, because: b, until: 2026-01-31}}
"""


def read(text: str = MAP) -> FixtureMap:
    found = load_map(DEFAULT_FILE, text.encode()).map
    assert found is not None
    return found


def test_the_base_says_everything() -> None:
    terms = terms_of("http", read())
    assert (terms.retries, terms.command, terms.timeout) == (2, ("./run",), 60)
    assert terms.because == "the map of the base"
    assert terms_of("http", read(), edited=True).retries == 0
    assert terms_of("other", read()).retries == 0
    assert terms_of("http", read(MAP.partition("fixtures:\n")[0])).retries == 0


def test_caps_lower_and_never_raise() -> None:
    terms = terms_of("http", read())
    assert terms.lowered({}) == terms.lowered({"a": 2, "b": 9}) == terms
    assert terms.lowered({"a": 1, "b": 0})[:2] == (0, "b")
    assert NO_BASE.lowered({"a": 5}) == NO_BASE


def test_an_entry_that_only_moved_is_the_same() -> None:
    here, there = (entry_of("http", read(text)) for text in (MAP, f"# about\n\n{MAP}"))
    assert here != there
    assert same_entry(here, there)


def test_any_other_difference_counts() -> None:
    ours = entry_of("http", read())
    for old, new in (
        ("./run", "./other"),
        ("60", "61"),
        ("retries: 2", "retries: 3"),
        ("owner: a,\n", "owner: b,\n"),
        ("{owner: a, because", "{owner: b, because"),
        ("because: b", "because: c"),
        ("01-31", "01-30"),
    ):
        assert old in MAP
        assert not same_entry(ours, entry_of("http", read(MAP.replace(old, new))))
    assert not same_entry(ours, None)
    assert same_entry(None, None)
