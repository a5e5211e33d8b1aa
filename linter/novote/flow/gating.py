"""Which jobs gate: those whose checks must pass before a merge, and those that such jobs wait for."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from novote.flow.cases import UNKNOWN_CALLER
from novote.flow.check_names import Place, Published, base_name, checks_of
from novote.flow.needs import by_name, needed_by
from novote.flow.required import Required
from novote.nearest import nearest
from novote.workflow.model import Action, Job

if TYPE_CHECKING:
    from novote.flow.repository import Repository

# How GitHub's pages show under which event a check ran; that is no part of its name.
_WITH_EVENT: Final = re.compile(r" \((?:pull_request|pull_request_target|merge_group|push)\)$")
_PUBLISHING: Final = frozenset({"pull_request", "pull_request_target", "merge_group", "push"})
"""The events whose runs publish checks on the commit of a change."""


class Gate(NamedTuple):
    """Why a job gates: a required check, who requires it, and whether the job publishes it itself.

    `check` is empty where the whole workflow is required. `guessed` says that the names do not quite agree.
    """

    check: str
    source: str
    direct: bool = True
    guessed: bool = False

    def words(self, job: str) -> str:
        """That a job gates, as a sentence; empty where that is a guess."""
        if self.guessed:
            return ""
        if not self.direct:
            waiting = f"the check `{self.check}`" if self.check else "a job of a workflow"
            return f"Job `{job}` is waited for by {waiting}, which is required by {self.source}."
        named = "" if self.check == job else f", as `{self.check}`" if self.check else " with its workflow"
        return f"Job `{job}` is required by {self.source}{named}."


class Gating:
    """The jobs of a repository that gate.

    `unpublished` are the required checks that no job publishes, each with the name of one that may be meant.
    """

    def __init__(self, repository: Repository, required: Required) -> None:
        self._repository = repository
        self._gates: dict[Place, Gate] = {}
        self._whole: set[Place] = set()
        self.unpublished: dict[str, str | None] = {}
        starting = [file for file in repository.sources if _publishes(repository, file)]
        published = [check for file in starting for check in checks_of(repository, file)]
        for file, source in required.workflows.items():
            for name in self._jobs(file) if file in repository.sources else ():
                self._spread([(file, name)], Gate("", source))
        checks = required.checks or {}
        missing = [name for name in checks if not self._found(name, checks[name], published)]
        for name in missing:
            self._guess(name, checks[name], published)

    @property
    def is_empty(self) -> bool:
        """Whether no job is known to gate: what is required is made elsewhere, or misspelt throughout."""
        return not self._gates

    def gate(self, file: str, job: str) -> Gate | None:
        """Why a job gates; None where it does not, or nobody can say."""
        return self._gates.get((file, job.lower()))

    def is_waited_for(self, file: str, job: str) -> bool:
        """Whether a job gates, or may: actions and workflows for other repositories serve who calls them."""
        if self.gate(file, job) is not None or isinstance(self._repository.open(file).view, Action):
            return True
        return UNKNOWN_CALLER in self._repository.cases(file)

    def must_pass(self, file: str, job: str) -> bool:
        """Whether a job's own check must pass before a merge."""
        gate = self.gate(file, job)
        return gate is not None and gate.direct and not gate.guessed

    def required_jobs(self, file: str) -> frozenset[str]:
        """The ids, lower case, of the jobs of a file whose checks are required under their very names."""
        return frozenset(job for place, job in self._gates if place == file and self.must_pass(file, job))

    def _found(self, name: str, source: str, published: Sequence[Published]) -> bool:
        """Spreads from the jobs that publish a check; False where none does."""
        found = [check for check in published if check.name.known == name]
        found = found or [check for check in published if check.name.weight and check.name.may_be(name)]
        for check in found:
            self._spread(check.jobs, Gate(name, source))
        return bool(found)

    def _guess(self, name: str, source: str, published: Sequence[Published]) -> None:
        """Spreads from the jobs that a required check may mean although no check is called so."""
        nameless = [check for check in published if not check.name.weight]
        meant = [check for check in published if self._may_mean(name, check)]
        for check in (*meant, *nameless):
            self._spread(check.jobs, Gate(name, source, guessed=True))
        if not nameless:
            known = [check.name.known for check in meant or published]
            near = [each for each in known if each is not None]
            self.unpublished[name] = next(iter(near), None) if meant else nearest(name, near)

    def _may_mean(self, name: str, check: Published) -> bool:
        """Whether a name is a check's but for its case, a matrix, the workflow's name or the event's."""
        file, job = check.jobs[0]
        own = self._jobs(file)[job]
        names = {own.id, base_name(own)}
        spelled = [*names, *([check.name.known] if check.name.known else [])]
        unit = self._repository.open(file).unit
        if unit is not None:
            spelled += [f"{workflow} / {each}" for workflow in unit.names for each in tuple(spelled)]
        bare = _WITH_EVENT.sub("", name)
        return name.partition(" / ")[0] in names or bare.lower() in map(str.lower, spelled)

    def _jobs(self, file: str) -> Mapping[str, Job]:
        unit = self._repository.open(file).unit
        return by_name(unit.jobs) if unit is not None else {}

    def _spread(self, jobs: Sequence[Place], gate: Gate) -> None:
        """Lets jobs gate, and all that they wait for; of the callers among them only they themselves."""
        waiting = deque((place, gate, place == jobs[-1]) for place in jobs)
        while waiting:
            place, why, whole = waiting.popleft()
            known = self._gates.get(place)
            is_better = known is None or (why.direct and not why.guessed and not known.direct)
            if not is_better and (place in self._whole or not whole):
                continue
            if is_better:
                self._gates[place] = why
            if whole:
                self._whole.add(place)
            waited = why._replace(direct=False)
            waiting += ((each, waited, True) for each in self._before(place, whole))

    def _before(self, place: Place, whole: bool) -> Iterator[Place]:
        """What a job waits for: the jobs it needs, and where all that it calls counts, the jobs of that."""
        file, name = place
        job = self._jobs(file).get(name)
        if job is None:
            return
        yield from ((file, needed) for needed in needed_by(job))
        callee = self._repository.resolve(job.uses.value) if whole and job.uses is not None else None
        if callee is not None:
            yield from ((callee, inner) for inner in self._jobs(callee))


def _publishes(repository: Repository, file: str) -> bool:
    """Whether a workflow starts by itself for a change, and so publishes checks on it."""
    cases = repository.cases(file)
    return any(not c.called and c.event in _PUBLISHING and c.reach == "before-merge" for c in cases)
