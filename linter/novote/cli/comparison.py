"""How a comparison is printed: text, JSON, and Markdown for a comment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novote.cli.layout import json_text, markdown_table, text_table
from novote.clip import clip
from novote.commits.comparison import Comparison
from novote.report.escape import json_document, log_line, markdown_code, terminal

SCHEMA = "novote/comparison/v1"

_SHOWN = 100
_NAME = 100
_HEADINGS = ("fixture", "CI runs it", "claimed")


def render(found: Comparison, format: str) -> str:
    """The comparison in a format: `text`, `json` or `markdown`."""
    return {"text": _text, "json": _json, "markdown": _markdown}[format](found)


def _verdict(found: Comparison) -> str:
    if not found.same and not found.only_claimed:
        return "The author's list names no fixture. CI's list is used."
    if found.match:
        return (
            "Both lists name the same fixtures. CI's list is used all the same: it was worked out from the "
            "paths that changed, and a list that matches is still not the one that CI made."
        )
    return "The lists differ. CI's list is used: it was worked out from the paths that changed."


def _rows(found: Comparison) -> Iterator[tuple[str, str, str]]:
    """Each fixture, whether CI runs it, and whether it is claimed: what differs first."""
    yield from ((fixture, "yes", "no") for fixture in found.only_recomputed)
    yield from ((fixture, "no", "yes") for fixture in found.only_claimed)
    yield from ((fixture, "yes", "yes") for fixture in found.same)


def _cut(rows: Sequence[tuple[str, str, str]]) -> tuple[Sequence[tuple[str, str, str]], str]:
    """As many rows as a comment takes, and a sentence about the rest."""
    more = len(rows) - _SHOWN
    return rows[:_SHOWN], f"{more} more are not shown." if more > 0 else ""


def _text(found: Comparison) -> str:
    rows, rest = _cut(list(_rows(found)))
    lines = [_verdict(found)]
    if rows:
        cells = [(terminal(clip(name, _NAME)), *told) for name, *told in rows]
        lines += ["", *text_table([_HEADINGS, *cells]).splitlines()]
    if rest:
        lines.append(rest)
    words = [f"claimed in words: {terminal(clip(text, _NAME))}" for text in found.words[:_SHOWN]]
    lines += ["", *words] if words else []
    return "".join(f"{log_line(line)}\n" for line in lines)


def _markdown(found: Comparison) -> str:
    rows, rest = _cut(list(_rows(found)))
    parts = ["### Fixtures: the author's list beside CI's\n", f"{_verdict(found)}\n"]
    if rows:
        cells = [(markdown_code(clip(name, _NAME)), *told) for name, *told in rows]
        parts.append(markdown_table([_HEADINGS, *cells]))
    if rest:
        parts.append(f"{rest}\n")
    if found.words:
        shown = ", ".join(markdown_code(clip(text, _NAME)) for text in found.words[:_SHOWN])
        parts.append(f"Claimed in words: {shown}\n")
    return "\n".join(parts)


def _json(found: Comparison) -> str:
    document = {
        "schema": SCHEMA,
        "used": "recomputed",
        "match": found.match,
        "recomputed": list(found.recomputed),
        "same": list(found.same),
        "only_claimed": list(found.only_claimed),
        "only_recomputed": list(found.only_recomputed),
        "claimed_in_words": list(found.words),
    }
    return json_document(json_text(document))
