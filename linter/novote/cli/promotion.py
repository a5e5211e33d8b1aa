"""The verdict of `novote promote` as text, JSON and Markdown; what it quotes is escaped for where it goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from novote import __version__
from novote.amount import amount
from novote.cli.catalogue import decision_table
from novote.cli.layout import json_text, markdown_table, text_table
from novote.promote.model import GOOD, Reason, Verdict
from novote.recompute.receipt import as_text
from novote.report.escape import markdown, markdown_code, terminal

SCHEMA = "novote/promotion/v1"
_HEADINGS = ("fixture", "verdict", "attempts", "what the ledger and the platform say")
_SHOWN = 20


def render(verdict: Verdict, form: str) -> str:
    """The verdict in one of the forms."""
    if form == "json":
        return json_text(document(verdict))
    return _markdown(verdict) if form == "markdown" else _text(verdict)


def document(verdict: Verdict) -> dict[str, Any]:
    """The verdict as `schemas/promotion.json` has it."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "novote", "version": __version__},
        "may_merge": verdict.may_merge,
        "base": verdict.base,
        "head": verdict.head,
        "digest": verdict.digest,
        "matrix": verdict.supplied,
        "landed": verdict.landed,
        "fixtures": [
            {
                "fixture": each.fixture,
                "reason": each.code,
                "ok": each.code in GOOD,
                "message": each.message,
                "attempts": each.attempts,
                "ceiling": each.ceiling,
            }
            for each in verdict.fixtures
        ],
        "reasons": [
            {"reason": each.code, "message": each.message, "paths": [*map(as_text, each.paths)]}
            for each in verdict.reasons
        ],
        "ignored": [{"sha": each.sha, "attempts": each.attempts} for each in verdict.ignored],
    }


def _headline(verdict: Verdict) -> str:
    into = f"{verdict.head[:12]} into {verdict.base[:12]}"
    if not verdict.may_merge:
        return f"no: {into} may not merge"
    green = sum(each.code == "passed" for each in verdict.fixtures)
    count = f"{amount(green, 'fixture')} green at this very commit"
    quarantined = len(verdict.fixtures) - green
    return f"yes: {into} may merge, {count}" + (f", {quarantined} in quarantine" if quarantined else "")


def _text(verdict: Verdict) -> str:
    lines = [_headline(verdict)]
    for reason in verdict.reasons:
        lines += [f"  {reason.code}: {reason.message}", *(f"    {path}" for path in _paths(reason))]
    rows = [
        (f"  {each.fixture}", each.code, f"{each.attempts} of {each.ceiling}", each.message)
        for each in verdict.fixtures
    ]
    table = text_table(rows).splitlines() if rows else []
    return "".join(f"{terminal(line)}\n" for line in (*lines, *table, *_ignored(verdict)))


def _ignored(verdict: Verdict) -> Iterator[str]:
    """A line for what the ledger holds of other commits."""
    if verdict.ignored:
        number = sum(each.attempts for each in verdict.ignored)
        shown = ", ".join(each.sha[:12] for each in verdict.ignored[:3])
        more = ", ..." if len(verdict.ignored) > 3 else ""
        yield f"ignored: {amount(number, 'attempt')} of other commits ({shown}{more})"


def _paths(reason: Reason) -> list[str]:
    """The paths of a reason, as many as people read."""
    shown = [as_text(path) for path in reason.paths[:_SHOWN]]
    left = len(reason.paths) - len(shown)
    return [*shown, f"and {left} more"] if left else shown


def _markdown(verdict: Verdict) -> str:
    parts = [f"## novote promote\n\n**{markdown(_headline(verdict))}**\n"]
    for reason in verdict.reasons:
        paths = "".join(f"  - {markdown_code(path)}\n" for path in _paths(reason))
        parts.append(f"- {markdown_code(reason.code)}: {markdown(reason.message)}\n{paths}")
    if verdict.fixtures:
        rows = [
            (
                markdown_code(each.fixture),
                each.code,
                f"{each.attempts} of {each.ceiling}",
                markdown(each.message),
            )
            for each in verdict.fixtures
        ]
        parts.append("\n" + markdown_table([_HEADINGS, *rows]))
    parts += [f"\n{markdown(line)}\n" for line in _ignored(verdict)]
    table = [tuple(map(markdown, row)) for row in decision_table()]
    return "".join((*parts, "\n### Who decides what\n\n", markdown_table(table)))
