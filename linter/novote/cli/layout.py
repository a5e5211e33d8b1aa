"""Lays out tables and JSON for the commands that print what novote knows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Rows = Sequence[Sequence[str]]
"""Rows of cells, the headings first, all of one length."""


def text_table(rows: Rows, width: int | None = None) -> str:
    """Columns padded with blanks, the last one free; one cell a line where `width` columns hold no row."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if width is not None and sum(widths) + 2 * (len(widths) - 1) > width:
        return _records(rows)
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _records(rows: Rows) -> str:
    """A paragraph for each row: its first cell, and below it the others with their headings."""
    headings, *body = rows
    most = max(map(len, headings[1:]))
    records = (
        [row[0], *(f"  {h.ljust(most)}  {cell}" for h, cell in zip(headings[1:], row[1:], strict=True))]
        for row in body
    )
    return "\n".join("".join(f"{line}\n" for line in record) for record in records)


def markdown_table(rows: Rows) -> str:
    """A GitHub Markdown table; the cells are Markdown already, except for bars and line breaks."""
    headings, *body = [[_cell(cell) for cell in row] for row in rows]
    lines = [headings, ["---"] * len(headings), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def json_text(value: Any) -> str:
    """Indented ASCII JSON with a closing line break."""
    return json.dumps(value, indent=2) + "\n"
