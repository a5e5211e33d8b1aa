"""Functions that every script has: `print`, `len`, `any`, `sorted`, `range` and their like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Opaque, Value
from novote.expr.atoms import ask, spell
from novote.expr.combine import bounded
from novote.record import changed
from novote.script.python.attributes import attribute_of
from novote.script.python.core import Run
from novote.script.python.files import put_out, standard_input
from novote.script.python.solid import items_of, iterated, key_of, some, truth_of
from novote.script.python.system import exit_with
from novote.script.python.things import (
    Arguments,
    Document,
    Group,
    Instance,
    Item,
    Module,
)
from novote.script.python.words import spoken, textual
from novote.script.text import Text, flat, join_values, literal

MAX_RANGE: Final = 64


def _print(run: Run, given: Arguments) -> Value:
    separator = given.named.get("sep") or run.value(" ")
    end = given.named.get("end")
    parts: list[Value] = []
    for value in given.positional:
        parts += (separator, spoken(run, value)) if parts else (spoken(run, value),)
    parts.append(run.value("\n") if end is None or end.collapsed().single is None else end)
    text = join_values(run.universe, parts)
    file = given.named.get("file")
    if file is None:
        run.machine.print(text)
    else:
        put_out(run, file, text)
    return run.nothing


def _any(run: Run, given: Arguments) -> Value:
    return Value.boolean(_some(run, given, lambda cond: cond))


def _all(run: Run, given: Arguments) -> Value:
    return Value.boolean(~_some(run, given, lambda cond: ~cond))


def _some(run: Run, given: Arguments, change: Callable[[Cond], Cond]) -> Cond:
    found = run.universe.false
    for item in iterated(run, given.get(0) or run.listed(())):
        found = bounded(found | some(run.universe, item, change(truth_of(run, item.value))))
    return found


def _len(run: Run, given: Arguments) -> Value:
    value = given.get(0) or run.nothing
    return value.bind(lambda content: _length(run, content))


def _length(run: Run, content: Content) -> Value:
    if isinstance(content, str):
        return run.value(len(content))
    if isinstance(content, Group | tuple) and not isinstance(content, Text):
        items = items_of(run, run.value(content))
        if all(item.many is None for item in items) and len(items) <= 6:
            return _counted(run, items)
    return _size_of(run, run.value(content))


def _counted(run: Run, items: Sequence[Item]) -> Value:
    count = run.value(0)
    for item in items:
        more = count.map(lambda content: content + 1 if isinstance(content, int) else content)
        count = Value.choose(item.guard, more, count)
    return count


def _size_of(run: Run, value: Value) -> Value:
    """A length nobody knows: not zero where the value counts as true."""
    true = truth_of(run, value)
    size = run.mixed("len", (value,), 0)
    counted = changed(size.single, shape="number", nonempty=True)
    return Value.choose(true, run.value(counted), run.value(0))


def _converted(kind: str) -> Callable[[Run, Arguments], Value]:
    """`list(x)`, `set(x)`, `tuple(x)`, `sorted(x)`: the same items."""

    def call(run: Run, given: Arguments) -> Value:
        value = given.get(0)
        if value is None:
            return run.listed((), kind)
        content = value.single if value.is_single else None
        if isinstance(content, Document) or (isinstance(content, Opaque) and content.shape != "string"):
            return value
        items = iterated(run, value)
        if kind == "sorted" and "key" not in given.named:
            items = _in_order(items)
        return run.group("list" if kind == "sorted" else kind, items)

    return call


def _in_order(items: Sequence[Item]) -> tuple[Item, ...]:
    texts = [item.value.single if item.value.is_single else None for item in items]
    if all(isinstance(text, str) for text in texts) or all(isinstance(text, int) for text in texts):
        order = sorted(range(len(items)), key=lambda at: texts[at])  # type: ignore[arg-type, return-value]
        return tuple(items[at] for at in order)
    return tuple(items)


def _dict(run: Run, given: Arguments) -> Value:
    items: list[Item] = []
    for value in given.positional[:1]:
        content = value.single if value.is_single else None
        if isinstance(content, Document | Opaque):
            return value
        for item in items_of(run, value):
            if item.key is not None:
                items.append(item)
                continue
            parts = items_of(run, item.value)
            if len(parts) == 2:
                key = key_of(run, parts[0].value)
                items.append(Item(item.guard, parts[1].value, item.many, key))
            else:
                return run.mystery("dict", given.all)
    items += [Item(run.universe.true, value, None, name) for name, value in given.named.items()]
    return run.group("dict", items)


def _number(run: Run, given: Arguments) -> Value:
    value = given.get(0) or run.value(0)
    if run.tries:
        run.fail_where(value.test(lambda content: _is_no_number(run.universe, content)), given.node)

    def known(content: object) -> object:
        return int(float(content)) if isinstance(content, str | int | float) and content != "" else 0

    found = textual(run, "int", (value,), known)
    return found.map(
        lambda content: changed(content, shape="any") if isinstance(content, Opaque) else content
    )


def _is_no_number(universe: Universe, content: Content) -> Cond:
    if isinstance(content, str):
        return universe.constant(not content.strip().lstrip("+-").isdigit())
    if not isinstance(content, Opaque | Text):
        return universe.constant(content is None)
    content = flat(universe, content)
    key = f"{spell(universe, content)} is no number"
    return ask(universe, key, "is no number", None, content, None, lambda u, a, _: _is_no_number(u, a))


def _range(run: Run, given: Arguments) -> Value:
    bounds = [value.single if value.is_single else None for value in given.positional]
    if bounds and all(isinstance(bound, int) for bound in bounds) and 0 not in bounds[2:]:
        numbers = range(*bounds)  # type: ignore[arg-type]
        if len(numbers) <= MAX_RANGE:
            return run.listed([run.value(number) for number in numbers])
    made = run.mixed("range", given.all)
    return made.map(
        lambda content: changed(content, shape="list") if isinstance(content, Opaque) else content
    )


def _enumerate(run: Run, given: Arguments) -> Value:
    found = []
    start = given.get(1, "start")
    first = start.single if start is not None and start.is_single and isinstance(start.single, int) else 0
    for at, item in enumerate(iterated(run, given.get(0) or run.listed(()))):
        number = run.value(at + first) if item.many is None else run.observed("a number")
        found.append(Item(item.guard, run.listed((number, item.value), "tuple"), item.many))
    return run.group("list", found)


def _zip(run: Run, given: Arguments) -> Value:
    lists = [iterated(run, value) for value in given.positional]
    found = []
    for items in zip(*lists, strict=False):
        guard = run.universe.all_of(item.guard for item in items)
        many = [item.many for item in items if item.many is not None]
        both = run.universe.all_of(many) if many else None
        found.append(Item(guard, run.listed([item.value for item in items], "tuple"), both))
    return run.group("list", found)


def _map(run: Run, given: Arguments) -> Value:
    if len(given.positional) != 2:
        return run.mystery("map", given.all)
    function, values = given.positional
    found = [
        item._replace(value=run.call_with(function, (item.value,), given.node))
        for item in iterated(run, values)
    ]
    return run.group("list", found)


def _filter(run: Run, given: Arguments) -> Value:
    if len(given.positional) != 2:
        return run.mystery("filter", given.all)
    function, values = given.positional
    found = []
    for item in iterated(run, values):
        none = function.is_single and function.single is None
        value = item.value if none else run.call_with(function, (item.value,), given.node)
        found.append(item._replace(guard=bounded(item.guard & truth_of(run, value))))
    return run.group("list", [item for item in found if not item.guard.is_false])


def _next(run: Run, given: Arguments) -> Value:
    """The first item that is there, else the default."""
    default = given.get(1)
    result = default or run.nothing
    there = run.universe.false
    for item in reversed(iterated(run, given.get(0) or run.listed(()))):
        cond = some(run.universe, item, run.universe.true)
        result = Value.choose(cond, item.value, result)
        there = there | cond
    if default is None:
        run.fail_where(~there, given.node)
    return result


def _reduced(name: str, known: Callable[..., object]) -> Callable[[Run, Arguments], Value]:
    """`sum`, `min`, `max`: of known numbers, else a number made of all of them."""

    def call(run: Run, given: Arguments) -> Value:
        values = given.positional if len(given.positional) > 1 and name != "sum" else None
        items = iterated(run, given.get(0) or run.listed(())) if values is None else ()
        if values is None and name == "sum":
            counted = _sum(run, items)
            if counted is not None:
                return counted
        whole = run.listed(values) if values is not None else run.group("list", items)
        return textual(run, name, (whole,), lambda parts: known(parts) if parts else 0, "any")

    return call


def _sum(run: Run, items: Sequence[Item]) -> Value | None:
    """How many items there are that count as one each: not zero where there is one."""
    if len(items) == 1 and items[0].many is not None:
        return _size_of(run, run.group("list", items))
    return None


def _isinstance(run: Run, given: Arguments) -> Value:
    value, kind = given.get(0) or run.nothing, given.get(1) or run.nothing
    names = [
        content.name.rpartition(".")[2]
        for item in (
            [Item(run.universe.true, kind)]
            if kind.is_single and isinstance(kind.single, Module)
            else iterated(run, kind)
        )
        for _, content in item.value.alternatives
        if isinstance(content, Module)
    ]
    return value.bind(lambda content: _has_kind(run, content, names))


def _has_kind(run: Run, content: Content, names: Sequence[str]) -> Value:
    kinds: list[tuple[object, tuple[str, ...]]] = [
        (bool, ("bool", "int")), (str | Text, ("str",)), (int, ("int",)), (float, ("float", "int")),
    ]  # fmt: skip
    if isinstance(content, Group):
        return run.value(content.kind in names)
    for kind, found in kinds:
        if isinstance(content, kind):  # type: ignore[arg-type]
            return run.value(any(name in names for name in found))
    shapes = {"string": "str", "list": "list", "object": "dict"}
    if isinstance(content, Document):
        content = content.content
    if isinstance(content, Opaque):
        shape = shapes.get(content.shape)
        return run.value(shape in names) if shape else run.mixed("isinstance", (run.value(content),), False)
    return run.value(False)


def _bool(run: Run, given: Arguments) -> Value:
    return Value.boolean(truth_of(run, given.get(0) or run.nothing))


def _str(run: Run, given: Arguments) -> Value:
    return spoken(run, given.get(0) or run.value(""))


def _same(run: Run, given: Arguments) -> Value:
    return given.get(0) or run.nothing


def _attribute(run: Run, given: Arguments) -> Value:
    name = literal(given.get(1) or run.nothing)
    if name is None or not given.positional:
        return run.mystery("getattr", given.all)
    content = given.positional[0].single if given.positional[0].is_single else None
    if (
        isinstance(content, Instance)
        and content.attribute(name) not in run.machine.variables
        and given.get(2)
    ):
        return given.get(2) or run.nothing
    return attribute_of(run, given.positional[0], name, given.node, called=False)


def _set_attribute(run: Run, given: Arguments) -> Value:
    target, name = given.get(0), literal(given.get(1) or run.nothing)
    if target is not None and name is not None and target.is_single and isinstance(target.single, Instance):
        run.set(target.single.attribute(name), given.get(2) or run.nothing)
    return run.nothing


def _exit(run: Run, given: Arguments) -> Value:
    exit_with(run, given.get(0))
    return run.nothing


def _input(run: Run, given: Arguments) -> Value:
    return standard_input(run)


def _chained(run: Run, values: Sequence[Value]) -> Value:
    return run.group("list", [item for value in values for item in iterated(run, value)])


CALLS: Final[Mapping[str, Callable[[Run, Arguments], Value]]] = {
    f"builtins.{name}": call
    for name, call in {
        "print": _print, "any": _any, "all": _all, "len": _len, "list": _converted("list"),
        "set": _converted("set"), "frozenset": _converted("set"), "tuple": _converted("tuple"),
        "sorted": _converted("sorted"), "reversed": _converted("list"), "iter": _same, "dict": _dict,
        "int": _number, "float": _number, "str": _str, "repr": _str, "bool": _bool, "range": _range,
        "enumerate": _enumerate, "zip": _zip, "map": _map, "filter": _filter, "next": _next,
        "sum": _reduced("sum", sum), "min": _reduced("min", min), "max": _reduced("max", max),
        "isinstance": _isinstance, "getattr": _attribute, "setattr": _set_attribute, "exit": _exit,
        "quit": _exit, "SystemExit": _exit, "input": _input, "bytes": _str, "abs": _same, "super": _same,
        "type": _same, "id": _same, "hash": _same, "callable": lambda run, given: run.value(True),
    }.items()
} | {
    "sys.exit": _exit, "os._exit": _exit, "collections.OrderedDict": _dict,
    "collections.defaultdict": lambda run, given: run.mapping({}),
    "collections.Counter": _converted("list"), "collections.deque": _converted("list"),
    "itertools.chain": lambda run, given: _chained(run, given.positional),
    "itertools.chain.from_iterable": lambda run, given: _chained(
        run, [item.value for item in iterated(run, given.get(0) or run.listed(()))]
    ),
}  # fmt: skip
