"""The state of one JavaScript run: names, the heap, frames that control may leave, and their joins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Atom, Cond
from novote.algebra.value import Content, Object, Opaque, Value, origins_of
from novote.expr.combine import kept_small
from novote.script.host import Reading
from novote.script.javascript import cells
from novote.script.javascript.values import (
    UNDEFINED,
    Arguments,
    Array,
    Cell,
    Entry,
    Record,
    Reference,
    Scope,
    Thing,
    flattened,
    is_number,
    sequence,
)
from novote.script.machine import Frame, Machine, Place
from novote.script.parse import Node, Tree
from novote.script.text import Text, derived
from novote.script.text import unknown as unknown_text

MAX_DEPTH: Final = 320
"""Expressions and statements of all functions that are being read are nested no deeper than this."""


class Run:
    """One script and the modules it loads."""

    evaluate: Callable[[Node], Value]
    execute: Callable[[Node], None]
    call: Callable[[Value, Arguments], Value]
    define: Callable[[str], Value | None]
    whole: Frame

    def __init__(self, machine: Machine, tree: Tree) -> None:
        self.machine = machine
        self.universe = machine.universe
        self.tree = tree
        self.heap: dict[int, Cell] = {}
        self.scope = Scope()
        self.functions: list[Frame] = []
        self.active: list[Node] = []
        self.targets: list[tuple[frozenset[str], Frame, Frame | None]] = []
        self.attempts: list[tuple[Frame, list[tuple[Cond, Value]]]] = []
        self.modules: dict[str, Value] = {}
        self.nullable: set[str] = set()
        self.naturals: dict[str, Cond] = {}
        self.lists: dict[Atom, str] = {}
        self.this: Value | None = None
        self.groups: dict[Content, tuple[Value, Value, Value]] = {}
        self.doubted: list[Frame] = []
        self.labels: list[str] = []
        self.files: dict[int, str] = {id(tree): machine.file}
        self.globals: dict[str, Value] = {}
        self.module: Value | None = None
        self.depth = 0
        self._count = 0
        self._settled: tuple[int, dict[int, Cond]] = (0, {})

    # -- small change

    def value(self, content: Content) -> Value:
        """Content that is the same under every condition."""
        return Value.of(self.universe, content)

    @property
    def undefined(self) -> Value:
        """`undefined`."""
        return self.value(UNDEFINED)

    def place(self, node: Node) -> Place:
        """Where a node stands."""
        return self.machine.fixed or Place(self.file_of(node), node.span)

    def file_of(self, node: Node) -> str:
        """The file that a node stands in."""
        return self.files.get(id(node.tree), self.machine.file)

    def number(self) -> int:
        """A number nobody has."""
        self._count += 1
        return self._count

    def read(self, reading: Reading | None, node: Node) -> Value | None:
        """Notes a reading with its place and gives what was read."""
        if reading is None:
            return None
        self.machine.read(reading._replace(file=self.file_of(node), span=node.span))
        return reading.value

    # -- names

    def declare(self, name: str, value: Value, scope: Scope | None = None) -> None:
        """Makes a name of the present scope; where control is not, it is undefined."""
        names = (scope or self.scope).names
        variable = names.get(name)
        if variable is None:
            variable = names[name] = f"{name}#{self.number()}"
            self.machine.variables[variable] = self.undefined
        self.machine.assign(variable, value)

    def introduce(self, name: str, value: Value) -> None:
        """Makes a name of the present scope that nobody has seen before: `let`, `const`, a parameter."""
        variable = self.scope.names[name] = f"{name}#{self.number()}"
        self.machine.variables[variable] = value

    def lookup(self, name: str) -> Value | None:
        """The value of a name; None where the script does not declare it."""
        variable = self.scope.find(name)
        return None if variable is None else self.machine.variables[variable]

    def assign(self, name: str, value: Value) -> None:
        """Sets a name where control is, a global one where it was never declared."""
        variable = self.scope.find(name)
        if variable is None:
            scope = self.scope
            while scope.parent is not None:
                scope = scope.parent
            self.declare(name, value, scope)
        else:
            self.machine.assign(variable, value)

    def export(self, name: str, value: Value, node: Node) -> None:
        """Sets an environment variable where control is; elsewhere it stays as the script found it."""
        if name not in self.machine.variables and not self.machine.live.is_constant:
            self.read(self.machine.host.variable(name), node)
        self.machine.assign(name, value)

    # -- the heap

    def new(self, cell: Cell) -> Value:
        """A new array or object."""
        number = self.number()
        self.heap[number] = cells.kept_short(self, cell)
        return self.value(Reference(number, self.heap))

    def array(self, values: Sequence[Value]) -> Value:
        """A new array of values."""
        return self.new(Array(sequence(values, self.universe.true)))

    def record(self, values: dict[str, Value]) -> Value:
        """A new object of values."""
        true = self.universe.true
        return self.new(Record({name: Entry(true, value) for name, value in values.items()}))

    def store(self, reference: Reference, cell: Cell) -> None:
        """Changes an array or object where control is."""
        live = self.machine.live
        if live.is_true:
            self.heap[reference.number] = cells.kept_short(self, cell)
        elif not live.is_false:
            old = self.heap[reference.number]
            self.heap[reference.number] = cells.kept_short(self, cells.chosen(self, live, cell, old))

    # -- unknown things

    def blurred(self, name: str, values: Sequence[Value], *, unknown: bool = False) -> Value:
        """One unknown content made of values, with every origin; a number where all are numbers."""
        contents: list[Content] = [self.blurred_content(value) for value in values]
        if unknown:
            contents.append(unknown_text(name))
        made = derived(self.universe, name, contents)
        if not unknown and values and all(is_number(c) for v in values for _, c in v.alternatives):
            return self.value(Opaque(made.key, made.origins, made.absent, made.absent_known, "number"))
        return self.value(Opaque(made.key, made.origins, made.absent, made.absent_known))

    def blurred_content(self, value: Value) -> Content:
        """A value as one piece of text with all its origins."""
        content = value.collapsed().single
        if isinstance(content, str | Opaque | Text):
            return content
        origins = origins_of(content)
        if not origins:
            return repr(content) if not isinstance(content, Object) else "{}"
        claims = any(origin.cls == "claim" for origin in origins)
        key = self.universe.short_key(f"held {content!r} {sorted(origins)}")
        return Opaque(key, origins, "" if claims else None, claims, "string")

    def natural(self, key: str, made_of: Sequence[Content], zero: Cond, absent: Content = 0.0) -> Opaque:
        """A number of zero or more that nobody knows; `zero` says where it is zero."""
        origins = frozenset[object]().union(*(origins_of(item) for item in flattened(made_of)))
        claims = any(origin.cls == "claim" for origin in origins)  # type: ignore[attr-defined]
        self.naturals[key] = zero
        return Opaque(key, origins, absent if claims else None, claims, "number")  # type: ignore[arg-type]

    # -- both ways

    def within(self, value: Value, cond: Cond) -> Value:
        """A value that is asked for only where a condition holds: what cannot be there is left out."""
        if value.is_single or cond.is_true:
            return value
        certain = {atom: True for atom in cond.support() if atom in self.lists and self._follows(cond, atom)}
        kept = [
            (guard.restrict(certain) if certain else guard, content)
            for guard, content in value.alternatives
            if not self.settled(guard & cond).is_false
        ]  # fmt: skip
        if not kept or (len(kept) == len(value.alternatives) and not certain):
            return self.tidied(value)
        return self.tidied(self._covering(kept))

    def alike(self, one: Value, other: Value) -> bool:
        """Whether two values are the same under every condition that can be."""
        if one is other:
            return True
        guards = {(type(content), content): guard for guard, content in self.tidied(one).alternatives}
        others = {(type(content), content): guard for guard, content in self.tidied(other).alternatives}
        return guards.keys() == others.keys() and all(guard is others[key] for key, guard in guards.items())

    def tidied(self, value: Value) -> Value:
        """A value whose guards do not ask whether a list has items where one about an item implies it."""
        if value.is_single or not self.lists:
            return value
        if not any(atom in self.lists for guard, _ in value.alternatives for atom in guard.support()):
            return value
        return self._covering([(self.settled(guard), content) for guard, content in value.alternatives])

    def _follows(self, cond: Cond, atom: Atom) -> bool:
        return cond.restrict({atom: False}).is_false

    def _covering(self, pairs: Sequence[tuple[Cond, Content]]) -> Value:
        """Alternatives made disjoint in their order, the last one for all that is left."""
        rest = self.universe.true
        found: list[tuple[Cond, Content]] = []
        for guard, content in pairs[:-1]:
            found.append((rest & guard, content))
            rest = rest & ~guard
        return Value.build(self.universe, [*found, (rest, pairs[-1][1])])

    def each(self, value: Value, action: Callable[[Content], Value]) -> Value:
        """Does something with each alternative, where it is the one."""
        if value.is_single:
            return action(value.single)
        machine = self.machine
        before, after = machine.live, self.universe.false
        pairs: list[tuple[Cond, Content]] = []
        for guard, content in value.alternatives:
            machine.live = kept_small(before & guard)
            if machine.live.is_false:
                pairs.append((guard, UNDEFINED))
                continue
            result = action(content)
            after = after | machine.live
            pairs += [(guard & inner, item) for inner, item in result.alternatives]
        machine.live = kept_small(after)
        return Value.build(self.universe, pairs)

    def do_under(self, cond: Cond, action: Callable[[], None]) -> None:
        """Does something under a condition."""

        def done() -> Value:
            action()
            return self.undefined

        self.under(cond, done)

    def under(self, cond: Cond, action: Callable[[], Value]) -> Value:
        """What something is under a condition; undefined elsewhere."""
        machine = self.machine
        before = machine.live
        machine.live = kept_small(before & cond)
        if machine.live.is_false:
            machine.live = before
            return self.undefined
        result = action()
        machine.live = kept_small(machine.live | (before & ~cond))
        return result

    def branch(
        self, cond: Cond, node: Node, then: Callable[[], None], other: Callable[[], None] | None = None
    ) -> None:
        """Goes both ways of a condition."""
        self.machine.branch(
            self.settled(cond), self.place(node), self._settling(then), other and self._settling(other)
        )
        self.machine.live = self.settled(self.machine.live)

    def _settling(self, action: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            self.machine.live = self.settled(self.machine.live)
            action()

        return run

    def settled(self, cond: Cond) -> Cond:
        """A condition without the question whether a list has items, where one about an item implies it."""
        if cond.is_constant or not self.lists:
            return cond
        if self._settled[0] != len(self.lists):
            self._settled = (len(self.lists), {})
        found = self._settled[1].get(id(cond))
        if found is None:
            # Conditions are unique and live as long as the universe.
            found = self._settled[1][id(cond)] = self._settle(cond)
        return found

    def _settle(self, cond: Cond) -> Cond:
        support = cond.support()
        for atom in support:
            prefix = self.lists.get(atom)
            if prefix is None:
                continue
            items = {
                other: False
                for other in support
                if other is not atom and other.absent is not None and other.absent.is_false
                and (f"{prefix}*" in other.key or any(o.text.startswith(prefix) for o in other.origins))
            }  # fmt: skip
            with_items = cond.restrict({atom: True})
            if with_items.restrict(items) is cond.restrict({atom: False, **items}):
                cond = with_items
        return cond

    # -- loops

    def loop(self, entered: Cond, node: Node, bound: Value | None, body: Callable[[], None]) -> None:
        """Rounds nobody can count: one shows what a round does, another what rounds do to one another."""
        machine = self.machine
        before = machine.live
        variables, heap = dict(machine.variables), dict(self.heap)

        def rounds() -> None:
            body()
            if machine.live.is_false or not self._carries_on(variables, heap):
                return
            first, first_heap = dict(machine.variables), dict(self.heap)
            with machine.rehearsed():
                body()
                self._widen(variables, first)
                self._widen_heap(heap, first_heap)

        if bound is not None:
            machine.loops.append((bound, self.place(node)))
        try:
            self.branch(entered, node, rounds)
        finally:
            if bound is not None:
                machine.loops.pop()
        machine.live = kept_small(machine.live & before)

    def _carries_on(self, variables: dict[str, Value], heap: dict[int, Cell]) -> bool:
        """Whether a round left anything behind that another round may see."""
        now = self.machine.variables
        return any(self.heap[number] is not cell for number, cell in heap.items()) or any(
            now[name] is not value and not self.alike(now[name], value) for name, value in variables.items()
        )

    def _widen(self, start: dict[str, Value], first: dict[str, Value]) -> None:
        variables = self.machine.variables
        for name, value in variables.items():
            once = first.get(name)
            if once is None or name not in start or self.alike(once, value):
                continue
            variables[name] = self.widened(start[name], value)

    def widened(self, start: Value, value: Value) -> Value:
        """What a value becomes that each round changes again."""
        contents = [content for _, content in (*start.alternatives, *value.alternatives)]
        if any(isinstance(content, Thing) and content is not UNDEFINED for content in contents):
            key = self.universe.short_key(f"round {contents!r}")
            chosen = self.universe.atom(key, origins=frozenset())
            return Value.choose(chosen, value, start)
        return self.blurred("loop", (start, value))

    def _widen_heap(self, start: dict[int, Cell], first: dict[int, Cell]) -> None:
        for number, cell in list(self.heap.items()):
            once = first.get(number)
            if once is None or once == cell or number not in start:
                continue
            self.heap[number] = cells.widened(self, start[number], once, cell)
