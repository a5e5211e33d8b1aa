"""Which jobs and steps are exams, and which jobs gather what exams say.

A role never depends on an event: it is settled once per file, from commands, actions and names. A command or
action that is a known checker makes an exam; a name alone does where the job has the change at hand and runs
something of the repository's own, and so does a gate that asks for its success.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from novote.flow.demands import demanded, mentions_results, says_it_fails
from novote.flow.needs import needed_by
from novote.flow.unit import LOCAL, Unit
from novote.flow.written import written_in
from novote.knowledge import Knowledge
from novote.knowledge.actions import ActionModel, Role
from novote.knowledge.exams import ExamCommand
from novote.knowledge.names import NameRole, is_qualified, only_reports, role_of_name
from novote.source.nodes import Scalar
from novote.workflow.model import Job, Step

HoldsExam = Callable[[str], bool]

# What brings the change, or what was built of it, into a job.
_BRINGS_CONTENT = frozenset({"checkout", "artifact", "cache"})
_IMAGE = "docker://"
# In the name of a workflow these words say when it runs, not what it does.
_TRIGGER = re.compile("push", re.IGNORECASE)
_PUSHES = re.compile(r"^\s*git\s+push\b", re.MULTILINE)
# What starts a program, with the rest of the line; what stands between its words is no part of them.
_STARTS = re.compile(
    r"\b(?:exec|exec(?:File)?Sync|execFile|spawn|spawnSync|getExecOutput|run|call|check_call|check_output|Popen"
    r"|popen|system)\(\s{0,80}\[?\s{0,80}[bfr]?[\"'`]([^\n]{1,400})"
)
_BLANKED = str.maketrans(dict.fromkeys("\"'`,[](){}", " "))
MAX_STARTS = 64
_SAYS_EXAM = (NameRole.EXAM, NameRole.WEAK_EXAM)


class ExamStep(NamedTuple):
    """A step that checks the change: by the commands of its script, by its action, or by its name.

    `script` is where the commands are written: the `run:`, or the input of an action that runs one. Offsets
    of the commands count from `prefix` characters before its text, which the action puts in front.
    """

    step: Step
    commands: tuple[ExamCommand, ...] = ()
    model: ActionModel | None = None
    script: Scalar | None = None
    prefix: int = 0

    @property
    def only_builds(self) -> bool:
        """Whether all that is known of it is that it builds."""
        return bool(self.commands) and all(command.kind == "build" for command in self.commands)

    @property
    def may_do_anything(self) -> bool:
        """Whether all that is known of it is that it does what it is told."""
        return bool(self.commands) and all(command.entry.weak for command in self.commands)

    @property
    def is_weak(self) -> bool:
        """Whether all that speaks for it is a script's name like `check`."""
        return self.model is None and bool(self.commands) and all(command.weak for command in self.commands)


class JobRole(NamedTuple):
    """What a job is. `steps` are its exam steps; `is_aggregator` marks a job that settles the gate."""

    job: Job
    is_exam: bool
    steps: tuple[ExamStep, ...] = ()
    is_aggregator: bool = False


def roles(
    unit: Unit, knowledge: Knowledge, holds_exam: HoldsExam, required: frozenset[str] = frozenset()
) -> tuple[JobRole, ...]:
    """The role of every job, in order; `holds_exam` answers for what local `uses:` name.

    `required` are the ids, lower case, of jobs whose checks must pass before a merge.
    """
    reader = _Reader(unit, knowledge, holds_exam)
    found = [reader.job(job) for job in unit.jobs]

    def may_settle(job: Job) -> bool:
        return job.id.lower() in required or _role_of(job) is not NameRole.NONE

    asked = required | demanded(unit.jobs, knowledge.actions, may_settle)
    found = [reader.demanded(role) if role.job.id.lower() in asked else role for role in found]
    exams = {role.job.id.lower() for role in found if role.is_exam}
    return tuple(
        role._replace(is_aggregator=reader.aggregates(role, exams, role.job.id.lower() in required))
        for role in found
    )


