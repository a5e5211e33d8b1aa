"""Renders a report: `render(format, report, context)` gives the text, and somebody else writes it."""

from novote.report.context import Context
from novote.report.formats import FORMATS, render

__all__ = ["FORMATS", "Context", "render"]
