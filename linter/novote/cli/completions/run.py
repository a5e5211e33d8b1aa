"""`novote completions`: prints a script that completes novote's commands, options and values in a shell."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Final

from novote.cli.exit_code import ExitCode
from novote.cli.streams import Streams

_SHELLS: Final = {"bash": "posix", "zsh": "posix", "fish": "fish", "powershell": "powershell"}
"""The shells, each with the module that writes for it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares what `completions` takes."""
    parser.add_argument(
        "shell", choices=tuple(_SHELLS), metavar="SHELL", help="bash, zsh, fish or powershell"
    )


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Prints the script; it is made from the very parsers that read the command line."""
    from novote.cli.command_line import command_shapes

    script = getattr(import_module(f"novote.cli.completions.{_SHELLS[args.shell]}"), args.shell)
    streams.write(script(command_shapes()))
    return ExitCode.CLEAN
