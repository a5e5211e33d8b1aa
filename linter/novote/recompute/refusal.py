"""Why a selection may not be used: reasons for people, with the paths they are about."""

from __future__ import annotations

from typing import Literal

from novote.fixturemap.match import Matcher
from novote.fixturemap.model import FixtureMap
from novote.recompute.edits import Edits
from novote.recompute.select import Selection, cap
from novote.record import record

Why = Literal["unmatched", "overflow", "map-with-product"]


@record
class Refusal:
    """One reason; message and paths quote names as they are."""

    why: Why
    message: str
    paths: tuple[bytes, ...] = ()


def refusals(fixture_map: FixtureMap, selection: Selection) -> tuple[Refusal, ...]:
    """What the map itself refuses of a selection: paths that it does not know, too many fixtures."""
    file, most = fixture_map.file, cap(fixture_map)
    found = []
    if selection.unmatched and fixture_map.require_map_hit:
        number = len(selection.unmatched)
        message = (
            f"{file} covers {number} changed {'path' if number == 1 else 'paths'} neither by a rule nor by "
            "no_fixture; add what these paths need to the map, in a change of its own:"
        )
        found.append(Refusal("unmatched", message, selection.unmatched))
    if selection.needed > most and fixture_map.on_overflow == "fail":
        message = (
            f"the change needs {selection.needed} fixtures, and {file} allows {most}; split the change, or "
            "in one of its own raise max_fixtures or set on_overflow: all"
        )
        found.append(Refusal("overflow", message))
    return tuple(found)


def map_with_product(fixture_map: FixtureMap, matcher: Matcher, edits: Edits) -> Refusal | None:
    """The refusal of a change that edits the map together with product paths; None for any other."""
    product = edits.product(matcher)
    if not edits.of_map or not product:
        return None
    return Refusal(
        "map-with-product",
        f"the change edits {fixture_map.file}, or what leads to it, together with product paths, so it would "
        "choose its own exam; edit the map in a change of its own. Both are edited here:",
        (*edits.of_map, *product),
    )
