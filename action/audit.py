"""Runs `novote check` as the inputs say, and tells the steps that follow what to do with the reports.

Every input comes as a variable and becomes the value of one option, or a path behind `--`, so that none can
be an option of its own. Writes to GITHUB_OUTPUT: `exit-code`, `sarif` and `annotations` (files), `upload` and
`annotate` (`true` or `false`).
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FORMATS = ("auto", "sarif", "github", "text")
JUDGED_AT_BASE = ("pull_request", "pull_request_target", "merge_group")


def main(environment: Mapping[str, str]) -> int:
    """Runs novote. Its exit code is an output; the step's own is 0 unless an input makes no sense."""
    format = environment["NOVOTE_FORMAT"] or "auto"
    if format not in FORMATS:
        print(f"::error title=novote::The input format is none of {', '.join(FORMATS)}.")
        return 2
    folder = Path(tempfile.mkdtemp(prefix="novote-reports-", dir=environment["RUNNER_TEMP"]))
    sarif, annotations = folder / "novote.sarif", folder / "annotations.txt"
    outputs = (f"markdown={environment['GITHUB_STEP_SUMMARY']}", f"sarif={sarif}", f"github={annotations}")
    code = _run([*(f"--format={output}" for output in (*outputs, "text")), *arguments(environment)])
    told = {
        "exit-code": code,
        "sarif": sarif,
        "annotations": annotations,
        "upload": _word(sarif.exists() and may_upload(format, environment)),
        "annotate": _word(annotations.exists() and format in ("auto", "github")),
    }
    with open(environment["GITHUB_OUTPUT"], "a", encoding="utf-8") as output:
        output.writelines(f"{name}={value}\n" for name, value in told.items())
    return 0


def arguments(environment: Mapping[str, str]) -> list[str]:
    """What the inputs say, as arguments of `novote check`."""
    base, event = environment["NOVOTE_BASE"] or "auto", environment["GITHUB_EVENT_NAME"]
    paths = [line.strip() for line in environment["NOVOTE_PATHS"].splitlines()]
    paths = [f"./{path}" if path == "-" else path for path in paths if path]
    given = []
    if base not in ("auto", "none"):
        given.append(f"--base={base}")
    elif base == "auto" and event in JUDGED_AT_BASE and not paths:
        given.append(f"--event={environment['GITHUB_EVENT_PATH']}")
    for option, name in (("--fail-on", "NOVOTE_FAIL_ON"), ("--config", "NOVOTE_CONFIG")):
        if environment[name]:
            given.append(f"{option}={environment[name]}")
    return [*given, "--", *paths]


def may_upload(format: str, environment: Mapping[str, str]) -> bool:
    """Whether to try: where asked for, or where the token is not that of a pull request from a fork."""
    if format != "auto":
        return format == "sarif"
    event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_bytes())
    return "pull_request" not in event or _head(event) == environment["GITHUB_REPOSITORY"]


def _head(event: Any) -> Any:
    """The repository that a pull request comes from; None where that was deleted."""
    repository = event["pull_request"]["head"]["repo"]
    return repository and repository["full_name"]


def _run(given: list[str]) -> int:
    """The exit code of `novote check`; what it prints goes to the log, and the runner obeys none of it."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", flush=True)
    try:
        command = [sys.executable, "-I", "-m", "novote", "check", *given]
        return subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT).returncode
    finally:
        print(f"\n::{token}::", flush=True)


def _word(truth: bool) -> str:
    return "true" if truth else "false"


if __name__ == "__main__":
    sys.exit(main(os.environ))
