"""Classes of the script: holders of attributes whose methods are followed like functions."""

from __future__ import annotations

from novote.algebra.value import Value
from novote.script.parse import Node
from novote.script.python.attributes import of_class
from novote.script.python.core import Run
from novote.script.python.relations import equal
from novote.script.python.solid import items_of
from novote.script.python.things import Arguments, Class, Group, Instance


def define_class(run: Run, node: Node, marks: frozenset[str]) -> None:
    """`class Name(bases):`."""
    name, body, bases = node.field("name"), node.field("body"), node.field("superclasses")
    if name is None or body is None:
        return
    base_texts = [part.text for part in bases.named] if bases else []
    parents = _parents(run, bases)
    kind = "plain"
    if any(mark.endswith("dataclass") for mark in marks) or any(
        t.endswith(("NamedTuple", "BaseModel")) for t in base_texts
    ):
        kind = "data"
    elif any(text.endswith(("Enum", "IntFlag", "Flag")) for text in base_texts):
        kind = "enum"
    elif parents:
        kind = parents[0].kind
    scope = run.new_scope(run.scope, run.scope.module or run.scope, run.machine.file)
    with run.within(scope):
        run.execute(body)
    inherited = [field for parent in parents for field in parent.fields]
    fields = _names(body) if kind == "enum" else _fields(body)
    made = Class(run.machine, run.number(), scope, [*inherited, *fields], kind, parents)
    run.assign(name.text, run.value(made))


def _parents(run: Run, bases: Node | None) -> list[Class]:
    found: list[Class] = []
    for part in bases.named if bases else ():
        if part.kind == "identifier":
            value = run.lookup(part.text)
            content = value.single if value is not None and value.is_single else None
            if isinstance(content, Class):
                found += (content, *content.bases)
    return found


def _assignments(body: Node) -> list[Node]:
    return [
        part
        for statement in body.named
        if statement.kind == "expression_statement"
        for part in statement.named
        if part.kind == "assignment"
    ]


def _fields(body: Node) -> list[str]:
    """The names that are declared with a type."""
    found = []
    for part in _assignments(body):
        left = part.field("left")
        if left is not None and left.kind == "identifier" and part.field("type") is not None:
            found.append(left.text)
    return found


def _names(body: Node) -> list[str]:
    lefts = [part.field("left") for part in _assignments(body)]
    return [left.text for left in lefts if left is not None and left.kind == "identifier"]


def instantiate(run: Run, made_by: Class, arguments: Arguments) -> Value:
    """`Name(arguments)`."""
    if made_by.kind == "enum":
        return _member(run, made_by, arguments)
    made = Instance(run.machine, run.number(), made_by)
    value = run.value(made)
    if made_by.kind == "data":
        _fill(run, made, made_by, arguments)
        after = of_class(run, made_by, "__post_init__", value)
        if after is not None:
            run.call(after, Arguments((), {}, (), arguments.node))
        return value
    before = of_class(run, made_by, "__init__", value)
    if before is not None:
        run.call(before, arguments)
    elif arguments.all:
        run.machine.variables[made.attribute("args")] = run.listed(arguments.all)
    return value


def _fill(run: Run, made: Instance, made_by: Class, arguments: Arguments) -> None:
    for at, name in enumerate(made_by.fields):
        value = arguments.get(at, name)
        if value is None:
            value = of_class(run, made_by, name, run.value(made_by))
            if value is not None and value.is_single and isinstance(value.single, Group):
                # Each object has a list of its own.
                value = run.group(value.single.kind, items_of(run, value))
        if value is None:
            value = run.mystery(name, arguments.open_ended)
        run.machine.variables[made.attribute(name)] = value


def field_of(run: Run, arguments: Arguments) -> Value:
    """`dataclasses.field(...)`: the default."""
    factory = arguments.named.get("default_factory")
    if factory is not None:
        return run.call(factory, Arguments((), {}, (), arguments.node))
    return arguments.named.get("default") or run.nothing


def _member(run: Run, made_by: Class, arguments: Arguments) -> Value:
    """The member of an enumeration that has a value: the value itself stands for it."""
    value = arguments.get(0) or run.nothing
    known = run.universe.false
    for name in made_by.fields:
        member = run.machine.variables.get(made_by.scope.key(name))
        if member is not None:
            known = known | equal(run, value, member)
    run.fail_where(~known, arguments.node)
    return value
