"""Splits shell text into commands and words: one light pass for bash, sh, PowerShell and cmd alike.

It finds where commands and their words stand, so that exam commands can be recognised; it does not evaluate.
Quotes, comments, heredocs, line continuations, substitutions and `${{ }}` are respected. Every pattern is
bounded or anchored, so the pass is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_NESTING = 24
"""Substitutions nested deeper are read as plain text."""

MAX_WORD = 4_096
"""Words are kept to this many code points; no option or target is longer."""

MAX_SCRIPT = 262_144
"""Longer scripts are read to this many code points; GitHub refuses workflow files much smaller than that."""


class Word(NamedTuple):
    """One word of a command; `text` is without quotes, offsets (quotes included) count into the script."""

    start: int
    end: int
    text: str


Command = tuple[Word, ...]

_PLAIN = re.compile(
    r"(?:[^\s'\"\\$`;&|(){}<>#]+|'[^'\n]*'|\"[^\"\\$`\n]*\"|\$[A-Za-z_]\w*"
    r"|\$\{\{[^}\n]{0,400}\}\}|\$\{[^{}\n]{0,200}\})+"
)
_SIMPLE = re.compile(r"[ \t]*([^\s'\"\\$`;&|(){}<>#@]+|'[^'\n]*'|\"[^\"\\$`\n]*\")(?=[ \t\r\n;|]|\Z)")
_BLANK = re.compile(r"(?:[ \t\f\v\r]|\\\r?\n|`[ \t]*\r?\n)+")
_REDIRECT = re.compile(r"\d*(?:[<>]&[\d-]+|&>>?|>>|>\||>&|<&|<<<|<>|[<>](?!\())")
_HEREDOC = re.compile(
    r"\d*<<(?!<)-?[ \t]*(?:'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|\\?([A-Za-z0-9_.!-]{1,80}))"
)
_DOUBLE = re.compile(r"(?:[^\"\\$`]+|\\.)+", re.DOTALL)
_HERE_STRINGS = ("@'\n", '@"\n', "@'\r\n", '@"\r\n')
_SEPARATORS = "\n;&|()"


class _Frame:
    """A command being read; `close` ends a substitution, `quoted` says it stands in double quotes."""

    __slots__ = ("close", "dropped", "quoted", "skip_word", "word_start", "words")

    def __init__(self, close: str = "", quoted: bool = False, dropped: bool = False) -> None:
        self.close = close
        self.quoted = quoted
        self.dropped = dropped
        self.words: list[Word] = []
        self.word_start = -1
        self.skip_word = False


class _Scanner:
    """The state of one pass over one script."""

    def __init__(self, text: str) -> None:
        self.text = text[:MAX_SCRIPT]
        self.at = 0
        self.frame = _Frame()
        self.outer: list[_Frame] = []
        self.in_double = False
        self.heredocs: list[str] = []
        self.commands: list[Command] = []
        self.last_expression_end = self.text.rfind("}}")
        self.last_here_string = max(self.text.rfind("\n'@"), self.text.rfind('\n"@'))

    def scan(self) -> list[Command]:
        """Every command of the text, in the order in which they end."""
        size = len(self.text)
        while self.at < size:
            if self.in_double:
                self._in_double_quotes()
            else:
                self._plain()
        while True:
            self._end_command()
            if not self.outer:
                return self.commands
            self._leave()

    def _plain(self) -> None:
        # No word begins with these, and there are too many of them to try first whether one does.
        char = self.text[self.at]
        if char == "\n":
            self._separator(char)
            return
        if char == "#":
            self._hash()
            return
        if self.frame.word_start < 0 and not self.frame.skip_word and self._simple_words():
            return
        text, at = self.text, self.at
        match = _PLAIN.match(text, at)
        if match:
            self._grow(match.end())
            return
        if char in " \t\f\v\r" or (char in self._escape() and _BLANK.match(text, at)):
            blank = _BLANK.match(text, at)
            self._end_word()
            self.at = blank.end() if blank else at + 1
        elif char in "'\"\\$`":
            self._quoting(char)
        elif char in "<>" or (char == "&" and text.startswith("&>", at)):
            self._redirect()
        elif char in _SEPARATORS:
            self._separator(char)
        elif char in "{}":
            self._brace(char)
        else:
            self._end_word()
            self.at += 1

    def _simple_words(self) -> bool:
        """Takes words without anything special in them, which most are; says whether there were any."""
        match = _SIMPLE.match(self.text, self.at)
        if match is None:
            return False
        words = self.frame.words
        while match is not None:
            word = match[1]
            plain = word[1:-1] if word[0] in "'\"" else word
            words.append(Word(match.start(1), match.end(1), plain[:MAX_WORD]))
            self.at = match.end()
            match = _SIMPLE.match(self.text, self.at)
        return True

    def _escape(self) -> str:
        return "\\" if self.frame.close == "`" else "\\`"

    def _in_double_quotes(self) -> None:
        match = _DOUBLE.match(self.text, self.at)
        if match:
            self.at = match.end()
            return
        char = self.text[self.at]
        if char == '"':
            self.in_double = False
            self._grow(self.at + 1)
        elif char == "$":
            self._dollar()
        elif char == "`":
            self._tick()
        else:
            self.at += 1

    def _quoting(self, char: str) -> None:
        text, at = self.text, self.at
        if char == "'":
            self._grow(self._after_quote(at + 1))
        elif char == '"':
            self._grow(at + 1)
            self.in_double = True
        elif char == "\\":
            # GitHub fills an expression in before any shell sees the backslash.
            self._grow(at + 1 if text.startswith("${{", at + 1) else min(at + 2, len(text)))
        elif char == "$":
            self._dollar()
        else:
            self._tick()

    def _after_quote(self, at: int) -> int:
        """Where the text behind a single quote goes on; quotes of an expression inside do not end it."""
        text, start = self.text, at
        while True:
            end = text.find("'", at)
            if end == -1:
                return start
            expression = text.find("${{", at, end)
            if expression == -1 or expression >= self.last_expression_end:
                return end + 1
            at = text.find("}}", expression) + 2

    def _dollar(self) -> None:
        text, at = self.text, self.at
        if text.startswith("${{", at) and at < self.last_expression_end:
            self._grow(text.find("}}", at) + 2)
        elif text.startswith("$(", at):
            self._grow(at + 2)
            self._enter(")")
        else:
            end = _on_line(text, "}", at, 200) if text.startswith("${", at) else -1
            self._grow(end + 1 if end != -1 else at + 1)

    def _tick(self) -> None:
        if self.frame.close == "`":
            self._end_command()
            self._leave()
            self._grow(self.at + 1)
        elif _on_line(self.text, "`", self.at + 1, 400) > self.at + 1:
            self._grow(self.at + 1)
            self._enter("`")
        else:
            self._grow(self.at + 1)

    def _hash(self) -> None:
        if self.frame.word_start >= 0:
            self._grow(self.at + 1)
            return
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end == -1 else end

    def _redirect(self) -> None:
        text, at = self.text, self.at
        heredoc = _HEREDOC.match(text, at)
        if heredoc:
            self._end_word()
            self.heredocs.append(next(filter(None, heredoc.groups())))
            self.at = heredoc.end()
            return
        match = _REDIRECT.match(text, at)
        if match is None:
            self._grow(min(at + 2, len(text)))
            self._enter(")")
            return
        self._end_word(redirected=True)
        self.at = match.end()
        self.frame.skip_word = text[match.end() - 1] in "<>|&"

    def _separator(self, char: str) -> None:
        frame, at = self.frame, self.at
        if char == "(" and frame.word_start >= 0 and self.text[at - 1] == "=":
            self._grow(at + 1)
            self._enter(")")
            self.frame.dropped = True
        elif char == ")" and frame.close == ")":
            self._end_command()
            self._leave()
            self._grow(at + 1)
        else:
            self._end_command()
            self.at += 1
            if char == "\n":
                self._skip_heredocs()

    def _brace(self, char: str) -> None:
        """A brace on its own groups commands; one inside a word is part of it."""
        following = self.text[self.at + 1 : self.at + 2]
        if self.frame.word_start < 0 and (char == "}" or following in ("", " ", "\t", "\n", "\r")):
            self._end_command()
            self.at += 1
        else:
            self._grow(self.at + 1)

    def _grow(self, end: int) -> None:
        """Makes the text up to `end` part of the current word."""
        if self.frame.word_start < 0:
            self.frame.word_start = self.at
        self.at = end

    def _enter(self, close: str) -> None:
        if len(self.outer) >= MAX_NESTING:
            return
        self.outer.append(self.frame)
        self.frame = _Frame(close, self.in_double, self.frame.dropped)
        self.in_double = False

    def _leave(self) -> None:
        self.in_double = self.frame.quoted
        self.frame = self.outer.pop()

    def _end_word(self, redirected: bool = False) -> None:
        frame = self.frame
        start, frame.word_start = frame.word_start, -1
        if start < 0:
            return
        text = self.text[start : min(self.at, start + MAX_WORD)]
        if frame.skip_word:
            frame.skip_word = False
        elif not (redirected and text.isdigit()):
            frame.words.append(Word(start, self.at, unquoted(text)))
        if text[:1] == "@" and self.text.startswith(_HERE_STRINGS, start):
            self._skip_here_string(start)

    def _skip_here_string(self, start: int) -> None:
        if start < self.last_here_string:
            end = self.text.find("\n" + self.text[start + 1] + "@", start)
            self.at = end + 3 if end != -1 else self.at

    def _end_command(self) -> None:
        self._end_word()
        frame = self.frame
        if frame.words and not frame.dropped:
            self.commands.append(tuple(frame.words))
        frame.words = []
        frame.skip_word = False

    def _skip_heredocs(self) -> None:
        for mark in self.heredocs:
            end = re.compile(rf"^[ \t]*{re.escape(mark)}[ \t]*\r?$", re.MULTILINE).search(self.text, self.at)
            if end is None:
                self.at = len(self.text)
                break
            self.at = end.end()
        self.heredocs.clear()


def _on_line(text: str, char: str, start: int, most: int) -> int:
    """Where `char` stands on the line of `start`, at most `most` code points behind it, or -1."""
    end = text.find(char, start, start + most)
    return -1 if end == -1 or "\n" in text[start:end] else end


_QUOTES = re.compile(r"\\\r?\n|['\"]|\\(.)")


def unquoted(text: str) -> str:
    """A word as the shell would see it, as far as quotes and backslashes go; `${{ }}` stays whole."""
    if "'" not in text and '"' not in text and "\\" not in text:
        return text
    if "${{" in text:
        return re.sub(r"^['\"]|['\"]$", "", text)
    # NOTE: a backslash before a letter is a path of Windows, not an escape.
    return _QUOTES.sub(lambda m: (m[0] if m[1].isalnum() else m[1]) if m[1] else "", text)


_PLAIN_LINE = re.compile(r"[^'\"\\`$(){}<>#;&|]*")
_PIECE = re.compile(r"\S+")


def commands_of(script: str) -> list[Command]:
    """The commands of a script, each as its words; commands inside substitutions come before their owner."""
    if _PLAIN_LINE.fullmatch(script):
        return list(_simple_commands(script))
    return _Scanner(script).scan()


def _simple_commands(script: str) -> Iterator[Command]:
    """The commands of a script without quotes, operators and comments: one a line."""
    at = 0
    for line in script[:MAX_SCRIPT].split("\n"):
        if line and not line.isspace():
            yield tuple(Word(at + m.start(), at + m.end(), m[0][:MAX_WORD]) for m in _PIECE.finditer(line))
        at += len(line) + 1
