"""One run of PowerShell: scopes, what is written to the pipeline, and the ways out of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Opaque, Value, without_claims
from novote.model import Span
from novote.record import changed
from novote.script.holes import Filled
from novote.script.host import platform_path
from novote.script.machine import Frame, Machine, Place, Write
from novote.script.powershell.content import as_many, as_text, equals, is_array, is_many, items_of, present
from novote.script.powershell.syntax import Block, Expression, Statement
from novote.script.text import Text, derived, flat, join_values, unknown

MAX_ROUNDS: Final = 32
"""A loop over more known elements than this is followed like one over unknown ones."""


class Code(NamedTuple):
    """A script block or a function, and the script it stands in."""

    block: Block
    source: Filled
    file: str


class Round(NamedTuple):
    """A loop that control is in: what `break` leaves, and what `continue` leaves, where that is a frame."""

    loop: Frame
    one: Frame | None


class Entry(NamedTuple):
    """A round over a list that the author writes: control before the loop and in it, and the list's origins."""

    before: Cond
    live: Cond
    origins: frozenset[Origin]


class Session:
    """The state of one run that is PowerShell's own; what all languages share is in `machine`."""

    evaluate: Callable[[Expression], Value]
    perform: Callable[[Sequence[Statement]], None]
    piped: Callable[[str, Value, Block, Span], Value]
    invoke: Callable[[Code, Sequence[Value], Span], Value]

    def __init__(self, machine: Machine, source: Filled) -> None:
        self.machine = machine
        self.universe = machine.universe
        self.source = source
        self.scopes = [0]
        self.sinks: list[list[Write]] = []
        self.functions: dict[str, Code] = {}
        self.blocks: dict[str, Code] = {}
        self.documents: dict[str, tuple[str, ...]] = {}
        self.rounds: list[Round] = []
        self.returns: list[Frame] = []
        self.scripts: list[Frame] = []
        self.tries: list[Frame] = []
        self.risks: list[set[Origin]] = []
        self.blind = False
        self.entry: Entry | None = None
        self.gone = machine.universe.false
        self.depth = 0
        self._made = 0

    # -- values

    def value(self, content: Content) -> Value:
        """Content that is the same under every condition."""
        return self.machine.value(content)

    def nothing(self) -> Value:
        """What a command gives that writes nothing."""
        return self.value(())

    def texts(self, value: Value) -> Value:
        """A value within a string."""
        return value.map(lambda content: as_text(self.universe, content))

    def mixed(self, name: str, values: Sequence[Value], *, clean: bool = False) -> Value:
        """Text made of values in a way that is not followed; unless `clean`, of unknown things as well."""
        contents = [
            flat(self.universe, as_text(self.universe, item)) for v in values for _, item in v.alternatives
        ]
        also = frozenset[Origin]().union(*(value.origins() for value in values))
        if not clean:
            also |= {Origin("unknown", "unknown", name[:80])}
        return self.value(derived(self.universe, name, contents, also=also))

    def filled(self, text: str) -> Value:
        """Plain text of the script with its `${{ }}` filled in."""
        parts: list[Value] = []
        for piece in self.source.pieces(text):
            if isinstance(piece, str):
                parts.append(self.value(piece))
                continue
            reading = self.machine.host.expression(self.source.expressions[piece])
            self.machine.read(reading._replace(file=self.machine.file))
            parts.append(self.texts(reading.value))
        return join_values(self.universe, parts) if parts else self.value("")

    def unknown(self, key: str) -> Value:
        """Text that nothing explains."""
        return self.value(unknown(key[:120]))

    # -- variables

    def _named(self, scope: str, name: str) -> str:
        name = name.lower()
        if scope in ("script", "global"):
            return f"${name}"
        for number in reversed(self.scopes):
            spelled = f"${name}" if number == 0 else f"${name}@{number}"
            if spelled in self.machine.variables:
                return spelled
        return f"${name}"

    def get(self, scope: str, name: str) -> Value | None:
        """A variable; None where it was never set."""
        return self.machine.variables.get(self._named(scope, name))

    def set(self, scope: str, name: str, value: Value) -> None:
        """Sets a variable of the present scope, or of the one that is named."""
        number = 0 if scope in ("script", "global") else self.scopes[-1]
        spelled = f"${name.lower()}" if number == 0 else f"${name.lower()}@{number}"
        variables = self.machine.variables
        if spelled not in variables:
            variables[spelled] = self.get(scope, name) or self.value(None)
        self.machine.assign(spelled, value)

    def environment(self, name: str, span: Span) -> Value:
        """An environment variable; missing where nobody sets it."""
        variables, host = self.machine.variables, self.machine.host
        known = platform_path(name.upper())
        if name not in variables:
            name = next((key for key in variables if key.lower() == name.lower()), name)
        if name in variables:
            return variables[name]
        for spelled in dict.fromkeys((name, name.upper())):
            reading = host.variable(spelled)
            if reading is not None:
                self.machine.read(reading._replace(file=self.machine.file, span=span))
                return reading.value
        return self.value(known)

    def set_environment(self, name: str, value: Value) -> None:
        """Sets an environment variable."""
        variables = self.machine.variables
        spelled = next((key for key in variables if key.lower() == name.lower()), name)
        self.machine.assign(spelled, self.texts(value))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A scope of its own for variables."""
        self._made += 1
        number = self._made
        self.scopes.append(number)
        try:
            yield
        finally:
            self.scopes.pop()
            variables = self.machine.variables
            for name in [key for key in variables if key.endswith(f"@{number}")]:
                del variables[name]

    # -- documents

    def document(self, path: tuple[str, ...], span: Span | None) -> Value:
        """A part of the event's payload; it is noted as read where a place is given."""
        reading = self.machine.host.event(path)
        if span is not None:
            self.machine.read(reading._replace(file=self.machine.file, span=span))
        for _, content in reading.value.alternatives:
            if isinstance(content, Opaque):
                self.documents[content.key] = path
        return reading.value

    # -- blocks as values

    def keep(self, block: Block) -> Value:
        """A script block as a value."""
        key = f"script block {self.machine.file}:{block.span.start}"
        self.blocks[key] = Code(block, self.source, self.machine.file)
        return self.value(Opaque(key, frozenset(), None, False, "object"))

    def code_of(self, value: Value) -> Code | None:
        """The script block that a value is."""
        if value.is_single and isinstance(value.single, Opaque):
            return self.blocks.get(value.single.key)
        return None

    # -- what is written

    def emit(self, value: Value) -> None:
        """Writes to the pipeline where control is."""
        if self.machine.live.is_false or (value.is_single and value.single in ((), None)):
            return
        if self.sinks:
            self.sinks[-1].append(Write(self.machine.live, value))
        else:
            self.show(value)

    def show(self, value: Value) -> None:
        """Writes to the script's output: a line for each element."""
        self.machine.print(value.map(self.lines))

    def lines(self, content: Content) -> Content:
        """The elements of content as lines."""
        from novote.script.text import joined

        parts: list[Content] = []
        for item in items_of(content):
            parts += (as_text(self.universe, item), "\n")
        return joined(self.universe, parts)

    @contextmanager
    def captured(self) -> Iterator[list[Write]]:
        """Collects what is written to the pipeline inside."""
        sink: list[Write] = []
        self.sinks.append(sink)
        try:
            yield sink
        finally:
            self.sinks.pop()

    def gathered(self, writes: Sequence[Write], *, array: bool = False) -> Value:
        """All that was written, as one value: nothing, one thing, or an array."""
        result = self.value(())
        for guard, value in writes:
            self.machine.spend()
            both = _paired(result, value)
            result = Value.choose(guard, both, result)
        return result if array else result.map(_unwrapped)

    # -- loops

    def each(
        self, items: Value, span: Span, names: Sequence[tuple[str, str]], body: Callable[[], None]
    ) -> None:
        """Does something for each element of a value, which variables of a scope and name hold meanwhile."""
        before = self.machine.live
        kept = [(scope, name, self.get(scope, name)) for scope, name in names]

        def once(item: Value) -> None:
            self.hold(names, item)
            body()

        self._each(items, span, once)
        for scope, name, old in kept:
            new = self.get(scope, name) or self.value(None)
            self.hold([(scope, name)], Value.choose(before, new, old or self.value(None)))

    def hold(self, names: Sequence[tuple[str, str]], value: Value) -> None:
        """Sets variables whatever the condition: where control is not, nobody looks at them."""
        for scope, name in names:
            number = 0 if scope in ("script", "global") else self.scopes[-1]
            spelled = f"${name.lower()}" if number == 0 else f"${name.lower()}@{number}"
            self.machine.variables[spelled] = value

    def _each(self, items: Value, span: Span, body: Callable[[Value], None]) -> None:
        known: list[list[tuple[Cond, Content]]] = []
        many: list[tuple[Cond, Content]] = []
        for guard, content in items.alternatives:
            elements = items_of(content)
            if isinstance(content, Opaque) or len(elements) > MAX_ROUNDS:
                many.append((guard, content))
                continue
            for at, element in enumerate(elements):
                if at == len(known):
                    known.append([])
                known[at].append((guard, element))
        with self.machine.frame() as loop:
            for choices in known:
                self._one(loop, choices, span, body)
            for guard, content in many:
                self._unknown_rounds(guard, content, span, body)

    def _one(
        self, loop: Frame, choices: list[tuple[Cond, Content]], span: Span, body: Callable[[Value], None]
    ) -> None:
        entered = self.universe.any_of(guard for guard, _ in choices)
        rest = [] if entered.is_true else [(~entered, None)]
        item = Value.build(self.universe, [*choices, *rest])

        def once() -> None:
            with self.machine.frame() as one:
                self.rounds.append(Round(loop, one))
                try:
                    body(item)
                finally:
                    self.rounds.pop()

        self.machine.branch(entered, self.machine.place(span), once)

    def _unknown_rounds(
        self, guard: Cond, content: Content, span: Span, body: Callable[[Value], None]
    ) -> None:
        universe = self.universe
        element = self.element(content)
        entered = guard & (present(universe, content) if isinstance(content, Opaque) else universe.true)
        before, kept = self.machine.live, self.entry

        def round_of_one() -> None:
            self.entry = Entry(before, self.machine.live, origins) if origins else None
            body(element)

        origins = content.origins if isinstance(content, Opaque) and content.has_claim else frozenset()
        gone, self.gone = self.gone, universe.false
        try:
            self.repeat(entered, span, self.value(content), round_of_one)
        finally:
            self.entry = kept
        self.machine.live = self.machine.live & ~self.gone
        self.gone = gone | self.gone

    def decide(
        self, cond: Cond, place: Place, then: Callable[[], None], other: Callable[[], None]
    ) -> None:
        """Goes both ways of a condition.

        That an unknown list has an element with some text says already that the list is not empty: what is
        done for that element hangs on this one question.
        """
        machine, entry = self.machine, self.entry
        cond = machine.simplified(cond)
        if entry is None or machine.live is not entry.live or not _asks_only(cond, entry.origins):
            machine.branch(cond, place, then, other)
            return
        widened = entry.before & cond

        def first() -> None:
            loop = self.rounds[-1].loop
            out = loop.left, loop.again
            machine.live = widened
            then()
            if machine.live.is_false and out == (loop.left, loop.again):
                self.gone = self.gone | widened

        machine.branch(cond, place, first, other)

    def element(self, content: Content) -> Value:
        """An element of a list that is not followed one by one."""
        if isinstance(content, Opaque):
            path = self.documents.get(content.key)
            if path is not None and path[-1] != "*":
                return self.document((*path, "*"), None) if _is_list(path) else self.value(content)
            return self.value(as_many(content))
        made = derived(self.universe, "element", [flat(self.universe, as_text(self.universe, content))])
        return self.value(changed(made, shape="list"))

    def repeat(self, entered: Cond, span: Span, bound: Value | None, body: Callable[[], None]) -> None:
        """A loop of which nobody knows the number of rounds."""
        rounds = 0

        def once() -> None:
            nonlocal rounds
            rounds += 1
            kept = [len(sink) for sink in self.sinks]
            self.rounds.append(Round(self.machine.loop_frames[-1], None))
            try:
                body()
            finally:
                self.rounds.pop()
                if rounds > 1:
                    # The second round is a rehearsal.
                    for sink, size in zip(self.sinks, kept, strict=True):
                        del sink[size:]

        self.machine.loop(entered, self.machine.place(span), bound, once)

    # -- ways out

    def set_status(self, value: Value) -> None:
        """What the last program or script ended with."""
        self.set("global", "lastexitcode", value)

    def succeeded(self) -> Cond:
        """Where the last program or script succeeded."""
        status = self.get("global", "lastexitcode")
        if status is None:
            return self.universe.true
        return status.test(lambda content: equals(self.universe, 0.0 if content is None else content, 0.0))

    def risk(self, *values: Value) -> None:
        """Notes that what is done with values may fail, for a `try` around it."""
        if self.risks:
            for value in values:
                self.risks[-1].update(value.origins())

    def throw(self) -> None:
        """Something goes wrong where control is."""
        machine = self.machine
        if self.tries:
            machine.leave(self.tries[-1])
        else:
            machine.leave(self.scripts[0], failed=self.universe.true)


