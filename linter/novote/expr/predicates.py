"""Conditions on content, of which some may be unknown.

What can be decided is decided; everything else becomes an atom with a canonical key, so that the same
question asked twice, in whatever case or order, is the same atom. Where a claim is among what is asked, the
atom knows the answer for the claim's absence: the same question about the absent content.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from novote.algebra.cond import Cond, Origin, Universe
from novote.algebra.value import Content, Object, Opaque, origins_of
from novote.expr import coerce, functions, jsontext
from novote.expr.coerce import canonical, fold, format_number, is_primitive, to_number, to_text

MAX_KEY: Final = 240
MAX_ELEMENTS: Final = 32
"""An array longer than this is asked about as a whole, not element by element."""

_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NUMERIC_START: Final = frozenset("0123456789+-.iI \t\n\r")

Question = Callable[[Universe, Content, Content], Cond]


def is_known(content: Content) -> bool:
    """Whether no part of it is opaque."""
    if isinstance(content, Opaque):
        return False
    if isinstance(content, tuple):
        return all(map(is_known, content))
    return not isinstance(content, Object) or all(is_known(item) for _, item in content.items)


def absent_of(content: Content) -> tuple[bool, Content]:
    """Whether it is known what content is when its claims are absent, and that content."""
    if isinstance(content, Opaque):
        if not content.has_claim:
            return True, content
        return content.absent_known, content.absent
    if isinstance(content, tuple):
        items = [absent_of(item) for item in content]
        return all(known for known, _ in items), type(content)(item for _, item in items)
    if isinstance(content, Object):
        pairs = [(name, absent_of(item)) for name, item in content.items]
        return all(known for _, (known, _) in pairs), Object(tuple((name, item) for name, (_, item) in pairs))
    return True, content


def short(universe: Universe, key: str) -> str:
    """The key itself, or a short name for it where it is long."""
    return key if len(key) <= MAX_KEY else universe.short_key(key)


def spell(universe: Universe, content: Content) -> str:
    """How content stands in a key."""
    if isinstance(content, Opaque):
        return content.key
    if isinstance(content, str):
        return short(universe, repr(content))
    if is_known(content):
        return short(universe, jsontext.write(content))
    return short(universe, repr(content))


def truth(universe: Universe, content: Content) -> Cond:
    """Where content counts as true."""
    if not isinstance(content, Opaque):
        return universe.constant(coerce.truthy(content))
    if content.shape in ("list", "object") or (content.shape == "string" and _is_nonempty(content)):
        return universe.true
    return _ask(universe, f"{content.key} is set", "set", None, content, None, lambda u, a, _: truth(u, a))


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
    if _is_compound(left) or _is_compound(right):
        return universe.false
    if isinstance(left, Opaque) and isinstance(right, Opaque):
        if left.key == right.key:
            return universe.constant(len(operator) == 2)
        if operator[0] == ">":
            return compare(universe, _FLIPPED[operator], right, left)
        key = f"{left.key} {operator} {right.key}"
        return _ask(universe, key, operator, None, left, right, again)
    if isinstance(right, Opaque):
        return compare(universe, _FLIPPED[operator], right, left)
    literal = _literal_key(left, right)
    if literal == "NaN":
        return universe.false
    key = f"{spell(universe, left)} {operator} {literal}"
    return _ask(universe, key, operator, to_text(right), left, right, again)


def equals(universe: Universe, left: Content, right: Content) -> Cond:
    """Where two pieces of content are equal to the language's `==`."""
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
        return _ask(universe, f"{first} == {second}", "==", None, left, right, equals)
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
    return _ask(universe, key, "==", to_text(right), left, right, equals)


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
    if where == "" or (is_primitive(where) and to_text(where) == ""):
        return equals(universe, what, "")
    key = f"{_text_key(universe, where)} contains {_text_key(universe, what)}"
    return _ask(universe, key, "contains", None, where, what, contains)


def _array_contains(universe: Universe, where: tuple[Content, ...], what: Content) -> Cond:
    if len(where) <= MAX_ELEMENTS or is_known(what):
        return universe.any_of(equals(universe, item, what) for item in where)
    key = f"{spell(universe, where)} contains {spell(universe, what)}"
    return _ask(universe, short(universe, key), "contains", None, where, what, contains)


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
    return _ask(universe, key, "contains", text, where, what, contains)


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
    if isinstance(text, Opaque) and isinstance(part, Opaque) and text.key == part.key:
        return universe.true
    marker = None if isinstance(part, Opaque) else to_text(part)
    if marker == "" and isinstance(text, Opaque) and text.shape != "any":
        return universe.true
    if is_primitive(text) and to_text(text) == "":
        return equals(universe, part, "")
    key = f"{_text_key(universe, text)} {test} {_text_key(universe, part)}"
    return _ask(universe, key, test, marker, text, part, again)


def _text_key(universe: Universe, content: Content) -> str:
    if isinstance(content, Opaque):
        return content.key
    return short(universe, repr(canonical(to_text(content))))


def _is_compound(content: Content) -> bool:
    """Whether it is surely an array or an object."""
    if isinstance(content, Opaque):
        return content.shape in ("list", "object")
    return isinstance(content, tuple | Object)


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


def _ask(
    universe: Universe,
    key: str,
    test: str,
    marker: str | None,
    left: Content,
    right: Content,
    again: Question,
) -> Cond:
    """The atom of a question that cannot be answered, made when it is first asked."""
    key = short(universe, key)
    found = universe.find(key)
    if found is not None:
        return universe.literal(found)
    origins = origins_of(left) | origins_of(right)
    absent = None
    if any(origin.cls == "claim" for origin in origins):
        (left_known, left), (right_known, right) = absent_of(left), absent_of(right)
        if left_known and right_known:
            absent = again(universe, left, right)
        else:
            absent = _absent_unknown(universe, key, origins)
    return universe.atom(key, origins=origins, absent=absent, test=test, marker=marker)


def _absent_unknown(universe: Universe, key: str, origins: frozenset[Origin]) -> Cond:
    """A condition of its own for what an atom is without its claims, where nobody knows."""
    rest = frozenset(origin for origin in origins if origin.cls != "claim")
    if not rest:
        rest = frozenset(Origin("unknown", origin.kind, origin.text) for origin in origins)
    return universe.atom(f"{key} (claims absent)", origins=rest)
