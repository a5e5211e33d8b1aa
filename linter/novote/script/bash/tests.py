"""Conditions of the shell: `[[ ]]`, `[ ]`, `test`, `(( ))`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script import ask
from novote.script.bash.arithmetic import arithmetic, truth
from novote.script.bash.arrays import Item, listed
from novote.script.bash.shell import Shell
from novote.script.bash.words import filled, word_of
from novote.script.files import exists
from novote.script.parse import Node
from novote.script.regex import safe_pattern
from novote.script.text import derived

_NUMBERS: Final = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_FILES: Final = frozenset({"-a", "-d", "-e", "-f", "-h", "-L", "-r", "-s", "-w", "-x", "-b", "-c", "-p"})
_SPECIAL: Final = re.compile(r"([*?\[\]\\(|)!+@])")
MAX_GROUPS: Final = 9


def tested(shell: Shell, node: Node) -> Cond:
    """Where a `[[ ]]`, `[ ]` or `(( ))` holds."""
    shell.machine.spend()
    if node.kind == "compound_statement":
        return truth(shell, node.named[-1]) if node.named else shell.universe.false
    first = node.children[0].text if node.children else ""
    if first == "[":
        return simple_test(shell, _leaves(node)[1:-1])
    inner = node.named
    return _extended(shell, inner[-1]) if inner else shell.universe.false


def _leaves(node: Node) -> list[Node]:
    """The words of a `[ ]`, whatever the grammar made of them."""
    found: list[Node] = []
    for child in node.children:
        if child.kind in (
            "binary_expression",
            "unary_expression",
            "parenthesized_expression",
            "negated_command",
        ):
            found += _leaves(child)
        else:
            found.append(child)
    return found


def _extended(shell: Shell, node: Node) -> Cond:
    """A condition inside `[[ ]]`."""
    shell.machine.spend()
    parts = node.children
    if node.kind == "parenthesized_expression":
        return _extended(shell, node.named[-1]) if node.named else shell.universe.false
    if node.kind in ("unary_expression", "negated_command") and parts:
        if parts[0].text.strip() == "!":
            return ~_extended(shell, parts[-1])
        return _unary(shell, parts[0].text.strip(), word_of(shell, parts[-1]), parts[-1])
    if node.kind == "binary_expression" and len(parts) >= 3:
        return _binary(shell, parts)
    return ask.is_nonempty(shell.universe, word_of(shell, node))


def _binary(shell: Shell, parts: Sequence[Node]) -> Cond:
    left, sign, right = parts[0], parts[1].text.strip(), parts[2]
    pieces = parts[2:]
    universe, machine = shell.universe, shell.machine
    if sign in ("&&", "||"):
        first = _extended(shell, left)
        before = machine.live
        machine.live = before & (first if sign == "&&" else ~first)
        second = universe.constant(sign == "||") if machine.live.is_false else _extended(shell, right)
        machine.live = before
        return first & second if sign == "&&" else first | second
    if sign in _NUMBERS:
        return ask.holds_compared(universe, sign, arithmetic(shell, left), arithmetic(shell, right))
    value = word_of(shell, left)
    if sign in ("==", "=", "!="):
        found = ask.holds_match(universe, value, pattern_of(shell, pieces), "glob")
        return ~found if sign == "!=" else found
    if sign == "=~":
        return _regex(shell, value, shell.joined([_regex_text(shell, part) for part in pieces], ""))
    other = word_of(shell, right)
    return _ordered(shell, sign, value, other)


def _ordered(shell: Shell, sign: str, left: Value, right: Value) -> Cond:
    made = derived(shell.universe, f"text {sign}", [], also=left.origins() | right.origins())
    return ask.is_nonempty(shell.universe, shell.machine.value(made))


def pattern_of(shell: Shell, parts: Sequence[Node]) -> Value:
    """A pattern that the grammar has cut into parts."""
    return shell.joined([pattern(shell, part) for part in parts], "")


def pattern(shell: Shell, node: Node) -> Value:
    """A word as a shell pattern: what is quoted in it stands for itself."""
    kind = node.kind
    if kind in ("string", "raw_string", "ansi_c_string"):
        return word_of(shell, node).map(_quoted)
    if kind == "concatenation":
        return shell.joined([pattern(shell, part) for part in node.children], "")
    if kind in ("extglob_pattern", "word", "regex", "number"):
        return _loose(shell, node)
    return word_of(shell, node)


_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"$`]*\"")


def _loose(shell: Shell, node: Node) -> Value:
    """A pattern that the grammar keeps as one piece: quotes in it, and `${{ }}`."""
    text = _QUOTED.sub(lambda m: _SPECIAL.sub(r"\\\1", m[0][1:-1]), node.text)
    match = re.search(r"\"?\$\{?([A-Za-z_]\w*|\d)\}?\"?", text)
    if match is None:
        return filled(shell, node, text)
    before, after = text[: match.start()], text[match.end() :]
    return shell.joined(
        [
            filled(shell, node, before),
            shell.variable(match[1], node).map(_quoted),
            filled(shell, node, after),
        ],
        "",
    )


def _quoted(content: Content) -> Content:
    return _SPECIAL.sub(r"\\\1", content) if isinstance(content, str) else content


def _regex_text(shell: Shell, node: Node) -> Value:
    if node.kind in ("string", "raw_string"):
        return word_of(shell, node).map(lambda c: re.escape(c) if isinstance(c, str) else c)
    if node.kind == "concatenation":
        return shell.joined([_regex_text(shell, part) for part in node.children], "")
    if node.kind in ("regex", "word", "extglob_pattern"):
        text = _QUOTED.sub(lambda m: re.escape(m[0][1:-1]), node.text)
        return filled(shell, node, text)
    return word_of(shell, node)


def _regex(shell: Shell, value: Value, expression: Value) -> Cond:
    found = ask.holds_match(shell.universe, value, expression, "regex")
    _remember_groups(shell, value, expression)
    return found


def _remember_groups(shell: Shell, value: Value, expression: Value) -> None:
    """`BASH_REMATCH`, which is read where the match holds."""
    source = expression.single if expression.is_single else None
    compiled = safe_pattern(source, "regex") if isinstance(source, str) else None
    groups = compiled.groups if compiled is not None else MAX_GROUPS

    def group(number: int) -> Value:
        def find(content: Content) -> Content | None:
            if compiled is None or not isinstance(content, str) or len(content) > ask.MAX_MATCHED:
                return None
            match = compiled.search(content)
            return "" if match is None else match[number] or ""

        def made(content: Content) -> Content:
            known = find(content)
            if known is not None:
                return known
            return derived(shell.universe, f"match {number} of {source!r}", [content], lambda c: find(c[0]))

        return value.map(made)

    true = shell.universe.true
    found = [Item(group(number), true) for number in range(min(groups, MAX_GROUPS) + 1)]
    shell.arrays["BASH_REMATCH"] = listed(shell.universe, found)


def _unary(shell: Shell, sign: str, value: Value, node: Node) -> Cond:
    universe = shell.universe
    if sign == "-n":
        return ask.is_nonempty(universe, value)
    if sign == "-z":
        return ~ask.is_nonempty(universe, value)
    if sign == "-v":
        name = value.single if value.is_single else None
        return shell.is_set(name) if isinstance(name, str) else universe.false
    if sign in _FILES:
        return exists(shell.machine, value, node.span)
    return universe.atom(f"test {sign} at {shell.machine.file}:{node.start}", test="test")


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
        if left >= 3 and (sign in _NUMBERS or sign in ("=", "==", "!=", "<", ">", r"\<", r"\>")):
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
            return _unary(shell, text, word_of(shell, word), word)
        self.at += 1
        return ask.is_nonempty(universe, word_of(shell, self.words[self.at - 1]))

    def _compared(self) -> Cond:
        shell = self.shell
        first, sign, second = self.words[self.at], self._text(1), self.words[self.at + 2]
        self.at += 3
        left, right = word_of(shell, first), word_of(shell, second)
        if sign in _NUMBERS:
            return ask.holds_compared(shell.universe, sign, left, right)
        if sign in ("=", "==", "!="):
            found = ask.holds_equal(shell.universe, left, right)
            return ~found if sign == "!=" else found
        return _ordered(shell, sign, left, right)
