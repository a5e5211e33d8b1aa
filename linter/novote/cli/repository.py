"""Audits one repository: finds its files, reads them, and reports on them."""

from __future__ import annotations

import os
from typing import NamedTuple

from novote.audit.beside import NOTHING_BESIDE, Beside
from novote.cli.discovery.root import Scope
from novote.cli.discovery.select import Search, Selection
from novote.cli.fixing import Fixes
from novote.cli.request import Asked, Request, prepare
from novote.cli.streams import Streams
from novote.config.model import Config
from novote.model import Report
from novote.record import changed


class Audited(NamedTuple):
    """What came of one repository; its report names files from its own root.

    `nested` are repositories below it that were not audited with it, by their folder; `empty` says that it
    holds nothing to audit. `remarks` belong on standard error. `fixes` is None where none were asked for.
    """

    scope: Scope
    report: Report
    config: Config
    nested: tuple[str, ...] = ()
    empty: bool = False
    remarks: tuple[str, ...] = ()
    fixes: Fixes | None = None


def audit_repository(asked: Asked, search: Search, streams: Streams) -> Audited:
    """Audits what the search finds, with the repository's own configuration."""
    from novote.audit.run import audit

    request = prepare(asked, search.scope.root, streams)
    selection = search.finish(request.settings.config, streams)
    settings = request.settings
    if settings.baseline is not None:
        files = {source.file for source in selection.files}
        settings = changed(settings, baseline=settings.baseline.within(search.scope.root, files))
    beside = _beside(asked, request, search)
    report, fixes = audit(selection.files, settings, beside), None
    if asked.fixing is not None:
        from novote.cli.fixes import fix_repository

        report, fixes = fix_repository(
            asked.fixing, search.scope.root, selection.files, settings, beside, report
        )
    report = _complete(report, request, selection)
    empty = not (selection.files or selection.problems)
    # Whoever looks at some files does not see who publishes the rest.
    remarks = (*beside.remarks, *(report.remarks if search.scope.whole else ()))
    return Audited(search.scope, report, settings.config, selection.nested, empty, remarks, fixes)


def _beside(asked: Asked, request: Request, search: Search) -> Beside:
    """What there is to say beside the workflows: of the map and the commits, where the run is about both.

    A run about some files of the repository is about these alone, unless it names a base.
    """
    about, root = asked.about, search.scope.root
    if not (about.whole and (search.scope.whole or about.is_named)):
        return NOTHING_BESIDE
    if request.change is None and not os.path.lexists(os.path.join(root, about.map_file)) and not about.map:
        return NOTHING_BESIDE
    from novote.audit.run import known_to
    from novote.cli.judge_change import judge_repository

    knowledge = known_to(request.settings.tree)[0]
    return judge_repository(about, request.change, root, request.settings, knowledge, asked.verbose)


def _complete(report: Report, request: Request, selection: Selection) -> Report:
    """The report with the problems that were met before the audit began."""
    earlier = (*request.problems, *selection.problems)
    if not earlier:
        return report
    problems = sorted((*report.problems, *earlier), key=lambda problem: problem.order)
    sources = {source.file: source for source in request.sources} | dict(report.sources)
    return changed(report, problems=tuple(problems), sources=sources)
