"""How repositories are laid out, as `rules/layout.yml` has it: what a file or a folder is, by its name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from novote.knowledge.load import table


class Layout(NamedTuple):
    """Names and endings in lower case; `languages` are by the ending of a file's name."""

    languages: Mapping[str, str]
    prose_endings: frozenset[str]
    prose_names: frozenset[str]
    documentation: frozenset[str]
    tests: frozenset[str]
    shared: frozenset[str]
    containers: frozenset[str]
    pipelines: frozenset[str]
    tools: frozenset[str]

    def language(self, name: str) -> str | None:
        """The language that a file is written in; None for text, pictures and data."""
        return self.languages.get(_ending(name))

    def is_prose(self, name: str) -> bool:
        """Whether a file is for reading alone."""
        lowered = name.lower()
        stem = lowered.split(".", 1)[0].split("-", 1)[0] if not lowered.startswith(".") else lowered
        return _ending(name) in self.prose_endings or not self.prose_names.isdisjoint((stem, lowered))


def _ending(name: str) -> str:
    _, dot, ending = name.lower().rpartition(".")
    return ending if dot else ""


@cache
def builtin() -> Layout:
    """What novote ships."""
    found = table("layout")
    folders = found["folders"]
    return Layout(
        languages={ending: name for name, endings in found["languages"].items() for ending in endings},
        prose_endings=frozenset(found["prose"]["endings"]),
        prose_names=frozenset(found["prose"]["names"]),
        **{name: frozenset(folders[name]) for name in Layout._fields[3:]},
    )
