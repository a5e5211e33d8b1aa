"""Regular expressions of JavaScript over guarded text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script import ask
from novote.script.javascript.coerce import pattern_text
from novote.script.javascript.state import Run
from novote.script.javascript.values import UNDEFINED, Array, Entry, Matched, Pattern
from novote.script.regex import MAX_PATTERN, MAX_REPEATS, affordable
from novote.script.text import derived

_PARTS: Final = re.compile(r"\\[\s\S]|\[\^?\]|\[|\]|\(\?<(?![=!])|\$|\.|[\s\S]")
_NESTED: Final = re.compile(r"\)[*+{]")
_REPEAT: Final = re.compile(r"(?<!\\)(?:[*+]|\{\d*,)")
_CODE: Final = re.compile(r"\\u\{([0-9a-fA-F]{1,6})\}")
MAX_MATCHES: Final = 64
MAX_TEXT: Final = 4_096


@lru_cache(maxsize=1024)
def compiled(source: str, flags: str) -> re.Pattern[str] | None:
    """A pattern of JavaScript as Python has it; None where it cannot be read or may take too long."""
    if len(source) > MAX_PATTERN or _NESTED.search(source) or len(_REPEAT.findall(source)) > MAX_REPEATS:
        return None
    found = re.MULTILINE if "m" in flags else re.NOFLAG
    found |= (
        re.ASCII | (re.IGNORECASE if "i" in flags else re.NOFLAG) | (re.DOTALL if "s" in flags else re.NOFLAG)
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(_translated(source, "m" in flags, "u" in flags or "v" in flags), found)
    except (re.error, OverflowError, RecursionError, ValueError):
        return None


def _translated(source: str, multiline: bool, unicode: bool) -> str:
    if unicode:
        source = _CODE.sub(lambda match: re.escape(chr(int(match[1], 16))), source)
    out, inside = "", False
    for match in _PARTS.finditer(source):
        part = match[0]
        if part[0] == "\\":
            out += _escape(part, inside)
        elif part in ("[]", "[^]") and not inside:
            out += "(?!)" if part == "[]" else r"[\s\S]"
        elif part == "[":
            out += r"\[" if inside else "["
            inside = True
        elif part == "]":
            out += "]" if inside else r"\]"
            inside = False
        elif part == "(?<" and not inside:
            out += "(?P<"
        elif part == "$" and not inside:
            out += "$" if multiline else r"\Z"
        else:
            out += part
    return out


def _escape(part: str, inside: bool) -> str:
    if part == r"\d":
        return "0-9" if inside else "[0-9]"
    if part == r"\k":
        raise ValueError("named references are not followed")
    if part == r"\/":
        return "/"
    if part[1].isalnum() and part[1] not in "bBdDwWsSnrtfvux0123456789":
        return part[1]
    return part


def sure(pattern: Pattern, text: str = "") -> re.Pattern[str] | None:
    """A pattern that can be tried on a text; None where it is not known or may take too long."""
    return _tried(pattern.source, pattern.flags, text)


def _tried(source: Content, flags: str, text: str) -> re.Pattern[str] | None:
    if not isinstance(source, str) or len(text) > MAX_TEXT or not affordable(source, len(text)):
        return None
    return compiled(source, flags)


def tested(run: Run, text: Content, pattern: Pattern) -> Cond:
    """Where a pattern fits a text."""
    if isinstance(text, str):
        machine = sure(pattern, text)
        if machine is not None:
            return run.universe.constant(machine.search(text) is not None)
    if isinstance(pattern.source, str) and (plain := _affix(pattern)) is not None:
        return ask.matches(run.universe, text, plain, "glob", "i" in pattern.flags)
    return ask.matches(run.universe, text, pattern_text(pattern), "regex", "i" in pattern.flags)


_WORD: Final = re.compile(r"(\^)?((?:[\w \-:/@#!~=,;'\"<>&%]|\\[\[\](){}.*+?|/\\^$-])+)(\$)?")


def _affix(pattern: Pattern) -> str | None:
    """A glob that asks the same as a pattern of plain text, which may begin with `^` and end with `$`."""
    if "m" in pattern.flags or not isinstance(pattern.source, str) or len(pattern.source) > MAX_PATTERN:
        return None
    match = _WORD.fullmatch(pattern.source)
    if match is None or not (match[1] or match[3]):
        return None
    plain = re.sub(r"\\(.)", r"\1", match[2])
    return f"{'' if match[1] else '*'}{escaped(plain)}{'' if match[3] else '*'}"


def escaped(plain: str) -> str:
    """Plain text as a part of a glob."""
    return re.sub(r"([*?\[\]\\!+@(){}|])", r"\\\1", plain)


def matched(run: Run, text: Content, pattern: Pattern) -> Value:
    """What `text.match(pattern)` gives for a pattern without `g`."""
    if isinstance(text, str):
        machine = sure(pattern, text)
        if machine is not None:
            return _known(run, machine.search(text))
    return Value.choose(tested(run, text, pattern), run.value(Matched(text, pattern)), run.value(None))


def _known(run: Run, found: re.Match[str] | None) -> Value:
    if found is None:
        return run.value(None)
    contents: list[Content] = [found[0], *(UNDEFINED if group is None else group for group in found.groups())]
    value = run.array([run.value(content) for content in contents])
    reference = value.single
    named: dict[str, Value] = {
        name: run.value(UNDEFINED if group is None else group) for name, group in found.groupdict().items()
    }
    run.groups[reference] = (
        run.record(named) if named else run.undefined,
        run.value(float(found.start())),
        run.value(found.string),
    )
    return value


def all_matched(run: Run, text: Content, pattern: Pattern, *, whole: bool) -> tuple[Cond, Array]:
    """Every place where a pattern fits, and where there is any: texts, or what `match` gives."""
    universe = run.universe
    if isinstance(text, str):
        machine = sure(pattern, text)
        if machine is not None:
            found = [match for _, match in zip(range(MAX_MATCHES), machine.finditer(text), strict=False)]
            values = [run.value(match[0]) if whole else _known(run, match) for match in found]
            return universe.constant(bool(found)), Array(
                tuple(Entry(universe.true, value) for value in values)
            )
    guard = tested(run, text, pattern)
    made = Matched(text, pattern)
    element = group(run, made, 0) if whole else run.value(made)
    return guard, Array((Entry(guard, element, many=True),))


def group(run: Run, made: Matched, number: int | str) -> Value:
    """A group of a match, by number or name."""
    name = "match" if number == 0 else f"group {number}"
    words = (made.text, pattern_text(made.pattern), made.pattern.flags)

    def again(known: Sequence[Content]) -> Content:
        found = _found(known[0], known[1], made.pattern.flags)
        try:
            return "" if found is None else found[number] or ""
        except IndexError:
            return ""

    return run.value(derived(run.universe, name, words, again, nonempty=number == 0))


def _found(text: Content, source: Content, flags: str) -> re.Match[str] | None:
    """Where a known pattern fits a known text; None for no place, and for anything unknown."""
    if not isinstance(text, str):
        return None
    machine = _tried(source, flags, text)
    return None if machine is None else machine.search(text)


def replaced(run: Run, text: Content, pattern: Pattern, by: Content) -> Content:
    """`text.replace(pattern, by)` for text to put in its place."""

    def again(parts: Sequence[Content]) -> Content | None:
        known, replacement = parts[0], parts[1]
        machine = sure(pattern, known) if isinstance(known, str) else None
        if not isinstance(known, str) or not isinstance(replacement, str) or machine is None:
            return "" if known == "" else None
        return machine.sub(
            lambda match: _filled(replacement, match), known, count=0 if "g" in pattern.flags else 1
        )

    made = again((text, by)) if isinstance(text, str) and isinstance(by, str) else None
    if made is not None:
        return made
    words = (text, by, pattern_text(pattern), pattern.flags)
    return derived(run.universe, "replace", words, lambda parts: again(parts))


_DOLLARS: Final = re.compile(r"\$(\$|&|\d{1,2}|<\w{1,64}>)")


def _filled(replacement: str, match: re.Match[str]) -> str:
    def one(dollar: re.Match[str]) -> str:
        what = dollar[1]
        if what == "$":
            return "$"
        if what == "&":
            return match[0]
        try:
            return match[int(what) if what.isdigit() else what[1:-1]] or ""
        except (IndexError, ValueError):
            return dollar[0]

    return _DOLLARS.sub(one, replacement)
