"""Methods of text over guarded values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import combine
from novote.script import ask
from novote.script.javascript.cells import MAX_ENTRIES
from novote.script.javascript.coerce import number_of, resolved, text, text_of
from novote.script.javascript.patterns import (
    all_matched,
    escaped,
    matched,
    replaced,
    sure,
    tested,
)
from novote.script.javascript.state import Run
from novote.script.javascript.values import UNDEFINED, Arguments, Array, Closure, Entry, Native, Pattern
from novote.script.text import Text, derived, joined, split_known

Method = Callable[[Run, Content, Arguments], Value]
Plain = Callable[[str, Sequence[Content]], Content]
MAX_TEXT: Final = 65_536


def made(run: Run, name: str, subject: Content, arguments: Arguments, plain: Plain) -> Value:
    """What a method gives whose result for known text is known."""

    def one(_: object, parts: Sequence[Content]) -> Content:
        subject, *rest = parts
        if isinstance(subject, str) and all(
            isinstance(item, str | float) or item is UNDEFINED for item in rest
        ):
            return plain(subject, rest)
        words = [subject, *(text_of(run, item) for item in rest)]
        return derived(run.universe, name, words, lambda known: _again(plain, known, rest))

    values = [run.value(subject), *(resolved(run, value) for value in arguments.values)]
    return combine(values, run.universe, one)


def _again(plain: Plain, known: Sequence[Content], rest: Sequence[Content]) -> Content | None:
    """The same for the text that stands there when nobody claims anything."""
    if not isinstance(known[0], str):
        return None
    kept = [
        item if isinstance(item, float) or item is UNDEFINED else again
        for item, again in zip(rest, known[1:], strict=False)
    ]
    return (
        plain(known[0], kept)
        if all(isinstance(item, str | float) or item is UNDEFINED for item in kept)
        else None
    )


def _simple(name: str, plain: Plain) -> Method:
    return lambda run, subject, arguments: made(run, name, subject, arguments, plain)


def _whole(rest: Sequence[Content], at: int, otherwise: int) -> int:
    """An argument as a whole number."""
    item = rest[at] if at < len(rest) else UNDEFINED
    if isinstance(item, float) and item == item and abs(item) < 1e9:
        return int(item)
    return (
        otherwise
        if item is UNDEFINED or not isinstance(item, float)
        else (0 if item != item or item < 0 else 1 << 30)
    )


def _slice(subject: str, rest: Sequence[Content]) -> Content:
    return subject[slice(_whole(rest, 0, 0), _whole(rest, 1, len(subject)))]


def _substring(subject: str, rest: Sequence[Content]) -> Content:
    first = min(max(_whole(rest, 0, 0), 0), len(subject))
    last = min(max(_whole(rest, 1, len(subject)), 0), len(subject))
    return subject[min(first, last) : max(first, last)]


def _substr(subject: str, rest: Sequence[Content]) -> Content:
    start = _whole(rest, 0, 0)
    start = max(start + len(subject), 0) if start < 0 else start
    return subject[start : start + max(_whole(rest, 1, len(subject)), 0)]


def _padded(subject: str, rest: Sequence[Content], *, at_start: bool) -> Content:
    width = min(_whole(rest, 0, 0), MAX_TEXT)
    filler = rest[1] if len(rest) > 1 and isinstance(rest[1], str) else " "
    if width <= len(subject) or not filler:
        return subject
    padding = (filler * (width - len(subject)))[: width - len(subject)]
    return padding + subject if at_start else subject + padding


def _character(subject: str, rest: Sequence[Content]) -> Content:
    at = _whole(rest, 0, 0)
    return subject[at] if 0 <= at < len(subject) else ""


def _repeated(subject: str, rest: Sequence[Content]) -> Content:
    return subject * min(max(_whole(rest, 0, 0), 0), MAX_TEXT // max(len(subject), 1))


_WHITE: Final = " \t\n\r\v\f\u00a0\ufeff\u2028\u2029"

_SIMPLE: Final[dict[str, Plain]] = {
    "toLowerCase": lambda s, _: s.lower(),
    "toUpperCase": lambda s, _: s.upper(),
    "toLocaleLowerCase": lambda s, _: s.lower(),
    "toLocaleUpperCase": lambda s, _: s.upper(),
    "trim": lambda s, _: s.strip(_WHITE),
    "trimStart": lambda s, _: s.lstrip(_WHITE),
    "trimEnd": lambda s, _: s.rstrip(_WHITE),
    "slice": _slice,
    "substring": _substring,
    "substr": _substr,
    "padStart": lambda s, r: _padded(s, r, at_start=True),
    "padEnd": lambda s, r: _padded(s, r, at_start=False),
    "charAt": _character,
    "repeat": _repeated,
}


def includes(run: Run, subject: Content, arguments: Arguments) -> Value:
    """`text.includes(part)`."""
    return _asked(run, subject, arguments, _contains)


def _contains(run: Run, one: Content, part: Content) -> Cond:
    return ask.matches(run.universe, one, part, "fixed")


def _asked(
    run: Run, subject: Content, arguments: Arguments, question: Callable[[Run, Content, Content], Cond]
) -> Value:
    part = text(run, arguments.at(0) or run.undefined)
    cond = part.test(lambda content: question(run, subject, content))
    return Value.boolean(cond)


def _starts(run: Run, one: Content, part: Content) -> Cond:
    if isinstance(one, str) and isinstance(part, str):
        return run.universe.constant(one.startswith(part))
    if isinstance(part, str):
        return ask.matches(run.universe, one, f"{escaped(part)}*", "glob")
    return ask.matches(run.universe, one, joined(run.universe, ("^", part)), "regex")


def _ends(run: Run, one: Content, part: Content) -> Cond:
    if isinstance(one, str) and isinstance(part, str):
        return run.universe.constant(one.endswith(part))
    if isinstance(part, str):
        return ask.matches(run.universe, one, f"*{escaped(part)}", "glob")
    return ask.matches(run.universe, one, joined(run.universe, (part, "$")), "regex")


def _index(run: Run, subject: Content, arguments: Arguments) -> Value:
    part = text(run, arguments.at(0) or run.undefined)

    def one(content: Content) -> Value:
        if isinstance(subject, str) and isinstance(content, str) and arguments.at(1) is None:
            return run.value(float(subject.find(content)))
        key = derived(run.universe, "indexOf", (subject, content))
        natural = run.natural(key.key, (subject, content), _starts(run, subject, content))
        return Value.choose(_contains(run, subject, content), run.value(natural), run.value(-1.0))

    return part.bind(one)


def _last_index(run: Run, subject: Content, arguments: Arguments) -> Value:
    part = text(run, arguments.at(0) or run.undefined)
    if part.is_single and isinstance(part.single, str) and isinstance(subject, str):
        return run.value(float(subject.rfind(part.single)))
    return _index(run, subject, arguments)


def _split(run: Run, subject: Content, arguments: Arguments) -> Value:
    given = arguments.at(0)
    if given is None:
        return run.array([run.value(subject)])
    separator = given.single if given.is_single else None
    if isinstance(subject, str):
        parts = _split_known(subject, separator)
        if parts is not None and len(parts) <= MAX_ENTRIES:
            return run.array([run.value(part) for part in parts])
    if isinstance(subject, Text) and isinstance(separator, str) and len(separator) == 1:
        parts_known = split_known(subject, separator)
        if len(parts_known) > 1 and not any(isinstance(part, Opaque) for part in parts_known):
            return run.array([run.value(part) for part in parts_known])
    word = separator.source if isinstance(separator, Pattern) else text(run, given).collapsed().single
    shown = word if isinstance(word, str | Opaque | Text) else ""

    def again(known: Sequence[Content]) -> Content | None:
        parts = _split_known(known[0], separator) if isinstance(known[0], str) else None
        return parts[0] if parts is not None and len(parts) == 1 else None

    piece = derived(run.universe, "split", (subject, shown), again)
    return run.new(Array((Entry(run.universe.true, run.value(piece), many=True),)))


def _split_known(subject: str, separator: Content) -> list[str] | None:
    if isinstance(separator, str):
        if len(subject) > MAX_TEXT:
            return None
        return subject.split(separator) if separator else list(subject)
    if isinstance(separator, Pattern) and isinstance(separator.source, str) and len(subject) <= 4_096:
        machine = sure(separator, subject)
        if machine is not None and not machine.groups and (not subject or machine.search("") is None):
            return machine.split(subject)
    return None


def _pattern(run: Run, value: Value | None, flags: str = "") -> Pattern:
    """A pattern as `match` and `search` take it: text becomes one."""
    if value is None:
        return Pattern("", flags)
    content = value.collapsed().single
    if isinstance(content, Pattern):
        return content
    written = text(run, run.value(content)).single
    return Pattern(written, flags)


def _match(run: Run, subject: Content, arguments: Arguments) -> Value:
    def one(content: Content) -> Value:
        pattern = _pattern(run, run.value(content))
        if "g" not in pattern.flags:
            return matched(run, subject, pattern)
        guard, array = all_matched(run, subject, pattern, whole=True)
        found = run.new(array)
        return Value.choose(guard, found, run.value(None))

    return run.each(resolved(run, arguments.at(0) or run.undefined), one)


def _match_all(run: Run, subject: Content, arguments: Arguments) -> Value:
    _, array = all_matched(run, subject, _pattern(run, arguments.at(0), "g"), whole=False)
    return run.new(array)


def _search(run: Run, subject: Content, arguments: Arguments) -> Value:
    pattern = _pattern(run, arguments.at(0))
    cond = tested(run, subject, pattern)
    if cond.is_constant and cond.is_false:
        return run.value(-1.0)
    key = derived(run.universe, "search", (subject, text_of(run, pattern)))
    begins = tested(run, subject, Pattern(f"^(?:{pattern.source})", pattern.flags))
    return Value.choose(cond, run.value(run.natural(key.key, (subject,), begins)), run.value(-1.0))


def _replace(run: Run, subject: Content, arguments: Arguments, *, every: bool = False) -> Value:
    by = arguments.at(1) or run.undefined
    if any(isinstance(content, Closure | Native) for _, content in by.alternatives):
        return _replace_by_function(run, subject, arguments, by)

    def one(_: object, parts: Sequence[Content]) -> Content:
        what, replacement = parts
        if isinstance(what, Pattern):
            return replaced(run, subject, what, replacement)
        return _replaced_text(run, subject, text_of(run, what), replacement, every)

    return combine((resolved(run, arguments.at(0) or run.undefined), text(run, by)), run.universe, one)


def _replaced_text(run: Run, subject: Content, what: Content, by: Content, every: bool) -> Content:
    def plain(known: Sequence[Content]) -> Content | None:
        if all(isinstance(item, str) for item in known):
            whole, part, replacement = map(str, known)
            return whole.replace(part, replacement.replace("$$", "$"), -1 if every else 1)
        return "" if known[0] == "" else None

    found = plain((subject, what, by))
    if found is not None and isinstance(found, str) and len(found) <= MAX_TEXT:
        return found
    return derived(run.universe, "replace", (subject, what, by), plain)


def _replace_by_function(run: Run, subject: Content, arguments: Arguments, by: Value) -> Value:
    """What a function makes of each place that fits: it is called once for all of them."""
    pattern = _pattern(run, arguments.at(0))
    what = arguments.at(0)
    if what is not None and what.is_single and isinstance(what.single, str):
        pattern = Pattern(re.escape(what.single), "")
    if tested(run, subject, pattern).is_false:
        return run.value(subject)
    found = run.value(derived(run.universe, "match", (subject, text_of(run, pattern))))
    true = run.universe.true
    result = run.call(by, Arguments((Entry(true, found, many=True),), arguments.node))
    made = text(run, result).collapsed().single
    return run.value(
        derived(
            run.universe,
            "replace",
            (subject, text_of(run, pattern), made),
            lambda known: known[0] if known[0] == "" else None,
        )
    )


def _concat(run: Run, subject: Content, arguments: Arguments) -> Value:
    values = [run.value(subject), *(text(run, value) for value in arguments.values)]
    return combine(values, run.universe, joined)


def _code(run: Run, subject: Content, arguments: Arguments) -> Value:
    at = number_of(run, (arguments.at(0) or run.value(0.0)).collapsed().single)
    if isinstance(subject, str) and isinstance(at, float) and 0 <= at < len(subject):
        return run.value(float(ord(subject[int(at)])))
    return run.blurred("charCodeAt", (run.value(subject),))


def _compare(run: Run, subject: Content, arguments: Arguments) -> Value:
    other = text(run, arguments.at(0) or run.undefined).collapsed().single
    if isinstance(subject, str) and isinstance(other, str):
        return run.value(float((subject > other) - (subject < other)))
    return run.value(derived(run.universe, "localeCompare", (subject, other)))


METHODS: Final[dict[str, Method]] = {
    **{name: _simple(name, plain) for name, plain in _SIMPLE.items()},
    **{name: lambda run, subject, _: run.value(subject) for name in ("toString", "valueOf", "normalize")},
    "includes": includes,
    "startsWith": lambda r, s, a: _asked(r, s, a, _starts),
    "endsWith": lambda r, s, a: _asked(r, s, a, _ends),
    "indexOf": _index,
    "lastIndexOf": _last_index,
    "split": _split,
    "match": _match,
    "matchAll": _match_all,
    "search": _search,
    "replace": _replace,
    "replaceAll": lambda r, s, a: _replace(r, s, a, every=True),
    "concat": _concat,
    "charCodeAt": _code,
    "codePointAt": _code,
    "localeCompare": _compare,
}
