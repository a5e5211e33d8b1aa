"""The wheel: built, installed into an empty environment, run from an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import novote
from novote.data import data_folder

CHECKOUT = Path(__file__).resolve().parents[2]
WORKFLOW = """\
on: pull_request
jobs:
  test:
    if: "!contains(github.event.pull_request.title, '[skip]')"
    runs-on: ubuntu-latest
    steps:
      - run: make test
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (CHECKOUT / "pyproject.toml").exists(), reason="there is no checkout to build from"
    ),
]


def call(*command: str | Path, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs a command without anything of this environment that could stand in for what is missing."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=kept, capture_output=True, text=True, check=False
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    call(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, CHECKOUT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel and nothing else; its libraries come from this one's."""
    folder = tmp_path_factory.mktemp("environment")
    call(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    install = ("install", "--quiet", "--no-deps", "--no-index", "--no-compile", wheel)
    call(sys.executable, "-m", "pip", "--python", folder / "bin" / "python", *install, cwd=folder)
    return folder


def site_packages(environment: Path) -> Path:
    (found,) = environment.glob("lib/python*/site-packages")
    return found


def test_nothing_but_novote_is_installed(environment: Path) -> None:
    names = {path.name for path in site_packages(environment).iterdir()}
    assert names == {"novote", f"novote-{novote.__version__}.dist-info"}


def test_the_data_travels_inside(environment: Path) -> None:
    data = site_packages(environment) / "novote" / "_data"
    for name in ("rules", "schemas"):
        carried = {path.relative_to(data / name) for path in (data / name).rglob("*") if path.is_file()}
        source = CHECKOUT / name
        assert carried == {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
        assert carried


def test_the_manual_page_is_where_man_looks(environment: Path) -> None:
    assert (environment / "share" / "man" / "man1" / "novote.1").is_file()


def test_no_test_or_cache_in_the_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "novote/py.typed" in names
    assert not [
        name for name in names if "test" in name.lower() or "__pycache__" in name or name.endswith(".pyc")
    ]


def test_it_runs_from_an_empty_folder(environment: Path, tmp_path: Path) -> None:
    # Libraries it depends on, without this environment's own novote: a .pth file inside is not read.
    libraries = sysconfig.get_path("purelib")
    (site_packages(environment) / "libraries.pth").write_text(f"{libraries}\n")
    command = environment / "bin" / "novote"
    assert call(command, "--version", cwd=tmp_path).stdout == f"novote {novote.__version__}\n"
    where = call(environment / "bin" / "python", "-c", "import novote; print(novote.__file__)", cwd=tmp_path)
    assert where.stdout.startswith(str(site_packages(environment)))
    program = f"import novote; print(novote.audit(text={WORKFLOW!r}).findings[0].rule)"
    assert call(environment / "bin" / "python", "-c", program, cwd=tmp_path).stdout == "claim-skips-exam\n"
    empty = call(command, "audit", cwd=tmp_path)
    assert "no workflow or action found" in empty.stderr
    (tmp_path / "ci.yml").write_text(WORKFLOW)
    audited = call(command, "audit", "ci.yml", cwd=tmp_path, check=False)
    assert audited.returncode == 1, audited.stderr
    assert "claim-skips-exam" in audited.stdout
    assert "claim-skips-exam" in call(command, "rules", cwd=tmp_path).stdout
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "novote.yml").write_text("stric: true\n")
    bad = call(command, "audit", cwd=tmp_path, check=False)
    assert bad.returncode == 3, bad.stderr
    assert "Did you mean `strict`" in bad.stdout


def test_a_checkout_finds_its_own_data() -> None:
    assert data_folder("schemas") == CHECKOUT / "schemas"
    assert data_folder("rules") == CHECKOUT / "rules"
