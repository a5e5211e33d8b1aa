"""Conditions: `[[ ]]`, which is read here by its tokens, for the grammar binds `&&` and `!` too tightly."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script import ask
from novote.script.bash.arithmetic import arithmetic, truth
from novote.script.bash.arrays import listed, present
from novote.script.bash.patterns import pattern_of, regex_of
from novote.script.bash.questions import NUMBERS, ordered, simple_test, unary
from novote.script.bash.shell import Shell
from novote.script.bash.words import word_of
from novote.script.parse import Node
from novote.script.regex import affordable, safe_pattern
from novote.script.text import rewritten

MAX_GROUPS: Final = 9
_TREES: Final = frozenset({"binary_expression", "unary_expression", "negated_command"})
_SIGNS: Final = frozenset({"==", "=", "!=", "=~", "<", ">", *NUMBERS})


def tested(shell: Shell, node: Node) -> Cond:
    """Where a `[[ ]]`, `[ ]` or `(( ))` holds."""
    shell.machine.spend()
    if node.kind == "compound_statement":
        return truth(shell, node.named[-1]) if node.named else shell.universe.false
    first = node.children[0].text if node.children else ""
    if first == "[":
        return simple_test(shell, _leaves(node, (*_TREES, "parenthesized_expression"))[1:-1])
    return _Condition(shell, _leaves(node, _TREES)[1:-1]).either()


def _leaves(node: Node, trees: Container[str]) -> list[Node]:
    """The tokens of a condition, whatever trees the grammar made of them."""
    found: list[Node] = []
    for child in node.children:
        if child.kind in trees:
            found += _leaves(child, trees)
        else:
            found.append(child)
    return found


class _Condition:
    """Reads the tokens of a `[[ ]]`, parentheses being one token with a condition inside."""

    def __init__(self, shell: Shell, tokens: Sequence[Node]) -> None:
        self.shell = shell
        self.tokens = tokens
        self.at = 0

    def _sign(self) -> str:
        """The operator that stands here; empty for a word."""
        if self.at >= len(self.tokens):
            return ""
        token = self.tokens[self.at]
        is_word = token.is_named and token.kind != "test_operator"
        return "" if is_word else token.text.strip()

    def either(self) -> Cond:
        """`a || b`."""
        found = self._both()
        while self._sign() == "||":
            self.at += 1
            found = found | self._under(~found, self._both)
        return found

    def _both(self) -> Cond:
        found = self._one()
        while self._sign() == "&&":
            self.at += 1
            found = found & self._under(found, self._one)
        return found

    def _under(self, cond: Cond, follow: Callable[[], Cond]) -> Cond:
        """What stands behind `&&` and `||` is only evaluated where it counts."""
        machine = self.shell.machine
        before, machine.live = machine.live, machine.live & cond
        try:
            return follow()
        finally:
            machine.live = before

    def _one(self) -> Cond:
        self.shell.machine.spend()
        if self.at >= len(self.tokens):
            return self.shell.universe.false
        sign, token = self._sign(), self.tokens[self.at]
        self.at += 1
        if sign == "!":
            return ~self._one()
        if token.kind == "parenthesized_expression":
            return _Condition(self.shell, _leaves(token, _TREES)[1:-1]).either()
        if sign.startswith("-") and self.at < len(self.tokens) and self._sign() not in ("&&", "||", *_SIGNS):
            self.at += 1
            word = self.tokens[self.at - 1]
            return unary(self.shell, sign, word_of(self.shell, word), word)
        compared = self._sign()
        if compared not in _SIGNS:
            return ask.is_nonempty(self.shell.universe, word_of(self.shell, token))
        self.at += 1
        return self._compared(token, compared, self._operand())

    def _operand(self) -> list[Node]:
        """The right side, which the grammar may have cut in pieces."""
        start = self.at
        while self.at < len(self.tokens) and (self.at == start or self._sign() not in ("&&", "||")):
            self.at += 1
        return list(self.tokens[start : self.at])

    def _compared(self, left: Node, sign: str, right: list[Node]) -> Cond:
        shell, universe = self.shell, self.shell.universe
        if not right:
            return universe.false
        if sign in NUMBERS:
            return ask.holds_compared(universe, sign, arithmetic(shell, left), arithmetic(shell, right[0]))
        value = word_of(shell, left)
        if sign in ("==", "=", "!="):
            found = ask.holds_match(universe, value, pattern_of(shell, right), "glob")
            return ~found if sign == "!=" else found
        if sign == "=~":
            return _regex(shell, value, shell.joined([regex_of(shell, part) for part in right], ""))
        return ordered(shell, sign, value, word_of(shell, right[0]))


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
        def find(text: str) -> str | None:
            if compiled is None or len(text) > ask.MAX_MATCHED or not affordable(compiled.pattern, len(text)):
                return None
            match = compiled.search(text)
            return "" if match is None else match[number] or ""

        name = f"match {number} of {source!r}"
        return value.map(lambda content: rewritten(shell.universe, name, content, find))

    found = present(shell.universe, map(group, range(min(groups, MAX_GROUPS) + 1)))
    shell.arrays["BASH_REMATCH"] = listed(shell.universe, found)
