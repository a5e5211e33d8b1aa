"""Conditions on content, of which some may be unknown.

What can be decided is decided; everything else becomes an atom with a canonical key, so that the same
question asked twice, in whatever case or order, is the same atom.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque
from novote.expr import coerce, functions
from novote.expr.atoms import Question, ask, is_known, short, spell
from novote.expr.coerce import canonical, fold, format_number, is_primitive, to_number, to_text

MAX_ELEMENTS: Final = 32
"""An array longer than this is asked about as a whole, not element by element."""

_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NUMERIC_START: Final = frozenset("0123456789+-.iI \t\n\r")


def truth(universe: Universe, content: Content) -> Cond:
    """Where content counts as true."""
    if not isinstance(content, Opaque):
        return universe.constant(coerce.truthy(content))
    if content.shape in ("list", "object") or (content.shape == "string" and _is_nonempty(content)):
        return universe.true
    return ask(universe, f"{content.key} is set", "set", None, content, None, lambda u, a, _: truth(u, a))


def compare(universe: Universe, operator: str, left: Content, right: Content) -> Cond:
    """Where `left operator right` holds."""
    if operator == "!=":
        return ~equals(universe, left, right)
    if operator == "==":
        return equals(universe, left, right)
    if not isinstance(left, Opaque) and not isinstance(right, Opaque):
        return universe.constant(coerce.compare(operator, left, right))

    def again(u: Universe, a: Content, b: Content) -> Cond:
        return compare(u, operator, a, b)

    if (split := _split_booleans(universe, left, right, again)) is not None:
        return split
    if isinstance(left, Opaque) and isinstance(right, Opaque) and left.key == right.key:
        return universe.constant(len(operator) == 2)
    if _is_compound(left) or _is_compound(right):
        return universe.false
    if isinstance(left, Opaque) and isinstance(right, Opaque):
        if operator[0] == ">":
            return compare(universe, _FLIPPED[operator], right, left)
        key = f"{left.key} {operator} {right.key}"
        return ask(universe, key, operator, None, left, right, again)
    if isinstance(right, Opaque):
        return compare(universe, _FLIPPED[operator], right, left)
    literal = _literal_key(left, right)
    if literal == "NaN":
        return universe.false
    key = f"{spell(universe, left)} {operator} {literal}"
    return ask(universe, key, operator, to_text(right), left, right, again)


def equals(universe: Universe, left: Content, right: Content) -> Cond:
    """Where two pieces of content are equal to the language's `==`.

    An unknown array or object, read twice, counts as one and the same.
    """
    if not isinstance(left, Opaque):
        if not isinstance(right, Opaque):
            return universe.constant(coerce.equal(left, right))
        left, right = right, left
    assert isinstance(left, Opaque), "one side is unknown and was put on the left"
    if (split := _split_booleans(universe, left, right, equals)) is not None:
        return split
    if isinstance(right, Opaque):
        if left.key == right.key:
            return universe.true
        if _is_compound(left) != _is_compound(right) and "any" not in (left.shape, right.shape):
            return universe.false
        first, second = sorted((left.key, right.key))
        return ask(universe, f"{first} == {second}", "==", None, left, right, equals)
    return _equals_literal(universe, left, right)


def _equals_literal(universe: Universe, left: Opaque, right: Content) -> Cond:
    if _is_compound(left) or _is_compound(right):
        return universe.false
    if right == "":
        return ~truth(universe, left)
    if right is None and _is_nonempty(left):
        return universe.false
    literal = _literal_key(left, right)
    if literal == "NaN" or not _prefix_allows(left, right):
        return universe.false
    key = f"{left.key} == {short(universe, literal)}"
    return ask(universe, key, "==", to_text(right), left, right, equals)


def _literal_key(unknown: Content, literal: Content) -> str:
    """How a literal is spelled in a comparison: unlike kinds meet as numbers, and NaN equals nothing."""
    if isinstance(literal, str) and not (isinstance(unknown, Opaque) and unknown.shape == "number"):
        return repr(canonical(literal))
    return format_number(to_number(literal))


def _prefix_allows(left: Opaque, right: Content) -> bool:
    if not left.prefix:
        return True
    if isinstance(right, str):
        return fold(right).startswith(fold(left.prefix))
    return left.prefix[0] in _NUMERIC_START


def contains(universe: Universe, where: Content, what: Content) -> Cond:
    """Where text contains text, or an array an equal element."""
    if isinstance(where, tuple):
        return _array_contains(universe, where, what)
    if isinstance(where, Object) or (isinstance(where, Opaque) and where.shape == "object"):
        return universe.false
    if not isinstance(where, Opaque) and not isinstance(what, Opaque):
        return universe.constant(functions.contains(where, what))
    if (split := _split_booleans(universe, where, what, contains)) is not None:
        return split
    if _is_compound(what):
        return universe.false
    if isinstance(where, Opaque) and not isinstance(what, Opaque):
        return _opaque_contains(universe, where, what)
    if _is_text(what) and is_primitive(where) and to_text(where) == "":
        return equals(universe, what, "")
    key = f"{_text_key(universe, where)} contains {_text_key(universe, what)}"
    return ask(universe, key, "contains", None, where, what, contains)


def _array_contains(universe: Universe, where: tuple[Content, ...], what: Content) -> Cond:
    if len(where) <= MAX_ELEMENTS or is_known(what):
        return universe.any_of(equals(universe, item, what) for item in where)
    key = f"{spell(universe, where)} contains {spell(universe, what)}"
    return ask(universe, short(universe, key), "contains", None, where, what, contains)


def _opaque_contains(universe: Universe, where: Opaque, what: Content) -> Cond:
    text = to_text(what)
    if where.shape in ("list", "any"):
        needle = _literal_key(where, what)
        if needle == "NaN":
            needle = "'nan'"
    else:
        needle = repr(canonical(text))
        if text == "" or fold(text) in fold(where.prefix):
            return universe.true
    key = f"{where.key} contains {short(universe, needle)}"
    return ask(universe, key, "contains", text, where, what, contains)


def starts_with(universe: Universe, text: Content, start: Content) -> Cond:
    """Where text begins with text."""
    if isinstance(text, Opaque) and text.prefix and is_primitive(start):
        known, wanted = fold(text.prefix), fold(to_text(start))
        if known.startswith(wanted):
            return universe.true
        if not wanted.startswith(known):
            return universe.false
    return _affix(universe, "startsWith", starts_with, functions.starts_with, text, start)


def ends_with(universe: Universe, text: Content, end: Content) -> Cond:
    """Where text ends with text."""
    return _affix(universe, "endsWith", ends_with, functions.ends_with, text, end)


def _affix(
    universe: Universe,
    test: str,
    again: Question,
    concrete: Callable[[Content, Content], bool],
    text: Content,
    part: Content,
) -> Cond:
    if not isinstance(text, Opaque) and not isinstance(part, Opaque):
        return universe.constant(concrete(text, part))
    if (split := _split_booleans(universe, text, part, again)) is not None:
        return split
    if _is_compound(text) or _is_compound(part):
        return universe.false
    if isinstance(text, Opaque) and isinstance(part, Opaque) and text.key == part.key and text.shape != "any":
        return universe.true
    marker = None if isinstance(part, Opaque) else to_text(part)
    if marker == "" and isinstance(text, Opaque) and text.shape != "any":
        return universe.true
    if _is_text(part) and is_primitive(text) and to_text(text) == "":
        return equals(universe, part, "")
    key = f"{_text_key(universe, text)} {test} {_text_key(universe, part)}"
    return ask(universe, key, test, marker, text, part, again)


def _text_key(universe: Universe, content: Content) -> str:
    if isinstance(content, Opaque):
        return content.key
    return short(universe, repr(canonical(to_text(content))))


def _is_compound(content: Content) -> bool:
    """Whether it is surely an array or an object."""
    if isinstance(content, Opaque):
        return content.shape in ("list", "object")
    return isinstance(content, tuple | Object)


def _is_text(content: Content) -> bool:
    """Whether it is surely text, of which only the empty one is contained in nothing."""
    return isinstance(content, Opaque) and content.shape == "string"


def _is_nonempty(content: Opaque) -> bool:
    return content.nonempty or content.prefix != ""


def _split_booleans(universe: Universe, left: Content, right: Content, again: Question) -> Cond | None:
    """The answer for content that can only be true or false: one answer for each; None for other content."""
    if isinstance(left, Opaque) and left.shape == "bool":
        return universe.choose(
            truth(universe, left), again(universe, True, right), again(universe, False, right)
        )
    if isinstance(right, Opaque) and right.shape == "bool":
        return universe.choose(
            truth(universe, right), again(universe, left, True), again(universe, left, False)
        )
    return None
