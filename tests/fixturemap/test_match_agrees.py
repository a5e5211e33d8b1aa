"""The matcher beside two others: one written down from the documentation, and git's own.

`NOVOTE_GLOB_PAIRS` sets how many pairs of pattern and path are tried; 200,000 where it is not set.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from novote.fixturemap.automaton import Automaton
from novote.fixturemap.model import Dialect
from novote.fixturemap.patterns import Faulty, fault, parse

PAIRS = int(os.environ.get("NOVOTE_GLOB_PAIRS", "200000"))
PATTERNS_AT_ONCE = 20
PATHS_AT_ONCE = 50

# --- What the documentation says, as sets of positions: no automaton, no bytes, no steps ---


@lru_cache(maxsize=20_000)
def plain_says(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """`**` stands for any number of segments, at least one at the end; the rest goes by segments."""
    if not pattern:
        return not path
    first, rest = pattern[0], pattern[1:]
    if first == "**":
        least = 0 if rest else 1
        return any(plain_says(rest, path[taken:]) for taken in range(least, len(path) + 1))
    return bool(path) and segment_says(first, path[0]) and plain_says(rest, path[1:])


@lru_cache(maxsize=20_000)
def segment_says(pattern: str, segment: str) -> bool:
    if not pattern:
        return not segment
    if pattern[0] == "*":
        return any(segment_says(pattern[1:], segment[taken:]) for taken in range(len(segment) + 1))
    return segment[:1] == pattern[0] and segment_says(pattern[1:], segment[1:])


ELEMENT = re.compile(
    r"(?P<folders>(?:(?<=^)|(?<=/))\*\*/(?![?+]))|(?P<stars>\*+)|(?P<one>\\.|\[[^]]*\]|.)(?P<repeat>[?+]?)",
    re.S,
)


def github_says(pattern: str, path: str) -> bool:
    """Each element of the cheat sheet leads from a set of positions in the path to another."""
    positions = {0}
    for element in elements(pattern):
        positions = {after for position in positions for after in reached(element, path, position)}
    return len(path) in positions


@lru_cache(maxsize=1_000)
def elements(pattern: str) -> tuple[re.Match[str], ...]:
    return tuple(ELEMENT.finditer(pattern))


def reached(element: re.Match[str], path: str, position: int) -> set[int]:
    rest = path[position:]
    if element["folders"]:
        return {position} | {position + at + 1 for at, char in enumerate(rest) if char == "/"}
    if element["stars"]:
        taken = rest if len(element["stars"]) > 1 else rest.partition("/")[0]
        return set(range(position, position + len(taken) + 1))
    found = {position} if element["repeat"] == "?" else set()
    for at, char in enumerate(rest):
        if not is_one(element["one"], char):
            break
        found.add(position + at + 1)
        if element["repeat"] != "+":
            break
    return found


def is_one(one: str, char: str) -> bool:
    if one[0] == "[":
        listed = re.sub(
            r"(.)-(.)", lambda ends: "".join(map(chr, range(ord(ends[1]), ord(ends[2]) + 1))), one[1:-1]
        )
        return char in listed
    return char == one[-1]


# --- Patterns and paths made by chance ---

NAMES = ["a", "b", "ab", "aa", "a.b", ".a", "é", "éa", "b\udcff", "a\n", "A", "-a"]
PLAIN = [
    "a",
    "b",
    "ab",
    "*",
    "**",
    "*a",
    "a*",
    "*.b",
    "a*b",
    "*a*",
    ".a",
    "é*",
    "*\u00e9",
    "**",
    "aa",
    "A",
    "a.b",
]
GITHUB = [
    "a",
    "b",
    "/",
    "/",
    "*",
    "**",
    "**/",
    "a?",
    "b+",
    "[ab]",
    "[a-b]+",
    "[A-Z]?",
    "é",
    "é?",
    "é+",
    "\\*",
    ".",
    "?",
]


def some_pattern(chance: random.Random, dialect: Dialect) -> str:
    if dialect == "plain":
        return "/".join(chance.choices(PLAIN, k=chance.randint(1, 5)))
    return "".join(chance.choices(GITHUB, k=chance.randint(1, 8)))


def some_path(chance: random.Random) -> str:
    return "/".join(chance.choices(NAMES, k=chance.randint(1, 5)))


def like(chance: random.Random, pattern: str) -> str:
    """A path made after a pattern, so that many match, nearly match, or stop short."""
    text = re.sub(r"\*\*/?", lambda _: chance.choice(["", "a/", "b/.a/", "a/"]), pattern)
    text = re.sub(r"\*", lambda _: chance.choice(["", "a", "ab", "é", "/"]), text)
    text = re.sub(r"\[[^]]*\]", lambda _: chance.choice("abAZ1"), text)
    text = re.sub(r"(.)[?+]", lambda found: found[1] * chance.randint(0, 3), text).replace("\\", "")
    return text if chance.random() < 0.8 else text + chance.choice(["a", "/b", "\n"])


def numbers(found: tuple[int, ...]) -> frozenset[int]:
    return frozenset(found)


def batches(dialect: Dialect) -> Iterator[tuple[list[str], list[str]]]:
    chance = random.Random(dialect)
    tried = 0
    while tried < PAIRS // 2:
        patterns: list[str] = []
        while len(patterns) < PATTERNS_AT_ONCE:
            pattern = some_pattern(chance, dialect)
            if fault(pattern, dialect) is None:
                patterns.append(pattern)
        paths = [some_path(chance) for _ in range(PATHS_AT_ONCE // 2)]
        paths += [like(chance, chance.choice(patterns)) for _ in range(PATHS_AT_ONCE - len(paths))]
        yield patterns, paths
        tried += len(patterns) * len(paths)


@pytest.mark.parametrize("dialect", ["plain", "github"])
def test_patterns_match_what_the_documentation_says(dialect: Dialect) -> None:
    matched = 0
    for patterns, paths in batches(dialect):
        automaton = Automaton([parse(pattern, dialect) for pattern in patterns], numbers)
        for path in paths:
            found = automaton.answer(path.encode("utf-8", "surrogateescape"))
            for number, pattern in enumerate(patterns):
                if dialect == "plain":
                    expected = plain_says(tuple(pattern.split("/")), tuple(path.split("/")))
                else:
                    expected = github_says(pattern, path)
                assert (number in found) is expected, (pattern, path)
                matched += expected
    # Otherwise nothing but refusals would have been compared.
    assert PAIRS // 50 < matched < PAIRS // 2


def test_with_little_memory_the_answers_are_the_same() -> None:
    chance = random.Random(1)
    globs = [parse(some_pattern(chance, "plain"), "plain") for _ in range(150)]
    roomy, cramped = Automaton(globs, numbers), Automaton(globs, numbers, most_bytes=5_000)
    for _ in range(2_000):
        path = some_path(chance).encode("utf-8", "surrogateescape")
        assert roomy.answer(path) == cramped.answer(path)


# --- git ---

FOLDERS = ["a", "b", "ab", ".h", "é"]
FILES = ["x.py", "y.md", ".z", "x y", "-n.py", "ü.py"]
PATHSPECS = ["a", "b", "*", "**", "a*", "*b", ".*", "*.py", "*.*", "é", "x*", "*ü*", "x.py", "**", "-*"]


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    """A repository whose index holds many paths, and these paths; no file is needed for that."""
    repository = tmp_path_factory.mktemp("tracked")
    chance = random.Random(2)
    names = {
        "/".join([*chance.choices(FOLDERS, k=chance.randint(0, 4)), chance.choice(FILES)]) for _ in range(600)
    }
    paths = sorted(name.encode() for name in names)
    git(repository, "init", "-q")
    listed = b"".join(b"100644 %s\t%s\0" % (b"1" * 40, path) for path in paths)
    git(repository, "update-index", "-z", "--index-info", given=listed)
    return repository, paths


def git(repository: Path, *words: str, given: bytes = b"") -> bytes:
    command = ["git", "-c", "core.precomposeUnicode=false", *words]
    return subprocess.run(command, cwd=repository, input=given, capture_output=True, check=True).stdout


def test_plain_patterns_match_what_git_matches(tracked: tuple[Path, list[bytes]]) -> None:
    repository, paths = tracked
    chance = random.Random(3)
    # Without a star, git takes a pattern for a folder too.
    made = {"/".join(chance.choices(PATHSPECS, k=chance.randint(1, 5))) for _ in range(150)}
    patterns = sorted(pattern for pattern in made if "*" in pattern)
    automaton = Automaton([parse(pattern, "plain") for pattern in patterns], numbers)
    ours: dict[int, list[bytes]] = {number: [] for number in range(len(patterns))}
    for path in paths:
        for number in automaton.answer(path):
            ours[number].append(path)
    assert len(patterns) * len(paths) > 20_000
    for number, pattern in enumerate(patterns):
        listed = git(repository, "ls-files", "-z", "--", f":(glob){pattern}")
        assert ours[number] == sorted(listed.split(b"\0")[:-1]), pattern


def test_a_pattern_without_meaning_is_never_parsed() -> None:
    with pytest.raises(Faulty):
        parse("a\\", "github")
