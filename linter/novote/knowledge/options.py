"""Splits the words of a command into options with their values and bare words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

Style = Literal["getopt", "words"]


class Option(NamedTuple):
    """An option as given: `value` is None for a flag; it stands in word `at`, from code point `start` on."""

    name: str
    value: str | None
    at: int
    start: int = 0


class Grammar(NamedTuple):
    """The options a command has: those with a value, with two values, and without.

    `getopt` joins short options (`-qE`, `-n5`), `words` never does (`find -name`, PowerShell).
    """

    valued: Collection[str]
    pairs: Collection[str]
    flags: Collection[str]
    style: Style = "getopt"
    ignore_case: bool = False

    def knows(self, name: str) -> bool:
        """Whether the command has this option."""
        return name in self.valued or name in self.flags or name in self.pairs


class Arguments(NamedTuple):
    """The words of a command after its name; `unknown` says that an option is none the grammar lists."""

    options: tuple[Option, ...]
    bare: tuple[int, ...]
    unknown: bool

    def given(self, names: Collection[str]) -> bool:
        """Whether one of these options is given, or with this value (`--state=all`)."""
        return any(
            option.name in names or f"{option.name}={option.value}" in names for option in self.options
        )

    def value(self, names: Collection[str]) -> str | None:
        """The value of the last of these options."""
        found = [option.value for option in self.options if option.name in names]
        return found[-1] if found else None


class _Reader:
    """One pass over the words of one command."""

    def __init__(self, words: Sequence[str], start: int, grammar: Grammar) -> None:
        self.words = words
        self.at = start
        self.grammar = grammar
        self.options: list[Option] = []
        self.bare: list[int] = []
        self.unknown = False

    def read(self) -> Arguments:
        while self.at < len(self.words):
            word = self.words[self.at]
            if word == "--" and self.grammar.style == "getopt":
                self.bare += range(self.at + 1, len(self.words))
                break
            if not word.startswith("-") or word == "-":
                self.bare.append(self.at)
                self.at += 1
            elif word.startswith("--") or self.grammar.style == "words":
                self._long(word)
            else:
                self._short(word)
        return Arguments(tuple(self.options), tuple(self.bare), self.unknown)

    def _long(self, word: str) -> None:
        separator = ":" if self.grammar.ignore_case else "="
        name, attached, value = word.partition(separator)
        name = name.lower() if self.grammar.ignore_case else name
        if not self.grammar.knows(name):
            self.unknown = True
        if attached:
            self.options.append(Option(name, value, self.at, len(name) + 1))
            self.at += 1
        else:
            self._separate(name)

    def _separate(self, name: str) -> None:
        """An option that takes its values, if it has any, from the words that follow."""
        takes = 2 if name in self.grammar.pairs else 1 if name in self.grammar.valued else 0
        last = min(self.at + takes, len(self.words) - 1)
        if last == self.at:
            self.options.append(Option(name, None, self.at))
        else:
            self.options += [Option(name, self.words[at], at) for at in range(self.at + 1, last + 1)]
        self.at = last + 1

    def _short(self, word: str) -> None:
        if word[1:].isdigit():
            self.unknown = self.unknown or not self.grammar.knows("-#")
            self.options.append(Option("-#", word[1:], self.at, 1))
            self.at += 1
            return
        for place in range(1, len(word)):
            name = f"-{word[place]}"
            if name in self.grammar.valued:
                self._short_value(name, word, place + 1)
                return
            if not self.grammar.knows(name):
                self.unknown = True
            self.options.append(Option(name, None, self.at))
        self.at += 1

    def _short_value(self, name: str, word: str, start: int) -> None:
        if start < len(word):
            start += word[start] == "=" and self.grammar.knows("-=")
            self.options.append(Option(name, word[start:], self.at, start))
            self.at += 1
        else:
            self._separate(name)


def arguments(words: Sequence[str], start: int, grammar: Grammar) -> Arguments:
    """Options and bare words from word `start` on."""
    return _Reader(words, start, grammar).read()


def spread(names: str) -> Iterator[str]:
    """The names of a list in one text: `-e, --regexp`."""
    return (name.strip() for name in names.split(","))
