"""Parses the pipelines and commands of PowerShell, whose words are read unlike expressions."""

from __future__ import annotations

import re
from typing import Final

from novote.script.powershell.expressions import ASSIGNED, NUMBER, ExpressionParser
from novote.script.powershell.reader import Fault
from novote.script.powershell.syntax import (
    Assign,
    Chain,
    Command,
    Constant,
    Expression,
    Pipeline,
    Quoted,
    Redirection,
    Shown,
    Statement,
    TypeName,
    Word,
)

_STARTS_EXPRESSION: Final = re.compile(
    r"""[$@"'({,]|\[(?!\[)|!(?!=)|\+\+|--(?=\$)|-(?:not|i?split|csplit|join|bnot)\b|[-+][\d$(.]""",
    re.IGNORECASE,
)
_PLACEHOLDER_OPERAND: Final = re.compile(
    r"Zq\d+_x*[ \t]*(?:-(?:[ci]?(?:eq|ne|(?:not)?(?:like|match)|contains|in|gt|lt|ge|le)|and|or)\b|\.\.)",
    re.IGNORECASE,
)
_REDIRECTION: Final = re.compile(r"([1-6*]?>>?)(&[12])?|<")
_PARAMETER: Final = re.compile(r"-([A-Za-z_?][\w?-]*)(:?)")
_ENDS_WORD: Final = frozenset("|&;(){}\n\r \t,<>")
_BARE: Final = re.compile(r"[^|&;(){}\s,<>\"'$`]+")
_STOP_PARSING: Final = re.compile(r"--%[ \t]*([^\n|]*)")
MAX_WORDS: Final = 400


