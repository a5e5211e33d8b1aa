"""`novote.audit`: the audit of a repository, or of the text of one workflow, for Python programs."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from novote import __version__
from novote.api.records import Report, report_of
from novote.cli.discovery.root import STDIN, Scope, locate, working_folder
from novote.cli.exit_code import UsageError
from novote.cli.streams import Streams

if TYPE_CHECKING:
    from novote import model
    from novote.audit.settings import Settings


def audit(
    path: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] = (),
) -> Report:
    """Says where the author of a change chooses the exam.

    `path` is a repository, a folder that holds repositories, or a file or folder of one; without it the
    repository around the working folder is audited. The repository's own configuration holds.

    `text` is a workflow that is audited instead, told as the file `-`. Alone it is judged by itself, and
    nothing is read from disk; with a `path` it is judged as a workflow of that repository.

    `select` names rules, one or several, to hold against it, and `ignore` rules to leave out.

    Gives what `novote audit --format json` writes, as a `Report`. What cannot be read is among its problems,
    and so is a bug of novote (kind `internal-error`): look at `report.problems` before a clean report counts.
    Nothing is printed, run or fetched, and no other process is started but git, which lists the files.

    Raises FileNotFoundError where there is no such path, and ValueError for a rule that does not exist.
    """
    if path is not None and not os.path.lexists(path):
        raise FileNotFoundError(f"no such file or folder: {os.fspath(path)}")
    from novote.report.json import document

    try:
        report = _audited(None if path is None else os.fspath(path), text, _rules(select), _rules(ignore))
    except UsageError as error:
        raise ValueError(str(error)) from None
    return report_of(document(report, __version__))


def _rules(names: str | Iterable[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset((names,) if isinstance(names, str) else names)


def _audited(
    path: str | None, text: str | None, select: frozenset[str] | None, ignore: frozenset[str] | None
) -> model.Report:
    from novote.audit.settings import Settings
    from novote.cli.catalogue import own_rule_ids, rule_ids
    from novote.cli.request import known

    scope = None if text is not None and path is None else _scope(path, text)
    rules = (*rule_ids(), *own_rule_ids(() if scope is None else (scope.root,)))
    for names, parameter in ((select, "select"), (ignore, "ignore")):
        known(sorted(names or ()), rules, parameter)
    settings = Settings(datetime.now(UTC).date(), select=select, ignore=ignore or frozenset(), jobs=1)
    data = (text or "").encode("utf-8", "surrogatepass")
    return _of_text(data, settings) if scope is None else _of_repository(scope, data, settings, rules)


def _scope(path: str | None, text: str | None) -> Scope:
    """What to audit: a path and all in it, or a text in the repository around a path."""
    # An absolute path, as a file may be called `-`, which stands for standard input.
    scope = locate(() if path is None else (os.path.abspath(path),), working_folder())[0]
    return scope if text is None else scope._replace(folders=(), files=(), stdin=True)


def _of_text(data: bytes, settings: Settings) -> model.Report:
    from novote.audit.run import audit
    from novote.cli.discovery.tree import Unreadable, decoded
    from novote.model import DecisionCounts, Report

    try:
        return audit((decoded(STDIN, data),), settings)
    except Unreadable as error:
        return Report(0, (), (error.problem,), DecisionCounts())


def _of_repository(scope: Scope, data: bytes, settings: Settings, rules: Sequence[str]) -> model.Report:
    from novote.cli.about import NO_CHANGE
    from novote.cli.audit import audit_scope, joined
    from novote.cli.discovery.select import Search
    from novote.cli.request import Asked
    from novote.model import DecisionCounts, Report

    wanted = Asked(settings, rules, None, Report(0, (), (), DecisionCounts()), NO_CHANGE, False)
    streams = Streams(io.TextIOWrapper(io.BytesIO(data)), io.StringIO(), io.StringIO())
    return joined(wanted, audit_scope(wanted, Search(scope), streams), scope.root)
