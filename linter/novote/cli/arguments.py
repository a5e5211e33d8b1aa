"""Reads the arguments of one command; global options may stand before or after its name."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from novote import __version__
from novote.cli.exit_code import UsageError
from novote.cli.streams import Streams
from novote.nearest import did_you_mean


class _Formatter(argparse.HelpFormatter):
    """Help of one width: asking for the terminal's would import shutil on every start, help or not."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)


class _Parser(argparse.ArgumentParser):
    """Raises UsageError instead of exiting, and takes no abbreviated option."""

    def __init__(self, name: str, summary: str) -> None:
        super().__init__(
            prog=f"novote {name}",
            description=summary[0].upper() + summary[1:] + ".",
            allow_abbrev=False,
            add_help=False,
            formatter_class=_Formatter,
        )

    def error(self, message: str) -> NoReturn:
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown != message and unknown.startswith("-"):
            message += did_you_mean(unknown.split("=")[0].split()[0], self._option_string_actions)
        raise UsageError(f"{message} (`{self.prog} --help` says what it takes)")


class _TextWanted(Exception):
    """Help or version was asked for; the message is the text."""


class _ShowVersion(argparse.Action):
    """`--version` behind a command."""

    def __call__(self, *_: object) -> NoReturn:
        raise _TextWanted(f"novote {__version__}\n")


class _ShowHelp(argparse.Action):
    """`--help`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from novote.cli.examples import EXAMPLES, shown

        examples = EXAMPLES.get(parser.prog.removeprefix("novote "), ())
        raise _TextWanted(parser.format_help() + shown(examples))


def parse(
    name: str,
    summary: str,
    add_arguments: Callable[[argparse.ArgumentParser], None],
    arguments: Sequence[str],
    streams: Streams,
) -> argparse.Namespace | None:
    """The arguments of a command; None where help or the version was asked for, and written.

    What stands behind `--` goes to the one of `paths`, `command` and `pushed_to` that the command has.
    Raises UsageError for arguments that the command does not take.
    """
    parser = _Parser(name, summary)
    add_arguments(parser)
    _add_global_options(parser)
    # argparse loses names behind `--` when positional arguments and options are mixed, so they are set apart.
    at = list(arguments).index("--") if "--" in arguments else len(arguments)
    try:
        args = parser.parse_intermixed_args(list(arguments[:at]))
    except _TextWanted as wanted:
        streams.write(str(wanted))
        return None
    names = arguments[at + 1 :]
    if names:
        taker = next((name for name in ("paths", "command", "pushed_to") if hasattr(args, name)), None)
        if taker is None:
            parser.error(f"unrecognized arguments: {' '.join(names)}")
        setattr(args, taker, [*getattr(args, taker), *names])
    if args.quiet and args.verbose:
        parser.error("-q and -v contradict each other")
    return args


def arguments_of(
    name: str, summary: str, add_arguments: Callable[[argparse.ArgumentParser], None]
) -> tuple[list[argparse.Action], list[argparse.Action]]:
    """What a command takes by itself, and the global options."""
    parser = _Parser(name, summary)
    add_arguments(parser)
    own = list(parser._actions)
    _add_global_options(parser)
    return own, parser._actions[len(own) :]


def _add_global_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("global options, before or after the command")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        metavar="auto|always|never",
        help="when to colour text (default: auto)",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="findings only, no excerpts")
    group.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="say more: configuration, notes, suppressed findings, traces",
    )
    group.add_argument("--version", action=_ShowVersion, nargs=0, help="print the version")
    group.add_argument("-h", "--help", action=_ShowHelp, nargs=0, help="this text")


def comma_separated(text: str) -> tuple[str, ...]:
    """The names of a list such as `a,b`. Raises ArgumentTypeError for an empty one."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    if "" in names:
        raise argparse.ArgumentTypeError(f"{text!r} holds an empty name")
    return names