class _Reader:
    """Settles the roles of one file."""

    def __init__(self, unit: Unit, knowledge: Knowledge, holds_exam: HoldsExam) -> None:
        self.knowledge = knowledge
        self.holds_exam = holds_exam
        # A workflow that ships or documents builds for that: only what tests inside it is an exam.
        names = [_TRIGGER.sub(" ", name) for name in unit.names]
        self.ships = any(map(_ships, names))
        self.documents = any(role_of_name(name) is NameRole.DOCUMENTATION for name in names)

    def job(self, job: Job) -> JobRole:
        """The role of one job, aggregators aside."""
        named = _role_of(job)
        if named is NameRole.NONE:
            return self._benchmarks(job)
        if job.uses is not None:
            own = not self.ships and not self.documents and named in _SAYS_EXAM
            return JobRole(job, self._calls_exam(job.uses.value) or own)
        steps = tuple(step for step in map(self._step, job.steps) if step is not None)
        if named is not NameRole.EXAM:
            steps = tuple(step for step in steps if not step.may_do_anything)
        if named not in _SAYS_EXAM and all(step.is_weak for step in steps):
            return JobRole(job, False)
        if named is not NameRole.EXAM and self._commits(job):
            return JobRole(job, False)
        documents = named is NameRole.DOCUMENTATION or (self.documents and named not in _SAYS_EXAM)
        if self.ships or documents or self._hands_out(job):
            steps = tuple(step for step in steps if not step.only_builds and (step.commands or step.model))
            return JobRole(job, bool(steps), steps)
        if steps or named not in _SAYS_EXAM:
            return JobRole(job, bool(steps), steps)
        steps = tuple(self._unrecognised(job))
        return JobRole(job, bool(steps), steps)

    def _benchmarks(self, job: Job) -> JobRole:
        """A job that only measures, by its name, is an exam where what measures fails with the change."""
        found = (self._step(step) for step in job.steps if step.run is not None)
        steps = tuple(
            exam for exam in found if exam is not None and any(c.kind == "bench" for c in exam.commands)
        )
        return JobRole(job, bool(steps) and not self.ships, steps)

    def demanded(self, role: JobRole) -> JobRole:
        """The role of a job without whose success a gate fails.

        One that neither its name nor its commands explain is an exam then.
        """
        job = role.job
        unexplained = not role.is_exam and _role_of(job) is NameRole.SILENT
        if not unexplained or self.ships or self.documents or self._commits(job) or self._hands_out(job):
            return role
        if job.uses is not None:
            return JobRole(job, job.uses.value.startswith(LOCAL) and not _ships(_stem(job.uses.value)))
        steps = tuple(self._unrecognised(job))
        return JobRole(job, bool(steps), steps)

    def _hands_out(self, job: Job) -> bool:
        """Whether a job ends in a deployment: what it builds is for that."""
        return any(self._does(step, "deploy") for step in job.steps)

    def _does(self, step: Step, role: Role) -> bool:
        """Whether a step uses an action of a role."""
        model = self.knowledge.actions.used_by(step)
        return model is not None and model.role == role

    def _commits(self, job: Job) -> bool:
        """Whether a job pushes commits of its own: a bot that mends, not an exam."""
        return any(
            self._does(step, "commit") or (step.run is not None and _PUSHES.search(step.run.value))
            for step in job.steps
        )

    def _calls_exam(self, uses: str) -> bool:
        if uses.startswith(LOCAL):
            return self.holds_exam(uses)
        model = self.knowledge.actions.find(uses)
        if model is not None:
            return model.role == "exam"
        stem = _stem(uses)
        return role_of_name(stem) in _SAYS_EXAM or bool(self.knowledge.exams.commands_in(stem))

    def _step(self, step: Step) -> ExamStep | None:
        if step.run is not None:
            commands = self.knowledge.exams.commands_in(step.run.value)
            name = step.name.value if step.name is not None else ""
            # Where scripts' names say only that they check, the step's name says what they look at.
            if commands and not (all(c.checks for c in commands) and role_of_name(name) is NameRole.NONE):
                return ExamStep(step, commands, script=step.run)
            started = () if commands else self._started_in(step.run.value)
            if started:
                return ExamStep(step, started)
            says = role_of_name(name) is NameRole.EXAM and self._runs_own(step.run.value)
            return ExamStep(step) if says else None
        if step.uses is None:
            return None
        model = self.knowledge.actions.find(step.uses.value)
        if model is not None:
            return self._by_action(step, model)
        if step.uses.value.startswith(_IMAGE):
            return self._by_script(step, None, _image_runs(step))
        if step.uses.value.startswith(LOCAL) and self.holds_exam(step.uses.value):
            return ExamStep(step)
        return None

    def _by_action(self, step: Step, model: ActionModel) -> ExamStep | None:
        found = self._by_script(step, model, model.runs)
        if found is None and model.role == "script":
            written = written_in(step, self.knowledge)
            started = self._started_in(written[0].value) if written is not None else ()
            return ExamStep(step, started, model) if started else None
        return found or (ExamStep(step, model=model) if model.role == "exam" else None)

    def _started_in(self, program: str) -> tuple[ExamCommand, ...]:
        """The exams that a program in Python or JavaScript starts by calls such as `subprocess.run`."""
        starts = islice(_STARTS.finditer(program), MAX_STARTS)
        return tuple(
            command
            for start in starts
            for command in self.knowledge.exams.commands_in(start[1].translate(_BLANKED))
        )

    def _by_script(self, step: Step, model: ActionModel | None, runs: Mapping[str, str]) -> ExamStep | None:
        """The exam in an input that is a script; `runs` says what is put in front of each."""
        given = {name.lower(): node for name, node in step.with_} if runs else {}
        for name, prefix in runs.items():
            node = given.get(name)
            if isinstance(node, Scalar):
                commands = self.knowledge.exams.commands_in(prefix + node.value)
                if commands:
                    return ExamStep(step, commands, model, node, len(prefix))
        return None

    def _unrecognised(self, job: Job) -> Iterator[ExamStep]:
        """The steps of a job that is an exam by name alone.

        They run the repository's own programs, or look at content that a checkout brought and can fail.
        """
        at_hand = False
        for step in job.steps:
            if step.uses is not None:
                model = self.knowledge.actions.find(step.uses.value)
                at_hand = at_hand or (model is not None and model.role in _BRINGS_CONTENT)
                if model is None and at_hand:
                    yield ExamStep(step)
            elif step.run is not None:
                script = step.run.value
                if self._runs_own(script) or (at_hand and says_it_fails(script)):
                    yield ExamStep(step)

    def _runs_own(self, script: str) -> bool:
        """Whether a script runs anything beyond housekeeping."""
        return script.lstrip().startswith("${{") or not self.knowledge.exams.is_housekeeping(script)

    def aggregates(self, role: JobRole, exams: set[str], is_required: bool) -> bool:
        """Whether a job settles the gate from what exams it needs said; one that must pass does by itself."""
        job = role.job
        if exams.isdisjoint(needed_by(job)):
            return False
        for step in job.steps:
            model = self.knowledge.actions.used_by(step)
            if model is not None and model.role == "aggregator":
                return True
        if is_required and not role.is_exam:
            return True
        may_settle = is_required or _role_of(job) is not NameRole.NONE
        return may_settle and any(map(mentions_results, job.steps))


