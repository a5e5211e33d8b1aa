"""Whether one command examines at least what another does, by the words that select.

What an option means is known from the table of exams only as far as that it selects. Words without a dash and
options that name what to take (`-p CRATE`) add up; where there are none, everything is examined. Options that
name what to leave out, and patterns, take away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from novote.gatediff.doings import HOLE
from novote.gatediff.model import Doing
from novote.knowledge.commands import ExamCommand, WordRole

_EXCLUDES: Final = re.compile(r"exclud|ignor|deselect|skip|disable|omit|(?:^|-)no(?:-|$)|^-x$|^-D$|^-LE$")
_NARROWS: Final = re.compile(r"exclud|ignor|deselect|skip|(?:^|-)only|(?:^|-)filter|quick|smoke|changed")
_WIDENS: Final = re.compile(r"^--(?:all|workspace|all-features|all-targets|all-files|tests|lib|include-.*)$")
_EVERYTHING: Final = frozenset({".", "./", "./...", "...", "**", "*", "all"})
_SHOWN: Final = 3
_PARTS: Final = re.compile(r"[,|\s]+")


class Given(NamedTuple):
    """What a command is given: words that select, options that select with their values, other options."""

    targets: tuple[str, ...]
    selecting: Mapping[str, tuple[str, ...]]
    others: frozenset[str]
    roles: Mapping[str, WordRole]


def given(doing: Doing) -> Given:
    """The words of a command, told apart."""
    command = doing.command
    assert command is not None
    targets: list[str] = []
    selecting: dict[str, tuple[str, ...]] = {}
    others: set[str] = set()
    roles: dict[str, WordRole] = {}
    for name, value, role in _read(command, doing.words):
        if not name:
            targets += [value] if role == "select" else []
            continue
        roles[name] = role
        if role == "select" or (not role and _NARROWS.search(name)):
            selecting[name] = (*selecting.get(name, ()), value)
        else:
            others.add(name)
    return Given(tuple(targets), selecting, frozenset(others), roles)


def _read(command: ExamCommand, words: tuple[str, ...]) -> Iterator[tuple[str, str, WordRole]]:
    """Each option with its value, and each word that is none with an empty name."""
    entry, at = command.entry, command.after
    roles = command.roles()
    while at < len(words):
        text, role = words[at], roles[at] if at < len(roles) else ""
        at += 1
        if text[:1] != "-" or text in ("-", "--"):
            yield "", text, role
            continue
        name, equals, value = text.partition("=")
        takes = name in entry.options or name in entry.valued or entry.plain.option(name)
        if not equals and takes and at < len(words) and words[at][:2] != "--":
            value = words[at]
            at += 1
        yield name, value, role


def narrower(before: Doing, after: Doing) -> str:
    """In which words a command examines less than another of its kind; empty where it examines as much."""
    old, new = given(before), given(after)
    lost = [word for word in old.targets if not _is_covered(word, new.targets)]
    if new.targets and lost:
        return f"it is no longer given {_listed(lost)}"
    if new.targets and not old.targets and not _EVERYTHING.issuperset(new.targets):
        return f"it is given {_listed(new.targets)} only"
    for name, values in new.selecting.items():
        reason = _by_option(name, old.selecting.get(name), values)
        if reason:
            return reason
    for name in (*old.selecting, *old.others):
        if _WIDENS.match(name) and name not in new.selecting and name not in new.others:
            return f"it is no longer given `{name}`"
    return ""


def _by_option(name: str, old: tuple[str, ...] | None, new: tuple[str, ...]) -> str:
    shown = f"`{name} {' '.join(new)}`" if any(new) else f"`{name}`"
    if old is None:
        return "" if _WIDENS.match(name) else f"it is given {shown}"
    before, after = (frozenset(part for v in values for part in _PARTS.split(v)) for values in (old, new))
    if _EXCLUDES.search(name):
        return "" if after <= before else f"it is given {shown}"
    return "" if before <= after else f"it is given {shown} where it was `{' '.join(old)}`"


def _is_covered(word: str, targets: tuple[str, ...]) -> bool:
    """Whether what a word names is among what others name: the same, or something in a folder of theirs."""
    if not targets:
        return True
    path = _path(word)
    return any(
        target in _EVERYTHING or _path(target) == path or path.startswith(f"{_path(target)}/")
        for target in targets
    )


def _path(word: str) -> str:
    return word.removeprefix("./").removesuffix("/...").rstrip("/*") if word != HOLE else word


def _listed(words: list[str] | tuple[str, ...]) -> str:
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return ", ".join(f"`{word}`" for word in words[:_SHOWN]) + more
