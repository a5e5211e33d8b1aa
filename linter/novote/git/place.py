"""Finds a repository, and makes the view of it through which its objects are read.

The view is an empty bare repository in a temporary folder that borrows the objects. What git is asked there,
no configuration, attribute, hook, index, work tree, replacement, graft or commit graph of the repository can
change, and what git writes there is gone with it.
"""

from __future__ import annotations

import os
import weakref
from tempfile import mkdtemp

from novote.git.error import GitError
from novote.git.process import Answer, find_git, run
from novote.record import open_record, record

_CONFIG = """\
[core]
	repositoryformatversion = 1
	bare = true
	commitGraph = false
	multiPackIndex = false
[extensions]
	objectFormat = {format}
"""

_HARMLESS = (
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.commitGraph=false",
    "-c", "core.pager=cat",
)  # fmt: skip
"""For the few questions about names that only the repository itself can answer."""


@record
class Place:
    """Where a repository lies: the folder that holds `.git`, or a bare repository itself; all absolute."""

    folder: str
    git_folder: str


@open_record
class View:
    """A repository and the temporary bare one that shows its objects; gone when nobody holds it any more.

    `object_format` is `sha1` or `sha256`.
    """

    place: Place
    program: str
    common_folder: str
    object_format: str
    shallow: bool
    folder: str

    def ask_repository(self, *arguments: str) -> Answer:
        """Runs git on the repository itself: for names of commits, the index, and what lies beside it."""
        return _ask(self.program, self.place, self.folder, *arguments)

    def ask(self, *arguments: str, data: bytes = b"", limit: int | None = None) -> Answer:
        """Runs git on the objects alone."""
        command = (self.program, f"--git-dir={self.folder}", *arguments)
        return run(command, self.folder, data) if limit is None else run(command, self.folder, data, limit)


def locate(folder: str) -> Place:
    """The repository around a folder. Raises GitError where there is none."""
    at = os.path.realpath(folder)
    while True:
        if os.path.lexists(os.path.join(at, ".git")):
            return Place(at, os.path.join(at, ".git"))
        if _is_bare(at):
            return Place(at, at)
        above = os.path.dirname(at)
        if above == at:
            raise GitError("no-repository", f"{folder} is in no git repository; run novote inside one")
        at = above


def _is_bare(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "HEAD")) and all(
        os.path.isdir(os.path.join(folder, part)) for part in ("objects", "refs")
    )


def open_view(place: Place) -> View:
    """Makes a view. Raises GitError where git is missing or cannot read the repository."""
    program = find_git()
    try:
        folder = mkdtemp(prefix="novote-")
    except OSError as error:
        raise GitError("failed", f"there is no room for temporary files: {error.strerror}") from None
    try:
        common, object_format, shallow = _describe(program, place, folder)
        _furnish(folder, common, object_format)
    except BaseException:
        _remove(folder, os.getpid())
        raise
    view = View(place, program, common, object_format, shallow, folder)
    weakref.finalize(view, _remove, folder, os.getpid())
    return view


def _ask(program: str, place: Place, home: str, *arguments: str) -> Answer:
    # NOTE: a named folder is the caller's choice, so git does not ask whose it is (safe.directory).
    # The work tree is named too: one from the configuration need not exist.
    where = (f"--git-dir={place.git_folder}", f"--work-tree={home}")
    return run((program, *_HARMLESS, *where, *arguments), home)


def _describe(program: str, place: Place, home: str) -> tuple[str, str, bool]:
    """The folder that all work trees share, the kind of object names, and whether history is cut off."""
    asked = ("--show-object-format", "--is-shallow-repository", "--path-format=absolute", "--git-common-dir")
    answer = _ask(program, place, home, "rev-parse", *asked)
    lines = answer.output.split(b"\n", 2)
    if answer.code != 0 or len(lines) < 3:
        raise GitError("no-repository", f"git cannot read the repository {place.folder}: {answer.reason}")
    object_format, shallow, common = lines
    if object_format not in (b"sha1", b"sha256") or common.startswith(b"--"):
        # What it does not know, an old one repeats.
        raise GitError("old-git", "this git is too old; install git 2.38 or newer")
    return os.fsdecode(common.removesuffix(b"\n")), object_format.decode("ascii"), shallow == b"true"


def _furnish(folder: str, common: str, object_format: str) -> None:
    os.makedirs(os.path.join(folder, "objects", "info"))
    os.mkdir(os.path.join(folder, "refs"))
    _write(folder, "HEAD", b"ref: refs/heads/none\n")
    _write(folder, "config", _CONFIG.format(format=object_format).encode())
    _write(folder, os.path.join("objects", "info", "alternates"), _quoted(os.path.join(common, "objects")))


def _quoted(path: str) -> bytes:
    """A path as git quotes it, so that a line break or a leading `#` in it means nothing else."""
    raw = os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + raw + b'"\n'


def _write(folder: str, name: str, data: bytes) -> None:
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def _remove(folder: str, owner: int) -> None:
    """Removes a view, in the process that made it alone: a fork drops its copies too.

    What cannot be removed is left to the system's own cleaning of temporary files.
    """
    if os.getpid() != owner:
        return
    for at, folders, files in os.walk(folder, topdown=False):
        for name in (*files, *folders):
            path = os.path.join(at, name)
            try:
                (os.rmdir if name in folders else os.unlink)(path)
            except OSError:
                continue
    try:
        os.rmdir(folder)
    except OSError:
        return
