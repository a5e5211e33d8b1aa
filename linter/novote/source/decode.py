"""From the bytes of a file to its text."""

from __future__ import annotations

from typing import Final

from novote.model import Problem, SourceText, Span
from novote.source import faults
from novote.source.bounds import MAX_LENGTH

MAX_BYTES: Final = 4 * MAX_LENGTH
"""UTF-8 takes at most four bytes a code point, so nothing larger can be within bounds."""

_UTF16: Final = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def decode(file: str, raw: bytes) -> SourceText | Problem:
    """UTF-8, or UTF-16 behind its byte order mark; the mark stays the first character of the text."""
    if len(raw) > MAX_BYTES:
        return faults.too_large(file, MAX_BYTES)
    encoding = _encoding(raw)
    try:
        return SourceText(file, raw.decode(encoding))
    except UnicodeDecodeError as error:
        at = len(raw[: error.start].decode(encoding, "replace"))
        return faults.not_utf8(file, Span(at, at))


def encode_like(text: str, raw: bytes) -> bytes:
    """A text as the bytes that `decode` would read it from, in the encoding of those it was read from."""
    return text.encode(_encoding(raw))


def _encoding(raw: bytes) -> str:
    return next((name for mark, name in _UTF16 if raw.startswith(mark)), "utf-8")
