"""`novote audit`: the static audit of workflows, composite actions and reusable workflows."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from novote.amount import amount
from novote.cli.about import About, about, add_change_arguments
from novote.cli.discovery.root import Scope, folder_of, locate, working_folder
from novote.cli.discovery.select import Search
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.fixing import add_fix_arguments, fixing_asked, taken_by
from novote.cli.outputs import chosen_outputs, write_file
from novote.cli.reporting import add_report_arguments, context_of, fail_on, write_report
from novote.cli.required import add_required_arguments
from novote.cli.streams import Streams
from novote.cli.verdict import verdict
from novote.model import Report
from novote.record import changed

if TYPE_CHECKING:
    from novote.cli.repository import Audited
    from novote.cli.request import Asked


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `audit` and `check` take."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="repositories, folders that hold repositories, files or folders of one, - for a workflow on "
        "standard input (default: the repository around the working folder)",
    )
    add_report_arguments(parser)
    parser.add_argument("--write-baseline", metavar="FILE", help="write the findings there are now to FILE")
    add_required_arguments(parser)
    add_change_arguments(parser)
    add_fix_arguments(parser)
    parser.add_argument("--jobs", type=_jobs, default=0, metavar="N", help="processes (default: chosen)")


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 1024):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 1024")
    return int(text)


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Audits the workflows, writes the reports, and says by the exit code what was found."""
    return report_on(args, about(args, whole=False), streams)


def report_on(args: argparse.Namespace, change: About, streams: Streams) -> ExitCode:
    """Judges what `change` says, writes the reports, and says by the exit code what was found."""
    outputs = chosen_outputs(args.format or (), args.write_baseline, taken_by(args))
    here = working_folder()
    scopes = locate(args.paths, here)
    base = scopes[0].root if len(scopes) == 1 else os.path.realpath(here)
    if change.is_named and len(scopes) != 1:
        raise UsageError("--base and --event are about one repository; name paths of one only")
    if (args.rulesets or args.online) and len(scopes) != 1:
        raise UsageError("--rulesets and --online are about one repository; name paths of one only")
    first = Search(scopes[0]) if len(scopes) == 1 else None
    # git lists the files while the rest is imported.
    from novote.cli.catalogue import own_rule_ids, rule_ids
    from novote.cli.remarks import remark
    from novote.cli.request import asked

    rules = (*rule_ids(), *own_rule_ids(scope.root for scope in scopes))
    wanted = asked(args, rules, change)._replace(fixing=fixing_asked(args))
    found = audit_scope(wanted, first, streams) if first is not None else _several(wanted, scopes, streams)
    if args.write_baseline is not None:
        found = _write_baseline(found, joined(wanted, found, base), args.write_baseline, streams)
    if not args.quiet:
        remark(args, wanted, found, base, streams)
    if wanted.fixing is not None:
        from novote.cli.fixes import show_fixes

        show_fixes(wanted.fixing, [(folder_of(item.scope.root, base), item.fixes) for item in found], streams)
    report = joined(wanted, found, base)
    configs = [item.config for item in found]
    write_report(outputs, report, context_of(args, streams, configs, report, outputs), streams)
    verdicts = [verdict(item.report, fail_on(args, item.config)) for item in found]
    return max(verdict(wanted.report, "error"), *verdicts)


def audit_scope(wanted: Asked, search: Search, streams: Streams) -> tuple[Audited, ...]:
    """The repository, audited; for a folder that is none, those below it too."""
    from novote.cli.repository import audit_repository

    found = (audit_repository(wanted, search, streams),)
    if search.scope.marked or not found[0].nested:
        return found
    from novote.cli.several import audit_several, with_nested

    return (*found, *audit_several(wanted, with_nested(found, ()), streams))


def _several(wanted: Asked, scopes: Sequence[Scope], streams: Streams) -> tuple[Audited, ...]:
    """Every repository, audited; for each folder that is none, those below it too."""
    from novote.cli.several import audit_each, audit_several, with_nested

    plain = tuple(audit_each(wanted, (scope for scope in scopes if not scope.marked), streams))
    marked = [scope for scope in scopes if scope.marked]
    return (*plain, *audit_several(wanted, with_nested(plain, marked), streams))


def joined(wanted: Asked, found: Sequence[Audited], base: str) -> Report:
    """The report on everything, its files named from `base`."""
    if len(found) == 1 and not wanted.report.problems:
        return found[0].report
    from novote.audit.merge import merged, prefixed

    reports = [prefixed(item.report, folder_of(item.scope.root, base)) for item in found]
    return merged([wanted.report, *reports])


def _write_baseline(
    found: Sequence[Audited], report: Report, file: str, streams: Streams
) -> tuple[Audited, ...]:
    """Writes what counts now in the joined report; each repository's report then shows it as known."""
    from novote.audit.baseline import apply_baseline, baseline_of, write_baseline

    baseline = baseline_of(report.findings)
    try:
        write_file(file, write_baseline(baseline))
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from None
    total = sum(entry.number for entry in baseline.entries)
    streams.complain(f"wrote {file}, which knows {amount(total, 'finding')}")

    def known(report: Report) -> Report:
        marked = apply_baseline(report.findings, baseline_of(report.findings))
        return changed(report, findings=tuple(marked))

    return tuple(item._replace(report=known(item.report)) for item in found)
