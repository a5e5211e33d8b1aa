"""Evaluates the expressions of PowerShell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr.combine import combine, combine_values
from novote.record import changed
from novote.script.machine import TooMuch
from novote.script.powershell import members, operators
from novote.script.powershell.content import as_many, as_text, is_array, items_of, present, truth_of
from novote.script.powershell.session import Session
from novote.script.powershell.statics import match_table, static
from novote.script.powershell.syntax import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Collected,
    Constant,
    Expression,
    Hash,
    Index,
    Listed,
    Member,
    Pipeline,
    Quoted,
    Shown,
    Statement,
    Ternary,
    TypeName,
    Unary,
    Variable,
)
from novote.script.text import join_values, joined, literal, observed

MAX_DEPTH: Final = 70
"""Expressions nest this deep, functions that are called included."""

_CHANGING: Final = frozenset({"add", "addrange", "remove", "append", "appendline", "enqueue", "push"})


def evaluate(session: Session, node: Expression) -> Value:
    """The value of an expression where control is."""
    session.machine.spend()
    session.depth += 1
    if session.depth > MAX_DEPTH:
        raise TooMuch("the script nests too deeply")
    try:
        return _EVALUATED[type(node)](session, node)
    finally:
        session.depth -= 1


def condition(session: Session, node: Expression) -> Cond:
    """Where an expression counts as true."""
    return truth_of(evaluate(session, node))


def _constant(session: Session, node: Constant) -> Value:
    return session.value(node.value)


def _quoted(session: Session, node: Quoted) -> Value:
    parts: list[Value] = []
    for part in node.parts:
        value = session.filled(part) if isinstance(part, str) else evaluate(session, part)
        parts.append(session.texts(value))
    return join_values(session.universe, parts) if parts else session.value("")


_CONSTANTS: Final[dict[str, Content]] = {"true": True, "false": False, "null": None}
_OBSERVED: Final = frozenset(
    {
        "iswindows",
        "islinux",
        "ismacos",
        "iscoreclr",
        "psversiontable",
        "pid",
        "host",
        "psedition",
        "pshome",
        "error",
    }
)


def variable(session: Session, node: Variable) -> Value:
    """What a variable holds; an expression right behind its name is read as text behind it."""
    own = next(iter(session.source.pieces(node.name)), node.name)
    if isinstance(own, str) and own != node.name:
        values = (variable(session, changed(node, name=own)), session.filled(node.name[len(own) :]))
        return combine(values, session.universe, lambda u, p: joined(u, [as_text(u, part) for part in p]))
    name = node.name.lower()
    if node.scope == "env":
        return session.environment(node.name, node.span)
    if name.startswith("zq") and session.source.expressions:
        text = session.filled(node.name)
        return combine((text,), session.universe, lambda u, p: _spelled(p[0]))
    if name in _CONSTANTS and not node.scope:
        return session.value(_CONSTANTS[name])
    found = session.get(node.scope, name)
    if found is not None:
        return found
    if name == "?":
        return Value.boolean(session.succeeded())
    if name == "psscriptroot":
        folder = session.machine.file.rpartition("/")[0]
        return session.value(f"//novote/GITHUB_WORKSPACE/{folder}" if folder else "//novote/GITHUB_WORKSPACE")
    if name in _OBSERVED:
        return session.value(observed(f"${node.name}"))
    if name in ("pwd", "home"):
        return session.environment("GITHUB_WORKSPACE" if name == "pwd" else "HOME", node.span)
    if session.blind:
        return session.unknown(f"${node.name}")
    return session.value(None)


def _spelled(content: Content) -> Content:
    """`$true` where `${{ }}` gave the name."""
    if isinstance(content, str):
        return _CONSTANTS.get(content.lower())
    return content


def _unary(session: Session, node: Unary) -> Value:
    value = evaluate(session, node.operand)
    if node.operator in ("!", "-not"):
        return Value.boolean(~truth_of(value))
    if node.operator == ",":
        return value.map(lambda content: (content,))
    if node.operator == "-join":
        return value.map(lambda content: operators.join_items(session.universe, content, ""))
    if node.operator.endswith("split"):
        return value.map(lambda content: operators.split_text(session.universe, content, r"\s+"))
    if node.operator == "-":
        return value.map(lambda content: operators.negative(session.universe, content))
    return value if node.operator == "+" else session.mixed(node.operator, [value], clean=True)


def _binary(session: Session, node: Binary) -> Value:
    operator = node.operator
    if operator in ("-and", "-or"):
        return _logical(session, node)
    left = evaluate(session, node.left)
    if operator == "??":
        missing = ~left.test(lambda content: present(session.universe, content))
        other = _under(session, missing, lambda: evaluate(session, node.right))
        return Value.choose(missing, other, left)
    right = evaluate(session, node.right)
    if operator == "-xor":
        return Value.boolean(truth_of(left) ^ truth_of(right))
    if operator in ("-is", "-isnot"):
        found = combine((left, right), session.universe, lambda u, p: operators.is_type(u, p[0], p[1]))
        return found if operator == "-is" else Value.boolean(~truth_of(found))
    if operator == "-as":
        return right.bind(lambda kind: left.bind(lambda c: operators.cast(session.universe, str(kind), c)))
    result = operators.binary(session.universe, operator, left, right)
    if operator in ("-match", "-imatch", "-cmatch"):
        _remember(session, left, right, result, operator == "-cmatch")
    return result


def _remember(session: Session, left: Value, right: Value, result: Value, cased: bool) -> None:
    """`$Matches` where a match was found; else it stays what it was."""
    if any(is_array(content) for _, content in left.alternatives):
        return
    table = combine((left, right), session.universe, lambda u, p: match_table(u, p[0], p[1], cased))
    machine, before = session.machine, session.machine.live
    machine.live = before & truth_of(result)
    session.set("", "matches", table)
    machine.live = before


def _logical(session: Session, node: Binary) -> Value:
    left = condition(session, node.left)
    if node.operator == "-and":
        return Value.boolean(
            left & _under(session, left, lambda: condition(session, node.right), session.universe.false)
        )
    return Value.boolean(
        left | _under(session, ~left, lambda: condition(session, node.right), session.universe.false)
    )


def _under(session: Session, cond: Cond, compute: Callable[[], Any], nothing: Any = None) -> Any:
    """Computes something that only happens under a condition."""
    machine, before = session.machine, session.machine.live
    if cond.is_false:
        return session.value(None) if nothing is None else nothing
    machine.live = before & cond
    result = compute()
    machine.live = machine.live | (before & ~cond)
    return result


def _ternary(session: Session, node: Ternary) -> Value:
    cond = session.machine.simplified(condition(session, node.test))
    then = _under(session, cond, lambda: evaluate(session, node.then))
    other = _under(session, ~cond, lambda: evaluate(session, node.other))
    return Value.choose(cond, then, other)


def _type(session: Session, node: TypeName) -> Value:
    return session.value(node.name)


def _cast(session: Session, node: Cast) -> Value:
    value = evaluate(session, node.operand)
    if node.type.startswith(("int", "double", "long", "decimal", "version")):
        session.risk(value)
    if node.type == "regex":
        return session.texts(value)
    if node.type in ("ordered", "pscustomobject", "hashtable", "psobject"):
        return value
    return value.bind(lambda content: operators.cast(session.universe, node.type, content))


def _member(session: Session, node: Member) -> Value:
    name = evaluate(session, node.name)
    spelled = literal(name)
    if isinstance(node.target, TypeName):
        return static(session, node.target.name, spelled or "", None, node.span)
    target = _unread(session, node.target)
    if spelled is None:
        return members.index(session, target, name, node.span)
    return members.member(session, target, spelled, node.span)


def _unread(session: Session, node: Expression) -> Value:
    """A part of the event on the way to one of its parts: only the last counts as read."""
    if isinstance(node, Member) and not isinstance(node.target, TypeName):
        name = literal(evaluate(session, node.name))
        if name is not None:
            return members.member(session, _unread(session, node.target), name, None)
    return evaluate(session, node)


def _call(session: Session, node: Call) -> Value:
    name = literal(evaluate(session, node.name)) or ""
    if name.lower() in ("where", "foreach") and node.arguments and isinstance(node.arguments[0], Block):
        return session.piped(name.lower(), evaluate(session, node.target), node.arguments[0], node.span)
    arguments = [evaluate(session, argument) for argument in node.arguments]
    if isinstance(node.target, TypeName):
        return static(session, node.target.name, name, arguments, node.span)
    target = evaluate(session, node.target)
    if name.lower() in ("invoke", "invokereturnasis") and (code := session.code_of(target)):
        return session.invoke(code, arguments)
    if name.lower() in _CHANGING:
        _change(session, node.target, target, name.lower(), arguments)
        return session.nothing()
    return members.call(session, target, name, arguments)


def _change(
    session: Session, place: Expression, target: Value, name: str, arguments: Sequence[Value]
) -> None:
    """A list or table that something is put into, or taken out of."""

    def longer(universe: Universe, parts: Sequence[Content]) -> Content:
        held, *given = parts
        if isinstance(held, Object) and len(given) == 2 and isinstance(given[0], str):
            kept = tuple(pair for pair in held.items if pair[0].lower() != str(given[0]).lower())
            return Object((*kept, (given[0], given[1])))
        if (is_array(held) or held is None) and name != "remove":
            added = tuple(given) if name != "addrange" else items_of(given[0]) if given else ()
            return (*items_of(held), *added)
        return as_many(session.mixed("list", [session.value(part) for part in parts], clean=True).single)

    longest = combine((target, *arguments), session.universe, longer)
    store(session, place, longest)


def _index(session: Session, node: Index) -> Value:
    return members.index(session, evaluate(session, node.target), evaluate(session, node.index), node.span)


def _listed(session: Session, node: Listed) -> Value:
    items = [evaluate(session, item) for item in node.items]
    return combine(items, session.universe, lambda u, parts: tuple(parts))


def _collected(session: Session, node: Collected) -> Value:
    if node.kind == "" and len(node.body) == 1:
        return valued(session, node.body[0])
    with session.captured() as sink:
        session.perform(node.body)
    result = session.gathered(sink, array=node.kind == "@")
    if node.kind == "@":
        return result.map(
            lambda content: content if isinstance(content, tuple | Opaque) else items_of(content)
        )
    return result


def _hash(session: Session, node: Hash) -> Value:
    names: list[Value] = []
    for key, statement in node.entries:
        names += (evaluate(session, key), valued(session, statement))

    def table(universe: Universe, parts: Sequence[Content]) -> Content:
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return Object(tuple((name if isinstance(name, str) else str(name), item) for name, item in pairs))

    return combine(names, session.universe, table) if names else session.value(Object(()))


def _block(session: Session, node: Block) -> Value:
    return session.keep(node)


def assign(session: Session, node: Assign) -> Value:
    """Does an assignment; the value that was assigned."""
    if node.operator == "??=":
        old = evaluate(session, node.target)
        missing = ~old.test(lambda content: present(session.universe, content))
        value = Value.choose(missing, _under(session, missing, lambda: valued(session, node.value)), old)
    elif node.operator != "=":
        old, value = evaluate(session, node.target), valued(session, node.value)
        value = operators.binary(session.universe, node.operator[0], old, value)
    else:
        value = valued(session, node.value)
    store(session, node.target, value)
    return value


def valued(session: Session, statement: Statement) -> Value:
    """What a statement writes, as one value; an expression alone keeps its array."""
    if isinstance(statement, Pipeline) and len(statement.elements) == 1:
        only = statement.elements[0]
        if isinstance(only, Shown) and not only.redirections:
            return evaluate(session, only.expression)
    if isinstance(statement, Assign):
        return assign(session, statement)
    with session.captured() as sink:
        session.perform((statement,))
    return session.gathered(sink)


def store(session: Session, target: Expression, value: Value) -> None:
    """Puts a value where an expression says."""
    if isinstance(target, Variable):
        if target.scope == "env":
            session.set_environment(target.name, value)
        else:
            session.set(target.scope, target.name, value)
    elif isinstance(target, Cast):
        cast = value.bind(lambda content: operators.cast(session.universe, target.type, content))
        store(session, target.operand, cast)
    elif isinstance(target, Listed):
        for at, item in enumerate(target.items):
            store(session, item, members.index(session, value, session.value(float(at)), item.span))
    elif isinstance(target, Member | Index) and not isinstance(target.target, TypeName):
        held = evaluate(session, target.target)
        key = evaluate(session, target.name if isinstance(target, Member) else target.index)
        store(
            session, target.target, combine_values((held, key, value), session.universe, _with_item(session))
        )


def _with_item(session: Session) -> Callable[[Universe, Sequence[Content]], Value]:
    def made(universe: Universe, parts: Sequence[Content]) -> Value:
        held, key, value = parts
        if isinstance(held, Object) and isinstance(key, str):
            kept = tuple(pair for pair in held.items if pair[0].lower() != key.lower())
            return Value.of(universe, Object((*kept, (key, value))))
        if is_array(held) and isinstance(key, float) and -len(held) <= key < len(held):
            items = list(held)
            items[int(key)] = value
            return Value.of(universe, tuple(items))
        if held is None:
            return Value.of(universe, None)
        return session.mixed("item set", [session.value(part) for part in parts], clean=True)

    return made


_EVALUATED: Final[dict[type, Callable[[Session, Any], Value]]] = {
    Constant: _constant, Quoted: _quoted, Variable: variable, Unary: _unary, Binary: _binary,
    Ternary: _ternary,
    TypeName: _type, Cast: _cast, Member: _member, Call: _call, Index: _index, Listed: _listed,
    Collected: _collected, Hash: _hash, Block: _block, Assign: assign,
}  # fmt: skip
