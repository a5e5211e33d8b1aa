"""The parts of a PowerShell script: what `statements.parsed` makes of its text.

Spans count code points of the script's text. A piece of plain text may hold placeholders of `${{ }}`.
"""

from __future__ import annotations

from typing import TypeAlias

from novote.model import Span
from novote.record import record


@record
class Constant:
    """A number; `text` is how it is spelled, for a number that stands among a program's words."""

    value: float
    text: str
    span: Span


@record
class Quoted:
    """Text: plain pieces and what is filled in between them, in order. `bare` text stands without quotes."""

    parts: tuple[str | Expression, ...]
    bare: bool
    span: Span


@record
class Variable:
    """`$name` and `$scope:name`; the scope is lower-cased, `@name` is splatted."""

    scope: str
    name: str
    splatted: bool
    span: Span


@record
class Unary:
    """An operator before its operand: `-not`, `!`, `-join`, `-split`, `,`, `+`, `-`, `-bnot`."""

    operator: str
    operand: Expression
    span: Span


@record
class Binary:
    """Two operands; the operator is lower-cased, with its dash."""

    operator: str
    left: Expression
    right: Expression
    span: Span


@record
class Ternary:
    """`test ? then : other`."""

    test: Expression
    then: Expression
    other: Expression
    span: Span


@record
class TypeName:
    """`[name]`, lower-cased and without `System.`."""

    name: str
    span: Span


@record
class Cast:
    """`[type] operand`."""

    type: str
    operand: Expression
    span: Span


@record
class Member:
    """`target.name` and `[type]::name`."""

    target: Expression
    name: Expression
    span: Span


@record
class Call:
    """`target.name(arguments)` and `[type]::name(arguments)`."""

    target: Expression
    name: Expression
    arguments: tuple[Expression, ...]
    span: Span


@record
class Index:
    """`target[index]`."""

    target: Expression
    index: Expression
    span: Span


@record
class Listed:
    """`a, b, c`."""

    items: tuple[Expression, ...]
    span: Span


@record
class Collected:
    """`$( )`, `@( )` and `( )`: what the statements inside write; `kind` is `$`, `@` or empty."""

    kind: str
    body: tuple[Statement, ...]
    span: Span


@record
class Hash:
    """`@{ name = value }`."""

    entries: tuple[tuple[Expression, Statement], ...]
    span: Span


@record
class Parameter:
    """A parameter of a function or script: lower-cased name, type, and the value when it is not given."""

    name: str
    type: str
    default: Expression | None
    span: Span


@record
class Block:
    """`{ }`: a script block, the body of a function, or a whole script."""

    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    span: Span


@record
class Assign:
    """`target = value`, `target += value` and their like; `++` adds one."""

    target: Expression
    operator: str
    value: Statement
    span: Span


@record
class Word:
    """A word of a command: an argument, or a parameter's name (lower-cased) with what follows its colon."""

    argument: Expression | None
    parameter: str
    text: str
    span: Span


@record
class Redirection:
    """`> file`, `>> file`; `target` is None where a stream goes to another."""

    operator: str
    target: Expression | None
    span: Span


@record
class Command:
    """A command with its words, the name first; `called` is `&`, `.` or empty."""

    called: str
    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...]
    span: Span


@record
class Shown:
    """An expression that stands in a pipeline."""

    expression: Expression
    redirections: tuple[Redirection, ...]
    span: Span


@record
class Pipeline:
    """Elements, each reading what the one before it writes."""

    elements: tuple[Command | Shown, ...]
    span: Span


@record
class Chain:
    """`left && right` and `left || right`."""

    operator: str
    left: Statement
    right: Statement
    span: Span


@record
class If:
    """Conditions with their blocks, and what is done when none holds."""

    clauses: tuple[tuple[Statement, tuple[Statement, ...]], ...]
    other: tuple[Statement, ...]
    span: Span


@record
class Switch:
    """`switch`; a clause without a condition is the default. `mode` is `-wildcard`, `-regex` or empty."""

    mode: str
    cased: bool
    subject: Statement
    clauses: tuple[tuple[Expression | None, tuple[Statement, ...]], ...]
    span: Span


@record
class Foreach:
    """`foreach ($variable in items)`."""

    variable: Variable
    items: Statement
    body: tuple[Statement, ...]
    span: Span


@record
class Loop:
    """`for`, `while`, `do`; `first` runs before it, `step` after each round, `late` tests behind the body."""

    first: Statement | None
    test: Statement | None
    until: bool
    late: bool
    step: Statement | None
    body: tuple[Statement, ...]
    span: Span


@record
class Function:
    """`function name { }`."""

    name: str
    block: Block
    span: Span


@record
class Flow:
    """`return`, `exit`, `throw`, `break`, `continue`."""

    kind: str
    value: Statement | None
    span: Span


@record
class Try:
    """`try { } catch { } finally { }`; all catches count as one after the other."""

    body: tuple[Statement, ...]
    catches: tuple[tuple[Statement, ...], ...]
    last: tuple[Statement, ...]
    span: Span


@record
class Group:
    """Statements that stand where one is expected: `begin { }`, `process { }`."""

    body: tuple[Statement, ...]
    span: Span


@record
class Broken:
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
