"""The commands that come with PowerShell and that scripts decide with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from novote.algebra.cond import Universe
from novote.algebra.value import Content, Object, Value
from novote.expr.combine import combine
from novote.script.host import in_workspace
from novote.script.parse import MAX_SCRIPT
from novote.script.powershell import operators
from novote.script.powershell.arguments import Called, input_of
from novote.script.powershell.content import MAX_ITEMS, as_text, is_array, items_of, matches, truth_of
from novote.script.powershell.files import as_one, path_of, read_file, write_file
from novote.script.powershell.json import from_json, to_json
from novote.script.powershell.selecting import SELECTING
from novote.script.powershell.session import Session
from novote.script.powershell.statics import found_in
from novote.script.text import derived, flat, literal, observed

Cmdlet = Callable[[Session, Called, Value | None], Value]


def find(name: str) -> Cmdlet | None:
    """The command of a name."""
    return _CMDLETS.get(name) or SELECTING.get(name)


def _output(session: Session, called: Called, given: Value | None) -> Value:
    if called.positional and len(called.positional) > 1:
        return combine(
            called.positional, session.universe, lambda u, p: tuple(i for c in p for i in items_of(c))
        )
    return input_of(session, called, given, "inputobject")


def _host(session: Session, called: Called, given: Value | None) -> Value:
    parts = [session.texts(value) for value in called.positional]
    if not parts:
        parts = [session.texts(input_of(session, called, given, "object", "message"))]
    line = combine(parts, session.universe, lambda u, p: operators.join_items(u, tuple(p), " "))
    session.show(line)
    return session.nothing()


def _silent(session: Session, _called: Called, _given: Value | None) -> Value:
    return session.nothing()


def _error(session: Session, called: Called, given: Value | None) -> Value:
    """`Write-Error` ends a step, which runs with errors that stop, unless it is told to go on."""
    action = called.get("erroraction", "ea")
    names = [] if action is None else [str(content).lower() for _, content in action.alternatives]
    preference = session.get("", "erroractionpreference")
    if action is None and preference is not None:
        names = [str(content).lower() for _, content in preference.alternatives]
    if not names or "stop" in names:
        session.throw()
    return session.nothing()


# -- files


def _out_file(append: bool | None) -> Cmdlet:
    def write(session: Session, called: Called, given: Value | None) -> Value:
        values = list(called.positional)
        path = called.get("filepath", "path", "literalpath")
        if path is None:
            path = values.pop(0) if values else session.unknown("file")
        value = called.get("value", "inputobject")
        if value is None:
            value = given if given is not None else values[0] if values else session.nothing()
        text = session.texts(value) if "nonewline" in called.named else value.map(session.lines)
        write_file(session, path, text, append="append" in called.named if append is None else append)
        return value if "passthru" in called.named else session.nothing()

    return write


def _tee(session: Session, called: Called, given: Value | None) -> Value:
    value = given if given is not None else session.nothing()
    name = called.get("variable")
    if name is not None and name.is_single and isinstance(name.single, str):
        session.set("", name.single, value)
        return value
    path = called.first("filepath", "literalpath")
    if path is not None:
        write_file(session, path, value.map(session.lines), append="append" in called.named)
    return value


def _content(session: Session, called: Called, given: Value | None) -> Value:
    path = called.first("path", "literalpath")
    if path is None:
        path = given if given is not None else session.unknown("file")
    value = read_file(session, path, called.span)
    return as_one(session, value) if called.get("raw") is not None else value


def _test_path(session: Session, called: Called, given: Value | None) -> Value:
    path = called.first("path", "literalpath")
    path = path if path is not None else given

    def exists(content: Content) -> Value:
        text = flat(session.universe, as_text(session.universe, content))
        known = path_of(text)
        if known is not None and known.lower().startswith("env:"):
            return Value.boolean(truth_of(session.environment(known[4:].lstrip("/"), called.span)))
        if known is not None and known.startswith("//novote/"):
            return session.value(True)
        if known is None or in_workspace(known) is None:
            return Value.boolean(truth_of(session.value(derived(session.universe, "path exists", (text,)))))
        reading = session.machine.host.data(known)
        session.machine.read(reading._replace(file=session.machine.file, span=called.span))
        there = derived(
            session.universe,
            f"exists {known}",
            [flat(session.universe, c) for _, c in reading.value.alternatives],
            lambda p: "",
        )
        return Value.boolean(truth_of(session.value(there)))

    return session.value(False) if path is None else path.bind(exists)


def _join_path(session: Session, called: Called, _given: Value | None) -> Value:
    parts = [v for v in (called.get("path"), called.get("childpath")) if v is not None]
    parts += called.positional
    return combine(
        parts, session.universe,
        lambda u, p: operators.join_items(u, tuple(i for c in p for i in items_of(c)), "/"),
    )  # fmt: skip


def _resolved(session: Session, called: Called, given: Value | None) -> Value:
    return input_of(session, called, given, "path", "literalpath")


# -- variables and objects


def _set_variable(session: Session, called: Called, _given: Value | None) -> Value:
    values = list(called.positional)
    name = called.get("name") or (values.pop(0) if values else None)
    value = called.get("value") or (values.pop(0) if values else session.value(None))
    if name is not None and name.is_single and isinstance(name.single, str):
        session.set("", name.single, value)
    return session.nothing()


def _get_variable(session: Session, called: Called, _given: Value | None) -> Value:
    name = called.first("name")
    if name is not None and name.is_single and isinstance(name.single, str):
        return session.get("", name.single) or session.value(None)
    return session.unknown("variable")


def _set_item(session: Session, called: Called, given: Value | None) -> Value:
    values = list(called.positional)
    path = called.get("path", "literalpath") or (values.pop(0) if values else None)
    value = called.get("value") or (values.pop(0) if values else given or session.nothing())
    if path is not None and path.is_single and isinstance(path.single, str):
        scheme, _, name = path.single.partition(":")
        if scheme.lower() == "env":
            session.set_environment(name.lstrip("\\/"), value)
        elif scheme.lower() == "variable":
            session.set("", name.lstrip("\\/"), value)
    return session.nothing()


def _new_object(session: Session, called: Called, _given: Value | None) -> Value:
    table = called.get("property")
    if table is not None:
        return table
    kind = called.first("typename")
    name = str(kind.single).lower() if kind is not None and kind.is_single else ""
    if "list" in name or "queue" in name:
        return session.nothing()
    return session.value(Object(())) if "object" in name or "hash" in name else session.mixed(name, [])


def _expression(session: Session, called: Called, given: Value | None) -> Value:
    """`Invoke-Expression` runs text, which is followed where it is known."""
    value = input_of(session, called, given, "command")
    text = literal(session.texts(value))
    if text is not None and len(text) <= MAX_SCRIPT:
        return session.perform_text(text)
    return session.mixed("Invoke-Expression", [value])


def _start_process(session: Session, called: Called, _given: Value | None) -> Value:
    """`Start-Process` runs a program with words, or with a text of them."""
    values = list(called.positional)
    name = called.get("filepath") or (values.pop(0) if values else session.unknown("program"))
    given = called.get("argumentlist", "args") or (values[0] if values else session.nothing())
    words = [session.texts(name)]
    if given.is_single:
        for item in items_of(given.single):
            parts = item.split() if isinstance(item, str) else [item]
            words += [session.texts(session.value(part)) for part in parts[:100]]
    else:
        words.append(session.texts(given))
    return session.start(words, called.span)


def _invoke(session: Session, called: Called, given: Value | None) -> Value:
    block = called.block()
    code = session.code_of(session.keep(block)) if block is not None else None
    if code is None:
        return session.mixed("Invoke-Command", called.positional)
    return session.invoke(code, ())


def _date(session: Session, called: Called, _given: Value | None) -> Value:
    return session.value(observed(f"Get-Date {called.span.start}"))


def _random(session: Session, called: Called, given: Value | None) -> Value:
    inputs = [*called.positional, *([given] if given is not None else [])]
    return session.mixed("Get-Random", inputs, clean=bool(inputs))


def _select_string(session: Session, called: Called, given: Value | None) -> Value:
    pattern = called.first("pattern")
    where = given
    if where is None:
        path = called.get("path", "literalpath") or (
            called.positional[1] if len(called.positional) > 1 else None
        )
        where = read_file(session, path, called.span) if path is not None else session.nothing()
    if pattern is None:
        return session.nothing()
    flavour = "fixed" if called.get("simplematch") is not None else "regex"
    cased = called.get("casesensitive") is not None
    return where.bind(
        lambda content: pattern.bind(lambda p: _found(session, called, content, p, flavour, cased))
    )


def _found(
    session: Session, called: Called, content: Content, pattern: Content, flavour: str, cased: bool
) -> Value:
    universe: Universe = session.universe
    if is_array(content) and len(content) <= MAX_ITEMS and called.get("quiet") is None:
        lines = [_found(session, called, item, pattern, flavour, cased) for item in content]
        spread = combine(lines, universe, lambda u, p: tuple(i for c in p for i in items_of(c)))
        return spread.map(lambda c: c[0] if is_array(c) and len(c) == 1 else c)
    patterns = items_of(pattern)
    cond = universe.any_of(
        matches(universe, item, one, flavour, cased)
        for item in (items_of(content) or ("",))
        for one in patterns
    )
    if called.get("notmatch") is not None:
        cond = ~cond
    if called.get("quiet") is not None:
        return Value.boolean(cond)
    one = found_in(session, session.value(content), session.value(patterns[0] if patterns else ""), cased)
    line = Object((("Line", content), ("Matches", (_described(one),)), ("LineNumber", 1.0)))
    return Value.choose(cond, session.value(line), session.nothing())


def _described(found: Value) -> Content:
    """The match where there is one."""
    for _, content in found.alternatives:
        if isinstance(content, Object) and content.get("success") is True:
            return content
    return found.alternatives[0][1]


def _observing(session: Session, called: Called, given: Value | None) -> Value:
    """What is done with files and the machine: an observation, and a matter of all that is named."""
    inputs = [*called.positional, *called.named.values(), *([given] if given is not None else [])]
    session.risk(*inputs)
    key = f"{called.name} {called.span.start}"
    return session.mixed(called.name, [*inputs, session.value(observed(key))], clean=True)


def _split_path(session: Session, called: Called, given: Value | None) -> Value:
    value = input_of(session, called, given, "path")
    leaf = called.get("leaf") is not None

    def part(content: Content) -> Content:
        known = path_of(content)
        if known is not None:
            head, _, tail = known.rpartition("/")
            return tail if leaf else head
        return derived(
            session.universe, "split path", [flat(session.universe, as_text(session.universe, content))]
        )

    return value.map(part)


_SILENT: Final = [
    "write-verbose",
    "write-debug",
    "write-warning",
    "write-progress",
    "out-null",
    "set-strictmode",
    "start-sleep",
    "sleep",
    "set-location",
    "cd",
    "push-location",
    "pop-location",
    "pushd",
    "popd",
    "set-executionpolicy",
    "set-psdebug",
    "import-module",
    "export-modulemember",
    "clear-host",
    "new-alias",
    "set-alias",
    "add-type",
    "clear-variable",
    "remove-variable",
    "update-typedata",
    "remove-module",
    "rm",
    "ri",
    "del",
    "remove-item",
    "unblock-file",
    "update-formatdata",
]
_OBSERVING: Final = [
    "get-childitem",
    "gci",
    "dir",
    "ls",
    "get-item",
    "new-item",
    "mkdir",
    "md",
    "copy-item",
    "cp",
    "copy",
    "move-item",
    "mv",
    "move",
    "rename-item",
    "get-command",
    "gcm",
    "get-module",
    "get-location",
    "install-module",
    "expand-archive",
    "compress-archive",
    "get-filehash",
    "get-process",
    "get-service",
    "new-temporaryfile",
    "get-itemproperty",
    "set-itemproperty",
    "get-ciminstance",
    "get-host",
    "start-service",
    "stop-service",
    "stop-process",
    "wait-process",
    "get-member",
    "new-timespan",
    "get-culture",
    "get-error",
]

_CMDLETS: Final[dict[str, Cmdlet]] = {
    **dict.fromkeys(_SILENT, _silent),
    **dict.fromkeys(_OBSERVING, _observing),
    "write-output": _output, "echo": _output, "write": _output, "write-host": _host,
    "write-information": _host,
    "write-error": _error, "out-host": _host, "out-default": _host,
    "start-process": _start_process, "saps": _start_process,
    "out-file": _out_file(None), "add-content": _out_file(True), "ac": _out_file(True),
    "set-content": _out_file(False), "tee-object": _tee, "tee": _tee, "get-content": _content, "gc": _content,
    "cat": _content, "type": _content, "test-path": _test_path, "join-path": _join_path,
    "resolve-path": _resolved, "convert-path": _resolved, "convertfrom-json": from_json,
    "convertto-json": to_json, "set-variable": _set_variable, "new-variable": _set_variable,
    "get-variable": _get_variable, "set-item": _set_item, "new-object": _new_object,
    "invoke-expression": _expression, "iex": _expression, "invoke-command": _invoke, "icm": _invoke,
    "measure-command": _invoke, "get-date": _date, "get-random": _random, "select-string": _select_string,
    "sls": _select_string, "split-path": _split_path, "out-string": _resolved,
    "format-table": _resolved, "format-list": _resolved,
}  # fmt: skip
