"""What becomes of a workflow when some of its jobs end in a given way, or put out a given text.

Every other job runs and succeeds where its condition lets it, with nothing said by the author of the change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Object, Value, without_claims
from novote.flow.cases import EventCase
from novote.flow.evaluation import Evaluation, cond_of
from novote.flow.needs import asks_for_status
from novote.flow.slots import Slot
from novote.flow.unit import Unit
from novote.flow.world import World
from novote.workflow.model import Job, Step

Result = Literal["success", "failure", "cancelled", "skipped"]
_NO_OUTPUTS: Final[Mapping[tuple[str, str], str]] = {}


class Supposed(Evaluation):
    """An evaluation in which every job has a known result.

    `results` are those that are supposed, by lower-cased id, `outputs` the outputs, by id and name. Where the
    outputs of all needed jobs are read together, those that nobody knows hold `said`, and `guessed` is set.
    """

    def __init__(
        self,
        unit: Unit,
        case: EventCase,
        world: World,
        results: Mapping[str, Result],
        outputs: Mapping[tuple[str, str], str] = _NO_OUTPUTS,
        said: str = "true",
    ) -> None:
        super().__init__(unit, case, world)
        self._results: dict[str, Result] = dict(results)
        self._outputs = outputs
        self._said = said
        self.guessed = False

    def result(self, job: Job) -> Result:
        """How a job ends."""
        name = job.id.lower()
        if name not in self._results:
            # Jobs that wait for each other never run; whichever is asked first is taken to have.
            self._results[name] = "success"
            if self._never_runs(job):
                self._results[name] = "skipped"
        return self._results[name]

    def _never_runs(self, job: Job) -> bool:
        if not asks_for_status(job):
            # Without a word on how others ended it waits for their success, whatever else it asks.
            if any(self.result(other) != "success" for other in self.needed(job)):
                return True
            if job.if_ is None:
                return False
        return self.settled(cond_of(self.job_condition(job))).is_false

    def settled(self, cond: Cond) -> Cond:
        """A condition in a run that nobody cancels, at a step before which nothing failed, without claims."""
        known = {
            atom: not atom.key.startswith("cancelled:") for atom in cond.support() if atom.test == "status"
        }
        return without_claims(cond.restrict(known))

    def ran(self, job: Job, step: Step | None = None) -> Cond:
        """Whether a job runs, which is known; a step as ever."""
        if step is not None:
            return super().ran(job, step)
        return self.universe.constant(self.result(job) != "skipped")

    def passed(self, name: str) -> Cond:
        """Whether a job passes, which is known; a step as ever."""
        job = self.jobs.get(name.lower())
        return super().passed(name) if job is None else self.universe.constant(self.result(job) == "success")

    def cancelled(self, name: str) -> Cond:
        """Whether a job is cancelled, which is known; a step as ever."""
        job = self.jobs.get(name.lower())
        return (
            super().cancelled(name)
            if job is None
            else self.universe.constant(self.result(job) == "cancelled")
        )

    def output(self, job: Job, name: str) -> Slot | None:
        """An output of a job, as it is supposed."""
        text = self._outputs.get((job.id.lower(), name))
        found = super().output(job, name)
        return found if text is None or found is None else found._replace(value=Value.of(self.universe, text))

    def known_needs(self, job: Job) -> Object | None:
        """The context `needs` as a whole."""
        needed = (self.jobs.get(need.id.lower()) for need in job.needs)
        return Object(
            tuple(
                (each.id, Object((("result", self.result(each)), ("outputs", self._known_outputs(each)))))
                for each in needed
                if each is not None
            )
        )

    def _known_outputs(self, job: Job) -> Object:
        slots = ((name, self.output(job, name.lower())) for name, _ in job.outputs)
        return Object(tuple((name, self._said_in(slot.value)) for name, slot in slots if slot is not None))

    def _said_in(self, value: Value) -> Content:
        content = value.single if value.is_single else None
        if isinstance(content, str):
            return content
        self.guessed = True
        return self._said
