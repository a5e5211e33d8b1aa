"""Which exams of the base are not there any more, run less often, or examine less."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from novote.algebra.cond import Atom, Cond
from novote.flow.cases import EventCase
from novote.gatediff.affected import Unedited, affected
from novote.gatediff.filters import changed_file
from novote.gatediff.gates import Gate, gates_of, partner_of
from novote.gatediff.gather import exams
from novote.gatediff.gone import Gone
from novote.gatediff.leg_matching import Legs
from novote.gatediff.meeting import Meeting
from novote.gatediff.model import Doing, Exam, Shrink, Side
from novote.gatediff.shards import gathered
from novote.gatediff.softness import softer
from novote.gatediff.telling import told
from novote.gatediff.triggers import CALLED, Start, case_of, events, starts
from novote.gatediff.witnesses import counterexample
from novote.gatediff.words import narrower, parts
from novote.knowledge.exams import SCRIPT_BY_NAME

_SHORTEST: Final = 4
"""A shorter name of a program may be part of many another."""


class Loss(NamedTuple):
    """What became of one exam under one event.

    `after` is the exam of the other side that comes nearest, `reason` what it lacks, `model` the assignment
    under which the one runs and the other does not. `gate` is what gathers results in its place.
    """

    kind: str
    before: Exam
    after: Exam | None = None
    reason: str = ""
    model: dict[Atom, bool] | None = None
    gate: Gate | None = None


def lost_exams(before: Side, after: Side) -> Iterator[Shrink]:
    """Every exam that ran before and now may not, once for all events."""
    search = _Search(before, after)
    losses = [loss for event in events(before.repository) for loss in search.losses(event)]
    yield from told(losses, before, after)


class _Search:
    """Looks for what is lost: first where the change makes a difference, then everywhere else.

    What is missed at first may stand in a script that nobody edited, or in a workflow that nobody did.
    """

    def __init__(self, before: Side, after: Side) -> None:
        self._before = before
        self._after = after
        self._affected = affected(before, after)
        self._unedited = Unedited(before, after)
        self._gone = Gone(before, after)

    def losses(self, event: str) -> list[Loss]:
        old = [start for start in starts(self._before.repository, event) if start.file in self._affected]
        if event == CALLED:
            # What the repository calls itself is examined as a part of its callers.
            old = [start for start in old if not self._before.repository.is_called(start.file)]
        if not old:
            return []
        new = list(starts(self._after.repository, event))
        near = [start for start in new if start.file in self._affected]
        far = [start for start in new if start.file not in self._affected]
        pairs = [(self._before.repository, start) for start in old]
        pairs += [(self._after.repository, start) for start in new]
        case = case_of(event, pairs, self._before.repository.knowledge.sources)
        if not self._compared(case, old, near, (), self._unedited):
            return []
        return self._compared(case, old, near, far, None)

    def _compared(
        self,
        case: EventCase,
        old: Sequence[Start],
        near: Sequence[Start],
        far: Sequence[Start],
        unedited: Unedited | None,
    ) -> list[Loss]:
        """The losses of some workflows against others, of which those `far` away did the same before."""
        meeting = Meeting()
        before, after = self._before.repository, self._after.repository
        found = [exam for exam in exams(before, old, case, meeting, unedited) if exam.counts]
        found = [exam._replace(runs=self._possible(exam.runs)) for exam in found]
        there = list(exams(after, near, case, meeting, unedited))
        there += exams(after, far, case, meeting, self._unedited)
        candidates = Candidates(there, found, self._gone)
        losses = [loss for loss in (_loss(exam, candidates) for exam in found) if loss is not None]
        return [*losses, *self._released(found, candidates)]

    def _possible(self, cond: Cond) -> Cond:
        """A condition without changes of files that are gone: none can follow."""
        gone = {
            atom: cond.universe.false for atom in cond.support() if changed_file(atom) in self._gone.files
        }
        return cond.substitute(gone) if gone else cond

    def _released(self, old: Sequence[Exam], new: Candidates) -> Iterator[Loss]:
        """Exams that a gate waited for, and that run where none waits for them."""
        for gate in gates_of(self._before, self._affected):
            partner = partner_of(gate, self._after, self._affected)
            for exam in filter(gate.holds, old):
                covering = new.parts(exam)
                loose = [each for each in covering if partner is None or not any(map(partner.holds, each))]
                if loose and all(covering):
                    yield Loss("released", exam, loose[0][0], gate.job.id, gate=partner)


class Candidates:
    """The exams of the other side, by what they do; `old` are those that are looked for."""

    def __init__(self, found: Iterable[Exam], old: Sequence[Exam], gone: Gone) -> None:
        self._by_name: defaultdict[tuple[str, str], list[Exam]] = defaultdict(list)
        there = list(found)
        there += gathered(there)
        self._gone = gone
        self._less: dict[tuple[object, ...], str] = {}
        self.legs = Legs(old, there)
        for exam in there:
            self._by_name[exam.doing.does, exam.doing.name].append(exam)
        self._old = {_same(exam.doing) for exam in old}
        self._folders = {exam.doing.folder for exam in old}
        self._programs = {_program(exam.doing) for exam in old}

    def like(self, exam: Exam) -> list[Exam]:
        """What does the same by the same program in the same folder, or by and in new ones."""
        found = self._by_name.get((exam.doing.does, exam.doing.name), [])
        folders = self._folders - {exam.doing.folder}
        programs = self._programs - {_program(exam.doing)}
        return [
            each
            for each in found
            if each.doing.folder not in folders
            and _program(each.doing) not in programs
            and not self._gone.is_narrower(exam, each.doing.folder)
        ]

    def parts(self, exam: Exam) -> list[list[Exam]]:
        """What examines as much of each of an exam's targets that are left, the nearest first."""
        left = (part for part in parts(exam.doing) if not self._gone.leaves_nothing_of(part))
        return [self._covering(exam, part) for part in left]

    def _covering(self, exam: Exam, part: Doing) -> list[Exam]:
        found = [each for each in self.like(exam) if not self.less(part, each.doing)]
        found = [each for each in found if not self.legs.lost(exam, each)]
        return sorted(found, key=lambda each: _distance(exam, each))

    def less(self, before: Doing, after: Doing) -> str:
        """What one exam examines less than another of its kind; legs of a matrix ask the same again."""
        if before.does == "script" and set(before.words).isdisjoint(after.words):
            return "none of its programs is there"
        if before.command is None or after.command is None:
            return ""
        asked = _spelled(before), _spelled(after)
        reason = self._less.get(asked)
        if reason is None:
            reason = self._less[asked] = narrower(before, after)
        return reason

    def named_like(self, exam: Exam) -> Exam | None:
        """A new action that is named for the program of an exam, or the other way round."""
        new = self.left(each for named in self._by_name.values() for each in named if each.counts)
        return next((each for each in new if _is_named_for(exam, each) or _is_named_for(each, exam)), None)

    def stand_in(self, exam: Exam) -> Exam | None:
        """What is new in the job of an exam and is written where nobody can read it.

        A recipe or a script of the repository may do what the job did before.
        """
        new = self.left(each for named in self._by_name.values() for each in named if each.counts)
        return next((each for each in new if each.job.id == exam.job.id and is_closed(each.doing)), None)

    def left(self, found: Iterable[Exam]) -> list[Exam]:
        """Those among them that stand for no other exam of the base."""
        return [exam for exam in found if _same(exam.doing) not in self._old]


