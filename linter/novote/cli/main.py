"""The entry point; the rest of the command line is imported only where more than the version is wanted."""

from __future__ import annotations

import sys

from novote import __version__


def main() -> int:
    """Runs the process's command line and returns its exit code; never raises."""
    arguments = sys.argv[1:]
    if arguments == ["--version"] and _print_version():
        return 0
    import gc

    # A run lets go of nearly everything by itself. A collector that looks through the trees of a few dozen
    # files every 700 objects, as is the default, takes a third of the time and finds next to nothing.
    gc.set_threshold(300_000, 20, 100)
    from novote.cli.dispatch import run_command_line

    return run_command_line(arguments)


def _print_version() -> bool:
    """Prints the version; False where standard output does not take it, which the command line then says."""
    try:
        print(f"novote {__version__}", flush=True)
    except OSError:
        return False
    return sys.stdout is not None
