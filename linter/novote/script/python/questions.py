"""Python's questions about content: truth, equality, `in`, order, beginnings, patterns.

What can be decided is decided; everything else becomes an atom that knows the answer for the claims' absence.
"""

from __future__ import annotations

from typing import Final, Literal

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque
from novote.expr import predicates
from novote.expr.atoms import ask, is_known, spell
from novote.record import changed
from novote.script import ask as script_ask
from novote.script.text import Text, flat, pieces

Side = Literal["starts", "ends"]
How = Literal["search", "match", "fullmatch"]

MAX_PARTS: Final = 64


def is_count(content: Content) -> bool:
    """Whether it is an unknown number that is one at least: the length of a list that has items."""
    return isinstance(content, Opaque) and content.shape == "number" and content.nonempty


def as_text(content: Content) -> Content:
    """Content as `str()` gives it where it is no structure; unknown content counts as text from here on."""
    if isinstance(content, str | Text):
        return content
    if isinstance(content, Opaque):
        if content.shape == "string":
            return content
        return changed(content, shape="string", absent=_plain_text(content.absent), nonempty=content.nonempty)
    return _plain_text(content)


def _plain_text(content: Content) -> Content:
    if isinstance(content, Opaque | Text | str):
        return as_text(content)
    if content is None or content == ():
        return ""
    if isinstance(content, bool):
        return "True" if content else "False"
    if isinstance(content, float) and content.is_integer() and abs(content) < 1e15:
        return str(int(content))
    return str(content) if isinstance(content, int | float) else repr(content)


def is_textual(content: Content) -> bool:
    """Whether it can be text."""
    if isinstance(content, Opaque):
        return content.shape in ("string", "any")
    return isinstance(content, str | Text)


def truth(universe: Universe, content: Content) -> Cond:
    """Where content counts as true."""
    if is_count(content):
        return universe.true
    if isinstance(content, Text):
        return script_ask.nonempty(universe, content)
    if isinstance(content, Opaque) and content.shape in ("list", "object"):
        if content.nonempty:
            return universe.true
        key = f"{content.key} is set"
        return ask(universe, key, "set", None, content, None, lambda u, a, _: truth(u, a))
    if isinstance(content, tuple):
        return universe.constant(len(content) > 0)
    if isinstance(content, Object):
        return universe.constant(len(content.items) > 0)
    if isinstance(content, Opaque) and content.shape == "any" and not content.nonempty and not content.prefix:
        return ask(universe, f"{content.key} is set", "set", None, content, None, lambda u, a, _: truth(u, a))
    return predicates.truth(universe, content)


def equals(universe: Universe, left: Content, right: Content) -> Cond:
    """Where two pieces of content are equal."""
    if left is right or (isinstance(left, Opaque) and left == right):
        return universe.true
    if isinstance(left, Opaque | Text) or isinstance(right, Opaque | Text):
        return _equals_unknown(universe, left, right)
    if is_known(left) and is_known(right):
        return universe.constant(_same_kind(left, right) and left == right)
    return _equals_parts(universe, left, right)


def _same_kind(left: Content, right: Content) -> bool:
    numbers = (bool, int, float)
    return isinstance(left, numbers) == isinstance(right, numbers)


def _equals_parts(universe: Universe, left: Content, right: Content) -> Cond:
    if isinstance(left, tuple) and isinstance(right, tuple):
        if len(left) != len(right):
            return universe.false
        pairs = list(zip(left, right, strict=True))[:MAX_PARTS]
        return universe.all_of(equals(universe, a, b) for a, b in pairs)
    key = f"{spell(universe, left)} is {spell(universe, right)}"
    if isinstance(left, Object) and isinstance(right, Object):
        return ask(universe, key, "is", None, left, right, equals)
    return universe.false


def _equals_unknown(universe: Universe, left: Content, right: Content) -> Cond:
    if not isinstance(left, Opaque | Text):
        left, right = right, left
    shape = left.shape if isinstance(left, Opaque) else "string"
    if right is None:
        if shape in ("string", "list", "number") or (isinstance(left, Opaque) and _is_item(left)):
            return universe.false
        return _is_none(universe, left)
    if isinstance(right, bool):
        known = truth(universe, left) if shape in ("bool", "any") else universe.false
        return known if right else ~known
    if isinstance(right, tuple | Object) and not isinstance(right, Text):
        empty = right == () or (isinstance(right, Object) and not right.items)
        return ~truth(universe, left) if empty else _ask_equal(universe, left, right)
    if isinstance(right, int | float):
        if shape == "string" or (is_count(left) and right < 1):
            return universe.false
        return _ask_equal(universe, left, right)
    if is_textual(left) and is_textual(right):
        return script_ask.equals(universe, as_text(left), as_text(right))
    return _ask_equal(universe, left, right)


def _is_item(content: Opaque) -> bool:
    """Whether it is surely something: an item that a list has is not None."""
    return content.nonempty or content.key.endswith(".*")


def _is_none(universe: Universe, content: Content) -> Cond:
    key = f"{spell(universe, flat(universe, content))} is None"
    return ask(universe, key, "is", "None", content, None, equals)


def _ask_equal(universe: Universe, left: Content, right: Content) -> Cond:
    left, right = flat(universe, left), flat(universe, right)
    key = f"{spell(universe, left)} is {spell(universe, right)}"
    marker = str(_plain_text(right)) if is_known(right) else None
    return ask(universe, key, "is", marker, left, right, equals)