_LISTS: Final = frozenset(
    {"labels", "assignees", "commits", "requested_reviewers", "requested_teams", "pull_requests", "pages"}
)


def _asks_only(cond: Cond, origins: frozenset[Origin]) -> bool:
    """Whether a condition is about a list alone, and does not hold where the list is empty."""
    if cond.is_constant or not all(atom.is_claim and atom.origins <= origins for atom in cond.support()):
        return False
    return without_claims(cond).is_false


def _is_list(path: tuple[str, ...]) -> bool:
    return path[-1] in _LISTS


def is_list_path(path: tuple[str, ...]) -> bool:
    """Whether a part of the event's payload is a list."""
    return path[-1] in _LISTS


def _unwrapped(content: Content) -> Content:
    if is_array(content) and len(content) <= 1:
        return content[0] if content else None
    return content


def _paired(result: Value, value: Value) -> Value:
    """What was written so far and what is written then, for every way they meet."""
    from novote.expr.combine import combine

    def longer(_universe: object, parts: Sequence[Content]) -> Content:
        so_far = parts[0]
        if not is_array(so_far):
            return (so_far, *items_of(parts[1]))
        return (*so_far, *items_of(parts[1]))

    return combine((result, value), result.universe, longer)


def is_text(content: Content) -> bool:
    """Whether content is text, known or not."""
    return isinstance(content, str | Text) or (isinstance(content, Opaque) and not is_many(content))
