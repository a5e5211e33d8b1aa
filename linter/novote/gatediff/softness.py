"""Whether a command fails on less than another of its kind, by its options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from novote.gatediff.model import Doing
from novote.gatediff.words import Options, given, spelled

_WHEN_IT_STOPS: Final = re.compile(
    r"fail-?fast|max-?fail|bail|exitfirst|keep[-_]going|stop-on|max-(?:failures|diagnostics)|^-fae$|^--continue$"
)
"""It fails all the same, sooner or later."""

_FLOOR: Final = re.compile(
    r"fail[-_]under|threshold|minimum-expected|^--min-(?:covered-)?msi$|^--(?:lines|branches"
    r"|functions|statements)$"
)
_CEILING: Final = re.compile(r"^--max-(?:warnings|issues|absolute)$")
_GRADE: Final = re.compile(
    r"severity|fail-level|audit-level|fail-on$|(?:^|-)level$|min-?alert-?level|confidence"
)
_GRADES: Final = {
    grade: rank
    for rank, grades in enumerate(
        (
            ("style", "info", "note", "suggestion", "hint", "low", "convention", "refactor", "negligible"),
            ("warning", "warn", "medium", "moderate"),
            ("error", "high", "important"),
            ("critical", "fatal", "blocker"),
            ("never", "none"),
        )
    )
    for grade in grades
}
_DEMANDS: Final = re.compile(
    r"warn(?:ing)?s?-?as-?err|warnaserror|warn-error|fatal|werror|^-D$|^--deny$|^--forbid$|set_exit_status"
    r"|detailed-?exitcode|error-exitcode|hard-fail|check-coverage|^-?-strict$"
)
_FORGIVES: Final = re.compile(
    r"exit-zero|(?:^|-)no-?fail|pass-?with-?no-?tests|allow-?(?:fail|empty|uncaught)|ignore-?exit|suppress"
    r"|soft-fail|lenient|no-exit|mute-exit|skiponfailure|nostatusrc|permit-no|cap-lints|fail-never|^-fn$"
    r"|ignore-fail|skipTests|skipITs|test\.skip|failure\.ignore|no-run$|no-errors?-on|no-strict|no-fatal"
    r"|do-not-fail|ignore-unfixed|skip-js-errors|dry-?run|just-print|collect-only|^--co$|^--?list(?:-?tests)?$"
    r"|if-present|^--(?:help|version)$",
    re.IGNORECASE,
)
_PRINTS: Final = frozenset({"make", "just"})
_PRINTS_ONLY: Final = "-n"
_EXIT_CODE: Final = re.compile(r"exit-code$")


def softer(before: Doing, after: Doing) -> str:
    """By which of its options a command passes where another fails; empty where none is known to do so."""
    if before.command is None or after.command is None:
        return ""
    old, new = given(before), given(after)
    printed = old.command.entry.name in _PRINTS and _PRINTS_ONLY in new.options.keys() - old.options.keys()
    return f"it is given `{_PRINTS_ONLY}`" if printed else next(_reasons(old.options, new.options), "")


def _reasons(old: Options, new: Options) -> Iterator[str]:
    for name, values in old.items():
        if name not in new and _is_demand(name, values):
            yield f"it is no longer given {spelled(name, values)}"
    for name, values in new.items():
        was = old.get(name)
        if _WHEN_IT_STOPS.search(name):
            continue
        if was is None and _FORGIVES.search(name) and values[-1] not in ("false", "0"):
            yield f"it is given {spelled(name, values)}"
        elif was is not None and was != values and _is_milder(name, was, values):
            yield f"it is given {spelled(name, values)} where it was `{was[-1]}`"


def _is_demand(name: str, values: tuple[str, ...]) -> bool:
    """Whether a command without the option may pass where it failed."""
    if _WHEN_IT_STOPS.search(name):
        return False
    if _EXIT_CODE.search(name):
        return values[-1] != "0"
    return any(kind.search(name) for kind in (_FLOOR, _CEILING, _DEMANDS))


def _is_milder(name: str, old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether another value of an option lets more pass; one that means nothing known does not."""
    if _EXIT_CODE.search(name):
        return new[-1] == "0"
    if _DEMANDS.search(name):
        return not _listed(old) <= _listed(new)
    if _GRADE.search(name) and _listed(old) | _listed(new) <= _GRADES.keys():
        was, now = _listed(old), _listed(new)
        several = len(was) > 1 or len(now) > 1
        return not was <= now if several else _GRADES[min(now)] > _GRADES[min(was)]
    was_number, now_number = _number(old[-1]), _number(new[-1])
    if was_number is None or now_number is None:
        return False
    if _FLOOR.search(name):
        return now_number < was_number
    return _CEILING.search(name) is not None and now_number > was_number


def _listed(values: tuple[str, ...]) -> frozenset[str]:
    return frozenset(part.lower() for value in values for part in value.split(",") if part)


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("%"))
    except ValueError:
        return None
