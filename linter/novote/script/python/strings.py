"""Methods of text: known ones on known text, questions as atoms, all else as text made of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Opaque, Shape, Value
from novote.expr.atoms import ask, spell
from novote.expr.combine import combine, holds
from novote.record import changed
from novote.script.python import questions
from novote.script.python.core import Run
from novote.script.python.solid import iterated, rows_of, solid
from novote.script.python.things import Arguments, Group, Item
from novote.script.python.words import content_of_python, formatted, python_of, spoken, textual
from novote.script.text import Text, derived, flat, join_values
from novote.script.text import joined as joined_text

_CHANGES: Final = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title", "capitalize", "swapcase", "replace",
     "removeprefix", "removesuffix", "center", "ljust", "rjust", "zfill", "expandtabs", "translate", "find",
     "rfind", "index", "rindex", "count"}
)  # fmt: skip
_NUMBERS: Final = frozenset({"find", "rfind", "index", "rindex", "count"})
_QUESTIONS: Final = frozenset(
    {
        "isdigit",
        "isalpha",
        "isalnum",
        "isnumeric",
        "isdecimal",
        "isspace",
        "islower",
        "isupper",
        "isidentifier",
    }
)
_SPLITS: Final = frozenset({"split", "rsplit", "splitlines", "partition", "rpartition"})
_SAME: Final = frozenset({"encode", "read", "decode", "format_map", "as_posix", "strip_ansi"})
TEXT_METHODS: Final = _CHANGES | _QUESTIONS | _SPLITS | _SAME | {"startswith", "endswith", "join", "format"}

MAX_KNOWN: Final = 4_096
MAX_PADDED: Final = 1_024


def text_method(run: Run, target: Value, name: str, given: Arguments) -> Value:
    """Calls a method of text."""
    if name in _SAME:
        return target
    if name in ("startswith", "endswith"):
        return Value.boolean(_affix(run, target, given, "starts" if name == "startswith" else "ends"))
    if name == "join":
        return joined(run, target, given.get(0) or run.listed(()))
    if name == "format" and target.is_single and isinstance(target.single, str):
        made = formatted(run, target.single, given.positional, given.named)
        if made is not None:
            return made
    if name in _QUESTIONS:
        return Value.boolean(_asked(run, target, name))
    arguments = (*given.positional, *given.named.values())
    names = tuple(given.named)
    if name in _SPLITS:
        return _split(run, target, name, arguments, names)
    shape: Shape = "any" if name in _NUMBERS else "string"
    return textual(run, name, (target, *arguments), _method(name, names), shape)


def _method(name: str, names: Sequence[str]) -> Callable[..., object]:
    def known(text: object, *rest: object) -> object:
        if not isinstance(text, str) or any(isinstance(part, int) and part > MAX_PADDED for part in rest):
            raise TypeError(name)
        if name == "replace" and len(text) > MAX_KNOWN:
            raise ValueError(name)
        positional, named = rest[: len(rest) - len(names)], rest[len(rest) - len(names) :]
        return getattr(text, name)(*positional, **dict(zip(names, named, strict=True)))

    return known


def _split(run: Run, target: Value, name: str, arguments: Sequence[Value], names: Sequence[str]) -> Value:
    known = _method(name, names)

    def result(universe: Universe, parts: Sequence[Content]) -> Content:
        if all(isinstance(part, str | int | float | None) for part in parts):
            try:
                return content_of_python(known(*map(python_of, parts)))
            except (TypeError, ValueError):
                return ()
        made_of = derived(
            universe,
            name,
            [questions.as_text(part) if isinstance(part, Text | Opaque) else part for part in parts],
            lambda absents: _absent(known, absents),
        )
        return changed(made_of, shape="list", nonempty=False)

    return combine([solid(run, target), *(solid(run, value) for value in arguments)], run.universe, result)


def _absent(known: Callable[..., object], absents: Sequence[Content]) -> Content | None:
    try:
        return content_of_python(known(*map(python_of, absents)))
    except (TypeError, ValueError, AttributeError):
        return ()


def _affix(run: Run, target: Value, given: Arguments, side: questions.Side) -> Cond:
    part = given.get(0) or run.value("")
    found = run.universe.false
    items = [part]
    if any(
        isinstance(content, Group | tuple) and not isinstance(content, Text)
        for _, content in part.alternatives
    ):
        items = [item.value for item in iterated(run, part)]
    for item in items:
        found = found | holds(
            solid(run, target), solid(run, item), run.universe, lambda u, a, b: questions.affix(u, a, b, side)
        )
    return found


def _asked(run: Run, target: Value, name: str) -> Cond:
    def question(universe: Universe, content: Content, _: Content) -> Cond:
        if isinstance(content, str):
            return universe.constant(bool(getattr(content, name)()))
        if not isinstance(content, Text | Opaque):
            return universe.false
        content = flat(universe, questions.as_text(content))
        return ask(universe, f"{spell(universe, content)} {name}", name, None, content, None, question)

    return holds(solid(run, target), run.nothing, run.universe, question)


def joined(run: Run, separator: Value, parts: Value) -> Value:
    """`separator.join(parts)`."""
    items = iterated(run, parts)
    if all(item.many is None and item.guard.is_true for item in items):
        texts: list[Value] = []
        for item in items:
            texts += (separator, spoken(run, item.value)) if texts else (spoken(run, item.value),)
        return join_values(run.universe, texts) if texts else run.value("")
    rows = rows_of(run, items)
    if rows is None or not separator.is_single:
        return _joined_whole(run, separator, parts, items)
    pairs = [(guard, _row(run, separator.single, [content for _, content in row])) for guard, row in rows]
    return Value.build(run.universe, pairs)


def _row(run: Run, separator: Content, contents: Sequence[Content]) -> Content:
    texts: list[Content] = []
    for content in contents:
        text = questions.as_text(content)
        texts += (separator, text) if texts else (text,)
    return joined_text(run.universe, texts)


def _joined_whole(run: Run, separator: Value, parts: Value, items: Sequence[Item]) -> Value:
    whole = parts
    if any(isinstance(content, Group) for _, content in parts.alternatives):
        whole = run.group("list", items)

    def known(separator: object, parts: object) -> object:
        if isinstance(separator, str) and isinstance(parts, list | str):
            return separator.join(map(str, parts))
        raise TypeError("join")

    return textual(run, "join", (separator, whole), known)
