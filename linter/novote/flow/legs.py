"""The legs of a matrix in which nothing is computed, one by one and in GitHub's order.

Every combination of the vectors, without those that `exclude` matches; an entry of `include` adds its other
keys to the combinations that it matches, and is a leg of its own where it matches none. Values match as `==`
does.
https://docs.github.com/en/actions/how-tos/write-workflows/choose-what-workflows-do/run-job-variations
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from novote.algebra.value import Content, Object
from novote.expr.coerce import equal, is_primitive
from novote.flow.matrix import fixed, matrix_node
from novote.workflow.model import Job

MAX_LEGS: Final = 256
"""GitHub starts no more jobs of one matrix."""

_SPECIAL: Final = ("include", "exclude")


class Leg(NamedTuple):
    """One leg: the `named` values, which its check is called by, and all that `matrix` holds in it."""

    named: Object
    matrix: Object


def legs_of(job: Job) -> tuple[Leg, ...] | None:
    """The legs of a job's matrix; None where an expression has a say, there is none, or they are too many."""
    node = matrix_node(job)
    whole = fixed(node) if node is not None else None
    if not isinstance(whole, Object):
        return None
    vectors = [(key, content) for key, content in whole.items if key.lower() not in _SPECIAL]
    sizes = [len(content) if isinstance(content, tuple) else 0 for _, content in vectors]
    included = _entries(whole.get("include"))
    if math.prod(sizes) * bool(sizes) + len(included) > MAX_LEGS:
        return None
    rows = product(*(content for _, content in vectors if isinstance(content, tuple))) if all(sizes) else ()
    names = [key for key, _ in vectors]
    combined = [Object(tuple(zip(names, row, strict=True))) for row in rows] if vectors else []
    excluded = _entries(whole.get("exclude"))
    kept = [each for each in combined if not any(_matches(entry.items, each) for entry in excluded)]
    return (*_extended(kept, included, names), *_alone(kept, included, names))


def _entries(content: Content) -> Sequence[Object]:
    items = content if isinstance(content, tuple) else ()
    return [item for item in items if isinstance(item, Object) and item.items]


def _extended(kept: Iterable[Object], included: Sequence[Object], names: Sequence[str]) -> Iterator[Leg]:
    """The combinations of the vectors, each with what the entries that match it add."""
    for each in kept:
        more: dict[str, Content] = {}
        for entry in included:
            filters, extra = _split(entry, names)
            if _matches(filters, each):
                more.update(extra)
        yield Leg(each, Object((*each.items, *more.items())))


def _alone(kept: Sequence[Object], included: Iterable[Object], names: Sequence[str]) -> Iterator[Leg]:
    """The entries that match no combination."""
    for entry in included:
        filters, extra = _split(entry, names)
        if not any(_matches(filters, each) for each in kept):
            leg = Object((*filters, *extra))
            yield Leg(leg, leg)


_Items = Sequence[tuple[str, Content]]


def _split(entry: Object, names: Sequence[str]) -> tuple[_Items, _Items]:
    """What an entry asks of the vectors, and what it adds."""
    known = {name.lower() for name in names}
    filters = [item for item in entry.items if item[0].lower() in known]
    return filters, [item for item in entry.items if item[0].lower() not in known]


def _matches(filters: _Items, leg: Object) -> bool:
    return all(_fits(wanted, leg.get(name)) for name, wanted in filters)


def _fits(wanted: Content, found: Content) -> bool:
    """Whether every single value of what is wanted is there, at its place."""
    if isinstance(wanted, Object):
        return isinstance(found, Object) and all(_fits(item, found.get(key)) for key, item in wanted.items)
    if isinstance(wanted, tuple):
        there = found if isinstance(found, tuple) else ()
        return len(wanted) <= len(there) and all(map(_fits, wanted, there))
    return is_primitive(wanted) and is_primitive(found) and equal(wanted, found)


def single_values(content: Content) -> Iterator[Content]:
    """The values that are neither lists nor mappings, in the order in which they are written."""
    if isinstance(content, Object):
        for _, item in content.items:
            yield from single_values(item)
    elif isinstance(content, tuple):
        for item in content:
            yield from single_values(item)
    else:
        yield content
