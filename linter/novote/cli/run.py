"""`novote run FIXTURE -- CMD ...`: runs one fixture under CI's ceiling, and records each attempt."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from novote.amount import amount
from novote.cli.exam_arguments import commit_id, count, fixture_id, run_of_the_platform, whole
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.fixture_terms import CAP, examined
from novote.cli.ledger.failing import fails_closed
from novote.cli.passing_through import sinks
from novote.cli.streams import Streams
from novote.fixturemap.quarantine import in_quarantine
from novote.ledger.judging import Evidence, judge
from novote.ledger.junit import read_junit
from novote.ledger.process import run_command
from novote.ledger.running import Ended, Exam, Finished, World, run_fixture
from novote.ledger.signature import secrets_in
from novote.ledger.store import LedgerError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `run` takes; the command stands behind `--`."""
    add = parser.add_argument
    parser.set_defaults(command=[])
    add(
        "fixture",
        type=fixture_id,
        metavar="FIXTURE",
        help="its id; what to run stands behind `--`, else in the map",
    )
    add("--ledger", metavar="FILE", required=True, help="where attempts are recorded, and counted from")
    add("--sha", type=commit_id, metavar="OID", help="the commit that is examined (default: HEAD)")
    add("--base", metavar="REF", help="the branch that the change goes to: its map says how often to try")
    add("--head", metavar="REF", help="the change (default: HEAD)")
    add(
        "--map",
        metavar="FILE",
        help="the fixture map: a path in the tree, with --sha a file of CI's own",
    )
    add("--run-id", metavar="ID", help="the platform's run (default: $GITHUB_RUN_ID)")
    add("--run-attempt", type=count, metavar="N", help="its attempt (default: $GITHUB_RUN_ATTEMPT)")
    add("--timeout", type=_seconds, metavar="S", help="seconds that an attempt may take (default: the map's)")
    add("--max-retries", type=whole, metavar="N", help=f"lowers how often to try again, as ${CAP} does")
    add("--junit", metavar="FILE", help="the report that the command writes; one without tests is a failure")
    add(
        "--spare-quarantined",
        action="store_true",
        help="exit with 0 whatever comes of a fixture that the base's map has in quarantine",
    )


@fails_closed
def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Runs attempts until one passes or no other is allowed; 1 where the last did not pass and may not."""
    sha, terms = examined(args, os.environ, streams)
    command = args.command or list(terms.command)
    if not command:
        raise UsageError(f"the map has no command for {args.fixture}; write one at the end, behind `--`")

    def say(text: str) -> None:
        if not args.quiet:
            streams.complain(text)

    _remove(args.junit)
    most = amount(1 + terms.retries, "attempt")
    say(f"{args.fixture} at {sha}: {most} at most, because of {terms.because}")
    quarantined = in_quarantine(terms.entry, datetime.now(UTC).date())
    if quarantined:
        say(f"{args.fixture} is in quarantine: its failure is recorded and reported, and blocks no merge")
    timeout = terms.timeout if args.timeout is None else args.timeout
    world = World(_starter(command, timeout, args.junit, streams, say), _now, say)
    exam = Exam(args.fixture, sha, terms.retries, *run_of_the_platform(args, os.environ))
    finished = run_fixture(args.ledger, exam, world)
    return _verdict(finished, say, quarantined and args.spare_quarantined)


def _starter(
    command: Sequence[str],
    timeout: float | None,
    junit: str | None,
    streams: Streams,
    say: Callable[[str], None],
) -> Callable[[int], Ended]:
    """Runs the command once and judges it."""
    output, errors = sinks(streams)

    def start(number: int) -> Ended:
        streams.flush()
        _remove(junit)
        outcome = run_command(command, output, errors, timeout)
        evidence = None if junit is None else _evidence(junit, say)
        judged = judge(outcome, evidence, number, secrets_in(os.environ, outcome.masked))
        code = "" if outcome.code is None else f"exit code {outcome.code}, "
        say(f"attempt {number}: {judged.result}, {judged.reason} ({code}{outcome.seconds:.1f} s)")
        return Ended(judged, outcome.seconds, outcome.interrupted is not None)

    return start


def _remove(junit: str | None) -> None:
    """Removes an old report: it would speak for an attempt that wrote none. The change could bring one."""
    try:
        if junit is not None:
            os.unlink(junit)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise UsageError(f"cannot remove the old {junit}: {error.strerror}") from None


def _evidence(junit: str, say: Callable[[str], None]) -> Evidence:
    if not os.path.exists(junit):
        say(f"{junit} was not written, so nothing shows that a test ran")
        return Evidence(None)
    try:
        suite = read_junit(junit)
    except LedgerError as error:
        say(str(error))
        return Evidence(None, readable=False)
    for case in suite.repeated[:3]:
        say(f"{case.name} ran {case.tries} times within one attempt, where no ceiling holds")
    return Evidence(suite)


def _verdict(finished: Finished, say: Callable[[str], None], spared: bool) -> ExitCode:
    last = finished.last
    if not finished.ran:
        say(f"nothing is run: attempt {last.attempt} was the last, {last.result}, {last.reason}")
    if finished.interrupted:
        return ExitCode.INTERRUPTED
    return ExitCode.CLEAN if last.result == "pass" or spared else ExitCode.FINDINGS


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e7:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds
