"""`novote audit`: the static audit of workflows, composite actions and reusable workflows."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from novote import __version__
from novote.cli.arguments import comma_separated
from novote.cli.discovery.root import locate
from novote.cli.discovery.select import Search, Selection
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.outputs import (
    Output,
    chosen_outputs,
    parse_output,
    terminal_width,
    wants_color,
    write_file,
    write_outputs,
)
from novote.cli.streams import Streams
from novote.cli.verdict import verdict
from novote.model import Report
from novote.report.context import Context

if TYPE_CHECKING:
    from novote.cli.request import Request


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `audit` and `check` take."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files or folders of one repository, - for a workflow on standard input "
        "(default: the repository around the working folder)",
    )
    parser.add_argument(
        "--format",
        action="append",
        type=parse_output,
        metavar="FORMAT[=FILE]",
        help="text, json, sarif, github or markdown, on standard output or in a file; repeatable",
    )
    parser.add_argument("--config", metavar="FILE", help="configuration (default: .github/novote.yml)")
    for option, what in (("--select", "these rules only"), ("--ignore", "all rules but these")):
        parser.add_argument(option, action="extend", type=comma_separated, metavar="RULE,...", help=what)
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "note", "never"),
        metavar="error|warning|note|never",
        help="the mildest severity that makes the exit code 1 (default: error)",
    )
    parser.add_argument("--baseline", metavar="FILE", help="findings in this file are known and do not count")
    parser.add_argument("--write-baseline", metavar="FILE", help="write the findings there are now to FILE")
    parser.add_argument("--jobs", type=_jobs, default=0, metavar="N", help="processes (default: chosen)")


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 1024):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 1024")
    return int(text)


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Audits, writes the reports, and says by the exit code what was found."""
    outputs = chosen_outputs(args.format or ())
    scope = locate(args.paths, os.getcwd())
    search = Search(scope)
    # git lists the files while the rest is imported.
    from novote.audit.run import audit
    from novote.cli.catalogue import rule_ids
    from novote.cli.request import prepare

    request = prepare(args, scope, rule_ids())
    selection = search.finish(request.settings.config, streams)
    report = _complete(audit(selection.files, request.settings), request, selection)
    if args.write_baseline is not None:
        report = _write_baseline(report, args.write_baseline, streams)
    if not args.quiet:
        _remark(args, streams, request, selection, report)
    write_outputs(outputs, report, _context(args, streams, request, outputs), streams)
    return verdict(report, args.fail_on or request.settings.config.fail_on or "error")


def _complete(report: Report, request: Request, selection: Selection) -> Report:
    """The report with the problems that were met before the audit began."""
    earlier = (*request.problems, *selection.problems)
    if not earlier:
        return report
    problems = sorted(
        (*report.problems, *earlier), key=lambda p: (p.file, p.span is not None and p.span.start)
    )
    sources = {source.file: source for source in request.sources} | dict(report.sources)
    return replace(report, problems=tuple(problems), sources=sources)


def _write_baseline(report: Report, file: str, streams: Streams) -> Report:
    """Writes what counts now; the report then shows it as known."""
    from novote.audit.baseline import apply_baseline, baseline_of, write_baseline

    baseline = baseline_of(report.findings)
    try:
        write_file(file, write_baseline(baseline))
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from None
    total = sum(entry.number for entry in baseline.entries)
    streams.complain(f"wrote {file}, which knows {total} finding{'' if total == 1 else 's'}")
    return replace(report, findings=tuple(apply_baseline(report.findings, baseline)))


def _context(
    args: argparse.Namespace, streams: Streams, request: Request, outputs: tuple[Output, ...]
) -> Context:
    from novote.cli.catalogue import decision_table, rule_infos

    return Context(
        version=__version__,
        rules=rule_infos(),
        width=terminal_width(streams, os.environ),
        color=wants_color(args.color, streams, os.environ),
        quiet=args.quiet,
        verbose=args.verbose,
        strict=request.settings.config.strict,
        notes=(args.fail_on or request.settings.config.fail_on) == "note",
        table=decision_table() if any(output.format == "markdown" for output in outputs) else None,
    )


def _remark(
    args: argparse.Namespace, streams: Streams, request: Request, selection: Selection, report: Report
) -> None:
    """Says on standard error what no report says."""
    config = request.settings.config
    if args.verbose:
        streams.complain(f"configuration: {config.file or 'none, there is no .github/novote.yml'}")
    if selection.nested:
        shown = ", ".join(selection.nested[:3]) + (", ..." if len(selection.nested) > 3 else "")
        streams.complain(f"left out: {len(selection.nested)} repositories below this folder ({shown})")
    if not selection.files and not selection.problems:
        streams.complain(
            "no workflow or action found. novote reads .github/workflows/*.yml and every action.yml of the "
            "repository around PATH; name a repository, a folder or a file"
        )
    if request.settings.baseline is not None and not args.paths:
        _remark_stale(streams, request, report)


def _remark_stale(streams: Streams, request: Request, report: Report) -> None:
    """Says which entries of the baseline nothing matches any more."""
    from novote.audit.baseline import stale_entries

    settings = request.settings
    if settings.baseline is None:
        return
    stale = [e for e in stale_entries(settings.baseline, report.findings) if settings.wants(e.rule)]
    for entry in stale[:5]:
        streams.complain(
            f"the baseline still knows {entry.number} `{entry.rule}` in {entry.file}: none is left"
        )
    if len(stale) > 5:
        streams.complain(f"and {len(stale) - 5} more entries; --write-baseline writes it anew")
