"""The state of one shell, and the words it expands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script.machine import Frame, Machine, Place
from novote.script.parse import Node
from novote.script.text import join_values, split_known

_ESCAPED: Final = re.compile(r"\\(\n|[$`\"\\])")
_ANSI: Final = re.compile(r"\\(n|t|r|\\|'|\"|e|a|b|0[0-7]{0,3}|x[0-9A-Fa-f]{1,2})")
_ANSI_TEXT: Final = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "a": "\a", "b": "\b"}
BLANKS: Final = " \t\n"


class Shell:
    """One shell: its functions, arguments, arrays and options beside the variables of the machine.

    `given` is what stands on standard input, None where nothing is known of it. `ok` is where the last command
    succeeded. `run` evaluates a statement and `expand` an expansion; both are handed in, for they call back.
    """

    def __init__(
        self,
        machine: Machine,
        arguments: Sequence[Value],
        run: Callable[[Shell, Node], Cond],
        expand: Callable[[Shell, Node], Value],
        *,
        exits_on_error: bool,
        name: str = "",
    ) -> None:
        self.machine = machine
        self.universe = machine.universe
        self.arguments = list(arguments)
        self.run = run
        self.expand = expand
        self.exits_on_error = exits_on_error
        self.name = name
        self.pipefail = False
        self.functions: dict[str, Node] = {}
        self.arrays: dict[str, list[Value]] = {}
        self.tables: set[str] = set()
        self.given: Value | None = None
        self.input_place: Place | None = None
        self.ok: Cond = machine.universe.true
        self.code: Value | None = None
        self.frames: list[tuple[str, Frame]] = []
        self.locals: dict[str, Value] = {}
        self.fatal: Cond = machine.universe.false
        self.asking = 0
        self.folder: str | None = machine.host.directory()
        self.matched: tuple[Value, str] | None = None

    # -- variables

    def variable(self, name: str, node: Node | None = None) -> Value:
        """A variable, or a parameter such as `1`, `@`, `?`."""
        machine = self.machine
        if name in ("@", "*"):
            return self.joined(self.arguments)
        if name.isdigit():
            place = int(name)
            if place == 0:
                return machine.value(self.name or "script")
            return self.arguments[place - 1] if place <= len(self.arguments) else machine.value("")
        if name == "#":
            return machine.value(str(len(self.arguments)))
        if name == "?":
            if self.code is not None:
                return self.code
            return Value.choose(self.ok, machine.value("0"), machine.value("1"))
        if name in self.arrays:
            items = self.arrays[name]
            return items[0] if items else machine.value("")
        found = machine.variables.get(name)
        if found is None:
            return self.from_outside(name, node)
        return found

    def from_outside(self, name: str, node: Node | None) -> Value:
        """A variable that the script itself has not set."""
        machine = self.machine
        reading = machine.host.variable(name)
        if reading is None:
            return machine.value("")
        if node is not None:
            machine.read(reading._replace(file=machine.file, span=node.span))
        return reading.value

    def is_set(self, name: str) -> bool:
        """Whether a variable has been set at all."""
        if name.isdigit():
            return int(name) <= len(self.arguments)
        known = name in self.machine.variables or name in self.arrays or name in ("@", "*", "#", "?")
        return known or self.machine.host.variable(name) is not None

    def assign(self, name: str, value: Value) -> None:
        """Sets a variable where control is."""
        self.arrays.pop(name, None)
        self.machine.assign(name, value)

    def joined(self, values: Sequence[Value], by: str = " ") -> Value:
        """Values with a text between them."""
        parts: list[Value] = []
        between = self.machine.value(by)
        for value in values:
            parts += (between, value) if parts else (value,)
        return join_values(self.universe, parts) if parts else self.machine.value("")

    # -- shells inside

    def frames_of(self, kind: str) -> Frame | None:
        """The innermost frame of a kind: `function` or `shell`."""
        return next((frame for name, frame in reversed(self.frames) if name == kind), None)

    def apart(self, follow: Callable[[], Cond]) -> Cond:
        """Follows something in a shell of its own: what it sets is lost, `exit` ends nothing else."""
        machine = self.machine
        kept = dict(machine.variables), dict(self.arrays), self.folder, self.exits_on_error
        loops, machine.loop_frames = machine.loop_frames, ()
        with machine.frame() as frame:
            self.frames.append(("shell", frame))
            try:
                ok = follow()
            finally:
                self.frames.pop()
                machine.variables, self.arrays = kept[0], kept[1]
                self.folder, self.exits_on_error = kept[2], kept[3]
                machine.loop_frames = loops
        return self.universe.choose(frame.left, ~frame.failed, ok)

    def captured(self, nodes: Sequence[Node]) -> Value:
        """What commands print in a shell of their own; `ok` is then where they succeed."""
        machine = self.machine
        with machine.captured() as sink:
            self.ok = self.apart(lambda: self.run_all(nodes))
        return machine.text_of(sink)

    def run_all(self, nodes: Sequence[Node]) -> Cond:
        """Follows statements one after the other."""
        ok = self.universe.true
        for node in nodes:
            if self.machine.live.is_false:
                break
            ok = self.run(self, node)
        return ok

    # -- words

    def word(self, node: Node) -> Value:
        """A word as one text: quotes gone, expansions made, nothing split."""
        self.machine.spend()
        kind = node.kind
        if kind in ("word", "number", "regex", "extglob_pattern", "variable_name", "test_operator"):
            return self.filled(node, _unescaped(node.text))
        if kind == "string":
            return self._inside(node, node.start + 1, node.end - 1)
        if kind == "raw_string":
            return self.filled(node, node.text[1:-1])
        if kind == "ansi_c_string":
            return self.filled(node, _ANSI.sub(_ansi, node.text[2:-1]))
        if kind == "translated_string":
            inner = node.child("string")
            return self.word(inner) if inner is not None else self.machine.value("")
        if kind in ("concatenation", "command_name", "heredoc_body"):
            return self._parts(node)
        if kind in ("string_content", "heredoc_content"):
            return self.filled(node, _ESCAPED.sub(_dequoted, node.text))
        if kind == "array":
            return self.joined(self.fields(node.named))
        return self.expand(self, node)

    def filled(self, node: Node, text: str) -> Value:
        """Text of a node with the values of the expressions that stand in it."""
        machine, content = self.machine, node.tree.filled
        if not content.expressions:
            return machine.value(text)
        parts = []
        for piece in content.pieces(text):
            if isinstance(piece, str):
                parts.append(machine.value(piece))
            else:
                parts.append(machine.expression(content.expressions[piece], content.spans[piece]))
        return join_values(self.universe, parts) if parts else machine.value("")

    def _parts(self, node: Node) -> Value:
        parts = [self.word(child) for child in node.children]
        return join_values(self.universe, parts) if parts else self.machine.value("")

    def _inside(self, node: Node, start: int, end: int) -> Value:
        """What stands between quotes, the blanks included that the grammar gives to nobody."""
        text = node.tree.filled.text
        at, parts = start, []
        for child in node.children:
            if child.start < start or child.end > end or child.kind == '"':
                continue
            # The grammar hands blanks before an expansion to the expansion.
            begin = child.start
            while begin < child.end and text[begin] in BLANKS and child.kind != "string_content":
                begin += 1
            if begin > at:
                parts.append(self.filled(node, _ESCAPED.sub(_dequoted, text[at:begin])))
            if child.kind == "string_content":
                parts.append(self.filled(node, _ESCAPED.sub(_dequoted, child.text)))
            else:
                parts.append(self.word(child))
            at = child.end
        if at < end:
            parts.append(self.filled(node, _ESCAPED.sub(_dequoted, text[at:end])))
        return join_values(self.universe, parts) if parts else self.machine.value("")

    def heredoc(self, node: Node) -> Value:
        """The text of a heredoc; nothing in it is expanded where its mark is quoted."""
        body, mark = node.child("heredoc_body"), node.child("heredoc_start")
        if body is None:
            return self.machine.value("")
        if mark is not None and mark.text[:1] in "'\"\\":
            value = self.filled(node, body.text)
        else:
            value = self._inside(body, body.start, body.end)
        if node.child("<<-") is not None:
            return value.map(lambda content: _without_tabs(content))
        return value

    def fields(self, nodes: Sequence[Node]) -> list[Value]:
        """The words that a command gets: expansions without quotes are split where their text is known."""
        return [value for value, _ in self.placed_fields(nodes)]

    def placed_fields(self, nodes: Sequence[Node]) -> list[tuple[Value, Place]]:
        """The words that a command gets, each with where it is written."""
        found: list[tuple[Value, Place]] = []
        for node in nodes:
            place = self.machine.place(node.span)
            items = self.items(node)
            if items is not None:
                found += [(item, place) for item in items]
            elif node.kind in ("simple_expansion", "expansion", "command_substitution"):
                found += [(item, place) for item in self._split(self.word(node))]
            else:
                found.append((self.word(node), place))
        return found

    def items(self, node: Node) -> list[Value] | None:
        """The items of `"$@"` and `"${array[@]}"`; None for any other word."""
        inner = node
        if node.kind == "string":
            parts = [child for child in node.children if child.kind != '"']
            if len(parts) != 1:
                return None
            inner = parts[0]
        text = inner.text.strip()
        if inner.kind == "simple_expansion" and text in ("$@", "$*"):
            return list(self.arguments)
        if inner.kind == "expansion":
            match = re.fullmatch(r"\$\{([A-Za-z_]\w*)\[[@*]\]\}", text)
            if match and match[1] in self.arrays:
                return list(self.arrays[match[1]])
            if re.fullmatch(r"\$\{@(?::1)?\}", text):
                return list(self.arguments)
        return None

    def _split(self, value: Value) -> list[Value]:
        if not value.is_single:
            return [value]
        machine = self.machine
        return [machine.value(content) for content in split_known(value.single, BLANKS)]


def _unescaped(text: str) -> str:
    return re.sub(r"\\(\n|.)", lambda m: "" if m[1] == "\n" else m[1], text) if "\\" in text else text


def _dequoted(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


def _ansi(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "x":
        return chr(int(code[1:], 16))
    if code[0] == "0":
        return chr(int(code, 8) & 0xFF)
    return _ANSI_TEXT.get(code, code)


def _without_tabs(content: Content) -> Content:
    return re.sub(r"(?m)^\t+", "", content) if isinstance(content, str) else content
