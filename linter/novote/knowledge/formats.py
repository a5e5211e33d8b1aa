"""Reads format texts of git: which directives they hold, and who wrote what each prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from novote.knowledge.options import Arguments, spread
from novote.knowledge.produced import HOLE, Produced, joined, plain, shown

_DIRECTIVE = re.compile(r"%%|%[-+ ]?(?:\(\*?([A-Za-z-]+)|x[0-9a-fA-F]{2}|(..?)|)", re.DOTALL)
_BASES = ("base", "main", "master", "origin", "upstream", "trunk", "develop", "default_branch")
_HEADS = ("head_ref", "head.ref", "headref", "head_sha", "head.sha", "head_branch")
_MAX_FORMAT = 4_096


def names_base(revision: str) -> bool:
    """Whether a revision, as a script writes it, names the base of the change rather than the change."""
    lowered = revision.lower()
    return any(name in lowered for name in _BASES) and not any(name in lowered for name in _HEADS)


class Formats:
    """The directives of each format language, by its name."""

    def __init__(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        self._rows = rows
        self._found: dict[str, dict[str, str]] = {}

    def _directives(self, name: str) -> dict[str, str]:
        found = self._found.get(name)
        if found is None:
            self._found[name] = {}  # a language that extends itself ends here
            row = self._rows.get(name, {})
            found = dict(self._directives(row["extends"])) if "extends" in row else {}
            for names, spec in row.get("prints", {}).items():
                found |= dict.fromkeys(spread(names), spec)
            self._found[name] = found
        return found

    def produced(
        self, output: Mapping[str, Any], command: str, words: Sequence[str], given: Arguments
    ) -> Produced:
        """What a command prints whose format an option gives, or its default format."""
        options = [option for option in given.options if option.name in output["options"]]
        if not options:
            return plain(output["default"], command)
        last = options[-1]
        text = f"{command} {last.name}" + (f"={shown(last.value)}" if last.value else "")
        if last.value is None:
            return plain(output.get("short", {}).get(last.name, output["default"]), text)
        value = re.sub(r"^t?format:", "", last.value[:_MAX_FORMAT])
        if "%" not in value and value and HOLE not in value and value == last.value:
            # A built-in format, or an alias of which nothing is known.
            return plain(output["default"], text)
        parts = list(self._printed(output["directives"], value))
        lines = any(part.shape != "line" for part in parts) or not _single(output, words, given)
        return joined(parts, text, "lines" if lines else "line")

    def _printed(self, name: str, value: str) -> Iterator[Produced]:
        directives = self._directives(name)
        if HOLE in value or len(value) == _MAX_FORMAT:
            yield Produced("unknown")
        for match in _DIRECTIVE.finditer(value):
            if match[1] is not None:
                yield plain(directives.get(f"({match[1]}", "unknown"), "")
            elif match[2] is not None:
                yield plain(directives.get(match[2]) or directives.get(match[2][0], "unknown"), "")


def _single(output: Mapping[str, Any], words: Sequence[str], given: Arguments) -> bool:
    """Whether the command prints one record only."""
    if not given.given(output.get("single", ())) or len(given.bare) > output.get("most", len(words)):
        return False
    return not any(".." in words[at] or words[at].startswith("^") for at in given.bare)
