"""Which way a claim cuts: compares a decision with all claims absent against the claims left free.

The answer is a formula over the decision's condition, never a reading of its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from novote.algebra.cond import Atom, Cond
from novote.algebra.value import Content, Opaque, Value

Polarity = Literal["skip", "opt-in", "widen", "choose", "soften", "repeat"]

# A witness of more claims than this is found by search instead of by trying all sets.
MAX_SET = 3
# So many claims are still tried in pairs and triples: a few hundred sets.
MAX_PAIRED = 12


class Cut(NamedTuple):
    """One way a set of claims moves a decision.

    `atoms` is a smallest set of claims that does it together; each is flipped from what it is when absent.
    """

    polarity: Polarity
    atoms: tuple[Atom, ...]

    def values(self) -> Iterator[tuple[Atom, bool]]:
        """Each claim with the truth value that makes the difference."""
        for atom in self.atoms:
            yield atom, atom.absent is None or not atom.absent.is_true


def cuts(cond: Cond, judged: Callable[[Atom], bool]) -> tuple[Cut, ...]:
    """How the judged claims of a decision can move it; empty when none has an effect.

    `skip`: something that would have happened by default no longer does. `opt-in`: by default it never
    happens. `widen`: by default it follows observations alone, and claims only add.
    """
    claims = tuple(atom for atom in cond.support() if atom.is_claim and judged(atom))
    if not claims:
        return ()
    default = _with(cond, claims, ())
    found: list[Cut] = []
    if not (default & ~cond).exists(claims).is_false:
        found += (Cut("skip", atoms) for atoms in _smallest(cond, claims, lambda moved: default & ~moved))
    if not (~default & cond).exists(claims).is_false:
        polarity: Polarity = "opt-in" if default.is_false else "widen"
        found += (Cut(polarity, atoms) for atoms in _smallest(cond, claims, lambda moved: ~default & moved))
    return tuple(found)


def _with(cond: Cond, claims: Sequence[Atom], flipped: Sequence[Atom]) -> Cond:
    """The condition with some claims flipped and all others absent."""
    mapping = {}
    for atom in claims:
        if atom.absent is not None:
            mapping[atom] = ~atom.absent if atom in flipped else atom.absent
    return cond.substitute(mapping)


def _smallest(
    cond: Cond, claims: Sequence[Atom], effect: Callable[[Cond], Cond]
) -> Iterator[tuple[Atom, ...]]:
    """The smallest sets of claims that have an effect no smaller set of them has.

    Of many claims only single ones are tried, and all the others together.
    """
    known: list[tuple[frozenset[Atom], Cond]] = []
    for size in range(1, (MAX_SET if len(claims) <= MAX_PAIRED else 1) + 1):
        for atoms in combinations(claims, size):
            shown = fresh = effect(_with(cond, claims, atoms))
            for smaller, where in known:
                if not fresh.is_false and smaller < frozenset(atoms):
                    fresh = fresh & ~where
            if not fresh.is_false:
                known.append((frozenset(atoms), shown))
                yield atoms
    tried = frozenset[Atom]().union(*(atoms for atoms, _ in known))
    rest = tuple(atom for atom in claims if atom not in tried)
    if len(rest) > MAX_SET and not effect(_with(cond, claims, rest)).is_false:
        yield rest
    elif not known:
        yield tuple(claims)


class ValueCut(NamedTuple):
    """One way claims move a value that is not a boolean.

    `atoms` are the claims that choose between known alternatives; empty when the claim's own text is copied,
    in which case `copied` is that text.
    """

    polarity: Polarity
    atoms: tuple[Atom, ...]
    copied: Opaque | None = None


def value_cuts(
    value: Value,
    judged: Callable[[Atom], bool],
    copied: Callable[[Opaque], bool],
    chosen: Callable[[Atom], bool],
) -> tuple[ValueCut, ...]:
    """How claims move a value: by copying text, or by choosing between alternatives.

    Two lists of literals compare as sets: a claim that can only add is `opt-in`, one that can only take
    away is `skip`; anything else is `choose`. An atom for which `chosen` holds has no absent state worth the
    name (every change has a branch name), so what it selects is always `choose`.
    """
    found: list[ValueCut] = []
    for _, content in value.alternatives:
        found += (ValueCut("choose", (), opaque) for opaque in _opaques(content) if copied(opaque))
    claims = _deciding(value, judged)
    if not claims:
        return tuple(found)
    default = _value_with(value, claims, ())
    for size in (1, 2) if len(claims) <= MAX_PAIRED else (1,):
        for atoms in combinations(claims, size):
            if any(set(cut.atoms) & set(atoms) for cut in found):
                continue
            polarity = _relation(default, _value_with(value, claims, atoms))
            if polarity is not None:
                found.append(ValueCut("choose" if any(map(chosen, atoms)) else polarity, atoms))
    return tuple(found)


def _deciding(value: Value, judged: Callable[[Atom], bool]) -> tuple[Atom, ...]:
    atoms: dict[Atom, None] = {}
    for guard, _ in value.alternatives:
        for atom in guard.support():
            if atom.is_claim and judged(atom):
                atoms[atom] = None
    return tuple(atoms)


def _value_with(value: Value, claims: Sequence[Atom], flipped: Sequence[Atom]) -> Value:
    return value.substitute(lambda guard: _with(guard, claims, flipped))


def _relation(default: Value, moved: Value) -> Polarity | None:
    """How the moved value relates to the default, over every situation in which both can stand."""
    relations: set[Polarity] = set()
    for guard, before in default.alternatives:
        for other, after in moved.alternatives:
            if before == after or (guard & other).is_false:
                continue
            relation = _compare(before, after)
            if relation is not None:
                relations.add(relation)
    if not relations:
        return None
    return relations.pop() if len(relations) == 1 else "choose"


def _compare(before: Content, after: Content) -> Polarity | None:
    """How one list relates to another; None where they hold the same in another order."""
    if not isinstance(before, tuple) or not isinstance(after, tuple) or _has_opaque((before, after)):
        return "choose"
    kept, added = all(item in after for item in before), any(item not in before for item in after)
    if kept:
        return "opt-in" if added else None
    return "choose" if added else "skip"


def _has_opaque(content: Content) -> bool:
    return any(True for _ in _opaques(content))


def _opaques(content: Content) -> Iterator[Opaque]:
    """Every opaque part of a piece of content."""
    if isinstance(content, Opaque):
        yield content
    elif isinstance(content, tuple):
        for item in content:
            yield from _opaques(item)
    elif content is not None and not isinstance(content, (bool, float, str)):
        for _, item in content.items:
            yield from _opaques(item)
