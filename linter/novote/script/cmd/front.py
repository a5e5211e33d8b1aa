"""Reads a script of the Windows command prompt over guarded values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Opaque, Value
from novote.model import Span
from novote.script import tools
from novote.script.ask import Flavour, holds_compared, holds_equal, holds_match, is_nonempty
from novote.script.cmd.reader import Block, Command, If, Joined, Label, Reader, Statement
from novote.script.holes import Filled, filled
from novote.script.host import in_workspace, platform_path
from novote.script.machine import MAX_CALLS, Frame, Machine, TooMuch
from novote.script.parse import MAX_SCRIPT
from novote.script.text import derived, entering, flat, join_values, literal, observed, unknown

_VARIABLE: Final = re.compile(
    r"%%~?\w*(?P<round>[A-Za-z])|%~?(?:[A-Za-z]*)(?P<argument>[0-9*])|%(?P<name>[^%:\n]+)(?P<change>:[^%\n]*)?%"
    r"|!(?P<late>[^!:\n]+)(?P<late_change>:[^!\n]*)?!"
)
_WORDS: Final = re.compile(r'(?:"[^"]*"?|[^\s"])+')
_COMPARED: Final = {"equ": "-eq", "neq": "-ne", "lss": "-lt", "leq": "-le", "gtr": "-gt", "geq": "-ge"}
_SILENT: Final = frozenset(
    [
        "rem",
        "setlocal",
        "endlocal",
        "cd",
        "chdir",
        "pushd",
        "popd",
        "title",
        "color",
        "cls",
        "pause",
        "chcp",
        "mkdir",
        "md",
    ]
)


def run_text(machine: Machine, text: str, arguments: Sequence[Value], *, step: bool = True) -> None:
    """Carries out a script; `step` is whether it is a step's own, which fails where its last program did."""
    if len(text) > MAX_SCRIPT:
        raise TooMuch("the script is too long to be followed")
    source = filled(text)
    prompt = Prompt(machine, source, arguments)
    with machine.frame() as frame:
        prompt.scripts.append(frame)
        prompt.perform(Reader(source.text).script())
        if step:
            machine.failed = machine.failed | (machine.live & ~prompt.ok)
    machine.failed = machine.failed | frame.failed


