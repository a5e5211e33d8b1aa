"""One run of a Python script: names, things, failures; what all parts of the front share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from novote.algebra.cond import Cond, Origin, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import bounded
from novote.model import Span
from novote.record import changed
from novote.script.host import Reading
from novote.script.machine import Frame, Machine, Place
from novote.script.python.things import Arguments, Document, Group, Item, Scope, State
from novote.script.text import derived

if TYPE_CHECKING:
    from novote.script.parse import Node

NODES_A_STEP: Final = 50
"""So much work on conditions counts as one step of the script."""

MAX_GROUPS: Final = 4_000
"""So many lists, mappings and objects are made in one run."""


class Tables(NamedTuple):
    """How each kind of node is read, and how each kind of thing is called."""

    expressions: Mapping[str, Callable[[Run, Node], Value]]
    tests: Mapping[str, Callable[[Run, Node], Cond]]
    statements: Mapping[str, Callable[[Run, Node], None]]
    call: Callable[[Run, Value, Arguments], Value]


class Loop(NamedTuple):
    """A loop that control is in: the whole, and its present round."""

    whole: Frame
    round: Frame


class Run:
    """The state of a run besides the machine's: scopes, handlers of failures, loops, modules."""

    def __init__(
        self, machine: Machine, tables: Tables, main: Node, arguments: Sequence[Value], given: Value | None
    ) -> None:
        self.main = main
        self.given = given
        self.main_file = machine.file
        self.machine = machine
        self.universe: Universe = machine.universe
        self.tables = tables
        self.arguments = tuple(arguments)
        self.modules: dict[str, Scope] = {}
        self.functions: list[Frame] = []
        self.yields: list[Value | None] = []
        self.loops: list[Loop] = []
        self.tries: list[Cond] = []
        self.active: list[int] = []
        self.folders: list[str] = []
        self.unrolled = 1
        self.at = Span(0, 0)
        self._count = 0
        self._paid = machine.universe.size
        self.nothing = machine.value(None)
        self.scope = self.new_scope(None, None, machine.file)

    # -- values

    def value(self, content: Content) -> Value:
        """Content that is the same under every condition."""
        return Value.of(self.universe, content)

    def number(self) -> int:
        """A number for a new thing or scope; raises TooMuch when there are too many."""
        self._count += 1
        for _ in range(1 + (self._count > MAX_GROUPS)):
            self.machine.spend()
        return self._count

    def group(self, kind: str, items: Iterable[Item]) -> Value:
        """A new list, tuple, set or mapping."""
        made = Group(self.machine, self.number(), kind)
        self.machine.variables[made.name] = self.value(State(list(items)))
        return self.value(made)

    def listed(self, values: Iterable[Value], kind: str = "list") -> Value:
        """A new list of values."""
        return self.group(kind, [Item(self.universe.true, value) for value in values])

    def mapping(self, pairs: Mapping[str, Value]) -> Value:
        """A new mapping with known keys."""
        return self.group("dict", [Item(self.universe.true, v, None, k) for k, v in pairs.items()])

    def mystery(self, name: str, values: Sequence[Value] = ()) -> Value:
        """What something unknown makes of values: everything that went in, and nobody knows what else."""
        origin = Origin("unknown", "unknown", name)
        return self.mixed(name, values, also=frozenset({origin}))

    def mixed(
        self,
        name: str,
        values: Sequence[Value],
        absent: Content | None = None,
        *,
        also: frozenset[Origin] = frozenset(),
    ) -> Value:
        """Content made of values in a way that is not followed, with all their origins.

        `absent` is what it is without claims, None where that is not known.
        """
        from novote.script.python.solid import plain

        contents = [plain(self, content) for value in values for _, content in value.alternatives][:64]
        origins = also.union(*(value.origins() for value in values))
        made = derived(
            self.universe, name, contents, None if absent is None else lambda _: absent, also=origins
        )
        return self.value(changed(made, shape="any"))

    def observed(self, name: str) -> Value:
        """What the platform or the clock says."""
        return self.value(Opaque(name, frozenset({Origin("observed", "", name)})))

    # -- truth

    def truth(self, value: Value) -> Cond:
        """Where a value counts as true."""
        from novote.script.python.solid import truth_of

        return truth_of(self, value)

    def test(self, node: Node) -> Cond:
        """Where an expression counts as true."""
        found = self.tables.tests.get(node.kind)
        if found is None:
            return self.truth(self.evaluate(node))
        self.machine.spend()
        return found(self, node)

    # -- reading

    def evaluate(self, node: Node) -> Value:
        """The value of an expression where control is."""
        self.pay()
        found = self.tables.expressions.get(node.kind)
        if found is None:
            parts = [self.evaluate(part) for part in node.named[:16]]
            return self.mystery(node.kind, parts)
        return found(self, node)

    def execute(self, node: Node) -> None:
        """Follows a statement."""
        self.pay()
        if self.machine.live.is_false:
            return
        # A long condition of the present place makes every further one longer.
        self.machine.live = bounded(self.machine.live)
        self.at = node.span
        found = self.tables.statements.get(node.kind)
        if found is not None:
            found(self, node)
        else:
            self.evaluate(node)

    def pay(self) -> None:
        """Counts one step, and more where conditions have grown; raises TooMuch."""
        self.machine.spend()
        for _ in range((self.universe.size - self._paid) // NODES_A_STEP):
            self._paid += NODES_A_STEP
            self.machine.spend()

    def call(self, callee: Value, arguments: Arguments) -> Value:
        """Calls something."""
        return self.tables.call(self, callee, arguments)

    def call_with(self, callee: Value, values: Sequence[Value], node: Node) -> Value:
        """Calls something with values in their order."""
        place = self.place(node)
        return self.call(callee, Arguments(tuple(values), {}, (place,) * len(values), node))

    def place(self, node: Node) -> Place:
        """Where a node stands."""
        return self.machine.place(node.span)

    def read(self, reading: Reading, node: Node) -> Value:
        """Notes that something outside is read, and gives its value."""
        self.machine.read(reading._replace(file=self.machine.file, span=node.span))
        return reading.value

    def read_here(self, reading: Reading) -> Value:
        """Notes that the statement that is followed reads something outside, and gives its value."""
        self.machine.read(reading._replace(file=self.machine.file, span=self.at))
        return reading.value

    def document(self, path: tuple[str, ...]) -> Value:
        """A part of the event's payload, read by the statement that is followed."""
        value = self.read_here(self.machine.host.event(path))
        return value.map(lambda content: _part(path, content))

    # -- names

    def new_scope(self, around: Scope | None, module: Scope | None = None, file: str = "") -> Scope:
        """A scope without names."""
        return Scope(self.number(), around, module, {}, file)

    @contextmanager
    def within(self, scope: Scope) -> Iterator[None]:
        """Looks names up in another scope inside."""
        kept, file = self.scope, self.machine.file
        self.scope, self.machine.file = scope, scope.file
        try:
            yield
        finally:
            self.scope, self.machine.file = kept, file

    def assign(self, name: str, value: Value) -> None:
        """Sets a name where control is."""
        scope = self.scope.elsewhere.get(name, self.scope)
        self.set(scope.key(name), value)

    def set(self, key: str, value: Value) -> None:
        """Sets a variable of the machine where control is; what was not set before counts as set."""
        if key in self.machine.variables:
            self.machine.assign(key, value)
        elif not self.machine.live.is_false:
            self.machine.variables[key] = value

    def export(self, name: str, value: Value) -> None:
        """Sets an environment variable where control is; elsewhere it stays as the script found it."""
        if name not in self.machine.variables and not self.machine.live.is_constant:
            reading = self.machine.host.variable(name)
            if reading is not None:
                self.read_here(reading)
        self.machine.assign(name, value)

    def lookup(self, name: str) -> Value | None:
        """What a name stands for; None where nothing was ever assigned to it."""
        scope: Scope | None = self.scope.elsewhere.get(name, self.scope)
        while scope is not None:
            found = self.machine.variables.get(scope.key(name))
            if found is not None:
                return found
            scope = scope.around
        return None

    # -- control

    def fail_where(self, cond: Cond, node: Node) -> None:
        """Raises an exception where a condition holds."""
        live = self.machine.live
        if not (live & cond).is_false:
            self.machine.branch(cond, self.place(node), self.fail)

    def fail(self) -> None:
        """Raises an exception where control is."""
        live = self.machine.live
        if self.tries:
            self.tries[-1] = self.tries[-1] | live
            self.machine.live = self.universe.false
            return
        self.exit(self.universe.true)

    def exit(self, failed: Cond) -> None:
        """Ends the script where control is."""
        self.machine.failed = self.machine.failed | (self.machine.live & failed)
        self.machine.end()

    def under(self, cond: Cond, node: Node, run: Callable[[], Value], other: Value) -> Value:
        """What is evaluated where a condition holds, and another value elsewhere."""
        cond = self.machine.simplified(cond)
        if cond.is_true:
            return run()
        if cond.is_false or (self.machine.live & cond).is_false:
            return other
        found: list[Value] = []
        self.machine.branch(cond, self.place(node), lambda: found.append(run()))
        return Value.choose(cond, found[0], other) if found else other


def _part(path: tuple[str, ...], content: Content) -> Content:
    """Content of the payload as a document; what is read through `*` is an item of a list."""
    if not isinstance(content, Opaque):
        return content
    if "*" in path and content.shape == "list":
        content = changed(content, shape="any", absent="" if content.absent == () else content.absent)
    return Document(path, content)
