"""From what claims do, under every event, to findings: one for each cause, with its way and a witness."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from novote.audit.claims import Effect, Site
from novote.audit.wording import Wording, wording
from novote.config.model import Config
from novote.flow.evaluation import step_label
from novote.flow.places import part_of, reading
from novote.flow.slots import Slot, TrailStep, trail
from novote.flow.unit import ACTION_JOB
from novote.knowledge.rules import Rule, Rules
from novote.model import Decision, Finding, Hop, Location, Severity, SourceText, Span, Witness
from novote.workflow.model import Job

_Key = tuple[str, str, str, str, str]


class Reporter(NamedTuple):
    """What is needed to word and place the findings of one file."""

    source: SourceText
    rules: Rules
    config: Config

    def findings(self, effects: Iterable[Effect], compensated: Mapping[int, bool]) -> Iterator[Finding]:
        """One finding for each job, claim, kind of decision and polarity.

        `compensated` says of each effect, by identity, whether the merge queue runs its exam unconditionally.
        """
        groups: defaultdict[_Key, list[Effect]] = defaultdict(list)
        for effect in effects:
            claim = effect.claim
            marker = claim.value.lower() if claim.value is not None else f"\0{claim.text}"
            groups[(effect.site.job.id, claim.kind, marker, effect.kind, effect.polarity)].append(effect)
        for group in groups.values():
            rule = self.rules.match(group[0].kind, group[0].polarity, group[0].claim.kind)
            if rule is not None:
                yield self._finding(rule, group, all(compensated[id(effect)] for effect in group))

    def _finding(self, rule: Rule, group: Sequence[Effect], queue_runs_it: bool) -> Finding:
        first = min(group, key=_prominence)
        place = self.place(first)
        events = tuple(dict.fromkeys(effect.case.event for effect in group))
        words = wording(first, group)
        severity, why = self._severity(rule, group, queue_runs_it)
        message = rule.message.format_map(words.slots())
        return Finding(
            rule=rule.id,
            severity=severity,
            message=f"{message[:1].upper()}{message[1:]} {why}".rstrip(),
            location=place,
            confidence=rule.confidence,
            job=None if first.site.job.id == ACTION_JOB else first.site.job.id,
            step=_step_name(first.site),
            claim=first.claim,
            decision=Decision(first.kind, first.polarity, events),
            witness=_witness(first, words),
            flow=self._flow(first, place, words),
            related=tuple(self._related(first, group)),
        )

    def _severity(self, rule: Rule, group: Sequence[Effect], queue_runs_it: bool) -> tuple[Severity, str]:
        """How severe a finding is, and a sentence that says why where it is milder than its rule."""
        if group[0].polarity == "opt-in" and not self._is_required(group):
            return Severity.NOTE, "No required check waits for it, so this is a note."
        severity = rule.strict_severity if self.config.strict and rule.strict_severity else rule.severity
        milder = self._milder(group, queue_runs_it)
        return (severity.lowered(), f"{milder}, so this is one level milder.") if milder else (severity, "")

    def _milder(self, group: Sequence[Effect], queue_runs_it: bool) -> str:
        """Why a finding is one level milder, as a clause; empty where it is not."""
        if queue_runs_it and self.config.queue_compensates:
            return "The merge queue runs it all the same"
        after_merge = all(effect.case.reach == "after-merge" for effect in group)
        return "It runs only after the merge" if after_merge else ""

    def _is_required(self, group: Sequence[Effect]) -> bool:
        """Whether some exam of the group is a required check; without a list of them all are."""
        required = self.config.required_checks
        if required is None:
            return True
        names = {name for effect in group for name in _check_names(effect.decision.job)}
        return any(check in names or check.split(" / ")[0] in names for check in required)

    def at(self, slot: Slot) -> Location:
        """Where a slot is written; the file's beginning for a place that no scalar holds."""
        return Location(self.source.file, slot.node.span if slot.node is not None else Span(0, 0))

    def place(self, effect: Effect) -> Location:
        """Where a finding stands: at its site, narrowed to the part that decides."""
        own = effect.site.slot is effect.decision.slot
        span = effect.decision.span if own else None
        return Location(self.source.file, part_of(self.source, effect.site.node, span))

    def _flow(self, effect: Effect, place: Location, words: Wording) -> tuple[Hop, ...]:
        way = trail(effect.site.slot, effect.origin)
        hops = [self._reading(way[-1], words)] if way else []
        for step in reversed(way[1:]):
            hop = self._passing(step)
            if hop is not None and hop.location != hops[-1].location:
                hops.append(hop)
        site = effect.site.node
        if site.anchor_span is not None:
            hops.append(Hop(Location(self.source.file, site.anchor_span), "is written at this anchor"))
        return (*hops, Hop(place, words.verdict))

    def _reading(self, step: TrailStep, words: Wording) -> Hop:
        span = self._span_of(step.slot, step.read.path)
        return Hop(Location(self.source.file, span), f"{words.source}: the author writes it")

    def _span_of(self, slot: Slot, path: tuple[str, ...]) -> Span:
        if slot.node is None:
            return Span(0, 0)
        return reading(self.source, slot.node, path, is_condition=slot.cond is not None)

    def _passing(self, step: TrailStep) -> Hop | None:
        if step.slot.node is None:
            return None
        span = self._span_of(step.slot, step.read.path)
        return Hop(Location(self.source.file, span), f"{step.slot.what} is made of it")

    def _related(self, first: Effect, group: Sequence[Effect]) -> Iterator[Hop]:
        seen = {(self.place(first), first.decision.job.id)}
        for effect in sorted(group, key=_prominence):
            place = self.place(effect)
            job = effect.decision.job
            if effect.site.job.id != job.id:
                place = Location(self.source.file, job.key.span)
                note = f"job `{job.id}` depends on it"
            else:
                note = f"the same claim decides here too: {_where(effect)}"
            if (place, job.id) not in seen:
                seen.add((place, job.id))
                yield Hop(place, note)


def _check_names(job: Job) -> tuple[str, ...]:
    return (job.id,) if job.name is None else (job.id, job.name.value)


def _prominence(effect: Effect) -> tuple[bool, bool, int]:
    """Conditions of jobs stand for those of their steps, then the order of the file counts."""
    start = effect.site.node.span.start
    if effect.site.slot is effect.decision.slot and effect.decision.span is not None:
        start += effect.decision.span.start
    return effect.site.step is not None, effect.site.job.id != effect.decision.job.id, start


def _step_name(site: Site) -> str | None:
    if site.step is None:
        return None
    for node in (site.step.id, site.step.name):
        if node is not None:
            return node.value
    return None


def _where(effect: Effect) -> str:
    return effect.site.slot.what if effect.site.step is None else step_label(effect.site.step)


def _witness(effect: Effect, words: Wording) -> Witness | None:
    if effect.cut is None or effect.polarity == "choose":
        return None
    return Witness(effect.case.event, words.assignment, words.without, words.with_)
