"""Audits the workflow and action files of one repository: from text to a report."""

from __future__ import annotations

import sys
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Sequence

from novote.audit.beside import NOTHING_BESIDE, Beside, written_in
from novote.audit.callers import Judged, judged_calls
from novote.audit.claims import judge
from novote.audit.findings import Reporter
from novote.audit.finish import finish
from novote.audit.pool import shared, worth_sharing
from novote.audit.queue import compensated, place_of
from novote.audit.required import remarks, required_by
from novote.audit.settings import Settings, Tree
from novote.audit.structure.across import Facts, findings_across
from novote.audit.structure.checks import structural_findings
from novote.audit.structure.names import published
from novote.audit.structure.owners import gate_files
from novote.audit.structure.seen import Seen
from novote.audit.suppress import MARK, Directive, Reach
from novote.config.model import ADDITIONS, ADDITIONS_FOLDER, Config
from novote.flow.cases import EventCase
from novote.flow.decisions import decisions
from novote.flow.evaluation import Evaluation
from novote.flow.gates import posts
from novote.flow.repository import QUEUE, Repository
from novote.flow.world import World
from novote.knowledge import Knowledge, builtin
from novote.model import BUG_KIND, DecisionCounts, Finding, Problem, Report, RuleInfo, SourceText, Span
from novote.record import changed
from novote.source.nodes import Scalar
from novote.source.yaml import Document

RECURSION_LIMIT = 20_000
# Under these nobody's change is judged, or none of its author's words arrive.
_WITHOUT_CLAIMS = frozenset(
    {"schedule", "workflow_dispatch", "issues", "discussion", "discussion_comment", "watch", "fork", "gollum"}
)


class Outcome:
    """What was found in some files, before suppressions and the baseline are applied."""

    __slots__ = ("counts", "directives", "facts", "findings", "problems")

    def __init__(self, problems: Iterable[Problem] = (), directives: Iterable[Directive] = ()) -> None:
        self.findings: list[Finding] = []
        self.facts: list[Facts] = []
        self.problems = list(problems)
        self.directives = list(directives)
        self.counts = DecisionCounts()

    def add(self, other: Outcome) -> None:
        """Takes in what was found in other files."""
        self.findings += other.findings
        self.facts += other.facts
        self.problems += other.problems
        self.directives += other.directives
        self.counts += other.counts


def audit(files: Sequence[SourceText], settings: Settings, beside: Beside = NOTHING_BESIDE) -> Report:
    """The report on some files of one repository, named from its root, or `-` for standard input.

    `beside` is what there is to say of the repository besides; it is finished together with the rest.
    """
    knowledge, problems = known_to(settings.tree)
    sources = {source.file: source for source in files}
    repository = Repository(sources, knowledge, settings.tree, required_by(settings))
    # Who shares the work shares what is known of the gate.
    gating = repository.gating
    workers = worth_sharing(len(files), settings.jobs)
    if workers > 1:
        outcome = Outcome()
        for part in shared(
            lambda names: audited(names, repository, settings.config),
            repository.together(),
            workers,
            lambda name: len(sources[name].text),
        ):
            outcome.add(part)
    else:
        outcome = audited(sources, repository, settings.config)
    outcome.findings += findings_across(outcome.facts, repository, knowledge.rules)
    outcome.problems += (*problems, *beside.problems)
    outcome.directives += beside.directives(sources)
    once = (*_each_once(outcome.findings), *beside.findings)
    # Whatever a finding points into is read when it is asked for, so the texts are not copied.
    texts = ChainMap(dict(beside.sources), repository.texts)  # type: ignore[arg-type]
    looked_for = knowledge.rules.of_workflows | beside.rules
    rules = knowledge.rules
    reach = Reach(rules.of_commits, beside.agreed)
    finished = finish(once, outcome.directives, texts, settings, rules.ids, looked_for, reach)
    findings = tuple(_mendable(finding, sources) for finding in finished)
    problems = tuple(sorted(outcome.problems, key=lambda problem: problem.order))
    used = {place.file for finding in findings for place in finding.places()} | {p.file for p in problems}
    shown = {name: texts[name] for name in sorted(used) if name in texts}
    said = tuple(remarks(gating, settings))
    own = _own_rules(knowledge)
    return Report(len(files), findings, problems, outcome.counts, shown, own, said, beside.coverage)


def _mendable(finding: Finding, files: Collection[str]) -> Finding:
    """A finding without fixes of files that are read beside those that are audited: these are not edited."""
    own = all(edit.location.file in files for fix in finding.fixes for edit in fix.edits)
    return finding if own else changed(finding, fixes=())


def _each_once(findings: Iterable[Finding]) -> Iterable[Finding]:
    """The findings without what several callers found at one place of what they call; the severest stays."""
    found: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        decision = (finding.decision.kind, finding.decision.polarity) if finding.decision is not None else ()
        key = (finding.rule, finding.location, finding.job, finding.step, finding.claim, decision)
        known = found.get(key)
        if known is None or finding.severity.rank < known.severity.rank:
            found[key] = finding
    return found.values()


def _own_rules(knowledge: Knowledge) -> tuple[RuleInfo, ...]:
    """The rules that a repository adds or replaces."""
    if knowledge.rules is builtin().rules:
        return ()
    return tuple(info for info in knowledge.rules.infos if info not in builtin().rules.infos)


