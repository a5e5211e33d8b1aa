"""Text of scripts as content: known text, text nobody knows, and what is made of both.

Content of a script is `str`, `Opaque`, or `Text`: pieces that follow one another. `flat` makes of it what the
expression language knows. A value of the expression language enters through `entering`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from novote.algebra.cond import Origin, Universe
from novote.algebra.value import Content, Opaque, Value, origins_of
from novote.expr import derive
from novote.expr.atoms import absent_of
from novote.expr.combine import combine
from novote.knowledge.produced import HOLE

MAX_TEXT: Final = 65_536
"""Known text longer than this is kept as one unknown piece: code points."""

MAX_PIECES: Final = 64


class Text(tuple[Content, ...]):
    """Pieces of text, `str` and `Opaque` in turn; made by `joined` only."""

    __slots__ = ()


def pieces(content: Content) -> tuple[str | Opaque, ...]:
    """The pieces of a script's content; no piece for the empty text."""
    if isinstance(content, Text):
        return content  # type: ignore[return-value]
    if isinstance(content, Opaque):
        return (content,)
    if isinstance(content, str):
        return (content,) if content else ()
    raise TypeError(f"{content!r} is no text of a script")


def joined(universe: Universe, contents: Iterable[Content]) -> Content:
    """Contents one after the other."""
    contents = tuple(contents)
    if set(map(type, contents)) == {str}:
        known = "".join(contents)  # type: ignore[arg-type]
        return known if len(known) <= MAX_TEXT else derived(universe, "text", [known])
    merged: list[str | Opaque] = []
    size = 0
    for content in contents:
        for piece in pieces(content):
            if isinstance(piece, str) and merged and isinstance(merged[-1], str):
                merged[-1] += piece
            else:
                merged.append(piece)
            size += len(piece) if isinstance(piece, str) else 0
    if not merged:
        return ""
    if len(merged) > MAX_PIECES or size > MAX_TEXT:
        return derived(universe, "text", merged)
    return merged[0] if len(merged) == 1 else Text(merged)


def flat(universe: Universe, content: Content) -> Content:
    """Content as the expression language has it: text, or one opaque piece."""
    return derive.concat(universe, content) if isinstance(content, Text) else content


def entering(universe: Universe, content: Content) -> Content:
    """Content of the expression language as text."""
    return content if isinstance(content, Text) else derive.as_text(universe, content)


def derived(
    universe: Universe,
    name: str,
    inputs: Sequence[Content],
    again: Callable[[Sequence[Content]], Content | None] | None = None,
    *,
    nonempty: bool = False,
    also: frozenset[Origin] = frozenset(),
) -> Opaque:
    """Text made of inputs in a way that is not followed, such as what `sed` writes.

    `again` says what is made of them when all claims are absent, None where it cannot tell. `also` are
    further origins. The key names the tool and the claims, for those who read a question about it.
    """
    flats = [flat(universe, item) for item in inputs]
    origins = also.union(*map(origins_of, flats))
    spelled = ", ".join(item.key if isinstance(item, Opaque) else repr(item) for item in flats)
    claims = sorted({origin.text for origin in origins if origin.cls == "claim"})
    key = universe.short_key(f"{name}({spelled})") + f" of {', '.join(claims)}"[:160]
    if not claims:
        return Opaque(key, origins, None, False, "string", nonempty)
    absent: Content | None = None
    if again is not None and all(known for known, _ in map(absent_of, flats)):
        absent = again([absent_of(item)[1] for item in flats])
    if absent is None:
        rest = frozenset(origin for origin in origins if origin.cls != "claim")
        absent = Opaque(f"{key} (claims absent)", rest or _observed(key), None, False, "string", nonempty)
    return Opaque(key, origins, flat(universe, absent), True, "string", nonempty)


def rewritten(
    universe: Universe, name: str, content: Content, change: Callable[[str], str | None]
) -> Content:
    """What a function makes of text; derived from it where it is not known, or nobody dares to say."""

    def known(text: Content) -> str | None:
        return change(text) if isinstance(text, str) else None

    made = known(content)
    return derived(universe, name, [content], lambda again: known(again[0])) if made is None else made


