"""`novote ledger import-junit`: what a test runner tried by itself, from its report into a ledger."""

from __future__ import annotations

import argparse
import os

from novote.amount import amount
from novote.cli.exam_arguments import commit_id, count, fixture_id, run_of_the_platform
from novote.cli.exit_code import ExitCode
from novote.cli.ledger.failing import fails_closed
from novote.cli.streams import Streams
from novote.ledger.imports import import_suite
from novote.ledger.junit import read_junit
from novote.ledger.running import Exam
from novote.ledger.signature import secrets_in


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `ledger import-junit` takes."""
    add = parser.add_argument
    add("file", metavar="FILE", help="the JUnit file")
    add("--ledger", metavar="FILE", required=True, help="where the attempts are recorded")
    add("--fixture", type=fixture_id, metavar="ID", required=True, help="the fixture whose report it is")
    add("--sha", type=commit_id, metavar="OID", required=True, help="the commit that was examined")
    add("--run-id", metavar="ID", help="the platform's run (default: $GITHUB_RUN_ID)")
    add("--run-attempt", type=count, metavar="N", help="its attempt (default: $GITHUB_RUN_ATTEMPT)")


@fails_closed
def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Records the attempts, once a run; 1 where the ledger tells another story of the run."""
    suite = read_junit(args.file)
    exam = Exam(args.fixture, args.sha, 0, *run_of_the_platform(args, os.environ))
    found = import_suite(args.ledger, suite, exam, secrets_in(os.environ, ()))
    for case in suite.repeated:
        streams.complain(f"{case.name} ran {case.tries} times")
    if found.contradicted:
        streams.complain(
            f"{args.ledger} tells of this run of {args.fixture} in another way than {args.file}; "
            "nothing was written"
        )
        return ExitCode.FINDINGS
    last = found.attempts[-1]
    streams.complain(
        f"{args.ledger}: {amount(found.added, 'attempt')} of {args.fixture} added, the last is {last.result}"
    )
    return ExitCode.CLEAN
