"""Calls of functions and methods."""

from __future__ import annotations

import re
from typing import Final

from novote.algebra.cond import Origin
from novote.algebra.value import Content, Opaque, Value
from novote.script.javascript import array_methods, arrays, core, maps, strings
from novote.script.javascript.attempts import throw
from novote.script.javascript.bindings import bind
from novote.script.javascript.coerce import resolved, text
from novote.script.javascript.lists import elements
from novote.script.javascript.members import member_of
from novote.script.javascript.patterns import matched, tested
from novote.script.javascript.state import Run
from novote.script.javascript.values import (
    UNDEFINED,
    Arguments,
    Array,
    Closure,
    Entry,
    EventFile,
    Located,
    Matched,
    Module,
    Native,
    Pattern,
    Record,
    Reference,
    Scope,
)
from novote.script.machine import MAX_CALLS, Frame
from novote.script.text import Text, observed

_CONVERTED: Final = re.compile(r"(?:to|get|set)[A-Z]|json$|text$|format$")


def call(run: Run, function: Value, arguments: Arguments) -> Value:
    """Calls whatever a value is."""
    run.machine.spend()
    return run.each(function, lambda content: _call_one(run, content, arguments))


def _call_one(run: Run, content: Content, arguments: Arguments) -> Value:
    if isinstance(content, Closure):
        return _call_closure(run, content, arguments)
    if isinstance(content, Native):
        return content.behaviour(run, arguments)
    if isinstance(content, Module) and content.called is not None:
        return content.called(run, arguments)
    if isinstance(content, Reference):
        cell = run.heap[content.number]
        made = cell.entries.get("default") if isinstance(cell, Record) else None
        if made is not None:
            return call(run, made.value, arguments)
    return unknown_call(run, "call", run.value(content), arguments)


def unknown_call(run: Run, name: str, subject: Value, arguments: Arguments) -> Value:
    """What a function nobody knows gives: anything made of what it got; functions handed to it may run."""
    for value in arguments.values:
        if any(isinstance(content, Closure) for _, content in value.alternatives):
            _call_back(run, name, value, arguments)
    if any(_hands_on_core(run, value) for value in (subject, *arguments.values)):
        core.unknown_outputs(run)
    values = [subject, *(value for value in arguments.values if not _is_function(value))]
    return run.blurred(name, values, unknown=True)


def _hands_on_core(run: Run, value: Value, depth: int = 0) -> bool:
    """Whether a value is `core`, or an object that holds it: who gets it can set outputs."""
    for _, content in value.alternatives:
        if isinstance(content, Module) and content.name == "core":
            return True
        cell = run.heap[content.number] if isinstance(content, Reference) else None
        if isinstance(cell, Record) and depth < 2:
            entries = list(cell.entries.values())
            if any(_hands_on_core(run, entry.value, depth + 1) for entry in entries):
                return True
    return False


def _is_function(value: Value) -> bool:
    return all(isinstance(content, Closure | Native) for _, content in value.alternatives)


def _call_back(run: Run, name: str, function: Value, arguments: Arguments) -> None:
    given = run.blurred(f"{name} callback", (), unknown=True)
    key = f"{name} calls back at {run.machine.file}:{arguments.node.start}"
    cond = run.universe.atom(key, origins=frozenset({Origin("unknown", "unknown", key)}))
    entry = Entry(run.universe.true, given, many=True)

    def called() -> None:
        call(run, function, Arguments((entry,), arguments.node))

    run.branch(cond, arguments.node, called)


def _call_closure(run: Run, closure: Closure, arguments: Arguments) -> Value:
    machine = run.machine
    node = closure.node
    if machine.live.is_false:
        return run.undefined
    if machine.calls >= MAX_CALLS or sum(1 for other in run.active if other.key == node.key) > 1:
        return run.blurred("recursion", arguments.values, unknown=True)
    kept = (run.scope, machine.file, run.this, run.targets, run.tree)
    run.scope, run.targets = Scope(closure.scope, function=True), []
    machine.file, run.tree = closure.file, node.tree
    run.this = arguments.this if node.kind != "arrow_function" else closure.this
    machine.calls += 1
    before = machine.live
    run.active.append(node)
    try:
        with machine.frame() as frame:
            frame.result = run.undefined
            run.functions.append(frame)
            _run_body(run, closure, arguments, frame)
            run.functions.pop()
        return run.within(frame.result, before)
    finally:
        machine.calls -= 1
        run.active.pop()
        run.scope, machine.file, run.this, run.targets, run.tree = kept


def _run_body(run: Run, closure: Closure, arguments: Arguments, frame: Frame) -> None:
    node = closure.node
    _bind_parameters(run, closure, arguments)
    body = node.field("body")
    if body is None:
        return
    if body.kind == "statement_block":
        run.execute(body)
    else:
        run.machine.leave(frame, value=run.evaluate(body))


