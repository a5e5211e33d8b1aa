"""What Python has besides text and numbers: lists, functions, files, modules, as content of values.

Each is one object with a number; what it holds at a time stands in the machine's variables under that number,
so that it is chosen, rehearsed and widened like any variable.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Opaque, Value
from novote.script.machine import Machine, Place

if TYPE_CHECKING:
    from novote.script.parse import Node

_MAX_REACHED: Final = 2_000
"""So many values are looked at when it is asked who writes what a thing holds."""


class Thing(tuple[Content, ...]):
    """Content equal to itself alone; going through it gives what it holds, for who asks who wrote that."""

    def __new__(cls, *parts: object, **_: object) -> Thing:
        """Things are no tuples except in name; what is made of the parts of one alone is a plain list."""
        if len(parts) == 1 and isinstance(parts[0], Generator):
            return tuple(parts[0])  # type: ignore[return-value]
        return super().__new__(cls)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} {id(self)}>"

    def __iter__(self) -> Iterator[Content]:
        return iter(_reached(self))

    def held(self) -> Sequence[Value]:
        """The values inside."""
        return ()


def _reached(thing: Thing) -> list[Content]:
    """All content in a thing and in the things it holds; guards count as content of their origins."""
    found: list[Content] = []
    origins: frozenset[Origin] = frozenset()
    seen, waiting, left = {id(thing)}, [thing], _MAX_REACHED
    while waiting and left > 0:
        for value in waiting.pop().held():
            left -= 1
            for guard, content in value.alternatives:
                origins = origins.union(*(atom.origins for atom in guard.support()))
                if not isinstance(content, Thing):
                    found.append(content)
                elif id(content) not in seen:
                    seen.add(id(content))
                    waiting.append(content)
    if waiting:
        origins |= {Origin("unknown", "unknown", "a large structure")}
    return [*found, Opaque("guards", origins)] if origins else found


class Item(NamedTuple):
    """A part of a list: it is there where `guard` holds.

    `many` is None for one part; otherwise there may be any number of its kind, and
    at least one where `many` holds. `key` is the key in a mapping.
    """

    guard: Cond
    value: Value
    many: Cond | None = None
    key: Content = None


class State(Thing):
    """What a list, tuple, set or mapping holds at a time."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = tuple(items)

    def held(self) -> Sequence[Value]:
        """Items, their keys and the conditions under which they are there."""
        found: list[Value] = []
        for guard, value, many, key in self.items:
            found += (value, Value.boolean(guard), Value.of(value.universe, key))
            if many is not None:
                found.append(Value.boolean(many))
        return found


class Held(Thing):
    """A thing whose content stands in the machine's variables."""

    def __init__(self, machine: Machine, number: int) -> None:
        self.machine = machine
        self.name = f"#{number}"


class Group(Held):
    """A list, tuple, set or mapping; `kind` is its name in Python."""

    def __init__(self, machine: Machine, number: int, kind: str) -> None:
        super().__init__(machine, number)
        self.kind = kind
        self.born = machine.live

    def held(self) -> Sequence[Value]:
        """Its state."""
        value = self.machine.variables.get(self.name)
        return () if value is None else (value,)


class Scope(NamedTuple):
    """Where names are looked up: a function's, a class's or a module's, then those around it."""

    number: int
    around: Scope | None
    module: Scope | None
    elsewhere: dict[str, Scope]
    file: str = ""

    def key(self, name: str) -> str:
        """The variable that a name of this scope stands for."""
        return f"{self.number}:{name}"


class Function(Thing):
    """A function of the script, a method, or a lambda.

    `owner` is the object that it is a method of, `marks` are its decorators.
    """

    def __init__(
        self,
        node: Node,
        scope: Scope,
        defaults: dict[str, Value],
        file: str,
        owner: Value | None = None,
        marks: frozenset[str] = frozenset(),
    ) -> None:
        self.node = node
        self.scope = scope
        self.defaults = defaults
        self.file = file
        self.owner = owner
        self.marks = marks

    def held(self) -> Sequence[Value]:
        """Its defaults and its object."""
        return (*self.defaults.values(), *(() if self.owner is None else (self.owner,)))


