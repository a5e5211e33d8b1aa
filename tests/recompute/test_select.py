"""Which fixtures a set of paths selects, in which order, and why."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from novote.fixturemap.match import compile_map
from novote.fixturemap.model import FixtureMap
from novote.recompute.edits import Edits, folded
from novote.recompute.refusal import Refusal, map_with_product, refusals
from novote.recompute.select import Reason, Selection, select

Read = Callable[[str], FixtureMap]

RULES = """\
rules:
  - paths: ["src/billing/**", "!src/billing/**/*.md"]
    fixtures: [billing-unit, shared]
  - paths: ["src/**"]
    fixtures: [unit, shared]
no_fixture:
  - paths: ["docs/**"]
"""


def selected(fixture_map: FixtureMap, *changed: bytes) -> Selection:
    return select(fixture_map, compile_map(fixture_map), changed)


def test_fixtures_stand_in_the_order_of_first_selection(read: Read) -> None:
    fixture_map = read(RULES)
    assert selected(fixture_map, b"src/a", b"src/billing/a").fixtures == ("unit", "shared", "billing-unit")
    assert selected(fixture_map, b"src/billing/a", b"src/a").fixtures == ("billing-unit", "shared", "unit")


def test_every_hit_of_a_path_is_a_reason(read: Read) -> None:
    found = selected(read(RULES), b"src/billing/a", b"src/billing/a.md", b"docs/x")
    assert found.because == {
        "billing-unit": (Reason(0, "src/billing/**", b"src/billing/a"),),
        "shared": (
            Reason(0, "src/billing/**", b"src/billing/a"),
            Reason(1, "src/**", b"src/billing/a"),
            Reason(1, "src/**", b"src/billing/a.md"),
        ),
        "unit": (Reason(1, "src/**", b"src/billing/a"), Reason(1, "src/**", b"src/billing/a.md")),
    }
    assert found.changed == (b"src/billing/a", b"src/billing/a.md", b"docs/x")
    assert found.unmatched == ()


def test_one_hit_covers_for_no_other_path(read: Read) -> None:
    fixture_map = read(RULES)
    found = selected(fixture_map, b"src/a", b"other", b"docs/x", b"Src/a", b"src")
    assert found.unmatched == (b"other", b"Src/a", b"src")
    (refusal,) = refusals(fixture_map, found)
    assert (refusal.why, refusal.paths) == ("unmatched", found.unmatched)
    assert "covers 3 changed paths neither" in refusal.message


def test_a_map_may_let_paths_go(read: Read) -> None:
    fixture_map = read(RULES + "require_map_hit: false\n")
    found = selected(fixture_map, b"other", b"src/a")
    assert (found.unmatched, found.fixtures) == ((b"other",), ("unit", "shared"))
    assert refusals(fixture_map, found) == ()


@pytest.mark.parametrize(("changed", "fixtures"), [((), ()), ((b"docs/x",), ())])
def test_nothing_may_need_to_run(read: Read, changed: tuple[bytes, ...], fixtures: tuple[str, ...]) -> None:
    fixture_map = read(RULES)
    found = selected(fixture_map, *changed)
    assert found.fixtures == fixtures
    assert refusals(fixture_map, found) == ()


def test_what_always_runs_comes_last_and_with_every_change(read: Read) -> None:
    fixture_map = read(RULES + "always: [smoke, unit]\n")
    assert selected(fixture_map).fixtures == ()
    assert selected(fixture_map, b"docs/x").fixtures == ("smoke", "unit")
    found = selected(fixture_map, b"src/a")
    assert found.fixtures == ("unit", "shared", "smoke")
    assert found.because["smoke"] == ()


def test_too_many_fixtures_are_never_cut_down(read: Read) -> None:
    fixture_map = read(RULES + "max_fixtures: 2\n")
    found = selected(fixture_map, b"src/billing/a")
    assert len(found.fixtures) == found.needed == 3
    (refusal,) = refusals(fixture_map, found)
    assert refusal.why == "overflow"
    assert "needs 3 fixtures, and ci/fixture-map.yml allows 2" in refusal.message


def test_fixtures_are_counted_once(read: Read) -> None:
    fixture_map = read(RULES + "max_fixtures: 2\n")
    found = selected(fixture_map, b"src/a", b"src/b", b"src/c")
    assert found.needed == 2
    assert refusals(fixture_map, found) == ()


def test_what_always_runs_counts_too(read: Read) -> None:
    fixture_map = read(RULES + "max_fixtures: 2\nalways: [smoke]\n")
    (refusal,) = refusals(fixture_map, selected(fixture_map, b"src/a"))
    assert refusal.why == "overflow"


def test_an_overflow_may_select_everything_in_the_order_of_the_map(read: Read) -> None:
    fixture_map = read(RULES + "max_fixtures: 2\non_overflow: all\nalways: [smoke]\n")
    found = selected(fixture_map, b"src/a")
    assert found.fixtures == ("billing-unit", "shared", "unit", "smoke")
    assert found.because["billing-unit"] == ()
    assert found.because["unit"] == (Reason(1, "src/**", b"src/a"),)
    assert refusals(fixture_map, found) == ()


def test_without_a_limit_there_is_that_of_the_platform(read: Read) -> None:
    names = ", ".join(f"f{number}" for number in range(257))
    fixture_map = read(f'rules:\n  - paths: ["a"]\n    fixtures: [{names}]\n')
    (refusal,) = refusals(fixture_map, selected(fixture_map, b"a"))
    assert "allows 256" in refusal.message


MAP = b"ci/fixture-map.yml"


def with_product(fixture_map: FixtureMap, *changed: bytes, of_map: tuple[bytes, ...] = ()) -> Refusal | None:
    return map_with_product(fixture_map, compile_map(fixture_map), Edits(changed, of_map))


def test_the_map_is_not_edited_beside_the_product(read: Read) -> None:
    refusal = with_product(read(RULES), MAP, b"docs/x", b"src/a", of_map=(MAP,))
    assert refusal is not None
    assert (refusal.why, refusal.paths) == ("map-with-product", (MAP, b"src/a"))


def test_either_alone_is_fine(read: Read) -> None:
    fixture_map = read(RULES)
    assert with_product(fixture_map, MAP, b"docs/x", of_map=(MAP,)) is None
    assert with_product(fixture_map, b"docs/x", b"src/a") is None


def test_a_map_is_no_product_though_everything_is(read: Read) -> None:
    fixture_map = read(RULES + 'product_paths: ["**"]\n')
    assert with_product(fixture_map, MAP, of_map=(MAP,)) is None
    assert with_product(fixture_map, MAP, b"x", of_map=(MAP,)) is not None


def test_forms_of_one_name_are_one_file() -> None:
    assert folded("ci/e\u0301.yml".encode()) == folded("ci/\u00e9.yml".encode())
    assert folded("ci/\u00c9.yml".encode()) == folded("ci/e\u0301.yml".encode())
    assert folded(b"ci/\xe9.yml") != folded("ci/\u00e9.yml".encode())


def test_a_long_name_is_folded_in_linear_time(ends: None) -> None:
    assert folded(b"." * 1_000_000 + b"x" + b" ." * 1_000_000) == "." * 1_000_000 + "x"
