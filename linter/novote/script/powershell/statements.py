"""Parses the statements of PowerShell; what is no PowerShell stays one broken statement."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from novote.model import Span
from novote.record import changed
from novote.script.powershell.commands import CommandParser
from novote.script.powershell.reader import Fault
from novote.script.powershell.syntax import (
    Block,
    Broken,
    Expression,
    Flow,
    Foreach,
    Function,
    Group,
    If,
    Loop,
    Parameter,
    Statement,
    Switch,
    Try,
)

_KEYWORD: Final = re.compile(
    r"(if|switch|foreach|for|while|do|function|filter|return|exit|throw|break|continue|try|trap|begin"
    r"|process|end|using|class|enum|dynamicparam)(?![\w.:\\/-])",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r":\w+[ \t\r\n]*(?=(?:foreach|for|while|do|switch)\b)", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\s({]+")
_PARAM: Final = re.compile(r"param[ \t\r\n]*(?=\()", re.IGNORECASE)
_OPTION: Final = re.compile(r"-(\w+)")
MAX_FAULTS: Final = 40
"""After so many broken statements the rest of a script is one more."""


class StatementParser(CommandParser):
    """Reads a whole script."""

    faults = 0

    def script(self) -> Block:
        """The script."""
        self.take("\ufeff")
        found = self._block_inside("")
        return found

    # -- lists of statements

    def statements(self, closing: str) -> tuple[Statement, ...]:
        """Statements up to a bracket that is not taken, or to the end of the text."""
        found: list[Statement] = []
        while True:
            self.lines()
            if self.at >= self.stop or (closing and self.next == closing):
                return tuple(found)
            start = self.at
            kept = self.nested, self.listing, self.stop
            try:
                found.append(self.statement())
                self._finished(closing)
            except Fault:
                self.nested, self.listing, self.stop = kept
                self.at = start
                found.append(self._broken(closing))

    def _finished(self, closing: str) -> None:
        self.blanks()
        if (
            self.at < self.stop
            and self.next not in ("\n", ";", closing)
            and self.text[self.at - 1] not in "};\n"
        ):
            raise Fault(f"a statement goes on at {self.at}")

    def _broken(self, closing: str) -> Broken:
        """The text from here to the end of its line, brackets that open in it included."""
        start, depth = self.at, 0
        self.faults += 1
        if self.faults > MAX_FAULTS:
            self.at = self.stop
        while self.at < self.stop:
            char = self.next
            if char in "({[":
                depth += 1
            elif char in ")}]":
                if depth == 0 and (char == closing or closing == ""):
                    self.at += closing == ""
                    break
                depth = max(depth - 1, 0)
            elif char == "\n" and depth == 0:
                break
            self.at += 1
        return Broken(self.text[start : self.at], self.since(start))

    def statement(self) -> Statement:
        """One statement."""
        self.match(_LABEL)
        start = self.at
        found = self.peek(_KEYWORD)
        if found is None:
            return self.pipeline()
        self.at = found.end()
        self.enter()
        try:
            return _READERS[found[1].lower()](self, found[1].lower(), start)
        finally:
            self.nested -= 1

    # -- blocks

    def block(self) -> Block:
        """`{ }`."""
        self.expect("{")
        self.enter()
        kept, self.listing = self.listing, True
        found = self._block_inside("}")
        self.expect("}")
        self.listing = kept
        self.nested -= 1
        return found

    def _block_inside(self, closing: str) -> Block:
        start = self.at
        self.lines()
        parameters = self._parameter_block()
        body = self.statements(closing)
        return Block(parameters, body, self.since(start))

    def _parameter_block(self) -> tuple[Parameter, ...]:
        start = self.at
        try:
            while self.next == "[":
                self.balanced("[", "]")
                self.lines()
            while re.match(r"using\s", self.text[self.at : self.at + 6], re.IGNORECASE):
                self.at = self._line_end()
                self.lines()
        except Fault:
            self.at = start
            return ()
        if self.match(_PARAM) is None:
            self.at = start
            return ()
        return self._parameters()

    def _line_end(self) -> int:
        end = self.text.find("\n", self.at, self.stop)
        return self.stop if end == -1 else end

    def _parameters(self) -> tuple[Parameter, ...]:
        self.expect("(")
        return self.separated(self._parameter, "a parameter")

    def _parameter(self) -> Parameter:
        start, kind = self.at, ""
        while self.next == "[":
            inside = self.balanced("[", "]").strip().lower()
            kind = kind if "(" in inside else inside
            self.lines()
        variable = self.variable() if self.next == "$" else None
        if variable is None:
            raise Fault("a parameter has no name")
        self.lines()
        default: Expression | None = None
        if self.take("="):
            self.lines()
            default = self.expression()
        return Parameter(variable.name.lower(), kind, default, self.since(start))

    def body(self) -> tuple[Statement, ...]:
        """The statements of a block."""
        self.lines()
        return self.block().body

    def _condition(self) -> Statement:
        self.lines()
        self.expect("(")
        self.lines()
        found = self.statement()
        self.lines()
        self.expect(")")
        return found

    def _follows(self, word: str) -> bool:
        at = self.at
        self.lines()
        found = re.compile(rf"{word}(?![\w-])", re.IGNORECASE).match(self.text, self.at, self.stop)
        if found is None:
            self.at = at
            return False
        self.at = found.end()
        return True

    # -- statements by keyword

    def read_if(self, _word: str, start: int) -> Statement:
        """`if`."""
        clauses = [(self._condition(), self.body())]
        while self._follows("elseif"):
            clauses.append((self._condition(), self.body()))
        other = self.body() if self._follows("else") else ()
        return If(tuple(clauses), other, self.since(start))

    def read_switch(self, _word: str, start: int) -> Statement:
        """`switch`."""
        mode, cased = "", False
        self.lines()
        while found := self.match(_OPTION):
            option = found[1].lower()
            cased = cased or option.startswith("c")
            mode = "-wildcard" if option[0] == "w" else "-regex" if option[0] == "r" else mode
            self.lines()
            if option.startswith("f"):
                raise Fault("a switch over a file")
        subject = self._condition()
        self.lines()
        self.expect("{")
        clauses: list[tuple[Expression | None, tuple[Statement, ...]]] = []
        self.lines()
        while not self.take("}"):
            condition = None
            if not (self.peek(re.compile(r"default\s*\{", re.IGNORECASE)) and self._follows("default")):
                condition = self.argument(commas=False)
            clauses.append((condition, self.body()))
            self.lines()
        return Switch(mode, cased, subject, tuple(clauses), self.since(start))

    def read_foreach(self, _word: str, start: int) -> Statement:
        """`foreach`."""
        self.lines()
        while self.match(_OPTION):
            self.lines()
        self.expect("(")
        self.lines()
        variable = self.variable() if self.next == "$" else None
        self.lines()
        if variable is None or not self._follows("in"):
            raise Fault("foreach without a variable")
        self.lines()
        items = self.statement()
        self.lines()
        self.expect(")")
        return Foreach(variable, items, self.body(), self.since(start))

    def read_for(self, _word: str, start: int) -> Statement:
        """`for`."""
        self.lines()
        self.expect("(")
        parts: list[Statement | None] = []
        for closing in (";", ";", ")"):
            self.blanks()
            parts.append(None if self.next == closing else self.statement())
            self.blanks()
            if closing == ")" or self.next != ")":
                self.take("\n")
                self.expect(closing)
        first, test, step = parts
        return Loop(first, test, False, False, step, self.body(), self.since(start))

    def read_while(self, _word: str, start: int) -> Statement:
        """`while`."""
        return Loop(None, self._condition(), False, False, None, self.body(), self.since(start))

    def read_do(self, _word: str, start: int) -> Statement:
        """`do`."""
        body = self.body()
        until = self._follows("until")
        if not until and not self._follows("while"):
            raise Fault("do without an end")
        return Loop(None, self._condition(), until, True, None, body, self.since(start))

    def read_function(self, _word: str, start: int) -> Statement:
        """`function` and `filter`."""
        self.lines()
        name = self.match(_WORD)
        if name is None:
            raise Fault("a function has no name")
        self.lines()
        parameters = self._parameters() if self.next == "(" else ()
        self.lines()
        block = self.block()
        block = changed(block, parameters=parameters or block.parameters)
        bare = re.sub(r"^(?:global|script|local|private):", "", name[0].lower())
        return Function(bare, block, self.since(start))

    def read_flow(self, word: str, start: int) -> Statement:
        """`return`, `exit`, `throw`, `break`, `continue`."""
        self.blanks()
        value: Statement | None = None
        if self.next not in ("", "\n", ";", "}", ")"):
            value = self.statement()
        return Flow(word, None if word in ("break", "continue") else value, self.since(start))

    def read_try(self, _word: str, start: int) -> Statement:
        """`try`."""
        body = self.body()
        catches = []
        while self._follows("catch"):
            self.lines()
            while self.next == "[":
                self.balanced("[", "]")
                self.lines()
                self.take(",")
                self.lines()
            catches.append(self.body())
        last = self.body() if self._follows("finally") else ()
        return Try(body, tuple(catches), last, self.since(start))

    def read_group(self, word: str, start: int) -> Statement:
        """`begin`, `process`, `end`; a trap is left out, for nothing goes wrong on purpose."""
        self.lines()
        if word == "trap":
            while self.next == "[":
                self.balanced("[", "]")
                self.lines()
        body = self.body()
        return Group(() if word == "trap" else body, self.since(start))

    def read_declared(self, word: str, start: int) -> Statement:
        """`using`, `class`, `enum`: nothing happens where they stand."""
        if word == "using":
            self.at = self._line_end()
        else:
            self.at = self.text.find("{", self.at, self.stop)
            if self.at == -1:
                self.at = start
                raise Fault("a class has no body")
            self.balanced("{", "}")
        return Group((), self.since(start))


_READERS: Final[dict[str, Callable[[StatementParser, str, int], Statement]]] = {
    "if": StatementParser.read_if,
    "switch": StatementParser.read_switch,
    "foreach": StatementParser.read_foreach,
    "for": StatementParser.read_for,
    "while": StatementParser.read_while,
    "do": StatementParser.read_do,
    "function": StatementParser.read_function,
    "filter": StatementParser.read_function,
    "return": StatementParser.read_flow,
    "exit": StatementParser.read_flow,
    "throw": StatementParser.read_flow,
    "break": StatementParser.read_flow,
    "continue": StatementParser.read_flow,
    "try": StatementParser.read_try,
    "trap": StatementParser.read_group,
    "begin": StatementParser.read_group,
    "process": StatementParser.read_group,
    "end": StatementParser.read_group,
    "dynamicparam": StatementParser.read_group,
    "using": StatementParser.read_declared,
    "class": StatementParser.read_declared,
    "enum": StatementParser.read_declared,
}


@lru_cache(maxsize=256)
def parsed(text: str) -> Block:
    """The statements of a script whose `${{ }}` are filled with placeholders."""
    try:
        return StatementParser(text).script()
    except Fault:
        span = Span(0, len(text))
        return Block((), (Broken(text, span),), span)