def within(universe: Universe, part: Content, whole: Content) -> Cond:
    """Where `part in whole` holds for text or unknown content."""
    if isinstance(whole, tuple) and not isinstance(whole, Text):
        return universe.any_of(equals(universe, item, part) for item in whole)
    if isinstance(whole, Object):
        return universe.any_of(equals(universe, name, part) for name, _ in whole.items)
    if not is_textual(whole) or not is_textual(part):
        whole, part = flat(universe, whole), flat(universe, part)
        if whole is None or isinstance(whole, bool | int | float):
            return universe.false
        key = f"{spell(universe, whole)} contains {spell(universe, part)}"
        marker = str(_plain_text(part)) if is_known(part) else None
        return ask(universe, key, "contains", marker, whole, part, lambda u, a, b: within(u, b, a))
    if part == "":
        return universe.true
    return script_ask.matches(universe, as_text(whole), as_text(part), "fixed")


def affix(universe: Universe, text: Content, part: Content, side: Side) -> Cond:
    """Where text begins or ends with text."""
    text, part = as_text(text), as_text(part)
    if isinstance(part, str):
        known = _edge(text, side)
        if isinstance(text, str) or len(known) >= len(part):
            answer = known.startswith(part) if side == "starts" else known.endswith(part)
            return universe.constant(answer)
        short = part[: len(known)] if side == "starts" else part[len(part) - len(known) :]
        if short != known:
            return universe.false
    text, part = flat(universe, text), flat(universe, part)
    key = f"{spell(universe, text)} {side} with {spell(universe, part)}"
    marker = part if isinstance(part, str) else None
    test = "startsWith" if side == "starts" else "endsWith"
    return ask(universe, key, test, marker, text, part, lambda u, a, b: affix(u, a, b, side))


def _edge(text: Content, side: Side) -> str:
    """The known text at one end."""
    parts = pieces(text)
    if not parts:
        return ""
    edge = parts[0] if side == "starts" else parts[-1]
    if isinstance(edge, Opaque):
        return edge.prefix if side == "starts" else ""
    return edge


def matched(universe: Universe, text: Content, pattern: Content, how: How, nocase: bool) -> Cond:
    """Where a regular expression finds something in text."""
    text, pattern = as_text(text), as_text(pattern)
    if isinstance(text, str) and isinstance(pattern, str):
        answer = script_ask.answered(text, anchored(pattern, how), "regex", nocase)
        if answer is not None:
            return universe.constant(answer)
    text, pattern = flat(universe, text), flat(universe, pattern)
    key = f"{spell(universe, text)} {how} {spell(universe, pattern)}{' (any case)' if nocase else ''}"
    marker = pattern if isinstance(pattern, str) else None

    def again(u: Universe, a: Content, b: Content) -> Cond:
        if isinstance(a, str) and isinstance(b, str):
            # Text that says nothing matches no pattern worth the name.
            return u.constant(bool(script_ask.answered(a, anchored(b, how), "regex", nocase)))
        return matched(u, a, b, how, nocase)

    return ask(universe, key, "matches", marker, text, pattern, again)


def anchored(pattern: str, how: How) -> str:
    """A pattern that finds by search what `how` finds."""
    if how == "search":
        return pattern
    return rf"\A(?:{pattern})" + (r"\Z" if how == "fullmatch" else "")


_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WORDS: Final = {"<": "-lt", "<=": "-le", ">": "-gt", ">=": "-ge"}


def compares(universe: Universe, operator: str, left: Content, right: Content) -> Cond:
    """Where `left < right` and its like hold."""
    numbers = (int, float)
    if isinstance(left, numbers) and isinstance(right, numbers):
        return universe.constant(_ordered(operator, left, right))
    if isinstance(left, str) and isinstance(right, str):
        return universe.constant(_ordered(operator, left, right))
    if is_count(right) and not is_count(left):
        return compares(universe, _FLIPPED[operator], right, left)
    if is_count(left) and isinstance(right, numbers) and right <= (1 if operator in (">=", "<") else 0):
        return universe.constant(operator[0] == ">")
    left, right = flat(universe, left), flat(universe, right)
    key = f"{spell(universe, left)} {operator} {spell(universe, right)}"
    marker = str(_plain_text(right)) if is_known(right) else None

    def again(u: Universe, a: Content, b: Content) -> Cond:
        if (
            is_known(a)
            and is_known(b)
            and not (
                (isinstance(a, numbers) and isinstance(b, numbers))
                or (isinstance(a, str) and isinstance(b, str))
            )
        ):
            # Nothing counts as zero where it is measured.
            a, b = (0 if side in ("", None, ()) else side for side in (a, b))
            if not (isinstance(a, numbers) and isinstance(b, numbers)):
                return u.false
        return compares(u, operator, a, b)

    return ask(universe, key, _WORDS[operator], marker, left, right, again)


def _ordered(operator: str, left: float | str, right: float | str) -> bool:
    a, b = left, right
    if operator == "<":
        return a < b  # type: ignore[operator]
    if operator == "<=":
        return a <= b  # type: ignore[operator]
    return a > b if operator == ">" else a >= b  # type: ignore[operator]
