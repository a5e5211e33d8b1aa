"""Expressions of JavaScript, each evaluated once where control is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Opaque, Value
from novote.expr.combine import bounded
from novote.script.javascript import arrays, calls, holes, literals, operators
from novote.script.javascript.attempts import attempt
from novote.script.javascript.bindings import bind
from novote.script.javascript.coerce import kind_of, missing, number, resolved, truth
from novote.script.javascript.members import has, member, removed, subscript
from novote.script.javascript.state import MAX_DEPTH, Run
from novote.script.javascript.values import (
    UNDEFINED,
    Arguments,
    Closure,
    Entry,
    Located,
    Native,
)
from novote.script.machine import TooMuch
from novote.script.parse import Node

Handler = Callable[[Run, Node], Value]
_FUNCTIONS: Final = (
    "arrow_function", "function_expression", "function_declaration", "function", "generator_function",
    "generator_function_declaration", "class", "class_declaration", "method_definition",
)  # fmt: skip


def evaluate(run: Run, node: Node) -> Value:
    """The value of an expression; what is not understood is unknown, with what its parts say."""
    run.machine.spend()
    run.depth += 1
    if run.depth > MAX_DEPTH:
        raise TooMuch("the script is nested too deeply to be followed")
    try:
        if node.kind in _FUNCTIONS:
            return run.value(Closure(node, run.scope, run.machine.file, run.this))
        handler = _HANDLERS.get(node.kind)
        if handler is None:
            return run.blurred(node.kind, [run.evaluate(child) for child in node.named], unknown=True)
        return handler(run, node)
    finally:
        run.depth -= 1


def _child(node: Node, name: str) -> Node:
    found = node.field(name)
    return node.named[0] if found is None else found


def _first(run: Run, node: Node) -> Value:
    return run.evaluate(node.named[0]) if node.named else run.undefined


def _identifier(run: Run, node: Node) -> Value:
    name = node.text
    filled = holes.value_of(run, node)
    if filled is not None:
        return filled
    found = run.lookup(name)
    if found is not None:
        return found
    known = run.define(name)
    return run.blurred(name, (), unknown=True) if known is None else known


def _member(run: Run, node: Node) -> Value:
    subject, name = node.field("object"), node.field("property")
    if subject is None or name is None:
        return run.undefined
    return member(run, run.evaluate(subject), name.text, node)


def _subscript(run: Run, node: Node) -> Value:
    subject, index = node.field("object"), node.field("index")
    if subject is None or index is None:
        return run.undefined
    value = run.evaluate(subject)
    return subscript(run, value, run.evaluate(index), node)


def _call(run: Run, node: Node) -> Value:
    function, given = _child(node, "function"), node.field("arguments")
    while function.kind == "parenthesized_expression" and function.named:
        function = function.named[0]
    if function.kind == "import":
        function_value = run.define("require") or run.undefined
        return calls.call(run, function_value, _arguments(run, node, given))
    if function.kind == "identifier" and function.text == "await" and given is not None:
        # Where nothing says that a function is around, `await (x)` looks like a call.
        return _sequence(run, given)
    if given is not None and given.kind == "template_string":
        return run.blurred("tagged", (run.evaluate(given),), unknown=True)
    if function.kind in ("member_expression", "subscript_expression"):
        return _method_call(run, node, function, given)
    callee = run.evaluate(function)
    return calls.call(run, callee, _arguments(run, node, given))


def _arguments(run: Run, node: Node, given: Node | None) -> Arguments:
    return Arguments(() if given is None else literals.listed(run, given), node)


def _method_call(run: Run, node: Node, function: Node, given: Node | None) -> Value:
    subject = _child(function, "object")
    name = function.field("property")
    if name is not None and name.text == "catch" and subject.kind in ("call_expression", "await_expression"):
        return _catching(run, node, subject, given)
    receiver = run.evaluate(subject)
    if function.kind == "subscript_expression":
        index = run.evaluate(_child(function, "index"))
        return calls.call(run, subscript(run, receiver, index, node), _arguments(run, node, given))
    arguments = _arguments(run, node, given)
    return calls.method(run, receiver, "" if name is None else name.text, arguments)


def _catching(run: Run, node: Node, subject: Node, given: Node | None) -> Value:
    """`promise.catch(handler)`: what was thrown goes to the handler."""
    found = [run.undefined]

    def body() -> None:
        found[0] = run.evaluate(subject)

    def handler(thrown: Value) -> None:
        arguments = _arguments(run, node, given)
        function = arguments.at(0) or run.undefined
        live = run.machine.live
        entry = Entry(run.universe.true, thrown)
        instead = calls.call(run, function, Arguments((entry,), node))
        found[0] = Value.choose(live, instead, found[0])

    attempt(run, node, body, handler)
    return found[0]


def _new(run: Run, node: Node) -> Value:
    constructor = _child(node, "constructor")
    given = _arguments(run, node, node.field("arguments"))
    callee = run.lookup(constructor.text) if constructor.kind == "identifier" else run.evaluate(constructor)
    name = constructor.text if constructor.kind == "identifier" else constructor.text.rpartition(".")[2]
    return calls.construct(run, name, callee, given)


def _unary(run: Run, node: Node) -> Value:
    sign, argument = _child(node, "operator").text, node.field("argument")
    if argument is None:
        return run.undefined
    if sign == "typeof":
        return _typeof(run, argument)
    if sign == "delete":
        _delete(run, argument)
        return run.value(True)
    value = run.evaluate(argument)
    if sign == "!":
        return Value.boolean(~truth(run, value))
    if sign == "void":
        return run.undefined
    if sign == "+":
        return number(run, value)
    if sign == "-":
        return operators.computed(run, "-", run.value(0.0), value)
    return operators.computed(run, "^", value, run.value(-1.0))


def _typeof(run: Run, argument: Node) -> Value:
    if (
        argument.kind == "identifier"
        and run.lookup(argument.text) is None
        and run.define(argument.text) is None
    ):
        return run.value("undefined")
    value = run.evaluate(argument)

    def one(content: Content) -> Value:
        if isinstance(content, Located) and content.path[-1:] == ("*",):
            return run.value("object")
        return resolved(run, run.value(content)).map(
            lambda item: kind_of(run, item) or run.blurred("typeof", (run.value(item),)).single
        )

    return value.bind(one)


def _delete(run: Run, argument: Node) -> None:
    subject = argument.field("object")
    name, index = argument.field("property"), argument.field("index")
    if subject is None:
        return
    key = (
        run.value(name.text) if name is not None else run.undefined if index is None else run.evaluate(index)
    )
    removed(run, run.evaluate(subject), key)


def _binary(run: Run, node: Node) -> Value:
    sign = _child(node, "operator").text
    left, right = _child(node, "left"), _child(node, "right")
    if sign in ("&&", "||", "??"):
        return logical(run, sign, run.evaluate(left), lambda: run.evaluate(right), node)
    one = run.evaluate(left) if left.kind != "private_property_identifier" else run.undefined
    return operated(run, sign, one, run.evaluate(right))


def operated(run: Run, sign: str, one: Value, other: Value) -> Value:
    """Two values put together by an operator."""
    if sign in ("===", "=="):
        return Value.boolean(operators.equal(run, one, other, sign == "==="))
    if sign in ("!==", "!="):
        return Value.boolean(~operators.equal(run, one, other, sign == "!=="))
    if sign in operators.ORDER:
        return Value.boolean(operators.ordered(run, sign, one, other))
    if sign == "+":
        return operators.added(run, one, other)
    if sign == "in":
        return Value.boolean(bounded(other.test(lambda content: has(run, content, one))))
    if sign == "instanceof":
        return _instance(run, one, other)
    return operators.computed(run, sign, one, other)


def _instance(run: Run, one: Value, other: Value) -> Value:
    names = [content.name for _, content in other.alternatives if isinstance(content, Native)]
    if names == ["Array"]:
        return one.map(lambda content: arrays.is_list(run, content))
    if names == ["Error"]:
        return one.map(lambda content: content is not UNDEFINED)
    return run.blurred("instanceof", (one,))


def logical(run: Run, sign: str, one: Value, other: Callable[[], Value], node: Node) -> Value:
    """`&&`, `||` and `??`: the right side where the left one does not settle it."""
    if sign == "??":
        goes_on = bounded(one.test(lambda content: missing(run, content)))
    else:
        goes_on = truth(run, one)
        goes_on = ~goes_on if sign == "||" else goes_on
    if goes_on.is_false:
        return one
    second = _on_side(run, goes_on, other, node)
    if sign != "&&" and second.is_single and second.single == "":
        kept = _with_empty(run, one)
        if kept is not None:
            return kept
    return Value.choose(goes_on, second, one)


def _on_side(run: Run, goes_on: Cond, other: Callable[[], Value], node: Node) -> Value:
    found = [run.undefined]

    def side() -> None:
        found[0] = other()

    if goes_on.is_true:
        side()
    else:
        run.branch(goes_on, node, side)
    return found[0]


def _with_empty(run: Run, one: Value) -> Value | None:
    """`x ?? ''` for text that is empty where there is none: the text itself."""
    found = resolved(run, one)

    def same(content: Content) -> Content:
        return "" if content is UNDEFINED or content is None else content

    if all(
        content is UNDEFINED or content is None or isinstance(content, str)
        or (isinstance(content, Opaque) and content.shape in ("string", "any"))
        for _, content in found.alternatives
    ):  # fmt: skip
        return found.map(same)
    return None


def _ternary(run: Run, node: Node) -> Value:
    test = _child(node, "condition")
    cond = truth(run, run.evaluate(test))
    found = [run.undefined, run.undefined]

    def then() -> None:
        found[0] = run.evaluate(_child(node, "consequence"))

    def other() -> None:
        found[1] = run.evaluate(_child(node, "alternative"))

    run.branch(cond, test, then, other)
    return Value.choose(cond, found[0], found[1])


def _assignment(run: Run, node: Node) -> Value:
    left = _child(node, "left")
    value = run.evaluate(_child(node, "right"))
    bind(run, left, value, declare=False)
    return value


def _augmented(run: Run, node: Node) -> Value:
    left, right = _child(node, "left"), _child(node, "right")
    sign = _child(node, "operator").text.removesuffix("=")
    old = run.evaluate(left)
    if sign in ("&&", "||", "??"):
        value = logical(run, sign, old, lambda: run.evaluate(right), node)
    else:
        value = operated(run, sign, old, run.evaluate(right))
    bind(run, left, value, declare=False)
    return value


def _update(run: Run, node: Node) -> Value:
    argument = _child(node, "argument")
    old = number(run, run.evaluate(argument))
    sign = "+" if "++" in node.text else "-"
    new = operators.computed(run, sign, old, run.value(1.0))
    bind(run, argument, new, declare=False)
    return new if re.match(r"\+\+|--", node.text) else old


def _sequence(run: Run, node: Node) -> Value:
    found = run.undefined
    for child in node.named:
        found = run.evaluate(child)
    return found


def _this(run: Run, node: Node) -> Value:
    return run.undefined if run.this is None else run.this


_HANDLERS: Final[dict[str, Handler]] = {
    "identifier": _identifier,
    "shorthand_property_identifier": _identifier,
    "number": literals.number_literal,
    "string": literals.string,
    "template_string": literals.template,
    "regex": literals.regex,
    "true": lambda run, _: run.value(True),
    "false": lambda run, _: run.value(False),
    "null": lambda run, _: run.value(None),
    "undefined": lambda run, _: run.undefined,
    "array": literals.array,
    "object": literals.object_literal,
    "member_expression": _member,
    "subscript_expression": _subscript,
    "call_expression": _call,
    "new_expression": _new,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "ternary_expression": _ternary,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _augmented,
    "update_expression": _update,
    "sequence_expression": _sequence,
    "parenthesized_expression": _first,
    "await_expression": _first,
    "yield_expression": _first,
    "this": _this,
}
