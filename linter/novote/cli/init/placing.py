"""Puts new files into a repository: all of them or none, over nothing, and through no link."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import ExitStack

from novote.cli.exit_code import UsageError
from novote.cli.init.starter import StarterFile


def missing_folders(root: str, path: str) -> list[str]:
    """The folders that a file named from the root needs and that are not there, outermost first; absolute.

    Raises UsageError where one of its folders is a link or no folder.
    """
    missing = []
    at = root
    for name in path.split("/")[:-1]:
        at = os.path.join(at, name)
        try:
            mode = os.lstat(at).st_mode
        except FileNotFoundError:
            missing.append(at)
            continue
        except OSError as error:
            raise UsageError(f"cannot look into {at}: {error.strerror}") from None
        if not stat.S_ISDIR(mode):
            what = "a symbolic link, and novote writes through none" if stat.S_ISLNK(mode) else "no folder"
            raise UsageError(f"{os.path.relpath(at, root)} is {what}, so {path} finds no place")
    return missing


def put_all(root: str, files: Sequence[StarterFile]) -> None:
    """Writes all files, or leaves everything as it was. Raises UsageError."""
    with ExitStack() as undo:
        for file in files:
            try:
                _put(root, file, undo)
            except OSError as error:
                raise UsageError(f"cannot write {file.path}: {error.strerror}; nothing was written") from None
        undo.pop_all()


def _put(root: str, file: StarterFile, undo: ExitStack) -> None:
    for folder in missing_folders(root, file.path):
        os.mkdir(folder)
        undo.callback(os.rmdir, folder)
    path = os.path.join(root, file.path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, 0o777 if file.executable else 0o666)
    undo.callback(os.unlink, path)
    with os.fdopen(handle, "wb") as stream:
        stream.write(file.text.encode("utf-8"))
        stream.flush()
        os.fsync(handle)