class CommandParser(ExpressionParser):
    """Reads pipelines; statements with keywords are left to the parser of statements."""

    def pipeline(self) -> Statement:
        """Pipelines with `&&` and `||` between them, or an assignment."""
        start = self.at
        found = self._single()
        while not isinstance(found, Assign):
            self.blanks()
            operator = self.text[self.at : self.at + 2]
            if operator not in ("&&", "||"):
                break
            self.at += 2
            self.lines()
            found = Chain(operator, found, self._single(), self.since(start))
        self.blanks()
        if self.next == "&" and not self.here("&&"):
            self.at += 1
        return found

    def _single(self) -> Statement:
        start = self.at
        elements: list[Command | Shown] = []
        while True:
            element = self._element()
            if isinstance(element, Assign):
                if elements:
                    raise Fault("an assignment within a pipeline")
                return element
            elements.append(element)
            self.blanks()
            if not self._goes_on():
                return Pipeline(tuple(elements), self.since(start))
            if len(elements) > MAX_WORDS:
                raise Fault("a pipeline is too long")

    def _goes_on(self) -> bool:
        at = self.at
        self.blanks()
        if self.next == "\n":
            # A line may begin with the bar.
            found = re.compile(r"(?:\s|#[^\n]*\n)*\|(?!\|)").match(self.text, self.at, self.stop)
            if found is None:
                self.at = at
                return False
            self.at = found.end() - 1
        if self.next != "|" or self.here("||"):
            self.at = at
            return False
        self.at += 1
        self.lines()
        return True

    def _element(self) -> Command | Shown | Assign:
        start = self.at
        if self._is_expression():
            found = self.expression()
            self.blanks()
            assigned = self.peek(ASSIGNED)
            if assigned is not None:
                self.at = assigned.end()
                self.lines()
                self.enter()
                value = self.statement()
                self.nested -= 1
                return Assign(found, assigned[0], value, self.since(start))
            if isinstance(found, Assign):
                return found
            return Shown(found, self._redirections(), self.since(start))
        return self._command()

    def _is_expression(self) -> bool:
        if self.peek(_STARTS_EXPRESSION) or self.peek(_PLACEHOLDER_OPERAND):
            return True
        return self.peek(NUMBER) is not None

    def _redirections(self) -> tuple[Redirection, ...]:
        found: list[Redirection] = []
        while True:
            self.blanks()
            one = self._redirection()
            if one is None:
                return tuple(found)
            found.append(one)

    def _redirection(self) -> Redirection | None:
        start = self.at
        found = self.match(_REDIRECTION)
        if found is None:
            return None
        if found[1] is None:
            raise Fault("< does not exist")
        target = None
        if found[2] is None:
            self.blanks()
            target = self.argument()
        return Redirection(found[1], target, self.since(start))

    def _command(self) -> Command:
        start, called = self.at, ""
        if self.next == "&" or (
            self.next == "." and re.match(r"[\s$\"'({]", self.text[self.at + 1 :][:1] or "x")
        ):
            called = self.next
            self.at += 1
            self.blanks()
        words = [self._name()]
        redirections: list[Redirection] = []
        while True:
            before = self.at
            self.blanks()
            if self.at >= self.stop or self.next in "|&;)}\n":
                break
            if redirection := self._redirection():
                redirections.append(redirection)
                continue
            if stopped := self.match(_STOP_PARSING):
                words += self._unparsed(stopped)
                continue
            words.append(self._word())
            if self.at == before or len(words) > MAX_WORDS:
                raise Fault(f"no word at {before}")
        return Command(called, tuple(words), tuple(redirections), self.since(start))

    def _name(self) -> Word:
        start = self.at
        if self.next == "{":
            found: Expression = self.block()
        elif self.next and self.next not in "|&;)},\n<>":
            found = self.argument(commas=False)
        else:
            raise Fault(f"no command at {start}")
        return Word(found, "", self.text[start : self.at], self.since(start))

    def _unparsed(self, stopped: re.Match[str]) -> list[Word]:
        span = self.since(stopped.start(1))
        words = stopped[1].split()[:MAX_WORDS]
        return [Word(Quoted((word.strip('"'),), True, span), "", word, span) for word in words]

    def _word(self) -> Word:
        start = self.at
        found = self.peek(_PARAMETER)
        if found is not None:
            behind = self.text[found.end() : found.end() + 1]
            if found.end() >= self.stop or behind in _ENDS_WORD or found[2]:
                self.at = found.end()
                argument = None
                if found[2] and behind and behind not in _ENDS_WORD - {"(", "{"}:
                    argument = self.argument()
                return Word(argument, found[1].lower(), self.text[start : self.at], self.since(start))
        argument = self.argument()
        return Word(argument, "", self.text[start : self.at], self.since(start))

    # -- arguments

    def argument(self, commas: bool = True) -> Expression:
        """An argument of a command, or several with commas between them."""
        return self.listed(self._argument, commas=commas)

    def _argument(self) -> Expression:
        start, char = self.at, self.next
        if char == "@" and self.text[self.at + 1 : self.at + 2] not in ("(", "{", '"', "'"):
            if re.match(r"@[A-Za-z_]\w*(?=[\s|;)}]|\Z)", self.text[self.at : self.at + 80]):
                return self.postfix(self.primary(), start)
        elif char and char in "$(@\"'{":
            if char != "$" or re.match(r"\$[\w({?^]", self.text[self.at : self.at + 2]):
                found = self.postfix(self.primary(), start)
                if self.at >= self.stop or self.next in _ENDS_WORD or isinstance(found, TypeName):
                    return found
                return self._compound(start, [found])
        elif number := self.peek(NUMBER):
            behind = self.text[number.end() : number.end() + 1]
            if not behind or behind in _ENDS_WORD:
                self.at = start
                return self.primary() if number[0][-1:].isalnum() else self._compound(start, [])
        return self._compound(start, [])

    def _compound(self, start: int, found: list[str | Expression]) -> Expression:
        parts: list[str | Expression] = []
        for part in found:
            parts += part.parts if isinstance(part, Quoted) else (part,)
        while self.next and self.next not in _ENDS_WORD:
            char = self.next
            if char in "\"'":
                parts += (self.double_quoted() if char == '"' else self.single_quoted()).parts
            elif char in "`$":
                parts.append(self.piece())
            elif bare := self.match(_BARE):
                parts.append(bare[0])
            else:
                # A blank that no line of PowerShell has.
                raise Fault(f"no word at {self.at}")
            if len(parts) > MAX_WORDS:
                raise Fault("a word is too long")
        if not parts and not found:
            raise Fault(f"no word at {start}")
        if len(parts) == 1 and isinstance(parts[0], Constant):
            return parts[0]
        return Quoted(tuple(parts), not found, self.since(start))
