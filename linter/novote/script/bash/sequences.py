"""Commands joined on a line: `&&`, `||`, pipes, and redirections behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from novote.algebra.cond import Cond
from novote.script.bash.blocks import SKIPPED, asked, block, settles
from novote.script.bash.redirects import REDIRECTS, applied, divert, only
from novote.script.bash.shell import Shell
from novote.script.parse import Node


def and_or(shell: Shell, node: Node, redirects: Sequence[Node] = ()) -> Cond:
    """`a && b` and `a || b`; redirections behind it are those of the last command."""
    parts = [part for part in node.children if part.kind not in SKIPPED]
    if len(parts) < 3:
        return block(shell, parts)
    return _joined(shell, parts[0], parts[1].kind, parts[-1], redirects)


def _joined(shell: Shell, left: Node, sign: str, right: Node, redirects: Sequence[Node]) -> Cond:
    first = asked(shell, [left])

    def following() -> Cond:
        ok = _with(shell, right, redirects) if redirects else shell.run(shell, right)
        settles(shell, right, ok)
        return ok

    return _either(shell, first, sign, left, following)


def _either(shell: Shell, first: Cond, sign: str, left: Node, following: Callable[[], Cond]) -> Cond:
    """Goes on where the first command succeeded, or where it failed."""
    machine, universe = shell.machine, shell.universe
    goes_on = machine.simplified(first if sign == "&&" else ~first)
    found = [universe.constant(sign != "&&"), universe.false]

    def then() -> None:
        found[0] = following()
        found[1] = shell.fatal

    machine.branch(goes_on, machine.place(left.span), then)
    shell.fatal = goes_on & found[1]
    return goes_on & found[0] if sign == "&&" else ~goes_on | found[0]


def pipeline(shell: Shell, node: Node, redirects: Sequence[Node] = ()) -> Cond:
    """`a | b`, also negated; redirections behind it are those of the last command."""
    stages = [part for part in node.named if part.kind not in SKIPPED]
    if stages and stages[0].kind == "negated_command" and stages[0].named:
        # The mark stands before the first command and negates them all.
        shell.asking += 1
        ok = _piped(shell, [stages[0].named[-1], *stages[1:]], redirects)
        shell.asking -= 1
        shell.fatal = shell.universe.false
        return ~ok
    return _piped(shell, stages, redirects)


def _piped(shell: Shell, stages: Sequence[Node], redirects: Sequence[Node] = ()) -> Cond:
    """Commands of which each reads what the one before prints; the redirections are the last one's."""
    given, oks = shell.given, []
    try:
        for stage in stages[:-1]:
            shell.asking += 1
            try:
                with shell.machine.captured() as sink:
                    oks.append(shell.apart(lambda stage=stage: shell.run(shell, stage)))  # type: ignore[misc]
            finally:
                shell.asking -= 1
            shell.given = shell.machine.text_of(sink)
        if stages:
            with applied(shell, redirects):
                oks.append(shell.apart(lambda: shell.run(shell, stages[-1])))
    finally:
        shell.given = given
    ok = shell.universe.all_of(oks) if shell.pipefail else oks[-1] if oks else shell.universe.true
    shell.fatal = ~ok
    return ok


def redirected(shell: Shell, node: Node) -> Cond:
    """A statement with redirections behind it."""
    body = node.field("body")
    redirects = [part for part in node.children if part.kind in REDIRECTS]
    if body is None:
        return only(shell, redirects)
    if body.kind == "command" and body.text == "exec":
        divert(shell, redirects)
        return shell.universe.true
    opened = next((part for part in redirects if part.kind == "heredoc_redirect"), None)
    behind = _continued(opened) if opened is not None else None
    if behind is None:
        return _with(shell, body, redirects)
    return _goes_on(shell, body, redirects, *behind)


def _with(shell: Shell, body: Node, redirects: Sequence[Node]) -> Cond:
    """A statement with its redirections: the grammar puts those of the last command behind them all."""
    if body.kind == "pipeline":
        return pipeline(shell, body, redirects)
    if body.kind == "list":
        return and_or(shell, body, redirects)
    with applied(shell, redirects):
        return shell.run(shell, body)


def _continued(opened: Node) -> tuple[str, list[Node]] | None:
    """What goes on behind the mark of a heredoc on the same line: `cat <<EOF | grep x`."""
    found = opened.child("pipeline")
    if found is not None:
        return "|", found.named
    right, operator = opened.field("right"), opened.field("operator")
    if right is not None and operator is not None:
        return operator.text, [right]
    return None


def _goes_on(shell: Shell, body: Node, redirects: Sequence[Node], sign: str, rest: Sequence[Node]) -> Cond:
    if sign == "|":
        with applied(shell, redirects):
            return _piped(shell, [body, *rest], ())
    shell.asking += 1
    first = _with(shell, body, redirects)
    shell.asking -= 1
    return _either(shell, first, sign, body, lambda: shell.run_all(rest))