def _bind_parameters(run: Run, closure: Closure, arguments: Arguments) -> None:
    single = closure.node.field("parameter")
    parameters = closure.node.field("parameters")
    nodes = [single] if single is not None else [] if parameters is None else parameters.named
    for at, parameter in enumerate(nodes):
        if parameter.kind == "rest_pattern":
            rest = Array(arguments.entries[at:])
            bind(run, parameter.named[0], run.new(rest), declare=True)
            return
        bind(run, parameter, arguments.at(at) or run.undefined, declare=True)


def method(run: Run, receiver: Value, name: str, arguments: Arguments) -> Value:
    """`receiver.name(...)`."""
    run.machine.spend()
    return run.each(receiver, lambda content: method_of(run, content, name, arguments))


def method_of(run: Run, content: Content, name: str, arguments: Arguments) -> Value:
    """Calls a method of one content."""
    if content is UNDEFINED or content is None:
        return run.undefined
    if isinstance(content, Module):
        return _module_method(run, content, name, arguments)
    if isinstance(content, Closure | Native):
        return _function_method(run, content, name, arguments)
    if isinstance(content, Reference):
        return _reference_method(run, content, name, arguments)
    if name in ("then", "catch", "finally"):
        return settled_promise(run, content, name, arguments)
    if isinstance(content, Located):
        return _located_method(run, content, name, arguments)
    if isinstance(content, Pattern):
        return _pattern_method(run, content, name, arguments)
    if isinstance(content, Matched):
        return (
            array_methods.METHODS[name](run, content, elements(run, content), arguments)
            if (name in array_methods.METHODS)
            else run.undefined
        )
    return _text_method(run, content, name, arguments)


def _module_method(run: Run, content: Module, name: str, arguments: Arguments) -> Value:
    found = content.member(run, name, arguments.node)
    if found is None:
        if name in ("then", "catch", "finally"):
            return settled_promise(run, content, name, arguments)
        return unknown_call(run, f"{content.name}.{name}", run.undefined, arguments)
    return call(run, found, arguments._replace(this=run.value(content)))


def settled_promise(run: Run, content: Content, name: str, arguments: Arguments) -> Value:
    """`then` and its like on a value that is taken to be there already."""
    function = arguments.at(0)
    if function is None or name == "catch":
        return run.value(content)
    if name == "finally":
        call(run, function, Arguments((), arguments.node))
        return run.value(content)
    return call(run, function, Arguments((Entry(run.universe.true, run.value(content)),), arguments.node))


def _function_method(run: Run, content: Closure | Native, name: str, arguments: Arguments) -> Value:
    if isinstance(content, Closure) and name in content.fields:
        return call(run, content.fields[name], arguments)
    rest = arguments._replace(entries=arguments.entries[1:], this=arguments.at(0))
    if name == "call":
        return call(run, run.value(content), rest)
    if name == "apply":
        spread = arrays.spread(run, arguments.at(1) or run.undefined)
        return call(run, run.value(content), rest._replace(entries=spread))
    if name == "bind":
        return run.value(content)
    return unknown_call(run, name, run.undefined, arguments)


def _reference_method(run: Run, content: Reference, name: str, arguments: Arguments) -> Value:
    cell = run.heap[content.number]
    if isinstance(cell, Array):
        known = array_methods.METHODS.get(name)
        if known is not None:
            return known(run, content, cell, arguments)
    else:
        if name in cell.entries:
            found = member_of(run, content, name, arguments.node)
            return call(run, found, arguments._replace(this=run.value(content)))
        own = maps.METHODS.get(name)
        if own is not None:
            return own(run, content, cell, arguments)
    if name in ("then", "catch", "finally"):
        return settled_promise(run, content, name, arguments)
    return unknown_call(run, name, run.value(content), arguments)


def _located_method(run: Run, content: Located, name: str, arguments: Arguments) -> Value:
    if isinstance(content, EventFile):
        if name in ("toString", "trim", "toLocaleString"):
            return run.value(content)
        whole = text(run, run.value(content))
        return whole.bind(lambda item: method_of(run, item, name, arguments))
    found = content.root.read(run, content.path, content.node)
    is_list = content.root.is_list(run, content.path)
    if is_list is None:
        is_list = all(not isinstance(c, Opaque) or c.shape == "list" for _, c in found.alternatives)
    if name in array_methods.METHODS and (is_list or name not in array_methods.BOTH):
        if all(c is UNDEFINED for _, c in found.alternatives):
            return run.undefined
        return array_methods.METHODS[name](run, content, elements(run, content), arguments)
    return run.each(resolved(run, found), lambda item: method_of(run, item, name, arguments))


