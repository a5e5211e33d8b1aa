"""What a push brings, held against the range rules: only what no remote has seen, by the base's map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from novote.cli.base_config import base_config, keys_of
from novote.cli.hook.mend import Faults, commands
from novote.cli.hook.pushed import Pushed
from novote.commits.facts import CommitFacts, RangeFacts, commit_facts
from novote.commits.judge import Measure, claim_lines, is_mixed, lacks_class, range_findings
from novote.commits.message import Keys
from novote.config.model import Config
from novote.fixturemap.match import compile_map
from novote.git.error import GitError
from novote.git.repository import Git
from novote.knowledge.rules import builtin
from novote.model import Finding, Severity, SourceText
from novote.recompute.edits import Edits, edits_of
from novote.recompute.run import MapError, read_committed
from novote.recompute.select import select
from novote.record import changed, record


class Branch(NamedTuple):
    """What is pushed under one name or several: the commit, and all that it brings.

    `facts` hold the commits that no remote has seen, and all that differs from where the branch left the
    base, as CI will see it; without a base, what these commits edit. `measure` is None without a map.
    """

    head: str
    facts: RangeFacts
    measure: Measure | None


@record
class Judgement:
    """What there is to say of a push.

    `base` is where changes go to, and `top` the work tree to write the record to, None in a bare repository.
    `remarks` say what could not be judged.
    """

    branches: tuple[Branch, ...]
    keys: Keys
    findings: tuple[Finding, ...]
    base: str | None
    top: str | None
    remarks: tuple[str, ...]

    @property
    def refused(self) -> bool:
        """Whether the push should not go."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def by_agent(self) -> bool:
        """Whether a commit says that a model wrote it: then more is printed, and nothing else differs."""
        return any(branch.facts.by_agent for branch in self.branches)

    @property
    def changed(self) -> tuple[bytes, ...]:
        """The paths that the branches change, each once, sorted."""
        return tuple(sorted({path for branch in self.branches for path in branch.facts.edits.paths}))

    @property
    def fixtures(self) -> tuple[str, ...]:
        """What these paths need by the map; empty without a map."""
        found = [each.measure.selection for each in self.branches if each.measure and each.measure.selection]
        return tuple(dict.fromkeys(fixture for selection in found for fixture in selection.fixtures))

    def mending(self) -> Iterator[str]:
        """What to type to mend what is wrong with the commits."""
        judged = {
            each.commit.oid: (each, branch) for branch in self.branches for each in branch.facts.commits
        }
        claims = [
            (each.commit, line)
            for each, _ in judged.values()
            for claim in claim_lines(each.commit, self.keys)
            for line in claim.lines
        ]
        classless = [
            each.commit
            for each, branch in judged.values()
            if branch.measure is not None and lacks_class(each, branch.measure)
        ]
        mixed = [each for each in self.branches if each.measure and is_mixed(each.facts.edits, each.measure)]
        of_map, head = (mixed[0].facts.edits.of_map, mixed[0].head) if mixed else ((), "")
        return commands(Faults(tuple(claims), tuple(classless), of_map, self.base or "", head))


_NO_BASE = "no main branch of a remote is known here, so the messages alone are judged"


class _Base(NamedTuple):
    """Where changes go to, and what is written there; `measure` lacks the selection."""

    oid: str | None
    config: Config
    measure: Measure | None
    remarks: tuple[str, ...]


def judge_push(git: Git, pushed: Sequence[Pushed], base: str | None, map_file: str) -> Judgement | None:
    """Judges what is pushed; None where it brings no commit that a remote has not seen.

    `base` names where changes go to, None for what git knows of the remotes. Raises GitError.
    """
    heads = tuple(dict.fromkeys(_heads(git, pushed)))
    seen = git.known_commits((*git.remote_tips(), *(line.old for line in pushed if line.old is not None)))
    found = _base(git, base, map_file)
    bounds = tuple(seen.values())
    fresh = git.commits_of(heads, bounds) if heads else ()
    if not fresh:
        return None
    commits = commit_facts(git, fresh, map_file if found.measure else None)
    known = {each.commit.oid: each for each in commits}
    branches = tuple(
        _branch(git, found, head, [known[commit.oid] for commit in git.commits(head, bounds)], map_file)
        for head in heads
        if head in known
    )
    keys = keys_of(found.config)
    told = [
        each for branch in branches for each in range_findings(branch.facts, keys, builtin(), branch.measure)
    ]
    findings = _counted(tuple(dict.fromkeys(told)), found.config)
    bare = git.place.folder == git.place.git_folder
    top = None if bare else git.place.folder
    return Judgement(branches, keys, findings, found.oid, top, found.remarks)


def _branch(git: Git, base: _Base, head: str, commits: Sequence[CommitFacts], map_file: str) -> Branch:
    """One branch, as CI judges it: without those that are pushed beside it, with what was pushed before."""
    edits = _whole(git, base, head, map_file) or _joined(commit.edits for commit in commits)
    measure = base.measure
    if measure is not None:
        selection = select(measure.fixture_map, measure.matcher, edits.paths)
        measure = changed(measure, selection=selection)
    return Branch(head, RangeFacts(tuple(commits), edits), measure)


def _whole(git: Git, base: _Base, head: str, map_file: str) -> Edits | None:
    """All that differs between a head and where it left the base; None where it has nothing of the base."""
    bounds = git.merge_bases(base.oid, head) if base.oid is not None else ()
    if not bounds:
        return None
    changes = [change for bound in bounds for change in git.changes(bound, head)]
    return edits_of(git, changes, map_file if base.measure else None)


def _heads(git: Git, pushed: Sequence[Pushed]) -> Iterator[str]:
    """The commits that are pushed; a tag on something else brings none."""
    known = {"HEAD": _head(git), **git.known_commits(line.new for line in pushed if line.new)}
    heads = (known.get(line.new or "") for line in pushed)
    return (head for head in heads if head is not None)


def _head(git: Git) -> str | None:
    """What is checked out; None before the first commit."""
    try:
        return git.resolve("HEAD")
    except GitError as error:
        if error.kind != "bad-ref":
            raise
        return None


def _base(git: Git, named: str | None, map_file: str) -> _Base:
    name = git.upstream_default() if named is None else named
    if name is None:
        return _Base(None, Config(), None, (_NO_BASE,))
    oid = git.resolve(name)
    config = base_config(git, oid)
    try:
        fixture_map = read_committed(git, oid, map_file)
    except MapError as error:
        found = [problem for problem in error.problems if problem.kind != "map-missing"]
        return _Base(oid, config, None, tuple(f"{map_file} at {name}: {each.message}" for each in found))
    source = SourceText(map_file, "")
    return _Base(oid, config, Measure(fixture_map, source, compile_map(fixture_map), None), ())


def _joined(edits: Iterator[Edits]) -> Edits:
    parts = tuple(edits)
    paths = {path for part in parts for path in part.paths}
    of_map = {path for part in parts for path in part.of_map}
    return Edits(tuple(sorted(paths)), tuple(sorted(of_map)))


def _counted(findings: Sequence[Finding], config: Config) -> tuple[Finding, ...]:
    """The findings that count by the base's configuration, with the severity they have there."""
    kept = []
    for finding in findings:
        severity = config.severity.get(finding.rule, finding.severity)
        if severity is not None and config.ignores(finding.rule, finding.location.file) is None:
            kept.append(changed(finding, severity=severity))
    return tuple(kept)
