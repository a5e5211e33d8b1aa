"""What git tells: changes, entries of trees, commits. Paths and names are bytes, as git keeps them."""

from __future__ import annotations

import codecs
import re
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

        A byte that means nothing there stays as it is, beyond ASCII as a surrogate escape: nothing is lost.
        """
        return self.message.decode(_codec(self.encoding), _KEPT)


_KEPT = "novote-kept"
_NAME = re.compile(r"[a-z0-9][a-z0-9_:.() -]{0,39}", re.IGNORECASE)
_PLAIN = re.compile(
    r"ascii|big5(?:hkscs)?|cp\d+|euc_\w+|gb\w+|hp-roman8|hz|iso(?:2022|8859)[_-]\w+|johab|koi8-\w|kz1048"
    r"|mac-\w+|ptcp154|shift_jis\w*|tis-620|utf-7"
)
"""Encodings whose decoders are harmless; Python knows others that cost quadratic time or read escapes."""


def _codec(encoding: bytes | None) -> str:
    name = (encoding or b"").decode("ascii", "replace").strip()
    if not _NAME.fullmatch(name):
        return "utf-8"
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return "utf-8"
    return found if _PLAIN.fullmatch(found) else "utf-8"


def _keep(error: UnicodeError) -> tuple[str, int]:
    """Like `surrogateescape`, which gives up on a byte of ASCII that ends a sequence too early."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("ascii", "surrogateescape"), error.end


codecs.register_error(_KEPT, _keep)
