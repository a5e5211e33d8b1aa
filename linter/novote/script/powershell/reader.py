"""Reads the characters of a PowerShell script: blanks, comments, names, quoted text."""

from __future__ import annotations

import re
from typing import Final

from novote.model import Span
from novote.script.powershell.syntax import Expression, Quoted, Statement, Variable

MAX_NESTED: Final = 40
"""Brackets, blocks and strings within strings nest this deep."""

_BLANK: Final = re.compile(r"(?:[ \t\r\f\v\u00a0]+|`[ \t]*\r?\n|#[^\n]*|<\#(?:[^#]|\#(?!>))*(?:\#>|\Z))*")
_LINES: Final = re.compile(r"(?:[ \t\r\f\v\u00a0\n;]+|`[ \t]*\r?\n|#[^\n]*|<\#(?:[^#]|\#(?!>))*(?:\#>|\Z))*")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_VARIABLE: Final = re.compile(r"(?:(\w+):(?=\w))?(\w+)|([?$^])")
_BRACED: Final = re.compile(r"\{(?:(\w+):)?([^{}\n]*)\}")
_PLAIN: Final = re.compile(r'[^"$`]+')
_ESCAPES: Final = {
    "0": "\0", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "e": "\x1b",
}  # fmt: skip


class Fault(Exception):
    """The text is no PowerShell at some place."""


class Reader:
    """A place in a script's text; `stop` is where it ends."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.stop = len(text)
        self.nested = 0

    # -- characters

    @property
    def next(self) -> str:
        """The character at the place, empty at the end."""
        return self.text[self.at] if self.at < self.stop else ""

    def blanks(self) -> None:
        """Goes over blanks and comments within a line."""
        self.at = self._over(_BLANK)

    def lines(self) -> None:
        """Goes over blanks, comments, line ends and semicolons."""
        self.at = self._over(_LINES)

    def _over(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.at, self.stop)
        return found.end() if found else self.at

    def here(self, text: str) -> bool:
        """Whether a text stands at the place."""
        return self.text.startswith(text, self.at, self.stop)

    def take(self, text: str) -> bool:
        """Goes over a text where it stands at the place."""
        if not self.here(text):
            return False
        self.at += len(text)
        return True

    def expect(self, text: str) -> None:
        """Goes over a text; raises Fault where it does not stand at the place."""
        if not self.take(text):
            raise Fault(f"{text} expected at {self.at}")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Goes over a pattern where it matches at the place."""
        found = pattern.match(self.text, self.at, self.stop)
        if found is not None:
            self.at = found.end()
        return found

    def peek(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """A pattern that matches at the place."""
        return pattern.match(self.text, self.at, self.stop)

    def since(self, start: int) -> Span:
        """The text from a place up to here."""
        return Span(start, self.at)

    def enter(self) -> None:
        """Goes one level deeper; raises Fault where that is too deep."""
        self.nested += 1
        if self.nested > MAX_NESTED:
            raise Fault("nested too deeply")

    def balanced(self, opening: str, closing: str) -> str:
        """Goes over a bracketed text, strings in it as a whole; what is inside."""
        start = self.at
        self.expect(opening)
        depth = 1
        while depth:
            char = self.next
            if not char:
                raise Fault(f"{closing} is missing")
            if char in "\"'":
                self.at = self._behind_quote(char)
                continue
            if char == "#" and opening == "{":
                self.blanks()
                continue
            depth += (char == opening) - (char == closing)
            self.at += 2 if char == "`" else 1
        return self.text[start + 1 : self.at - 1]

    def _behind_quote(self, quote: str) -> int:
        found = self.text.find(quote, self.at + 1, self.stop)
        if found == -1:
            raise Fault("a quote is missing")
        return found + 1

    # -- variables and text

    def variable(self, splatted: bool = False) -> Variable | None:
        """`$name` at the place, or `@name`; None where no name follows."""
        start = self.at
        self.at += 1
        braced = None if splatted else self.match(_BRACED)
        found = braced or self.match(_VARIABLE)
        if found is None:
            self.at = start
            return None
        scope = (found[1] or "").lower()
        name = found[2] if braced or found[2] is not None else found[3]
        return Variable(scope, name, splatted, self.since(start))

    def single_quoted(self) -> Quoted:
        """`'text'`."""
        start, parts = self.at, []
        while True:
            end = self._behind_quote("'")
            parts.append(self.text[self.at + 1 : end - 1])
            self.at = end
            if self.next != "'":
                return Quoted(("'".join(parts),), False, self.since(start))

    def double_quoted(self) -> Quoted:
        """`"text $filled in"`."""
        start = self.at
        self.at += 1
        parts: list[str | Expression] = []
        while True:
            if self.here('""'):
                self.at += 2
                parts.append('"')
            elif self.take('"'):
                return Quoted(tuple(parts), False, self.since(start))
            elif not self.next:
                raise Fault("a quote is missing")
            else:
                parts.append(self.piece())

    def here_text(self) -> Quoted:
        """Text between `@"` and `"@`, or `@'` and `'@`, each on its line."""
        start = self.at
        quote = self.text[self.at + 1]
        line = self.text.find("\n", self.at, self.stop)
        end = self.text.find(f"\n{quote}@", line, self.stop) if line != -1 else -1
        if end == -1:
            raise Fault("a text has no end")
        if quote == "'":
            parts: tuple[str | Expression, ...] = (self.text[line + 1 : end],) if end > line else ()
        else:
            parts = self._within(line + 1, end)
        self.at = end + 3
        return Quoted(parts, False, self.since(start))

    def _within(self, start: int, end: int) -> tuple[str | Expression, ...]:
        kept, self.stop, self.at = self.stop, max(start, end), start
        parts: list[str | Expression] = []
        try:
            while self.next:
                if self.take('"'):
                    parts.append('"')
                else:
                    parts.append(self.piece())
        finally:
            self.stop = kept
        return tuple(parts)

    def piece(self) -> str | Expression:
        """The next piece of text in double quotes."""
        char = self.next
        if char == "`":
            self.at += 2
            return self.escaped()
        if char != "$":
            found = self.match(_PLAIN)
            if found is None:
                raise Fault("no text")
            return found[0]
        if self.here("$("):
            return self.collected("$")
        found_variable = self.variable()
        if found_variable is None:
            self.at += 1
            return "$"
        return found_variable

    def escaped(self) -> str:
        """The character that a backtick and the character before the place stand for."""
        char = self.text[self.at - 1 : self.at]
        if char == "u" and (found := self.match(re.compile(r"\{([0-9A-Fa-f]{1,6})\}"))):
            return chr(int(found[1], 16)) if int(found[1], 16) < 0x110000 else ""
        return "" if char == "\n" else _ESCAPES.get(char, char)

    def collected(self, kind: str) -> Expression:
        """`$( )`, `@( )` or `( )`; made where statements are read."""
        raise NotImplementedError

    def pipeline(self) -> Statement:
        """A pipeline; made where statements are read."""
        raise NotImplementedError
