"""The operators of PowerShell over guarded values; letter case counts only where an operator says `c`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr.coerce import format_number
from novote.expr.combine import combine, combine_values
from novote.record import changed
from novote.script.powershell.content import (
    MAX_ITEMS,
    MAX_MATCHED,
    as_text,
    asked,
    compiled,
    equals,
    filtered,
    is_array,
    is_many,
    items_of,
    matches,
    number,
    ordered,
    some_equal,
    truth,
)
from novote.script.text import Text, derived, flat, joined

_NAMES: Final = re.compile(r"-([ci]?)(eq|ne|ge|gt|lt|le|notlike|like|notmatch|match)")
_MEMBERS: Final = re.compile(r"-([ci]?)(contains|notcontains|in|notin)")
MAX_RANGE: Final = 256
MAX_REPEATED: Final = 4_096


def binary(universe: Universe, operator: str, left: Value, right: Value) -> Value:
    """The result of an operator that always looks at both its operands."""
    if found := _NAMES.fullmatch(operator):
        cased, name = found[1] == "c", found[2]
        return combine_values((left, right), universe, lambda u, p: _compared(u, name, cased, p[0], p[1]))
    if found := _MEMBERS.fullmatch(operator):
        cased, name = found[1] == "c", found[2]
        where, what = (right, left) if name.endswith("in") else (left, right)
        negated = name.startswith("not")

        def belongs(u: Universe, parts: Sequence[Content]) -> Value:
            cond = some_equal(u, parts[0], parts[1], cased)
            return Value.boolean(~cond if negated else cond)

        return combine_values((where, what), universe, belongs)
    made = _MADE.get(operator)
    if made is None and operator[1:] in _CASED:
        made = _CASED[operator[1:]]
    if made is None:
        return combine((left, right), universe, lambda u, p: _unfollowed(u, operator, p))
    followed = made
    return combine((left, right), universe, lambda u, p: followed(u, p[0], p[1]))


def _unfollowed(universe: Universe, name: str, parts: Sequence[Content]) -> Content:
    return derived(universe, name, [flat(universe, as_text(universe, part)) for part in parts])


def _compared(universe: Universe, name: str, cased: bool, left: Content, right: Content) -> Value:
    if is_array(left):
        return filtered(universe, left, lambda item: compared(universe, name, cased, item, right))
    cond = compared(universe, name, cased, left, right)
    if is_many(left) and right is not None:
        # The elements that are so.
        return Value.choose(cond, Value.of(universe, (right,)), Value.of(universe, ()))
    return Value.boolean(cond)


def compared(universe: Universe, name: str, cased: bool, left: Content, right: Content) -> Cond:
    """Where a comparison of one thing with another holds."""
    if name in ("ne", "notlike", "notmatch"):
        positive = name.removeprefix("not") if name != "ne" else "eq"
        if is_many(left) and right is not None:
            # Some element that is different, not none that is the same.
            return asked(universe, name, left, right)
        return ~compared(universe, positive, cased, left, right)
    if name == "eq":
        if is_array(right) and isinstance(left, Opaque):
            return asked(universe, "eq", left, right)
        return equals(universe, left, right, cased)
    if name == "match":
        return matches(universe, left, right, "regex", cased)
    if name == "like":
        return matches(universe, left, right, "glob", cased)
    return ordered(universe, name, left, right, cased)


# -- what makes new content


def _plus(universe: Universe, left: Content, right: Content) -> Content:
    if is_array(left):
        made = (*left, *(right if is_array(right) else (right,)))
        return made if len(made) <= MAX_REPEATED else _list_of(universe, (left, right))
    if isinstance(left, Object) and isinstance(right, Object):
        return Object((*(pair for pair in left.items if not right.has(pair[0])), *right.items))
    if left is None:
        return right
    if isinstance(left, str | Text) or (isinstance(left, Opaque) and left.shape in ("string", "any")):
        return joined(universe, (as_text(universe, left), as_text(universe, right)))
    if is_many(left):
        return _list_of(universe, (left, right))
    return _calculated("+")(universe, left, right)


def _list_of(universe: Universe, contents: tuple[Content, ...]) -> Content:
    """A list of which nobody follows the elements any more."""
    made = _unfollowed(universe, "list", contents)
    return changed(made, shape="list") if isinstance(made, Opaque) else made


def _calculated(operator: str) -> Callable[[Universe, Content, Content], Content]:
    def calculate(universe: Universe, left: Content, right: Content) -> Content:
        one, other = number(left), number(right)
        if one is None or other is None:
            return _unfollowed(universe, operator, (left, right))
        if operator == "+":
            return one + other
        if operator == "-":
            return one - other
        if other == 0:
            return None
        return one / other if operator == "/" else one - other * int(one / other)

    return calculate


def _times(universe: Universe, left: Content, right: Content) -> Content:
    count = number(right)
    if isinstance(left, str) and count is not None:
        if 0 <= count * len(left) <= MAX_REPEATED:
            return left * int(count)
        return _unfollowed(universe, "*", (left, right))
    one = number(left)
    if one is None or count is None:
        return _unfollowed(universe, "*", (left, right))
    return one * count


def _range(universe: Universe, left: Content, right: Content) -> Content:
    one, other = number(left), number(right)
    if one is None or other is None or not abs(one - other) <= MAX_RANGE:
        made = _unfollowed(universe, "..", (left, right))
        return changed(made, shape="list") if isinstance(made, Opaque) else made
    step = 1 if other >= one else -1
    return tuple(float(item) for item in range(int(one), int(other) + step, step))


def format_text(universe: Universe, template: Content, arguments: Content) -> Content:
    """`template -f arguments`."""
    items = items_of(arguments) if arguments is not None else ("",)
    if not isinstance(template, str):
        return _unfollowed(universe, "-f", (template, *items))
    parts: list[Content] = []
    for piece in re.split(r"(\{\{|\}\}|\{\d{1,3}[^{}]*\})", template):
        if piece in ("{{", "}}"):
            parts.append(piece[0])
        elif found := re.fullmatch(r"\{(\d+)(.*)\}", piece):
            item = items[int(found[1])] if int(found[1]) < len(items) else ""
            text = as_text(universe, item)
            parts.append(_aligned(universe, text, found[2]))
        else:
            parts.append(piece)
    return joined(universe, parts)


def _aligned(universe: Universe, text: Content, how: str) -> Content:
    """Text in a column of some width, or a number in some format, which is not followed."""
    width = re.fullmatch(r",(-?)(\d{1,3})", how)
    if not how:
        return text
    if width is not None and isinstance(text, str):
        return text.ljust(int(width[2])) if width[1] else text.rjust(int(width[2]))
    return derived(universe, "format", [flat(universe, text)])


def join_items(universe: Universe, items: Content, separator: Content) -> Content:
    """`items -join separator`."""
    glue = as_text(universe, separator)
    if is_array(items) and len(items) <= MAX_ITEMS:
        parts: list[Content] = []
        for item in items:
            parts += (glue, as_text(universe, item)) if parts else (as_text(universe, item),)
        return joined(universe, parts)
    if isinstance(items, Opaque) and items.shape not in ("string", "number"):
        return derived(universe, "join", (items, glue), lambda p: join_items(universe, p[0], p[1]))
    if is_array(items):
        return derived(universe, "join", [flat(universe, as_text(universe, item)) for item in items])
    return as_text(universe, items)


def split_text(universe: Universe, text: Content, arguments: Content, cased: bool = False) -> Content:
    """`text -split pattern`, and `text -split pattern, most`."""
    pattern, most = arguments, 0.0
    if is_array(arguments):
        pattern = arguments[0] if arguments else ""
        most = (number(arguments[1]) or 0.0) if len(arguments) > 1 else 0.0
    if is_array(text):
        found: list[Content] = []
        for item in text[: MAX_ITEMS * 4]:
            found += items_of(split_text(universe, item, arguments, cased))
        return tuple(found)
    if isinstance(text, Opaque | Text):
        text = flat(universe, text)
        made = derived(
            universe, "split", (text, flat(universe, as_text(universe, pattern))),
            lambda p: split_text(universe, p[0], p[1], cased),
        )  # fmt: skip
        return changed(made, shape="list")
    known = compiled(pattern, cased) if isinstance(pattern, str) else None
    plain = str(as_text(universe, text))
    if known is None or len(plain) > MAX_MATCHED or most < 0:
        made = derived(universe, "split", (plain, flat(universe, as_text(universe, pattern))))
        return changed(made, shape="list")
    if most == 1:
        return plain
    return tuple(part or "" for part in known.split(plain, int(most) - 1 if most else 0))


def replace_text(universe: Universe, text: Content, arguments: Content, cased: bool = False) -> Content:
    """`text -replace pattern, replacement`."""
    if is_array(text):
        return tuple(replace_text(universe, item, arguments, cased) for item in text)
    if isinstance(text, Opaque | Text) or not isinstance(arguments, str | tuple):
        parts = (flat(universe, text), *(flat(universe, as_text(universe, a)) for a in items_of(arguments)))
        made = derived(
            universe, "replace", parts, lambda p: replace_text(universe, p[0], tuple(p[1:]), cased)
        )
        return changed(made, shape="list") if is_many(text) else made
    pattern, by = (arguments, "") if not is_array(arguments) else (*arguments, "", "")[:2]
    known = compiled(pattern, cased) if isinstance(pattern, str) else None
    plain = str(as_text(universe, text))
    if known is None or not isinstance(by, str) or len(plain) > MAX_MATCHED or len(by) > MAX_MATCHED:
        return _unfollowed(universe, "replace", (plain, pattern, by))
    try:
        result = known.sub(_replacement(by), plain)
    except (re.error, IndexError):
        return plain
    return result if len(result) <= MAX_REPEATED * 16 else derived(universe, "replace", (plain,))


def _replacement(by: str) -> Callable[[re.Match[str]], str]:
    def made(found: re.Match[str]) -> str:
        def group(reference: re.Match[str]) -> str:
            name = reference[1] or reference[2]
            if name is None:
                return "$"
            try:
                return found[int(name) if name.isdigit() else name] or ""
            except (IndexError, ValueError):
                return reference[0]

        return re.sub(r"\$(?:(\d{1,2})|\{(\w+)\}|\$)", group, by)

    return made


def is_type(universe: Universe, left: Content, right: Content) -> Content:
    """`left -is [type]`."""
    kind = str(right).lower() if isinstance(right, str) else ""
    if isinstance(left, Opaque | Text) or kind == "":
        return flat(universe, _unfollowed(universe, "-is", (left, right)))
    kinds = {bool: "bool boolean", float: "int int32 double int64 long", str: "string", Object: "hashtable"}
    names = next((names for cls, names in kinds.items() if isinstance(left, cls)), "")
    if is_array(left):
        names = "array object[] collections.ienumerable"
    return kind in names.split()


_MADE: Final[dict[str, Callable[[Universe, Content, Content], Content]]] = {
    "+": _plus, "-": _calculated("-"), "*": _times, "/": _calculated("/"), "%": _calculated("%"),
    "..": _range, "-f": format_text,
}  # fmt: skip
_CASED: Final[dict[str, Callable[[Universe, Content, Content], Content]]] = {
    "join": join_items,
    **{f"{case}split": lambda u, a, b: split_text(u, a, b) for case in ("", "i")},
    "csplit": lambda u, a, b: split_text(u, a, b, True),
    **{f"{case}replace": lambda u, a, b: replace_text(u, a, b) for case in ("", "i")},
    "creplace": lambda u, a, b: replace_text(u, a, b, True),
}


def negative(universe: Universe, content: Content) -> Content:
    """`-content`."""
    known = number(content)
    return -known if known is not None else _unfollowed(universe, "-", (content,))


def cast(universe: Universe, kind: str, content: Content) -> Value:
    """`[kind]content`."""
    if kind in ("bool", "boolean", "switch", "switchparameter", "management.automation.switchparameter"):
        return Value.boolean(truth(universe, content))
    if kind in ("string",):
        return Value.of(universe, as_text(universe, content))
    if kind in ("int", "int32", "int64", "long", "double", "decimal", "float", "single", "uint32", "byte"):
        known = number(content)
        if known is None:
            return Value.of(universe, _as_number(universe, content))
        return Value.of(universe, float(round(known)) if kind[:1] in "iulb" else known)
    if kind in ("array", "object[]") or kind.endswith("[]") or "list[" in kind:
        return Value.of(universe, content if isinstance(content, Opaque) else items_of(content))
    if kind in ("void", "null"):
        return Value.of(universe, ())
    return Value.of(universe, content)


def _as_number(universe: Universe, content: Content) -> Content:
    text = flat(universe, as_text(universe, content))
    made = derived(universe, "number", (text,), lambda p: format_number(number(p[0]) or 0.0))
    return changed(made, shape="number", absent=0.0) if made.has_claim else changed(made, shape="number")
