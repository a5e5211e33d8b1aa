"""`novote diff`: base against head, and what the change does to the gate itself."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from novote.cli.about import about, add_change_arguments
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.outputs import chosen_outputs
from novote.cli.reporting import add_report_arguments, context_of, fail_on, write_report
from novote.cli.streams import Streams
from novote.cli.verdict import verdict
from novote.record import changed

if TYPE_CHECKING:
    from novote.audit.beside import Beside
    from novote.cli.request import Request


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `diff` takes."""
    add_report_arguments(parser)
    add_change_arguments(parser)
    parser.set_defaults(jobs=1, paths=())


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Compares the gates of two trees, writes the reports, and says by the exit code what was lost."""
    from novote.audit.merge import merged
    from novote.audit.run import audit
    from novote.cli.catalogue import own_rule_ids, rule_ids
    from novote.cli.discovery.root import locate, working_folder
    from novote.cli.request import asked, prepare, unread

    named = about(args, whole=False)
    if not named.is_named:
        raise UsageError("say what the change is compared with: --base REF, or --event FILE")
    outputs = chosen_outputs(args.format or ())
    root = locate((), working_folder())[0].root
    wanted = asked(args, (*rule_ids(), *own_rule_ids((root,))), named)
    request = prepare(wanted, root, streams)
    beside = _judged(request, named.map_file)
    report = changed(merged([wanted.report, unread(request), audit((), request.settings, beside)]), files=1)
    context = changed(context_of(args, streams, (request.settings.config,), report, outputs), audited=False)
    for text in beside.remarks if not args.quiet else ():
        streams.complain(text)
    write_report(outputs, report, context, streams)
    return verdict(report, fail_on(args, request.settings.config))


def _judged(request: Request, map_file: str) -> Beside:
    """What the change does to the gate; nothing where the change itself cannot be found."""
    from novote.audit.beside import NOTHING_BESIDE, Beside
    from novote.audit.run import known_to
    from novote.cli.about import unknown_change
    from novote.cli.judge_gate import judge_gate
    from novote.git.error import GitError

    if request.change is None:
        return NOTHING_BESIDE
    knowledge, _ = known_to(request.settings.tree)
    try:
        return judge_gate(request.change, map_file, request.settings.config, knowledge, widening=True)
    except GitError as error:
        return Beside(problems=(unknown_change(str(error)),))
