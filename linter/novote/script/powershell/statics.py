"""The static methods and properties of .NET that scripts use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr.combine import combine, combine_values
from novote.model import Span
from novote.record import changed
from novote.script.powershell import operators
from novote.script.powershell.content import (
    MAX_MATCHED,
    as_text,
    compiled,
    is_many,
    matches,
    truth_of,
)
from novote.script.powershell.files import read_file, write_file
from novote.script.powershell.session import Session
from novote.script.text import derived, flat, join_values, observed

Static = Callable[[Session, Sequence[Value], Span], Value]


def static(session: Session, kind: str, name: str, arguments: Sequence[Value] | None, span: Span) -> Value:
    """`[kind]::name` and `[kind]::name(arguments)`."""
    kind = kind.split("[")[0] if kind.startswith("collections") else kind
    found = _STATICS.get((kind.rpartition(".")[2], name.lower()))
    if found is not None:
        return found(session, arguments or (), span)
    if name.lower() == "new":
        return _made(session, kind, arguments or ())
    if kind.rpartition(".")[2] in _OBSERVED:
        return session.mixed(f"[{kind}]::{name}", arguments, clean=True) if arguments else session.value(
            observed(f"[{kind}]::{name}")
        )  # fmt: skip
    return session.mixed(f"[{kind}]::{name}", arguments or ())


_OBSERVED: Final = frozenset({"datetime", "datetimeoffset", "guid", "environment", "math", "path", "console"})


def _made(session: Session, kind: str, arguments: Sequence[Value]) -> Value:
    bare = kind.rpartition(".")[2]
    if bare in ("list", "arraylist", "hashset", "queue", "stack"):
        return arguments[0].map(_listed) if arguments else session.nothing()
    if bare in ("dictionary", "hashtable", "ordereddictionary"):
        return session.value(Object(()))
    return session.mixed(f"[{kind}]::new", arguments)


def _listed(content: Content) -> Content:
    return content if isinstance(content, Opaque | tuple) else ()


def _empty(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    text = session.texts(arguments[0]) if arguments else session.value("")
    return Value.boolean(~truth_of(text))


def _blank(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    text = session.texts(arguments[0]) if arguments else session.value("")
    return Value.boolean(~truth_of(text.map(lambda c: c.strip() if isinstance(c, str) else c)))


def _variable(session: Session, arguments: Sequence[Value], span: Span) -> Value:
    if not arguments:
        return session.mixed("environment variable", ())

    def read(content: Content) -> Value:
        if isinstance(content, str):
            return session.environment(content, span)
        return session.mixed("environment variable", arguments)

    return arguments[0].bind(read)


def _set_variable(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    if len(arguments) > 1 and arguments[0].is_single and isinstance(arguments[0].single, str):
        session.set_environment(arguments[0].single, arguments[1])
    return session.nothing()


def _join(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    if len(arguments) < 2:
        return session.value("")
    glue, items = arguments[0], arguments[1:]
    if len(items) == 1:
        return combine((items[0], glue), session.universe, lambda u, p: operators.join_items(u, p[0], p[1]))
    return combine((glue, *items), session.universe, lambda u, p: operators.join_items(u, tuple(p[1:]), p[0]))


def _format(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    return combine(
        arguments, session.universe, lambda u, p: operators.format_text(u, p[0] if p else "", tuple(p[1:]))
    )


def _concat(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    return join_values(session.universe, [session.texts(value) for value in arguments] or [session.value("")])


def _equals(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    if len(arguments) < 2:
        return session.value(False)
    name = "-ceq" if len(arguments) == 2 else "-eq"
    return operators.binary(session.universe, name, arguments[0], arguments[1])


# -- patterns


def match_groups(
    universe: Universe, text: Content, pattern: Content, cased: bool
) -> list[tuple[str, Content]]:
    """What a pattern takes out of text: the whole, and each group by number and name."""
    names = [str(number) for number in range(10)]
    known = compiled(pattern, cased) if isinstance(pattern, str) else None
    if known is not None:
        names = [*(str(number) for number in range(known.groups + 1)), *known.groupindex]
    subject, flat_pattern = (
        flat(universe, as_text(universe, text)),
        flat(universe, as_text(universe, pattern)),
    )
    if isinstance(subject, str) and known is not None and len(subject) <= MAX_MATCHED:
        found = known.search(subject)
        return [(name, _group(found, name)) for name in names[:40]]
    made: list[tuple[str, Content]] = []
    for name in names[:40]:

        def again(parts: Sequence[Content], name: str = name) -> Content:
            if known is None or not isinstance(parts[0], str):
                return ""
            return _group(known.search(parts[0][:MAX_MATCHED]), name)

        made.append((name, derived(universe, f"match {name}", (subject, flat_pattern), again)))
    return made


def _group(found: re.Match[str] | None, name: str) -> str:
    if found is None:
        return ""
    return found[int(name) if name.isdigit() else name] or ""


def match_table(universe: Universe, text: Content, pattern: Content, cased: bool) -> Object:
    """The table that `-match` leaves behind."""
    return Object(tuple(match_groups(universe, text, pattern, cased)))


def _case(arguments: Sequence[Value]) -> bool:
    option = arguments[2] if len(arguments) > 2 else None
    return not (option is not None and any("ignorecase" in str(c).lower() for _, c in option.alternatives))


def _is_match(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    if len(arguments) < 2:
        return session.mixed("regex", arguments)
    cased = _case(arguments)
    return combine_values(
        arguments[:2], session.universe, lambda u, p: Value.boolean(matches(u, p[0], p[1], "regex", cased))
    )


def found_in(session: Session, text: Value, pattern: Value, cased: bool) -> Value:
    """The object that describes a match: `Success`, `Value`, `Groups`."""

    def describe(universe: Universe, parts: Sequence[Content]) -> Value:
        cond = matches(universe, parts[0], parts[1], "regex", cased)
        groups = match_groups(universe, parts[0], parts[1], cased)
        table = Object(tuple((name, _described(True, item)) for name, item in groups))
        whole = groups[0][1]
        yes = Object(
            (("Success", True), ("Value", whole), ("Groups", table), ("Index", 0.0), ("Captures", (whole,)))
        )
        no = Object((("Success", False), ("Value", ""), ("Groups", Object((("0", _described(False, "")),)))))
        return Value.choose(cond, Value.of(universe, yes), Value.of(universe, no))

    return combine_values((text, pattern), session.universe, describe)


def _described(success: bool, content: Content) -> Object:
    return Object((("Success", success), ("Value", content)))


def _match(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    if len(arguments) < 2:
        return session.mixed("regex", arguments)
    return found_in(session, arguments[0], arguments[1], _case(arguments))


def _all_matches(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    if len(arguments) < 2:
        return session.mixed("regex", arguments)
    found = found_in(session, arguments[0], arguments[1], _case(arguments))
    cond: Cond = _is_match(session, arguments, _span).test(lambda c: session.universe.constant(c is True))
    return Value.choose(cond, found.map(lambda content: (content,)), session.nothing())


def _regex_replace(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    return combine(
        arguments, session.universe, lambda u, p: operators.replace_text(u, p[0], tuple(p[1:3]), True)
    )


def _regex_split(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    return combine(arguments[:2], session.universe, lambda u, p: operators.split_text(u, p[0], p[1], True))


def _escape(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    def escape(content: Content) -> Content:
        text = flat(session.universe, as_text(session.universe, content))
        return re.escape(text) if isinstance(text, str) else derived(session.universe, "escape", (text,))

    return arguments[0].map(escape) if arguments else session.value("")


# -- files and the rest


def _append(line: bool) -> Static:
    def write(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
        if len(arguments) > 1:
            value = arguments[1].map(session.lines) if line else session.texts(arguments[1])
            write_file(session, arguments[0], value, append=True)
        return session.nothing()

    return write


def _write(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    if len(arguments) > 1:
        write_file(session, arguments[0], session.texts(arguments[1]), append=False)
    return session.nothing()


def _read(session: Session, arguments: Sequence[Value], span: Span) -> Value:
    if not arguments:
        return session.mixed("file", ())
    found = read_file(session, arguments[0], span)
    return found.map(lambda c: changed(c, shape="string") if is_many(c) else c)


def _path(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    return combine(arguments, session.universe, lambda u, p: operators.join_items(u, tuple(p), "/"))


def _first(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    return arguments[0] if arguments else session.value(None)


def _to_bool(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    if not arguments:
        return session.value(False)
    return operators.binary(session.universe, "-eq", session.texts(arguments[0]), session.value("true"))


def _to_int(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    if not arguments:
        return session.value(0.0)
    return arguments[0].bind(lambda content: operators.cast(session.universe, "int", content))


def _line(session: Session, _arguments: Sequence[Value], _span: Span) -> Value:
    return session.value("\n")


def _nothing(session: Session, _arguments: Sequence[Value], _span: Span) -> Value:
    return session.nothing()


def _shown(session: Session, arguments: Sequence[Value], _span: Span) -> Value:
    for argument in arguments[:1]:
        session.show(argument)
    return session.nothing()


_STATICS: Final[dict[tuple[str, str], Static]] = {
    ("string", "isnullorempty"): _empty, ("string", "isnullorwhitespace"): _blank, ("string", "join"): _join,
    ("string", "format"): _format, ("string", "concat"): _concat, ("string", "equals"): _equals,
    ("string", "empty"): _concat, ("environment", "getenvironmentvariable"): _variable,
    ("environment", "setenvironmentvariable"): _set_variable, ("environment", "newline"): _line,
    ("regex", "ismatch"): _is_match, ("regex", "match"): _match,
    ("regex", "matches"): _all_matches, ("regex", "replace"): _regex_replace,
    ("regex", "split"): _regex_split,
    ("regex", "escape"): _escape, ("regex", "new"): _first, ("file", "appendalltext"): _append(False),
    ("file", "appendalllines"): _append(True), ("file", "writealltext"): _write,
    ("file", "writealllines"): _write, ("file", "readalltext"): _read, ("file", "readalllines"): _read,
    ("path", "combine"): _path, ("path", "join"): _path, ("path", "getfullpath"): _first,
    ("convert", "toboolean"): _to_bool, ("bool", "parse"): _to_bool, ("boolean", "parse"): _to_bool,
    ("convert", "toint32"): _to_int, ("int", "parse"): _to_int, ("int32", "parse"): _to_int,
    ("console", "writeline"): _shown, ("console", "outputencoding"): _nothing,
    ("text.encoding", "utf8"): _nothing, ("encoding", "utf8"): _nothing,
}  # fmt: skip
