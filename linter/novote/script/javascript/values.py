"""What JavaScript values are here, beside text, numbers and booleans: references, functions, documents.

Each is an `Object` without items, so that the shared core takes it for a thing of no known text, and `items`
gives the origins of what it holds wherever the core asks who writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Object, Opaque, Value, origins_of
from novote.script.parse import Node
from novote.script.text import Text

if TYPE_CHECKING:
    from novote.script.javascript.state import Run


class Thing(Object):
    """A value that is neither text nor number; equal to itself alone unless a class says otherwise."""

    def __init__(self) -> None:
        Object.__init__(self, ())

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__[name] = value

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def origins(self) -> frozenset[Origin]:
        """Who writes what it holds."""
        return frozenset()


class Undefined(Thing):
    """`undefined`, and whatever an event lacks."""

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED = Undefined()


class _Holding(Thing):
    """A thing whose content has origins."""

    def __init__(self) -> None:
        pass

    @property
    def items(self) -> tuple[tuple[str, Content], ...]:
        """One opaque item with the origins of all that is held, as the core asks for them."""
        origins = self.origins()
        return (("", Opaque("held", origins)),) if origins else ()


class Entry(NamedTuple):
    """An element of an array: there where `guard` holds. `many` stands for any number of elements like it."""

    guard: Cond
    value: Value
    many: bool = False


class Array(NamedTuple):
    """The elements of an array or a set in order."""

    entries: tuple[Entry, ...] = ()
    kind: Literal["array", "set"] = "array"


class Record(NamedTuple):
    """An object or a map: what is under each name, and under names that nobody knows (`rest`)."""

    entries: Mapping[str, Entry] = {}
    rest: Entry | None = None
    kind: str = "object"


Cell = Array | Record


class Reference(_Holding):
    """An array or object, which lies on the heap under a number."""

    def __init__(self, number: int, heap: Mapping[int, Cell]) -> None:
        self.number = number
        self.heap = heap
        self.asked = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other.number == self.number

    def __hash__(self) -> int:
        return hash(("reference", self.number))

    def __repr__(self) -> str:
        return f"<reference {self.number}>"

    def origins(self) -> frozenset[Origin]:
        """Who writes any element, or decides whether it is there."""
        if self.asked:
            return frozenset()
        self.asked = True
        try:
            found: set[Origin] = set()
            for entry in entries_of(self.heap[self.number]):
                found |= entry.value.origins()
                found.update(*(atom.origins for atom in entry.guard.support()))
            return frozenset(found)
        finally:
            self.asked = False


def entries_of(cell: Cell) -> tuple[Entry, ...]:
    """All elements or properties."""
    if isinstance(cell, Array):
        return cell.entries
    rest = () if cell.rest is None else (cell.rest,)
    return (*cell.entries.values(), *rest)


class Scope:
    """The names of a block or function, each with the variable of the machine that holds its value."""

    __slots__ = ("function", "names", "parent")

    def __init__(self, parent: Scope | None = None, *, function: bool = False) -> None:
        self.names: dict[str, str] = {}
        self.parent = parent
        self.function = function

    @property
    def outer(self) -> Scope:
        """The scope of the function around, where `var` and functions belong."""
        scope = self
        while not scope.function and scope.parent is not None:
            scope = scope.parent
        return scope

    def find(self, name: str) -> str | None:
        """The machine's variable for a name."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None


class Closure(Thing):
    """A function of the script; `fields` are properties that were put on it."""

    def __init__(self, node: Node, scope: Scope, file: str, this: Value | None) -> None:
        super().__init__()
        self.node = node
        self.scope = scope
        self.file = file
        self.this = this
        self.fields: dict[str, Value] = {}


class Arguments(NamedTuple):
    """What a function is called with; spread arrays may stand for any number of values."""

    entries: tuple[Entry, ...]
    node: Node
    this: Value | None = None

    def at(self, index: int) -> Value | None:
        """The argument at an index; None where there is none."""
        for place, entry in enumerate(self.entries):
            if place == index or entry.many or not entry.guard.is_true:
                return entry.value
        return None

    @property
    def values(self) -> list[Value]:
        """All arguments."""
        return [entry.value for entry in self.entries]


Behaviour = Callable[["Run", Arguments], Value]


class Native(Thing):
    """A function that novote knows."""

    def __init__(self, name: str, behaviour: Behaviour) -> None:
        super().__init__()
        self.name = name
        self.behaviour = behaviour


class Module(Thing):
    """A thing whose properties are made when they are asked for: `core`, `Math`, `process.env`."""

    def __init__(
        self,
        name: str,
        member: Callable[[Run, str, Node], Value | None],
        called: Behaviour | None = None,
    ) -> None:
        super().__init__()
        self.name = name
        self.member = member
        self.called = called


class Pattern(Thing):
    """A regular expression; `source` is its text, known or not."""

    def __init__(self, source: Content, flags: str) -> None:
        super().__init__()
        self.source = source
        self.flags = flags


class Root(Protocol):
    """A document that is read by paths: the event, the answer of an API."""

    name: str

    def read(self, run: Run, path: tuple[str, ...], node: Node) -> Value:
        """What stands under a path, `*` for the elements of an array."""
        ...

    def is_list(self, run: Run, path: tuple[str, ...]) -> bool | None:
        """Whether an array stands there; None where that is not known."""
        ...


class Located(_Holding):
    """A place of a document, read when something is done with it."""

    def __init__(self, root: Root, path: tuple[str, ...], run: Run, node: Node) -> None:
        self.root = root
        self.path = path
        self.run = run
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Located) and other.root is self.root and other.path == self.path

    def __hash__(self) -> int:
        return hash((id(self.root), self.path))

    def __repr__(self) -> str:
        return f"<{self.root.name} {'.'.join(self.path)}>"

    def origins(self) -> frozenset[Origin]:
        """Who writes what stands there."""
        return self.root.read(self.run, self.path, self.node).origins()


class EventFile(Located):
    """The JSON text of the event, or of a part of it, before it is parsed."""


class Matched(_Holding):
    """What `match` gives where a pattern fits: the text and its groups."""

    def __init__(self, text: Content, pattern: Pattern) -> None:
        self.text = text
        self.pattern = pattern

    def origins(self) -> frozenset[Origin]:
        """Who writes the text and the pattern."""
        found: frozenset[Origin] = frozenset()
        for content in (self.text, self.pattern.source):
            for piece in content if isinstance(content, Text) else (content,):
                found |= origins_of(piece)
        return found


def is_text(content: Content) -> bool:
    """Whether content is text, or something unknown that may be."""
    return isinstance(content, str | Opaque | Text)


def is_number(content: Content) -> bool:
    """Whether content is a number, known or not."""
    return isinstance(content, float) or (isinstance(content, Opaque) and content.shape == "number")


def sequence(values: Sequence[Value], always: Cond) -> tuple[Entry, ...]:
    """Values as elements that are surely there."""
    return tuple(Entry(always, value) for value in values)


def flattened(contents: Sequence[Content]) -> list[Content]:
    """Contents with texts taken apart, as the core asks for origins."""
    found: list[Content] = []
    for content in contents:
        found += content if isinstance(content, Text) else (content,)
    return found
