"""What novote talks about: places in text, claims, decisions, findings, problems, reports.

Standard library only, and nothing here knows about YAML, git or the command line. Everything is frozen;
offsets are half-open and count Unicode code points from 0; lines and columns count from 1 and are derived
from offsets only when a report is rendered.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Literal, NamedTuple

from novote.record import open_record, record


class Severity(StrEnum):
    """How bad a finding is; members stand from worst to mildest."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for an error, 1 for a warning, 2 for a note."""
        return _RANKS[self]

    def lowered(self) -> Severity:
        """One level milder; a note stays a note."""
        return _BY_RANK[min(self.rank + 1, 2)]


_BY_RANK = tuple(Severity)
_RANKS = {severity: rank for rank, severity in enumerate(_BY_RANK)}

Confidence = Literal["high", "medium", "low"]


class Span(NamedTuple):
    """A half-open range of code-point offsets in one file."""

    start: int
    end: int


class Location(NamedTuple):
    """A span of a file; `file` is relative to the repository root, with `/`."""

    file: str
    span: Span


@record
class Region:
    """A span as people count: lines and columns from 1, columns in code points, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@open_record
class SourceText:
    """The text of one file with an index of its lines.

    A line ends at LF, CR LF or a lone CR, as in every editor; `text` keeps a byte order mark, so offsets
    are those of the decoded file.
    """

    file: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offsets at which lines begin."""
        return tuple(self._starts())

    def _starts(self) -> Iterator[int]:
        yield 0
        text, at = self.text, 0
        has_cr = "\r" in text
        while True:
            feed = text.find("\n", at)
            if has_cr:
                carriage = text.find("\r", at)
                if carriage != -1 and (feed == -1 or carriage < feed - 1):
                    at = carriage + 1
                    yield at
                    continue
            if feed == -1:
                return
            at = feed + 1
            yield at

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset; a leading byte order mark takes no column."""
        offset = max(0, min(offset, len(self.text)))
        row = bisect_right(self.line_starts, offset) - 1
        column = offset - self.line_starts[row] + 1
        if row == 0 and self.text.startswith("\ufeff"):
            column = max(1, column - 1)
        return row + 1, column

    def region(self, span: Span) -> Region:
        """Where a span stands, as people count."""
        line, column = self.position(span.start)
        end_line, end_column = self.position(max(span.start, span.end))
        return Region(line, column, end_line, end_column)

    def line(self, number: int) -> str:
        """The text of a line without its line break; empty beyond the end."""
        starts = self.line_starts
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        text = self.text[starts[number - 1] : end].rstrip("\r\n")
        return text.removeprefix("\ufeff") if number == 1 else text


@record
class Claim:
    """What the author can write. `value` is the marker that matters (`skip-tests`), where there is one."""

    kind: str
    text: str
    value: str | None = None


@record
class Decision:
    """What is settled, which way the claim cuts, and under which events."""

    kind: str
    polarity: str
    events: tuple[str, ...]


@record
class Witness:
    """A smallest assignment of claims that shows the finding; `set` pairs claim kinds with values.

    Where `is_change` is set, `without` and `with_` are what happens before and after the change, and what is
    set may be anything that an event holds.
    """

    event: str
    set: tuple[tuple[str, str], ...]
    without: str
    with_: str
    is_change: bool = False


@record
class Hop:
    """One step of the way from claim to decision, or one related place."""

    location: Location
    note: str


@record
class Edit:
    """Replace the text of a span."""

    location: Location
    text: str


@record
class Fix:
    """A set of edits of one file that removes a finding; `safe` where there is one answer, for all to see."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


@record
class Suppression:
    """Why a finding does not count: `where` is `comment`, `config` or `baseline`."""

    where: str
    reason: str
    location: Location | None = None
    until: str | None = None


@record
class Finding:
    """One finding; `location` is the decision, `flow` runs from claim to decision, the decision last."""

    rule: str
    severity: Severity
    message: str
    location: Location
    confidence: Confidence = "high"
    job: str | None = None
    step: str | None = None
    claim: Claim | None = None
    decision: Decision | None = None
    witness: Witness | None = None
    flow: tuple[Hop, ...] = ()
    related: tuple[Hop, ...] = ()
    fixes: tuple[Fix, ...] = ()
    fingerprint: str = ""
    suppressed: Suppression | None = None

    def places(self) -> Iterator[Location]:
        """Every location of the finding, the primary first."""
        yield self.location
        for hop in (*self.flow, *self.related):
            yield hop.location


BUG_KIND = "internal-error"
"""The kind of a Problem that is a bug of novote."""


@record
class Problem:
    """Input that could not be read or used as written; `span` is None where no place is known."""

    file: str
    kind: str
    message: str
    span: Span | None = None

    @property
    def order(self) -> tuple[str, int, str]:
        """What problems are sorted by: their place."""
        return self.file, self.span.start if self.span else 0, self.kind


@record
class DecisionCounts:
    """How many exam decisions were evaluated, by what was proved of them."""

    free: int = 0
    claimed: int = 0
    unknown: int = 0

    def __add__(self, other: DecisionCounts) -> DecisionCounts:
        return DecisionCounts(
            self.free + other.free, self.claimed + other.claimed, self.unknown + other.unknown
        )

    @property
    def total(self) -> int:
        """All of them."""
        return self.free + self.claimed + self.unknown


@record
class RuleInfo:
    """What a report says of a rule, in plain text and Markdown."""

    id: str
    title: str
    severity: Severity
    confidence: Confidence
    why: str
    remedy: str
    references: tuple[str, ...] = ()
    help_markdown: str = ""


@record
class FolderCoverage:
    """How many tracked files lie in a top-level folder, `""` for the root itself, by what a map says."""

    folder: str
    fixtures: int = 0
    no_fixture: int = 0
    unmapped: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.fixtures + self.no_fixture + self.unmapped


@record
class MapCoverage:
    """What a fixture map says of the tree, folders in order; none where the tree is not known."""

    file: str
    folders: tuple[FolderCoverage, ...]


_NO_SOURCES: Mapping[str, SourceText] = {}


@record
class Report:
    """Everything one run has to say.

    `sources` holds the text of each file that a finding or problem points into, so that a renderer needs
    no file system; findings and problems are sorted by place and rule, suppressed findings included. `rules`
    are those that the repository adds or replaces. `remarks` are for people, and part of no format.
    `coverage` is of each fixture map that was judged.
    """

    files: int
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    decisions: DecisionCounts
    sources: Mapping[str, SourceText] = _NO_SOURCES
    rules: tuple[RuleInfo, ...] = ()
    remarks: tuple[str, ...] = ()
    coverage: tuple[MapCoverage, ...] = ()

    def counted(self) -> tuple[Finding, ...]:
        """The findings that are not suppressed."""
        return tuple(f for f in self.findings if f.suppressed is None)

    def count(self, severity: Severity) -> int:
        """How many unsuppressed findings have this severity."""
        return sum(f.severity is severity for f in self.counted())

    def region(self, location: Location) -> Region:
        """Lines and columns of a location; the first character where its text is not at hand."""
        source = self.sources.get(location.file)
        return source.region(location.span) if source else Region(1, 1, 1, 1)
