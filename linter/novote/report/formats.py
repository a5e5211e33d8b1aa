"""The formats novote can write, each a module of this package that is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from novote.model import Report
from novote.report.context import Context

FORMATS: dict[str, str] = {
    "text": "novote.report.text",
    "json": "novote.report.json",
    "sarif": "novote.report.sarif",
    "github": "novote.report.github",
    "markdown": "novote.report.markdown",
    "html": "novote.report.html",
}
"""Name of a format -> module whose `render(report, context)` writes it."""


def render(format: str, report: Report, context: Context) -> str:
    """The report as text that encodes to UTF-8 and ends in a line break, or is empty.

    Pure: the same report and context give the same text. Raises KeyError for a format not in `FORMATS`.
    """
    rendered: str = import_module(FORMATS[format]).render(report, context)
    return rendered
