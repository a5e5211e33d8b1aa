"""A record is what a frozen dataclass with slots is."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from functools import cached_property

import pytest

from novote.record import changed, open_record, record


@record
class Point:
    """A place."""

    x: int
    y: int = 7

    @property
    def total(self) -> int:
        return self.x + self.y


@record
class Other:
    x: int
    y: int = 7


@open_record
class Line:
    """May hold what it has worked out."""

    start: Point
    end: Point

    @cached_property
    def length(self) -> int:
        return abs(self.end.x - self.start.x)


def test_fields_are_given_by_place_or_name_and_have_defaults() -> None:
    assert Point(1) == Point(x=1, y=7)
    assert Point(1, 2).total == 3
    assert repr(Point(1)) == "Point(x=1, y=7)"
    assert Point.__doc__ == "A place."
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point(1, z=2)  # type: ignore[call-arg]


def test_records_are_equal_by_class_and_fields() -> None:
    others: list[object] = [Other(1), (1, 7)]
    assert Point(1) not in others
    assert len({Point(1), Point(1), Point(2)}) == 2
    assert Line(Point(1), Point(2)) == Line(Point(1), Point(2))


def test_nothing_can_be_changed_or_added() -> None:
    point = Point(1)
    for name in ("x", "z"):
        with pytest.raises(AttributeError):
            setattr(point, name, 3)
    with pytest.raises(AttributeError):
        del point.x
    assert not hasattr(point, "__dict__")


def test_an_open_record_keeps_what_it_worked_out() -> None:
    line = Line(Point(1), Point(5))
    assert line.length == 4
    assert vars(line)["length"] == 4
    with pytest.raises(AttributeError):
        line.start = Point(2)  # type: ignore[misc]


@pytest.mark.parametrize("item", [Point(1, 2), Line(Point(1), Point(3))])
def test_records_travel(item: object) -> None:
    assert pickle.loads(pickle.dumps(item)) == item
    assert copy.deepcopy(item) == item


def test_a_copy_can_differ() -> None:
    assert changed(Point(1, 2), y=3) == Point(1, 3)
    assert replace(Point(1, 2), x=3) == Point(3, 2)
    assert replace(Point(1, 2), y=4) == Point(1, 4)


def test_a_record_can_be_taken_apart() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
