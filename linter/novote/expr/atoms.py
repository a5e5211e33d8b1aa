"""Names what is not known: canonical keys for content, and one atom for each question about it.

Where a claim is among what is asked, the atom knows the answer for the claim's absence: the same question
about the absent content.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from novote.algebra.cond import Cond, Origin, Universe
from novote.algebra.value import Content, Object, Opaque, origins_of
from novote.expr import jsontext

MAX_KEY: Final = 240

Question: TypeAlias = Callable[[Universe, Content, Content], Cond]


def is_known(content: Content) -> bool:
    """Whether no part of it is opaque."""
    if isinstance(content, Opaque):
        return False
    if isinstance(content, tuple):
        return all(map(is_known, content))
    return not isinstance(content, Object) or all(is_known(item) for _, item in content.items)


def absent_of(content: Content) -> tuple[bool, Content]:
    """Whether it is known what content is when its claims are absent, and that content."""
    if isinstance(content, Opaque):
        if not content.has_claim:
            return True, content
        return content.absent_known, content.absent
    if isinstance(content, tuple):
        items = [absent_of(item) for item in content]
        return all(known for known, _ in items), type(content)(item for _, item in items)
    if isinstance(content, Object):
        pairs = [(name, absent_of(item)) for name, item in content.items]
        return all(known for _, (known, _) in pairs), Object(tuple((name, item) for name, (_, item) in pairs))
    return True, content


def short(universe: Universe, key: str) -> str:
    """The key itself, or a short name for it where it is long."""
    return key if len(key) <= MAX_KEY else universe.short_key(key)


def spell(universe: Universe, content: Content) -> str:
    """How content stands in a key."""
    if isinstance(content, Opaque):
        return content.key
    if isinstance(content, str):
        return short(universe, repr(content))
    if is_known(content):
        return short(universe, jsontext.write(content))
    return short(universe, repr(content))


def ask(
    universe: Universe,
    key: str,
    test: str,
    marker: str | None,
    left: Content,
    right: Content,
    again: Question,
) -> Cond:
    """The atom of a question that cannot be answered, made when it is first asked."""
    key = short(universe, key)
    found = universe.find(key)
    if found is not None:
        return universe.literal(found)
    origins = origins_of(left) | origins_of(right)
    absent = None
    if any(origin.cls == "claim" for origin in origins):
        (left_known, left), (right_known, right) = absent_of(left), absent_of(right)
        if left_known and right_known:
            absent = again(universe, left, right)
        else:
            absent = absent_unknown(universe, key, origins)
    return universe.atom(key, origins=origins, absent=absent, test=test, marker=marker)


def absent_unknown(universe: Universe, key: str, origins: frozenset[Origin]) -> Cond:
    """A condition of its own for what an atom is without its claims, where nobody knows."""
    rest = frozenset(origin for origin in origins if origin.cls != "claim")
    if not rest:
        rest = frozenset(Origin("unknown", origin.kind, origin.text) for origin in origins)
    return universe.atom(f"{key} (claims absent)", origins=rest)
