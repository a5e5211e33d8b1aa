"""Questions of scripts about text: equality, patterns, numbers.

What can be decided is decided; anything else becomes an atom that knows the answer for the claims' absence.
Scripts compare by letter case, unlike expressions, so their questions are atoms of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr import predicates
from novote.expr.atoms import ask, spell
from novote.expr.combine import holds
from novote.script.regex import affordable, safe_pattern
from novote.script.text import Text, flat, pieces

Flavour = Literal["glob", "regex", "fixed", "line"]
"""`glob` and `line` match the whole text, the others a part of it; `fixed` and `line` are plain text."""

_NUMBER: Final = re.compile(r"\s*[+-]?\d{1,18}\s*")
MAX_MATCHED: Final = 4_096


def nonempty(universe: Universe, content: Content) -> Cond:
    """Where text is not empty."""
    if isinstance(content, str):
        return universe.constant(bool(content))
    parts = pieces(content)
    if any(isinstance(part, str) for part in parts):
        return universe.true
    return universe.any_of(predicates.truth(universe, part) for part in parts)


def equals(universe: Universe, left: Content, right: Content, nocase: bool = False) -> Cond:
    """Where two texts are the same."""
    if isinstance(left, str) and isinstance(right, str):
        return universe.constant(left == right if not nocase else left.lower() == right.lower())
    left, right = _without_common(left, right)
    if left == right:
        return universe.true
    if left == "" or right == "":
        return ~nonempty(universe, right if left == "" else left)
    if isinstance(left, str):
        left, right = right, left
    if isinstance(right, str) and not _may_equal(left, right):
        return universe.false
    if not isinstance(right, str) and spell(universe, flat(universe, left)) > spell(
        universe, flat(universe, right)
    ):
        left, right = right, left
    left, right = flat(universe, left), flat(universe, right)
    marker = right if isinstance(right, str) else None
    how = "is (any case)" if nocase else "is"
    key = f"{spell(universe, left)} {how} {spell(universe, right)}"
    return ask(universe, key, "is", marker, left, right, lambda u, a, b: equals(u, a, b, nocase))


def _without_common(left: Content, right: Content) -> tuple[Content, Content]:
    """Two texts without the known text that both begin and end with: `x$A` is `x` where `$A` is empty."""
    one, other = list(pieces(left)), list(pieces(right))
    for at in (0, -1):
        if one and other and isinstance(one[at], str) and isinstance(other[at], str):
            a, b = str(one[at]), str(other[at])
            size = _common(a, b, from_end=at == -1)
            one[at] = a[size:] if at == 0 else a[: len(a) - size]
            other[at] = b[size:] if at == 0 else b[: len(b) - size]
    return _made(one), _made(other)


def _common(a: str, b: str, *, from_end: bool) -> int:
    size, most = 0, min(len(a), len(b))
    while size < most and (a[-1 - size] == b[-1 - size] if from_end else a[size] == b[size]):
        size += 1
    return size


def _made(parts: list[str | Opaque]) -> Content:
    kept = [part for part in parts if part != ""]
    return "" if not kept else kept[0] if len(kept) == 1 else Text(kept)


def _may_equal(left: Content, text: str) -> bool:
    """Whether text with unknown pieces can be a known text: its known pieces follow one another there."""
    at = 0
    parts = pieces(left)
    for place, part in enumerate(parts):
        if isinstance(part, str):
            found = text.lower().find(part.lower(), at)
            if found == -1 or (place == 0 and found != 0):
                return False
            at = found + len(part)
    return True


def matches(
    universe: Universe, content: Content, pattern: Content, flavour: Flavour, nocase: bool = False
) -> Cond:
    """Where text matches a pattern."""
    if isinstance(pattern, str) and flavour == "glob":
        plain = _plain_glob(pattern)
        if plain is not None:
            return equals(universe, content, plain, nocase)
        if pattern.strip("*") == "" and pattern:
            return universe.true
    if flavour == "line" and isinstance(content, str | Opaque | Text) and isinstance(pattern, str):
        flavour, pattern = "regex", f"^{re.escape(pattern)}$"
    if isinstance(content, str) and isinstance(pattern, str):
        answer = answered(content, pattern, flavour, nocase)
        if answer is not None:
            return universe.constant(answer)
    certain = _certain(content, pattern, flavour, nocase)
    if certain:
        return universe.true
    content, pattern = flat(universe, content), flat(universe, pattern)
    marker = shown(pattern, flavour) if isinstance(pattern, str) else None
    how = f"matches ({flavour}{', any case' if nocase else ''})"
    key = f"{spell(universe, content)} {how} {spell(universe, pattern)}"

    def again(u: Universe, a: Content, b: Content) -> Cond:
        if isinstance(a, str) and isinstance(b, str) and answered(a, b, flavour, nocase) is None:
            # Text that says nothing matches no pattern worth the name.
            return u.false
        return matches(u, a, b, flavour, nocase)

    return ask(universe, key, "matches", marker, content, pattern, again)


def _certain(content: Content, pattern: Content, flavour: Flavour, nocase: bool) -> bool:
    """Whether a known piece alone holds what is looked for."""
    if not isinstance(pattern, str) or not isinstance(content, Text):
        return False
    plain = pattern.strip("*") if flavour == "glob" and pattern[:1] == pattern[-1:] == "*" else pattern
    if flavour not in ("glob", "fixed") or (flavour == "glob" and _plain_glob(plain) is None):
        return False
    if flavour == "glob" and plain == pattern:
        return False
    wanted = plain.lower() if nocase else plain
    return any(wanted in (p.lower() if nocase else p) for p in content if isinstance(p, str))


def shown(pattern: str, flavour: Flavour) -> str:
    """A pattern as messages show it: what a person would write to match it, where that is plain."""
    if flavour == "glob":
        return (
            pattern.strip("*").replace("\\", "") if _plain_glob(pattern.strip("*")) is not None else pattern
        )
    return pattern


def _plain_glob(pattern: str) -> str | None:
    """The text that a glob without wildcards stands for; None for one with wildcards."""
    if not re.search(r"[*?\[\\]|[?*+@!]\(", pattern):
        return pattern
    if re.search(r"(?<!\\)(?:\\\\)*[*?\[]|[?*+@!]\(", pattern):
        return None
    return re.sub(r"\\(.)", r"\1", pattern)


@lru_cache(maxsize=2048)
def answered(text: str, pattern: str, flavour: Flavour, nocase: bool = False) -> bool | None:
    """Whether known text matches a known pattern; None where nobody dares to say."""
    if len(text) > MAX_MATCHED:
        return None
    if flavour == "fixed":
        return pattern.lower() in text.lower() if nocase else pattern in text
    compiled = safe_pattern(pattern, "glob" if flavour == "glob" else "regex", nocase)
    if compiled is None or not affordable(compiled.pattern, len(text)):
        return None
    if flavour == "glob":
        return compiled.fullmatch(text) is not None
    found = compiled.search(text)
    return found is not None


def as_number(content: Content) -> int | None:
    """The number that known text spells."""
    return int(content) if isinstance(content, str) and _NUMBER.fullmatch(content) else None


_COMPARED: Final[dict[str, Callable[[int, int], bool]]] = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}


def compares(universe: Universe, operator: str, left: Content, right: Content) -> Cond:
    """Where numbers compare; `operator` is spelled as `test` spells it."""
    a, b = as_number(left or "0"), as_number(right or "0")
    if a is not None and b is not None:
        return universe.constant(_COMPARED[operator](a, b))
    if operator == "-ne":
        return ~compares(universe, "-eq", left, right)
    left, right = flat(universe, left), flat(universe, right)
    key = f"{spell(universe, left)} {operator} {spell(universe, right)}"
    marker = right if isinstance(right, str) else None

    def again(u: Universe, x: Content, y: Content) -> Cond:
        if isinstance(x, str) and isinstance(y, str) and None in (as_number(x or "0"), as_number(y or "0")):
            return u.false
        return compares(u, operator, x, y)

    return ask(universe, key, operator, marker, left, right, again)


def holds_equal(universe: Universe, left: Value, right: Value, nocase: bool = False) -> Cond:
    """Where two values are the same text."""
    return holds(left, right, universe, lambda u, a, b: equals(u, a, b, nocase))


def holds_match(
    universe: Universe, left: Value, pattern: Value, flavour: Flavour, nocase: bool = False
) -> Cond:
    """Where a value matches a pattern."""
    return holds(left, pattern, universe, lambda u, a, b: matches(u, a, b, flavour, nocase))


def holds_compared(universe: Universe, operator: str, left: Value, right: Value) -> Cond:
    """Where two values compare as numbers."""
    return holds(left, right, universe, lambda u, a, b: compares(u, operator, a, b))


def is_nonempty(universe: Universe, value: Value) -> Cond:
    """Where a value is not empty."""
    return value.test(lambda content: nonempty(universe, content))
