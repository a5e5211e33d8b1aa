"""Runs programs of jq over plain JSON values, with a bound on the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from novote.script import jq_functions as functions
from novote.script.jq_builtins import BUILTINS, DEFINED
from novote.script.jq_control import CONTROL, Outputs
from novote.script.jq_functions import Failure, JsonValue, TooMuch
from novote.script.jq_parser import parse
from novote.script.jq_syntax import (
    Attempt,
    Bind,
    Call,
    Comma,
    Definition,
    Everything,
    Field,
    Fold,
    Format,
    Identity,
    If,
    Items,
    ListOf,
    Literal,
    Negative,
    ObjectOf,
    Operation,
    Pipe,
    Program,
    Slice,
    Text,
    Variable,
)

MAX_STEPS = 50_000
MAX_DEPTH = 120


class Closure(NamedTuple):
    """A function or an argument, with the names it was written under; a `defined` one may call itself."""

    parameters: tuple[str, ...]
    body: Program
    variables: Mapping[str, JsonValue]
    closures: Mapping[tuple[str, int], Closure]
    defined: bool = False


class Scope(NamedTuple):
    """What names mean at one place."""

    variables: Mapping[str, JsonValue]
    closures: Mapping[tuple[str, int], Closure]


class Machine:
    """One run."""

    def __init__(self) -> None:
        self.steps = 0
        self.depth = 0

    def run(self, program: Program, document: JsonValue, arguments: Mapping[str, JsonValue]) -> Outputs:
        """The outputs of a program; raises Failure for its errors and TooMuch where it does too much."""
        return self.outputs(program, document, Scope({**arguments, "ENV": None}, {}))

    def spend(self) -> None:
        """Counts one step of work."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooMuch

    def outputs(self, program: Program, value: JsonValue, scope: Scope) -> Outputs:
        """What a program gives for one value."""
        self.spend()
        if self.depth >= MAX_DEPTH:
            raise TooMuch
        self.depth += 1
        try:
            yield from _HANDLERS[type(program)](self, program, value, scope)
        finally:
            self.depth -= 1

    def one(self, program: Program | None, value: JsonValue, scope: Scope) -> JsonValue:
        """The first output, null where there is none."""
        return None if program is None else next(self.outputs(program, value, scope), None)

    def call(self, program: Call, value: JsonValue, scope: Scope) -> Outputs:
        """A function: one that the program defines, an argument, or a built-in one."""
        key = program.name, len(program.arguments)
        closure = scope.closures.get(key)
        if closure is not None:
            yield from self.closed(closure, key, program, value, scope)
            return
        handler = CONTROL.get(key)
        if handler is not None:
            yield from handler(self, program.arguments, value, scope)
            return
        if key in DEFINED:
            body = DEFINED[key]
            names = ("f", "g")[: len(program.arguments)]
            own = Closure(names, _parsed(body), {}, {})
            yield from self.closed(own, key, program, value, scope)
            return
        function = BUILTINS.get(key)
        if function is None:
            raise TooMuch
        yield from self.applied(function, program.arguments, value, scope)

    def applied(
        self,
        function: Callable[..., JsonValue],
        arguments: tuple[Program, ...],
        value: JsonValue,
        scope: Scope,
    ) -> Outputs:
        """A function of values, for every combination of what its arguments give."""
        if not arguments:
            yield functions.bounded(function(value))
            return
        for last in self.outputs(arguments[-1], value, scope):
            if len(arguments) == 1:
                yield functions.bounded(function(value, last))
                continue
            bound = _with_last(function, last)
            yield from self.applied(bound, arguments[:-1], value, scope)

    def closed(
        self, closure: Closure, key: tuple[str, int], program: Call, value: JsonValue, scope: Scope
    ) -> Outputs:
        """The body of a function, with its arguments as closures of the caller."""
        closures = {**closure.closures, key: closure} if closure.defined else {**closure.closures}
        variables = dict(closure.variables)
        pending = []
        for name, argument in zip(closure.parameters, program.arguments, strict=True):
            if name.startswith("$"):
                pending.append((name[1:], argument))
            else:
                closures[name, 0] = Closure((), argument, scope.variables, scope.closures)
        yield from self.bound(pending, closure.body, value, scope, variables, closures)

    def bound(
        self,
        pending: list[tuple[str, Program]],
        body: Program,
        value: JsonValue,
        scope: Scope,
        variables: dict[str, JsonValue],
        closures: Mapping[tuple[str, int], Closure],
    ) -> Outputs:
        """The body for every value of the parameters that are variables."""
        if not pending:
            yield from self.outputs(body, value, Scope(variables, closures))
            return
        name, argument = pending[0]
        for found in self.outputs(argument, value, scope):
            inner = {**closures, (name, 0): Closure((), Variable(name), {name: found}, {})}
            yield from self.bound(pending[1:], body, value, scope, {**variables, name: found}, inner)


