"""Plain records: what a frozen dataclass with slots is, made in a fifth of the time.

Standard library only. The command line makes some forty such classes before it reads the first byte of a
repository, and `dataclasses` takes most of a millisecond for each, its import another five.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

_Class = TypeVar("_Class", bound=type)
_Item = TypeVar("_Item")


@dataclass_transform(frozen_default=True)
def record(cls: _Class) -> _Class:
    """Makes a class of annotated fields a record: frozen, with slots, equal by type and fields.

    A default is a plain value that nobody changes. `changed` makes a copy with other values; pickling and
    `dataclasses.replace` work.
    """
    names = tuple(cls.__annotations__)
    body = {name: value for name, value in vars(cls).items() if name not in names}
    for made in ("__dict__", "__weakref__"):
        body.pop(made, None)
    slotted: Any = type(cls)(cls.__name__, cls.__bases__, {**body, "__slots__": names})
    setters = {f"set_{name}": vars(slotted)[name].__set__ for name in names}
    _finish(slotted, cls, names, [f"set_{name}(self, {name})" for name in names], setters)
    return slotted  # type: ignore[no-any-return]


@dataclass_transform(frozen_default=True)
def open_record(cls: _Class) -> _Class:
    """A record that can hold cached properties beside its fields."""
    names = tuple(cls.__annotations__)
    _finish(cls, cls, names, [f"fields[{name!r}] = {name}" for name in names], {})
    return cls


def _finish(
    cls: Any, original: type, names: tuple[str, ...], lines: list[str], known: dict[str, Any]
) -> None:
    defaults = {name: vars(original)[name] for name in names if name in vars(original)}
    cls.__match_args__ = names  # type: ignore[misc]
    cls.__init__ = _init(names, defaults, lines, known)
    cls.__init__.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__setattr__ = _frozen
    cls.__delattr__ = _frozen
    cls.__repr__ = cls.__repr__ if "__repr__" in vars(original) else _repr
    cls.__reduce__ = _reduce
    cls.__dataclass_fields__ = _Fields()
    if "__eq__" not in vars(original):
        values = attrgetter(*names)
        cls.__eq__ = _equal(values)
        cls.__hash__ = _hash(values)


def _init(
    names: tuple[str, ...], defaults: dict[str, Any], lines: list[str], known: dict[str, Any]
) -> Callable[..., None]:
    """`__init__`, written out: a loop over the fields would take three times as long at each call."""
    taken = ", ".join(f"{name}=default_{name}" if name in defaults else name for name in names)
    given = {f"default_{name}": value for name, value in defaults.items()}
    body = "\n ".join(lines if known else ["fields = self.__dict__", *lines])
    space: dict[str, Any] = {**known, **given}
    exec(f"def __init__(self, {taken}):\n {body}", space)
    made: Callable[..., None] = space["__init__"]
    return made


def _frozen(self: object, name: str, *_: object) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({shown})"


def _reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
    return type(self), tuple(getattr(self, name) for name in self.__match_args__)


def _equal(values: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def equal(self: Any, other: Any) -> Any:
        if self is other:
            return True
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    return equal


def _hash(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    def hashed(self: Any) -> int:
        return hash(values(self))

    return hashed


def changed(item: _Item, **changes: Any) -> _Item:
    """A copy of a record with some fields replaced."""
    kind: Any = type(item)
    made: _Item = kind(**{name: getattr(item, name) for name in kind.__match_args__} | changes)
    return made


class _Fields:
    """What `dataclasses.replace` asks a class for, made when it is asked for."""

    def __get__(self, instance: object, owner: type) -> dict[str, Any]:
        from dataclasses import make_dataclass

        made: Any = make_dataclass(owner.__name__, list(vars(owner)["__match_args__"]))
        fields: dict[str, Any] = made.__dataclass_fields__
        owner.__dataclass_fields__ = fields  # type: ignore[attr-defined]
        return fields
