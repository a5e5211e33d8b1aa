"""The parts of a PowerShell script: what `statements.parsed` makes of its text.

Spans count code points of the script's text. A piece of plain text may hold placeholders of `${{ }}`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from novote.model import Span


class Constant(NamedTuple):
    """A number; `text` is how it is spelled, for a number that stands among a program's words."""

    value: float
    text: str
    span: Span


class Quoted(NamedTuple):
    """Text: plain pieces and what is filled in between them, in order. `bare` text stands without quotes."""

    parts: tuple[str | Expression, ...]
    bare: bool
    span: Span


class Variable(NamedTuple):
    """`$name` and `$scope:name`; the scope is lower-cased, `@name` is splatted."""

    scope: str
    name: str
    splatted: bool
    span: Span


class Unary(NamedTuple):
    """An operator before its operand: `-not`, `!`, `-join`, `-split`, `,`, `+`, `-`, `-bnot`."""

    operator: str
    operand: Expression
    span: Span


class Binary(NamedTuple):
    """Two operands; the operator is lower-cased, with its dash."""

    operator: str
    left: Expression
    right: Expression
    span: Span


class Ternary(NamedTuple):
    """`test ? then : other`."""

    test: Expression
    then: Expression
    other: Expression
    span: Span


class TypeName(NamedTuple):
    """`[name]`, lower-cased and without `System.`."""

    name: str
    span: Span


class Cast(NamedTuple):
    """`[type] operand`."""

    type: str
    operand: Expression
    span: Span


class Member(NamedTuple):
    """`target.name` and `[type]::name`."""

    target: Expression
    name: Expression
    span: Span


class Call(NamedTuple):
    """`target.name(arguments)` and `[type]::name(arguments)`."""

    target: Expression
    name: Expression
    arguments: tuple[Expression, ...]
    span: Span


class Index(NamedTuple):
    """`target[index]`."""

    target: Expression
    index: Expression
    span: Span


class Listed(NamedTuple):
    """`a, b, c`."""

    items: tuple[Expression, ...]
    span: Span


class Collected(NamedTuple):
    """`$( )`, `@( )` and `( )`: what the statements inside write; `kind` is `$`, `@` or empty."""

    kind: str
    body: tuple[Statement, ...]
    span: Span


class Hash(NamedTuple):
    """`@{ name = value }`."""

    entries: tuple[tuple[Expression, Statement], ...]
    span: Span


class Parameter(NamedTuple):
    """A parameter of a function or script: lower-cased name, type, and the value it has when it is not given."""

    name: str
    type: str
    default: Expression | None
    span: Span


class Block(NamedTuple):
    """`{ }`: a script block, the body of a function, or a whole script."""

    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    span: Span


class Assign(NamedTuple):
    """`target = value`, `target += value` and their like; `++` adds one."""

    target: Expression
    operator: str
    value: Statement
    span: Span


class Word(NamedTuple):
    """A word of a command: an argument, or a parameter's name (lower-cased) with what follows its colon."""

    argument: Expression | None
    parameter: str
    text: str
    span: Span


class Redirection(NamedTuple):
    """`> file`, `>> file`; `target` is None where a stream goes to another."""

    operator: str
    target: Expression | None
    span: Span


class Command(NamedTuple):
    """A command with its words, the name first; `called` is `&`, `.` or empty."""

    called: str
    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...]
    span: Span


class Shown(NamedTuple):
    """An expression that stands in a pipeline."""

    expression: Expression
    redirections: tuple[Redirection, ...]
    span: Span


class Pipeline(NamedTuple):
    """Elements, each reading what the one before it writes."""

    elements: tuple[Command | Shown, ...]
    span: Span


class Chain(NamedTuple):
    """`left && right` and `left || right`."""

    operator: str
    left: Statement
    right: Statement
    span: Span


class If(NamedTuple):
    """Conditions with their blocks, and what is done when none holds."""

    clauses: tuple[tuple[Statement, tuple[Statement, ...]], ...]
    other: tuple[Statement, ...]
    span: Span


class Switch(NamedTuple):
    """`switch`; a clause without a condition is the default. `mode` is `-wildcard`, `-regex` or empty."""

    mode: str
    cased: bool
    subject: Statement
    clauses: tuple[tuple[Expression | None, tuple[Statement, ...]], ...]
    span: Span


class Foreach(NamedTuple):
    """`foreach ($variable in items)`."""

    variable: Variable
    items: Statement
    body: tuple[Statement, ...]
    span: Span


class Loop(NamedTuple):
    """`for`, `while`, `do`; `first` runs before it, `step` after each round, `late` tests behind the body."""

    first: Statement | None
    test: Statement | None
    until: bool
    late: bool
    step: Statement | None
    body: tuple[Statement, ...]
    span: Span


class Function(NamedTuple):
    """`function name { }`."""

    name: str
    block: Block
    span: Span


class Flow(NamedTuple):
    """`return`, `exit`, `throw`, `break`, `continue`."""

    kind: str
    value: Statement | None
    span: Span


class Try(NamedTuple):
    """`try { } catch { } finally { }`; all catches count as one after the other."""

    body: tuple[Statement, ...]
    catches: tuple[tuple[Statement, ...], ...]
    last: tuple[Statement, ...]
    span: Span


class Group(NamedTuple):
    """Statements that stand where one is expected: `begin { }`, `process { }`."""

    body: tuple[Statement, ...]
    span: Span


class Broken(NamedTuple):
    """Text that is no PowerShell, or too deeply nested."""

    text: str
    span: Span


Expression: TypeAlias = (
    Constant
    | Quoted
    | Variable
    | Unary
    | Binary
    | Ternary
    | TypeName
    | Cast
    | Member
    | Call
    | Index
    | Listed
    | Collected
    | Hash
    | Block
    | Assign
)
Statement: TypeAlias = (
    Pipeline | Chain | Assign | If | Switch | Foreach | Loop | Function | Flow | Try | Group | Broken
)
