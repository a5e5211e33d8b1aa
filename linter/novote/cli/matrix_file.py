"""The file of the matrix: an old one never outlives a refusal, a new one is whole or not there."""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Sequence

from novote.cli.exit_code import UsageError
from novote.cli.whole_file import write_whole

_DEVICES = ("/dev/", "/proc/")
_FILES_AMONG_THEM = "/dev/shm/"
_TEXTS = {"--help", "-h", "--version"}


def remove_named(option: str, arguments: Sequence[str]) -> None:
    """Removes the files that arguments name by an option, before the arguments are held against anything.

    Raises UsageError for what cannot be removed, or is no file.
    """
    given = list(itertools.takewhile(lambda argument: argument != "--", arguments))
    if not _TEXTS.isdisjoint(given):
        return
    values = [word.partition("=")[2] if word.startswith("--") and "=" in word else word for word in given]
    for index, word in enumerate(given):
        at = index + 1 if word == option else index
        if word not in (option, f"{option}={values[index]}") or at == len(given):
            continue
        others = {os.path.abspath(value) for place, value in enumerate(values) if place != at and value}
        if os.path.abspath(values[at]) in others:
            raise UsageError(f"{values[at]} is named for two things; write the matrix to a file of its own")
        remove(values[at])


def remove(path: str) -> None:
    """Removes a file, or a link without what it leads to; nothing where nothing is there.

    Raises UsageError for a folder, a device, and what cannot be removed.
    """
    if not path:
        raise UsageError("an empty name is no place for the matrix; name a file, or leave the option out")
    place = os.path.abspath(path)
    if place.startswith(_DEVICES) and not place.startswith(_FILES_AMONG_THEM):
        raise UsageError(f"{path} is no place for the matrix; name a file, or leave the option out")
    try:
        mode = os.lstat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
            raise UsageError(f"{path} is no file, so it is no place for the matrix; name a file")
        os.unlink(path)
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        raise UsageError(f"the old {path} cannot be removed: {_reason(error)}") from None


def write_text(path: str, text: str) -> None:
    """Writes ASCII text to a file that appears only when it is whole; makes its folder where it is missing.

    Raises UsageError where it cannot be written.
    """
    try:
        write_whole(path, text.encode("ascii"))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {path}: {_reason(error)}") from None


def append_lines(path: str, lines: Sequence[str]) -> None:
    """Appends lines of ASCII to a file of the runner. Raises UsageError where it cannot be written."""
    text = "".join(f"{line}\n" for line in lines).encode("ascii")
    try:
        with open(path, "a+b") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                # A line that somebody left open would take in ours.
                text = text if file.read(1) == b"\n" else b"\n" + text
            file.write(text)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {path}: {_reason(error)}") from None


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