class Class(Held):
    """A class of the script; `kind` says what its bases make of it: `data`, `enum`, `plain`."""

    def __init__(
        self,
        machine: Machine,
        number: int,
        scope: Scope,
        fields: Sequence[str],
        kind: str,
        bases: Sequence[Class],
    ) -> None:
        super().__init__(machine, number)
        self.scope = scope
        self.fields = tuple(fields)
        self.kind = kind
        self.bases = tuple(bases)


class Instance(Held):
    """An object with attributes; `kind` names what it is where it is none of the script's own classes."""

    def __init__(self, machine: Machine, number: int, made_by: Class | None = None, kind: str = "") -> None:
        super().__init__(machine, number)
        self.made_by = made_by
        self.kind = kind

    def attribute(self, name: str) -> str:
        """The variable that an attribute stands in."""
        return f"{self.name}.{name}"

    def held(self) -> Sequence[Value]:
        """Its attributes."""
        start = f"{self.name}."
        return [value for name, value in self.machine.variables.items() if name.startswith(start)]


class Module(Thing):
    """A module of the standard library or of others, or something in it: `os.path`, `subprocess.run`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Module) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


class Local(Thing):
    """A module of the repository that was imported."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope


class Bound(Thing):
    """A method of something that is not the script's own: `text.split`, `names.append`."""

    def __init__(self, target: Value, name: str) -> None:
        self.target = target
        self.name = name

    def held(self) -> Sequence[Value]:
        """What it is a method of."""
        return (self.target,)


class Document(Thing):
    """A part of the event's payload: `path` as in an expression; `content` is what the host says of it."""

    def __init__(self, path: tuple[str, ...], content: Opaque) -> None:
        self.path = path
        self.content = content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and other.path == self.path and other.content == self.content

    def __hash__(self) -> int:
        return hash(self.path)

    def held(self) -> Sequence[Value]:
        """Nothing: its content has the origins."""
        return ()

    def __iter__(self) -> Iterator[Content]:
        return iter((self.content,))


class PathThing(Thing):
    """A `pathlib.Path`."""

    def __init__(self, path: Value) -> None:
        self.path = path

    def held(self) -> Sequence[Value]:
        """Its text."""
        return (self.path,)


class FileThing(Thing):
    """An open file."""

    def __init__(self, path: Value) -> None:
        self.path = path

    def held(self) -> Sequence[Value]:
        """Its path."""
        return (self.path,)


class Pattern(Thing):
    """A compiled regular expression."""

    def __init__(self, text: Value, nocase: bool) -> None:
        self.text = text
        self.nocase = nocase

    def held(self) -> Sequence[Value]:
        """Its text."""
        return (self.text,)


class Match(Thing):
    """What `re.search` gives where it finds something."""

    def __init__(
        self, text: Value, pattern: Value, nocase: bool, how: Literal["search", "match", "fullmatch"]
    ) -> None:
        self.text = text
        self.pattern = pattern
        self.nocase = nocase
        self.how: Literal["search", "match", "fullmatch"] = how

    def held(self) -> Sequence[Value]:
        """The text and the pattern."""
        return (self.text, self.pattern)


class Arguments(NamedTuple):
    """The arguments of a call; `open_ended` values were given as `*args` of unknown length."""

    positional: tuple[Value, ...]
    named: dict[str, Value]
    places: tuple[Place, ...]
    node: Node
    open_ended: tuple[Value, ...] = ()

    def get(self, at: int, name: str = "") -> Value | None:
        """An argument by its place or its name."""
        if at < len(self.positional):
            return self.positional[at]
        return self.named.get(name)

    @property
    def all(self) -> tuple[Value, ...]:
        """Every value given."""
        return (*self.positional, *self.named.values(), *self.open_ended)
