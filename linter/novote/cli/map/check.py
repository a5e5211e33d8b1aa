"""`novote map check`: validates the fixture map and lints it against the repository around it."""

from __future__ import annotations

import argparse

from novote.cli.exit_code import ExitCode
from novote.cli.outputs import chosen_outputs
from novote.cli.reporting import add_report_arguments, context_of, fail_on, write_report
from novote.cli.streams import Streams
from novote.cli.verdict import verdict
from novote.fixturemap.model import DEFAULT_FILE
from novote.record import changed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `map check` takes."""
    parser.add_argument(
        "path",
        nargs="?",
        metavar="PATH",
        help=f"the map, or its repository (default: {DEFAULT_FILE} of the repository around us)",
    )
    add_report_arguments(parser)
    parser.set_defaults(jobs=1)


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Lints the map, writes the reports, and says by the exit code what was found."""
    from novote.audit.merge import merged
    from novote.audit.run import audit, known_to
    from novote.cli.catalogue import own_rule_ids, rule_ids
    from novote.cli.discovery.root import working_folder
    from novote.cli.map.judge import judge_map
    from novote.cli.map.place import find_map
    from novote.cli.request import asked, prepare, unread

    outputs = chosen_outputs(args.format or ())
    place = find_map(args.path, working_folder())
    wanted = asked(args, (*rule_ids(), *own_rule_ids((place.root,))))
    request = prepare(wanted, place.root, streams)
    config = request.settings.config
    knowledge, _ = known_to(request.settings.tree)
    judged = audit((), request.settings, judge_map(place, knowledge.rules, request.settings.today))
    report = changed(merged([wanted.report, unread(request), judged]), files=1)
    context = changed(context_of(args, streams, (config,), report, outputs), audited=False)
    write_report(outputs, report, context, streams)
    return verdict(report, fail_on(args, config))
