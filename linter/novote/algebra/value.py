"""Values under conditions: what a piece of text is, depending on atoms.

A `Value` is a list of guarded alternatives whose guards are disjoint and cover everything. Content is a
concrete expression value (None, bool, float, str, tuple for an array, `Object` for a mapping) or `Opaque`,
which stands for text nobody knows and remembers who writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from novote.algebra.cond import Atom, Cond, Origin, Universe
from novote.record import open_record

MAX_ALTERNATIVES = 64
MAX_ATOMS = 16

Shape = Literal["any", "string", "list", "object", "bool", "number"]


@open_record
class Object:
    """A mapping of the expression language; names compare without regard to case, order is kept."""

    items: tuple[tuple[str, Content], ...]

    @cached_property
    def _index(self) -> dict[str, Content]:
        return {name.lower(): content for name, content in reversed(self.items)}

    def get(self, name: str) -> Content:
        """The content of a property; None where there is none."""
        return self._index.get(name.lower())

    def has(self, name: str) -> bool:
        """Whether there is such a property."""
        return name.lower() in self._index


@open_record
class Opaque:
    """Content nobody knows.

    `key` is canonical: equal keys mean equal content within one universe. `absent` is the content when every
    claim among the origins is absent: concrete, or opaque without claims; `absent_known` is false where that
    is not known. `nonempty` content is neither empty text nor missing, so comparing it with nothing is false.
    `prefix` is text it is known to begin with, such as `refs/heads/`: comparisons that the prefix settles
    are settled.
    """

    key: str
    origins: frozenset[Origin]
    absent: Content = None
    absent_known: bool = False
    shape: Shape = "any"
    nonempty: bool = False
    prefix: str = ""

    @cached_property
    def has_claim(self) -> bool:
        """Whether the author can write it."""
        return any(origin.cls == "claim" for origin in self.origins)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Opaque) and self._fields() == other._fields())

    def __hash__(self) -> int:
        return hash(self.key)

    def _fields(self) -> tuple[object, ...]:
        return (
            self.key, self.origins, self.absent, self.absent_known, self.shape, self.nonempty, self.prefix,
        )  # fmt: skip


Content: TypeAlias = bool | float | str | tuple["Content", ...] | Object | Opaque | None

Signature: TypeAlias = tuple[tuple[int, type, Content], ...]


def origins_of(content: Content) -> frozenset[Origin]:
    """Who writes a piece of content, elements and properties included."""
    if isinstance(content, Opaque):
        return content.origins
    if isinstance(content, tuple):
        return frozenset().union(*(origins_of(item) for item in content))
    if isinstance(content, Object):
        return frozenset().union(*(origins_of(item) for _, item in content.items))
    return frozenset()


class Value:
    """Guarded alternatives; `alternatives` pairs each guard with the content that holds under it."""

    __slots__ = ("alternatives", "universe")

    def __init__(self, universe: Universe, alternatives: tuple[tuple[Cond, Content], ...]) -> None:
        self.universe = universe
        self.alternatives = alternatives

    @classmethod
    def of(cls, universe: Universe, content: Content) -> Value:
        """A value that is the same under every condition."""
        return cls(universe, ((universe.true, content),))

    @classmethod
    def boolean(cls, cond: Cond) -> Value:
        """True where the condition holds, false elsewhere."""
        universe = cond.universe
        if cond.is_constant:
            return cls(universe, ((universe.true, cond.is_true),))
        return cls(universe, ((cond, True), (~cond, False)))._bounded()

    @classmethod
    def build(cls, universe: Universe, pairs: Iterable[tuple[Cond, Content]]) -> Value:
        """Makes a value of disjoint, covering pairs: drops the impossible, joins equals, keeps bounds."""
        merged: dict[tuple[type, Content], Cond] = {}
        for guard, content in pairs:
            if guard.is_false:
                continue
            # The type is part of the key because True, 1.0 and their like are equal in Python.
            key = (type(content), content)
            known = merged.get(key)
            merged[key] = guard if known is None else known | guard
        value = cls(universe, tuple((guard, content) for (_, content), guard in merged.items()))
        return value._bounded()

    @classmethod
    def choose(cls, test: Cond, then: Value, other: Value) -> Value:
        """`then` where the condition holds, `other` elsewhere."""
        if test.is_true or then is other:
            return then
        if test.is_false:
            return other
        without = test.negated()
        pairs = [(test.both(guard), content) for guard, content in then.alternatives]
        pairs += [(without.both(guard), content) for guard, content in other.alternatives]
        return cls.build(test.universe, pairs)

    @property
    def single(self) -> Content:
        """The content, where there is just one alternative; raises ValueError elsewhere."""
        if len(self.alternatives) != 1:
            raise ValueError("the value has several alternatives")
        return self.alternatives[0][1]

    @property
    def is_single(self) -> bool:
        """Whether it is the same under every condition."""
        return len(self.alternatives) == 1

    def signature(self) -> Signature:
        """What is equal for equal values, of one universe or of two; see `Cond.digest`."""
        # The type is part of it because True, 1.0 and their like are equal in Python.
        return tuple((guard.digest(), type(content), content) for guard, content in self.alternatives)

    def map(self, change: Callable[[Content], Content]) -> Value:
        """Applies a function to each alternative."""
        if len(self.alternatives) == 1:
            return Value.of(self.universe, change(self.alternatives[0][1]))
        return Value.build(self.universe, ((guard, change(content)) for guard, content in self.alternatives))

    def bind(self, change: Callable[[Content], Value]) -> Value:
        """Applies a function that itself gives a value to each alternative."""
        if len(self.alternatives) == 1:
            return change(self.alternatives[0][1])
        pairs = []
        for guard, content in self.alternatives:
            pairs += [(guard & inner, result) for inner, result in change(content).alternatives]
        return Value.build(self.universe, pairs)

    def test(self, predicate: Callable[[Content], Cond]) -> Cond:
        """Where a predicate on the content holds."""
        if len(self.alternatives) == 1:
            return predicate(self.alternatives[0][1])
        universe = self.universe
        return universe.any_of(guard & predicate(content) for guard, content in self.alternatives)

    def substitute(self, change: Callable[[Cond], Cond]) -> Value:
        """Applies a function to every guard; it must keep them disjoint and covering."""
        return Value.build(self.universe, ((change(guard), content) for guard, content in self.alternatives))

    def origins(self) -> frozenset[Origin]:
        """Who writes any alternative or decides between them."""
        found: frozenset[Origin] = frozenset()
        for guard, content in self.alternatives:
            found |= origins_of(content)
            for atom in guard.support():
                found |= atom.origins
        return found

    def _bounded(self) -> Value:
        if len(self.alternatives) <= 1:
            return self
        mask = 0
        for guard, _ in self.alternatives:
            mask |= guard.support_mask
        if len(self.alternatives) <= MAX_ALTERNATIVES and mask.bit_count() <= MAX_ATOMS:
            return self
        return self.collapsed()

    def collapsed(self) -> Value:
        """One alternative, opaque where there were several, with every origin: less precise, as sound."""
        if self.is_single:
            return self
        universe = self.universe
        # A digest names a guard without spelling out a large formula.
        key = ";".join(f"{guard.digest()}:{content!r}" for guard, content in self.alternatives)
        known, absent = self._absent_content()
        return Value.of(universe, Opaque(universe.short_key(key), self.origins(), absent, known))

    def _absent_content(self) -> tuple[bool, Content]:
        """Whether it is known what the value is when its claims are absent, and that content."""
        for guard, content in self.alternatives:
            if without_claims(guard).is_true:
                if isinstance(content, Opaque) and content.has_claim:
                    return content.absent_known, content.absent
                return True, content
        return False, None


def without_claims(cond: Cond) -> Cond:
    """A condition with every claim at its absent value: what holds when the author says nothing."""
    mapping: Mapping[Atom, Cond] = {atom: atom.absent for atom in cond.support() if atom.absent is not None}
    return cond.substitute(mapping)
