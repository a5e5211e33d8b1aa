"""What git prints is read as it is, whatever bytes it holds."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.git import parse
from novote.git.error import GitError
from novote.git.model import Change, Person, TreeEntry

names = st.binary(min_size=1, max_size=12).filter(lambda name: b"\0" not in name)
modes = st.sampled_from([0, 0o100644, 0o100755, 0o120000, 0o160000])
oids = st.sampled_from(["0" * 40, "1a" * 20, "b" * 64])
changes = st.builds(Change, names, st.sampled_from("ADMT"), modes, modes, oids, oids)
kinds = st.sampled_from(["blob", "tree", "commit"])


def printed(told: list[Change]) -> bytes:
    return b"".join(
        f":{c.old_mode:06o} {c.new_mode:06o} {c.old_oid} {c.new_oid} {c.status}".encode()
        + b"\0"
        + c.path
        + b"\0"
        for c in told
    )


@given(st.lists(changes, max_size=4))
def test_every_change_comes_back(told: list[Change]) -> None:
    assert list(parse.changes(printed(told))) == told


@given(st.lists(st.tuples(oids, oids, st.lists(changes, max_size=3)), max_size=4))
def test_every_pair_of_trees_gets_its_changes(told: list[tuple[str, str, list[Change]]]) -> None:
    output = b"".join(f"{old} {new}\n".encode() + printed(found) for old, new, found in told)
    pairs = [(old, new) for old, new, _ in told]
    assert list(parse.differences(output, pairs)) == [tuple(found) for _, _, found in told]


def test_a_pair_that_git_passes_over_is_an_error() -> None:
    one, other = ("1" * 40, "2" * 40), ("3" * 40, "4" * 40)
    with pytest.raises(GitError, match="does not compare 1111"):
        list(parse.differences(f"{' '.join(other)}\n".encode(), [one, other]))


@given(st.lists(st.tuples(st.booleans(), oids, st.lists(names, max_size=3)), max_size=4))
def test_every_merge_gets_its_tree(told: list[tuple[bool, str, list[bytes]]]) -> None:
    output = b"".join(
        b"%d\0%s\0" % (clean, tree.encode())
        + b"".join(b"100644 %s 1\t%s\0" % (b"1" * 40, name) for name in sides if not clean)
        + b"\0"
        for clean, tree, sides in told
    )
    assert list(parse.merges(output)) == [tree if clean else None for clean, tree, _ in told]


@given(st.lists(st.builds(TreeEntry, names, modes, kinds, oids), max_size=4))
def test_every_entry_comes_back(told: list[TreeEntry]) -> None:
    output = b"".join(f"{e.mode:06o} {e.type} {e.oid}\t".encode() + e.path + b"\0" for e in told)
    assert list(parse.entries(output)) == told


@given(st.lists(st.binary(max_size=30), max_size=4), st.sampled_from(["sha1", "sha256"]))
def test_every_object_comes_back(contents: list[bytes], algorithm: str) -> None:
    output, told = b"", []
    for content in contents:
        name = hashlib.new(algorithm, b"blob %d\0" % len(content) + content).hexdigest()
        output += f"{name} blob {len(content)}\n".encode() + content + b"\n"
        told.append((name, "blob", content))
    assert list(parse.objects(output, algorithm)) == told


@pytest.mark.parametrize(("word", "kind"), [("missing", "missing-object"), ("blob 3\nabc", "wrong-object")])
def test_what_is_not_the_object_asked_for_is_an_error(word: str, kind: str) -> None:
    with pytest.raises(GitError) as caught:
        list(parse.objects(f"{'1' * 40} {word}\n".encode(), "sha1"))
    assert caught.value.kind == kind


@given(st.binary(max_size=60), st.binary(max_size=60).filter(lambda head: b"\n\n" not in head + b"\n"))
def test_any_bytes_are_a_commit_and_the_message_is_kept(message: bytes, head: bytes) -> None:
    found = parse.commit("1" * 40, b"tree x\n" + head.lstrip(b"\n") + b"\n\n" + message)
    assert found.message.endswith(message)
    assert isinstance(found.text, str)


@pytest.mark.parametrize(
    ("line", "person"),
    [
        (b"Ann <a@x> 1 +0000", Person(b"Ann", b"a@x")),
        (b"<a@x> 1 +0000", Person(b"", b"a@x")),
        (b"Ann <> 1 +0000", Person(b"Ann", b"")),
        (b"Ann <b<c@x>> 1 +0000", Person(b"Ann", b"b<c@x>")),
        (b"Ann", Person(b"Ann", b"")),
        (b"Ann <a@x", Person(b"Ann <a@x", b"")),
        (b"", Person(b"", b"")),
    ],
)
def test_people_are_read_as_they_are_written(line: bytes, person: Person) -> None:
    raw = b"tree x\nauthor " + line + b"\ncommitter C <c> 1 +0000\nauthor Other <o> 1 +0000\n\nx"
    found = parse.commit("1" * 40, raw)
    assert (found.author, found.committer) == (person, Person(b"C", b"c"))
