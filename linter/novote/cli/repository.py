"""Audits one repository: finds its files, reads them, and reports on them."""

from __future__ import annotations

from typing import NamedTuple

from novote.cli.discovery.root import Scope
from novote.cli.discovery.select import Search, Selection
from novote.cli.request import Asked, Request, prepare
from novote.cli.streams import Streams
from novote.config.model import Config
from novote.model import Report
from novote.record import changed


class Audited(NamedTuple):
    """What came of one repository; its report names files from its own root.

    `nested` are repositories below it that were not audited with it, by their folder; `empty` says that it
    holds nothing to audit.
    """

    scope: Scope
    report: Report
    config: Config
    nested: tuple[str, ...] = ()
    empty: bool = False


def audit_repository(asked: Asked, search: Search, streams: Streams) -> Audited:
    """Audits what the search finds, with the repository's own configuration."""
    from novote.audit.run import audit

    request = prepare(asked, search.scope.root)
    selection = search.finish(request.settings.config, streams)
    settings = request.settings
    if settings.baseline is not None:
        files = {source.file for source in selection.files}
        settings = changed(settings, baseline=settings.baseline.within(search.scope.root, files))
    report = _complete(audit(selection.files, settings), request, selection)
    empty = not (selection.files or selection.problems)
    return Audited(search.scope, report, settings.config, selection.nested, empty)


def _complete(report: Report, request: Request, selection: Selection) -> Report:
    """The report with the problems that were met before the audit began."""
    earlier = (*request.problems, *selection.problems)
    if not earlier:
        return report
    problems = sorted((*report.problems, *earlier), key=lambda problem: problem.order)
    sources = {source.file: source for source in request.sources} | dict(report.sources)
    return changed(report, problems=tuple(problems), sources=sources)
