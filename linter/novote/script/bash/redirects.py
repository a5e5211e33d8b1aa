"""Redirections: where a command's text goes, and where its input comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from novote.algebra.cond import Cond
from novote.algebra.value import Value
from novote.script.bash.shell import Shell
from novote.script.bash.words import heredoc, word_of
from novote.script.files import content_of_file, written_name
from novote.script.machine import Machine, Write
from novote.script.parse import Node
from novote.script.text import join_values

REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})


class FileSink(list[Write]):
    """Standard output that goes to a file, whatever its name turns out to be."""

    def __init__(self, machine: Machine, path: Value) -> None:
        super().__init__()
        self.machine = machine
        self.path = path

    def append(self, write: Write) -> None:
        """Puts text at the end of the file."""
        for guard, name in self.path.alternatives:
            both = write.guard & guard
            if isinstance(name, str) and name != "/dev/null" and not both.is_false:
                self.machine.files.setdefault(written_name(name), []).append(Write(both, write.value))


def only(shell: Shell, redirects: Sequence[Node]) -> Cond:
    """`> file` alone, which empties it."""
    for part in redirects:
        target = part.field("destination")
        if part.kind == "file_redirect" and target is not None and part.text.lstrip("012").startswith(">"):
            _truncate(shell, word_of(shell, target), part)
    return shell.universe.true


@contextmanager
def applied(shell: Shell, redirects: Sequence[Node]) -> Iterator[None]:
    """Inside, standard output and input are what the redirections make them."""
    given = shell.given
    with ExitStack() as stack:
        for part in _flat(redirects):
            if part.kind == "herestring_redirect":
                shell.given = _line(shell, part)
            elif part.kind == "heredoc_redirect":
                shell.given = heredoc(shell, part)
            else:
                _file(shell, part, stack)
        try:
            yield
        finally:
            shell.given = given


def _flat(redirects: Sequence[Node]) -> Iterator[Node]:
    for part in redirects:
        yield part
        if part.kind == "heredoc_redirect":
            yield from (inner for inner in part.children if inner.kind == "file_redirect")


def _line(shell: Shell, part: Node) -> Value:
    word = part.named[-1] if part.named else None
    value = word_of(shell, word) if word is not None else shell.machine.value("")
    return join_values(shell.universe, (value, shell.machine.value("\n")))


def _file(shell: Shell, part: Node, stack: ExitStack) -> None:
    target, sign = part.field("destination"), _sign(part)
    if target is None or _descriptor(part) not in ("", "0", "1"):
        return
    if sign in ("<", "<&"):
        shell.given = content_of_file(shell.machine, word_of(shell, target), target.span)
    elif sign == ">&" and target.text.strip() in ("2", "-"):
        stack.enter_context(shell.machine.captured())
    elif sign == ">&" and target.text.strip() in shell.descriptors:
        stack.enter_context(shell.machine.captured(shell.descriptors[target.text.strip()]))
    elif sign in (">", ">>", ">|", "&>", "&>>"):
        path = word_of(shell, target)
        if ">>" not in sign:
            _truncate(shell, path, part)
        stack.enter_context(shell.machine.captured(FileSink(shell.machine, path)))


def _sign(part: Node) -> str:
    kinds = (child.kind.strip() for child in part.children if not child.is_named)
    return next((kind for kind in kinds if kind[:1] in ("<", ">", "&")), "")


def _descriptor(part: Node) -> str:
    found = part.field("descriptor")
    return found.text if found is not None else ""


def _truncate(shell: Shell, path: Value, part: Node) -> None:
    machine = shell.machine
    before = machine.live
    for guard, name in path.alternatives:
        machine.live = before & guard
        if isinstance(name, str) and not machine.live.is_false:
            machine.write(written_name(name), machine.value(""), append=False)
    machine.live = before


def divert(shell: Shell, redirects: Sequence[Node]) -> None:
    """`exec >> file`: from here on standard output goes there; `exec 3>> file`, a descriptor."""
    machine = shell.machine
    for part in redirects:
        target, sign, number = part.field("destination"), _sign(part), _descriptor(part) or "1"
        if part.kind != "file_redirect" or target is None or sign.startswith("<") or not machine.sinks:
            continue
        if sign == ">&":
            copied = target.text.strip()
            sink = machine.sinks[-1] if copied == "1" else shell.descriptors.get(copied)
        else:
            path = word_of(shell, target)
            if ">>" not in sign:
                _truncate(shell, path, part)
            sink = FileSink(machine, path)
        if sink is not None and number == "1":
            machine.sinks[-1] = sink
        elif sink is not None and number != "2":
            shell.descriptors[number] = sink
