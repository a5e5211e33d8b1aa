"""What a real repository holds, read through git."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.git.error import GitError
from novote.git.model import GITLINK, SYMLINK, TREE, Change, Commit, Person, TreeEntry
from novote.git.place import View
from novote.git.process import Answer
from novote.git.repository import Git, open_repository

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]

ODD_NAMES = (
    b"new\nline",
    b"tab\tbed",
    b'quo"ted',
    b"back\\slash",
    b"\xff\xfe raw",
    "docs/é.md".encode(),
    b"-leading",
    b"--",
    b" blank ",
    b"cr\r",
    b":(top)magic",
    b"star*[x]?",
    b"\x1b[2J",
)


def opened(repository: Repository) -> Git:
    return open_repository(str(repository.path))


def paths(changes: tuple[Change, ...]) -> dict[bytes, str]:
    return {change.path: change.status for change in changes}


def test_names_of_any_bytes_come_back_as_they_are(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"kept": "x"})
    head = repository.commit(dict.fromkeys(ODD_NAMES, "x"))
    git = opened(repository)
    assert paths(git.changes(base, head)) == dict.fromkeys(ODD_NAMES, "A")
    assert {entry.path for entry in git.files(head)} == {b"kept", *ODD_NAMES}


@pytest.mark.parametrize("name", ODD_NAMES)
def test_an_entry_is_found_by_its_very_name(new_repository: New, name: bytes) -> None:
    repository = new_repository()
    head = repository.commit({name: "content", "other": "y"})
    git = opened(repository)
    entry = git.entry(head, name)
    assert entry is not None
    assert (entry.path, entry.mode, entry.type) == (name, 0o100644, "blob")
    assert git.blob(entry.oid) == b"content"


@pytest.mark.parametrize("path", [b"no", b"folder/", b"folder/no", b"fol*", b"file/below", b"./file"])
def test_nothing_is_found_by_another_name(new_repository: New, path: bytes) -> None:
    repository = new_repository()
    head = repository.commit({"folder/file": "x", "file": "y"})
    assert opened(repository).entry(head, path) is None


def test_entries_say_what_they_are(new_repository: New) -> None:
    repository = new_repository()
    head = repository.commit({"folder/file": "x"})
    commit = head.encode()
    from_link = {"link": ("120000", b"folder"), "sub": ("160000", commit), "run": ("100755", b"x")}
    blobs = {
        name: repository.git("hash-object", "-w", "--stdin", data=target)
        for name, (mode, target) in from_link.items()
        if mode != "160000"
    }
    lines = [
        f"{mode} {'commit' if mode == '160000' else 'blob'} {blobs.get(name, head)}\t{name}\n"
        for name, (mode, _) in from_link.items()
    ]
    tree = repository.git("mktree", data="".join(lines).encode())
    found = {entry.path: (entry.mode, entry.type) for entry in opened(repository).files(tree)}
    assert found == {b"link": (SYMLINK, "blob"), b"sub": (GITLINK, "commit"), b"run": (0o100755, "blob")}
    folder = opened(repository).entry(head, b"folder")
    assert folder is not None
    assert (folder.mode, folder.type) == (TREE, "tree")


def test_a_blob_beyond_the_limit_is_an_error(new_repository: New) -> None:
    repository = new_repository()
    oid = repository.git("hash-object", "-w", "--stdin", data=b"x" * 5000)
    git = opened(repository)
    assert git.blob(oid, 5000) == b"x" * 5000
    with pytest.raises(GitError, match="larger than 4000 bytes") as caught:
        git.blob(oid, 4000)
    assert caught.value.kind == "too-large"


def test_links_are_read_in_one_question(new_repository: New, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = new_repository()
    oids = [
        repository.git("hash-object", "-w", "--stdin", data=target) for target in (b"a", b"b/\xff", b"../c")
    ]
    git = opened(repository)
    asked: list[tuple[str, ...]] = []
    ask = View.ask

    def counted(view: View, *arguments: str, data: bytes = b"", limit: int | None = None) -> Answer:
        asked.append(arguments)
        return ask(view, *arguments, data=data, limit=limit)

    monkeypatch.setattr(View, "ask", counted)
    assert git.contents([*oids, oids[0]]) == dict(zip(oids, (b"a", b"b/\xff", b"../c"), strict=True))
    assert git.contents([]) == {}
    assert len(asked) == 1


def test_what_is_no_file_is_no_blob(new_repository: New) -> None:
    repository = new_repository()
    head = repository.commit({"file": "x"})
    with pytest.raises(GitError, match="no file but a commit"):
        opened(repository).blob(head)


def test_an_object_that_is_not_there_says_how_to_get_it(new_repository: New) -> None:
    repository = new_repository()
    repository.commit({"file": "x"})
    with pytest.raises(GitError, match="fetch the whole history") as caught:
        opened(repository).blob("1" * 40)
    assert caught.value.kind == "missing-object"


def test_an_object_that_is_not_what_its_name_says_is_refused(new_repository: New) -> None:
    repository = new_repository()
    repository.commit({"file": "x"})
    honest, forged = (
        repository.git("hash-object", "-w", "--stdin", data=data) for data in (b"rules: [all]", b"rules: []")
    )
    objects = repository.path / ".git" / "objects"
    target = objects / honest[:2] / honest[2:]
    os.chmod(target, 0o600)
    target.write_bytes((objects / forged[:2] / forged[2:]).read_bytes())
    with pytest.raises(GitError, match="not what its name says") as caught:
        opened(repository).blob(honest)
    assert caught.value.kind in ("wrong-object", "failed")


def test_commits_come_parents_first_with_merges(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"a": "1"}, message="Base\n")
    one = repository.commit(
        {"b": "1"}, branch="topic", parents=[base], message="One\n", seconds=1_900_000_000
    )
    side = repository.commit(
        {"c": "1"}, branch="side", parents=[base], message="Side\n", seconds=1_000_000_000
    )
    merge = repository.commit({}, branch="topic", parents=[one, side], message="Merge\n", seconds=1)
    git = opened(repository)
    found = git.commits(merge, (base,))
    assert {commit.oid for commit in found} == {one, side, merge}
    assert found[-1].oid == merge
    assert found[-1].parents == (one, side)
    assert git.commits(merge, (merge,)) == ()
    assert git.commits(merge, (one, side)) == found[-1:]
    assert len(git.commits(merge, ())) == 4


def test_a_commit_is_read_raw(new_repository: New) -> None:
    repository = new_repository()
    raw = "Grüße\n\nTested-with: alles\n".encode("latin-1")
    head = repository.commit(
        {}, message=raw, author="Ann Ä <ann@example.org>", committer="Bot <bot@x>", encoding="ISO-8859-1"
    )
    (commit,) = opened(repository).commits(head, ())
    assert commit.message == raw
    assert commit.encoding == b"ISO-8859-1"
    assert commit.text == "Grüße\n\nTested-with: alles\n"
    assert commit.author == Person("Ann Ä".encode(), b"ann@example.org")
    assert commit.committer == Person(b"Bot", b"bot@x")


@pytest.mark.parametrize(
    "encoding", ["utf-7", "punycode", "unicode_escape", "rot13", "utf-16", "no-such-thing"]
)
def test_an_encoding_that_would_run_a_strange_decoder_is_not_followed(
    new_repository: New, encoding: str
) -> None:
    repository = new_repository()
    head = repository.commit({}, message=b"Tested-with: \\x41 \xff", encoding=encoding)
    (commit,) = opened(repository).commits(head, ())
    assert commit.text == "Tested-with: \\x41 \udcff"


ENCODINGS = [
    *(
        "ISO-2022-JP",
        "ISO-2022-KR",
        "ISO-8859-8",
        "windows-1255",
        "KOI8-R",
        "Shift_JIS",
        "EUC-KR",
        "GBK",
        "Big5",
    ),
    *("HZ", "UTF-7", "IBM500", "iso88591", "a.b", "\xff", "x" * 300, " ", "../codecs", "zlib", "undefined"),
]


@given(
    st.lists(
        st.sampled_from([b"\x1b", b"$", b"(B", b"~", b"{", b"+", b"A", b"\n", b"\x81", b"\xff", b"\x8e"])
    )
)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_any_bytes_in_any_encoding_are_text(encoding: str, pieces: list[bytes]) -> None:
    somebody = Person(b"", b"")
    made = Commit("1" * 40, (), somebody, somebody, b"".join(pieces), encoding.encode("latin-1"))
    assert isinstance(made.text, str)


def test_headers_that_go_on_for_lines_are_no_headers_of_their_own(new_repository: New) -> None:
    repository = new_repository()
    tree = repository.git("mktree")
    raw = (
        f"tree {tree}\nauthor A <a> 1 +0000\ncommitter C <c> 1 +0000\ngpgsig -----BEGIN\n"
        f" parent {'1' * 40}\n encoding utf-16\n -----END\n\nSubject\n\nparent 2\n"
    )
    head = repository.git("hash-object", "-t", "commit", "-w", "--stdin", data=raw.encode())
    (commit,) = opened(repository).commits(head, ())
    assert (commit.parents, commit.encoding, commit.message) == ((), None, b"Subject\n\nparent 2\n")


@pytest.mark.parametrize("options", [(), ("--bare",), ("--object-format=sha256",)])
def test_every_kind_of_repository_can_be_read(new_repository: New, options: tuple[str, ...]) -> None:
    repository = new_repository("one", *options)
    base = repository.commit({"a": "1"})
    head = repository.commit({"a": "2"})
    git = opened(repository)
    assert git.resolve("main") == head
    assert git.merge_bases(base, head) == (base,)
    assert paths(git.changes(base, head)) == {b"a": "M"}
    entry = git.entry(head, b"a")
    assert entry is not None
    assert git.blob(entry.oid) == b"2"
    assert len(git.commits(head, (base,))) == 1
    assert git.merged_tree(base, head) == repository.git("rev-parse", "main^{tree}")


def test_a_linked_work_tree_shares_the_objects_and_keeps_its_head(new_repository: New) -> None:
    repository = new_repository()
    base = repository.commit({"a": "1"})
    head = repository.commit({"a": "2"}, branch="topic", parents=[base])
    repository.git("worktree", "add", "-q", "../linked\nwith break", "topic")
    linked = repository.path.parent / "linked\nwith break"
    (linked / "below").mkdir()
    git = open_repository(str(linked / "below"))
    assert git.resolve("HEAD") == head
    assert paths(git.changes(base, head)) == {b"a": "M"}
    assert git.place.folder == os.path.realpath(linked)


def test_a_folder_of_any_name_may_hold_the_repository(new_repository: New) -> None:
    repository = new_repository('#odd "na\\me"\n: ü')
    head = repository.commit({"a": "1"})
    assert [entry.path for entry in opened(repository).files(head)] == [b"a"]


def test_borrowed_objects_are_found(new_repository: New) -> None:
    repository = new_repository()
    head = repository.commit({"a": "1"})
    repository.git("clone", "-q", "--shared", str(repository.path), "../shared")
    git = open_repository(str(repository.path.parent / "shared"))
    assert git.files(head) == (TreeEntry(b"a", 0o100644, "blob", git.files(head)[0].oid),)


def test_the_index_is_what_was_added(new_repository: New) -> None:
    repository = new_repository()
    repository.commit({"kept": "x", "gone": "y"})
    repository.git("reset", "--hard", "--quiet")
    (repository.path / "new").write_text("z")
    (repository.path / "untracked").write_text("z")
    repository.git("add", "new")
    repository.git("rm", "--quiet", "gone")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    found = {entry.path: (entry.mode, entry.type) for entry in opened(repository).staged()}
    regular = (0o100644, "blob")
    assert found == {b"kept": regular, b"new": regular, b"sub": (GITLINK, "commit")}


def test_the_index_of_a_repository_without_a_commit(new_repository: New) -> None:
    repository = new_repository()
    git = opened(repository)
    assert git.staged() == ()
    for name in (b"new\nline", b"-x"):
        (repository.path / os.fsdecode(name)).write_text("x")
    repository.git("add", "--all")
    assert {entry.path for entry in git.staged()} == {b"new\nline", b"-x"}


def test_what_lies_beside_the_index(new_repository: New) -> None:
    repository = new_repository()
    git = opened(repository)
    new_repository("repo/inner")
    for name in ("a/b/c", "a/x", "ignored", ".gitignore", "added"):
        (repository.path / name).parent.mkdir(parents=True, exist_ok=True)
        (repository.path / name).write_text("ignored\n")
    repository.git("add", "added")
    repository.git("config", "core.fsmonitor", "touch started; false")
    assert set(git.untracked()) == {b"a/b/c", b"a/x", b".gitignore"}
    assert git.untracked("a/b") == (b"a/b/c",)
    assert not (repository.path / "started").exists()
    assert opened(new_repository("bare", "--bare")).untracked() == ()


def test_commits_that_touched_a_file_come_last_ones_first(new_repository: New) -> None:
    repository = new_repository()
    made = [repository.commit({"map": str(number), "other": "x"}) for number in range(3)]
    head = repository.commit({"other": "y"})
    git = opened(repository)
    assert [commit.oid for commit in git.touching(head, b"map", 10)] == made[::-1]
    assert [commit.oid for commit in git.touching(head, b"map", 2)] == made[-1:]
    assert git.touching(head, b"ma*", 10) == ()


def test_the_mainline_passes_over_what_was_merged(new_repository: New) -> None:
    repository = new_repository()
    first = repository.commit({"a": "1"})
    side = repository.commit({"b": "1"}, branch="side", parents=[first])
    second = repository.commit({"a": "2"})
    merge = repository.commit({"b": "1"}, parents=[second, side])
    git = opened(repository)
    assert [commit.oid for commit in git.mainline(merge, 10)] == [merge, second, first]
    assert [commit.oid for commit in git.mainline(merge, 2)] == [merge, second]
