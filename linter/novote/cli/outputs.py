"""Where what a command writes goes: `--format FORMAT[=FILE]`, standard output or files, colour and width."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from novote.cli.exit_code import UsageError
from novote.cli.streams import Streams
from novote.nearest import did_you_mean


class Output(NamedTuple):
    """One text to write: its format, and the file it goes to, None for standard output."""

    format: str
    file: str | None = None


def add_outputs(parser: argparse.ArgumentParser, formats: Collection[str]) -> None:
    """Declares `--format FORMAT[=FILE]`, which may be repeated, for these formats."""
    *others, last = formats
    action = parser.add_argument(
        "--format",
        action="append",
        type=lambda text: _output(text, formats),
        metavar="FORMAT[=FILE]",
        help=f"{', '.join(others)} or {last}, on standard output or in a file; repeatable",
    )
    # The choices of argparse would be compared with what the text is read as; this is for completions.
    vars(action)["words"] = tuple(formats)


def _output(text: str, formats: Collection[str]) -> Output:
    """Reads `FORMAT` or `FORMAT=FILE`. Raises ArgumentTypeError for an unknown format or no file name."""
    name, equals, file = text.partition("=")
    if name not in formats:
        raise argparse.ArgumentTypeError(
            f"no format {name!r}{did_you_mean(name, formats)}; formats are {', '.join(formats)}"
        )
    if equals and not file:
        raise argparse.ArgumentTypeError(f"no file name behind {text!r}")
    return Output(name, file or None)


def chosen_outputs(
    given: Sequence[Output], baseline: str | None = None, taken: str = ""
) -> tuple[Output, ...]:
    """What to write; text on standard output where nothing goes there.

    `baseline` is the file that a baseline is written to, `taken` what else goes to standard output. Raises
    UsageError for a clash.
    """
    to_stdout = [output.format for output in given if output.file is None]
    if taken and to_stdout:
        raise UsageError(f"{taken} goes to standard output; give --format {to_stdout[0]} a FILE")
    if len(to_stdout) > 1:
        raise UsageError(
            f"only one format fits on standard output, not {' and '.join(to_stdout)}; give one a FILE"
        )
    files = [file for file in (*(output.file for output in given), baseline) if file is not None]
    places = [os.path.realpath(file) for file in files]
    for file, place in zip(files, places, strict=True):
        if places.count(place) > 1 and place != os.devnull:
            raise UsageError(f"two outputs cannot share the file {file}")
    return tuple(given) if to_stdout or taken else (*given, Output("text"))


def write_outputs(outputs: Sequence[Output], rendered: Callable[[Output], str], streams: Streams) -> None:
    """Writes what `rendered` gives for each output.

    Raises UsageError for a file that cannot be written, after everything else was.
    """
    failed = []
    for output in outputs:
        text = rendered(output)
        if output.file is None:
            (streams.write if output.format == "text" else streams.write_utf8)(text)
            continue
        try:
            write_file(output.file, text)
        except OSError as error:
            failed.append(f"{output.file}: {error.strerror}")
    if failed:
        raise UsageError(f"cannot write {'; '.join(failed)}")


def write_file(path: str, text: str) -> None:
    """Writes a file as UTF-8 with the line breaks of the text. Raises OSError."""
    with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.write(text)


def wants_color(choice: str, streams: Streams, environment: Mapping[str, str]) -> bool:
    """Whether to colour text: as asked, else where a terminal reads it and `NO_COLOR` does not forbid."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return streams.output.isatty() and environment.get("TERM") != "dumb"


def terminal_width(streams: Streams, environment: Mapping[str, str]) -> int | None:
    """Width in cells: `COLUMNS`, else the terminal's; None where there is none."""
    columns = environment.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns[:6]) > 0:
        return int(columns[:6])
    try:
        return os.get_terminal_size(streams.output.fileno()).columns or None
    except (OSError, ValueError):
        return None
