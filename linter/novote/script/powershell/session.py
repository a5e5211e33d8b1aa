"""One run of PowerShell: its loops and the ways out of its blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Opaque, Value, without_claims
from novote.model import Span
from novote.record import changed
from novote.script.machine import Frame, Place
from novote.script.powershell.content import as_many, as_text, equals, items_of, present
from novote.script.powershell.state import Entry, Round, State
from novote.script.text import derived, flat

MAX_ROUNDS: Final = 32
"""A loop over more known elements than this is followed like one over unknown ones."""


class Session(State):
    """A run, with its loops."""

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
            self.machine.variables[self.own_name(scope, name)] = value

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

    def decide(self, cond: Cond, place: Place, then: Callable[[], None], other: Callable[[], None]) -> None:
        """Goes both ways of a condition.

        That an unknown list has an element with some text says already that the list is not empty: what is
        done for that element hangs on this one question.
        """
        machine, entry = self.machine, self.entry
        cond = machine.simplified(cond)
        if (
            entry is None
            or not self.rounds
            or machine.live is not entry.live
            or not _asks_only(cond, entry.origins)
        ):
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
                return self.document((*path, "*"), None) if is_list_path(path) else self.value(content)
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


def is_list_path(path: tuple[str, ...]) -> bool:
    """Whether a part of the event's payload is a list."""
    return path[-1] in _LISTS


def _asks_only(cond: Cond, origins: frozenset[Origin]) -> bool:
    """Whether a condition is about a list alone, and does not hold where the list is empty."""
    if cond.is_constant or not all(atom.is_claim and atom.origins <= origins for atom in cond.support()):
        return False
    return without_claims(cond).is_false