def _with_last(function: Callable[..., JsonValue], last: JsonValue) -> Callable[..., JsonValue]:
    return lambda *values: function(*values, last)


def _parsed(text: str) -> Program:
    found = parse(text)
    assert found is not None, text
    return found


def _text(machine: Machine, program: Text, value: JsonValue, scope: Scope) -> Outputs:
    shown = functions.FORMATS.get(program.form or "@text")
    if shown is None:
        raise TooMuch
    yield from _pieces(machine, program.parts, shown, value, scope)


def _pieces(
    machine: Machine,
    parts: tuple[str | Program, ...],
    shown: Callable[[JsonValue], str],
    value: JsonValue,
    scope: Scope,
) -> Iterator[str]:
    if not parts:
        yield ""
        return
    first = parts[0]
    found = [first] if isinstance(first, str) else [shown(v) for v in machine.outputs(first, value, scope)]
    for piece in found:
        for rest in _pieces(machine, parts[1:], shown, value, scope):
            yield cast(str, functions.bounded(piece + rest))


def _field(machine: Machine, program: Field, value: JsonValue, scope: Scope) -> Outputs:
    for key in machine.outputs(program.key, value, scope):
        for of in machine.outputs(program.of, value, scope):
            yield functions.field(of, key)


def _slice(machine: Machine, program: Slice, value: JsonValue, scope: Scope) -> Outputs:
    start = machine.one(program.start, value, scope)
    end = machine.one(program.end, value, scope)
    for of in machine.outputs(program.of, value, scope):
        yield functions.part(of, start, end)


def _items(machine: Machine, program: Items, value: JsonValue, scope: Scope) -> Outputs:
    for of in machine.outputs(program.of, value, scope):
        for item in functions.values_in(of):
            machine.spend()
            yield item


def _attempt(machine: Machine, program: Attempt, value: JsonValue, scope: Scope) -> Outputs:
    try:
        yield from machine.outputs(program.body, value, scope)
    except Failure as failure:
        if program.handler is not None:
            yield from machine.outputs(program.handler, failure.value, scope)


def _pipe(machine: Machine, program: Pipe, value: JsonValue, scope: Scope) -> Outputs:
    for left in machine.outputs(program.left, value, scope):
        yield from machine.outputs(program.right, left, scope)


def _comma(machine: Machine, program: Comma, value: JsonValue, scope: Scope) -> Outputs:
    yield from machine.outputs(program.left, value, scope)
    yield from machine.outputs(program.right, value, scope)


def _operation(machine: Machine, program: Operation, value: JsonValue, scope: Scope) -> Outputs:
    operator = program.operator
    if operator == "//":
        yield from _alternative(machine, program, value, scope)
        return
    if operator in ("and", "or"):
        for left in machine.outputs(program.left, value, scope):
            if functions.is_true(left) == (operator == "or"):
                yield operator == "or"
                continue
            for right in machine.outputs(program.right, value, scope):
                yield functions.is_true(right)
        return
    for right in machine.outputs(program.right, value, scope):
        for left in machine.outputs(program.left, value, scope):
            yield _combined(operator, left, right)


def _combined(operator: str, left: JsonValue, right: JsonValue) -> JsonValue:
    if operator == "+":
        return functions.added(left, right)
    if operator in ("-", "*", "/", "%"):
        return functions.calculated(operator, left, right)
    order = functions.compare(left, right)
    if operator in ("==", "!="):
        return (order == 0) == (operator == "==")
    return (
        (order < 0 and operator[0] == "<")
        or (order > 0 and operator[0] == ">")
        or (order == 0 and operator.endswith("="))
    )


