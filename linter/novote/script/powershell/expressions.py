"""Parses the expressions of PowerShell by climbing its levels of operators."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from novote.script.powershell.reader import Fault, Reader
from novote.script.powershell.syntax import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Collected,
    Constant,
    Expression,
    Hash,
    Index,
    Listed,
    Member,
    Pipeline,
    Quoted,
    Shown,
    Statement,
    Ternary,
    TypeName,
    Unary,
)

Part = TypeVar("Part")

_COMPARED: Final = [
    "eq",
    "ne",
    "ge",
    "gt",
    "lt",
    "le",
    "like",
    "notlike",
    "match",
    "notmatch",
    "replace",
    "contains",
    "notcontains",
    "in",
    "notin",
    "split",
    "join",
]
LEVELS: Final = {
    "-and": 1, "-or": 1, "-xor": 1, "-band": 2, "-bor": 2, "-bxor": 2,
    **{f"-{case}{name}": 5 for name in _COMPARED for case in ("", "c", "i")},
    "-is": 5, "-isnot": 5, "-as": 5, "-shl": 5, "-shr": 5,
    "??": 7, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "-f": 12, "..": 13,
}  # fmt: skip
_OPERATOR: Final = re.compile(r"-[A-Za-z]+\b(?!-)|\?\?(?!=)|\.\.|[-+](?![-+=])|[*/%](?!=)")
_UNARY: Final = re.compile(r"-(?:not|bnot|i?split|csplit|join)\b|![^=]|\+\+|--|[-+,]", re.IGNORECASE)
NUMBER: Final = re.compile(
    r"(0x[0-9a-f]{1,16}|\d+\.?\d+(?:e[+-]?\d+)?|\.\d+|\d+(?:\.(?![.\w]))?(?:e[+-]?\d+)?)([ldu]|kb|mb|gb|tb)?"
    r"(?=[\s)\]}(,;|+\-*/%=<>&:?.#]|\Z)",
    re.IGNORECASE,
)
_SIZES: Final = {"kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "tb": 1 << 40}
ASSIGNED: Final = re.compile(r"(?:\+|-|\*|/|%|\?\?)?=(?!=)")
_MEMBER: Final = re.compile(r"\w+")
_PLACEHOLDER: Final = re.compile(r"Zq\d+_x*")
_KEY: Final = re.compile(r"[\w.-]+")
MAX_CHAINED: Final = 60
"""An expression of more operators in a row is not read."""


class ExpressionParser(Reader):
    """Reads expressions; statements within them are left to the parser of statements."""

    listing = True

    def expression(self, least: int = 0) -> Expression:
        """An expression of operators at a level or above; level 0 takes `test ? then : other` too."""
        start = self.at
        found = self._binary(max(least, 1))
        self.blanks()
        if least == 0 and self.next == "?" and self.text[self.at + 1 : self.at + 2] not in ("?", ".", "["):
            self.at += 1
            self.lines()
            self.enter()
            then = self.expression()
            self.lines()
            self.expect(":")
            self.lines()
            other = self.expression()
            self.nested -= 1
            return Ternary(found, then, other, self.since(start))
        return found

    def _binary(self, least: int) -> Expression:
        start, count = self.at, 0
        left = self._comma()
        while True:
            self.blanks()
            found = self.peek(_OPERATOR)
            operator = found[0].lower() if found else ""
            level = LEVELS.get(operator, 0)
            if level < least or found is None:
                return left
            self.at = found.end()
            self.lines()
            right = self._binary(level + 1)
            count += 1
            if count > MAX_CHAINED:
                raise Fault("too many operators")
            left = Binary(operator, left, right, self.since(start))

    def _comma(self) -> Expression:
        return self.listed(self.unary, commas=self.listing)

    def listed(self, read: Callable[[], Expression], *, commas: bool) -> Expression:
        """An operand or argument, or several where commas may stand between them."""
        start = self.at
        items = [read()]
        while commas:
            at = self.at
            self.blanks()
            if not self.take(","):
                self.at = at
                break
            self.lines()
            items.append(read())
        return items[0] if len(items) == 1 else Listed(tuple(items), self.since(start))

    def unary(self) -> Expression:
        """An operand with the operators before it."""
        start = self.at
        found = self.peek(_UNARY)
        if found is not None:
            operator = found[0].lower() if found[0][0] != "!" else "!"
            self.at += len(operator)
            self.lines()
            self.enter()
            operand = self.unary()
            self.nested -= 1
            if operator in ("++", "--"):
                return self._stepped(operand, operator, start)
            return Unary(operator, operand, self.since(start))
        if self.next == "[":
            return self._typed()
        return self.postfix(self.primary(), start)

    def _stepped(self, target: Expression, operator: str, start: int) -> Assign:
        span = self.since(start)
        one = Pipeline((Shown(Constant(1.0, "1", span), (), span),), span)
        return Assign(target, f"{operator[0]}=", one, span)

    def _typed(self) -> Expression:
        start = self.at
        name = self.balanced("[", "]").strip().lower().removeprefix("system.")
        behind = self.at
        self.blanks()
        if self.here("::") or not re.match(r"[\w$@\"'({\[!+-]", self.next or " "):
            self.at = behind
            return self.postfix(TypeName(name, self.since(start)), start)
        if self.next in "-+" and not re.match(r"[-+][\d.$(]|-(?:not|join|split)\b", self.text[self.at :][:8]):
            self.at = behind
            return TypeName(name, self.since(start))
        self.enter()
        operand = self.unary()
        self.nested -= 1
        return Cast(name, operand, self.since(start))

    # -- what stands behind an operand

    def postfix(self, found: Expression, start: int) -> Expression:
        """An operand with the members, indices and calls behind it."""
        count = 0
        while True:
            behind = self.text[self.at : self.at + 2]
            count += 1
            if count > MAX_CHAINED:
                raise Fault("too many members")
            if behind in ("++", "--") and not isinstance(found, Constant | Quoted):
                self.at += 2
                return self._stepped(found, behind, start)
            if behind[:1] == "[" or behind == "?[":
                found = self._index(found, start, 2 if behind == "?[" else 1)
            elif behind in ("::", "?.") or (behind[:1] == "." and behind != ".."):
                further = self._member(found, start, 2 if behind in ("::", "?.") else 1)
                if further is None:
                    return found
                found = further
            else:
                return found

    def _index(self, target: Expression, start: int, size: int) -> Expression:
        self.at += size
        index = self._bracketed("]")
        return Index(target, index, self.since(start))

    def _bracketed(self, closing: str) -> Expression:
        kept, self.listing = self.listing, True
        self.enter()
        self.lines()
        found = self.expression()
        self.lines()
        self.expect(closing)
        self.nested -= 1
        self.listing = kept
        return found

    def _member(self, target: Expression, start: int, size: int) -> Expression | None:
        before = self.at
        self.at += size
        if re.match(r"\s", self.next or "x") and not isinstance(target, Constant):
            self.lines()
            if not self.peek(_MEMBER):
                self.at = before
                return None
        name = self._member_name()
        if name is None:
            self.at = before
            return None
        if self.next == "{":
            return Call(target, name, (self.block(),), self.since(start))
        if self.next != "(":
            return Member(target, name, self.since(start))
        self.at += 1
        return Call(target, name, self._arguments(), self.since(start))

    def _member_name(self) -> Expression | None:
        start = self.at
        if self.next == "'":
            return self.single_quoted()
        if self.next == '"':
            return self.double_quoted()
        if self.next == "$":
            return self.collected("$") if self.here("$(") else self.variable()
        if self.next == "(":
            return self.collected("")
        found = self.match(_MEMBER)
        return Quoted((found[0],), True, self.since(start)) if found else None

    def _arguments(self) -> tuple[Expression, ...]:
        self.enter()
        found = self.separated(self.expression, "an argument")
        self.nested -= 1
        return found

    def separated(self, read: Callable[[], Part], what: str) -> tuple[Part, ...]:
        """What stands between commas up to the closing bracket."""
        kept, self.listing = self.listing, False
        found: list[Part] = []
        self.lines()
        while not self.take(")"):
            found.append(read())
            self.lines()
            if not self.take(",") and self.next != ")":
                raise Fault(f"{what} is cut off")
            self.lines()
        self.listing = kept
        return tuple(found)

    # -- operands

    def primary(self) -> Expression:
        """An operand without operators and members."""
        start, char = self.at, self.next
        if char == '"':
            return self.double_quoted()
        if char == "'":
            return self.single_quoted()
        if char == "$":
            found = self.collected("$") if self.here("$(") else self.variable()
            if found is not None:
                return found
        elif char == "(":
            return self.collected("")
        elif char == "{":
            return self.block()
        elif char == "@":
            return self._at()
        elif number := self.match(NUMBER):
            return Constant(_number(number[1], number[2]), number[0], self.since(start))
        elif placeholder := self.match(_PLACEHOLDER):
            return Quoted((placeholder[0],), True, self.since(start))
        raise Fault(f"no operand at {start}")

    def _at(self) -> Expression:
        following = self.text[self.at + 1 : self.at + 2]
        if following and following in "\"'":
            return self.here_text()
        if following == "(":
            return self.collected("@")
        if following == "{":
            return self._hash()
        found = self.variable(splatted=True)
        if found is None:
            raise Fault("nothing follows @")
        return found

    def _hash(self) -> Hash:
        start = self.at
        self.at += 2
        self.enter()
        kept, self.listing = self.listing, True
        entries: list[tuple[Expression, Statement]] = []
        self.lines()
        while not self.take("}"):
            key = self._key()
            self.blanks()
            self.expect("=")
            self.lines()
            entries.append((key, self.statement()))
            self.lines()
        self.listing = kept
        self.nested -= 1
        return Hash(tuple(entries), self.since(start))

    def _key(self) -> Expression:
        start = self.at
        found = self.match(_KEY)
        if found is not None:
            return Quoted((found[0],), True, self.since(start))
        return self.postfix(self.primary(), start)

    def collected(self, kind: str) -> Collected:
        """`$( )`, `@( )` or `( )`, the place being at its sign."""
        start = self.at
        self.at += len(kind) + 1
        kept, self.listing = self.listing, True
        self.enter()
        body = self.statements(")")
        self.expect(")")
        self.nested -= 1
        self.listing = kept
        return Collected(kind, body, self.since(start))

    def block(self) -> Block:
        """`{ }`; made where statements are read."""
        raise NotImplementedError

    def statement(self) -> Statement:
        """A statement; made where statements are read."""
        raise NotImplementedError

    def statements(self, closing: str) -> tuple[Statement, ...]:
        """Statements up to a bracket; made where statements are read."""
        raise NotImplementedError


def _number(digits: str, size: str | None) -> float:
    value = float(int(digits, 16)) if digits[:2].lower() == "0x" else float(digits)
    return value * _SIZES.get((size or "").lower(), 1)
