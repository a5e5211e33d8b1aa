"""`novote init`: writes what a repository needs so that CI chooses the exams, over nothing that is there."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from novote.cli.discovery.root import working_folder
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.streams import Streams

if TYPE_CHECKING:
    from novote.cli.init.plan import Plan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `init` takes."""
    parser.add_argument(
        "--owner",
        action="append",
        type=_owner,
        default=[],
        metavar="OWNER",
        help="who answers for the exams, for CODEOWNERS: @user, @organisation/team or an address; repeatable",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print what would be written, and write nothing"
    )


def _owner(text: str) -> str:
    from novote.flow.owners import is_owner

    if not is_owner(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no owner; write @user, @organisation/team or an address"
        )
    return text


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Writes a map, a gate, its configuration, its owners and a hook, and says what is left for a human."""
    from novote.cli.hook.install import put_hook
    from novote.cli.init.placing import put_all
    from novote.cli.init.plan import make_plan

    plan = make_plan(working_folder(), args.owner)
    if not args.quiet:
        _tell(_planned(plan), streams)
    if args.dry_run:
        _show(plan, streams)
    else:
        put_all(plan.root, plan.new)
        if plan.hook is not None:
            try:
                put_hook(plan.hook)
            except UsageError as error:
                plan = plan._replace(no_hook=str(error))
    if not args.quiet:
        _tell(_left(plan), streams)
    return ExitCode.CLEAN


def _planned(plan: Plan) -> Iterator[str]:
    from novote.cli.init.starter import MAP

    for file in plan.new:
        yield f"write {file.path}" + (f", which {plan.drafted.coverage}" if file.path == MAP else "")
    if plan.hook is not None:
        yield f"install {plan.hook.hook}, the pre-push hook"
    for path in plan.there:
        yield f"leave {path} as it is"
    if not plan.new and plan.hook is None:
        yield "nothing to write: all of it is there already"


def _show(plan: Plan, streams: Streams) -> None:
    for file in plan.new:
        _tell(("", f"--- {file.path}", *file.text.splitlines()), streams)


def _left(plan: Plan) -> Iterator[str]:
    yield ""
    yield "left for you:"
    yield from (f"  {sentence}" for sentence in plan.left())
    if plan.new:
        yield ""
        yield f"next: git add {' '.join(file.path for file in plan.new)}"
        yield "      novote check"


def _tell(lines: Iterable[str], streams: Streams) -> None:
    from novote.report.escape import terminal

    for line in lines:
        streams.write(f"{terminal(line)}\n")
