"""Lays out tables and JSON for the commands that print what novote knows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Rows = Sequence[Sequence[str]]
"""Rows of cells, the headings first, all of one length."""


def text_table(rows: Rows) -> str:
    """Columns padded with blanks; the last one runs free."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)


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
