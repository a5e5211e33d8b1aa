"""The command line as data, taken from the parsers: for completions and for the manual page."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Final, NamedTuple

from novote.cli.arguments import arguments_of
from novote.cli.catalogue import rule_ids
from novote.cli.dispatch import COMMANDS

_FILES: Final = ("FILE", "PATH", "OUT", "SHARD")


class Argument(NamedTuple):
    """An option by its names, or without names an operand.

    `takes` is what stands for its value, empty for a switch; `words` are the values known beforehand, and
    `is_file` says that the value names a file. `may_be_bare` says that an option may go without its value.
    """

    names: tuple[str, ...]
    takes: str
    words: tuple[str, ...]
    is_file: bool
    may_be_bare: bool
    help: str


class CommandShape(NamedTuple):
    """A command, a word or two, with its options and operands; `general` are the options of all commands."""

    name: str
    summary: str
    options: tuple[Argument, ...]
    operands: tuple[Argument, ...]
    general: tuple[Argument, ...]

    @property
    def all_options(self) -> tuple[Argument, ...]:
        """Its own and those of all commands."""
        return self.options + self.general


def command_shapes() -> tuple[CommandShape, ...]:
    """Every command, in the order in which help lists them."""
    return tuple(map(_shape, COMMANDS))


def families() -> dict[str, list[str]]:
    """The first words that alone are no command, each with what may follow."""
    found: dict[str, list[str]] = {}
    for name in COMMANDS:
        first, _, second = name.partition(" ")
        if second:
            found.setdefault(first, []).append(second)
    return found


def names_of(options: Iterable[Argument]) -> Iterator[str]:
    """All names of options."""
    return (name for option in options for name in option.names)


def _shape(name: str) -> CommandShape:
    entry = COMMANDS[name]
    own, general = arguments_of(name, entry.summary, import_module(entry.module).add_arguments)
    arguments = [_argument(action) for action in own]
    return CommandShape(
        name,
        entry.summary,
        tuple(argument for argument in arguments if argument.names),
        tuple(argument for argument in arguments if not argument.names),
        tuple(_argument(action) for action in general),
    )


def _argument(action: argparse.Action) -> Argument:
    takes = "" if action.nargs == 0 else str(action.metavar)
    return Argument(
        tuple(action.option_strings),
        takes,
        tuple(_words(action)),
        takes in _FILES,
        action.nargs == "?",
        action.help or "",
    )


def _words(action: argparse.Action) -> Iterable[str]:
    """The values that are known beforehand: choices, formats, rules."""
    if str(action.metavar).startswith("RULE"):
        return rule_ids()
    words: Iterable[str] = getattr(action, "words", ()) if action.choices is None else action.choices
    return words
