"""The problems a YAML file can have, worded: what is wrong here, and what to write instead."""

from __future__ import annotations

from typing import Final

from novote.clip import clip
from novote.model import Problem, SourceText, Span

_MISFIT: Final = "This line does not fit what is around it. Check its indentation and quotes."
# Parts of the parser's own message, and what helps against each; the first that matches counts.
_HINTS: Final = (
    (
        "mapping values are not allowed",
        "A ': ' inside a value starts a new key. Put the value in quotes, or correct the indentation.",
    ),
    ("found a tab character", "A tab cannot indent in YAML. Use spaces."),
    ("violates indentation", "A tab cannot indent in YAML. Use spaces."),
    ("could not find expected ':'", "This line is neither a key nor a value. Add the ':' or indent it."),
    ("did not find expected ',' or ']'", "A list in brackets is not closed. Add the ']'."),
    ("expected ',' or ']'", "A list in brackets is not closed. Add the ']'."),
    ("did not find expected ',' or '}'", "A mapping in braces is not closed. Add the '}'."),
    ("expected ',' or '}'", "A mapping in braces is not closed. Add the '}'."),
    ("unexpected end of stream", "A quote is opened and never closed. Close it."),
    ("document separator", "A quote is opened and never closed. Close it."),
    ("document indicator", "A quote is opened and never closed. Close it."),
    ("alphabetic or numeric", "A value that begins with '*' or '&' needs quotes. Put it in quotes."),
    (
        "node content",
        "A value is missing here, or begins with a character that needs quotes. Write or quote it.",
    ),
    (
        "expected whitespace or line break",
        "A value that begins with '!' is read as a tag. Put it in quotes.",
    ),
    ("unknown escape", "This escape does not exist in YAML. Double the backslash, or use single quotes."),
    ("did not find expected key", _MISFIT),
    ("<block end>", _MISFIT),
    ("expected '-' indicator", "This line does not fit the list around it. Check its indentation."),
    ("sequence entries are not allowed", "A list cannot begin here. Put the '-' on a line of its own."),
)
_TAB: Final = "A tab cannot stand here in YAML. Use spaces."
_RESERVED: Final = "A value cannot begin with this character. Put the value in quotes."
_OTHER: Final = "This is not valid YAML ({problem}). Correct the syntax here."
_OPENERS: Final = ("flow sequence", "flow mapping", "quoted scalar")


def syntax(source: SourceText, at: int, problem: str, context: str, opened: int | None) -> Problem:
    """Where the parser stopped and why; `opened` is where the construct began that it was reading."""
    message = _hint(source.text[at : at + 1], problem)
    if opened is not None and "expected ':'" in problem:
        # The parser is sure only on the next line; the line without its ':' is what has to change.
        at = opened
    elif opened is not None and "closed" in message and any(opener in context for opener in _OPENERS):
        message += f" It begins on line {source.position(opened)[0]}."
    return Problem(source.file, "unreadable-yaml", message, Span(at, min(at + 1, len(source.text))))


def _hint(char: str, problem: str) -> str:
    for part, hint in _HINTS:
        if part in problem:
            return hint
    if "cannot start any token" in problem:
        return _TAB if char == "\t" else _RESERVED
    return _OTHER.format(problem=problem or "the parser gives no reason")


def unreadable_character(file: str, at: int) -> Problem:
    """A character that YAML does not take, such as NUL."""
    message = "YAML does not allow the character here. Remove it, or write it as an escape in double quotes."
    return Problem(file, "unreadable-yaml", message, Span(at, at + 1))


def too_large(file: str, limit: int) -> Problem:
    """A file longer than `limit` code points or bytes."""
    message = f"This file is longer than {limit // 1024} KiB and was not read. Split it into smaller files."
    return Problem(file, "too-large", message, Span(0, 0))


def too_many(file: str, limit: int) -> Problem:
    """A file with more than `limit` keys and values."""
    message = f"This file holds more than {limit} keys and values, which GitHub refuses. Split it up."
    return Problem(file, "too-large", message, Span(0, 0))


def too_deep(file: str, span: Span) -> Problem:
    """Nesting beyond the bound, aliases expanded."""
    return Problem(file, "too-deep", "This is nested too deeply to be read. Write it flatter.", span)


def several_documents(file: str, span: Span) -> Problem:
    """A second document in the file."""
    message = "A second document begins here, and GitHub reads one a file. Move it to a file of its own."
    return Problem(file, "several-documents", message, span)


def duplicate_key(file: str, key: str, span: Span) -> Problem:
    """A key that stands a second time in its mapping, whatever its case."""
    shown = clip(key, 60)
    message = f"The key {shown!r} stands here a second time (case does not count). Keep one of the two."
    return Problem(file, "duplicate-key", message, span)


def recursive_alias(file: str, name: str, span: Span) -> Problem:
    """An alias inside the node it stands for."""
    message = f"The alias '*{name}' stands inside its own anchor, so it would never end. Write the value out."
    return Problem(file, "recursive-alias", message, span)


def unknown_alias(file: str, name: str, span: Span) -> Problem:
    """An alias before its anchor, or without one."""
    message = f"No anchor '&{name}' comes before this alias. Define it first, or quote the value."
    return Problem(file, "unreadable-yaml", message, span)


def alias_bomb(file: str, limit: int, span: Span) -> Problem:
    """Aliases that expand to more nodes than `limit`."""
    message = f"With this alias the file expands to more than {limit} nodes. Use fewer aliases."
    return Problem(file, "alias-bomb", message, span)


def not_utf8(file: str, span: Span | None) -> Problem:
    """Bytes that are no UTF-8; `span` is where they would stand in the text."""
    return Problem(file, "not-utf8", "This file is not UTF-8 text from here on. Save it as UTF-8.", span)
