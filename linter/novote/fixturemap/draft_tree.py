"""The files of a repository as a draft looks at them: folders, and what is in each of them."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from novote.knowledge.layout import Layout

_UNWRITABLE: Final = re.compile("[?+\\[\\]{}\\\\*\x00-\x1f\x7f\ud800-\udfff]+|^!+")


class FileTree:
    """Folders by their path, `""` for the root; paths are text, bytes beyond UTF-8 as surrogates."""

    def __init__(self, files: Iterable[bytes], layout: Layout) -> None:
        self._folders: defaultdict[str, set[str]] = defaultdict(set)
        self._files: defaultdict[str, list[str]] = defaultdict(list)
        self._code: Counter[str] = Counter()
        self._prose: Counter[str] = Counter()
        self._size: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        for path in map(os.fsdecode, files):
            self._add(path, layout)

    def _add(self, path: str, layout: Layout) -> None:
        folder, _, name = path.rpartition("/")
        self._files[folder].append(name)
        language, prose = layout.language(name), layout.is_prose(name)
        if language is not None:
            self.languages[language] += 1
        while True:
            self._size[folder] += 1
            self._code[folder] += language is not None
            self._prose[folder] += prose
            if not folder:
                return
            above, _, own = folder.rpartition("/")
            self._folders[above].add(own)
            folder = above

    def folders(self, folder: str) -> list[str]:
        """The names of the folders right inside, sorted."""
        return sorted(self._folders.get(folder, ()))

    def files(self, folder: str) -> list[str]:
        """The names of the files right inside, sorted."""
        return sorted(self._files.get(folder, ()))

    def size(self, folder: str) -> int:
        """How many files are at or below a folder."""
        return self._size[folder]

    def code(self, folder: str) -> int:
        """How many of them are written in some language."""
        return self._code[folder]

    def is_prose(self, folder: str) -> bool:
        """Whether all of them are for reading alone."""
        return self._prose[folder] == self._size[folder]


def pattern_for(path: str) -> str:
    """A pattern of the plain dialect for one path; what it cannot write becomes `*`."""
    return "/".join(_UNWRITABLE.sub("*", segment) for segment in path.split("/"))


def below(folder: str) -> str:
    """A pattern for everything below a folder."""
    return f"{pattern_for(folder)}/**"
