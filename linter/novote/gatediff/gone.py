"""Files and folders that the change has removed or called otherwise: nothing is to examine there."""

from __future__ import annotations

import posixpath
from functools import cached_property

from novote.gatediff.model import Doing, Side
from novote.gatediff.words import given


class Gone:
    """What the base has and the tree of the change does not."""

    def __init__(self, before: Side, after: Side) -> None:
        self._before, self._after = before, after

    @cached_property
    def files(self) -> frozenset[str]:
        """The files, by their paths."""
        return frozenset(self._before.paths).difference(self._after.paths)

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(_with_folders(self.files)) - frozenset(_with_folders(self._after.paths))

    def leaves_nothing_of(self, doing: Doing) -> bool:
        """Whether all that a command is told to examine is gone."""
        if not self.files:
            return False
        targets = given(doing).targets if doing.command is not None else ()
        places = [posixpath.join(doing.folder, target) for target in targets] or [doing.folder]
        return all(posixpath.normpath(place).split("::")[0] in self._folders for place in places)


def _with_folders(paths: frozenset[str] | tuple[str, ...]) -> set[str]:
    """Paths with every folder above them, the root left out."""
    found: set[str] = set()
    for path in paths:
        while path and path not in found:
            found.add(path)
            path = posixpath.dirname(path)
    return found
