"""`${{ }}` in JavaScript: parts of strings, and names that stand for what GitHub writes there."""

from __future__ import annotations

import re
from typing import Final

from novote.algebra.value import Content, Opaque, Value
from novote.script.host import platform_path
from novote.script.javascript.coerce import parsed_number
from novote.script.javascript.event import event_text, located
from novote.script.javascript.json import parse
from novote.script.javascript.state import Run
from novote.script.parse import Node
from novote.script.text import Text, join_values

_ESCAPE: Final = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))"
)
_PLAIN: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0",
                 "\n": "", "\r\n": "", "\r": ""}  # fmt: skip
_FOLDERS: Final = {
    "github.workspace": "GITHUB_WORKSPACE",
    "github.action_path": "GITHUB_ACTION_PATH",
    "github.event_path": "GITHUB_EVENT_PATH",
    "runner.temp": "RUNNER_TEMP",
}
_FOLDER: Final = re.compile(r"\$\{\{\s*(" + "|".join(map(re.escape, _FOLDERS)) + r")\s*\}\}", re.IGNORECASE)
_WHOLE_EVENT: Final = re.compile(
    r"\$\{\{\s*toJSON\(\s*github((?:\.[\w*-]{1,60}){0,12})\s*\)\s*\}\}", re.IGNORECASE
)


def _decoded(written: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        if code:
            number = int(code, 16)
            return chr(number) if number < 0x110000 else ""
        return _PLAIN.get(match[4], match[4])

    return _ESCAPE.sub(one, written)


def text_between(run: Run, node: Node, start: int, end: int, *, escapes: bool = True) -> Value:
    """A part of the script as text: escapes decoded, expressions filled in."""
    filled = node.tree.filled
    parts: list[Value] = []
    if filled.expressions and len(pieces := list(filled.pieces(filled.text[start:end]))) == 1:
        path = _event_path(filled.expressions[pieces[0]]) if isinstance(pieces[0], int) else None
        if path is not None:
            return event_text(run, path, node)
    for piece in filled.pieces(filled.text[start:end]):
        if isinstance(piece, str):
            parts.append(run.value(_decoded(piece) if escapes else piece))
        else:
            parts.append(_filled_in(run, node, piece))
    return join_values(run.universe, parts) if parts else run.value("")


def _filled_in(run: Run, node: Node, number: int) -> Value:
    match = _FOLDER.fullmatch(node.tree.filled.expressions[number])
    if match is not None:
        return run.value(platform_path(_FOLDERS[match[1].lower()]))
    reading = run.machine.host.expression(node.tree.filled.expressions[number])
    found = run.read(reading, node)
    assert found is not None, "an expression always gives something"
    return found


def value_of(run: Run, node: Node) -> Value | None:
    """What a name stands for that is an expression; None for an ordinary name."""
    filled = node.tree.filled
    if not filled.expressions:
        return None
    pieces = list(filled.pieces(node.text))
    if not any(isinstance(piece, int) for piece in pieces):
        return None
    if len(pieces) == 1 and isinstance(pieces[0], int):
        located = _whole(run, node, filled.expressions[pieces[0]])
        return located or _filled_in(run, node, pieces[0]).bind(lambda content: _code(run, content))
    return run.blurred("name", [_filled_in(run, node, piece) for piece in pieces if isinstance(piece, int)])


def _whole(run: Run, node: Node, expression: str) -> Value | None:
    """`toJSON(github.event.x)` as code: that part of the event."""
    path = _event_path(expression)
    return None if path is None else located(run, path, node)


def _event_path(expression: str) -> tuple[str, ...] | None:
    match = _WHOLE_EVENT.fullmatch(expression)
    return None if match is None else tuple(match[1].split(".")[1:])


def _code(run: Run, content: Content) -> Value:
    """Text that GitHub writes into the code: a literal where it is one."""
    if isinstance(content, str):
        stripped = content.strip()
        if stripped in ("true", "false"):
            return run.value(stripped == "true")
        if stripped in ("null", "undefined", ""):
            return run.undefined
        number = parsed_number(stripped)
        return run.value(number) if number == number else parse(run, run.value(stripped))
    if isinstance(content, Opaque) and content.shape != "string":
        return run.value(content)
    if isinstance(content, Opaque | Text):
        return parse(run, run.value(content))
    return run.value(content)
