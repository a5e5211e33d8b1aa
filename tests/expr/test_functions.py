"""Known answers, after the examples of GitHub's documentation of expressions."""

from __future__ import annotations

import pytest

from novote.algebra.value import Content, Object
from novote.expr import functions
from novote.expr.coerce import Array, Filtered, content_of
from novote.expr.functions import CONCRETE, CallFailed, filtered, follow, index

FRUITS = content_of(
    {
        "fruits": [
            {"name": "apple", "quantity": 1},
            {"name": "orange", "quantity": 2},
            {"name": "pear", "quantity": 1},
        ],
        "vegetables": {
            "scallions": {"colors": ["green", "white", "red"], "ediblePortions": ["roots", "stalks"]},
            "beets": {"colors": ["purple", "red", "gold"], "ediblePortions": ["roots", "stems", "leaves"]},
            "artichokes": {
                "colors": ["green", "purple", "red", "black"],
                "ediblePortions": ["hearts", "stems"],
            },
        },
    }
)


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("contains", ("Hello world", "llo"), True),
        ("contains", (Array(["push", "pull_request"]), "PUSH"), True),
        ("contains", (Array(["bugs"]), "bug"), False),
        ("contains", (Object((("a", "b"),)), "a"), False),
        ("contains", ("Array", Array()), False),
        ("contains", (None, ""), True),
        ("startswith", ("Hello world", "He"), True),
        ("startswith", ("refs/tags/v1", "refs/tags/V"), True),
        ("startswith", (Array(["a"]), "A"), False),
        ("endswith", ("Hello world", "ld"), True),
        ("endswith", ("", "a"), False),
        ("format", ("Hello {0} {1} {2}", "Mona", "the", "Octocat"), "Hello Mona the Octocat"),
        ("format", ("{{Hello {0} {1} {2}!}}", "Mona", "the", "Octocat"), "{Hello Mona the Octocat!}"),
        ("format", ("{1}{0}{1}", 1.0, True), "true1true"),
        ("join", (Array(["bug", "help wanted"]), ", "), "bug, help wanted"),
        ("join", (Array(["a", "b"]),), "a,b"),
        ("tojson", (Object((("status", "success"),)),), '{\n  "status": "success"\n}'),
        ("fromjson", ("true",), True),
        ("fromjson", ("3",), 3.0),
    ],
)
def test_known_answers(name: str, arguments: tuple[Content, ...], result: Content) -> None:
    assert CONCRETE[name](*arguments) == result


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("format", ("{0}",)),
        ("format", ("{0:x}", "a")),
        ("format", ("{a}", "a")),
        ("format", ("{}", "a")),
        ("format", ("{999999999999}", "a")),
        ("format", ("{0}" * 200, "a" * 10_000)),
        ("join", (Array(["a" * 200_000] * 2),)),
        ("fromjson", ("",)),
        ("fromjson", (Array(),)),
        ("fromjson", ("[" * 1000,)),
    ],
)
def test_failing_calls(name: str, arguments: tuple[Content, ...]) -> None:
    with pytest.raises(CallFailed):
        CONCRETE[name](*arguments)


@pytest.mark.parametrize(
    ("path", "result"),
    [
        (("fruits", "*", "name"), ["apple", "orange", "pear"]),
        (
            ("vegetables", "*", "ediblePortions"),
            [["roots", "stalks"], ["roots", "stems", "leaves"], ["hearts", "stems"]],
        ),
        (("VEGETABLES", "Beets", "colors", "1"), "red"),
        (("fruits", "*", "name", "0"), []),
        (("fruits", "1", "quantity"), 2),
        (("fruits", "9", "quantity"), None),
        (("nothing", "*"), []),
        (("vegetables", "*", "colors", "0"), ["green", "purple", "green"]),
    ],
)
def test_static_steps(path: tuple[str, ...], result: object) -> None:
    assert follow(FRUITS, path) == content_of(result)


def test_a_filter_passes_on() -> None:
    result = index(filtered(follow(FRUITS, ("vegetables",))), "colors")
    assert isinstance(result, Filtered)
    colors = ("green", "white", "red", "purple", "red", "gold", "green", "purple", "red", "black")
    assert filtered(result) == colors


def test_an_array_is_no_filter() -> None:
    assert index(Array([Object((("a", "b"),))]), "a") is None
    assert index(Array(["x", "y"]), 1.9) == "y"
    assert index("text", "0") is None


def test_every_concrete_function_has_a_count() -> None:
    assert set(CONCRETE) < set(functions.ARITY)
