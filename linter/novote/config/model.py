"""What a configuration file says, as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from novote.glob import matches_any
from novote.model import Severity
from novote.record import record

FailOn = Literal["error", "warning", "note", "never"]

ADDITIONS_FOLDER: Final = ".github/novote"
ADDITIONS: Final[Mapping[str, str]] = {
    "sources": "source.json",
    "actions": "action.json",
    "exams": "exam.json",
    "commands": "command.json",
    "policies": "rule.json",
}
"""The folders in which a repository adds to what novote knows, each with the schema of its files."""


class Ignored(NamedTuple):
    """A rule that does not count in the files that `paths` match, or anywhere where `paths` is empty."""

    rule: str
    because: str
    paths: tuple[str, ...] = ()

    def covers(self, rule: str, file: str) -> bool:
        """Whether a finding of this rule in this file is ignored."""
        return rule == self.rule and (not self.paths or matches_any(self.paths, file))


_AS_BUILT_IN: Mapping[str, Severity | None] = {}


@record
class Config:
    """A repository's configuration; the defaults are those of a repository without one.

    `file` is where it was read, None where there is none. `severity` maps a rule to its severity here, or to
    None where the rule is off. `required_checks` is None where the repository does not say; `rulesets` are
    files, named from the root, that hold what GitHub answers about its own rules.
    `queue_compensates` says whether an unconditional run in the merge queue makes a finding one level
    milder. `refused_trailers` are the keys that no commit message may hold, None for the built-in ones.
    """

    file: str | None = None
    strict: bool = False
    required_checks: tuple[str, ...] | None = None
    rulesets: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    ignore: tuple[Ignored, ...] = ()
    severity: Mapping[str, Severity | None] = _AS_BUILT_IN
    fail_on: FailOn | None = None
    queue_compensates: bool = True
    refused_trailers: tuple[str, ...] | None = None

    def excludes(self, path: str) -> bool:
        """Whether a file is left out of the audit."""
        return bool(self.exclude) and matches_any(self.exclude, path)

    def ignores(self, rule: str, file: str) -> Ignored | None:
        """The entry that says why a finding does not count."""
        return next((entry for entry in self.ignore if entry.covers(rule, file)), None)
