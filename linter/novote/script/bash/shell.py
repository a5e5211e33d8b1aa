"""The state of one shell: variables, arrays, functions, options, and the shells inside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script.bash.arrays import (
    MAX_ITEMS,
    Array,
    Item,
    Listed,
    Unlisted,
    blank_cut,
    chosen,
    item_at,
    joined,
    listed,
    present,
    whole,
)
from novote.script.machine import MAX_CALLS, Frame, Machine, Write
from novote.script.parse import Node, Tree, parse
from novote.script.start import with_holes
from novote.script.text import derived, observed

_OF_THE_SHELL: Final = frozenset({
    "$", "!", "-", "RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "EPOCHREALTIME", "LINENO", "HOSTNAME",
    "PWD", "OLDPWD", "PPID", "BASHPID", "UID", "EUID", "OSTYPE", "MACHTYPE", "HOSTTYPE", "BASH",
    "BASH_VERSION", "BASH_SOURCE",
})  # fmt: skip
"""What the shell itself sets, and nobody claims."""


class Shell:
    """One shell: its functions, arguments, arrays and options beside the variables of the machine.

    `given` is what stands on standard input, None where nothing is known of it. `ok` is where the last
    command succeeded, `code` its status as text where that is more than 0 or 1. `run` evaluates a statement
    and `expand` an expansion; both are handed in, for they call back.
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
        self.arrays: dict[str, Array] = {}
        self.tables: set[str] = set()
        self.integers: set[str] = set()
        # Variables that programs do not see, for nobody has exported them.
        self.private: set[str] = set()
        # Where text goes that is written to a descriptor other than 1.
        self.descriptors: dict[str, list[Write]] = {}
        # Where a variable that nobody set outside has been set.
        self.there: dict[str, Cond] = {}
        self.given: Value | None = None
        self.ok: Cond = machine.universe.true
        self.code: Value | None = None
        self.ending: Value | None = None
        self.frames: list[tuple[str, Frame]] = []
        self.locals: dict[str, tuple[Value, Cond | None, Array | None]] = {}
        self.fatal: Cond = machine.universe.false
        # Where the last command substitution of a word succeeded; None where there was none.
        self.substituted: Cond | None = None
        self.asking = 0
        # Whether a condition that reads is that of a loop.
        self.asks_for_lines = False
        self.folder: str | None = machine.host.directory()
        # Commands for the end of the shell, by the signal that has them run.
        self.traps: dict[str, list[Write]] = {}
        self.temporary = 0

    # -- variables

    def variable(self, name: str, node: Node | None = None) -> Value:
        """A variable, or a parameter such as `1`, `@`, `?`."""
        machine = self.machine
        if name in ("@", "*"):
            return self.joined(self.arguments)
        if name.isdigit():
            place = int(name[:9])
            if place == 0:
                return machine.value(self.name or "script")
            return self.arguments[place - 1] if place <= len(self.arguments) else machine.value("")
        if name == "#":
            return machine.value(str(len(self.arguments)))
        if name == "?":
            return self.status()
        array = self.arrays.get(name)
        if array is not None:
            return item_at(self.universe, array, "0").value
        found = machine.variables.get(name)
        return self.from_outside(name, node) if found is None else found

    def status(self) -> Value:
        """The status of the last command: 0 where it succeeded, 1 where nobody knows how it failed."""
        machine = self.machine
        if self.code is not None:
            return self.code
        return Value.choose(self.ok, machine.value("0"), machine.value("1"))

    def from_outside(self, name: str, node: Node | None) -> Value:
        """A variable that the script itself has not set."""
        machine = self.machine
        reading = machine.host.variable(name)
        if reading is None:
            return machine.value(observed(f"${name}", nonempty=True) if name in _OF_THE_SHELL else "")
        if node is not None:
            machine.read(reading._replace(file=machine.file, span=node.span))
        return reading.value

    def is_set(self, name: str) -> Cond:
        """Where a variable has been set at all."""
        universe = self.universe
        if name.isdigit():
            return universe.constant(int(name[:9]) <= len(self.arguments))
        if name in ("@", "*", "#", "?") or name in self.arrays:
            return universe.true
        known = self.there.get(name)
        if known is not None:
            return known
        return universe.constant(
            name in self.machine.variables or self.machine.host.variable(name) is not None
        )

    def assign(self, name: str, value: Value) -> None:
        """Sets a variable where control is."""
        live = self.machine.live
        if name in self.arrays:
            self.set_array(name, listed(self.universe, present(self.universe, [value])))
            return
        before = self.is_set(name)
        self.machine.assign(name, value)
        if not before.is_true:
            if name not in self.there:
                self.private.add(name)
            self.there[name] = before | live

    def unset(self, name: str) -> None:
        """Takes a variable away where control is."""
        live = self.machine.live
        if self.arrays.pop(name, None) is not None:
            self.tables.discard(name)
        self.there[name] = self.is_set(name) & ~live
        self.machine.assign(name, self.machine.value(""))

    def set_array(self, name: str, new: Array) -> None:
        """Sets an array where control is; one of too many items is no longer followed item by item."""
        if isinstance(new, Listed) and len(new.items) > MAX_ITEMS:
            new = self._blurred(new)
        self.arrays[name] = chosen(self.universe, self.machine.live, new, self.array(name))

    def array(self, name: str) -> Array | None:
        """An array, or a variable as the array of one item that it is; None for what is not set."""
        found = self.arrays.get(name)
        if found is None and name in self.machine.variables:
            return listed(self.universe, [Item(self.machine.variables[name], self.is_set(name))])
        return found

    def joined(self, values: Sequence[Value], by: str = " ") -> Value:
        """Values with a text between them."""
        return joined(self.universe, present(self.universe, values), by)

    # -- shells inside

    def frame_of(self, kind: str) -> Frame | None:
        """The innermost frame of a kind: `function`, `source` or `shell`."""
        return next((frame for name, frame in reversed(self.frames) if name == kind), None)

    def apart(self, follow: Callable[[], Cond]) -> Cond:
        """Follows something in a shell of its own: what it sets is lost, `exit` ends nothing else."""
        machine = self.machine
        kept = (
            dict(machine.variables), dict(self.arrays), dict(self.there), dict(self.functions),
            set(self.tables), self.folder, self.exits_on_error, self.traps, list(self.arguments),
        )  # fmt: skip
        loops, machine.loop_frames = machine.loop_frames, ()
        try:
            return self.in_shell(follow)
        finally:
            (machine.variables, self.arrays, self.there, self.functions, self.tables,
             self.folder, self.exits_on_error, self.traps, self.arguments) = kept  # fmt: skip
            machine.loop_frames = loops

    def in_shell(self, follow: Callable[[], Cond]) -> Cond:
        """Follows something that `exit` ends, and what is trapped for its end; where it succeeds."""
        machine, universe = self.machine, self.universe
        before, self.traps = machine.live, {}
        with machine.frame() as frame:
            self.frames.append(("shell", frame))
            try:
                ok = follow()
                if frame.left.is_false and frame.failed.is_false:
                    self.ending = self.code
                else:
                    self.ending = Value.choose(frame.left, frame.result, self.status())
                ok = universe.choose(frame.left, universe.true, ok) & ~frame.failed
                ok = self._trapped(before, ok)
            finally:
                self.frames.pop()
        return ok

    def _trapped(self, before: Cond, ok: Cond) -> Cond:
        """Runs what is to be run at the end, on whichever way that was reached."""
        machine = self.machine
        for guard, text in self.traps.pop("EXIT", ()):
            with machine.frame() as frame:
                self.frames.append(("shell", frame))
                self.ok, self.code = ok, self.ending
                machine.live = before & guard
                self.run_text(text)
                self.frames.pop()
                # Where the trap itself says `exit`, its status is that of the shell.
                ok = self.universe.choose(frame.left, ~frame.failed, ok)
        return ok

    def run_text(self, text: Value) -> Cond:
        """Follows text as commands of this shell; what nobody knows of it is a word or a part of one."""
        machine, universe = self.machine, self.universe
        before, after, ok = machine.live, universe.false, universe.true
        for guard, content in text.alternatives:
            machine.live = before & guard
            if not machine.live.is_false:
                ok = universe.choose(guard, self._run_content(content), ok)
            after = after | machine.live
        machine.live = after
        return ok

    def _run_content(self, content: Content) -> Cond:
        machine, universe = self.machine, self.universe
        code, variables = with_holes(machine, content)
        tree = parse("bash", code) if machine.calls < MAX_CALLS else None
        if tree is None:
            return universe.atom(f"eval {universe.short_key(code)} succeeds", test="status")
        for name, value in variables:
            machine.assign(name, value)
        return self.run_tree(tree)

    def run_tree(self, tree: Tree) -> Cond:
        """Follows another script in this shell."""
        self.machine.calls += 1
        try:
            return self.run(self, tree.root)
        finally:
            self.machine.calls -= 1

    def captured(self, nodes: Sequence[Node]) -> Value:
        """What commands print in a shell of their own; `ok` is then where they succeed."""
        machine = self.machine
        with machine.captured() as sink:
            self.ok = self.apart(lambda: self._without_errexit(nodes))
        self.substituted, self.code = self.ok, self.ending
        return machine.text_of(sink)

    def _without_errexit(self, nodes: Sequence[Node]) -> Cond:
        # A command substitution does not inherit `set -e`.
        self.exits_on_error = False
        return self.run_all(nodes)

    def run_all(self, nodes: Sequence[Node]) -> Cond:
        """Follows statements one after the other."""
        ok = self.universe.true
        for node in nodes:
            if self.machine.live.is_false:
                break
            ok = self.run(self, node)
        return ok

    def looped(self, follow: Callable[[], None]) -> None:
        """Follows a loop of rounds nobody counts: an array that it changes holds nobody knows what."""
        before = dict(self.arrays)
        follow()
        for name, array in self.arrays.items():
            old = before.get(name)
            if array is not old and isinstance(array, Listed) and array != old:
                self.arrays[name] = self._blurred(array)

    def _blurred(self, array: Listed) -> Unlisted:
        text = whole(self.universe, array)
        also = text.origins()
        made = derived(self.universe, "loop", [content for _, content in text.alternatives], None, also=also)
        return Unlisted(self.machine.value(made), blank_cut)
