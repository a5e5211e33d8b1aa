"""Plays the steps of a composite action as GitHub's runner does, with the files and variables it gives."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

_EXPRESSION = re.compile(r"\$\{\{ ([a-z.-]+) \}\}")
_COMPARISON = re.compile(r"([a-z.-]+) (==|!=) '([a-z]*)'")


class Played(NamedTuple):
    """How an action ended: outcomes of its steps by id, what each put out, and what they wrote for people."""

    outcomes: Mapping[str, str]
    outputs: Mapping[str, str]
    logs: Mapping[str, str]
    summary: str
    exit_code: int


class Runner:
    """One run of one action in one workspace."""

    def __init__(self, action: Path, workspace: Path, temporary: Path) -> None:
        self.action, self.workspace, self.temporary = action, workspace, temporary
        self.known: dict[str, str] = {}
        self.outcomes: dict[str, str] = {}
        self.logs: dict[str, str] = {}
        self.summary = ""
        temporary.mkdir()

    def play(
        self,
        inputs: Mapping[str, str],
        event_name: str = "push",
        event: Mapping[str, Any] | None = None,
        *,
        uploads: bool = True,
        installed: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> Played:
        """Plays all steps.

        `uploads` is how a step that uses another action ends, `installed` the Python that the step `install`
        is taken to have made; None plays that too.
        """
        definition = yaml.safe_load((self.action / "action.yml").read_text())
        assert set(inputs) <= set(definition["inputs"])
        for name, declared in definition["inputs"].items():
            self.known[f"inputs.{name}"] = inputs.get(name, declared["default"])
        (self.temporary / "event.json").write_text(json.dumps(event or {}))
        surroundings = {"GITHUB_EVENT_NAME": event_name, **(variables or {})}
        exit_code = 0
        for step in definition["runs"]["steps"]:
            if exit_code or not self._holds(step.get("if")):
                self._ends(step, "skipped")
            elif step["id"] == "install" and installed is not None:
                self.known["steps.install.outputs.python"] = installed
                self._ends(step, "success")
            elif "uses" in step:
                assert Path(self._filled(step["with"]["sarif_file"])).is_file()
                self._ends(step, "success" if uploads else "failure")
                exit_code = 0 if uploads or step.get("continue-on-error") else 1
            else:
                exit_code = self._run(step, surroundings)
        outputs = {name: self._filled(each["value"]) for name, each in definition["outputs"].items()}
        return Played(self.outcomes, outputs, self.logs, self.summary, exit_code)

    def _holds(self, condition: str | None) -> bool:
        for name, operator, text in _COMPARISON.findall(condition or ""):
            if (self.known.get(name, "") == text) != (operator == "=="):
                return False
        assert not _COMPARISON.sub("", condition or "").replace("&&", "").strip(), condition
        return True

    def _filled(self, text: str) -> str:
        filled = _EXPRESSION.sub(lambda found: self.known.get(found[1], ""), text)
        assert "${{" not in _EXPRESSION.sub("", text)
        return filled

    def _ends(self, step: Mapping[str, Any], outcome: str) -> None:
        self.outcomes[step["id"]] = self.known[f"steps.{step['id']}.outcome"] = outcome

    def _run(self, step: Mapping[str, Any], surroundings: Mapping[str, str]) -> int:
        """Runs a script as `shell: bash` does: each step has its own files for outputs and summary."""
        assert step["shell"] == "bash"
        script, output, summary = (
            self.temporary / f"{step['id']} {name}" for name in ("script", "output", "summary")
        )
        script.write_text(step["run"])
        output.touch()
        environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "GITHUB_"))},
            "GITHUB_ACTION_PATH": str(self.action),
            "GITHUB_EVENT_PATH": str(self.temporary / "event.json"),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_REPOSITORY": "acme/shop",
            "GITHUB_STEP_SUMMARY": str(summary),
            "RUNNER_TEMP": str(self.temporary),
            **{name: self._filled(text) for name, text in step.get("env", {}).items()},
            **surroundings,
        }
        done = subprocess.run(
            ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script),
            cwd=self.workspace, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        self.logs[step["id"]] = done.stdout + done.stderr
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.known[f"steps.{step['id']}.outputs.{name}"] = value
        self.summary += summary.read_text() if summary.exists() else ""
        self._ends(step, "success" if done.returncode == 0 else "failure")
        return done.returncode
