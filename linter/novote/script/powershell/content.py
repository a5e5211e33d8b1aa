"""What PowerShell makes of content: its text, its truth, whether it equals or matches other content.

An array is a tuple that is no `Text`. Unknown content of the shape "list" stands for its elements as well: a
question about it asks whether some element answers it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeGuard

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque, Value, origins_of
from novote.expr import derive, predicates
from novote.expr.atoms import ask, spell
from novote.expr.coerce import format_number
from novote.record import changed
from novote.script import ask as questions
from novote.script.regex import safe_pattern
from novote.script.text import Text, derived, flat, joined

MAX_ITEMS: Final = 32
"""Arrays longer than this are not followed element by element."""

MAX_MATCHED: Final = 4_096
_NUMBER: Final = re.compile(r"\s*[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*")


def is_array(content: Content) -> TypeGuard[tuple[Content, ...]]:
    """Whether content is an array whose elements are known one by one."""
    return isinstance(content, tuple) and not isinstance(content, Text)


def is_many(content: Content) -> TypeGuard[Opaque]:
    """Whether content is a list of which nobody knows the elements."""
    return isinstance(content, Opaque) and content.shape == "list"


def as_many(content: Content) -> Content:
    """Unknown content as a list of itself: what a program prints is a list of lines."""
    if isinstance(content, Opaque) and content.shape in ("string", "any"):
        absent = () if content.absent_known and content.absent in ("", None) else content.absent
        return changed(content, shape="list", absent=absent, prefix="", nonempty=False)
    return content


def items_of(content: Content) -> tuple[Content, ...]:
    """The elements that content has in a pipeline; unknown content counts as one."""
    if is_array(content):
        return content
    return () if content is None else (content,)


def as_text(universe: Universe, content: Content) -> Content:
    """Content within a string."""
    if isinstance(content, str | Text):
        return content
    if content is None:
        return ""
    if isinstance(content, bool):
        return "True" if content else "False"
    if isinstance(content, float | int):
        return format_number(content)
    if isinstance(content, tuple):
        parts: list[Content] = []
        for item in content[:MAX_ITEMS]:
            parts += (" ", as_text(universe, item)) if parts else (as_text(universe, item),)
        if len(content) > MAX_ITEMS:
            return derived(universe, "text", parts, also=origins_of(content))
        return joined(universe, parts)
    if isinstance(content, Object):
        values = [as_text(universe, item) for _, item in content.items]
        return derived(universe, "object", values, lambda parts: "System.Collections.Hashtable")
    if content.shape in ("list", "object"):
        return derived(universe, "text", (content,), lambda parts: as_text(universe, parts[0]))
    return derive.as_text(universe, content)


def truth(universe: Universe, content: Content) -> Cond:
    """Where content counts as true."""
    if isinstance(content, str | Text):
        return questions.nonempty(universe, content)
    if isinstance(content, tuple):
        if len(content) == 1:
            return truth(universe, content[0])
        return universe.constant(bool(content))
    if not isinstance(content, Opaque):
        return universe.constant(content is not None and content is not False and content != 0.0)
    if content.shape == "object" or (content.shape == "list" and content.nonempty):
        return universe.true
    if content.shape in ("bool", "string", "number"):
        return predicates.truth(universe, content)
    return ask(universe, f"{content.key} is set", "set", None, content, None, lambda u, a, _: truth(u, a))


def present(universe: Universe, content: Content) -> Cond:
    """Where content is not missing."""
    if isinstance(content, Opaque) and content.shape in ("string", "list", "any"):
        return truth(universe, content)
    return universe.constant(content is not None)


def number(content: Content) -> float | None:
    """The number that content is or spells."""
    if isinstance(content, bool | float | int):
        return float(content)
    if content is None:
        return 0.0
    return float(content) if isinstance(content, str) and _NUMBER.fullmatch(content) else None


def has(universe: Universe, many: Opaque, wanted: Content, cased: bool) -> Cond:
    """Where some element of an unknown list is what is wanted."""
    wanted = flat(universe, wanted)
    if isinstance(wanted, tuple | Object):
        wanted = flat(universe, as_text(universe, wanted))
    if not cased:
        return predicates.contains(universe, many, wanted)
    key = f"{many.key} contains (exactly) {spell(universe, wanted)}"
    marker = wanted if isinstance(wanted, str) else None
    return ask(universe, key, "contains", marker, many, wanted, lambda u, a, b: some_equal(u, a, b, True))


def some_equal(universe: Universe, where: Content, wanted: Content, cased: bool = False) -> Cond:
    """Where a list holds what is wanted; a single thing counts as a list of itself."""
    where = as_many(where)
    if is_many(where):
        return has(universe, where, wanted, cased)
    if is_array(where):
        if len(where) > MAX_ITEMS and isinstance(wanted, Opaque):
            return asked(universe, "contains", where, wanted)
        return universe.any_of(equals(universe, item, wanted, cased) for item in where)
    return equals(universe, where, wanted, cased)


def asked(universe: Universe, test: str, left: Content, right: Content) -> Cond:
    """A question that nobody answers: whoever writes what is asked about decides it."""
    texts = [flat(universe, as_text(universe, item)) for item in (left, right)]
    made = derived(universe, test, texts)
    return ask(universe, f"{made.key} holds", test, None, made, None, predicates_truth)


def predicates_truth(universe: Universe, left: Content, _right: Content) -> Cond:
    """The truth of the left content, as a question about two."""
    return truth(universe, left)


def equals(universe: Universe, left: Content, right: Content, cased: bool = False) -> Cond:
    """Where `left -eq right` holds for what is no known array."""
    if is_many(left):
        return ~present(universe, left) if right is None else has(universe, left, right, cased)
    if is_many(right) and left is not None:
        return has(universe, right, left, cased)
    if left is None or right is None:
        return ~present(universe, right if left is None else left)
    if isinstance(left, bool) or (isinstance(right, bool) and _is_any(left)):
        boolean, other = (left, right) if isinstance(left, bool) else (right, left)
        cond = truth(universe, other)
        return cond if boolean else ~cond
    for one, other in ((left, right), (right, left)):
        if one == 0.0 and _is_some(other):
            return universe.false
        if isinstance(one, float) and (one is left or isinstance(other, Opaque)):
            if isinstance(other, Opaque | Text):
                return predicates.equals(universe, flat(universe, other), one)
            return universe.constant(number(other) == one)
    if isinstance(left, Object) or isinstance(right, Object):
        return universe.constant(left is right)
    return questions.equals(universe, as_text(universe, left), as_text(universe, right), not cased)


def _is_some(content: Content) -> bool:
    """Whether content is a count that is not known, but not zero."""
    return isinstance(content, Opaque) and content.shape == "number" and content.nonempty


def _is_any(content: Content) -> bool:
    return isinstance(content, Opaque) and content.shape in ("any", "bool", "object")


_ORDERED: Final[dict[str, Callable[[float, float], bool]]] = {
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
}
_SIGNS: Final = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}


def ordered(universe: Universe, name: str, left: Content, right: Content, cased: bool = False) -> Cond:
    """Where `-gt` and its like hold for what is no known array."""
    if _is_some(left) and isinstance(right, float) and right <= (0.0 if name in ("gt", "le") else 1.0):
        return universe.constant(name in ("gt", "ge"))
    if is_many(left) or is_many(right) or isinstance(left, Object) or isinstance(right, Object):
        return asked(universe, name, left, right)
    if isinstance(left, str) and isinstance(right, str | float | bool):
        a, b = left, str(as_text(universe, right))
        if not cased:
            a, b = a.lower(), b.lower()
        return universe.constant(_ORDERED[name](float(a > b) - float(a < b), 0.0))
    if not isinstance(left, Opaque | Text) and not isinstance(right, Opaque | Text):
        one, other = number(left), number(right)
        if one is None or other is None:
            return universe.false
        return universe.constant(_ORDERED[name](one, other))
    return predicates.compare(universe, _SIGNS[name], flat(universe, left), flat(universe, right))


def pattern_of(pattern: str) -> str:
    """A .NET pattern as Python spells it."""
    return re.sub(r"\(\?<(?![=!])", "(?P<", pattern)


@lru_cache(maxsize=1024)
def compiled(pattern: str, cased: bool) -> re.Pattern[str] | None:
    """A pattern that can be tried safely; None for any other."""
    found = safe_pattern(pattern_of(pattern), "regex", not cased)
    if found is None:
        return None
    # A dollar sign means the end of the text unless the pattern says otherwise.
    return re.compile(found.pattern, found.flags & ~re.MULTILINE & ~re.UNICODE | re.UNICODE)


def wildcard(pattern: Content) -> Content:
    """A pattern of `-like` as a glob: its escape is a backtick."""
    if not isinstance(pattern, str):
        return pattern
    escaped = pattern.replace("\\", "\\\\").replace("`", "\\")
    return re.sub(r"([*?+@!])\(", r"\1[(]", escaped)


def matches(universe: Universe, content: Content, pattern: Content, flavour: str, cased: bool) -> Cond:
    """Where content matches; the flavour is `regex`, `glob` (of `-like`) or `fixed`."""
    if is_array(content):
        return universe.any_of(
            matches(universe, item, pattern, flavour, cased) for item in content[:MAX_ITEMS]
        )
    if isinstance(content, Opaque) and not _is_plain(content):
        shown = pattern if isinstance(pattern, str) else None
        key = f"{content.key} matches ({flavour}, {cased}) {spell(universe, flat(universe, pattern))}"
        shown = shown.strip("*") if shown is not None and flavour == "glob" else shown

        def again(u: Universe, a: Content, b: Content) -> Cond:
            return matches(u, a, b, flavour, cased)

        return ask(universe, key, "matches", shown, content, flat(universe, pattern), again)
    text = as_text(universe, content)
    pattern = as_text(universe, pattern)
    if flavour == "regex" and isinstance(pattern, str):
        known = compiled(pattern, cased)
        if isinstance(text, str) and known is not None and len(text) <= MAX_MATCHED:
            return universe.constant(known.search(text) is not None)
        pattern = pattern_of(pattern)
        return questions.matches(universe, text, pattern, "regex", not cased)
    if flavour == "fixed":
        return questions.matches(universe, text, pattern, "fixed", not cased)
    return questions.matches(universe, text, wildcard(pattern), "glob", not cased)


def _is_plain(content: Opaque) -> bool:
    """Whether it is text whose absent state is text, or unknown."""
    return content.shape == "string" and (not content.absent_known or isinstance(content.absent, str))


def filtered(universe: Universe, items: tuple[Content, ...], keeps: Callable[[Content], Cond]) -> Value:
    """The elements of an array that a question keeps."""
    result = Value.of(universe, ())
    if len(items) > MAX_ITEMS:
        made = derived(universe, "filtered", [flat(universe, as_text(universe, items))])
        return Value.of(universe, changed(made, shape="list"))
    for item in items:
        longer = result.map(lambda kept, item=item: (*items_of(kept), item))  # type: ignore[misc]
        result = Value.choose(keeps(item), longer, result)
    return result


def truth_of(value: Value) -> Cond:
    """Where a value counts as true."""
    return value.test(lambda content: truth(value.universe, content))
