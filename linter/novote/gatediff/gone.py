"""Files and folders that come and go with the change: where nothing is left to be examined, or less."""

from __future__ import annotations

import posixpath
from functools import cached_property

from novote.gatediff.model import Doing, Exam, Side
from novote.gatediff.words import given


class Gone:
    """What one of two trees has and the other does not."""

    def __init__(self, before: Side, after: Side) -> None:
        self._before, self._after = before, after

    @cached_property
    def files(self) -> frozenset[str]:
        """The files, by their paths."""
        return frozenset(self._before.paths).difference(self._after.paths)

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(_with_folders(self.files)) - frozenset(_with_folders(self._after.paths))

    @cached_property
    def _come(self) -> frozenset[str]:
        return frozenset(_with_folders(self._after.paths)) - frozenset(_with_folders(self._before.paths))

    def is_narrower(self, exam: Exam, folder: str) -> bool:
        """Whether a folder is one within that of an exam, and neither new nor named in its script."""
        own = exam.doing.folder
        if folder == own or folder in self._come or not (not own or folder.startswith(f"{own}/")):
            return False
        run = exam.step.run if exam.step is not None else None
        return run is None or folder not in run.value

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
