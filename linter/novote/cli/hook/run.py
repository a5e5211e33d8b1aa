"""`novote hook run`: what the pre-push hook does. It judges what a push brings as the range rules would."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from novote.amount import amount
from novote.cli.about import require_map_inside
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.hook.pushed import Pushed, UnreadablePush, read_pushed
from novote.cli.streams import Streams
from novote.fixturemap.model import DEFAULT_FILE

if TYPE_CHECKING:
    from novote.cli.hook.judgement import Judgement

_MAX_INPUT = 1 << 26
_SHOWN = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `hook run` takes; git hands in the name and the address of the remote."""
    add = parser.add_argument
    add("pushed_to", nargs="*", metavar="REMOTE", help="the remote that is pushed to, and its address")
    add("--base", metavar="REF", help="where changes go to (default: the remote's main branch)")
    add("--map", default=DEFAULT_FILE, metavar="FILE", help=f"the fixture map (default: {DEFAULT_FILE})")
    add(
        "--strip",
        action="store_true",
        help="print what to type to mend the commits; nothing is rewritten. By hand: for HEAD",
    )


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Refuses a push that CI would refuse, with what to type; writes down which paths it changes."""
    from novote.git.error import GitError

    require_map_inside(args.map)
    try:
        pushed = tuple(_pushed(args, streams))
        found = _judged(args, pushed) if pushed else None
    except (GitError, UnreadablePush) as error:
        streams.complain(str(error))
        streams.complain("so the push cannot be checked here; `git push --no-verify` leaves that to CI")
        return ExitCode.UNREADABLE
    if found is None:
        return ExitCode.CLEAN
    for remark in found.remarks:
        streams.complain(remark)
    _record(args, found, streams)
    return _tell(args, found, streams)


def _pushed(args: argparse.Namespace, streams: Streams) -> Iterator[Pushed]:
    """What is pushed and can bring commits: no deletions, no notes. By hand, that is HEAD."""
    by_hand = streams.input.isatty()
    lines = () if by_hand else tuple(read_pushed(streams.read_bytes(_MAX_INPUT)))
    if not lines and (by_hand or args.strip):
        yield Pushed("HEAD", "HEAD", "HEAD", None)
    for line in lines:
        if line.new is not None and not line.remote.startswith("refs/notes/"):
            yield line


def _judged(args: argparse.Namespace, pushed: Sequence[Pushed]) -> Judgement | None:
    from novote.cli.hook.judgement import judge_push
    from novote.git.error import GitError
    from novote.git.repository import open_repository

    try:
        git = open_repository(os.curdir)
    except GitError:
        # `git --git-dir=... push` starts hooks outside of any repository.
        folder = os.environ.get("GIT_DIR")
        if not folder:
            raise
        git = open_repository(folder)
    return judge_push(git, pushed, args.base, args.map)


def _record(args: argparse.Namespace, found: Judgement, streams: Streams) -> None:
    """Writes the hint; that it cannot be written stops nobody."""
    from novote.cli.hook.record import FOLDER, PATHS, record

    if found.top is None:
        return
    try:
        record(found.top, found.changed)
    except UsageError as error:
        streams.complain(str(error))
        return
    if not args.quiet:
        what = amount(len(found.changed), "changed path")
        streams.complain(f"wrote {what} to {FOLDER}/{PATHS}, a hint for people; CI asks git itself")


def _tell(args: argparse.Namespace, found: Judgement, streams: Streams) -> ExitCode:
    """Says what is wrong and how to mend it. What an agent wrote is told with everything it changes."""
    from novote.recompute.receipt import as_text

    if found.by_agent and not args.quiet:
        _list("changed", tuple(map(as_text, found.changed)), streams)
        _list("CI will run", found.fixtures, streams)
    for finding in found.findings:
        streams.complain(f"{finding.severity}[{finding.rule}]: {finding.message}")
    lines = list(found.mending())
    if args.strip:
        streams.write("".join(f"{line}\n" for line in lines))
    if not found.refused:
        return ExitCode.CLEAN
    streams.complain("the push is refused, because CI would refuse the change")
    if lines and not args.strip:
        streams.complain("`novote hook run --strip` prints what to type; it rewrites nothing")
    return ExitCode.FINDINGS


def _list(what: str, items: Sequence[str], streams: Streams) -> None:
    for item in items[:_SHOWN]:
        streams.complain(f"{what}: {item}")
    if len(items) > _SHOWN:
        streams.complain(f"{what}: {len(items) - _SHOWN} more")