def _is_named_for(action: Exam, exam: Exam) -> bool:
    program = _program(exam.doing)
    is_one = action.doing.does == "action" and exam.doing.does == "command"
    return is_one and len(program) >= _SHORTEST and program in action.doing.name


def is_closed(doing: Doing) -> bool:
    """Whether what is done is written elsewhere, and was not found there."""
    entry = doing.command.entry if doing.command is not None else None
    return entry is not None and (bool(entry.targets) or entry.name == SCRIPT_BY_NAME.name)


def _program(doing: Doing) -> str:
    return doing.command.entry.prefix[0] if doing.command is not None else doing.name


def _spelled(doing: Doing) -> tuple[object, ...]:
    """All that says what a command is given: with its name, what is known of the program."""
    command = doing.command
    return doing.name, doing.words, doing.variables, doing.folder, command and (command.first, command.after)


def _same(doing: Doing) -> tuple[object, ...]:
    return doing.does, doing.name, doing.given, doing.folder, doing.variables


def _loss(exam: Exam, new: Candidates) -> Loss | None:
    covering = new.parts(exam)
    if not all(covering):
        return _less_examined(exam, new)
    universe = exam.runs.universe
    for there in covering:
        model = counterexample(exam.runs, universe.any_of(each.runs for each in there))
        if model is not None:
            return Loss("condition", exam, there[0], model=model)
    return next(filter(None, (_softened(exam, there) for there in covering)), None)


def _less_examined(exam: Exam, new: Candidates) -> Loss | None:
    """What became of an exam that nothing else stands for."""
    like = new.like(exam)
    doing = [each for each in like if not new.less(exam.doing, each.doing)]
    if doing:
        nearest = min(doing, key=lambda each: len(new.legs.lost(exam, each)))
        return Loss("legs", exam, nearest, ", ".join(f"`{value}`" for value in new.legs.lost(exam, nearest)))
    left = new.left(like) if exam.doing.command is not None else []
    if not left:
        return _replaced(exam, new)
    nearest = min(left, key=lambda each: _distance(exam, each))
    return Loss("arguments", exam, nearest, new.less(exam.doing, nearest.doing))


def _replaced(exam: Exam, new: Candidates) -> Loss | None:
    """What became of an exam of which there is no other of its kind.

    An action may start the same program, and nobody can read what a recipe elsewhere does.
    """
    other = new.named_like(exam) or new.stand_in(exam)
    if other is None:
        return Loss("removed", exam)
    model = counterexample(exam.runs, other.runs)
    return None if model is None else Loss("condition", exam, other, model=model)


def _softened(exam: Exam, there: Sequence[Exam]) -> Loss | None:
    """What became of the verdict of an exam that runs as before."""
    universe = exam.runs.universe
    counted = exam.runs & ~exam.soft
    model = counterexample(counted, universe.any_of(each.runs & ~each.soft for each in there))
    if model is not None:
        return Loss("verdict", exam, there[0], model=model)
    strict = [each for each in there if not softer(exam.doing, each.doing)]
    if not strict:
        return Loss("softened", exam, there[0], softer(exam.doing, there[0].doing))
    patient = min(each.tries for each in strict)
    if patient > exam.tries:
        return Loss("retries", exam, strict[0], f"{patient} times")
    return None


def _distance(exam: Exam, other: Exam) -> tuple[bool, bool, bool]:
    """How far an exam stands from another: in another job, another file, with other words."""
    return exam.job.id != other.job.id, exam.file != other.file, exam.doing.words != other.doing.words