class Prompt:
    """The state of one run that is the command prompt's own."""

    def __init__(self, machine: Machine, source: Filled, arguments: Sequence[Value]) -> None:
        self.machine = machine
        self.universe = machine.universe
        self.source = source
        self.arguments = list(arguments)
        self.scripts: list[Frame] = []
        self.jumps: dict[str, Cond] = {}
        self.seen: set[str] = set()
        self.ok = machine.universe.true

    # -- text

    def variable(self, name: str, span: Span) -> Value:
        """A variable, whatever the case of its name; empty where it is not set."""
        variables, machine = self.machine.variables, self.machine
        if name.lower() == "errorlevel":
            return Value.boolean(self.ok).map(lambda content: "0" if content is True else "1")
        spelled = next((key for key in variables if key.lower() == name.lower()), None)
        if spelled is not None:
            return variables[spelled]
        for one in dict.fromkeys((name, name.upper())):
            reading = machine.host.variable(one)
            if reading is not None:
                machine.read(reading._replace(file=machine.file, span=span))
                return reading.value.map(lambda content: entering(self.universe, content))
        known = platform_path(name.upper())
        return machine.value("" if known is None else known)

    def text(self, text: str, span: Span) -> Value:
        """Text with its variables and `${{ }}` filled in."""
        parts: list[Value] = []
        at = 0
        for found in _VARIABLE.finditer(text):
            parts += [self._plain(text[at : found.start()]), self._filled(found, span)]
            at = found.end()
        parts.append(self._plain(text[at:]))
        return join_values(self.universe, parts)

    def _plain(self, text: str) -> Value:
        parts: list[Value] = [self.machine.value("")]
        for piece in self.source.pieces(text):
            if isinstance(piece, str):
                parts.append(self.machine.value(piece))
                continue
            reading = self.machine.host.expression(self.source.expressions[piece])
            self.machine.read(reading._replace(file=self.machine.file))
            parts.append(reading.value.map(lambda content: entering(self.universe, content)))
        return join_values(self.universe, parts)

    def _filled(self, found: re.Match[str], span: Span) -> Value:
        if found["round"]:
            return self.machine.variables.get(f"%%{found['round']}", self.machine.value(unknown(found[0])))
        if found["argument"]:
            place = found["argument"]
            if place == "0":
                folder = self.machine.file.rpartition("/")[0]
                return self.machine.value(f"{folder}/" if folder else "./")
            if place == "*":
                return join_values(self.universe, self.arguments or [self.machine.value("")])
            at = int(place) - 1
            return self.arguments[at] if at < len(self.arguments) else self.machine.value("")
        value = self.variable(found["name"] or found["late"], span)
        change = found["change"] or found["late_change"]
        return value if change is None else self._changed(value, change)

    def _changed(self, value: Value, change: str) -> Value:
        """`%X:a=b%` and `%X:~0,3%`."""
        old, equals_sign, new = change[1:].partition("=")

        def changed(content: Content) -> Content:
            if isinstance(content, str) and equals_sign and old:
                return re.sub(re.escape(old), lambda _: new, content, flags=re.IGNORECASE)
            text = flat(self.universe, content)
            return derived(self.universe, f"change {change}", (text,), lambda p: "" if p[0] == "" else None)

        return value.map(changed)

    # -- statements

    def perform(self, statements: Sequence[Statement]) -> None:
        """Carries out statements in order."""
        for statement in statements:
            self.one(statement)

    def one(self, node: Statement) -> None:
        """Carries out a statement where control is."""
        self.machine.spend()
        if isinstance(node, Label):
            self.seen.add(node.name)
            self.machine.live = self.machine.live | self.jumps.pop(node.name, self.universe.false)
        elif not self.machine.live.is_false:
            _PERFORMED[type(node)](self, node)

    def block(self, node: Block) -> None:
        """`( )` and `for`."""
        if node.loop:
            self._loop(node)
        elif node.files:
            with self.machine.captured() as sink:
                self.perform(node.body)
            for guard, value in sink:
                self._write(node.files, value, node.span, guard)
        else:
            self.perform(node.body)

    def _loop(self, node: Block) -> None:
        machine = self.machine
        heads = self.text(re.sub(r"%%~?\w*", "", node.loop), node.span)
        contents = [flat(self.universe, content) for _, content in heads.alternatives]
        item = machine.value(derived(self.universe, "for", contents, also=heads.origins()))
        for name in re.findall(r"%%(\w)", node.loop):
            machine.variables[f"%%{name}"] = item
        entered = is_nonempty(self.universe, item)
        machine.loop(entered, machine.place(node.span), heads, lambda: self.perform(node.body))

    def joined(self, node: Joined) -> None:
        """`&`, `&&`, `||` and `|`."""
        place = self.machine.place(node.left.span)
        if node.operator == "|":
            with self.machine.captured() as sink:
                self.one(node.left)
            given = self.machine.text_of(sink)
            if isinstance(node.right, Command):
                self.command(node.right, given)
            else:
                self.one(node.right)
            return
        self.one(node.left)
        if node.operator == "&":
            self.one(node.right)
            return
        cond = self.ok if node.operator == "&&" else ~self.ok
        self.machine.branch(cond, place, lambda: self.one(node.right))

    def branch(self, node: If) -> None:
        """`if`."""
        cond = self._condition(node)
        cond = ~cond if node.negated else cond
        other = node.other
        self.machine.branch(
            cond,
            self.machine.place(node.span),
            lambda: self.one(node.then),
            None if other is None else lambda: self.one(other),
        )

    def _condition(self, node: If) -> Cond:
        universe = self.universe
        if node.operator == "defined":
            return is_nonempty(universe, self.variable(node.left, node.span))
        if node.operator == "errorlevel":
            return ~self.ok if node.left != "0" else universe.true
        left = self.text(node.left, node.span)
        if node.operator == "exist":
            contents = [flat(universe, content) for _, content in left.alternatives]
            seen = observed(f"exists {node.left}")
            return is_nonempty(universe, self.machine.value(derived(universe, "exists", [*contents, seen])))
        right = self.text(node.right, node.span)
        if node.operator == "==":
            return holds_equal(universe, left, right, node.nocase)
        if node.operator in ("equ", "neq") and not all(
            _is_number(c) for v in (left, right) for _, c in v.alternatives
        ):
            same = holds_equal(universe, left, right, node.nocase)
            return same if node.operator == "equ" else ~same
        return holds_compared(universe, _COMPARED[node.operator], left, right)

    # -- commands

    def simple(self, node: Command) -> None:
        """A command that reads nothing."""
        self.command(node, None)

    def command(self, node: Command, given: Value | None) -> None:
        """A command, with what it reads."""
        words = _WORDS.findall(node.text)[:200]
        if not words:
            return
        name = words[0].strip('"').lower().removesuffix(".exe")
        if name.startswith("echo"):
            rest = node.text.lstrip()[4:]
            self._echo(node, rest[1:] if rest[:1] in " .:(/\t" else rest)
        elif name == "set":
            self._set(node.text.strip()[3:].strip(), node.span)
        elif name == "goto":
            self._goto(words[1].lower().lstrip(":") if len(words) > 1 else "eof")
        elif name == "exit":
            self._exit(words[1:], node.span)
        elif name in ("findstr", "find"):
            self._find(words[1:], given, node.span)
        elif name == "call" and len(words) > 1:
            self._program(words[1:], node, given)
        elif name not in _SILENT:
            self._program(words, node, given)

    def _echo(self, node: Command, rest: str) -> None:
        if rest.strip().lower() in ("on", "off"):
            return
        line = join_values(self.universe, (self.text(rest, node.span), self.machine.value("\n")))
        if node.files:
            self._write(node.files, line, node.span, self.machine.live)
        else:
            self.machine.print(line)

    def _write(self, files: tuple[tuple[bool, str], ...], value: Value, span: Span, guard: Cond) -> None:
        machine, before = self.machine, self.machine.live
        for append, file in files:
            for inner, path in self.text(file.strip('"'), span).alternatives:
                if isinstance(path, str):
                    machine.live = before & guard & inner
                    machine.write(path.replace("\\", "/"), value, append=append)
        machine.live = before

    def _set(self, rest: str, span: Span) -> None:
        if rest[:2].lower() in ("/a", "/p"):
            name, _, text = rest[2:].strip().strip('"').partition("=")
            value = self.text(text, span)
            contents = [flat(self.universe, content) for _, content in value.alternatives]
            if rest[:2].lower() == "/p":
                contents.append(unknown("set /p"))
            made = self.machine.value(derived(self.universe, "set", contents, also=value.origins()))
            self._assign(name.strip(), value if (literal(value) or "").isdigit() else made)
            return
        if rest.startswith('"'):
            rest = rest[1:].rpartition('"')[0] if '"' in rest[1:] else rest[1:]
        name, equals_sign, text = rest.partition("=")
        if equals_sign:
            self._assign(name.strip(), self.text(text, span))

    def _assign(self, name: str, value: Value) -> None:
        variables = self.machine.variables
        spelled = next((key for key in variables if key.lower() == name.lower()), name)
        self.machine.assign(spelled, value)

    def _goto(self, label: str) -> None:
        machine = self.machine
        if label == "eof":
            machine.leave(self.scripts[-1])
            return
        if label in self.seen:
            # A loop ends some time, and then what follows it is done.
            return
        self.jumps[label] = self.jumps.get(label, self.universe.false) | machine.live
        machine.end()

    def _exit(self, words: Sequence[str], span: Span) -> None:
        code = next((word for word in words if word.lower() != "/b"), None)
        failed = ~self.ok
        if code is not None:
            zero = self.machine.value("0")
            failed = ~holds_equal(self.universe, self.text(code, span), zero)
        self.machine.leave(self.scripts[-1], failed=failed)

    def _find(self, words: Sequence[str], given: Value | None, span: Span) -> None:
        """`findstr` and `find` in what they are given."""
        options = {word.lower() for word in words if word.startswith("/")}
        exact = [word[3:].strip('"') for word in words if word.lower().startswith("/c:")]
        plain = [word.strip('"') for word in words if not word.startswith("/")]
        patterns = exact or (plain[0].split() if plain else [])
        nocase = "/i" in options
        flavour: Flavour = "fixed" if exact and "/r" not in options else "regex"
        where = given
        if where is None:
            where = self._file(plain[1] if len(plain) > 1 and not exact else plain[0] if plain else "", span)
        found = self.universe.false
        for pattern in patterns[:20]:
            wanted = self.text(pattern, span)
            found = found | holds_match(self.universe, where, wanted, flavour, nocase)
        self.ok = ~found if "/v" in options else found
        self.machine.print(where)

    def _file(self, name: str, span: Span) -> Value:
        path = in_workspace(name.replace("\\", "/"))
        if path is None or not path:
            return self.machine.value(unknown(f"file {name}"))
        reading = self.machine.host.data(path)
        self.machine.read(reading._replace(file=self.machine.file, span=span))
        return reading.value.map(lambda content: entering(self.universe, content))

    # -- programs

    def _program(self, words: Sequence[str], node: Command, given: Value | None) -> None:
        values = [self._word(word, node.span) for word in words]
        script = self._script(literal(values[0]), values[1:])
        if script:
            return
        places = [self.machine.place(node.span)] * len(values)
        outcome = tools.run(self.machine, values, places, given)
        self.ok = self.universe.choose(self.machine.live, outcome.ok, self.ok)
        if node.files:
            self._write(node.files, outcome.printed, node.span, self.machine.live)
        else:
            self.machine.print(outcome.printed)

    def _word(self, word: str, span: Span) -> Value:
        return self.text(word.replace('"', ""), span)

    def _script(self, name: str | None, arguments: Sequence[Value]) -> bool:
        """A batch file of the repository."""
        machine = self.machine
        path = in_workspace((name or "").replace("\\", "/").removeprefix("./"))
        if path is None or not path.lower().endswith((".cmd", ".bat")) or machine.calls >= MAX_CALLS:
            return False
        text = machine.host.code(path)
        if text is None or len(text) > MAX_SCRIPT:
            return False
        kept = self.source, self.arguments, machine.file, self.jumps, self.seen
        self.source, self.arguments, machine.file = filled(text), list(arguments), path
        self.jumps, self.seen = {}, set()
        machine.calls += 1
        try:
            with machine.frame() as frame:
                self.scripts.append(frame)
                self.perform(Reader(self.source.text).script())
                self.scripts.pop()
        finally:
            machine.calls -= 1
            self.source, self.arguments, machine.file, self.jumps, self.seen = kept
        self.ok = self.universe.choose(frame.left, ~frame.failed, self.ok)
        return True


def _is_number(content: Content) -> bool:
    return isinstance(content, Opaque) or (isinstance(content, str) and content.isdigit())


_PERFORMED: Final[dict[type, Callable[[Prompt, Any], None]]] = {
    Command: Prompt.simple, Joined: Prompt.joined, If: Prompt.branch, Block: Prompt.block,
}  # fmt: skip
