"""Reads a script of the command prompt into commands: lines, blocks, `if`, `for`, and what joins them."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from novote.model import Span
from novote.record import record

MAX_NESTED: Final = 30
MAX_JOINED: Final = 100

_CONTINUED: Final = re.compile(r"\^\r?\n")
_LINES: Final = re.compile(r"(?:[\s@;,]|\^\r?\n)*")
_BLANKS: Final = re.compile(r"(?:[ \t\r@]|\^\r?\n)*")
_JOINING: Final = re.compile(r"&&|\|\||&|\|")
_WORD: Final = re.compile(r'(?:"[^"\n]*"?|\^.|[^\s"()&|<>^])+')
_IF: Final = re.compile(r"if(?=[\s(])", re.IGNORECASE)
_NOCASE: Final = re.compile(r"/i(?=\s)", re.IGNORECASE)
_NOT: Final = re.compile(r"not(?=\s)", re.IGNORECASE)
_UNARY: Final = re.compile(r"(defined|exist|errorlevel)(?=\s)", re.IGNORECASE)
_FOR: Final = re.compile(r"for(?=\s)", re.IGNORECASE)
_ELSE: Final = re.compile(r"[ \t]*else(?=[\s(])", re.IGNORECASE)
_DO: Final = re.compile(r"do(?=[\s(])", re.IGNORECASE)
_COMMENT: Final = re.compile(r"(?:rem(?=\s|\Z)|::)[^\n]*", re.IGNORECASE)
_LABEL: Final = re.compile(r":([^\s:]+)[^\n]*")
_COMPARED: Final = re.compile(r"(==|equ|neq|lss|leq|gtr|geq)(?=\W|\Z|\b)", re.IGNORECASE)
_REDIRECTION: Final = re.compile(r"([012]?)(>>?)(?:&([12])|[ \t]*)|<[ \t]*")


class Fault(Exception):
    """The text is nothing that a command prompt reads."""


@record
class Command:
    """A command as it stands: its text without redirections, and the files it writes to."""

    text: str
    files: tuple[tuple[bool, str], ...]
    span: Span


@record
class Joined:
    """Commands with `&`, `&&`, `||` or `|` between them."""

    left: Statement
    operator: str
    right: Statement
    span: Span


@record
class If:
    """`if`: what is compared and what is done; the operator may be `defined`, `exist`, `errorlevel`."""

    negated: bool
    nocase: bool
    operator: str
    left: str
    right: str
    then: Statement
    other: Statement | None
    span: Span


@record
class Block:
    """`( )`, with the files all of it writes to; also a `for`, of which nobody knows the rounds."""

    body: tuple[Statement, ...]
    files: tuple[tuple[bool, str], ...]
    loop: str
    span: Span


@record
class Label:
    """`:name`."""

    name: str
    span: Span


Statement: TypeAlias = Command | Joined | If | Block | Label


class Reader:
    """A place in a script's text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.nested = 0

    def script(self) -> list[Statement]:
        """All the script; a line that cannot be read is a command of its text."""
        found: list[Statement] = []
        while True:
            self._lines()
            start = self.at
            if start >= len(self.text):
                return found
            try:
                found.append(self._joined(False))
            except Fault:
                self.nested = 0
                end = self.text.find("\n", start)
                self.at = len(self.text) if end == -1 else end
                found.append(Command(self.text[start : self.at], (), Span(start, self.at)))
            if self.at == start:
                # A bracket that closes nothing.
                self.at += 1

    def _lines(self) -> None:
        self._take(_LINES)

    def _blanks(self) -> None:
        self._take(_BLANKS)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def _joined(self, inside: bool) -> Statement:
        start = self.at
        left = self._one(inside)
        for _ in range(MAX_JOINED):
            self._blanks()
            found = self._take(_JOINING)
            if found is None:
                return left
            self._blanks()
            if self.at >= len(self.text) or self.text[self.at] in "\n)":
                return left
            right = self._one(inside)
            left = Joined(left, found[0], right, Span(start, self.at))
        raise Fault("too many commands in a row")

    def _one(self, inside: bool) -> Statement:
        self._blanks()
        start = self.at
        self.nested += 1
        if self.nested > MAX_NESTED:
            raise Fault("nested too deeply")
        try:
            if self._take(_COMMENT):
                return Label("", Span(start, self.at))
            if label := self._take(_LABEL):
                return Label(label[1].lower(), Span(start, self.at))
            if self._take(_IF):
                return self._if(start, inside)
            if self._take(_FOR):
                return self._for(start, inside)
            if self.text.startswith("(", self.at):
                return self._block(start)
            return self._command(start, inside)
        finally:
            self.nested -= 1

    def _block(self, start: int) -> Block:
        self.at += 1
        body: list[Statement] = []
        while True:
            self._lines()
            if self.at >= len(self.text):
                raise Fault("a block has no end")
            if self.text[self.at] == ")":
                self.at += 1
                break
            body.append(self._joined(True))
        files: list[tuple[bool, str]] = []
        self._blanks()
        while self._redirection(files):
            self._blanks()
        return Block(tuple(body), tuple(files), "", Span(start, self.at))

    def _redirection(self, files: list[tuple[bool, str]]) -> bool:
        found = self._take(_REDIRECTION)
        if found is None:
            return False
        if found[2] is not None and found[3] is not None:
            return True
        word = self._take(_WORD)
        if word is None:
            raise Fault("a file is missing")
        if found[2] is not None and found[1] in ("", "1"):
            files.append((found[2] == ">>", word[0]))
        return True

    def _command(self, start: int, inside: bool) -> Command:
        parts: list[str] = []
        files: list[tuple[bool, str]] = []
        quoted = False
        while self.at < len(self.text):
            char = self.text[self.at]
            if found := _CONTINUED.match(self.text, self.at):
                self.at = found.end()
                continue
            if char == "\n" or (not quoted and (char in "&|" or (char == ")" and inside))):
                break
            if not quoted and (char in "<>" or (char in "012" and self._ends_word() and self._digit())):
                self._redirection(files)
                continue
            if char == "^" and not quoted and self.at + 1 < len(self.text):
                self.at += 1
                char = self.text[self.at]
            quoted ^= char == '"'
            parts.append(char)
            self.at += 1
        text = "".join(parts).strip("\r")
        return Command(text, tuple(files), Span(start, self.at))

    def _ends_word(self) -> bool:
        return self.at == 0 or self.text[self.at - 1] in " \t"

    def _digit(self) -> bool:
        return self.text.startswith(">", self.at + 1)

    def _word(self) -> str:
        self._blanks()
        found = self._take(_WORD)
        if found is None:
            raise Fault("a word is missing")
        return found[0]

    def _if(self, start: int, inside: bool) -> If:
        negated = nocase = False
        while True:
            self._blanks()
            if self._take(_NOCASE):
                nocase = True
            elif self._take(_NOT):
                negated = not negated
            else:
                break
        if unary := self._take(_UNARY):
            operator, left, right = unary[1].lower(), self._word(), ""
        else:
            operator, left, right = self._compared()
        then = self._joined(inside) if not self._opens() else self._block(self.at)
        other = self._otherwise(inside)
        return If(negated, nocase, operator, left, right, then, other, Span(start, self.at))

    def _opens(self) -> bool:
        self._blanks()
        return self.text.startswith("(", self.at)

    def _otherwise(self, inside: bool) -> Statement | None:
        if self._take(_ELSE) is None:
            return None
        return self._joined(inside) if not self._opens() else self._block(self.at)

    def _compared(self) -> tuple[str, str, str]:
        word = self._word()
        left, equals, right = word.partition("==")
        if equals:
            return "==", left, right or self._word()
        self._blanks()
        operator = self._take(_COMPARED)
        if operator is None:
            word = self._word()
            if not word.startswith("=="):
                raise Fault("nothing is compared")
            return "==", left, word[2:] or self._word()
        return operator[1].lower(), left, self._word()

    def _for(self, start: int, inside: bool) -> Block:
        opening = self.text.find("(", self.at)
        closing = self.text.find(")", opening)
        if opening == -1 or closing == -1:
            raise Fault("for without a list")
        head = self.text[self.at : closing + 1]
        self.at = closing + 1
        self._blanks()
        if self._take(_DO) is None:
            raise Fault("for without do")
        body = self._joined(inside) if not self._opens() else self._block(self.at)
        return Block((body,), (), head, Span(start, self.at))
