"""The legs of a job's matrix: what `matrix.*` can be, one leg or another.

Which leg is looked at is an observation, so a value of the matrix is chosen by observation atoms: one choice
per vector, one for the `include` entries. `exclude` is left out: it can only take legs away, and a condition
is judged on every leg that may exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import MAX_ALTERNATIVES, MAX_ATOMS, Content, Object, Opaque, Value, origins_of
from novote.flow.payload import observation, unknown
from novote.flow.scope import Scope
from novote.flow.slots import Read, Slot
from novote.source.nodes import Mapping, Node, Scalar
from novote.source.nodes import Sequence as SequenceNode
from novote.source.scalars import resolve_to_double
from novote.workflow.keys import scalars
from novote.workflow.model import Job

if TYPE_CHECKING:
    from novote.flow.evaluation import Evaluation

_SPECIAL = ("include", "exclude")
_MATRIX = re.compile("matrix", re.IGNORECASE)


class Legs:
    """The matrix of one job; its parts are evaluated when a key is looked up."""

    def __init__(self, evaluation: Evaluation, job: Job) -> None:
        self._evaluation = evaluation
        self._name = f"{evaluation.prefix}{job.id}"
        self._universe: Universe = evaluation.universe
        self._node = matrix_node(job)
        self._scope = Scope(evaluation, job, None)
        self._found: dict[str, tuple[Value, tuple[Slot, ...]]] = {}

    def lookup(self, rest: tuple[str, ...]) -> tuple[Value, Slot | None]:
        """`matrix.KEY` and properties below it, with the slot its value stands in."""
        found = self._found.get(rest[0])
        if found is None:
            found = self._found[rest[0]] = self._of_key(rest[0])
        value, slots = found
        value = value.map(lambda content: _property(content, rest[1:]))
        if not slots:
            return value, None
        reads = tuple(Read(("matrix", rest[0]), slot) for slot in slots)
        return value, Slot(f"`matrix.{rest[0]}`", slots[0].file, slots[0].node, value, reads)

    def _of_key(self, key: str) -> tuple[Value, tuple[Slot, ...]]:
        nothing = Value.of(self._universe, None)
        if isinstance(self._node, Scalar):
            whole = self._evaluation.text("the matrix", self._node, self._scope)
            return whole.value.map(lambda content: _part(content, f"matrix.{key}")), (whole,)
        if not isinstance(self._node, Mapping):
            return nothing, ()
        vectors = {name.lower(): node for name, node in self._node.named if name not in _SPECIAL}
        vector = self._part(key, vectors[key]) if key in vectors else None
        base = _element(self._name, key, vector) if vector is not None else nothing
        node = self._node.get("include")
        if node is None:
            return base, (vector,) if vector is not None else ()
        included = self._part("include", node)
        value = _with_include(self._name, key, base, included, has_base=bool(vectors))
        return value, tuple(slot for slot in (vector, included) if slot is not None)

    def _part(self, name: str, node: Node) -> Slot:
        return self._evaluation.node_value(f"matrix value `{name}`", node, self._scope)


def matrix_node(job: Job) -> Node | None:
    """Where a job's matrix is written: a mapping, or the expression that gives it or the whole strategy."""
    if job.strategy is None:
        return None
    return job.strategy.node if isinstance(job.strategy.node, Scalar) else job.strategy.matrix


def computed(node: Node, key: str = "") -> Iterator[tuple[str, Scalar]]:
    """The scalars of a matrix that hold an expression, each with the key it gives a value to."""
    if isinstance(node, Scalar):
        if "${{" in node.value:
            yield key, node
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from computed(item, key)
    elif isinstance(node, Mapping):
        for name, item in node.named:
            yield from computed(item, key if name in _SPECIAL else name)


def _element(job: str, key: str, vector: Slot) -> Value:
    """One element of a vector, an observation says which."""
    return vector.value.bind(lambda content: _pick(vector.value.universe, f"{job}.matrix.{key}", content))


def _pick(universe: Universe, name: str, content: Content) -> Value:
    if isinstance(content, tuple) and 0 < len(content) <= MAX_ALTERNATIVES:
        return _one_of(universe, name, [Value.of(universe, item) for item in content])
    return Value.of(universe, _part(content, name))


def _one_of(universe: Universe, name: str, values: Sequence[Value]) -> Value:
    """One of several values; the bits of a number nobody knows choose."""
    bits = [
        universe.atom(f"{name}#{bit}", origins=observation(name), test="leg")
        for bit in range((len(values) - 1).bit_length())
    ]
    pairs: list[tuple[Cond, Content]] = []
    for number, value in enumerate(values):
        chosen = _number_is(universe, bits, number, last=number == len(values) - 1)
        pairs += [(chosen & guard, content) for guard, content in value.alternatives]
    return Value.build(universe, pairs)


def _number_is(universe: Universe, bits: Sequence[Cond], number: int, *, last: bool) -> Cond:
    """Where the bits spell a number; the last number also takes all larger ones."""
    if not last:
        return universe.all_of(bit if number >> at & 1 else ~bit for at, bit in enumerate(bits))
    smaller = universe.any_of(_number_is(universe, bits, other, last=False) for other in range(number))
    return ~smaller


