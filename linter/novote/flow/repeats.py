"""Follows a script once for all steps and events in which it reads the same.

A local action is evaluated for each of its calls, and a file for each of its events and for each way in
which its jobs may end; mostly nothing differs that their scripts read. What a script does follows from what
its host answers, so a run is kept as the questions it asked, in order, with their answers. A later run of
the same text is the same one where the same questions are answered alike; then what it did is carried into
the universe at hand. Questions are asked in order and only as far as the answers agree, and the atoms that
the script asked for in between are made in between: nothing is asked or made that following it would not
ask or make.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Final, Literal, NamedTuple

from novote.algebra.cond import Atom, Universe
from novote.algebra.value import Signature
from novote.knowledge import Knowledge
from novote.script.bounds import Bounded, StepsLeft
from novote.script.carry import Carrier, Luggage, Made, made
from novote.script.host import Host, Reading
from novote.script.result import Result

MAX_TEXTS: Final = 512
MAX_RUNS: Final = 24
"""So many runs of so many texts are kept, the latest used."""

WORTH_KEEPING: Final = 40
"""A run of fewer steps costs less than to find out whether it is the same."""

_Kind = Literal["variable", "expression", "event", "data", "presence", "directory"]
_Question = tuple[_Kind, str | tuple[str, ...]]
_Answer = Signature | str | None


class _Asked(NamedTuple):
    """One question, its answer, and the atoms that the script made since the one before."""

    question: _Question
    answer: _Answer
    made_before: tuple[Made, ...]


class Followed(NamedTuple):
    """One run of a script, told without universe and evaluation.

    The slots of its readings are numbers of questions. `made_after` are the atoms made since the last one,
    `atoms` those that the conditions of the result ask, by index.
    """

    asked: tuple[_Asked, ...]
    made_after: tuple[Made, ...]
    result: Result
    atoms: Mapping[int, Made]


class Repeats:
    """The runs so far of the scripts of one repository, by all that makes a script but its host."""

    def __init__(self) -> None:
        self._runs: OrderedDict[Hashable, tuple[Followed, ...]] = OrderedDict()

    def followed(
        self, host: Host, script: Hashable, together: StepsLeft, follow: Callable[[Host], Result]
    ) -> Result:
        """What a script does: known from a run before that read the same, or else followed and kept."""
        before = self._runs.get(script, ())
        asking = _Asking(host, together)
        for at, run in enumerate(before):
            # It counts as work, so that what is given up does not hang on who asked before.
            if run.result.steps <= together.left and asking.agrees(run):
                self._keep(script, run, (*before[:at], *before[at + 1 :]))
                return asking.repeated(run)
        result = asking.follow(follow)
        kept = asking.kept(result) if result.steps >= WORTH_KEEPING and together.left >= 0 else None
        if kept is not None:
            self._keep(script, kept, before)
        return asking.placed(result)

    def _keep(self, script: Hashable, latest: Followed, before: tuple[Followed, ...]) -> None:
        self._runs[script] = (latest, *before[: MAX_RUNS - 1])
        self._runs.move_to_end(script)
        if len(self._runs) > MAX_TEXTS:
            self._runs.popitem(last=False)


class _Asking:
    """A host that asks another, each question once, and remembers what was answered.

    The slots of what it answers are numbers of questions, which scripts hand on as they are.
    """

    def __init__(self, host: Host, together: StepsLeft) -> None:
        self._host = host
        self._together = together
        self.universe: Universe = host.universe
        self.knowledge: Knowledge = host.knowledge
        self.code = host.code
        self._work = Bounded(self.universe, together)
        self._given: dict[_Question, Reading | str | None] = {}
        self._answers: dict[_Question, _Answer] = {}
        self._asked: dict[_Question, _Asked] = {}
        self._slots: list[object] = []
        # What the script itself has made since the last question; None while it does not run.
        self._made: dict[Atom, None] | None = None
        self._detours = 0

    def variable(self, name: str) -> Reading | None:
        found = self._ask(("variable", name))
        return found if isinstance(found, Reading) else None

    def expression(self, text: str) -> Reading:
        return self._told(("expression", text))

    def event(self, path: tuple[str, ...]) -> Reading:
        return self._told(("event", path))

    def data(self, path: str) -> Reading:
        return self._told(("data", path))

    def presence(self, path: str) -> Reading:
        return self._told(("presence", path))

    def directory(self) -> str | None:
        found = self._ask(("directory", ""))
        return found if isinstance(found, str) else None

    def _told(self, question: _Question) -> Reading:
        found = self._ask(question)
        assert isinstance(found, Reading), "only variables may be missing"
        return found

    def _ask(self, question: _Question) -> Reading | str | None:
        if question not in self._given:
            found = self._given[question] = self._answered(question)
            self._answers[question] = found.value.signature() if isinstance(found, Reading) else found
        if self._made is not None and question not in self._asked:
            answer, since = self._answers[question], tuple(map(made, self._made))
            self._asked[question] = _Asked(question, answer, since)
            self._made.clear()
        return self._given[question]

    def _answered(self, question: _Question) -> Reading | str | None:
        kind, subject = question
        if kind == "directory":
            return self._host.directory()
        universe, before = self.universe, self.universe.detours
        # What the host makes to answer, it makes wherever it is asked.
        universe.asked_for = None
        ask: Callable[[object], Reading | None] = getattr(self._host, kind)
        found = ask(subject)
        universe.asked_for = self._made
        self._detours += universe.detours - before
        if found is None:
            return None
        self._slots.append(found.slot)
        return found._replace(slot=len(self._slots) - 1)

    def agrees(self, run: Followed) -> bool:
        """Whether the questions of a run are answered alike; none is asked behind the first that is not."""
        carrier = Carrier(run.atoms, self.universe)
        for question, answer, made_before in run.asked:
            if question not in self._given:
                for atom in made_before:
                    carrier.atom(atom)
                self._ask(question)
            if self._answers[question] != answer:
                return False
        return True

    def repeated(self, run: Followed) -> Result:
        """What a run did that agrees, as if it had been followed here."""
        carrier = Carrier(run.atoms, self.universe)
        for atom in run.made_after:
            carrier.atom(atom)
        result = self.placed(carrier.result(run.result))
        self._together.left -= result.steps
        self._work.done()
        return result

    def follow(self, follow: Callable[[Host], Result]) -> Result:
        """Follows the script itself."""
        universe, before = self.universe, self.universe.detours
        self._detours = 0
        self._made = universe.asked_for = {}
        try:
            result = follow(self)
        finally:
            universe.asked_for = None
        self._detours = universe.detours - before - self._detours
        return result

    def kept(self, result: Result) -> Followed | None:
        """The run that was followed; None where it does not hang on answers alone, or cannot be carried."""
        after = tuple(map(made, self._made or ()))
        luggage = Luggage(self.universe)
        luggage.result(result)
        for atom in (*after, *(atom for asked in self._asked.values() for atom in asked.made_before)):
            luggage.take(atom)
        if self._detours or not luggage.portable:
            return None
        return Followed(tuple(self._asked.values()), after, result, luggage.atoms())

    def placed(self, result: Result) -> Result:
        """What a script did, with the slots that answer here in place of the numbers of questions."""
        return result._replace(readings=tuple(map(self._placed, result.readings)))

    def _placed(self, reading: Reading) -> Reading:
        number = reading.slot
        return reading._replace(slot=self._slots[number]) if isinstance(number, int) else reading
