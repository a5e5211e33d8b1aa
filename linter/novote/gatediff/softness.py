"""Whether a command fails on less than another of its kind, by its options."""

from __future__ import annotations

import re
from typing import Final

from novote.gatediff.model import Doing

# Options under which what goes wrong passes, and those under which more of it fails.
_SOFT: Final = re.compile(
    r"zero|pass-?with-?no|no-tests|failure\.?ignore|fail-never|^-fn$|skipTests|test\.skip|skipITs|no-run|suppress"
    r"|allow|cap-lints|exit-code|continue-on|ignore-fail|no-fail(?!-fast)|no-error|warn-only|advisory",
    re.IGNORECASE,
)
_STRICT: Final = re.compile(
    r"^-D$|^--deny|werror|^--strict|warnaserror|error-on|^--fail-on|fail-under|threshold|^--max-warnings"
    r"|^--check$|^--ci$|^--locked$|^--frozen|^-race$|^--forbid",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?$")


def softer(before: Doing, after: Doing) -> str:
    """By which of its words a command fails on less than another did; empty where by none."""
    if before.command is None or after.command is None:
        return ""
    old, new = _options(before), _options(after)
    for name in new.keys() - old.keys():
        if _SOFT.search(name):
            return f"it is given `{name}`"
    for name in old.keys() - new.keys():
        if _STRICT.search(name):
            return f"it is no longer given `{name}`"
    for name, value in old.items():
        if "under" in name or "threshold" in name.lower():
            lower = _below(new.get(name, value), value)
            if lower:
                return f"its `{name}` is {new[name]}, and was {value}"
    return ""


def _options(doing: Doing) -> dict[str, str]:
    found: dict[str, str] = {}
    words = doing.given
    for at, word in enumerate(words):
        if word.startswith("-") and word not in ("-", "--"):
            name, equals, value = word.partition("=")
            following = words[at + 1] if at + 1 < len(words) else ""
            found[name] = value if equals else following
    return found


def _below(new: str, old: str) -> bool:
    return bool(_NUMBER.fullmatch(new) and _NUMBER.fullmatch(old)) and float(new) < float(old)