def _alternative(machine: Machine, program: Operation, value: JsonValue, scope: Scope) -> Outputs:
    found = False
    try:
        for left in machine.outputs(program.left, value, scope):
            if functions.is_true(left):
                found = True
                yield left
    except Failure:
        pass
    if not found:
        yield from machine.outputs(program.right, value, scope)


def _negative(machine: Machine, program: Negative, value: JsonValue, scope: Scope) -> Outputs:
    for found in machine.outputs(program.body, value, scope):
        yield functions.calculated("-", 0.0, found)


def _if(machine: Machine, program: If, value: JsonValue, scope: Scope) -> Outputs:
    for condition in machine.outputs(program.condition, value, scope):
        branch = program.body if functions.is_true(condition) else program.otherwise
        yield from machine.outputs(branch, value, scope)


def _list(machine: Machine, program: ListOf, value: JsonValue, scope: Scope) -> Outputs:
    yield [] if program.body is None else list(machine.outputs(program.body, value, scope))


def _object(machine: Machine, program: ObjectOf, value: JsonValue, scope: Scope) -> Outputs:
    made: list[dict[str, JsonValue]] = [{}]
    for key, content in program.entries:
        names = list(machine.outputs(key, value, scope))
        contents = list(machine.outputs(content, value, scope))
        if len(made) * len(names) * len(contents) > functions.MAX_SIZE // 100:
            raise TooMuch
        made = [{**one, functions.text(name): item} for one in made for name in names for item in contents]
    yield from made


def _everything(machine: Machine, _: Everything, value: JsonValue, scope: Scope) -> Outputs:
    machine.spend()
    yield value
    if isinstance(value, list | dict):
        for item in functions.values_in(value):
            yield from _everything(machine, Everything(), item, scope)


def _variable(_: Machine, program: Variable, value: JsonValue, scope: Scope) -> Outputs:
    if program.name == "ENV" or program.name not in scope.variables:
        raise TooMuch
    yield scope.variables[program.name]


def _bind(machine: Machine, program: Bind, value: JsonValue, scope: Scope) -> Outputs:
    for found in machine.outputs(program.source, value, scope):
        inner = scope._replace(variables={**scope.variables, program.name: found})
        yield from machine.outputs(program.body, value, inner)


def _fold(machine: Machine, program: Fold, value: JsonValue, scope: Scope) -> Outputs:
    state = machine.one(program.start, value, scope)
    for found in machine.outputs(program.source, value, scope):
        inner = scope._replace(variables={**scope.variables, program.name: found})
        for update in machine.outputs(program.update, state, inner):
            state = update
            if program.kind == "foreach":
                yield from machine.outputs(program.extract or Identity(), state, inner)
    if program.kind == "reduce":
        yield state


def _format(_: Machine, program: Format, value: JsonValue, __: Scope) -> Outputs:
    if program.name not in functions.FORMATS:
        raise TooMuch
    yield functions.FORMATS[program.name](value)


def _definition(machine: Machine, program: Definition, value: JsonValue, scope: Scope) -> Outputs:
    own = Closure(program.parameters, program.body, scope.variables, scope.closures, defined=True)
    closures = {**scope.closures, (program.name, len(program.parameters)): own}
    yield from machine.outputs(program.rest, value, scope._replace(closures=closures))


_HANDLERS: Mapping[type, Callable[[Machine, Any, JsonValue, Scope], Outputs]] = {
    Identity: lambda _, __, value, ___: iter((value,)),
    Literal: lambda _, program, __, ___: iter((program.value,)),
    Everything: _everything, Text: _text, Field: _field, Slice: _slice, Items: _items, Attempt: _attempt,
    Pipe: _pipe, Comma: _comma, Operation: _operation, Negative: _negative, If: _if, ListOf: _list,
    ObjectOf: _object, Call: Machine.call, Variable: _variable, Bind: _bind, Fold: _fold, Format: _format,
    Definition: _definition,
}  # fmt: skip
