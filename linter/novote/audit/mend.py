"""Applies fixes to texts, a round at a time, and keeps none that does not do what it says and only that.

After every change the files are parsed and audited again. A fix stays where its finding is gone, nothing else
was found, and the rest of the YAML says what it said before.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from novote.audit.beside import Beside
from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.model import Edit, Finding, Fix, Problem, Report, SourceText
from novote.record import changed
from novote.source.edits import Moved, applied, clash, only_edited
from novote.source.yaml import parse

MAX_ROUNDS: Final = 20
"""After so many rounds nothing more is tried: each tries what got into the way of others before."""

Barred = Callable[[str], str]
"""Why a file must not be edited, by its name; empty where it may."""


class Told(NamedTuple):
    """What became of a finding that has a fix: `why` it was left, empty where it is gone.

    `line` is where it stood when that was settled.
    """

    file: str
    line: int
    rule: str
    title: str
    why: str = ""


class Mended(NamedTuple):
    """Files after their fixes, by name, those alone that changed; what is gone, and what had to stay."""

    sources: Mapping[str, SourceText]
    gone: tuple[Told, ...] = ()
    left: tuple[Told, ...] = ()


class _Offer(NamedTuple):
    """One fix with all findings that it removes, and where these stood when it was made."""

    file: str
    edits: tuple[Edit, ...]
    findings: tuple[Finding, ...]
    told: tuple[Told, ...]


class _Fault(NamedTuple):
    """What is wrong after some fixes, and the file in which that shows."""

    file: str
    why: str


class _State(NamedTuple):
    """The files as they are now, and what is found in them."""

    sources: Mapping[str, SourceText]
    report: Report


def mend(
    files: Sequence[SourceText], settings: Settings, beside: Beside, barred: Barred, *, unsafe: bool
) -> Mended:
    """Files of one repository after the fixes of their findings, the unsafe ones where they are asked for.

    What `settings` leave out is not fixed, and yet no fix may bring it.
    """
    work = _Work(settings, beside, barred, unsafe)
    sources = {source.file: source for source in files}
    state = work.audited(sources)
    for _ in range(MAX_ROUNDS):
        offers = work.offers(state.report)
        if not offers:
            break
        state, done = work.taken(state, offers)
        if done:
            # What had to stay before may be possible now.
            work.refused.clear()
            work.left.clear()
    edited = {name: text for name, text in state.sources.items() if text is not sources[name]}
    return Mended(edited, tuple(work.gone), tuple(work.left))


class _Work:
    """One run: what is asked for, and what became of the fixes so far.

    `refused` are fixes that cannot stay in the files as they are now, `left` says why.
    """

    def __init__(self, settings: Settings, beside: Beside, barred: Barred, unsafe: bool) -> None:
        self._settings = settings
        self._beside = beside
        self._barred = barred
        self._unsafe = unsafe
        self.gone: list[Told] = []
        self.left: dict[Told, None] = {}
        self.refused: set[tuple[Edit, ...]] = set()

    def audited(self, sources: Mapping[str, SourceText]) -> _State:
        """The files, and what any rule finds in them."""
        everything = changed(self._settings, select=None, ignore=frozenset())
        return _State(sources, audit(list(sources.values()), everything, self._beside))

    def offers(self, report: Report) -> list[_Offer]:
        """Fixes that do not get into each other's way, in the order of the report."""
        found: dict[tuple[Edit, ...], _Offer] = {}
        for finding in report.counted():
            fix = next((fix for fix in finding.fixes if fix.safe or self._unsafe), None)
            if fix is not None and self._settings.wants(finding.rule):
                file = fix.edits[0].location.file
                told = _told(report, finding, fix)
                if why := self._barred(file):
                    self.left[told._replace(why=why)] = None
                    continue
                known = found.get(fix.edits, _Offer(file, fix.edits, (), ()))
                found[fix.edits] = known._replace(
                    findings=(*known.findings, finding), told=(*known.told, told)
                )
        kept: list[_Offer] = []
        for offer in found.values():
            near = (other for other in kept if other.file == offer.file)
            if offer.edits not in self.refused and not any(clash(offer.edits, one.edits) for one in near):
                kept.append(offer)
        return kept

    def taken(self, state: _State, offers: Sequence[_Offer]) -> tuple[_State, list[_Offer]]:
        """The state after those of the fixes that can stay, and which these are.

        Where they cannot all stay, those of the files in which nothing is wrong are tried first.
        """
        if not offers:
            return state, []
        tried = self._tried(state, offers)
        if isinstance(tried, _State):
            self.gone += (told for offer in offers for told in offer.told)
            return tried, list(offers)
        if len(offers) == 1:
            self.refused.add(offers[0].edits)
            self.left |= dict.fromkeys(told._replace(why=tried[0].why) for told in offers[0].told)
            return state, []
        first, rest = _parted(offers, {fault.file for fault in tried})
        state, done = self.taken(state, first)
        state, more = self.taken(state, _moved(rest, done, state.report))
        return state, done + more

    def _tried(self, state: _State, offers: Iterable[_Offer]) -> _State | list[_Fault]:
        """The state after these fixes, or what is wrong with it."""
        edits: dict[str, list[Edit]] = {}
        for offer in offers:
            edits.setdefault(offer.file, []).extend(offer.edits)
        sources = dict(state.sources)
        for name, own in edits.items():
            before = parse(sources[name])
            after = parse(SourceText(name, applied(before.source.text, own)))
            if not only_edited(before, after, own):
                return [_Fault(name, "it would change more of the file than that")]
            sources[name] = after.source
        now = self.audited(sources)
        gone = (finding for offer in offers for finding in offer.findings)
        return list(_faults(state.report, now.report, gone)) or now


