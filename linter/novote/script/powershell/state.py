"""The state of one run of PowerShell: scopes, documents, and what is written to the pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import combine
from novote.model import Span
from novote.script.holes import Filled, filled
from novote.script.host import platform_path
from novote.script.machine import MAX_CALLS, Frame, Machine, Write
from novote.script.powershell.content import as_text, is_array, items_of
from novote.script.powershell.statements import parsed
from novote.script.powershell.syntax import Block, Expression, Statement
from novote.script.text import derived, flat, join_values, joined, unknown


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
    """A round over a list that the author writes: control before the loop and in it, and who writes it."""

    before: Cond
    live: Cond
    origins: frozenset[Origin]


class State:
    """The state of one run that is PowerShell's own; what all languages share is in `machine`."""

    evaluate: Callable[[Expression], Value]
    perform: Callable[[Sequence[Statement]], None]
    piped: Callable[[str, Value, Block, Span], Value]
    start: Callable[[Sequence[Value], Span], Value]
    invoke: Callable[[Code, Sequence[Value]], Value]

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
        self.active: list[int] = []
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
            spelled = _spelled(name, number)
            if spelled in self.machine.variables:
                return spelled
        return f"${name}"

    def own_name(self, scope: str, name: str) -> str:
        """How a variable of the present scope, or of the one that is named, is kept."""
        number = 0 if scope in ("script", "global") else self.scopes[-1]
        return _spelled(name.lower(), number)

    def get(self, scope: str, name: str) -> Value | None:
        """A variable; None where it was never set."""
        return self.machine.variables.get(self._named(scope, name))

    def set(self, scope: str, name: str, value: Value) -> None:
        """Sets a variable of the present scope, or of the one that is named."""
        spelled = self.own_name(scope, name)
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

    def perform_text(self, text: str) -> Value:
        """Carries out a script that stands in a string."""
        machine, kept = self.machine, self.source
        if machine.calls >= MAX_CALLS:
            return self.unknown("script in a string")
        machine.calls += 1
        self.source = filled(text)
        try:
            with self.captured() as sink:
                self.perform(parsed(self.source.text).body)
        finally:
            machine.calls -= 1
            self.source = kept
        return self.gathered(sink)

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


def _spelled(name: str, scope: int) -> str:
    return f"${name}@{scope}" if scope else f"${name}"


def _unwrapped(content: Content) -> Content:
    if is_array(content) and len(content) <= 1:
        return content[0] if content else None
    return content


def _paired(result: Value, value: Value) -> Value:
    """What was written so far and what is written then, for every way they meet."""

    def longer(_universe: object, parts: Sequence[Content]) -> Content:
        so_far = parts[0]
        if not is_array(so_far):
            return (so_far, *items_of(parts[1]))
        return (*so_far, *items_of(parts[1]))

    return combine((result, value), result.universe, longer)
