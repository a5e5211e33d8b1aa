"""Reads the text of a jq program."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from novote.script.jq_syntax import (
    Attempt,
    Bind,
    Call,
    Comma,
    Definition,
    Everything,
    Field,
    Fold,
    Format,
    Identity,
    If,
    Items,
    ListOf,
    Literal,
    Negative,
    ObjectOf,
    Operation,
    Pipe,
    Program,
    Slice,
    Text,
    Variable,
)

MAX_PROGRAM = 8_192
MAX_DEPTH = 48
MAX_HEIGHT = 100
"""Whatever walks a program needs a few frames for each level of it."""


class NotUnderstood(Exception):
    """The program is not of the part of the language that is read here."""


_TOKEN = re.compile(
    r"(?P<blank>\s+|\#[^\n]*)|(?P<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+)|(?P<string>\")"
    r"|(?P<field>\.[A-Za-z_]\w*)|(?P<variable>\$(?:__loc__|[A-Za-z_]\w*(?:::\w+)?))|(?P<format>@[a-z0-9]+)"
    r"|(?P<word>[A-Za-z_]\w*)|(?P<sign>\?//|\.\.|//=|//|==|!=|<=|>=|\|=|\+=|-=|\*=|/=|[.\[\]{}(),|:;?<>+\-*/%=])"
)
_BINARY = {
    "//": (3, "right"), "or": (4, "left"), "and": (5, "left"), "==": (6, "none"), "!=": (6, "none"),
    "<": (6, "none"), "<=": (6, "none"), ">": (6, "none"), ">=": (6, "none"), "+": (7, "left"),
    "-": (7, "left"), "*": (8, "left"), "/": (8, "left"), "%": (8, "left"),
}  # fmt: skip
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}
_RESERVED = {"then", "elif", "else", "end", "as", "and", "or", "catch", "import", "include", "label", "break"}
_CONSTANTS = {"true": True, "false": False, "null": None}


class _Parser:
    """Recursive descent over the text itself: a string may hold programs, so tokens depend on place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.kind = ""
        self.token = ""
        self.advance()

    def advance(self) -> str:
        """Moves to the next token; gives the one before."""
        before = self.token
        while True:
            if self.at >= len(self.text):
                self.kind, self.token = "end", ""
                return before
            match = _TOKEN.match(self.text, self.at)
            if match is None:
                raise NotUnderstood(self.text[self.at])
            self.at = match.end()
            if match.lastgroup != "blank":
                self.kind, self.token = match.lastgroup or "", match[0]
                return before

    def expect(self, token: str) -> None:
        if self.token != token or self.kind == "string":
            raise NotUnderstood
        self.advance()

    def takes(self, token: str) -> bool:
        """Whether the next token is this one, which is then taken."""
        if self.token != token or self.kind == "string":
            return False
        self.advance()
        return True

    def pipe(self) -> Program:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotUnderstood("nested too deeply")
        found = self.definition() if self.kind == "word" and self.token == "def" else self._pipe()
        self.depth -= 1
        return found

    def _pipe(self) -> Program:
        left = self.comma()
        if self.takes("as"):
            name = self.variable()
            self.expect("|")
            return Bind(left, name, self.pipe())
        return Pipe(left, self.pipe()) if self.takes("|") else left

    def definition(self) -> Program:
        self.advance()
        name = self.name()
        parameters: list[str] = []
        if self.takes("("):
            while True:
                parameters.append(self.advance())
                if not self.takes(";"):
                    break
            self.expect(")")
        self.expect(":")
        body = self.pipe()
        self.expect(";")
        return Definition(name, tuple(parameters), body, self.pipe())

    def name(self) -> str:
        if self.kind != "word":
            raise NotUnderstood
        return self.advance()

    def variable(self) -> str:
        if self.kind != "variable":
            raise NotUnderstood
        return self.advance()[1:]

    def comma(self) -> Program:
        left = self.binary(3)
        while self.takes(","):
            left = Comma(left, self.binary(3))
        return left

    def binary(self, least: int) -> Program:
        self.depth += 1
        if self.depth > MAX_DEPTH * 4:
            raise NotUnderstood("nested too deeply")
        left = self.postfix()
        while self.token in _BINARY and self.kind in ("sign", "word") and _BINARY[self.token][0] >= least:
            level, side = _BINARY[self.token]
            operator = self.advance()
            right = self.binary(level if side == "right" else level + 1)
            left = Operation(operator, left, right)
            if side == "none" and self.token in _BINARY and _BINARY[self.token][0] == level:
                raise NotUnderstood
        self.depth -= 1
        return left

    def postfix(self) -> Program:
        if self.kind == "sign" and self.takes("-"):
            self.depth += 1
            if self.depth > MAX_DEPTH * 4:
                raise NotUnderstood
            negative = Negative(self.postfix())
            self.depth -= 1
            return negative
        term = self.term()
        while True:
            if self.kind == "field":
                term = Field(term, Text((self.advance()[1:],)))
            elif self.kind == "sign" and self.token == "[":
                term = self.index(term)
            elif self.kind == "sign" and self.takes("?"):
                term = Attempt(term)
            elif self.kind == "sign" and self.token == "." and self.text[self.at : self.at + 1] in '["':
                self.advance()
                term = Field(term, self.string("")) if self.kind == "string" else self.index(term)
            else:
                return term

    def index(self, of: Program) -> Program:
        self.expect("[")
        if self.takes("]"):
            return Items(of)
        if self.takes(":"):
            end = self.pipe()
            self.expect("]")
            return Slice(of, None, end)
        key = self.pipe()
        if self.takes(":"):
            last = None if self.token == "]" else self.pipe()
            self.expect("]")
            return Slice(of, key, last)
        self.expect("]")
        return Field(of, key)

    def term(self) -> Program:
        kind, token = self.kind, self.token
        if kind == "number":
            number = float(self.advance())
            if not math.isfinite(number):
                raise NotUnderstood(token)
            return Literal(number)
        if kind == "string":
            return self.string("")
        if kind == "field":
            return Field(Identity(), Text((self.advance()[1:],)))
        if kind == "variable":
            return Variable(self.advance()[1:])
        if kind == "format":
            self.advance()
            return self.string(token) if self.kind == "string" else Format(token)
        if kind == "word":
            return self.word()
        return self.bracketed(token)

    def bracketed(self, token: str) -> Program:
        if self.takes("."):
            return Field(Identity(), self.string("")) if self.kind == "string" else Identity()
        if self.takes(".."):
            return Everything()
        if self.takes("("):
            inner = self.pipe()
            self.expect(")")
            return inner
        if self.takes("["):
            if self.takes("]"):
                return ListOf(None)
            inner = self.pipe()
            self.expect("]")
            return ListOf(inner)
        if self.takes("{"):
            return self.object()
        raise NotUnderstood(token)

    def word(self) -> Program:
        name = self.advance()
        if name in _CONSTANTS:
            return Literal(_CONSTANTS[name])
        if name == "if":
            return self.condition()
        if name == "try":
            body = self.postfix()
            return Attempt(body, self.postfix() if self.takes("catch") else None)
        if name in ("reduce", "foreach"):
            return self.fold(name)
        if name in _RESERVED or name == "def":
            raise NotUnderstood(name)
        arguments: list[Program] = []
        if self.kind == "sign" and self.takes("("):
            arguments.append(self.pipe())
            while self.takes(";"):
                arguments.append(self.pipe())
            self.expect(")")
        return Call(name, tuple(arguments))

    def condition(self) -> Program:
        condition = self.pipe()
        self.expect("then")
        body = self.pipe()
        if self.takes("elif"):
            self.depth += 1
            if self.depth > MAX_DEPTH * 4:
                raise NotUnderstood("nested too deeply")
            otherwise = self.condition()
            self.depth -= 1
            return If(condition, body, otherwise)
        otherwise = self.pipe() if self.takes("else") else Identity()
        self.expect("end")
        return If(condition, body, otherwise)

    def fold(self, kind: str) -> Program:
        source = self.postfix()
        self.expect("as")
        name = self.variable()
        self.expect("(")
        start = self.pipe()
        self.expect(";")
        update = self.pipe()
        extract = self.pipe() if self.takes(";") else None
        self.expect(")")
        return Fold(kind, source, name, start, update, extract)

    def object(self) -> Program:
        entries: list[tuple[Program, Program]] = []
        while not self.takes("}"):
            entries.append(self.entry())
            if self.token != "}":
                self.expect(",")
        return ObjectOf(tuple(entries))

    def entry(self) -> tuple[Program, Program]:
        key: Program
        if self.kind == "variable":
            name = self.advance()[1:]
            return Text((name,)), Variable(name)
        if self.takes("("):
            key = self.pipe()
            self.expect(")")
        elif self.kind == "string":
            key = self.string("")
        elif self.kind == "word":
            key = Text((self.advance(),))
        else:
            raise NotUnderstood
        if not self.takes(":"):
            return key, Field(Identity(), key)
        value = self.binary(6)
        while self.takes("|"):
            value = Pipe(value, self.binary(6))
        return key, value

    def string(self, form: str) -> Text:
        """A string from behind its quote on; a program in it is read where it stands."""
        parts: list[str | Program] = []
        piece = ""
        while True:
            char = self.text[self.at : self.at + 1]
            if not char:
                raise NotUnderstood("no end of string")
            self.at += 1
            if char == '"':
                break
            if char != "\\":
                piece += char
                continue
            escape = self.text[self.at : self.at + 1]
            self.at += 1
            if escape == "(":
                parts.append(piece)
                piece = ""
                self.advance()
                parts.append(self.pipe())
                if self.token != ")" or self.kind != "sign":
                    raise NotUnderstood
            elif escape == "u":
                piece += self.code_point()
            elif escape in _ESCAPES:
                piece += _ESCAPES[escape]
            else:
                raise NotUnderstood(escape)
        if piece or not parts:
            parts.append(piece)
        self.advance()
        return Text(tuple(parts), form)

    def code_point(self) -> str:
        digits = self.text[self.at : self.at + 4]
        if not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            raise NotUnderstood(digits)
        self.at += 4
        return chr(int(digits, 16))


@lru_cache(maxsize=512)
def parse(program: str) -> Program | None:
    """The program that a text is; None where it is not understood."""
    if len(program) > MAX_PROGRAM:
        return None
    try:
        parser = _Parser(program)
        if parser.kind == "end":
            return Identity()
        found = parser.pipe()
    except NotUnderstood:
        return None
    return found if parser.kind == "end" and _height_is_bounded(found) else None


def _height_is_bounded(program: Program) -> bool:
    """Whether no part lies too deep; long chains (`.a.a.a`) are as deep as they are long."""
    level: list[object] = [program]
    for _ in range(2 * MAX_HEIGHT):
        level = [part for parent in level if isinstance(parent, tuple) for part in parent]
        if not level:
            return True
    return False
