"""Reads files of a repository, and never anything outside it."""

from __future__ import annotations

import errno
import os
import stat
from typing import NamedTuple

from novote.model import Problem, SourceText
from novote.source.decode import MAX_BYTES, decode


class Unreadable(Exception):
    """A file that cannot be read, and how the report says so; `is_missing` where there is no such file."""

    def __init__(self, problem: Problem, *, is_missing: bool = False) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.is_missing = is_missing


_LEADS_OUT = "This name leads out of the repository, so it was not read."


class FolderTree(NamedTuple):
    """A repository's files on disk; `root` is absolute and free of links."""

    root: str

    def read(self, path: str) -> SourceText | None:
        """The text of a file named from the root with `/`; None where there is none to read."""
        try:
            return self.load(path)
        except Unreadable:
            return None

    def names(self, folder: str) -> tuple[str, ...]:
        """Paths of the regular files that lie directly in a folder, sorted."""
        if not self._contains(folder):
            return ()
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                found = [entry.name for entry in entries if entry.is_file()]
        except OSError:
            return ()
        return tuple(f"{folder}/{name}" if folder else name for name in sorted(found))

    def load(self, path: str) -> SourceText:
        """The text of any file of the repository. Raises Unreadable."""
        return decoded(path, self.load_bytes(path))

    def load_bytes(self, path: str) -> bytes:
        """The content of any file of the repository. Raises Unreadable."""
        if not self._contains(path):
            raise unreadable(path, _LEADS_OUT)
        return self._bytes(path, os.O_RDONLY)

    def load_named(self, path: str) -> SourceText:
        """The text of a file that the user named, wherever links lead. Raises Unreadable."""
        return decoded(path, self._bytes(path, os.O_RDONLY))

    def load_listed(self, path: str) -> SourceText:
        """The text of a file whose folders are known to be no links. Raises Unreadable."""
        try:
            data = self._bytes(path, os.O_RDONLY | os.O_NOFOLLOW)
        except _IsLink:
            return self.load(path)
        return decoded(path, data)

    def _contains(self, path: str) -> bool:
        if "\0" in path or not _can_be_named(path):
            return False
        real = os.path.realpath(os.path.join(self.root, path))
        return real == self.root or real.startswith(self.root.rstrip(os.sep) + os.sep)

    def _bytes(self, path: str, flags: int) -> bytes:
        try:
            # O_NONBLOCK: opening a named pipe must not wait for a writer.
            handle = os.open(os.path.join(self.root, path), flags | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            if flags & os.O_NOFOLLOW and error.errno == errno.ELOOP:
                raise _IsLink from None
            missing = error.errno in (errno.ENOENT, errno.ENOTDIR)
            raise unreadable(path, f"This file cannot be read: {error.strerror}.", missing) from None
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise unreadable(path, "This is no regular file, so it was not read.")
            return _read_bounded(handle, status.st_size)
        except OSError as error:
            raise unreadable(path, f"This file cannot be read: {error.strerror}.") from None
        finally:
            os.close(handle)


def _can_be_named(path: str) -> bool:
    """Whether the file system's encoding has a name for a path: under an ASCII locale not every one."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


class _IsLink(Exception):
    """The name is that of a symbolic link."""


def unreadable(path: str, message: str, is_missing: bool = False) -> Unreadable:
    """What to raise for a file that cannot be read, and for no fault of its text."""
    return Unreadable(Problem(path, "unreadable-file", message), is_missing=is_missing)


def _read_bounded(handle: int, size: int) -> bytes:
    """The file, at most one byte more than may be read; `size` is what it is said to hold."""
    data = b""
    while len(data) <= MAX_BYTES:
        chunk = os.read(handle, max(min(size, MAX_BYTES) + 1 - len(data), 1 << 16))
        if not chunk:
            break
        data += chunk
    return data


def decoded(path: str, data: bytes) -> SourceText:
    """Bytes as text. Raises Unreadable where they are too many or no text."""
    text = decode(path, data)
    if isinstance(text, Problem):
        raise Unreadable(text)
    return text
