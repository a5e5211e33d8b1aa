"""Turns an expression's text into a syntax tree, or says what is wrong and where.

An operator-precedence parser with explicit stacks: no input, however deep, can exhaust the interpreter's
own stack. The bounds are GitHub's: 21,000 characters and a tree 50 levels deep.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from novote.expr.coerce import format_number
from novote.expr.functions import ARITY
from novote.expr.lexer import Token, tokens
from novote.expr.syntax import And, Call, Compare, Index, Literal, Node, Not, Or, Path, SyntaxProblem

MAX_LENGTH: Final = 21_000
MAX_DEPTH: Final = 50

_PRECEDENCE: Final = {
    "||": 5, "&&": 6, "==": 10, "!=": 10, "<": 11, "<=": 11, ">": 11, ">=": 11, "!": 16,
}  # fmt: skip
_OPENING: Final = 0
_PLAIN: Final = re.compile(r" *([A-Za-z_][A-Za-z0-9_-]*(?:\.(?:[A-Za-z_][A-Za-z0-9_-]*|\*))+) *")


@lru_cache(maxsize=4096)
def parse(text: str, names: frozenset[str] | None = None) -> Node | SyntaxProblem:
    """The tree of an expression, memoised by text.

    `names` are the context roots allowed here, lower-cased; None allows any. Empty text is `null`.
    """
    plain = _plain_path(text, names)
    if plain is not None:
        return plain
    if len(text) > MAX_LENGTH:
        return SyntaxProblem(f"an expression may have at most {MAX_LENGTH} characters", MAX_LENGTH, len(text))
    parser = _Parser(names)
    try:
        for token in (cut := tokens(text)):
            parser.take(token)
        return parser.finish(cut[-1]) if cut else Literal(None, 0, len(text))
    except _Illegal as illegal:
        return illegal.problem


def _plain_path(text: str, names: frozenset[str] | None) -> Path | None:
    """The path of a text that is nothing but one, by far the commonest expression; None for any other."""
    match = _PLAIN.fullmatch(text)
    if match is None:
        return None
    steps = tuple(match.group(1).lower().split("."))
    if len(steps) > MAX_DEPTH or (names is not None and steps[0] not in names):
        return None
    return Path(steps, match.start(1), match.end(1))


class _Illegal(Exception):
    """Carries the problem out of the parser; never leaves this module."""

    def __init__(self, message: str, token: Token) -> None:
        self.problem = SyntaxProblem(message, token.start, token.end)


class _Operand(NamedTuple):
    """A finished subtree; the span includes the brackets around it, `depth` counts levels from 1."""

    node: Node
    depth: int
    start: int
    end: int
    indexable: bool = False


class _Pending(NamedTuple):
    """An operator or an opening bracket that waits for its operands; `base` counts the operands before it."""

    token: Token
    precedence: int
    base: int
    function: Token | None = None


class _Parser:
    """Two stacks and the last token."""

    __slots__ = ("last", "names", "operands", "pending")

    def __init__(self, names: frozenset[str] | None) -> None:
        self.names = names
        self.operands: list[_Operand] = []
        self.pending: list[_Pending] = []
        self.last: Token | None = None

    def take(self, token: Token) -> None:
        """Read one more token."""
        if token.kind == "unexpected" or not (
            self._take_after_value(token) if self._has_value() else self._take_before_value(token)
        ):
            raise _Illegal(f"unexpected {token.text!r}", token)
        self.last = token

    def finish(self, last: Token) -> Node:
        """The tree, once all tokens were read."""
        if not self._has_value():
            raise _Illegal(f"the expression ends after {last.text!r} where more must follow", last)
        self._reduce(1)
        if self.pending:
            raise _Illegal(f"the expression ends before {self.pending[-1].token.text!r} is closed", last)
        return self.operands[0].node

    def _has_value(self) -> bool:
        last = self.last
        return last is not None and last.kind in (")", "]", "*", "literal", "name", "property")

    def _take_before_value(self, token: Token) -> bool:
        kind, last = token.kind, self.last.kind if self.last else ""
        if last == ".":
            return kind in ("property", "*") and self._property(token)
        if last == "function":
            return kind == "call(" and self._open(token)
        if kind == "literal":
            self._push(Literal(token.value, token.start, token.end), 1, token.start, token.end)
        elif kind == "name":
            self._name(token)
        elif kind == "function":
            self._known_function(token)
        elif kind == "(":
            self._open(token)
        elif kind == "operator" and token.text == "!":
            self.pending.append(_Pending(token, _PRECEDENCE["!"], len(self.operands)))
        elif kind == "*" and last == "[":
            return True
        elif kind == ")" and last == "call(":
            self._close_call(token)
        else:
            return False
        return True

    def _take_after_value(self, token: Token) -> bool:
        kind = token.kind
        if self.last is not None and self.last.kind == "*" and self.pending and self._in_filter():
            return kind == "]" and self._close_index(token)
        if kind == "operator" and token.text != "!":
            precedence = _PRECEDENCE[token.text]
            self._reduce(precedence)
            self.pending.append(_Pending(token, precedence, len(self.operands)))
            return True
        if kind == ".":
            return self.operands[-1].indexable
        if kind == "[":
            return self.operands[-1].indexable and self._open(token)
        if kind in (")", "]", ","):
            self._reduce(1)
            return bool(self.pending) and self._close(token, self.pending[-1])
        return False

    def _in_filter(self) -> bool:
        top = self.pending[-1]
        return top.token.kind == "[" and top.base == len(self.operands)

    def _close(self, token: Token, opening: _Pending) -> bool:
        if token.kind == "]":
            return opening.token.kind == "[" and self._close_index(token)
        if token.kind == ",":
            return opening.token.kind == "call("
        if opening.token.kind == "call(":
            self._close_call(token)
            return True
        if opening.token.kind == "(":
            self.pending.pop()
            inner = self.operands.pop()
            self.operands.append(_Operand(inner.node, inner.depth, opening.token.start, token.end, True))
            return True
        return False

    def _open(self, token: Token) -> bool:
        function = self.last if token.kind == "call(" else None
        self.pending.append(_Pending(token, _OPENING, len(self.operands), function))
        return True

    def _name(self, token: Token) -> None:
        steps = tuple(token.text.lower().split("."))
        if self.names is not None and steps[0] not in self.names:
            root = token._replace(text=token.text[: len(steps[0])], end=token.start + len(steps[0]))
            raise _Illegal(f"there is no context {root.text!r} here", root)
        self._push(Path(steps, token.start, token.end), len(steps), token.start, token.end, True)

    def _known_function(self, token: Token) -> None:
        if token.text.lower() not in ARITY:
            raise _Illegal(f"there is no function {token.text!r}", token)

    def _property(self, token: Token) -> bool:
        key = None if token.kind == "*" else Literal(token.text, token.start, token.end)
        self._index(key, 1, token.end)
        return True

    def _close_index(self, token: Token) -> bool:
        opening = self.pending.pop()
        if len(self.operands) == opening.base:
            self._index(None, 1, token.end)
        else:
            key = self.operands.pop()
            self._index(key.node, key.depth, token.end)
        return True

    def _index(self, key: Node | None, key_depth: int, end: int) -> None:
        target = self.operands.pop()
        node = target.node
        step = _static_step(key)
        depth = max(target.depth, key_depth) + 1
        if step is not None and isinstance(node, Path):
            self._push(Path((*node.names, step), target.start, end), depth, target.start, end, True)
        else:
            self._push(Index(node, key, target.start, end), depth, target.start, end, True)

    def _close_call(self, token: Token) -> None:
        opening = self.pending.pop()
        function = opening.function
        assert function is not None, "a call is only opened after a function's name"
        arguments = self.operands[opening.base :]
        del self.operands[opening.base :]
        name = function.text.lower()
        _check_count(name, len(arguments), function)
        depth = 1 + max((argument.depth for argument in arguments), default=0)
        node = Call(name, tuple(argument.node for argument in arguments), function.start, token.end)
        self._push(node, depth, function.start, token.end, True)

    def _reduce(self, precedence: int) -> None:
        """Apply every waiting operator that binds at least as strongly."""
        while self.pending and self.pending[-1].precedence >= precedence:
            operator = self.pending.pop().token
            right = self.operands.pop()
            if operator.text == "!":
                node: Node = Not(right.node, operator.start, right.end)
                self._push(node, right.depth + 1, operator.start, right.end)
                continue
            left = self.operands.pop()
            self._push(*_binary(operator.text, left, right), left.start, right.end)

    def _push(self, node: Node, depth: int, start: int, end: int, indexable: bool = False) -> None:
        if depth > MAX_DEPTH:
            place = Token("", "", start, end)
            raise _Illegal(f"an expression may be nested at most {MAX_DEPTH} levels deep", place)
        self.operands.append(_Operand(node, depth, start, end, indexable))


def _static_step(key: Node | None) -> str | None:
    """The name that a static key stands for; None where it must be applied to a value."""
    if key is None:
        return "*"
    if not isinstance(key, Literal) or isinstance(key.value, bool) or key.value is None:
        return None
    name = key.value.lower() if isinstance(key.value, str) else format_number(key.value).lower()
    # A property that is really called `*` must not be taken for a filter.
    return None if name == "*" else name


def _binary(operator: str, left: _Operand, right: _Operand) -> tuple[Node, int]:
    """The node of a binary operator and its depth; chains of `&&` and of `||` are flattened."""
    if operator not in ("&&", "||"):
        node: Node = Compare(operator, left.node, right.node, left.start, right.end)
        return node, 1 + max(left.depth, right.depth)
    kind = And if operator == "&&" else Or
    operands: list[Node] = []
    depth = 0
    for side in (left, right):
        if isinstance(side.node, kind):
            operands.extend(side.node.operands)
            depth = max(depth, side.depth)
        else:
            operands.append(side.node)
            depth = max(depth, side.depth + 1)
    return kind(tuple(operands), left.start, right.end), depth


def _check_count(name: str, count: int, function: Token) -> None:
    least, most = ARITY[name]
    if count < least:
        raise _Illegal(f"{function.text} takes at least {_arguments(least)}", function)
    if count > most:
        raise _Illegal(f"{function.text} takes at most {_arguments(most)}", function)
    if name == "case" and count % 2 == 0:
        raise _Illegal(f"{function.text} takes pairs of a condition and a value, then one default", function)


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"
