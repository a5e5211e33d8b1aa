"""Escaping, one function a sink: whatever comes from a repository is hostile."""

from __future__ import annotations

import re
from collections.abc import Callable

_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that a reader cannot see, that reorder or hide text, that drive a terminal, or that UTF-8
cannot carry: controls, bidirectional marks, zero-width and filler characters, tags, surrogates."""

_INVISIBLE = re.compile(f"[{_UNSEEN}]")
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str) -> str:
    r"""One line of text in which nothing is hidden: a control, mark or surrogate becomes `\x1b`, `\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub(lambda match: _NAMED.get(match[0]) or code(match[0]), text)


def visible_lines(text: str) -> str:
    """`visible`, with line breaks kept."""
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(map(visible, text.split("\n")))


def code(character: str) -> str:
    r"""A character as `\xNN`, `\uNNNN` or `\UNNNNNNNN`."""
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def terminal(text: str) -> str:
    r"""One line for a terminal or a log: `visible`, and no `##[`, which GitHub's runner obeys anywhere."""
    return _LOG_COMMAND.sub(r"\\x23", visible(text)) if "##[" in text else visible(text)


_LOG_COMMAND = re.compile(r"#(?=#\[)")


def log_line(line: str) -> str:
    r"""A finished line that the runner does not take for a workflow command, `::` after any blanks."""
    bare = line.lstrip()
    return line if not bare.startswith("::") else line[: len(line) - len(bare)] + r"\x3a" + bare[1:]


def json_text(text: str) -> str:
    r"""A serialised JSON string that holds nothing unseen: such characters become `\uNNNN`."""
    return text if text.isascii() else _INVISIBLE.sub(_json_escape, text)


def json_document(text: str) -> str:
    r"""A serialised document that a log can show: no DEL, and no `##[`, which the runner obeys anywhere."""
    return text.replace("\x7f", r"\u007f").replace("##[", r"\u0023#[")


def _json_escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"


def command_data(text: str) -> str:
    """The message of a GitHub workflow command; a line break in it starts a new line of the annotation."""
    lines = [visible(line) for line in text.split("\n")]
    return "%0A".join(line.replace("%", "%25") for line in lines)


def command_property(text: str) -> str:
    """The value of a property of a GitHub workflow command."""
    return visible(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")


def prose(text: str, plain: Callable[[str], str], quoted: Callable[[str], str]) -> str:
    """A sentence of ours that may quote the repository: `quoted` escapes what stands between backquotes.

    `plain` escapes the rest, and all of it where the backquotes are no pairs.
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return plain(text)
    return "".join(quoted(part) if index % 2 and part else plain(part) for index, part in enumerate(parts))


_MARKDOWN = re.compile(
    r"""[&<>"'`|*_~\[\](){}$\\!:^=]|(?<=[Ww])\.|(?<=[Gg][Hh])-|[@#]|^\d(?=\d*[.)])|^[+-]"""
)
_BREAK = "&#8203;"


def markdown(text: str) -> str:
    """Text that GitHub's Markdown shows as it is, on one line and inside a table cell too.

    Special characters become character references, which never form structure, and so does what could begin
    a list. Mentions and issue numbers
    are linked after Markdown is rendered, so a zero-width space parts `@` and `#` from what follows.
    """
    return _MARKDOWN.sub(_markdown_escape, visible(text))


def _markdown_escape(match: re.Match[str]) -> str:
    escaped = f"&#{ord(match[0])};"
    return escaped + _BREAK if match[0] in "@#-" else escaped


def markdown_code(text: str) -> str:
    """Text as inline code, by an element rather than by backquotes: no text can end it, no mention links."""
    return f"<code>{_CODE.sub(lambda match: f'&#{ord(match[0])};', visible(text))}</code>"


_CODE = re.compile(r"""[&<>"'`|*_~\[\](){}$\\!:@#^=]|(?<=[Ww])\.""")


def mermaid(text: str) -> str:
    """Text for a quoted Mermaid label: all but letters, digits and harmless marks become `#NN;` codes."""
    return _MERMAID.sub(lambda match: f"#{ord(match[0])};", visible(text))


_MERMAID = re.compile(r"[^\w ,/-]")


def sarif_text(text: str) -> str:
    """A plain-text SARIF message: nothing unseen, no embedded link (`[text](target)`)."""
    return visible(text).replace("](", "] (")


def uri(path: str) -> str:
    """A repository path as a relative URI reference, percent-encoded; bytes beyond UTF-8 keep their value."""
    # Only SARIF names files so, and the import is not free.
    from urllib.parse import quote

    try:
        return quote(path.encode("utf-8", "surrogateescape"), safe="/")
    except UnicodeEncodeError:
        return quote(path.encode("utf-8", "surrogatepass"), safe="/")
