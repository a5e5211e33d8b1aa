"""What a step's script decides about its exams: words, conditions, rounds, and what counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from novote.algebra.cond import Atom, Cond, Origin
from novote.algebra.value import Opaque, Value
from novote.flow.labels import step_label
from novote.flow.slots import Read, Slot
from novote.flow.workspace import restored_by
from novote.flow.written import StepScript
from novote.knowledge.commands import ExamCommand
from novote.model import Span
from novote.script.deeds import Deed, Place
from novote.script.text import flat, spelled
from novote.source.nodes import Scalar, file_scalar
from novote.workflow.model import Job, Step

if TYPE_CHECKING:
    from novote.flow.evaluation import Evaluation

Kind = Literal["which", "whether", "how-often", "verdict"]
Aspect = Literal["argument", "variable", "retries", "soft", "script", "softened", "posted"]


# The deeds by which a script says for others that a change passes.
POSTED: Final = ("status", "approve", "merge")


class Point(NamedTuple):
    """One thing that a script decides.

    `cond` is set for conditions, and then `atoms` are the claims that are tested at `span`. `node` is the
    scalar, or the file, that `span` counts in.
    """

    kind: Kind
    aspect: Aspect
    slot: Slot
    node: Scalar
    span: Span
    atoms: frozenset[Atom] = frozenset()


def exam_points(
    evaluation: Evaluation, job: Job, step: Step, script: StepScript, *, whole: bool
) -> Iterator[Point]:
    """What a script decides about the exams in it; `whole` says that the script itself is the exam."""
    reader = _Reader(evaluation, job, step, script)
    exams = [deed for deed in script.result.deeds if deed.kind == "exam" and not (whole and _obeys(deed))]
    for same in _of_one_kind(exams):
        # Whichever arm runs it, it runs.
        guard = evaluation.universe.any_of(deed.guard for deed in same)
        marks = tuple(mark for deed in same for mark in deed.marks)
        yield from reader.whether(same[0]._replace(guard=guard, marks=marks))
        yield from reader.variants(same)
    for deed in exams:
        yield from reader.words(deed)
        yield from reader.variables(deed)
        yield from reader.loops(deed)
    if exams or whole:
        yield from reader.verdict(exams)


def verdict_points(evaluation: Evaluation, job: Job, step: Step, script: StepScript) -> Iterator[Point]:
    """Whether a script that fails by itself counts."""
    yield from _Reader(evaluation, job, step, script).verdict([])


def posted_points(evaluation: Evaluation, job: Job, step: Step, script: StepScript) -> Iterator[Point]:
    """The statuses, approvals and merges that a script posts."""
    reader = _Reader(evaluation, job, step, script)
    for deed in script.result.deeds:
        if deed.kind in POSTED:
            yield from reader.whether(deed, "verdict", "posted")


def _obeys(deed: Deed) -> bool:
    """Whether a deed is what somebody tells it to be, an exam where its step is known as one."""
    return isinstance(deed.entry, ExamCommand) and deed.entry.entry.weak


def _of_one_kind(exams: list[Deed]) -> list[list[Deed]]:
    """The exams by command."""
    found: dict[str, list[Deed]] = {}
    for deed in exams:
        name = deed.entry.entry.name if isinstance(deed.entry, ExamCommand) else ""
        found.setdefault(name, []).append(deed)
    return list(found.values())


def _only_reviews(atom: Atom) -> bool:
    """Whether an atom asks about reviews alone: a gate that fails without approvals examines them."""
    return all(origin.kind == "review" for origin in atom.origins if origin.cls == "claim")


def _is_of_commits(atom: Atom) -> bool:
    examined = ("commit-message", "author", "trailer", "branch", "title")
    return all(origin.kind in examined for origin in atom.origins if origin.cls == "claim")


def given(value: Value, guard: Cond) -> Value:
    """A value where a condition is known to hold: what the condition settles is settled in it."""
    if value.is_single or guard.is_true:
        return value
    possible = [(cond, content) for cond, content in value.alternatives if not (cond & guard).is_false]
    if len(possible) == 1:
        return Value.of(value.universe, possible[0][1])
    settled = {}
    for atom in guard.support():
        if guard.restrict({atom: False}).is_false:
            settled[atom] = True
        elif guard.restrict({atom: True}).is_false:
            settled[atom] = False
    return value.substitute(lambda cond: cond.restrict(settled)) if settled else value


def _claims(cond: Cond) -> bool:
    return cond.hangs_on_claims


def _selection(deed: Deed) -> str:
    """The words by which an exam selects, as one text; whatever is not known in them stands for itself."""
    if not isinstance(deed.entry, ExamCommand):
        return ""
    pairs = zip(deed.words, deed.entry.roles(), strict=False)
    return " ".join(spelled(value) for (value, _), role in pairs if role == "select")


class _Reader:
    def __init__(self, evaluation: Evaluation, job: Job, step: Step, script: StepScript) -> None:
        self.evaluation = evaluation
        self.job = job
        self.step = step
        self.script = script
        self.universe = evaluation.universe

    def _at(self, place: Place) -> tuple[str, Scalar] | None:
        """The file and the scalar that a place counts in."""
        if not place.file:
            return self.evaluation.unit.file, self.script.node
        repository = self.evaluation.world.repository
        source = repository.source_of(place.file) if repository is not None else None
        return None if source is None else (place.file, file_scalar(source))

    def _point(
        self, kind: Kind, aspect: Aspect, what: str, value: Value, place: Place, *,
        cond: Cond | None = None, atoms: frozenset[Atom] = frozenset(),
    ) -> Iterator[Point]:  # fmt: skip
        found = self._at(place)
        if found is None:
            return
        file, node = found
        flattened = value.map(lambda content: flat(self.universe, content))
        slot = Slot(what, file, node, flattened, self.script.reads, cond)
        yield Point(kind, aspect, slot, node, place.span, atoms)

    def whether(self, deed: Deed, kind: Kind = "whether", aspect: Aspect = "script") -> Iterator[Point]:
        """The conditions that a deed hangs on, each with the claims that are tested there first."""
        # What does not run because the script has failed before is not skipped.
        cond = deed.guard | self.script.result.failed if aspect == "script" else deed.guard
        left = {atom for atom in cond.support() if atom.is_claim}
        for mark in deed.marks:
            own = frozenset(atom for atom in mark.cond.support() if atom in left)
            left -= own
            # What bounds a loop decides how often, and is told as that.
            if own and not mark.bounds:
                what = f"a condition in {step_label(self.step)}"
                value = Value.boolean(cond)
                yield from self._point(kind, aspect, what, value, mark.place, cond=cond, atoms=own)
        if left:
            what = f"a condition in {step_label(self.step)}"
            yield from self._point(
                kind,
                aspect,
                what,
                Value.boolean(cond),
                deed.place,
                cond=cond,
                atoms=frozenset(left),
            )

    def variants(self, deeds: list[Deed]) -> Iterator[Point]:
        """One command in several arms: which words it gets is decided by what decides between the arms."""
        if len(deeds) < 2 or not any(_claims(deed.guard) for deed in deeds):
            return
        chosen = [(deed.guard, _selection(deed)) for deed in deeds]
        overlap = self.universe.false
        for guard, _ in chosen:
            if not (overlap & guard).is_false:
                return
            overlap = overlap | guard
        value = Value.build(self.universe, [*chosen, (~overlap, "")])
        atoms = {atom for guard, _ in value.alternatives for atom in guard.support() if atom.is_claim}
        mark = next((m for deed in deeds for m in deed.marks if atoms.intersection(m.cond.support())), None)
        if mark is not None and len(value.alternatives) > 1 + (not overlap.is_true):
            yield from self._point(
                "which", "argument", f"a condition in {step_label(self.step)}", value, mark.place
            )

    def words(self, deed: Deed) -> Iterator[Point]:
        """The words of an exam's command that choose tests, retries or thresholds."""
        entry = deed.entry
        if not isinstance(entry, ExamCommand):
            return
        yield from self.remembered(deed, entry)
        for (value, place), role in zip(deed.words, entry.roles(), strict=False):
            value = given(value, deed.guard)
            if role and value.origins():
                kind, aspect = ARGUMENTS[role]
                yield from self._point(kind, aspect, f"an argument of `{entry.entry.typed}`", value, place)

    def remembered(self, deed: Deed, command: ExamCommand) -> Iterator[Point]:
        """The options by which a restored cache says what is tested."""
        for word, place in deed.words if command.entry.remembers else ():
            folder = command.entry.remembers.get(spelled(word))
            restored = folder is not None and restored_by(self.evaluation.place(self.job, self.step), folder)
            if restored:
                origins = frozenset({Origin("claim", "cache", str(restored))})
                content = Opaque(f"cache of {folder}", origins, "", True, "string")
                what = f"an argument of `{command.entry.typed}`"
                value = Value.of(self.universe, content)
                for point in self._point("which", "argument", what, value, place):
                    read = Read(("cache",), None, origins)
                    yield point._replace(slot=point.slot._replace(reads=(read,)))

    def variables(self, deed: Deed) -> Iterator[Point]:
        """The variables by which a script selects for an exam."""
        for name, found, place in deed.variables:
            value = given(found, deed.guard)
            # What an earlier step may have set, but nobody knows of, is no news here.
            if any(origin.cls == "claim" for origin in value.origins()):
                yield from self._point("which", "variable", f"variable `{name}`", value, place)

    def loops(self, deed: Deed) -> Iterator[Point]:
        """What bounds the loops around an exam."""
        for found, place in deed.loops:
            value = given(found, deed.guard)
            if value.origins():
                yield from self._point("how-often", "retries", "the loop around the exam", value, place)

    def _waivable(self) -> set[Atom]:
        """The claims that can keep something from failing that is no word of the author.

        What fails by the author's words alone, such as a title in the wrong form, examines those words.
        """
        found: set[Atom] = set()
        for cond, marks in self.script.result.failures:
            asked = marks[-1].cond if marks else cond
            if not all(map(_is_said, asked.support())):
                found.update(filter(_is_said, cond.support()))
        return found

    def verdict(self, exams: list[Deed]) -> Iterator[Point]:
        """Whether a failing exam fails the step."""
        failed = self.script.result.failed
        passes = {
            atom: self.universe.false
            for deed in exams
            if deed.passed is not None
            for atom in deed.passed.support()
        }
        failing = failed.substitute(passes)
        runs = self.universe.all_of(deed.guard for deed in exams)
        # An exam that does not run is told of where it is skipped.
        counts = failing | ~runs if exams else failing
        waived = self._waivable()
        left = {atom for atom in counts.support() if atom in waived and not _only_reviews(atom)}
        for mark in self.script.result.tested:
            own = frozenset(atom for atom in mark.cond.support() if atom in left)
            left -= own
            if mark.place.file:
                # A script of the repository that looks at commits and their authors examines them.
                own = frozenset(atom for atom in own if not _is_of_commits(atom))
            if own and not mark.bounds:
                what = f"a condition in {step_label(self.step)}"
                value = Value.boolean(counts)
                yield from self._point("verdict", "softened", what, value, mark.place, cond=counts, atoms=own)
        if left and exams:
            # No condition of the script asks for these by itself: they are told at the exam.
            what, value, atoms = (
                f"the verdict of {step_label(self.step)}",
                Value.boolean(counts),
                frozenset(left),
            )
            place = exams[0].place
            yield from self._point("verdict", "softened", what, value, place, cond=counts, atoms=atoms)


def _is_said(atom: Atom) -> bool:
    """Whether an atom asks what somebody says of the change, and not what stands in its files."""
    return any(o.cls == "claim" and o.kind not in ("head-file", "artifact") for o in atom.origins)


ARGUMENTS: Final[dict[str, tuple[Kind, Aspect]]] = {
    "select": ("which", "argument"),
    "retry": ("how-often", "retries"),
    "soften": ("verdict", "soft"),
}
