"""Fixes the files of a repository, or shows what that would change."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence

from novote.amount import amount
from novote.audit.beside import Beside
from novote.audit.mend import Mended, Told, mend
from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.cli.discovery.root import STDIN
from novote.cli.discovery.tree import FolderTree, Unreadable
from novote.cli.fixing import Fixes, Fixing
from novote.cli.streams import Streams
from novote.cli.whole_file import write_whole
from novote.model import Problem, Report, SourceText
from novote.record import changed
from novote.source.decode import decode, encode_like


def fix_repository(
    fixing: Fixing,
    root: str,
    files: Sequence[SourceText],
    settings: Settings,
    beside: Beside,
    report: Report,
) -> tuple[Report, Fixes]:
    """The report on what is left where the fixes are written, and what came of them.

    `report` is that on the files as they are.
    """
    before = {source.file: source for source in files}
    done = mend(files, settings, beside, lambda file: _barred(root, file), unsafe=fixing.unsafe)
    problems: list[Problem] = []
    if not fixing.shown:
        problems += filter(None, (_write(root, before[name], text) for name, text in done.sources.items()))
        if done.sources:
            now = [done.sources.get(source.file, source) for source in files]
            report = audit(now, settings, beside)
        if problems:
            report = changed(report, problems=(*report.problems, *problems))
    remarks = (*_remarks(fixing, done), *_unasked(fixing, report))
    after = {name: done.sources.get(name, text) for name, text in before.items() if name == STDIN}
    after |= done.sources
    return report, Fixes({name: before[name] for name in after}, after, remarks)


def _barred(root: str, file: str) -> str:
    """Why a file is not to be edited; empty where it may be."""
    if file == STDIN:
        return ""
    path = os.path.join(root, file)
    if os.path.realpath(path) != os.path.normpath(path):
        return "a symbolic link leads to the file"
    return "" if os.access(path, os.W_OK) else "the file may not be written"


def _write(root: str, before: SourceText, after: SourceText) -> Problem | None:
    """Writes a file that is still what was audited; else says why not."""
    if before.file == STDIN:
        return None
    why = _barred(root, before.file)
    try:
        raw = FolderTree(root).load_bytes(before.file)
        found = decode(before.file, raw)
        if isinstance(found, Problem) or found.text != before.text:
            why = why or "the file changed in the meantime"
        if not why:
            path = os.path.join(root, before.file)
            write_whole(path, encode_like(after.text, raw), stat.S_IMODE(os.lstat(path).st_mode))
    except Unreadable as error:
        why = error.problem.message
    except OSError as error:
        why = error.strerror or "the file cannot be written"
    return Problem(before.file, "unwritten-fix", f"This file was not mended: {why}.") if why else None


def _remarks(fixing: Fixing, done: Mended) -> Iterator[str]:
    """A line for each finding that is gone, or has a fix and had to stay."""
    for told in done.gone:
        yield f"{_place(told)}: {'would be mended' if fixing.shown else 'mended'}: {told.title}"
    for told in done.left:
        yield f"{_place(told)}: not mended, {told.why} ({told.title})"


def _place(told: Told) -> str:
    return f"{told.file}:{told.line}: {told.rule}"


def _unasked(fixing: Fixing, report: Report) -> Iterator[str]:
    """That there are more fixes than were asked for."""
    fixes = [finding.fixes for finding in report.counted() if finding.fixes]
    number = sum(not any(fix.safe for fix in each) for each in fixes)
    if number and not fixing.unsafe:
        yield f"{amount(number, 'finding')} more can be mended by --unsafe-fixes, which may change what runs"


def show_fixes(fixing: Fixing, done: Iterable[tuple[str, Fixes | None]], streams: Streams) -> None:
    """Writes to standard output what belongs there: a diff, or the mended text of standard input.

    Each repository comes with the folder that is written before its files.
    """
    for folder, fixes in done:
        if fixes is None:
            continue
        if not fixing.shown:
            if STDIN in fixes.after:
                streams.write_utf8(fixes.after[STDIN].text)
            continue
        from novote.cli.fix_diff import unified

        for name, text in sorted(fixes.after.items()):
            file = f"{folder}/{name}" if folder and name != STDIN else name
            streams.write_utf8(unified(file, fixes.before[name].text, text.text, streams))
