"""The table of formats, and what asking for one imports."""

from __future__ import annotations

import subprocess
import sys

import pytest

from novote.model import Report
from novote.report import FORMATS, Context, render


def test_every_format_renders(report: Report, context: Context) -> None:
    for format in FORMATS:
        assert render(format, report, context).endswith("\n")


def test_an_unknown_format_is_an_error(report: Report, context: Context) -> None:
    with pytest.raises(KeyError, match="docx"):
        render("docx", report, context)


@pytest.mark.parametrize("format", FORMATS)
def test_only_sarif_imports_sarif_om(format: str) -> None:
    script = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from novote.model import DecisionCounts, Report\n"
        "from novote.report import Context, render\n"
        "before = {name for name in sys.modules if name.startswith('novote.report')}\n"
        "render(sys.argv[1], Report(0, (), (), DecisionCounts()), Context('1'))\n"
        "print(sorted(before), 'sarif_om' in sys.modules)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script, format, *sys.path],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.strip()
    loaded = "['novote.report', 'novote.report.context', 'novote.report.formats']"
    assert printed == f"{loaded} {format == 'sarif'}"
