"""Which of the paths of a change edit the fixture map, whatever they are called."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from novote.fixturemap.match import Matcher
from novote.git.model import SYMLINK, Change
from novote.git.repository import Git
from novote.record import record


@record
class Edits:
    """Paths that are edited, sorted bytewise, and those among them that edit the fixture map.

    The map is edited by any path that is the map's on some system (`folded`), by what stands where one of its
    folders was (a link, a submodule), and by a symbolic link that leads or led to it or to its folder.
    """

    paths: tuple[bytes, ...]
    of_map: tuple[bytes, ...]

    def product(self, matcher: Matcher) -> tuple[bytes, ...]:
        """The product paths among the edited ones, those that edit the map left out."""
        of_map = frozenset(self.of_map)
        return tuple(path for path in self.paths if path not in of_map and matcher.hits(path).product)


def edits_of(git: Git, changes: Iterable[Change], map_path: str | None) -> Edits:
    """What these changes edit; `map_path` is from the root of the tree, None where there is no map.

    Raises GitError for a link that cannot be read.
    """
    (found,) = edits_of_each(git, (tuple(changes),), map_path)
    return found


def edits_of_each(git: Git, several: Sequence[Sequence[Change]], map_path: str | None) -> tuple[Edits, ...]:
    """What each of several lists of changes edits, with one question to git for all of them."""
    if map_path is None:
        return tuple(Edits(_paths(changes), ()) for changes in several)
    places = {folded(place) for place in _places(map_path.encode("utf-8", "surrogateescape"))}
    targets = git.contents(oid for changes in several for change in changes for oid in _links(change))

    def is_of_map(change: Change) -> bool:
        return not places.isdisjoint(map(folded, _names(change, targets)))

    return tuple(Edits(_paths(changes), _paths(filter(is_of_map, changes))) for changes in several)


def _paths(changes: Iterable[Change]) -> tuple[bytes, ...]:
    return tuple(sorted({change.path for change in changes}))


_UNSEEN = dict.fromkeys(
    (*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF), None
)
"""Characters that HFS+ does not see; git keeps the same list, for what stands in for `.git` there."""


def folded(path: bytes) -> str:
    """What all spellings of a path have in common on the systems that do not tell them apart.

    Some tell neither case nor Unicode form apart; HFS+ passes over characters, NTFS over the end of a name.
    """
    text = path.decode("utf-8", "surrogateescape")
    text = caseless(text if text.isascii() else text.translate(_UNSEEN))
    return "/".join(map(_without_end, text.replace("\\", "/").split("/")))


def caseless(text: str) -> str:
    """What texts have in common that differ by case and Unicode form alone."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _without_end(name: str) -> str:
    """A name without what NTFS takes from its end: the stream that is the file itself, dots and blanks."""
    return name.removesuffix("::$data").rstrip(" .")


def _places(path: bytes) -> Iterator[bytes]:
    """A path and the folders around it, the innermost first, without the root."""
    yield path
    while b"/" in path:
        path = path.rpartition(b"/")[0]
        yield path


def _links(change: Change) -> Iterator[str]:
    """The objects of the symbolic links that stood there before a change, and stand there now."""
    sides = ((change.old_mode, change.old_oid), (change.new_mode, change.new_oid))
    return (oid for mode, oid in sides if mode == SYMLINK)


def _names(change: Change, targets: Mapping[str, bytes]) -> Iterator[bytes]:
    """The path of a change, and where a symbolic link there led before it and leads now, from the root."""
    yield _resolved(change.path)
    folder = posixpath.dirname(change.path)
    yield from (_resolved(posixpath.join(folder, targets[oid])) for oid in _links(change))


def _resolved(path: bytes) -> bytes:
    """Where a path leads; on Windows a backslash parts it too."""
    return posixpath.normpath(path.replace(b"\\", b"/"))
