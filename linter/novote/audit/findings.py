"""From what claims do, under every event, to findings: one for each cause, with its way and a witness."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from novote.audit.claims import Effect, told_atoms
from novote.audit.required import NOT_REQUIRED
from novote.audit.sites import Site
from novote.audit.wording import Wording, wording
from novote.config.model import Config
from novote.flow.exam_decision import ExamDecision
from novote.flow.labels import step_label
from novote.flow.places import part_of, reading
from novote.flow.slots import Slot, TrailStep, trail, trail_to
from novote.flow.unit import ACTION_JOB
from novote.knowledge.rules import Rule, Rules
from novote.model import Claim, Decision, Finding, Hop, Location, Severity, SourceText, Span, Witness

if TYPE_CHECKING:
    from novote.flow.gating import Gating

_Key = tuple[str, str, str, str, str, str]


class Reporter(NamedTuple):
    """What is needed to word and place the findings of one file; `sources` are those of the repository."""

    sources: Mapping[str, SourceText]
    rules: Rules
    config: Config
    gating: Gating | None = None

    def findings(self, effects: Iterable[Effect], compensated: Mapping[int, bool]) -> Iterator[Finding]:
        """One finding for each job, claim, kind of decision and polarity.

        `compensated` says of each effect, by identity, whether the merge queue runs its exam unconditionally.
        """
        groups: defaultdict[_Key, list[Effect]] = defaultdict(list)
        for effect in effects:
            where = (effect.site.slot.file, effect.site.job.id)
            cause = (effect.claim.kind, _asked(effect.claim), effect.kind, effect.polarity)
            groups[(*where, *cause)].append(effect)
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
            return Severity.NOTE, NOT_REQUIRED
        if all(effect.authorised for effect in group):
            return Severity.NOTE, "Who asks for it was identified before, so this is a note."
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
        """Whether a required check is some exam of the group, or waits for it; without a list all are."""
        return self.gating is None or any(self._is_waited_for(effect, self.gating) for effect in group)

    def _is_waited_for(self, effect: Effect, gating: Gating) -> bool:
        site, decision = effect.site, effect.decision
        outer = gating.is_waited_for(site.slot.file, site.job.id) if effect.within else True
        return outer and gating.is_waited_for(decision.slot.file, decision.job.id)

    def at(self, slot: Slot) -> Location:
        """Where a slot is written; the file's beginning for a place that no scalar holds."""
        return Location(slot.file, slot.node.span if slot.node is not None else Span(0, 0))

    def place(self, effect: Effect) -> Location:
        """Where a finding stands: at its site, narrowed to the part that decides."""
        return self._part(effect.site, effect.decision)

    def _part(self, site: Site, decision: ExamDecision) -> Location:
        span = decision.span if site.slot is decision.slot else None
        return Location(site.slot.file, part_of(self.sources[site.slot.file], site.node, span))

    def _flow(self, effect: Effect, place: Location, words: Wording) -> tuple[Hop, ...]:
        inner = trail_to(effect.inner.slot, effect.site.slot) if effect.inner is not None else ()
        way = (*inner, *trail(effect.site.slot, effect.origin, _hinging(effect)))
        hops = [self._reading(way[-1], words)] if way else []
        for step in reversed(way[1:]):
            hop = self._passing(step)
            if hop is not None and hop.location != hops[-1].location:
                hops.append(hop)
        site = effect.site
        if site.node.anchor_span is not None:
            hops.append(Hop(Location(site.slot.file, site.node.anchor_span), "is written at this anchor"))
        if effect.inner is not None:
            place = self._part(effect.inner, effect.decision)
        return (*hops, Hop(place, words.verdict))

    def _reading(self, step: TrailStep, words: Wording) -> Hop:
        return Hop(self._read_at(step), f"{words.source}: the author writes it")

    def _read_at(self, step: TrailStep) -> Location:
        """Where an expression or a script reads what leads on."""
        slot, read = step.slot, step.read
        if read.span is None or slot.node is None:
            return Location(slot.file, self._span_of(slot, read.path))
        if read.file:
            return Location(read.file, read.span)
        return Location(slot.file, part_of(self.sources[slot.file], slot.node, read.span))

    def _span_of(self, slot: Slot, path: tuple[str, ...]) -> Span:
        if slot.node is None:
            return Span(0, 0)
        return reading(self.sources[slot.file], slot.node, path, is_condition=slot.cond is not None)

    def _passing(self, step: TrailStep) -> Hop | None:
        if step.slot.node is None:
            return None
        return Hop(self._read_at(step), f"{step.slot.what} is made of it")

    def _related(self, first: Effect, group: Sequence[Effect]) -> Iterator[Hop]:
        place = self.place(first)
        seen = {(place, first.decision.job.id), (place, "")}
        if first.inner is not None:
            seen.add((self._part(first.inner, first.decision), first.decision.job.id))
        for effect in sorted(group, key=_prominence):
            for key, hop in self._hops(effect):
                if (hop.location, key) not in seen:
                    seen.add((hop.location, key))
                    yield hop

    def _hops(self, effect: Effect) -> Iterator[tuple[str, Hop]]:
        """The places at which an effect shows, each with the job it is told for."""
        decision, site, job = effect.decision, effect.site, effect.decision.job
        if effect.inner is not None:
            yield "", Hop(self.place(effect), f"the same claim decides here too: {_where(site)}")
            site = effect.inner
        if (site.slot.file, site.job.id) != (decision.slot.file, job.id):
            place = Location(decision.slot.file, job.key.span)
            yield job.id, Hop(place, f"job `{job.id}` depends on it")
        else:
            place = self._part(site, decision)
            yield job.id, Hop(place, f"the same claim decides here too: {_where(site)}")


# What a change has one of, whoever asks for it by whatever request.
_SINGLE = frozenset({"title", "body", "label", "milestone", "branch"})


def _asked(claim: Claim) -> str:
    """What tells a claim from others of its kind: the marker, or where it is read."""
    if claim.value is not None:
        return claim.value.lower()
    return "\0" if claim.kind in _SINGLE else f"\0{claim.text}"


def _hinging(effect: Effect) -> Callable[[Slot], bool]:
    """Tells the places whose value changes with the claim, by way of other jobs and steps too."""
    told = told_atoms(effect.cut)[0] if effect.cut is not None else None
    owner = effect.site.owner

    def hinges(slot: Slot) -> bool:
        if told is None:
            return False
        conds = (slot.cond,) if slot.cond is not None else (guard for guard, _ in slot.value.alternatives)
        return any(owner.expanded(cond).depends_on(told) for cond in conds)

    return hinges


def _prominence(effect: Effect) -> tuple[bool, bool, int]:
    """Conditions of jobs stand for those of their steps, then the order of the file counts."""
    start = effect.site.node.span.start
    if effect.site.slot is effect.decision.slot and effect.decision.span is not None:
        start += effect.decision.span.start
    elsewhere = effect.inner is not None or effect.site.job.id != effect.decision.job.id
    return effect.site.step is not None, elsewhere, start


def _step_name(site: Site) -> str | None:
    if site.step is None:
        return None
    for node in (site.step.id, site.step.name):
        if node is not None:
            return node.value
    return None


def _where(site: Site) -> str:
    return site.slot.what if site.step is None else step_label(site.step)


def _witness(effect: Effect, words: Wording) -> Witness | None:
    if effect.cut is None or effect.polarity == "choose":
        return None
    return Witness(effect.case.event, words.assignment, words.without, words.with_)
