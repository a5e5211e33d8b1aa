"""Audits a repository's workflow and action files: from text to a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from novote.audit.claims import Effect, Judgement, judge
from novote.audit.findings import Reporter
from novote.audit.finish import finish
from novote.audit.settings import InputFile, Settings
from novote.audit.structure import draft_findings, unknown_findings
from novote.audit.suppress import MARK, Directive, directives
from novote.flow.cases import EventCase
from novote.flow.decisions import ExamDecision, decisions
from novote.flow.evaluation import Evaluation, World
from novote.flow.repository import Repository, View
from novote.knowledge import Knowledge, builtin
from novote.model import DecisionCounts, Finding, Problem, Report, SourceText
from novote.source.yaml import Document, parse
from novote.workflow.bind import bind
from novote.workflow.model import Action, Workflow

# Nobody writes a change by these, and none of them carries a claim.
_WITHOUT_CLAIMS = frozenset({"schedule", "workflow_dispatch"})
_NOT_ABOUT_A_CHANGE = frozenset({"issues", "discussion", "discussion_comment", "watch", "fork", "gollum"})


@dataclass
class Audit:
    """One run over one repository's files."""

    settings: Settings
    knowledge: Knowledge
    documents: dict[str, Document] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    counts: DecisionCounts = DecisionCounts()

    def read(self, files: Sequence[InputFile]) -> None:
        """Parses and binds every file; what cannot be read is a problem and stands in nobody's way."""
        for file in files:
            document = parse(file.source)
            self.documents[file.source.file] = document
            self.problems += document.problems
            bound = bind(document, file.source.file)
            self.problems += bound.problems
            if bound.view is not None:
                self.views[file.source.file] = bound.view

    def evaluate(self) -> None:
        """Judges every decision of every file; a fault in one file leaves the others."""
        repository = Repository(self.views, self.knowledge)
        for file in self.views:
            try:
                self._file(repository, file)
            except RecursionError:
                self.problems.append(_too_deep(file))
            except Exception as error:  # noqa: BLE001 - a fault of ours names the file and stops nothing else
                self.problems.append(_fault(file, error))

    def _file(self, repository: Repository, file: str) -> None:
        roles = repository.roles(file)
        if not any(role.is_exam or role.is_aggregator for role in roles):
            return
        source = self.documents[file].source
        world = World(self.knowledge, repository.anyone_dispatches)
        judged: list[tuple[Evaluation, ExamDecision, Judgement]] = []
        for case in _worth_evaluating(repository.cases(file)):
            evaluation = Evaluation(repository.unit(file), case, world)
            for decision in decisions(evaluation, roles):
                judged.append((evaluation, decision, judge(evaluation, decision)))
        if not judged:
            self.counts += _all_free(repository, file, world)
            return
        self.counts += _counted(judged)
        reporter = Reporter(source, self.knowledge.rules, self.settings.config)
        queue = _clean_in_queue(judged)
        effects = [effect for _, _, judgement in judged for effect in judgement.effects]
        self.findings += reporter.findings(effects, {id(e): _place_of(e.decision) in queue for e in effects})
        self.findings += draft_findings(reporter, judged)
        self.findings += unknown_findings(reporter, judged)


def audit(files: Sequence[InputFile], settings: Settings) -> Report:
    """The report on some files of one repository."""
    knowledge = builtin()
    run = Audit(settings, knowledge)
    run.read(files)
    run.evaluate()
    sources = {file: document.source for file, document in run.documents.items()}
    findings = finish(run.findings, _directives(run.documents.values()), sources, settings, knowledge.rules.ids)
    problems = tuple(sorted(run.problems, key=lambda p: (p.file, p.span.start if p.span else 0, p.kind)))
    used = {place.file for finding in findings for place in finding.places()} | {p.file for p in problems}
    return Report(
        len(files), findings, problems, run.counts, {name: sources[name] for name in sorted(used) if name in sources}
    )


def _directives(documents: Iterable[Document]) -> Iterator[Directive]:
    for document in documents:
        if MARK in document.source.text:
            yield from directives(document.source, [comment.span for comment in document.comments(MARK)])


def _worth_evaluating(cases: Sequence[EventCase]) -> list[EventCase]:
    return [
        case for case in cases if case.event not in _WITHOUT_CLAIMS and case.event not in _NOT_ABOUT_A_CHANGE
    ]


def _place_of(decision: ExamDecision) -> tuple[object, ...]:
    """What names a decision across events."""
    step = decision.step.index if decision.step is not None else None
    node = decision.node.span if decision.node is not None else None
    return decision.job.id, step, decision.aspect, node, decision.span


def _clean_in_queue(judged: Sequence[tuple[Evaluation, ExamDecision, Judgement]]) -> set[tuple[object, ...]]:
    """The decisions that the merge queue takes without any claim, on jobs that run there."""
    clean, skipped = set(), set()
    for evaluation, decision, judgement in judged:
        if evaluation.case.event != "merge_group":
            continue
        if judgement.effects or judgement.unknown:
            skipped.add(decision.job.id) if decision.aspect == "job" else None
            continue
        if decision.slot.cond is not None and evaluation.expanded(decision.slot.cond).is_false:
            skipped.add(decision.job.id) if decision.aspect == "job" else None
            continue
        clean.add(_place_of(decision))
    return {place for place in clean if place[0] not in skipped}


def _counted(judged: Sequence[tuple[Evaluation, ExamDecision, Judgement]]) -> DecisionCounts:
    """Each decision once: claimed under any event, else unknown under any, else free."""
    state: dict[tuple[object, ...], int] = {}
    for _, decision, judgement in judged:
        place = _place_of(decision)
        state[place] = max(state.get(place, 0), 2 if judgement.effects else 1 if judgement.unknown else 0)
    values = list(state.values())
    return DecisionCounts(values.count(0), values.count(2), values.count(1))


def _all_free(repository: Repository, file: str, world: World) -> DecisionCounts:
    """The decisions of a file that runs under no event that carries a claim."""
    cases = repository.cases(file)
    if not cases:
        return DecisionCounts()
    evaluation = Evaluation(repository.unit(file), cases[0], world)
    return DecisionCounts(free=sum(1 for _ in decisions(evaluation, repository.roles(file))))


def _too_deep(file: str) -> Problem:
    return Problem(file, "too-deep", "This file is nested too deeply to be evaluated. Flatten its conditions.")


def _fault(file: str, error: Exception) -> Problem:
    text = f"novote failed on this file ({type(error).__name__}: {error}). Please report it."
    return Problem(file, "internal-error", text)