def _told(report: Report, finding: Finding, fix: Fix) -> Told:
    return Told(finding.location.file, report.region(finding.location).line, finding.rule, fix.title)


def _parted(offers: Sequence[_Offer], guilty: Collection[str]) -> tuple[Sequence[_Offer], Sequence[_Offer]]:
    """Fixes in two parts: those of other files than the guilty first, or else halves."""
    innocent = [offer for offer in offers if offer.file not in guilty]
    if 0 < len(innocent) < len(offers):
        return innocent, [offer for offer in offers if offer.file in guilty]
    half = len(offers) // 2
    return offers[:half], offers[half:]


def _moved(offers: Iterable[_Offer], done: Sequence[_Offer], report: Report) -> list[_Offer]:
    """Fixes for the texts after those that are done, without those that nothing needs any more."""
    still = set(map(_key, report.findings))
    kept = []
    for offer in offers:
        moved = Moved(edit for other in done if other.file == offer.file for edit in other.edits)
        if still.issuperset(map(_key, offer.findings)):
            kept.append(offer._replace(edits=tuple(map(moved.edit, offer.edits))))
    return kept


_Pair = tuple[str, str | None]
_Key = tuple[str, str, str | None, str | None, _Pair | None, _Pair | None]


def _key(finding: Finding) -> _Key:
    """What names a finding wherever it stands: its file first, then its rule."""
    claim = (finding.claim.kind, finding.claim.value) if finding.claim is not None else None
    decision = (finding.decision.kind, finding.decision.polarity) if finding.decision is not None else None
    return finding.location.file, finding.rule, finding.job, finding.step, claim, decision


def _ranks(findings: Iterable[Finding]) -> dict[_Key, list[int]]:
    """How bad the findings of each name are, the worst first."""
    ranks: dict[_Key, list[int]] = {}
    for finding in findings:
        insort(ranks.setdefault(_key(finding), []), finding.severity.rank)
    return ranks


def _faults(before: Report, after: Report, gone: Iterable[Finding]) -> Iterator[_Fault]:
    """What speaks against a change that is to remove some findings and bring none."""
    allowed, found = _ranks(before.findings), _ranks(after.findings)
    fixed = set()
    for finding in gone:
        key = _key(finding)
        fixed.add(key)
        ranks = allowed.get(key)
        if ranks:
            ranks.remove(finding.severity.rank if finding.severity.rank in ranks else ranks[-1])
    for key, ranks in found.items():
        known = allowed.get(key, [])
        if len(ranks) > len(known) or any(now < then for now, then in zip(ranks, known, strict=False)):
            yield _Fault(key[0], "the finding would stay" if key in fixed else f"it would bring {key[1]}")
    new = Counter(map(_named, after.problems)) - Counter(map(_named, before.problems))
    for file, kind, _ in sorted(new):
        yield _Fault(file, f"it would bring the problem {kind}")


def _named(problem: Problem) -> tuple[str, str, str]:
    return problem.file, problem.kind, problem.message
