"""`re`: questions about text become atoms, what is found in it stays text of the same writers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from novote.algebra.cond import Universe
from novote.algebra.value import Content, Value
from novote.expr.combine import combine, holds
from novote.record import changed
from novote.script.ask import MAX_MATCHED, holds_match
from novote.script.python import questions
from novote.script.python.core import Run
from novote.script.python.solid import solid
from novote.script.python.things import Arguments, Match, Pattern
from novote.script.python.words import textual
from novote.script.regex import safe_pattern
from novote.script.text import derived


def _pattern(run: Run, given: Arguments) -> tuple[Value, bool]:
    """The pattern's text and whether letter case is ignored."""
    first = given.get(0, "pattern") or run.value("")
    if first.is_single and isinstance(first.single, Pattern):
        return first.single.text, first.single.nocase
    words = given.node.text
    nocase = any(flag in words for flag in ("IGNORECASE", "re.I)", "re.I,", "re.I ", "(?i)"))
    return solid(run, first), nocase


def _found(how: questions.How) -> Callable[[Run, Arguments], Value]:
    def call(run: Run, given: Arguments) -> Value:
        pattern, nocase = _pattern(run, given)
        return found(run, pattern, nocase, given.get(1, "string") or run.value(""), how)

    return call


def found(run: Run, pattern: Value, nocase: bool, text: Value, how: questions.How) -> Value:
    """What `search` and its like give: a match where there is one, else None."""
    text = solid(run, text)
    pattern = pattern.map(_plain)
    cond = holds(text, pattern, run.universe, lambda u, a, b: questions.matched(u, a, b, how, nocase))
    return Value.choose(cond, run.value(Match(text, pattern, nocase, how)), run.nothing)


def _plain(content: Content) -> Content:
    # NOTE: flags inside a pattern are spelled as a flag of its own.
    return content.removeprefix("(?i)") if isinstance(content, str) else content


def group_of(run: Run, match: Match, key: Value) -> Value:
    """`match.group(key)`."""

    def known(text: object, pattern: object, key: object) -> object:
        compiled = _compiled(pattern, match.nocase, match.how)
        hit = (
            compiled.search(text) if compiled and isinstance(text, str) and len(text) <= MAX_MATCHED else None
        )
        return "" if hit is None else hit.group(key if isinstance(key, str) else int(str(key)))

    return textual(run, "group", (match.text, match.pattern, key), known)


def _compiled(pattern: object, nocase: bool, how: questions.How) -> re.Pattern[str] | None:
    return (
        safe_pattern(questions.anchored(pattern, how), "regex", nocase) if isinstance(pattern, str) else None
    )


def _known_pattern(match: Match) -> re.Pattern[str] | None:
    pattern = match.pattern.single if match.pattern.is_single else None
    return _compiled(pattern, match.nocase, match.how)


def match_method(run: Run, match: Match, name: str, given: Arguments) -> Value:
    """A method of a match."""
    if name == "group" and len(given.positional) < 2:
        return group_of(run, match, given.get(0) or run.value(0))
    if name in ("groups", "group"):
        compiled = _known_pattern(match)
        keys: Sequence[Value] = given.positional
        if name == "groups":
            keys = [run.value(at + 1) for at in range(compiled.groups if compiled else 1)]
        return run.listed([group_of(run, match, key) for key in keys], "tuple")
    if name == "groupdict":
        compiled = _known_pattern(match)
        names = list(compiled.groupindex) if compiled else []
        return run.mapping({key: group_of(run, match, run.value(key)) for key in names})
    return run.mixed(name, (match.text, match.pattern, *given.all), 0)


def _all(run: Run, given: Arguments) -> Value:
    pattern, nocase = _pattern(run, given)
    return findall(run, pattern, nocase, given.get(1, "string") or run.value(""), split=False)


def findall(run: Run, pattern: Value, nocase: bool, text: Value, *, split: bool) -> Value:
    """`findall` and `split`: a list of parts of the text."""

    def known(text: Content, pattern: Content) -> Content | None:
        compiled = _compiled(pattern, nocase, "search")
        if compiled is None or not isinstance(text, str) or len(text) > MAX_MATCHED:
            return None
        parts = compiled.split(text) if split else compiled.findall(text)
        return tuple(
            part if isinstance(part, str) else tuple(part) for part in parts[:256] if part is not None
        )

    def result(universe: Universe, parts: Sequence[Content]) -> Content:
        if all(isinstance(part, str) for part in parts):
            made = known(parts[0], parts[1])
            if made is not None:
                return made
        texts = [questions.as_text(part) for part in parts]
        name = "split" if split else "findall"
        made = derived(universe, name, texts, lambda absents: known(absents[0], absents[1]) or ())
        return changed(made, shape="list", absent=made.absent)

    return combine((solid(run, text), pattern.map(_plain)), run.universe, result)


def _substituted(run: Run, given: Arguments) -> Value:
    pattern, nocase = _pattern(run, given)
    rest = given.positional[1:] or tuple(run.value("") for _ in range(2))
    return substituted(run, pattern, nocase, rest)


def substituted(run: Run, pattern: Value, nocase: bool, rest: Sequence[Value]) -> Value:
    """`sub(new, text)`."""

    def known(pattern: object, new: object, text: object) -> object:
        compiled = _compiled(pattern, nocase, "search")
        if (
            compiled is None
            or not isinstance(text, str)
            or not isinstance(new, str)
            or len(text) > MAX_MATCHED
        ):
            raise ValueError("sub")
        return compiled.sub(new, text)

    values = (pattern, *(solid(run, value) for value in rest[:2]))
    return textual(run, "sub", values, known) if len(values) == 3 else run.mystery("sub", values)


def _compile(run: Run, given: Arguments) -> Value:
    pattern, nocase = _pattern(run, given)
    return run.value(Pattern(pattern, nocase))


def pattern_method(run: Run, pattern: Pattern, name: str, given: Arguments) -> Value:
    """A method of a compiled pattern."""
    text = given.get(0, "string") or run.value("")
    if name in ("search", "match", "fullmatch"):
        return found(run, pattern.text, pattern.nocase, text, name)  # type: ignore[arg-type]
    if name in ("findall", "split", "finditer"):
        return findall(run, pattern.text, pattern.nocase, text, split=name == "split")
    if name in ("sub", "subn"):
        return substituted(run, pattern.text, pattern.nocase, given.positional)
    return run.mystery(name, (pattern.text, *given.all))


def _fnmatch(run: Run, given: Arguments) -> Value:
    text, pattern = given.get(0) or run.value(""), given.get(1) or run.value("")
    text = solid(run, text).map(questions.as_text)
    return Value.boolean(holds_match(run.universe, text, solid(run, pattern).map(questions.as_text), "glob"))


def _escape(run: Run, given: Arguments) -> Value:
    return textual(run, "re.escape", (given.get(0) or run.value(""),), lambda text: re.escape(str(text)))


CALLS: Final[Mapping[str, Callable[[Run, Arguments], Value]]] = {
    "re.search": _found("search"),
    "re.match": _found("match"),
    "re.fullmatch": _found("fullmatch"),
    "re.findall": _all,
    "re.finditer": _all,
    "re.split": lambda run, given: findall(
        run, *_pattern(run, given), given.get(1, "string") or run.value(""), split=True
    ),
    "re.sub": _substituted,
    "re.compile": _compile,
    "re.escape": _escape,
    "fnmatch.fnmatch": _fnmatch,
    "fnmatch.fnmatchcase": _fnmatch,
}