def known_to(tree: Tree) -> tuple[Knowledge, tuple[Problem, ...]]:
    """What novote knows in a repository: what it ships, and what `.github/novote/` adds."""
    names = [name for folder in ADDITIONS for name in tree.names(f"{ADDITIONS_FOLDER}/{folder}")]
    if not names:
        return builtin(), ()
    from novote.config.additions import read_additions

    found = {name: tree.read(name) for name in names}
    knowledge, problems = read_additions(filter(None, found.values()))
    message = "This file cannot be read as text, so it adds nothing. Mend it or remove it."
    unread = (Problem(name, "unreadable-file", message) for name in names if found[name] is None)
    return knowledge, (*problems, *unread)


def audited(names: Iterable[str], repository: Repository, config: Config) -> Outcome:
    """Audits some files of a repository."""
    outcome = Outcome()
    # A condition over a thousand jobs is a thousand levels deep; plain Python calls take no C stack.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    for name in repository.callers_first(names):
        try:
            outcome.add(_audited(repository, name, config))
            repository.forget(name)
        except RecursionError:
            message = "This file is nested too deeply to be evaluated. Flatten its conditions."
            outcome.problems.append(Problem(name, "too-deep", message))
        except Exception as error:  # a fault of ours names the file and stops nothing else
            message = f"novote failed on this file ({type(error).__name__}: {error}). Please report it."
            outcome.problems.append(Problem(name, BUG_KIND, message))
    return outcome


def _audited(repository: Repository, file: str, config: Config) -> Outcome:
    opened = repository.open(file)
    outcome = Outcome(opened.problems, _directives(opened.document))
    roles = repository.roles(file)
    if opened.unit is None:
        return outcome
    outcome.facts.append(Facts(checks=tuple(published(repository, file, roles))))
    matters = any(role.is_exam or role.is_aggregator for role in roles)
    if not matters and not posts(repository.sources[file].text):
        return outcome
    world = World(repository.knowledge, _dispatches(repository, file), repository)
    cases = repository.cases(file)
    evaluations: list[Evaluation] = []
    judged: list[Judged] = []
    for case in cases:
        if case.event not in _WITHOUT_CLAIMS:
            known = _judged_before(judged, evaluations, case)
            if known is not None:
                judged += known
                continue
            evaluation = Evaluation(opened.unit, case, world)
            evaluations.append(evaluation)
            judged += [(evaluation, d, judge(evaluation, d)) for d in decisions(evaluation, roles)]
            judged += judged_calls(repository, evaluation, roles)
            # Where nothing hangs on the event and no claim has an effect, the next event says the same.
            if not evaluation.depends_on_event() and not any(judgement.effects for *_, judgement in judged):
                break
    if judged:
        outcome.counts = _counted(judged)
        outcome.problems += _bad_expressions(file, judged)
        reporter = Reporter(repository.texts, repository.knowledge.rules, config, repository.gating)
        seen = Seen(repository, file, roles, judged, reporter)
        outcome.findings += _with_fixes(seen, list(_findings(seen)))
        outcome.facts.append(Facts(gate=tuple(gate_files(seen))))
    elif cases:
        evaluations.append(Evaluation(opened.unit, cases[0], world))
        outcome.counts = DecisionCounts(free=sum(1 for _ in decisions(evaluations[-1], roles)))
    for evaluation in evaluations:
        evaluation.close()
    return outcome


def _judged_before(
    judged: Sequence[Judged], evaluations: Iterable[Evaluation], case: EventCase
) -> list[Judged] | None:
    """What follows under an event that answers all that was asked as one before it did; None for any other.

    The merge queue's event is left out: what runs behind calls is asked of it later.
    """
    for evaluation in evaluations if case.event != QUEUE else ():
        again = evaluation.under(case)
        if again is not None:
            return [
                (again, d, judgement.under(case)) for owner, d, judgement in judged if owner is evaluation
            ]
    return None


def _dispatches(repository: Repository, file: str) -> bool:
    waits = any(case.event == "repository_dispatch" for case in repository.cases(file))
    return waits and repository.anyone_dispatches


def _findings(seen: Seen) -> Iterator[Finding]:
    effects = [effect for *_, judgement in seen.judged for effect in judgement.effects]
    yield from seen.reporter.findings(effects, compensated(seen.repository, seen.roles, seen.judged))
    yield from structural_findings(seen)


def _with_fixes(seen: Seen, findings: Sequence[Finding]) -> Iterable[Finding]:
    if not findings:
        return ()
    from novote.audit.fixes.offer import with_fixes

    return with_fixes(seen, findings)


def _directives(document: Document) -> tuple[Directive, ...]:
    return written_in(document) if MARK in document.source.text else ()


def _counted(judged: Sequence[Judged]) -> DecisionCounts:
    """Each decision once: claimed under any event, else unknown under any, else free."""
    state: dict[tuple[object, ...], int] = {}
    for _, decision, judgement in judged:
        place = place_of(decision)
        state[place] = max(state.get(place, 0), 2 if judgement.effects else 1 if judgement.unknown else 0)
    values = list(state.values())
    return DecisionCounts(values.count(0), values.count(2), values.count(1))


def _bad_expressions(file: str, judged: Sequence[Judged]) -> Iterator[Problem]:
    """Expressions that are none: GitHub refuses the whole file for them."""
    found: dict[Span, str] = {}
    for _, decision, judgement in judged:
        for origin in judgement.unknown:
            if origin.kind == "expression" and isinstance(decision.node, Scalar):
                found.setdefault(decision.node.span, origin.text)
    for span, why in found.items():
        yield Problem(file, "bad-expression", f"This expression cannot be read: {why}.", span)