def _with_include(job: str, key: str, base: Value, included: Slot, *, has_base: bool) -> Value:
    universe = base.universe

    def choose(content: Content) -> Value:
        if not isinstance(content, tuple) or len(content) >= MAX_ALTERNATIVES:
            part = Value.of(universe, _part(content, f"{job}.matrix.{key}"))
            return _one_of(universe, f"{job}.include", [base, part]) if has_base else part
        options = [base] if has_base or not content else []
        for entry in content:
            if isinstance(entry, Object) and not entry.has(key):
                options.append(base)
            else:
                options.append(Value.of(universe, _property(entry, (key,))))
        return _one_of(universe, f"{job}.include", options)

    return included.value.bind(choose)


def _part(content: Content, name: str) -> Content:
    """Something inside content that cannot be taken apart: it has the same writers."""
    if isinstance(content, Opaque):
        return Opaque(f"{name} of {content.key}", content.origins)
    if content is None:
        return None
    return Opaque(name, origins_of(content) | observation(name))


def _property(content: Content, rest: tuple[str, ...]) -> Content:
    for name in rest:
        if isinstance(content, Object):
            content = content.get(name)
        elif isinstance(content, Opaque):
            content = _part(content, name)
        elif isinstance(content, tuple) and name.isdigit():
            content = content[int(name)] if int(name) < len(content) else None
        else:
            return None
    return content


def collection(evaluation: Evaluation, what: str, node: Node, scope: Scope) -> Slot:
    """Evaluates a mapping or sequence of scalars to one value."""
    universe = evaluation.universe
    reads: list[Read] = []

    def value_of(part: Node, key: str) -> Value:
        if isinstance(part, Scalar):
            if "${{" not in part.value:
                return Value.of(universe, resolve_to_double(part))
            slot = evaluation.text(f"matrix value `{key}`" if key else what, part, scope)
            reads.append(Read(("matrix", key), slot))
            return slot.value
        if isinstance(part, SequenceNode):
            return _joined(universe, [value_of(item, key) for item in part.items])
        assert isinstance(part, Mapping)
        names = [name for name, _ in part.named]
        values = _joined(universe, [value_of(item, name) for name, item in part.named])
        return values.map(lambda items: _object(names, items))

    constant = fixed(node)
    value = value_of(node, "") if constant is None else Value.of(universe, constant)
    return Slot(what, evaluation.unit.file, None, value, tuple(reads))


# A matrix is read once for each event.
@lru_cache(maxsize=64)
def fixed(node: Node) -> Content:
    """What a collection without any expression holds, whatever the event; None where it has one."""
    return _plain(node) if next(computed(node), None) is None else None


def _plain(node: Node) -> Content:
    if isinstance(node, Scalar):
        return resolve_to_double(node)
    if isinstance(node, SequenceNode):
        return tuple(map(_plain, node.items))
    assert isinstance(node, Mapping)
    return Object(tuple([(name, _plain(item)) for name, item in node.named]))


def _joined(universe: Universe, values: Sequence[Value]) -> Value:
    """An array of values as one value of arrays; items that depend on something are combined."""
    depending = [at for at, value in enumerate(values) if not value.is_single]
    if len(depending) > MAX_ATOMS:
        values = [value.collapsed() for value in values]
        depending = []
    chosen = Value.of(universe, ())
    for at in depending:
        chosen = _each_longer(chosen, values[at])
    fixed = [value.single if value.is_single else None for value in values]

    def filled(items: Content) -> Content:
        # Where the combinations became too many, one opaque content stands for every item that depends.
        parts = iter(items) if isinstance(items, tuple) else repeat(items)
        result = list(fixed)
        for at in depending:
            result[at] = next(parts)
        return tuple(result)

    return chosen.map(filled)


def _each_longer(arrays: Value, item: Value) -> Value:
    return arrays.bind(lambda items: item.map(lambda content: _append(items, content)))


def _append(items: Content, item: Content) -> Content:
    if isinstance(items, tuple):
        return (*items, item)
    # The array so far collapsed to something opaque: it keeps every writer and gains this item's.
    more = origins_of(item)
    assert isinstance(items, Opaque)
    return Opaque(f"{items.key}+", items.origins | more) if more else items


def only_places_the_job(job: Job, key: str) -> bool:
    """Whether a key of the matrix is used for nothing but the runner, the name and what is judged apart."""
    wanted = re.compile(rf"matrix\s*(?:\.\s*|\[\s*'){re.escape(key)}(?![\w-])", re.IGNORECASE)
    apart = ("runs-on", "name", "strategy", "continue-on-error", "timeout-minutes")
    seen = [name for name, text in naming_the_matrix(job) if wanted.search(text)]
    return bool(seen) and all(name in apart for name in seen)


# A job is asked for each key, decision and event.
@lru_cache(maxsize=256)
def naming_the_matrix(job: Job) -> tuple[tuple[str, str], ...]:
    """The texts of a job that may use its matrix, each with the key of the job it stands under."""
    texts = ((name, scalar.value) for name, node in job.node.named for scalar in scalars(node))
    return tuple([(name, text) for name, text in texts if _MATRIX.search(text)])


def _object(names: Sequence[str], items: Content) -> Content:
    if isinstance(items, tuple):
        return Object(tuple(zip(names, items, strict=True)))
    assert items is None or isinstance(items, Opaque)
    return items if items is not None else unknown("mapping")
