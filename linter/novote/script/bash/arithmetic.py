"""Arithmetic of the shell, as far as numbers are known."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Value
from novote.expr.combine import combine
from novote.script import ask
from novote.script.bash.shell import Shell
from novote.script.bash.words import word_of
from novote.script.parse import Node, parse
from novote.script.text import derived

_OPERATORS: Final[dict[str, Callable[[int, int], int | bool]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_POWERS: Final[dict[str, Callable[[int, int], int]]] = {
    "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
MAX_SHIFT: Final = 64
_QUESTIONS: Final = {"==": "-eq", "!=": "-ne", "<": "-lt", "<=": "-le", ">": "-gt", ">=": "-ge"}
_LARGEST: Final = 1 << 62
_OTHER_BASE: Final = re.compile(r"(-?)0([0-7]{1,20}|[xX][0-9A-Fa-f]{1,15})")


def expression(text: str) -> Node | None:
    """Known text as an arithmetic expression."""
    tree = parse("bash", f"(( {text} ))")
    inner = tree.root.named[0] if tree is not None and tree.root.named else None
    return inner.named[-1] if inner is not None and inner.named else None


def calculated(shell: Shell, text: str) -> Value:
    """What a variable is set to that is declared to be a number."""
    found = expression(text)
    return arithmetic(shell, found) if found is not None else shell.machine.value("0")


def _number(content: Content) -> int | None:
    """The number that text spells: octal where it begins with zero, and hexadecimal."""
    match = _OTHER_BASE.fullmatch(content) if isinstance(content, str) else None
    if match is not None:
        digits = match[2]
        number = int(digits[1:], 16) if digits[0] in "xX" else int(digits, 8)
        return -number if match[1] else number
    return ask.as_number(content or "0")


def arithmetic(shell: Shell, node: Node) -> Value:
    """The value of an arithmetic expression as text."""
    shell.machine.spend()
    kind = node.kind
    inner = node.named
    if kind in ("arithmetic_expansion", "parenthesized_expression") and inner:
        for part in inner[:-1]:
            arithmetic(shell, part)
        return arithmetic(shell, inner[-1])
    if kind in ("variable_name", "word", "number"):
        name = node.text.strip()
        if name.isidentifier():
            return shell.variable(name, node)
        number = _number(name)
        return word_of(shell, node) if number is None else shell.machine.value(str(number))
    if kind == "binary_expression":
        return _binary(shell, node)
    if kind in ("postfix_expression", "unary_expression"):
        return _unary(shell, node)
    if kind == "variable_assignment":
        return assigned(shell, node)
    if kind == "ternary_expression" and len(inner) == 3:
        test = truth(shell, inner[0])
        return Value.choose(test, arithmetic(shell, inner[1]), arithmetic(shell, inner[2]))
    return word_of(shell, node)


def truth(shell: Shell, node: Node) -> Cond:
    """Where an arithmetic expression is not zero."""
    parts = node.children
    if node.kind == "parenthesized_expression" and node.named:
        return truth(shell, node.named[-1])
    if node.kind == "binary_expression" and len(parts) == 3:
        sign = parts[1].text
        if sign in ("&&", "||"):
            left, right = truth(shell, parts[0]), truth(shell, parts[2])
            return left & right if sign == "&&" else left | right
        if sign in _QUESTIONS:
            left_value, right_value = arithmetic(shell, parts[0]), arithmetic(shell, parts[2])
            return ask.holds_compared(shell.universe, _QUESTIONS[sign], left_value, right_value)
    if node.kind == "unary_expression" and parts[0].text == "!":
        return ~truth(shell, parts[-1])
    value = arithmetic(shell, node)
    zero = shell.machine.value("0")
    return ask.holds_compared(shell.universe, "-ne", value, zero)


def assigned(shell: Shell, node: Node) -> Value:
    """`name = value` and `name += value` as numbers."""
    name, value = node.field("name"), node.field("value")
    if name is None or value is None:
        return shell.machine.value("0")
    made = arithmetic(shell, value)
    sign = next((part.text for part in node.children if part.text.endswith("=")), "=")
    if len(sign) == 2 and sign[0] in _OPERATORS:
        made = _calculated(shell, sign[0], shell.variable(name.text, name), made)
    shell.assign(name.text, made)
    return made


def _binary(shell: Shell, node: Node) -> Value:
    parts = node.children
    if len(parts) != 3:
        return word_of(shell, node)
    sign = parts[1].text
    if sign in ("&&", "||") or sign in _QUESTIONS:
        machine = shell.machine
        return Value.choose(truth(shell, node), machine.value("1"), machine.value("0"))
    if sign.endswith("=") and parts[0].text.isidentifier():
        name = parts[0].text
        made = arithmetic(shell, parts[2])
        if sign != "=":
            made = _calculated(shell, sign[:-1], shell.variable(name), made)
        shell.assign(name, made)
        return made
    return _calculated(shell, sign, arithmetic(shell, parts[0]), arithmetic(shell, parts[2]))


def _unary(shell: Shell, node: Node) -> Value:
    parts = node.children
    sign = next((part.text for part in parts if part.text in ("++", "--", "!", "-", "+", "~")), "")
    operand = next((part for part in parts if part.is_named), None)
    if operand is None:
        return shell.machine.value("0")
    if sign == "!":
        machine = shell.machine
        return Value.choose(truth(shell, operand), machine.value("0"), machine.value("1"))
    value = arithmetic(shell, operand)
    if sign in ("++", "--"):
        made = _calculated(shell, sign[0], value, shell.machine.value("1"))
        shell.assign(operand.text.strip(), made)
        return value if node.kind == "postfix_expression" else made
    if sign == "~":
        return _calculated(shell, "-", shell.machine.value("-1"), value)
    return _calculated(shell, "-", shell.machine.value("0"), value) if sign == "-" else value


def _calculated(shell: Shell, sign: str, left: Value, right: Value) -> Value:
    def calculate(found: Sequence[Content]) -> Content | None:
        a, b = (_number(item) for item in found)
        if a is None or b is None:
            return None
        if sign in ("/", "%"):
            if not b:
                return None
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return str(quotient if sign == "/" else a - quotient * b)
        if sign in _POWERS:
            if not 0 <= b <= MAX_SHIFT:
                return None
            power = _POWERS[sign](a, b)
            return str(power) if abs(power) <= _LARGEST else None
        result = _OPERATORS[sign](a, b) if sign in _OPERATORS else None
        return None if result is None or abs(result) > _LARGEST else str(int(result))

    def made(universe: Universe, found: Sequence[Content]) -> Content:
        known = calculate(found)
        return derived(universe, f"arithmetic {sign}", found, calculate) if known is None else known

    return combine((left, right), shell.universe, made)
