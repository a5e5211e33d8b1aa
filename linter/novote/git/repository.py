"""A git repository as the rest of novote sees it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from novote.git import names, parse
from novote.git.error import GitError
from novote.git.model import Change, Commit, TreeEntry
from novote.git.place import Place, View, locate, open_view
from novote.git.process import Answer, checked
from novote.record import record

MAX_BLOB = 1 << 25
"""How many bytes of one file are read."""

_DIFF = (
    "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv",
    "--ignore-submodules=none",
)  # fmt: skip
_MERGE = ("merge-tree", "--write-tree", "--no-messages")

_AT_ONCE = 1 << 24
"""How many bytes the answer to several questions may have; beyond, fewer are asked together."""

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


def open_repository(folder: str) -> Git:
    """The repository around a folder: a work tree, a linked one, or a bare repository.

    Raises GitError where there is none, or git is missing or cannot read it.
    """
    return Git(open_view(locate(folder)))


@record
class Git:
    """Questions to one repository, asked by plumbing. Every answer raises GitError where git has none.

    Where a commit or tree is asked for, an `oid` is a full object name, as `resolve` gives it.
    """

    view: View

    @property
    def place(self) -> Place:
        """Where the repository lies."""
        return self.view.place

    def resolve(self, ref: str) -> str:
        """The full object name of the commit that a name stands for; see `names.resolve`."""
        return names.resolve(self.view, ref)

    def upstream_default(self) -> str | None:
        """The full name of the branch that changes most likely go to; None where no remote is known."""
        return names.default_base(self.view)

    def remote_tips(self) -> tuple[str, ...]:
        """The objects at which branches of remotes were last seen, each once, sorted."""
        return names.objects_below(self.view, "refs/remotes/")

    def remote_address(self, name: str) -> str | None:
        """Where a remote is, as the repository's own configuration says; None where it does not."""
        answer = self.view.ask_repository("config", "--local", "--get", f"remote.{name}.url")
        return answer.output.decode("utf-8", "replace").strip() if answer.code == 0 else None

    def refuse_tricks(self) -> None:
        """Raises GitError where the history seen by others would differ from that of the objects."""
        if self.view.shallow:
            raise GitError(
                "shallow",
                "the history of this clone is cut off, so what the change is based on cannot be found; "
                "run `git fetch --unshallow`, or check out with `fetch-depth: 0`",
            )
        if names.any_below(self.view, "refs/replace/"):
            raise GitError(
                "replaced",
                "this clone replaces objects (refs/replace/); list them by `git replace` and delete each "
                "by `git replace -d`",
            )
        grafts = os.path.join(self.view.common_folder, "info", "grafts")
        if os.path.lexists(grafts):
            raise GitError("grafted", f"this clone grafts its history ({grafts}); remove that file")

    def merge_bases(self, one: str, other: str) -> tuple[str, ...]:
        """All best common ancestors, sorted; empty for histories that have nothing in common."""
        answer = self.view.ask("merge-base", "--all", one, other)
        if answer.code == 1 and not answer.output and not answer.complaint:
            return ()
        return tuple(sorted(checked(answer, "find the merge base").output.decode("ascii").split()))

    def changes(self, old: str, new: str) -> tuple[Change, ...]:
        """What differs between two commits or trees, by path; a submodule is one path."""
        answer = self.view.ask(*_DIFF, old, new)
        return tuple(parse.changes(checked(answer, "compare two trees").output))

    def differences(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[Change, ...]]:
        """What `changes` says of each of these pairs, in few questions."""
        return _in_few(self._differences, lambda pair: self.changes(*pair), pairs)

    def _differences(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[Change, ...]]:
        names = dict.fromkeys(oid for pair in pairs for oid in pair)
        trees = dict(zip(names, self._peeled(names, "tree"), strict=True))
        read = [(trees[old], trees[new]) for old, new in pairs]
        asked = "".join(f"{old} {new}\n" for old, new in read).encode("ascii")
        answer = self.view.ask(*_DIFF, "--stdin", data=asked, limit=_AT_ONCE)
        return list(parse.differences(checked(answer, "compare trees").output, read))

    def entry(self, oid: str, path: bytes) -> TreeEntry | None:
        """The entry of exactly this path in a commit or tree, a folder's too; None where there is none."""
        answer = self.view.ask("ls-tree", "-z", "--full-tree", oid, "--", os.fsdecode(path))
        found = parse.entries(checked(answer, "look into a tree").output)
        return next((entry for entry in found if entry.path == path), None)

    def files(self, oid: str) -> tuple[TreeEntry, ...]:
        """Every file, link and submodule of a commit or tree, in git's order; no folders."""
        answer = self.view.ask("ls-tree", "-r", "-z", "--full-tree", oid)
        return tuple(parse.entries(checked(answer, "list a tree").output))

    def staged(self) -> tuple[TreeEntry, ...]:
        """Every file, link and submodule of the index, by path: what the next commit would hold.

        A file in conflict is there once for each of its sides.
        """
        answer = self.view.ask_repository("ls-files", "--stage", "-z")
        return tuple(parse.staged(checked(answer, "list the index").output))

    def untracked(self, folder: str = "") -> tuple[bytes, ...]:
        """Files at or below a folder of the work tree that the index lacks and that git does not ignore.

        Repositories of their own below it are left out; a bare repository has no such files.
        """
        if self.place.folder == self.place.git_folder:
            return ()
        within = ("--", folder) if folder else ()
        answer = self.view.ask_repository(
            f"--work-tree={self.place.folder}", "ls-files", "--others", "--exclude-standard", "-z", *within
        )
        found = checked(answer, "list the work tree").output.split(b"\0")
        return tuple(path for path in found if path and not path.endswith(b"/"))

    def blob(self, oid: str, limit: int = MAX_BLOB) -> bytes:
        """The content of a file, at most `limit` bytes of it: a larger one is an error."""
        try:
            ((kind, content),) = self._objects((oid,), limit + len(oid) + 32)
        except GitError as error:
            if error.kind != "too-large":
                raise
            raise GitError("too-large", f"the file {oid} is larger than {limit} bytes") from None
        if kind != "blob":
            raise GitError("missing-object", f"object {oid} is no file but a {kind}")
        return content

    def known_commits(self, names: Iterable[str]) -> Mapping[str, str]:
        """The commits that object names stand for, by these names; tags are followed.

        What is not here, and what is no commit, is left out.
        """
        asked = tuple(dict.fromkeys(names))
        found = self._peeled(asked, "commit")
        return {name: oid for name, oid in zip(asked, found, strict=True) if not oid.endswith(" missing")}

    def _peeled(self, names: Iterable[str], kind: str) -> list[str]:
        """The object of some kind behind each name; what has none is said to be missing."""
        asked = "".join(f"{name}^{{{kind}}}\n" for name in names).encode("ascii")
        answer = self.view.ask("cat-file", "--batch-check=%(objectname)", data=asked)
        return checked(answer, "find objects").output.decode("ascii").splitlines()

    def contents(self, oids: Iterable[str]) -> Mapping[str, bytes]:
        """What files hold and where symbolic links lead, by the names of their objects, in one question."""
        asked = tuple(dict.fromkeys(oids))
        if not asked:
            return {}
        return {oid: content for oid, (_, content) in zip(asked, self._objects(asked), strict=True)}

    def commits(self, head: str, excluded: Sequence[str]) -> tuple[Commit, ...]:
        """Commits reachable from `head` and from none of `excluded`, merges included, parents first."""
        return self.commits_of((head,), excluded)

    def commits_of(self, heads: Sequence[str], excluded: Sequence[str]) -> tuple[Commit, ...]:
        """The same for several heads; each commit once."""
        # On standard input, where ten thousand bounds find room.
        bounds = "".join(f"{oid}\n" for oid in (*heads, *(f"^{oid}" for oid in excluded)))
        asked = ("rev-list", "--topo-order", "--reverse", "--stdin")
        return self._commits(self.view.ask(*asked, data=bounds.encode("ascii")))

    def touching(self, head: str, path: bytes, depth: int) -> tuple[Commit, ...]:
        """Commits that changed a file, the last ones first: those since `depth` steps along the mainline."""
        bounds = [f"^{commit}" for commit in self._back(head, depth)]
        return self._commits(
            self.view.ask("rev-list", "--topo-order", head, *bounds, "--", os.fsdecode(path))
        )

    def _back(self, head: str, depth: int) -> list[str]:
        """The commit so many first parents before another, where there is one."""
        steps = ("--first-parent", "--max-count=1", f"--skip={depth}")
        answer = checked(self.view.ask("rev-list", *steps, head), "walk the mainline")
        return answer.output.decode("ascii").split()

    def mainline(self, head: str, most: int) -> tuple[Commit, ...]:
        """`head`, its first parent, the first parent of that and so on, at most so many."""
        return self._commits(self.view.ask("rev-list", f"--max-count={most}", "--first-parent", head))

    def merged_tree(self, base: str, head: str) -> str:
        """The tree that merging two commits gives. A conflict is an error; nothing is written to stay."""
        answer = self.view.ask(*_MERGE, "-z", base, head)
        if answer.code == 1:
            raise GitError("conflict", _conflict(base, head, answer.output))
        if answer.code == 129:
            raise GitError("old-git", "this git cannot merge without a work tree; install git 2.38 or newer")
        return checked(answer, "merge the two").output.partition(b"\0")[0].decode("ascii").strip()

    def merged_trees(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """What `merged_tree` says of each of these pairs, in few questions; None where that is an error."""
        return _in_few(self._merged_trees, self._merged_tree, pairs)

    def _merged_trees(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        asked = "".join(f"{one} {other}\n" for one, other in pairs).encode("ascii")
        answer = self.view.ask(*_MERGE, "--stdin", data=asked, limit=_AT_ONCE)
        trees = list(parse.merges(checked(answer, "merge so many").output))
        if len(trees) != len(pairs):
            raise GitError("failed", "git does not merge all that it was asked to")
        return trees

    def _merged_tree(self, pair: tuple[str, str]) -> str | None:
        try:
            return self.merged_tree(*pair)
        except GitError as error:
            if error.kind not in ("conflict", "old-git", "failed"):
                raise
            return None

    def _commits(self, answer: Answer) -> tuple[Commit, ...]:
        """The commits that `rev-list` names."""
        oids = checked(answer, "list the commits").output.decode("ascii").split()
        return tuple(
            parse.commit(oid, content) for oid, (_, content) in zip(oids, self._objects(oids), strict=True)
        )

    def _objects(self, oids: Sequence[str], limit: int | None = None) -> list[tuple[str, bytes]]:
        """Types and contents, in the order asked for."""
        asked = "".join(f"{oid}\n" for oid in oids).encode("ascii")
        answer = checked(self.view.ask("cat-file", "--batch", data=asked, limit=limit), "read objects")
        return [(kind, content) for _, kind, content in parse.objects(answer.output, self.view.object_format)]


def _in_few(
    many: Callable[[Sequence[_Item]], list[_Answer]], one: Callable[[_Item], _Answer], items: Sequence[_Item]
) -> list[_Answer]:
    """The answer for each item, by `many` for all of them or, where that fails, for each half of them.

    An item that nothing but itself can be asked with gets the answer of `one`, or its error.
    """
    if len(items) < 2:
        return [one(item) for item in items]
    try:
        return many(items)
    except GitError:
        half = len(items) // 2
        return _in_few(many, one, items[:half]) + _in_few(many, one, items[half:])


def _conflict(base: str, head: str, output: bytes) -> str:
    """Names the files: behind the tree, `MODE OID STAGE`, a tab, path, NUL for each side."""
    paths = dict.fromkeys(
        os.fsdecode(line.partition(b"\t")[2]) for line in output.split(b"\0")[1:] if b"\t" in line
    )
    shown = ", ".join(list(paths)[:5]) + (", ..." if len(paths) > 5 else "")
    return (
        f"{head[:12]} does not merge into {base[:12]} without conflicts ({shown}); "
        "merge or rebase the change first"
    )
