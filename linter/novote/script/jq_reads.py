"""Which parts of a document a program of jq reads, and which texts it compares them with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

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

Path: TypeAlias = tuple[str, ...]
_MAX_PATHS = 400
_MAX_LENGTH = 24
_MAX_STEPS = 20_000
_MAX_CALLS = 12
_NONE: frozenset[Path] = frozenset()


class Trace(NamedTuple):
    """Where a value comes from.

    `paths` are values of the document as they are, `made` those it was made of, `fields` the parts of an
    object or array that the program itself built (`*` for items).
    """

    paths: frozenset[Path] = _NONE
    made: frozenset[Path] = _NONE
    fields: Mapping[str, Trace] = {}

    def everything(self) -> frozenset[Path]:
        """Every part of the document that is in the value."""
        return self.paths.union(self.made, *(field.everything() for field in self.fields.values()))

    def spent(self) -> Trace:
        """A value made of this one, of which no part is a part of the document any more."""
        return Trace(made=self.everything())

    def field(self, key: str) -> Trace:
        """A field of the value; `*` for an item, or one that is not known."""
        found = Trace(frozenset((*path, key)[:_MAX_LENGTH] for path in self.paths), self.made)
        for name, part in self.fields.items():
            if key in ("*", name) or name == "*":
                found = joined(found, part)
        return found


NOTHING = Trace()
WHOLE = Trace(frozenset({()}))


def joined(left: Trace, right: Trace) -> Trace:
    """Either of two values."""
    names = {**left.fields, **right.fields}
    fields = {
        name: joined(left.fields.get(name, NOTHING), right.fields.get(name, NOTHING))
        if name in left.fields and name in right.fields
        else part
        for name, part in names.items()
    }
    paths, made = left.paths | right.paths, left.made | right.made
    return WHOLE if len(paths) + len(made) > _MAX_PATHS else Trace(paths, made, fields)


class _Closure(NamedTuple):
    parameters: tuple[str, ...]
    body: Program
    variables: Mapping[str, Trace]
    closures: Mapping[tuple[str, int], _Closure]


class _Scope(NamedTuple):
    variables: Mapping[str, Trace] = {}
    closures: Mapping[tuple[str, int], _Closure] = {}


_SAME = {
    "sort", "unique", "reverse", "flatten", "values", "nulls", "strings", "numbers", "booleans", "arrays",
    "objects", "iterables", "scalars", "to_array", "del", "debug", "sort_by", "unique_by", "select", "limit",
    "walk", "delpaths", "with_entries", "map_values", "recurse", "until", "while", "repeat", "first", "last",
    "min", "max", "min_by", "max_by", "add", "nth", "group_by",
}  # fmt: skip
_ITEM = {"first", "last", "min", "max", "min_by", "max_by", "add", "nth"}
_NO_READ = {"empty", "input_filename", "now", "env", "null", "input_line_number", "halt", "range"}


class _Reader:
    def __init__(self) -> None:
        self.read: set[Path] = set()
        self.steps = 0
        self.calls = 0

    def use(self, trace: Trace) -> None:
        """Notes that a condition or an error depends on a value."""
        self.read |= trace.everything()

    def trace(self, program: Program | None, value: Trace, scope: _Scope) -> Trace:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            self.read.add(())
            return WHOLE
        match program:
            case Identity():
                return value
            case Everything():
                return Trace(value.paths, value.everything())
            case Field(of, key):
                return self.field(of, key, value, scope)
            case Slice(of, start, end):
                for bound in (start, end):
                    self.use(self.trace(bound, value, scope))
                return self.trace(of, value, scope)
            case Items(of):
                return self.trace(of, value, scope).field("*")
            case Pipe(left, right):
                return self.trace(right, self.trace(left, value, scope), scope)
            case Comma(left, right):
                return joined(self.trace(left, value, scope), self.trace(right, value, scope))
            case Variable(name):
                return scope.variables.get(name, NOTHING)
            case Call():
                return self.call(program, value, scope)
            case ObjectOf(entries):
                return self.object(entries, value, scope)
            case ListOf(body):
                return NOTHING if body is None else Trace(fields={"*": self.trace(body, value, scope)})
        return self.composed(program, value, scope)

    def composed(self, program: Program | None, value: Trace, scope: _Scope) -> Trace:
        match program:
            case Operation(operator, left, right):
                found = joined(self.trace(left, value, scope), self.trace(right, value, scope))
                return found if operator in ("//", "+") else found.spent()
            case If(condition, body, otherwise):
                self.use(self.trace(condition, value, scope))
                return joined(self.trace(body, value, scope), self.trace(otherwise, value, scope))
            case Attempt(body, handler):
                found = self.trace(body, value, scope)
                return found if handler is None else joined(found, self.trace(handler, found.spent(), scope))
            case Text(parts):
                found = NOTHING
                for part in parts:
                    found = found if isinstance(part, str) else joined(found, self.trace(part, value, scope))
                return found.spent()
            case Negative(body):
                return self.trace(body, value, scope).spent()
            case Format():
                return value.spent()
            case Bind(source, name, body):
                bound = self.trace(source, value, scope)
                return self.trace(body, value, scope._replace(variables={**scope.variables, name: bound}))
            case Fold():
                return self.fold(program, value, scope)
            case Definition(name, parameters, body, rest):
                own = _Closure(parameters, body, scope.variables, scope.closures)
                closures = {**scope.closures, (name, len(parameters)): own}
                return self.trace(rest, value, scope._replace(closures=closures))
        return NOTHING

    def field(self, of: Program, key: Program, value: Trace, scope: _Scope) -> Trace:
        whole = self.trace(of, value, scope)
        name = _written_out(key)
        if name is not None:
            return whole.field(name)
        self.use(self.trace(key, value, scope))
        return whole.field("*")

    def object(self, entries: tuple[tuple[Program, Program], ...], value: Trace, scope: _Scope) -> Trace:
        fields: dict[str, Trace] = {}
        for key, content in entries:
            name = _written_out(key)
            if name is None:
                self.use(self.trace(key, value, scope))
                name = "*"
            fields[name] = joined(fields.get(name, NOTHING), self.trace(content, value, scope))
        return Trace(fields=fields)

    def fold(self, program: Fold, value: Trace, scope: _Scope) -> Trace:
        item = self.trace(program.source, value, scope)
        inner = scope._replace(variables={**scope.variables, program.name: item})
        state = self.trace(program.start, value, scope)
        for _ in range(2):
            state = joined(state, self.trace(program.update, state, inner))
        return state if program.extract is None else self.trace(program.extract, state, inner)

    def call(self, program: Call, value: Trace, scope: _Scope) -> Trace:
        closure = scope.closures.get((program.name, len(program.arguments)))
        if closure is not None:
            return self.closed(closure, program, value, scope)
        name, arguments = program.name, program.arguments
        if name == "map":
            return Trace(fields={"*": self.trace(arguments[0], value.field("*"), scope)})
        if name in ("any", "all") or (name == "isempty" and arguments):
            return self.quantified(name, arguments, value, scope)
        if name == "has" and arguments:
            return self.field(Identity(), arguments[0], value, scope).spent()
        if name == "to_entries":
            entry = {"key": value.spent(), "value": value.field("*")}
            return Trace(fields={"*": Trace(fields=entry)})
        if name in _NO_READ:
            for argument in arguments:
                self.use(self.trace(argument, value, scope))
            return NOTHING
        if name == "error" and not arguments:
            self.use(value)
        if name in _SAME:
            return self.kept(name, arguments, value, scope)
        found = NOTHING if name == "error" else value.spent()
        for argument in arguments:
            found = joined(found, self.trace(argument, value, scope).spent())
        return found

    def quantified(self, name: str, arguments: tuple[Program, ...], value: Trace, scope: _Scope) -> Trace:
        if name == "isempty":
            return self.trace(arguments[0], value, scope).spent()
        items = self.trace(arguments[0], value, scope) if len(arguments) == 2 else value.field("*")
        return (self.trace(arguments[-1], items, scope) if arguments else items).spent()

    def kept(self, name: str, arguments: tuple[Program, ...], value: Trace, scope: _Scope) -> Trace:
        """Functions that hand on some of what they are given, chosen by their arguments."""
        if name in ("first", "last", "add", "limit", "until", "repeat") and arguments:
            for argument in arguments[:-1]:
                self.use(self.trace(argument, value, scope))
            return joined(self.trace(arguments[-1], value, scope), NOTHING)
        over = value if name in ("select", "nth", "recurse", "walk", "while", "del") else value.field("*")
        if name == "with_entries":
            over = Trace(fields={"key": value.spent(), "value": value.field("*")})
        for argument in arguments:
            found = self.trace(argument, over, scope)
            if name in ("with_entries", "map_values", "recurse", "walk"):
                value = Trace(value.paths, value.made | found.everything(), value.fields)
            elif name != "del":
                self.use(found)
        if name in _ITEM:
            return value.field("*")
        if name in ("flatten", "recurse", "walk"):
            return Trace(value.paths, value.everything(), value.fields)
        return Trace(fields={"*": value}) if name == "group_by" else value

    def closed(self, closure: _Closure, program: Call, value: Trace, scope: _Scope) -> Trace:
        if self.calls >= _MAX_CALLS:
            self.read.add(())
            return WHOLE
        key = program.name, len(program.arguments)
        closures = {**closure.closures, key: closure} if program.arguments else dict(closure.closures)
        variables = dict(closure.variables)
        for name, argument in zip(closure.parameters, program.arguments, strict=True):
            bare = name.removeprefix("$")
            closures[bare, 0] = _Closure((), argument, scope.variables, scope.closures)
            if bare != name:
                variables[bare] = self.trace(argument, value, scope)
        self.calls += 1
        found = self.trace(closure.body, value, _Scope(variables, closures))
        self.calls -= 1
        return found


def _written_out(key: Program) -> str | None:
    """The text of a key that no program has a part in; None for any other."""
    parts = key.parts if isinstance(key, Text) else ()
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else None


def reads(program: Program) -> frozenset[Path]:
    """The paths of a document whose content reaches the output or a condition; `*` for any item or key.

    The empty path stands for the whole document. Bounded: a program of too many paths reads the whole.
    """
    reader = _Reader()
    try:
        reader.use(reader.trace(program, WHOLE, _Scope()))
    except RecursionError:
        return frozenset({()})
    return frozenset({()}) if len(reader.read) > _MAX_PATHS or () in reader.read else frozenset(reader.read)


_TESTS = {
    "test", "match", "contains", "startswith", "endswith", "index", "rindex", "indices", "inside", "IN", "in",
    "has", "capture", "scan", "splits", "ltrimstr", "rtrimstr",
}  # fmt: skip
_FLAGGED = {"test", "match", "capture", "scan", "splits"}
_COMPARED = ("==", "!=", "<", "<=", ">", ">=")


def literals(program: Program) -> tuple[str, ...]:
    """The texts that values are compared with or tested for, in the order in which they stand."""
    return tuple(_compared(program))


def _compared(program: Program) -> Iterator[str]:
    match program:
        case Operation(operator, left, right) if operator in _COMPARED:
            for side in (left, right):
                yield from _texts(side) if _constant(side) else _compared(side)
        case Call(name, arguments) if name in _TESTS:
            # NOTE: what follows the first argument are flags of a regular expression.
            for argument in arguments[:1] if name in _FLAGGED else arguments:
                yield from _texts(argument) if _constant(argument) else _compared(argument)
        case Pipe(left, Call(name, _) as right) if name in ("inside", "IN", "in") and _constant(left):
            yield from _texts(left)
            yield from _compared(right)
        case _:
            for child in _children(program):
                yield from _compared(child)


def _constant(program: Program) -> bool:
    """Whether a program is made of texts alone, as `"a"`, `("a", "b")` and `["a"]` are."""
    match program:
        case Text(parts):
            return all(isinstance(part, str) for part in parts)
        case Comma(left, right):
            return _constant(left) and _constant(right)
        case ListOf(body):
            return body is not None and _constant(body)
        case Items(of):
            return _constant(of)
        case ObjectOf(entries):
            return all(_constant(value) for _, value in entries)
    return isinstance(program, Literal)


def _texts(program: Program) -> Iterator[str]:
    if isinstance(program, Text):
        yield "".join(part for part in program.parts if isinstance(part, str))
        return
    children = (
        (value for _, value in program.entries) if isinstance(program, ObjectOf) else _children(program)
    )
    for child in children:
        yield from _texts(child)


def _children(parts: tuple[object, ...]) -> Iterator[Program]:
    """The programs that stand in another one, which is a tuple of its parts."""
    for part in parts:
        if isinstance(part, Program):
            yield part
        elif isinstance(part, tuple):
            yield from _children(part)
