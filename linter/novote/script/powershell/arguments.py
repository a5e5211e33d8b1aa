"""The words of a command as named and positional arguments."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from novote.algebra.value import Object, Value
from novote.model import Span
from novote.script.powershell.session import Session
from novote.script.powershell.syntax import Block, Command, Variable, Word

SWITCHES: Final = frozenset(
    [
        "raw",
        "append",
        "force",
        "passthru",
        "quiet",
        "recurse",
        "asstring",
        "nonewline",
        "noclobber",
        "casesensitive",
        "simplematch",
        "allmatches",
        "notmatch",
        "unique",
        "descending",
        "wait",
        "asarray",
        "compress",
        "ashashtable",
        "directory",
        "noenumerate",
        "usebasicparsing",
        "verbose",
        "debug",
        "confirm",
        "whatif",
        "line",
        "word",
        "character",
        "sum",
        "average",
        "maximum",
        "minimum",
        "stable",
        "list",
        "isvalid",
        "not",
        "leaf",
        "parent",
        "resolve",
        "is",
        "like",
        "eq",
        "ne",
        "match",
        "notlike",
        "contains",
        "in",
        "gt",
        "lt",
        "ge",
        "le",
        "notcontains",
        "notin",
        "ceq",
        "cmatch",
        "clike",
    ]
)


class Called(NamedTuple):
    """A command's arguments: by lower-cased parameter, by position, and the blocks among them."""

    name: str
    named: dict[str, Value]
    positional: list[Value]
    words: tuple[Word, ...]
    span: Span

    def get(self, *names: str) -> Value | None:
        """The value of a parameter, which may be spelled by its beginning."""
        for name in names:
            for key, value in self.named.items():
                if key == name or (len(key) > 1 and name.startswith(key)):
                    return value
        return None

    def first(self, *names: str) -> Value | None:
        """The value of a parameter, or the first argument without one."""
        found = self.get(*names)
        if found is None and self.positional:
            return self.positional[0]
        return found

    def block(self) -> Block | None:
        """The first script block among the words."""
        return next((word.argument for word in self.words if isinstance(word.argument, Block)), None)


def arguments(
    session: Session, words: Sequence[Word], switches: AbstractSet[str]
) -> tuple[dict[str, Value], list[Value]]:
    """Words as named and positional arguments; a splatted table gives names, anything else unknown ones."""
    named: dict[str, Value] = {}
    positional: list[Value] = []
    waiting = ""
    for word in words:
        if word.parameter:
            if waiting:
                named[waiting] = session.value(True)
            waiting = ""
            if word.argument is not None:
                named[word.parameter] = session.evaluate(word.argument)
            elif _is_switch(word.parameter, switches):
                named[word.parameter] = session.value(True)
            else:
                waiting = word.parameter
            continue
        assert word.argument is not None, "a word without a parameter is an argument"
        value = session.evaluate(word.argument)
        if waiting:
            named[waiting], waiting = value, ""
        elif isinstance(word.argument, Variable) and word.argument.splatted:
            _splat(session, value, named, positional)
        else:
            positional.append(value)
    if waiting:
        named[waiting] = session.value(True)
    return named, positional


def _is_switch(name: str, switches: AbstractSet[str]) -> bool:
    return name in switches or (len(name) > 2 and any(switch.startswith(name) for switch in switches))


def _splat(session: Session, value: Value, named: dict[str, Value], positional: list[Value]) -> None:
    if value.is_single and isinstance(value.single, Object):
        for name, content in value.single.items:
            named[name.lower()] = session.value(content)
    elif value.is_single and isinstance(value.single, tuple):
        positional += [session.value(item) for item in value.single]
    else:
        named[""] = session.mixed("splatted", [value])


def bound(session: Session, node: Command) -> Called:
    """The arguments of a command that is no function."""
    words = node.words[1:]
    named, positional = arguments(session, words, SWITCHES)
    return Called(node.words[0].text.lower(), named, positional, words, node.span)


def input_of(session: Session, called: Called, given: Value | None, *names: str) -> Value:
    """What a command works on: a parameter, the pipeline, or its first argument."""
    value = called.get(*names)
    if value is None and given is not None:
        return given
    if value is None:
        value = called.positional[0] if called.positional else session.nothing()
    return value