def _observed(key: str) -> frozenset[Origin]:
    return frozenset({Origin("observed", "", key)})


def observed(key: str, *, nonempty: bool = False) -> Opaque:
    """Text that git or the platform states."""
    return Opaque(key, _observed(key), None, False, "string", nonempty)


def unknown(key: str) -> Opaque:
    """Text that nothing explains."""
    return Opaque(key, frozenset({Origin("unknown", "unknown", key)}), None, False, "string")


ONE_LINE: Final = " on one line"
"""How the key of text ends that holds no line break, though its writer could write one elsewhere."""


def claimed(key: str, kind: str, text: str) -> Opaque:
    """Text that the author writes, empty where nothing is said; `text` is what reads it."""
    return Opaque(key, frozenset({Origin("claim", kind, text)}), "", True, "string")


def join_values(universe: Universe, values: Sequence[Value]) -> Value:
    """Texts one after the other, under every condition."""
    if len(values) == 1:
        return values[0]
    if len(values) > 8:
        # Long texts are built of few values that vary: the rest is joined on the way.
        half = len(values) // 2
        return join_values(
            universe, (join_values(universe, values[:half]), join_values(universe, values[half:]))
        )
    return combine(values, universe, joined)


def split_known(content: Content, separators: str) -> list[Content]:
    """Content cut at each run of separators that is known; a piece nobody knows counts as one word."""
    found: list[list[str | Opaque]] = [[]]
    for piece in pieces(content):
        if isinstance(piece, Opaque):
            found[-1].append(piece)
            continue
        word = ""
        for char in piece:
            if char in separators:
                if word:
                    found[-1].append(word)
                word = ""
                if found[-1]:
                    found.append([])
            else:
                word += char
        if word:
            found[-1].append(word)
    return [_one(parts) for parts in found if parts]


def _one(parts: Sequence[str | Opaque]) -> Content:
    return parts[0] if len(parts) == 1 else Text(parts)


def lines_of(content: Content) -> list[Content]:
    """The lines of a content, each without its end; a piece nobody knows counts as a part of one line."""
    found: list[list[str | Opaque]] = [[]]
    for piece in pieces(content):
        if isinstance(piece, Opaque):
            found[-1].append(piece)
            continue
        for at, line in enumerate(piece.split("\n")):
            if at:
                found.append([])
            if shown := line.removesuffix("\r"):
                found[-1].append(shown)
    if not found[-1]:
        found.pop()
    return [_one(parts) if parts else "" for parts in found]


def without_line_ends(universe: Universe, content: Content) -> Content:
    """Content as `$( )` gives it: without the line breaks at its end."""
    if isinstance(content, str):
        return content.rstrip("\n")
    if isinstance(content, Opaque):
        absent = content.absent
        if not content.absent_known or not isinstance(absent, str) or not absent.endswith("\n"):
            return content
        return derived(universe, "line", [content], lambda known: without_line_ends(universe, known[0]))
    parts = pieces(content)
    last = without_line_ends(universe, parts[-1])
    kept = (*parts[:-1], last) if last != "" else parts[:-1]
    if len(kept) == len(parts):
        return joined(universe, kept)
    return without_line_ends(universe, joined(universe, kept))


def rest_of(parts: Sequence[str | Opaque], start: int) -> Content:
    """What follows so many characters of the first piece, which is known text."""
    first = str(parts[0])[start:]
    rest = (first, *parts[1:]) if first else tuple(parts[1:])
    return "" if not rest else _one(rest)


def literal(value: Value) -> str | None:
    """The text of a value that is one known text, else None."""
    return value.single if value.is_single and isinstance(value.single, str) else None


def spelled(value: Value) -> str:
    """A word as a matcher of commands reads it, unknown parts as holes."""
    if not value.is_single:
        return HOLE
    return "".join(part if isinstance(part, str) else HOLE for part in pieces(value.single))