def _pattern_method(run: Run, content: Pattern, name: str, arguments: Arguments) -> Value:
    subject = text(run, arguments.at(0) or run.undefined)
    if name == "test":
        return Value.boolean(subject.test(lambda item: tested(run, item, content)))
    if name == "exec":
        return subject.bind(lambda item: matched(run, item, content))
    return text(run, run.value(content)) if name == "toString" else run.undefined


def _text_method(run: Run, content: Content, name: str, arguments: Arguments) -> Value:
    if isinstance(content, Opaque) and content.shape in ("any", "list", "object"):
        listed = name in array_methods.METHODS and (content.shape == "list" or name not in array_methods.BOTH)
        if listed:
            return array_methods.METHODS[name](run, content, elements(run, content), arguments)
    if isinstance(content, float | bool) or (isinstance(content, Opaque) and content.shape == "number"):
        return _number_method(run, content, name, arguments)
    known = strings.METHODS.get(name)
    if known is not None and isinstance(content, str | Opaque | Text):
        return known(run, text(run, run.value(content)).single, arguments)
    if isinstance(content, Opaque) and _CONVERTED.match(name):
        # Dates and their like: what comes out is made of what went in.
        return run.blurred(name, [run.value(content), *arguments.values])
    return unknown_call(run, name, run.value(content), arguments)


def _number_method(run: Run, content: Content, name: str, arguments: Arguments) -> Value:
    if name in ("toString", "valueOf") and not arguments.entries:
        return text(run, run.value(content))
    if name == "toFixed" and isinstance(content, float):
        digits = arguments.at(0)
        wanted = digits.single if digits is not None and digits.is_single else 0.0
        return run.value(
            f"{content:.{int(wanted) if isinstance(wanted, float) and 0 <= wanted <= 20 else 0}f}"
        )
    return run.blurred(name, (run.value(content), *arguments.values))


def construct(run: Run, name: str, callee: Value | None, arguments: Arguments) -> Value:
    """`new Name(...)`."""
    true = run.universe.true
    first = arguments.at(0)
    if callee is not None and callee.is_single and isinstance(callee.single, Closure):
        return _construct_class(run, callee.single, arguments)
    if callee is not None and callee.is_single and isinstance(callee.single, Native):
        return call(run, callee, arguments)
    if name == "Set":
        entries = () if first is None else arrays.spread(run, first)
        return maps.new_set(run, entries)
    if name in ("Map", "WeakMap"):
        return maps.new_map(run, first, arguments.node)
    if name.endswith("Error"):
        message = run.value("") if first is None else text(run, first)
        return run.new(
            Record({"message": Entry(true, message), "name": Entry(true, run.value(name))}, None, "error")
        )
    if name == "RegExp":
        return maps.new_pattern(run, first, arguments.at(1))
    if name == "Array":
        return run.new(Array(arguments.entries if len(arguments.entries) != 1 else ()))
    if name == "Promise" and first is not None:
        return _promise(run, first, arguments)
    if name in ("Date", "URL", "URLSearchParams", "TextDecoder"):
        values = arguments.values
        return run.blurred(name, values) if values else run.value(_now(run, name))
    return unknown_call(run, f"new {name}", callee or run.undefined, arguments)


def _now(run: Run, name: str) -> Content:
    return observed(f"new {name}")


def _promise(run: Run, executor: Value, arguments: Arguments) -> Value:
    """A promise: what its executor resolves it with."""
    found = [run.undefined]

    def resolve(run: Run, given: Arguments) -> Value:
        found[0] = Value.choose(run.machine.live, given.at(0) or run.undefined, found[0])
        return run.undefined

    def reject(run: Run, given: Arguments) -> Value:
        throw(run, given.at(0) or run.undefined)
        return run.undefined

    true = run.universe.true
    handed = (
        Entry(true, run.value(Native("resolve", resolve))),
        Entry(true, run.value(Native("reject", reject))),
    )
    call(run, executor, Arguments(handed, arguments.node))
    return found[0]


def _construct_class(run: Run, closure: Closure, arguments: Arguments) -> Value:
    made = run.new(Record({}))
    body = closure.node.field("body")
    if closure.node.kind != "class_declaration" and closure.node.kind != "class":
        call(run, run.value(closure), arguments._replace(this=made))
        return made
    for part in body.named if body is not None else []:
        name = part.field("name") or part.field("property")
        if name is None:
            continue
        if part.kind == "method_definition":
            function = Closure(part, closure.scope, closure.file, made)
            if name.text == "constructor":
                call(run, run.value(function), arguments._replace(this=made))
            else:
                maps.set_field(run, made, name.text, run.value(function), part)
        elif part.kind == "field_definition":
            given = part.field("value")
            value = run.undefined if given is None else run.evaluate(given)
            maps.set_field(run, made, name.text, value, part)
    return made
