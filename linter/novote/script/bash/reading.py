"""`read` and `mapfile`: standard input into variables and arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script import ask
from novote.script.bash.arrays import Array, Unlisted, listed, present
from novote.script.bash.shell import Shell
from novote.script.machine import Place
from novote.script.parse import Node
from novote.script.text import literal, pieces, rewritten, unknown, without_line_ends

Words = Sequence[tuple[Value, Place]]
MAX_LINES: Final = 1_024


def read(shell: Shell, words: Words, node: Node) -> Cond:
    """`read`: one line into variables, cut at IFS."""
    array = _option_value(words, "a")
    names = _names(words, "adnNptu")
    given = shell.given if shell.given is not None else shell.machine.value(_nothing_known("read"))
    separators = literal(shell.variable("IFS")) if shell.is_set("IFS").is_true else None
    # Up to a mark that no text holds, such as `-d ''`, all of it is one line.
    whole = _option_value(words, "d") is not None
    line = given if whole else given.map(lambda content: _first_line(shell, content))
    there = _there(shell, given)
    if array:
        shell.set_array(array, _cut(shell, line, separators))
        return there
    for at, name in enumerate(names or ["REPLY"]):
        last = at == len(names or "x") - 1
        shell.assign(name, _field(shell, line, separators if names else "", at, last))
    return there


def _there(shell: Shell, given: Value) -> Cond:
    """Where there is a line to read, with its end."""
    universe = shell.universe
    if shell.asks_for_lines and literal(given) is None:
        # One round stands for all lines of a text that nobody knows: an empty line at its end is none.
        return ask.is_nonempty(universe, given.map(lambda content: without_line_ends(universe, content)))

    def ends(content: Content) -> Cond:
        known = [part for part in pieces(content) if isinstance(part, str)]
        return universe.true if any("\n" in part for part in known) else ask.nonempty(universe, content)

    return given.test(lambda content: universe.constant("\n" in content) if isinstance(content, str)
                      else ends(content))  # fmt: skip


def _nothing_known(what: str) -> Content:
    return unknown(f"standard input of `{what}`")


def _option_value(words: Words, letter: str) -> str | None:
    """The word behind a group of options that ends in a letter: `-ra NAME`."""
    for at, (value, _) in enumerate(words[:-1]):
        option = literal(value) or ""
        if option.startswith("-") and option.endswith(letter):
            return literal(words[at + 1][0]) or ""
    return None


def _names(words: Words, valued: str) -> list[str]:
    """The words that name variables: options, with the values that some take, are left out."""
    found, at = [], 0
    while at < len(words):
        text = literal(words[at][0]) or ""
        if text.startswith("-") and len(text) > 1:
            at += 2 if text[-1] in valued else 1
            continue
        if text.isidentifier():
            found.append(text)
        at += 1
    return found


def _first_line(shell: Shell, content: Content) -> Content:
    return rewritten(shell.universe, "line", content, lambda text: text.split("\n", 1)[0])


def cut_at(text: str, separators: str | None, limit: int = 0) -> list[str]:
    """Text cut as `read` cuts it, into at most so many parts: blanks run together, others do not."""
    if separators == "":
        return [text]
    chars = separators if separators is not None else " \t\n"
    blanks = "".join(char for char in chars if char in " \t\n")
    text = text.strip(blanks) if blanks else text
    others = "".join(char for char in chars if char not in " \t\n")
    space = f"[{re.escape(blanks)}]" if blanks else ""
    if others:
        pattern = f"{space}*[{re.escape(others)}]{space}*" if space else f"[{re.escape(others)}]"
        pattern += f"|{space}+" if space else ""
    else:
        pattern = f"{space}+"
    return re.split(pattern, text, maxsplit=max(limit - 1, 0)) if limit != 1 else [text]


def _cut(shell: Shell, line: Value, separators: str | None) -> Array:
    """The fields of a line as an array."""
    known = literal(line)

    def items(text: str) -> list[str]:
        if not text.strip():
            return []
        found = cut_at(text, separators)
        return found[:-1] if found[-1] == "" else found

    if known is None:
        return Unlisted(line, items)
    return listed(shell.universe, present(shell.universe, map(shell.machine.value, items(known))))


def _field(shell: Shell, line: Value, separators: str | None, at: int, last: bool) -> Value:
    def cut(text: str) -> str:
        parts = cut_at(text, separators, at + 1 if last else 0)
        return parts[at] if at < len(parts) else ""

    def made(content: Content) -> Content:
        if at == 0 and last and not isinstance(content, str):
            return content
        return rewritten(shell.universe, f"field {at + 1}", content, cut)

    return line.map(made)


def mapfile(shell: Shell, words: Words, node: Node) -> Cond:
    """`mapfile`: each line an item of an array."""
    names = _names(words, "dnOsuCc")
    given = shell.given if shell.given is not None else shell.machine.value(_nothing_known("mapfile"))
    name, text = names[0] if names else "MAPFILE", literal(given)
    keeps_ends = not any((literal(value) or "").startswith("-t") for value, _ in words)

    def lines(found: str) -> list[str]:
        cut = found.split("\n")
        cut = cut[:-1] if cut[-1] == "" else cut
        return [f"{line}\n" for line in cut] if keeps_ends else cut

    if text is None or text.count("\n") > MAX_LINES:
        shell.set_array(name, Unlisted(given, lines))
    else:
        items = present(shell.universe, map(shell.machine.value, lines(text)))
        shell.set_array(name, listed(shell.universe, items))
    return shell.universe.true
