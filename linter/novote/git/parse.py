"""Reads what git prints with `-z`, and raw objects."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from novote.git.error import GitError
from novote.git.model import GITLINK, Change, Commit, Person, TreeEntry


def changes(output: bytes) -> Iterator[Change]:
    """The output of `diff-tree -z --raw --no-abbrev`: `:MODE MODE OID OID STATUS`, NUL, path, NUL."""
    fields = iter(_fields(output))
    for head in fields:
        old_mode, new_mode, old_oid, new_oid, status = head[1:].decode("ascii").split(" ")
        yield Change(next(fields), status, int(old_mode, 8), int(new_mode, 8), old_oid, new_oid)


def differences(output: bytes, trees: Sequence[tuple[str, str]]) -> Iterator[tuple[Change, ...]]:
    """The output of the same with `--stdin`: `OID OID`, a line break and the changes, for each pair of trees.

    Raises GitError for a pair that git passed over: it says nothing of a tree that it cannot read.
    """
    at = 0
    for pair in trees:
        head = " ".join(pair).encode("ascii") + b"\n"
        if not output.startswith(head, at):
            raise GitError("failed", f"git does not compare {pair[0]} with {pair[1]}")
        start = at = at + len(head)
        while output.startswith(b":", at):
            at = output.index(b"\0", output.index(b"\0", at) + 1) + 1
        yield tuple(changes(output[start:at]))


def merges(output: bytes) -> Iterator[str | None]:
    """The output of `merge-tree --stdin`: `1`, NUL, the tree, NUL, NUL for each merge; None for a conflict.

    There the first is `0`, and behind the tree comes a field for each side of each file in conflict.
    """
    fields = iter(_fields(output))
    for clean in fields:
        tree = next(fields, b"").decode("ascii")
        while next(fields, b""):
            continue
        yield tree if clean == b"1" else None


def entries(output: bytes) -> Iterator[TreeEntry]:
    """The output of `ls-tree -z`: `MODE TYPE OID`, a tab, path, NUL."""
    for line in _fields(output):
        head, _, path = line.partition(b"\t")
        mode, kind, oid = head.decode("ascii").split(" ")
        yield TreeEntry(path, int(mode, 8), kind, oid)


def staged(output: bytes) -> Iterator[TreeEntry]:
    """The output of `ls-files --stage -z`: `MODE OID STAGE`, a tab, path, NUL."""
    for line in _fields(output):
        head, _, path = line.partition(b"\t")
        mode, oid, _ = head.decode("ascii").split(" ")
        yield TreeEntry(path, int(mode, 8), "commit" if int(mode, 8) == GITLINK else "blob", oid)


def _fields(output: bytes) -> list[bytes]:
    return output.split(b"\0")[:-1]


def objects(output: bytes, algorithm: str) -> Iterator[tuple[str, str, bytes]]:
    """Name, type and content from `cat-file --batch`: `OID TYPE SIZE`, a line break, content, a line break.

    Raises GitError for an object that is missing, or that is not what its name says.
    """
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        name, _, rest = output[at:end].decode("utf-8", "surrogateescape").partition(" ")
        kind, _, size = rest.partition(" ")
        if not size.isdigit():
            raise GitError("missing-object", missing(name))
        at = end + 1 + int(size)
        content = output[end + 1 : at]
        at += 1
        if (
            hashlib.new(algorithm, f"{kind} {size}\0".encode() + content, usedforsecurity=False).hexdigest()
            != name
        ):
            raise GitError("wrong-object", f"object {name} is not what its name says; make a fresh clone")
        yield name, kind, content


def missing(name: str) -> str:
    """What to do about an object that is not there."""
    return (
        f"object {name} is not in this clone; fetch the whole history, with its files "
        "(`git fetch --unshallow`, without `--filter`)"
    )


def commit(oid: str, content: bytes) -> Commit:
    """A raw commit: header lines, a blank line, the message."""
    head, _, message = content.partition(b"\n\n")
    # A line that begins with a blank goes on with the one before: its key is empty, so nothing asks for it.
    headers = [(key, value) for key, _, value in (line.partition(b" ") for line in head.split(b"\n"))]
    first = dict(reversed(headers))
    return Commit(
        oid,
        tuple(value.decode("ascii", "replace") for key, value in headers if key == b"parent"),
        _person(first.get(b"author", b"")),
        _person(first.get(b"committer", b"")),
        message,
        first.get(b"encoding"),
    )


def _person(value: bytes) -> Person:
    """`NAME <EMAIL> SECONDS ZONE`; what lacks its brackets is all name."""
    name, opened, rest = value.partition(b"<")
    email, closed, _ = rest.rpartition(b">")
    return Person(name.strip(), email) if opened and closed else Person(value.strip(), b"")
