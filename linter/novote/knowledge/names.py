"""What the name of a job, a target or a script says: an exam, never one, or nothing.

The word lists are in `rules/exams/names.yml`. A name is read as words, so `build-docs` holds
`build` and `docs`. In order:

1. A word about the request itself or its housekeeping (`label`, `backport`, `title`, `report`) makes it none,
   unless the name begins with a word like `test`: `test-labeler` tests a labeler.
2. A strong word (`test`, `lint`, `e2e`) makes it an exam, beside `release` or `docs` too: `test-release`
   tests. A phrase like `test-pypi` is none.
3. `deploy`, `publish` and `preview` make it none, beside `build` too; `dry-run` takes them back.
4. What is left with `docs` is documentation, which a plain build does not make an exam.
5. A weak word (`build`, `check`) makes it an exam alone; beside `release`, `benchmark` or `pr` the name is
   silent and the commands decide. What is left with `release` or `benchmark` is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from novote.knowledge.load import table


class NameRole(StrEnum):
    """What a name says of the thing it names."""

    EXAM = "exam"
    WEAK_EXAM = "weak-exam"
    """`build`, `check`: an exam unless what surrounds it says otherwise."""
    SILENT = "silent"
    DOCUMENTATION = "documentation"
    NONE = "none"


class NameWords(NamedTuple):
    """The word lists, lower case; `phrases` are runs of words joined by blanks."""

    strong: frozenset[str]
    weak: frozenset[str]
    building: frozenset[str]
    leading: frozenset[str]
    never: frozenset[str]
    deploying: frozenset[str]
    adjectives: frozenset[str]
    documentation: frozenset[str]
    exam_phrases: tuple[str, ...]
    none_phrases: tuple[str, ...]
    rescues: tuple[str, ...]
    selecting: frozenset[str] = frozenset()


def name_words(lists: Mapping[str, Sequence[str]]) -> NameWords:
    """Word lists from their compiled form."""
    return NameWords(
        strong=frozenset(lists["strong"]),
        weak=frozenset(lists["weak"]),
        building=frozenset(lists["building"]),
        leading=frozenset(lists["leading"]),
        never=frozenset(lists["never"]),
        deploying=frozenset(lists["deploying"]),
        adjectives=frozenset(lists["adjectives"]),
        documentation=frozenset(lists["documentation"]),
        exam_phrases=tuple(lists["exam-phrases"]),
        none_phrases=tuple(lists["none-phrases"]),
        rescues=tuple(lists["rescues"]),
        selecting=frozenset(lists["selecting"]),
    )


@cache
def builtin_words() -> NameWords:
    """The word lists novote ships."""
    return name_words(table("exams")["names"])


_HOLE = re.compile(r"\$\{\{.{0,400}?\}\}", re.DOTALL)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[A-Za-z0-9]+")
MAX_NAME = 512
# Words that capitals or digits inside must not cut.
_WHOLE = frozenset({"e2e", "github", "javascript", "typescript", "openssl", "macos", "ios"})
# Beside these a leading `test` says what is reported, not that something is tested.
_REPORTS = frozenset({"report", "reports", "result", "results", "summary", "badge", "failure", "failures"})
# These say where a job runs, not what it does.
_PLACES = frozenset({"pr", "prs", "pull", "request"})


def split_name(name: str) -> list[str]:
    """The words of a name, lower case, without `${{ }}` and without digits behind letters."""
    text = _HOLE.sub(" ", name[:MAX_NAME]) if "${{" in name else name[:MAX_NAME]
    found = []
    for part in _WORD.findall(text):
        whole = part.lower()
        pieces = [whole] if whole == part or whole in _WHOLE else _CAMEL.sub(" ", part).lower().split()
        found += [piece.rstrip("0123456789") or piece for piece in pieces]
    return found


@lru_cache(maxsize=8192)
def role_of_name(name: str, words: NameWords | None = None) -> NameRole:
    """What a name says, by the rules above."""
    words = words or builtin_words()
    parts = split_name(name)
    text = f" {' '.join(parts)} "
    present = set(parts)
    strong = bool(present & words.strong) or _holds(text, words.exam_phrases)
    if _holds(text, words.none_phrases):
        return NameRole.NONE
    if present & words.never and not (parts[0] in words.leading and not present & _REPORTS):
        return NameRole.NONE
    if strong:
        return NameRole.EXAM
    return _weak_role(present, text, words)


def _weak_role(present: set[str], text: str, words: NameWords) -> NameRole:
    weak = bool(present & words.weak)
    if _holds(text, words.rescues):
        return NameRole.EXAM if weak else NameRole.SILENT
    if present & words.deploying:
        return NameRole.NONE
    qualified = bool(present & words.adjectives)
    documentation = bool(present & words.documentation)
    if documentation:
        # Who checks documentation examines it; who builds it makes it.
        checked = bool(present & words.weak - words.building)
        return NameRole.WEAK_EXAM if checked and not qualified else NameRole.DOCUMENTATION
    if weak:
        return NameRole.SILENT if qualified else NameRole.WEAK_EXAM
    return NameRole.NONE if present & words.adjectives - _PLACES else NameRole.SILENT


def _holds(text: str, phrases: tuple[str, ...]) -> bool:
    known = _by_first(phrases)
    return any(f" {phrase} " in text for word in text.split() for phrase in known.get(word, ()))


@lru_cache(maxsize=16)
def _by_first(phrases: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The phrases by their first word: a name is asked for the few that can stand in it."""
    found: dict[str, tuple[str, ...]] = {}
    for phrase in phrases:
        first = phrase.split()[0]
        found[first] = (*found.get(first, ()), phrase)
    return found


def only_reports(name: str) -> bool:
    """Whether a name is no exam's only because it also speaks of a report."""
    words = builtin_words()
    parts = set(split_name(name))
    vetoes = parts & words.never
    return bool(vetoes) and vetoes <= _REPORTS and bool(parts & words.strong) and not parts & words.deploying


def is_qualified(name: str) -> bool:
    """Whether something is built for a purpose of its own, by its name: a nightly build, a release check."""
    words = builtin_words()
    parts = set(split_name(name)) - _PLACES
    return bool(parts & words.weak and parts & words.adjectives) and role_of_name(name) is NameRole.SILENT


def names_a_list(path: str, words: NameWords) -> bool:
    """Whether a file's name, or its folder's, says that it lists what is tested or left out."""
    parts = [part for part in path.split("/") if part][-2:]
    return any(not words.selecting.isdisjoint(split_name(part)) for part in parts)
