"""Where conditions of both sides meet: one universe, in which equal questions are one atom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from novote.algebra.cond import Atom, Cond, Universe
from novote.script.carry import Carrier, Made, made


class Meeting:
    """The universe of one comparison."""

    def __init__(self) -> None:
        self.universe = Universe()

    def bearer(self) -> Bearer:
        """Who carries conditions of one evaluation here."""
        return Bearer(self.universe)


class Bearer:
    """Carries conditions of one universe into another.

    What else passes does not matter: where an earlier step or job fails, the change fails with it.
    """

    def __init__(self, universe: Universe) -> None:
        self._atoms: dict[int, Made] = {}
        self._carrier = Carrier(self._atoms, universe)
        self._known: dict[Cond, Cond] = {}

    def carried(self, cond: Cond) -> Cond:
        """The condition over there, with everything before taken to pass, for some leg of the matrix."""
        known = self._known.get(cond)
        if known is None:
            known = self._known[cond] = self._brought(cond)
        return known

    def _brought(self, cond: Cond) -> Cond:
        supposed = cond.substitute(dict(_supposed(cond)))
        free = supposed.exists(atom for atom in supposed.support() if atom.test == "leg")
        for atom in _with_absent(free.support()):
            self._atoms.setdefault(atom.index, made(atom))
        return self._carrier.cond(free)


def _supposed(cond: Cond) -> Iterator[tuple[Atom, Cond]]:
    universe = cond.universe
    for atom in cond.support():
        if atom.test == "pass":
            yield atom, universe.true
        elif atom.test == "status":
            yield atom, universe.constant(atom.key.startswith("healthy:"))


def _with_absent(atoms: Iterable[Atom]) -> Iterator[Atom]:
    """Atoms, and those that say what they are without claims."""
    waiting, seen = list(atoms), set[Atom]()
    while waiting:
        atom = waiting.pop()
        if atom not in seen:
            seen.add(atom)
            yield atom
            waiting += atom.absent.support() if atom.absent is not None else ()
