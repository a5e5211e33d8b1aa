"""What git tells: changes, entries of trees, commits. Paths and names are bytes, as git keeps them."""

from __future__ import annotations

from typing import NamedTuple

from novote.record import record

TREE, SYMLINK, GITLINK = 0o040000, 0o120000, 0o160000
"""Modes of entries that are no regular file."""


class Change(NamedTuple):
    """One path that differs between two trees.

    `status` is git's letter: `A` added, `D` deleted, `M` modified (content or mode), `T` another type. A mode
    is 0 and an object name all zeros on the side where the path is not there. A rename is two changes.
    """

    path: bytes
    status: str
    old_mode: int
    new_mode: int
    old_oid: str
    new_oid: str


class TreeEntry(NamedTuple):
    """One entry of a tree; `type` is `blob`, `tree` or `commit` (a submodule)."""

    path: bytes
    mode: int
    type: str
    oid: str


class Person(NamedTuple):
    """Who a commit names, as it is written: anybody can write anything there."""

    name: bytes
    email: bytes


@record
class Commit:
    """One commit. `message` is the raw bytes, `encoding` the header that says how to read them, if any."""

    oid: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: bytes
    encoding: bytes | None = None

    @property
    def text(self) -> str:
        """The message as text: by its header where that names a plain encoding, else as UTF-8.

        A byte that does not fit becomes a surrogate escape, so nothing is lost.
        """
        return self.message.decode(_codec(self.encoding), "surrogateescape")


_PLAIN = frozenset(
    (
        *(f"iso8859{number}" for number in range(1, 17)),
        *(f"windows125{number}" for number in range(9)),
        *("latin1", "koi8r", "koi8u", "eucjp", "shiftjis", "sjis", "cp932", "euckr", "cp949", "gb2312"),
        *("gbk", "gb18030", "big5", "iso2022jp", "usascii", "ascii"),
    )
)
"""Encodings whose decoders are harmless; Python knows others that cost quadratic time or read escapes."""


def _codec(encoding: bytes | None) -> str:
    name = (encoding or b"").decode("ascii", "replace").strip().lower()
    return name if name.replace("-", "").replace("_", "") in _PLAIN else "utf-8"
