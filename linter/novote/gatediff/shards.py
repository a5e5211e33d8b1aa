"""Exams that are parted among several jobs: all the parts together examine what one did."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from novote.gatediff.model import Doing, Exam

_OF: Final = re.compile(r"(?:\w+:)?(\d{1,4})/(\d{1,4})")
_SHARE: Final = frozenset({"--shard", "--partition", "--shard-of"})
_NUMBERS: Final = (("--group", "--splits"), ("--shard-id", "--num-shards"))


class _Share(NamedTuple):
    """Which part of how many a command takes, and what it does besides."""

    number: int
    among: int
    doing: Doing


def gathered(exams: Iterable[Exam]) -> Iterator[Exam]:
    """For each exam of which all parts are there one that runs where all of them do, and takes no part."""
    found: defaultdict[tuple[int, tuple[str, ...], str], dict[int, tuple[Exam, Doing]]] = defaultdict(dict)
    for exam in exams:
        share = _share(exam.doing)
        if share is not None:
            found[share.among, share.doing.words, share.doing.folder][share.number] = exam, share.doing
    for (count, *_), shares in found.items():
        numbers = sorted(shares)
        if len(numbers) == count and numbers[-1] - numbers[0] == count - 1:
            first, doing = shares[numbers[0]]
            universe = first.runs.universe
            yield first._replace(
                doing=doing,
                runs=universe.all_of(exam.runs for exam, _ in shares.values()),
                soft=universe.any_of(exam.soft for exam, _ in shares.values()),
                tries=max(exam.tries for exam, _ in shares.values()),
            )


def _share(doing: Doing) -> _Share | None:
    """What part a command takes, by one option that says `2/3` or by two with a number each."""
    words = [part for word in doing.words for part in _option_and_value(word)]
    taken: dict[str, str] = {}
    kept: list[str] = []
    at = 0
    while at < len(words):
        name = words[at]
        if name in _SHARE or any(name in pair for pair in _NUMBERS):
            taken[name] = words[at + 1] if at + 1 < len(words) else ""
            at += 1
        else:
            kept.append(name)
        at += 1
    for name in _SHARE & taken.keys():
        share = _OF.fullmatch(taken[name])
        if share is not None:
            return _Share(int(share[1]), int(share[2]), doing._replace(words=tuple(kept)))
    for number, count in _NUMBERS:
        if taken.get(number, "").isdigit() and taken.get(count, "").isdigit():
            return _Share(int(taken[number]), int(taken[count]), doing._replace(words=tuple(kept)))
    return None


def _option_and_value(word: str) -> tuple[str, ...]:
    name, equals, value = word.partition("=")
    known = name in _SHARE or any(name in pair for pair in _NUMBERS)
    return (name, value) if equals and known else (word,)
