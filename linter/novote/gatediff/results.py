"""What a gate lets through and did not, found by letting each job that it waits for end badly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from novote.audit.claims import judge
from novote.audit.findings import Reporter
from novote.audit.structure.matrices import empty_findings
from novote.audit.structure.seen import Seen, gates
from novote.config.model import Config
from novote.flow.decisions import decisions
from novote.flow.evaluation import Evaluation
from novote.flow.supposed import Result
from novote.flow.world import World
from novote.gatediff.affected import affected
from novote.gatediff.gates import Gate, ends, gates_of, partner_of
from novote.gatediff.model import Shrink, Side
from novote.gatediff.naming import listed, quoted
from novote.model import Finding, Hop, Location
from novote.workflow.model import Job

_INSTEAD: Final = "Let it fail on all it failed on"
_MOST: Final = 40
_BAD: Final[Mapping[Result, str]] = {
    "failure": "failed",
    "cancelled": "was cancelled",
    "skipped": "was skipped",
}


def let_through(before: Side, after: Side) -> Iterator[Shrink]:
    """Gates that pass where they failed, one finding a gate with all that it lets through."""
    files = affected(before, after)
    for gate in gates_of(before, files):
        partner = partner_of(gate, after, files)
        if partner is None or ends(before, gate, {}).fails:
            continue
        found = []
        for job, other in _both(gate, partner):
            stopped = [result for result in _BAD if ends(before, gate, {job.id: result}).fails]
            ways = [_BAD[result] for result in stopped if ends(after, partner, {other.id: result}).passes]
            found += [f"job {quoted(other.id)} {' or '.join(ways)}"] if ways else []
        if found:
            what = f"job {quoted(partner.job.id)} passes where {listed(found)}"
            place = Location(partner.file, (partner.job.if_ or partner.job.key).span)
            hop = Hop(before.named(Location(gate.file, gate.job.key.span)), "it failed here")
            yield Shrink("accepted", what, _INSTEAD, place, (hop,), job=partner.job.id)


def _both(gate: Gate, partner: Gate) -> Iterator[tuple[Job, Job]]:
    """The jobs that a gate needs before and after; one that is called otherwise where there is only one."""
    olds, news = _needed(gate), _needed(partner)
    yield from ((job, news[name]) for name, job in olds.items() if name in news)
    lost = [job for name, job in olds.items() if name not in news]
    come = [job for name, job in news.items() if name not in olds]
    if len(lost) == len(come) == 1:
        yield lost[0], come[0]


def _needed(gate: Gate) -> dict[str, Job]:
    return {job.id.lower(): job for job in gate.needs[:_MOST]}


def emptied(before: Side, after: Side) -> Iterator[Shrink]:
    """Selections of nothing that pass in the change, where there were fewer such in the base."""
    files = affected(before, after)
    old, new = (list(_empty(side, files)) for side in (before, after))
    known = {finding.job for finding in old}
    fresh = [finding for finding in new if finding.job not in known]
    for finding in fresh[: max(len(new) - len(old), 0)]:
        what = finding.message.split(". ")[0].rstrip(".")
        events = finding.decision.events if finding.decision is not None else ()
        yield Shrink("accepted", what, _INSTEAD, finding.location, events=events, job=finding.job)


def _empty(side: Side, files: Iterable[str]) -> Iterator[Finding]:
    repository = side.repository
    for file in sorted(files):
        unit = repository.open(file).unit if file in repository.sources else None
        case = next((case for case in repository.cases(file) if gates(case)), None) if unit else None
        if unit is None or case is None or not any(job.needs for job in unit.jobs):
            continue
        roles = repository.roles(file)
        evaluation = Evaluation(unit, case, World(repository.knowledge, repository=repository))
        judged = [(evaluation, each, judge(evaluation, each)) for each in decisions(evaluation, roles)]
        reporter = Reporter(repository.texts, repository.knowledge.rules, Config())
        yield from empty_findings(Seen(repository, file, roles, judged, reporter))
        evaluation.close()
