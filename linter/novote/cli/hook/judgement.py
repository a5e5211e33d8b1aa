"""What a push brings, held against the range rules: only what no remote has seen, by the base's map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from novote.cli.base_config import base_config, keys_of
from novote.cli.hook.mend import Faults, commands
from novote.cli.hook.pushed import Pushed
from novote.commits.facts import RangeFacts, commit_facts
from novote.commits.judge import Measure, claim_lines, is_mixed, lacks_class, range_findings
from novote.commits.message import Keys
from novote.config.model import Config
from novote.fixturemap.match import compile_map
from novote.git.error import GitError
from novote.git.repository import Git
from novote.knowledge.rules import builtin
from novote.model import Finding, Severity, SourceText
from novote.recompute.edits import Edits
from novote.recompute.receipt import as_text
from novote.recompute.run import MapError, read_committed
from novote.recompute.select import select
from novote.record import changed, record


@record
class Judgement:
    """What there is to say of a push.

    `changed` are the paths that differ from where the change began, for the record, and `top` the work tree
    to write them to, None in a bare repository. `remarks` say what could not be judged.
    """

    facts: RangeFacts
    keys: Keys
    measure: Measure | None
    findings: tuple[Finding, ...]
    changed: tuple[bytes, ...]
    base: str | None
    head: str
    top: str | None
    remarks: tuple[str, ...]

    @property
    def refused(self) -> bool:
        """Whether the push should not go."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def fixtures(self) -> tuple[str, ...]:
        """What the paths of the push need by the map; empty without a map."""
        selection = self.measure.selection if self.measure else None
        return selection.fixtures if selection else ()

    def shown_paths(self) -> tuple[str, ...]:
        """The paths that the push edits, as text."""
        return tuple(map(as_text, self.facts.edits.paths))

    def mending(self) -> Iterator[str]:
        """What to type to mend what is wrong with the commits."""
        commits, measure = self.facts.commits, self.measure
        claims = [
            (each.commit, line)
            for each in commits
            for claim in claim_lines(each.commit, self.keys)
            for line in claim.lines
        ]
        faults = Faults(tuple(claims))
        if measure is not None:
            classless = tuple(each.commit for each in commits if lacks_class(each, measure))
            of_map = self.facts.edits.of_map if is_mixed(self.facts.edits, measure) else ()
            faults = Faults(tuple(claims), classless, of_map, self.base or "", self.head)
        return commands(faults)


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
    of_map = map_file if found.measure else None
    fresh = git.commits_of(heads, tuple(seen.values())) if heads else ()
    if not fresh:
        return None
    commits = commit_facts(git, fresh, of_map)
    facts = RangeFacts(commits, _joined(commit.edits for commit in commits))
    measure = found.measure
    if measure is not None:
        selection = select(measure.fixture_map, measure.matcher, facts.edits.paths)
        measure = changed(measure, selection=selection)
    keys = keys_of(found.config)
    findings = _counted(range_findings(facts, keys, builtin(), measure), found.config)
    new = {commit.oid for commit in fresh}
    brought = [head for head in heads if head in new]
    paths = tuple(sorted({path for head in brought for path in _differing(git, found.oid, head, facts)}))
    bare = git.place.folder == git.place.git_folder
    top = None if bare else git.place.folder
    return Judgement(facts, keys, measure, findings, paths, found.oid, brought[-1], top, found.remarks)


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


def _differing(git: Git, base: str | None, head: str, facts: RangeFacts) -> Iterator[bytes]:
    """The paths by which a head differs from where it left the base, or those that the push edits."""
    bounds = git.merge_bases(base, head) if base is not None else ()
    if not bounds:
        yield from facts.edits.paths
    for bound in bounds:
        yield from (change.path for change in git.changes(bound, head))
