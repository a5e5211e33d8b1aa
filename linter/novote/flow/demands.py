"""What gates ask of the jobs they need: whose result has a say in whether the change passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from novote.flow.needs import asks_for_status, by_name, needed_by, waited_for
from novote.knowledge.actions import Actions
from novote.source.nodes import Scalar
from novote.workflow.keys import scalars
from novote.workflow.model import Job, Step

_FAILS = re.compile(r"\bexit\s+(?:[1-9$]|\"\$)|::error|\bfalse\s*$|\bthrow\b|setFailed", re.MULTILINE)
_EVERY = re.compile(r"needs\.\*|tojson\(\s*needs\s*\)")
_NEED = r"needs(?:\.([a-z_][\w-]*)|\[\s*['\"]([\w-]+)['\"]\s*\])"
_RESULT = re.compile(_NEED + r"\.result")
_OUTPUTS = re.compile(_NEED + r"\.outputs")


def demanded(jobs: Sequence[Job], actions: Actions, may_settle: Callable[[Job], bool]) -> frozenset[str]:
    """The ids, lower case, of the jobs without whose success some gate fails, and of which only that counts.

    `may_settle` says whether a job can be a gate by its name. A job that a gate asks for, and that runs
    whatever became of those it needs itself, speaks for these. Whose outputs others read is left out: it is
    there for them.
    """
    named = by_name(jobs)
    asked = [name for job in named.values() if may_settle(job) for name in _asked_by(job, actions)]
    found = {job.id.lower() for job in waited_for(named, asked, asks_for_status)}
    return frozenset(found - _selecting(named.values()) if found else ())


def _selecting(jobs: Iterable[Job]) -> set[str]:
    """The jobs whose outputs others read."""
    texts = (node.value.lower() for job in jobs for node in scalars(job.node) if "outputs" in node.value)
    return {one or other for text in texts for one, other in _OUTPUTS.findall(text)}


def _asked_by(gate: Job, actions: Actions) -> Iterator[str]:
    """The needed jobs whose results a job looks at where it can fail."""
    needed = needed_by(gate)
    for step in gate.steps if needed else ():
        model = actions.used_by(step)
        if model is not None and model.role == "aggregator":
            yield from needed
        elif can_fail(step) and mentions_results(step):
            text = " ".join(_texts(step)).lower()
            named = {one or other for one, other in _RESULT.findall(text)}
            yield from (name for name in needed if name in named or _EVERY.search(text) is not None)


def _texts(step: Step) -> Iterator[str]:
    for node in (step.run, step.if_, *(value for _, value in step.env)):
        if isinstance(node, Scalar):
            yield node.value


def mentions_results(step: Step) -> bool:
    """Whether a step looks at the results of the jobs that its job needs."""
    return any("needs" in text and ("result" in text or "toJSON(needs)" in text) for text in _texts(step))


def can_fail(step: Step) -> bool:
    """Whether a step's script says that it fails."""
    return step.run is not None and says_it_fails(step.run.value)


# A script is asked about once for each event.
@lru_cache(maxsize=1024)
def says_it_fails(script: str) -> bool:
    """Whether a script says that it fails."""
    return _FAILS.search(script) is not None
