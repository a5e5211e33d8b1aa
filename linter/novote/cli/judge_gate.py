"""What a change does to the gate itself; both trees are read as git objects."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from novote.audit.beside import Beside
from novote.cli.about import Change
from novote.cli.discovery.committed import CommittedTree
from novote.config.model import Config
from novote.flow.repository import Repository
from novote.gatediff.compare import shrinks, widenings
from novote.gatediff.findings import CHECK, findings_of
from novote.gatediff.model import Side
from novote.git.repository import Git
from novote.knowledge import Knowledge
from novote.model import Finding, SourceText
from novote.recompute.candidate import meeting_points

_AUDITED = re.compile(r"\.github/workflows/[^/]+\.ya?ml|(?:.*/)?action\.ya?ml")

_MOST_LISTED = 20


class _Ends(NamedTuple):
    """Two trees or commits whose difference is the change."""

    before: str
    after: str


def judge_gate(
    change: Change, map_file: str, config: Config, knowledge: Knowledge, *, widening: bool = False
) -> Beside:
    """The findings on the gate; configuration and knowledge are the base's on both sides. Raises GitError.

    `map_file` is the path of the fixture map. With `widening`, the remarks say what the change adds.
    """
    ends = _ends(change)
    edited = frozenset(os.fsdecode(each.path) for each in change.git.changes(*ends))
    if not edited:
        return Beside(rules=frozenset({CHECK}))
    before, after = (_side(change.git, oid, map_file, config, knowledge, edited) for oid in ends)
    remarks = _listed(widenings(before, after)) if widening else ()
    before = before._replace(revision=ends.before[:12])
    findings = tuple(findings_of(shrinks(before, after), knowledge.rules))
    sources = _sources(findings, before, after)
    return Beside(findings, (), sources, frozenset({CHECK}), remarks=remarks)


def _listed(widened: Sequence[str]) -> tuple[str, ...]:
    """What is more than in the base, a line each; of many the first and how many there are."""
    shown = [f"more than in the base: {line}" for line in widened[:_MOST_LISTED]]
    left = len(widened) - len(shown)
    return (*shown, f"more than in the base: and {left} more") if left else tuple(shown)


def _sources(findings: Iterable[Finding], before: Side, after: Side) -> dict[str, SourceText]:
    """The texts that findings point into, by the names under which they do."""
    found: dict[str, SourceText] = {}
    for file in {place.file for finding in findings for place in finding.places()}:
        path = file.removeprefix(f"{before.revision}:")
        source = (after if path == file else before).repository.source_of(path)
        if source is not None:
            found[file] = SourceText(file, source.text)
    return found


def _ends(change: Change) -> _Ends:
    """What the change is, seen from where it began; from the base's tip where it began at several places."""
    bases = meeting_points(change.git, change.base, change.head)
    if len(bases) == 1:
        return _Ends(bases[0], change.head)
    return _Ends(change.base, change.git.merged_tree(change.base, change.head))


def _side(
    git: Git, oid: str, map_file: str, config: Config, knowledge: Knowledge, edited: frozenset[str]
) -> Side:
    tree = CommittedTree(git, oid)
    names = [path for path in tree.paths if _AUDITED.fullmatch(path) and not config.excludes(path)]
    tree.fetch(names)
    found = {name: tree.read(name) for name in names}
    sources = {name: source for name, source in found.items() if source is not None}
    return Side(Repository(sources, knowledge, tree), "", tuple(tree.paths), map_file, edited)
