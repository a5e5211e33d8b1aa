"""Text as HTML: escaped, with nothing hidden in it."""

from __future__ import annotations

from html import escape

from novote.report.escape import prose as quoting
from novote.report.escape import visible


def shown(text: str) -> str:
    """Text for an element or a quoted attribute, on one line; a tab is four blanks."""
    return escape(visible(text.replace("\t", "    ")))


def prose(text: str) -> str:
    """A sentence of ours that may quote the repository: what stands between backquotes becomes code."""
    return quoting(text, shown, lambda part: f"<code>{shown(part)}</code>")


def paragraphs(text: str) -> str:
    """Prose in paragraphs, as blank lines part them."""
    blocks = (" ".join(block.split()) for block in text.split("\n\n"))
    return "".join(f"<p>{prose(block)}</p>\n" for block in blocks if block)
