"""Boolean conditions over atoms, as a hash-consed reduced ordered binary decision diagram.

A `Universe` owns the atoms and nodes of one analysis; conditions of different universes never mix. Two
conditions of one universe are equivalent exactly when they are the same object, so `is` decides equality.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

OriginClass = Literal["claim", "observed", "unknown"]

# TRUE and FALSE stand below every atom, which spares each step of a walk a question of its own.
_LEAF = 1 << 60


class Origin(NamedTuple):
    """Where content comes from.

    `kind` is a claim kind (`label`, `title`, ...) for a claim and free text otherwise; `text` is the
    expression or command that reads it, such as `github.event.pull_request.title`. The class `unknown`
    means that nothing is known about who writes it: neither a claim nor an observation.
    """

    cls: OriginClass
    kind: str
    text: str


class Atom:
    """A boolean unknown.

    `absent` is what the atom is when every claim it depends on is absent (no label, empty text): a
    condition without claim atoms. It is None for atoms that depend on no claim. `test` and `marker` say
    what is asked (`contains`, `skip-tests`), for messages and witnesses only. A `definition` makes the atom
    a name for another condition that is expanded only on demand. `is_claim` says whether the author decides
    it. An atom is equal to itself alone, and nobody changes it.
    """

    __slots__ = ("absent", "definition", "index", "is_claim", "key", "marker", "origins", "test")

    def __init__(
        self,
        index: int,
        key: str,
        origins: frozenset[Origin],
        absent: Cond | None,
        test: str,
        marker: str | None,
        definition: Callable[[], Cond] | None,
    ) -> None:
        self.index = index
        self.key = key
        self.origins = origins
        self.absent = absent
        self.test = test
        self.marker = marker
        self.definition = definition
        self.is_claim = absent is not None

    def __repr__(self) -> str:
        return f"<{self.key}>"


class Cond:
    """A boolean formula; build it from `Universe` and the operators `& | ~ ^`, never directly.

    `is_true` and `is_false` say that it holds under every assignment and under none, `is_constant` that it is
    one of the two. Walks go by methods rather than operators: a call of a method takes no C stack, and a
    condition over a thousand jobs is a thousand levels deep.
    """

    __slots__ = (
        "_digest", "_negated", "high", "is_constant", "is_false", "is_true",
        "low", "support_mask", "universe", "var",
    )  # fmt: skip

    def __init__(self, universe: Universe, var: int, low: Cond | None, high: Cond | None) -> None:
        self.universe = universe
        self.var = var
        self._negated: Cond | None = None
        self._digest: int | None = None
        self.is_constant = self.is_true = self.is_false = False
        if low is None or high is None:
            self.low = self.high = self
            self.support_mask: int = 0
        else:
            self.low, self.high = low, high
            self.support_mask = (1 << var) | low.support_mask | high.support_mask

    def both(self, other: Cond) -> Cond:
        """Where this condition and another hold: `&`."""
        if self is other or self.is_true or other.is_false:
            return other
        if other.is_true or self.is_false:
            return self
        first, second = (self, other) if self.var <= other.var else (other, self)
        known = self.universe.conjunctions
        found = known.get((first, second))
        if found is None:
            low, high = second.without_and_with(first.var)
            found = self.universe.node(first.var, first.low.both(low), first.high.both(high))
            known[first, second] = found
        return found

    # The mirror image of `both`, in full: the two are the innermost loop of an audit.
    def either(self, other: Cond) -> Cond:
        """Where this condition or another holds: `|`."""
        if self is other or self.is_false or other.is_true:
            return other
        if other.is_false or self.is_true:
            return self
        first, second = (self, other) if self.var <= other.var else (other, self)
        known = self.universe.disjunctions
        found = known.get((first, second))
        if found is None:
            low, high = second.without_and_with(first.var)
            found = self.universe.node(first.var, first.low.either(low), first.high.either(high))
            known[first, second] = found
        return found

    def without_and_with(self, var: int) -> tuple[Cond, Cond]:
        """Its halves where the atom of an index does not hold and where it does; it asks none before that."""
        return (self.low, self.high) if self.var == var else (self, self)

    def negated(self) -> Cond:
        """Where it does not hold: `~`."""
        found = self._negated
        if found is None:
            found = self.universe.node(self.var, self.low.negated(), self.high.negated())
            self._negated, found._negated = found, self
        return found

    def digest(self) -> int:
        """A number that is the same for the same formula over equal atoms, in whatever universe.

        Atoms are equal that have the same key, origins and absent value. It holds for this process alone, and
        two formulas that differ share one by a chance of one in 10 ** 19.
        """
        found = self._digest
        if found is None:
            if self.is_constant:
                found = hash(self.is_true)
            else:
                atom = self.universe.atoms[self.var]
                absent = None if atom.absent is None else atom.absent.digest()
                found = hash((atom.key, atom.origins, absent, self.low.digest(), self.high.digest()))
            self._digest = found
        return found

    __and__ = both
    __or__ = either
    __invert__ = negated

    def __xor__(self, other: Cond) -> Cond:
        return self.universe.choose(self, ~other, other)

    def support(self) -> tuple[Atom, ...]:
        """The atoms it depends on, in the order of their making."""
        return self.universe.atoms_of(self.support_mask)

    @property
    def hangs_on_claims(self) -> bool:
        """Whether the author has a say in it."""
        return bool(self.support_mask & self.universe.claims)

    def depends_on(self, atom: Atom) -> bool:
        """Whether the value can hinge on an atom."""
        return bool(self.support_mask >> atom.index & 1)

    def substitute(self, mapping: Mapping[Atom, Cond]) -> Cond:
        """Replaces atoms by conditions, all at once; replacements are not substituted again."""
        by_index = {atom.index: cond for atom, cond in mapping.items() if self.depends_on(atom)}
        return self.universe.replace_atoms(self, by_index) if by_index else self

    def restrict(self, assignment: Mapping[Atom, bool]) -> Cond:
        """Fixes atoms to truth values."""
        u = self.universe
        return self.substitute({atom: u.true if value else u.false for atom, value in assignment.items()})

    def exists(self, atoms: Iterable[Atom]) -> Cond:
        """True where some choice of the given atoms makes it true."""
        result = self
        for atom in atoms:
            if result.depends_on(atom):
                result = result.restrict({atom: True}) | result.restrict({atom: False})
        return result

    def evaluate(self, assignment: Mapping[Atom, bool]) -> bool:
        """The truth value under an assignment of every atom in its support."""
        node = self
        while not node.is_constant:
            node = node.high if assignment[self.universe.atoms[node.var]] else node.low
        return node.is_true

    def model(self) -> dict[Atom, bool] | None:
        """An assignment that makes it true, with atoms left out that do not matter; None when there is none.

        Atoms are set to false where that is possible, so the answer is small and always the same.
        """
        if self.is_false:
            return None
        chosen: dict[Atom, bool] = {}
        node = self
        while not node.is_constant:
            take_high = node.low.is_false
            chosen[self.universe.atoms[node.var]] = take_high
            node = node.high if take_high else node.low
        return chosen

    def __bool__(self) -> bool:
        raise TypeError("a condition has no truth value of its own; ask is_true, is_false or evaluate")

    def __repr__(self) -> str:
        if self.is_constant:
            return "TRUE" if self.is_true else "FALSE"
        return f"({self.universe.atoms[self.var]!r} ? {self.high!r} : {self.low!r})"


class Universe:
    """The atoms and conditions of one analysis.

    `claims` has a bit for each atom that the author decides. Nodes live as long as their universe, so that
    they name themselves in what is remembered of them.
    """

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.claims = 0
        self._by_key: dict[str, Atom] = {}
        self._nodes: dict[tuple[int, Cond, Cond], Cond] = {}
        self.conjunctions: dict[tuple[Cond, Cond], Cond] = {}
        self.disjunctions: dict[tuple[Cond, Cond], Cond] = {}
        self._choices: dict[tuple[Cond, Cond, Cond], Cond] = {}
        self._supports: dict[int, tuple[Atom, ...]] = {}
        # What JSON text was made of, by the text's key, and who knows more of a part of something unknown.
        self.originals: dict[str, object] = {}
        self.narrow: Callable[[str], object] | None = None
        # How often either was used, and, where somebody wants to know, which atoms were asked for.
        self.detours = 0
        self.asked_for: dict[Atom, None] | None = None
        self.false = Cond(self, _LEAF, None, None)
        self.true = Cond(self, _LEAF, None, None)
        self.false._negated, self.true._negated = self.true, self.false
        self.false.is_constant = self.false.is_false = True
        self.true.is_constant = self.true.is_true = True

    @property
    def size(self) -> int:
        """How many nodes were made and how many joined: what the work so far has cost."""
        joined = len(self.conjunctions) + len(self.disjunctions) + len(self._choices)
        return len(self._nodes) + joined

    def constant(self, value: bool) -> Cond:
        """TRUE or FALSE."""
        return self.true if value else self.false

    def atom(
        self,
        key: str,
        *,
        origins: frozenset[Origin] = frozenset(),
        absent: Cond | None = None,
        test: str = "",
        marker: str | None = None,
        definition: Callable[[], Cond] | None = None,
    ) -> Cond:
        """The condition that holds when the atom named by `key` does; the same key gives the same atom.

        An atom with a claim among its origins must say what it is in the claim's `absent` state.
        """
        found = self._by_key.get(key)
        if found is None:
            found = Atom(len(self.atoms), key, origins, absent, test, marker, definition)
            self.atoms.append(found)
            self._by_key[key] = found
            if found.is_claim:
                self.claims |= 1 << found.index
        if self.asked_for is not None:
            self.asked_for[found] = None
        return self.node(found.index, self.false, self.true)

    def literal(self, atom: Atom) -> Cond:
        """The condition that holds when an atom of this universe does."""
        return self.node(atom.index, self.false, self.true)

    def atoms_of(self, mask: int) -> tuple[Atom, ...]:
        """The atoms whose bits are set, in the order of their making."""
        known = self._supports.get(mask)
        if known is None:
            rest, found = mask, []
            while rest:
                lowest = rest & -rest
                found.append(self.atoms[lowest.bit_length() - 1])
                rest ^= lowest
            known = self._supports[mask] = tuple(found)
        return known

    def find(self, key: str) -> Atom | None:
        """The atom of that key, where one was made."""
        return self._by_key.get(key)

    def short_key(self, text: str) -> str:
        """A name for a long canonical text, the same for the same text in every universe of this process."""
        return f"mixed#{hash(text):x}"

    def all_of(self, conds: Iterable[Cond]) -> Cond:
        """True when every condition is; TRUE for none."""
        result = self.true
        for cond in conds:
            result = result & cond
        return result

    def any_of(self, conds: Iterable[Cond]) -> Cond:
        """True when some condition is; FALSE for none."""
        result = self.false
        for cond in conds:
            result = result | cond
        return result

    def choose(self, test: Cond, then: Cond, other: Cond) -> Cond:
        """`then` where `test` holds, `other` elsewhere."""
        if test.is_true or then is other:
            return then
        if test.is_false:
            return other
        if then.is_true or then is test:
            return test.either(other)
        if other.is_false or other is test:
            return test.both(then)
        if then.is_false:
            return test.negated().both(other)
        if other.is_true:
            return test.negated().either(then)
        found = self._choices.get((test, then, other))
        if found is None:
            found = self._choices[test, then, other] = self._expand(test, then, other)
        return found

    def _expand(self, test: Cond, then: Cond, other: Cond) -> Cond:
        var = min(test.var, then.var, other.var)
        t0, t1 = test.without_and_with(var)
        a0, a1 = then.without_and_with(var)
        b0, b1 = other.without_and_with(var)
        return self.node(var, self.choose(t0, a0, b0), self.choose(t1, a1, b1))

    def node(self, var: int, low: Cond, high: Cond) -> Cond:
        """`high` where the atom of an index holds, `low` elsewhere; both depend on later atoms only."""
        if low is high:
            return low
        found = self._nodes.get((var, low, high))
        if found is None:
            found = self._nodes[var, low, high] = Cond(self, var, low, high)
        return found

    def replace_atoms(self, cond: Cond, by_index: Mapping[int, Cond]) -> Cond:
        """Replaces atoms, named by index, by conditions, all at once."""
        wanted = 0
        for index in by_index:
            wanted |= 1 << index
        memo: dict[int, Cond] = {}

        def walk(node: Cond) -> Cond:
            if not node.support_mask & wanted:
                return node
            found = memo.get(id(node))
            if found is None:
                test = by_index.get(node.var)
                if test is None:
                    test = self.node(node.var, self.false, self.true)
                found = self.choose(test, walk(node.high), walk(node.low))
                memo[id(node)] = found
            return found

        return walk(cond)
