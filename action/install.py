"""Makes a virtual environment that holds what requirements.txt pins, and novote as it lies in this checkout.

Nothing is built: a line for `site` leads to the package, so no build backend is needed, and what runs is the
commit that the workflow names. Writes `python=FILE` to GITHUB_OUTPUT.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Installs, and says on standard output what is there now. Exit code 1 where that does not work."""
    folder = tempfile.mkdtemp(prefix="novote-", dir=os.environ["RUNNER_TEMP"])
    # Python must not take a module from the repository that is to be judged, which is where a step starts.
    os.chdir(folder)
    try:
        python = install(folder)
        subprocess.run([python, "-I", "-m", "novote", "--version"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(error)
        print(
            "::error title=novote::Cannot install novote into a virtual environment of its own; the log says "
            "why. Where Python comes without venv, put actions/setup-python before this step."
        )
        return 1
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as output:
        output.write(f"python={python}\n")
    return 0


def install(folder: str) -> str:
    """Fills the folder, and gives its Python. Raises OSError and CalledProcessError."""
    venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt").create(folder)
    base = {"base": folder}
    python = os.path.join(sysconfig.get_path("scripts", "venv", base), "python")
    # No package is built from source, so none runs anything before its hash has been looked at.
    options = ("--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary=:all:")
    requirements = CHECKOUT / "action" / "requirements.txt"
    subprocess.run([python, "-I", "-m", "pip", "install", *options, "-r", requirements], check=True)
    (Path(sysconfig.get_path("purelib", "venv", base)) / "novote.pth").write_text(f"{CHECKOUT / 'linter'}\n")
    return python


if __name__ == "__main__":
    sys.exit(main())
