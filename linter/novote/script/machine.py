"""The state of a script that is read over guarded values: what all languages share.

There is one pass and no copy of the state. `live` is the condition under which control is at the present
point; an assignment is a choice between the new and the old value under it, and `exit` makes it false. After
a branch the two ends of `live` are joined again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.expr.combine import bounded
from novote.model import Span
from novote.script.bounds import Bounded, StepsLeft
from novote.script.deeds import Deed as Deed
from novote.script.deeds import Frame as Frame
from novote.script.deeds import Mark as Mark
from novote.script.deeds import Place as Place
from novote.script.deeds import TooMuch as TooMuch
from novote.script.deeds import Write as Write
from novote.script.host import Host, Reading
from novote.script.text import derived, join_values

if TYPE_CHECKING:
    from novote.script.documents import Document

MAX_CALLS: Final = 12
"""Functions and scripts are followed this deep."""

FREE_OBSERVATIONS: Final = 2
"""A condition of more atoms than this, none of them a claim, becomes one atom."""


RECIPE: Final = re.compile(r"\$\{\{ recipe\.(\w+) \}\}")
"""How a variable stands in the recipe of a makefile: it is filled in before a shell sees it."""


class Machine(Bounded):
    """One run of one script and all it starts."""

    def __init__(self, host: Host, together: StepsLeft | None = None) -> None:
        universe = host.universe
        super().__init__(universe, together)
        self.host = host
        self.live = universe.true
        self._failed = universe.false
        self.failures: list[tuple[Cond, tuple[Mark, ...]]] = []
        self.variables: dict[str, Value] = {}
        self.files: dict[str, list[Write]] = {}
        self.sinks: list[list[Write]] = []
        self.stack: list[Mark] = []
        self.endings: list[Mark] = []
        self.tested: list[Mark] = []
        self.loops: list[tuple[Value, Place]] = []
        self.loop_frames: tuple[Frame, ...] = ()
        self.deeds: list[Deed] = []
        self.documents: dict[str, Document] = {}
        self.truths: dict[str, Cond] = {}
        self.source = ""
        self.outputs: dict[str, Value] = {}
        self.exported: dict[str, Value] = {}
        self.readings: dict[tuple[object, ...], Reading] = {}
        self.file = ""
        # Where everything is said to stand while text is followed that stands nowhere itself.
        self.fixed: Place | None = None
        self.given: Value | None = None
        self.dry = 0
        self.gave_up = False
        self.calls = 0
        self._single: dict[int, Cond] = {}

    # -- small change

    def value(self, content: Content) -> Value:
        """Content that is the same under every condition."""
        return Value.of(self.universe, content)

    def place(self, span: Span) -> Place:
        """A place of the script that is being read."""
        return self.fixed or Place(self.file, span)

    def read(self, reading: Reading) -> None:
        """Notes that something outside was read."""
        self.readings.setdefault((reading.path, reading.file, reading.span), reading)

    def expression(self, text: str, span: Span) -> Value:
        """What is filled in for a `${{ }}`, or for a variable of a recipe."""
        name = RECIPE.fullmatch(text)
        if name is not None:
            return self.variables.get(name[1]) or self.outside(name[1])
        reading = self.host.expression(text)
        self.read(reading._replace(file=self.file, span=span))
        return reading.value

    @property
    def failed(self) -> Cond:
        """Where the script fails."""
        return self._failed

    @failed.setter
    def failed(self, cond: Cond) -> None:
        more = cond & ~self._failed
        if not more.is_false and not self.dry:
            self.failures.append((more, tuple(self.stack)))
        self._failed = cond

    # -- variables

    def assign(self, name: str, value: Value) -> None:
        """Sets a variable where control is."""
        if self.live.is_true:
            self.variables[name] = value
        elif not self.live.is_false:
            old = self.variables.get(name)
            if old is None:
                old = self.outside(name)
            self.variables[name] = Value.choose(self.live, value, old)

    def outside(self, name: str) -> Value:
        """A variable as the script found it; the empty text where it was not set."""
        found = self.host.variable(name)
        return self.value("") if found is None else found.value

    # -- control

    def simplified(self, cond: Cond) -> Cond:
        """A condition with one atom for what claims have no say in: many observations count as one."""
        if cond.is_constant or cond.support_mask.bit_count() <= FREE_OBSERVATIONS:
            return cond
        if cond.hangs_on_claims:
            return bounded(cond)
        found = self._single.get(id(cond))
        if found is None:
            origins = frozenset[object]().union(*(atom.origins for atom in cond.support()))
            key = self.universe.short_key(f"observed {cond.digest()}")
            found = self.universe.atom(key, origins=origins, test="condition")  # type: ignore[arg-type]
            self._single[id(cond)], self._single[id(~cond)] = found, ~found
        return found

    def branch(
        self,
        cond: Cond,
        place: Place,
        then: Callable[[], None],
        other: Callable[[], None] | None = None,
        *,
        bounds: bool = False,
    ) -> None:
        """Goes both ways of a condition, each where it can be, and joins them; `bounds` marks a loop's."""
        cond = self.simplified(cond)
        before = self.live
        self.note(Mark(place, cond, bounds))
        self.live = bounded(before & cond)
        self._side(Mark(place, cond, bounds), then)
        after = self.live
        self.live = bounded(before & ~cond)
        if other is not None:
            self._side(Mark(place, ~cond), other)
        self.live = bounded(self.live | after)

    def note(self, mark: Mark) -> None:
        """Remembers that a condition was tested, where it decides anything."""
        if not mark.cond.is_constant and not self.dry:
            self.tested.append(mark)

    def _side(self, mark: Mark, run: Callable[[], None]) -> None:
        if self.live.is_false:
            return
        if mark.cond.is_constant:
            run()
            return
        self.stack.append(mark)
        try:
            run()
        finally:
            self.stack.pop()

    def leave(self, frame: Frame, *, failed: Cond | None = None, value: Value | None = None) -> None:
        """Leaves a frame from where control is: `exit`, `return`, `break`."""
        if self.live.is_false:
            return
        if value is not None:
            frame.result = Value.choose(self.live, value, frame.result)
        if failed is not None:
            frame.failed = bounded(frame.failed | (self.live & failed))
        frame.left = bounded(frame.left | self.live)
        self.end()

    def next_round(self, frame: Frame) -> None:
        """Goes on with the next round of a loop: `continue`."""
        frame.again = bounded(frame.again | self.live)
        self.end()

    def end(self) -> None:
        """Nothing more happens where control is; what was tested to get here is remembered."""
        if not self.dry:
            self.endings += self.stack
        self.live = self.universe.false

    @contextmanager
    def frame(self) -> Iterator[Frame]:
        """Something that control may leave early; behind it control goes on."""
        found = Frame(self.universe.false, self.value(""))
        before = self.live
        yield found
        # Whoever came in comes out, unless the whole script was ended inside.
        self.live = bounded((self.live | found.left) & before)

    def loop(self, entered: Cond, place: Place, bound: Value | None, body: Callable[[], None]) -> None:
        """A loop whose number of rounds nobody knows: one round shows what a round does.

        What a second round would change again is no longer followed: it becomes a text of all that went in.
        """
        entered = self.simplified(entered)
        before = self.live
        if bound is not None:
            self.loops.append((bound, place))
        start = dict(self.variables)

        def rounds() -> None:
            with self.frame() as outer:
                self._round(outer, body)
                if self.dry:
                    # A rehearsal inside a rehearsal would double the work with each loop inside another.
                    return
                first = dict(self.variables)
                with self.rehearsed():
                    self._round(outer, body)
                self._widen(start, first)

        try:
            self.branch(entered, place, rounds, bounds=bound is not None)
        finally:
            if bound is not None:
                self.loops.pop()
        self.live = self.live & before

    @contextmanager
    def inside(self, loop: Frame) -> Iterator[None]:
        """Inside, this is the innermost loop that `break` and `continue` speak of."""
        kept = self.loop_frames
        self.loop_frames = (*kept, loop)
        try:
            yield
        finally:
            self.loop_frames = kept

    def _round(self, outer: Frame, body: Callable[[], None]) -> None:
        with self.inside(outer):
            body()
        self.live = bounded(self.live | outer.again)
        outer.again = self.universe.false

    @contextmanager
    def rehearsed(self) -> Iterator[None]:
        """Inside, nothing is written and nothing remembered: only variables change."""
        files, sinks = self.files, self.sinks
        self.files = {name: list(writes) for name, writes in files.items()}
        self.sinks = [list(sink) for sink in sinks]
        failed = self.failed
        self.dry += 1
        try:
            yield
        finally:
            self.dry -= 1
            self.files, self.sinks = files, sinks
            self.failed = failed

    def _widen(self, start: dict[str, Value], first: dict[str, Value]) -> None:
        for name, value in self.variables.items():
            once = first.get(name)
            if once is None or same(once, value):
                continue
            before = start.get(name) or self.outside(name)
            contents = [content for _, content in (*before.alternatives, *value.alternatives)]
            also = value.origins() | before.origins()
            self.variables[name] = self.value(derived(self.universe, "loop", contents, None, also=also))

    # -- output

    def print(self, value: Value) -> None:
        """Writes to standard output, where someone listens."""
        if self.sinks and not self.live.is_false:
            self.sinks[-1].append(Write(self.live, value))

    @contextmanager
    def captured(self, sink: list[Write] | None = None) -> Iterator[list[Write]]:
        """Collects what is written to standard output inside, in a list of its own or in the given one."""
        sink = [] if sink is None else sink
        self.sinks.append(sink)
        try:
            yield sink
        finally:
            # What runs inside may have put a copy in its place.
            self.sinks.pop()

    def text_of(self, writes: Sequence[Write]) -> Value:
        """All that was written, one after the other."""
        result = self.value("")
        for guard, value in writes:
            longer = join_values(self.universe, (result, value))
            result = Value.choose(guard, longer, result)
        return result

    def write(self, file: str, value: Value, *, append: bool) -> None:
        """Writes to a file where control is."""
        writes = self.files.setdefault(file, [])
        if not append:
            writes[:] = [
                Write(guard, old) for guard, old in ((w.guard & ~self.live, w.value) for w in writes)
                if not guard.is_false
            ]  # fmt: skip
        writes.append(Write(self.live, value))

    def put(self, kept: dict[str, Value], key: str, value: Value) -> None:
        """Sets an output or a variable for later steps without a file: `core.setOutput`."""
        if not self.dry and not self.live.is_false:
            old = kept.get(key.lower()) or self.value(None)
            kept[key.lower()] = Value.choose(self.live, value, old)

    # -- what is done

    def deed(self, kind: str, place: Place, **more: object) -> None:
        """Remembers that something is done outside, under the present condition."""
        if self.dry or self.live.is_false:
            return
        marks = (*self.endings, *self.stack)
        self.deeds.append(Deed(kind, place, self.live, marks, loops=tuple(self.loops), **more))  # type: ignore[arg-type]


def same(one: Value, other: Value) -> bool:
    """Whether two values are the same under every condition."""
    if one is other:
        return True
    if len(one.alternatives) != len(other.alternatives):
        return False
    return all(
        guard is again and type(content) is type(item) and content == item
        for (guard, content), (again, item) in zip(one.alternatives, other.alternatives, strict=True)
    )
