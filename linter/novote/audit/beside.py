"""What a report on a repository says beside its workflows: findings on its fixture map and on its commits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from novote.audit.suppress import MARK, Directive, Words, directives
from novote.model import Finding, MapCoverage, Problem, SourceText
from novote.record import record
from novote.source.yaml import Document, parse

_NO_SOURCES: Mapping[str, SourceText] = {}


@record
class Beside:
    """Findings that others made, before suppressions, configuration and the baseline are applied.

    `sources` holds the text of every file they point into, by name. `rules` are the rules that were looked
    for: a comment that allows one of these, and covers none of the findings, is called unused. `remarks` are
    for people only, and stand in no report. `agreed` is what comments say where the change goes to.
    `coverage` is that of the map that was judged.
    """

    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    sources: Mapping[str, SourceText] = _NO_SOURCES
    rules: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()
    agreed: frozenset[Words] = frozenset()
    coverage: tuple[MapCoverage, ...] = ()

    def directives(self, read: Collection[str]) -> Iterator[Directive]:
        """The comments to novote in the YAML files among the sources that nobody has `read` already."""
        for name, source in self.sources.items():
            if name not in read and MARK in source.text and name.endswith((".yml", ".yaml")):
                yield from written_in(parse(source))


NOTHING_BESIDE = Beside()
"""Where the workflows are all there is to say something about."""


def written_in(document: Document) -> tuple[Directive, ...]:
    """The comments to novote in a YAML file."""
    return directives(document.source, [comment.span for comment in document.comments(MARK)])


def joined(parts: Iterable[Beside]) -> Beside:
    """All of it as one."""
    found = tuple(parts)
    return Beside(
        tuple(finding for part in found for finding in part.findings),
        tuple(problem for part in found for problem in part.problems),
        {name: source for part in found for name, source in part.sources.items()},
        frozenset[str]().union(*(part.rules for part in found)),
        tuple(remark for part in found for remark in part.remarks),
        frozenset[Words]().union(*(part.agreed for part in found)),
        tuple(coverage for part in found for coverage in part.coverage),
    )
