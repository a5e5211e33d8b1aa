"""Reports of a fixed run, byte for byte; NOVOTE_UPDATE_GOLDEN=1 writes the files anew for review."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from novote.model import Report
from novote.report import FORMATS, Context, render

GOLDEN = Path(__file__).parent / "golden"
ENDINGS = {
    "text": "txt",
    "json": "json",
    "sarif": "sarif",
    "github": "github.txt",
    "markdown": "md",
    "html": "html",
}
VARIANTS = {
    "verbose.txt": {"verbose": True},
    "quiet.txt": {"quiet": True},
    "narrow-color.txt": {"width": 50, "color": True},
    "strict.txt": {"strict": True, "width": 160},
}


def check(name: str, rendered: str) -> None:
    """Compares with the golden file of that name, or writes it."""
    path = GOLDEN / name
    if os.environ.get("NOVOTE_UPDATE_GOLDEN"):
        path.write_bytes(rendered.encode())
    assert path.read_bytes() == rendered.encode()


def test_every_format_has_a_golden_file() -> None:
    assert set(ENDINGS) == set(FORMATS)


@pytest.mark.parametrize("format", FORMATS)
def test_report(format: str, report: Report, context: Context) -> None:
    check(f"report.{ENDINGS[format]}", render(format, report, context))


@pytest.mark.parametrize("format", FORMATS)
def test_clean_report(format: str, clean: Report, context: Context) -> None:
    check(f"clean.{ENDINGS[format]}", render(format, clean, replace(context, table=None)))


@pytest.mark.parametrize("name", VARIANTS)
def test_text_variants(name: str, report: Report, context: Context) -> None:
    check(f"report-{name}", render("text", report, replace(context, **VARIANTS[name])))  # type: ignore[arg-type]


SCRIPT = """
import hashlib, pathlib, pickle, sys
from novote.report import FORMATS, render
report, context = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())
for format in FORMATS:
    print(format, hashlib.sha256(render(format, report, context).encode()).hexdigest())
"""


def test_same_bytes_under_two_hash_seeds(report: Report, context: Context, tmp_path: Path) -> None:
    import pickle

    stored = tmp_path / "report.pickle"
    stored.write_bytes(pickle.dumps((report, context)))
    printed = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(stored)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "4242")
    ]
    assert printed[0] == printed[1]
    assert printed[0].count(b"\n") == len(FORMATS)
