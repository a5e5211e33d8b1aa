"""`[ ]` and `test`, and what they and `[[ ]]` ask alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Value
from novote.expr.atoms import ask as question
from novote.expr.atoms import spell
from novote.expr.combine import holds
from novote.script import ask
from novote.script.bash.arrays import item_at
from novote.script.bash.shell import Shell
from novote.script.bash.words import word_of
from novote.script.files import exists
from novote.script.parse import Node
from novote.script.text import flat, literal

NUMBERS: Final = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_FILES: Final = frozenset({"-a", "-d", "-e", "-f", "-h", "-L", "-r", "-s", "-w", "-x", "-b", "-c", "-p"})


def ordered(shell: Shell, sign: str, left: Value, right: Value) -> Cond:
    """Where one text stands before another, or behind it."""
    return holds(left, right, shell.universe, lambda u, a, b: _ordered(u, sign.lstrip("\\"), a, b))


def _ordered(universe: Universe, sign: str, left: Content, right: Content) -> Cond:
    if isinstance(left, str) and isinstance(right, str):
        return universe.constant(left < right if sign == "<" else left > right)
    left, right = flat(universe, left), flat(universe, right)
    key = f"{spell(universe, left)} {sign} {spell(universe, right)}"
    marker = right if isinstance(right, str) else None
    return question(universe, key, sign, marker, left, right, lambda u, a, b: _ordered(u, sign, a, b))


def unary(shell: Shell, sign: str, value: Value, node: Node) -> Cond:
    """Where an operator such as `-n` or `-f` holds for a word."""
    universe = shell.universe
    if sign == "-n":
        return ask.is_nonempty(universe, value)
    if sign == "-z":
        return ~ask.is_nonempty(universe, value)
    if sign == "-v":
        name = literal(value)
        return universe.false if name is None else _is_set(shell, name)
    if sign in _FILES:
        return exists(shell.machine, value, node.span)
    return universe.atom(f"test {sign} at {shell.machine.file}:{node.start}", test="test")


def _is_set(shell: Shell, name: str) -> Cond:
    base, _, rest = name.partition("[")
    array = shell.arrays.get(base) if rest else None
    if array is None:
        return shell.is_set(base)
    return item_at(shell.universe, array, rest.removesuffix("]")).there


def simple_test(shell: Shell, words: Sequence[Node]) -> Cond:
    """Where `test` with these words holds; read from the left, `-o` last."""
    return _Simple(shell, words).either()


class _Simple:
    """Reads the words of `test` as it does itself: by their number and order, not by a grammar."""

    def __init__(self, shell: Shell, words: Sequence[Node]) -> None:
        self.shell = shell
        self.words = [word for word in words if word.text.strip()]
        self.at = 0

    def _text(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.words[at].text.strip() if at < len(self.words) else ""

    def either(self) -> Cond:
        found = self._both()
        while self._text() in ("-o", "||"):
            self.at += 1
            found = found | self._both()
        return found

    def _both(self) -> Cond:
        found = self._one()
        while self._text() in ("-a", "&&"):
            self.at += 1
            found = found & self._one()
        return found

    def _one(self) -> Cond:
        shell, universe = self.shell, self.shell.universe
        left = len(self.words) - self.at
        if left <= 0:
            return universe.false
        text, sign = self._text(), self._text(1)
        if left >= 3 and (sign in NUMBERS or sign in ("=", "==", "!=", "<", ">", r"\<", r"\>")):
            return self._compared()
        if text == "!" and left > 1:
            self.at += 1
            return ~self._one()
        if text in ("(", r"\("):
            self.at += 1
            found = self.either()
            self.at += 1
            return found
        if text[:1] == "-" and len(text) == 2 and left > 1:
            self.at += 2
            word = self.words[self.at - 1]
            return unary(shell, text, word_of(shell, word), word)
        self.at += 1
        return ask.is_nonempty(universe, word_of(shell, self.words[self.at - 1]))

    def _compared(self) -> Cond:
        shell = self.shell
        first, sign, second = self.words[self.at], self._text(1), self.words[self.at + 2]
        self.at += 3
        left, right = word_of(shell, first), word_of(shell, second)
        if sign in NUMBERS:
            return ask.holds_compared(shell.universe, sign, left, right)
        if sign in ("=", "==", "!="):
            found = ask.holds_equal(shell.universe, left, right)
            return ~found if sign == "!=" else found
        return ordered(shell, sign, left, right)
