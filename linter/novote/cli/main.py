"""The entry point; the rest of the command line is imported only where more than the version is wanted."""

from __future__ import annotations

import sys

from novote import __version__


def main() -> int:
    """Runs the process's command line and returns its exit code; never raises."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        sys.stdout.write(f"novote {__version__}\n")
        return 0
    from novote.cli.dispatch import run_command_line

    return run_command_line(arguments)
