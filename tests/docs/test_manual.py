"""The manual page is what the commands say of themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from novote.cli import manual
from novote.cli.command_line import command_shapes
from novote.cli.examples import EXAMPLES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "novote.1"


@pytest.mark.skipif(not PAGE.is_file(), reason="there is no checkout to look at")
def test_the_page_is_the_one_that_is_made() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual.manual(), (
        "run python -m novote.cli.manual > docs/novote.1"
    )


def test_every_command_option_and_example_is_on_it() -> None:
    text = manual.manual().replace("\\-", "-").replace("\\&", "")
    for shape in command_shapes():
        section = text.partition(f"\n.SS novote {shape.name}\n")[2].partition("\n.SS ")[0]
        assert section
        for option in shape.options:
            assert all(f"\\fB{name}\\fR" in section for name in option.names)
            assert option.help.replace("\\", "\\e") in section
        for example in EXAMPLES[shape.name]:
            assert f"\n{example.line}\n.EE\n" in section


def test_nothing_drives_roff() -> None:
    assert manual._escaped(".x \\n '") == "\\&.x \\en '"
    assert manual._escaped("'x-y") == "\\&'x\\-y"


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_groff_takes_it_without_a_warning() -> None:
    command = ("groff", "-man", "-ww", "-Tascii")
    done = subprocess.run(command, input=manual.manual(), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "novote ledger import-junit" in done.stdout
