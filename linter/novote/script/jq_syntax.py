"""The syntax of jq programs as values."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Identity(NamedTuple):
    """The input itself: `.`."""


class Everything(NamedTuple):
    """The input and everything in it: `..`."""


class Literal(NamedTuple):
    """A number, `true`, `false` or `null`."""

    value: float | bool | None


class Text(NamedTuple):
    """A string with the programs that stand in it; `form` is the `@tsv` before it."""

    parts: tuple[str | Program, ...]
    form: str = ""


class Field(NamedTuple):
    """`of.name`, `of["name"]`, `of[key]`."""

    of: Program
    key: Program


class Slice(NamedTuple):
    """`of[start:end]`."""

    of: Program
    start: Program | None
    end: Program | None


class Items(NamedTuple):
    """`of[]`."""

    of: Program


class Attempt(NamedTuple):
    """`body?` and `try body catch handler`."""

    body: Program
    handler: Program | None = None


class Pipe(NamedTuple):
    """`left | right`."""

    left: Program
    right: Program


class Comma(NamedTuple):
    """`left, right`."""

    left: Program
    right: Program


class Operation(NamedTuple):
    """`left operator right`: arithmetic, comparison, `and`, `or`, `//`."""

    operator: str
    left: Program
    right: Program


class Negative(NamedTuple):
    """`-body`."""

    body: Program


class If(NamedTuple):
    """`if condition then body else otherwise end`."""

    condition: Program
    body: Program
    otherwise: Program


class ListOf(NamedTuple):
    """`[body]`."""

    body: Program | None


class ObjectOf(NamedTuple):
    """`{key: value}`."""

    entries: tuple[tuple[Program, Program], ...]


class Call(NamedTuple):
    """A function by its name, with its arguments."""

    name: str
    arguments: tuple[Program, ...] = ()


class Variable(NamedTuple):
    """`$name`."""

    name: str


class Bind(NamedTuple):
    """`source as $name | body`."""

    source: Program
    name: str
    body: Program


class Fold(NamedTuple):
    """`reduce` and `foreach source as $name (start; update; extract)`."""

    kind: str
    source: Program
    name: str
    start: Program
    update: Program
    extract: Program | None


class Format(NamedTuple):
    """`@tsv` alone."""

    name: str


class Definition(NamedTuple):
    """`def name(parameters): body; rest`."""

    name: str
    parameters: tuple[str, ...]
    body: Program
    rest: Program


Program: TypeAlias = (
    Identity | Everything | Literal | Text | Field | Slice | Items | Attempt | Pipe | Comma | Operation
    | Negative | If | ListOf | ObjectOf | Call | Variable | Bind | Fold | Format | Definition
)  # fmt: skip