def _image_runs(step: Step) -> Mapping[str, str]:
    """A step that starts an image runs its `args`, behind the `entrypoint` where there is one."""
    given = {name.lower(): node for name, node in step.with_}
    program = given.get("entrypoint")
    return {"args": f"{program.value} " if isinstance(program, Scalar) else "", "entrypoint": ""}


def does_nothing(knowledge: Knowledge, job: Job) -> bool:
    """Whether a job runs scripts alone, and none that could check anything."""
    scripts = [step.run for step in job.steps]
    keeps_house = knowledge.exams.is_housekeeping
    return bool(scripts) and all(script is not None and keeps_house(script.value) for script in scripts)


def _stem(uses: str) -> str:
    """The name of a reusable workflow's file without its extension."""
    return posixpath.splitext(posixpath.basename(uses.split("@", 1)[0]))[0]


def _ships(name: str) -> bool:
    return role_of_name(name) is NameRole.NONE or is_qualified(name)


def _role_of(job: Job) -> NameRole:
    """What a job's id and name say together: a word that makes it none counts wherever it stands."""
    names = [job.id, *([job.name.value] if job.name is not None else [])]
    found = [role_of_name(name) for name in names]
    if found[0] is NameRole.EXAM and NameRole.NONE in found and only_reports(names[-1]):
        # A test that reports besides is still a test, where its id says so.
        return NameRole.EXAM
    for role in (NameRole.NONE, NameRole.EXAM, NameRole.DOCUMENTATION, NameRole.WEAK_EXAM):
        if role in found:
            return role
    return NameRole.SILENT
