"""What is proved of patterns holds for every path, and what cannot be proved is not claimed."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from novote.fixturemap.lints.language import Budget, Undecided, uncovered
from novote.fixturemap.match import matches
from novote.fixturemap.model import Dialect, Pattern
from novote.model import Location, Span

NOWHERE = Location("m", Span(0, 0))


def patterns(*texts: str) -> list[Pattern]:
    return [Pattern(text.removeprefix("!"), text.startswith("!"), NOWHERE) for text in texts]


def refuting(
    asked: list[Pattern], cover: list[list[Pattern]], dialect: Dialect, work: int = 10**6
) -> bytes | None:
    return uncovered(asked, cover, dialect, Budget(work))


def selects(texts: tuple[str, ...], path: bytes, dialect: Dialect) -> bool:
    """The last pattern of a list that matches decides."""
    deciding = [not text.startswith("!") for text in texts if matches(text.removeprefix("!"), path, dialect)]
    return bool(deciding) and deciding[-1]


@pytest.mark.parametrize(
    ("asked", "cover", "dialect"),
    [
        (("src/billing/**",), [("src/**",)], "plain"),
        (("src/*.py", "src/a/*"), [("src/*",), ("src/a/**",)], "plain"),
        (("**",), [("*",), ("*/**",)], "plain"),
        (("**",), [("**/*",)], "plain"),
        (("**/x",), [("x", "*/**/x")], "plain"),
        (("a/**/b",), [("a/b",), ("a/*/**/b",)], "plain"),
        (("src/**", "!src/x/**"), [("src/**", "!src/x/y")], "plain"),
        (("src/**", "!src/x/**", "src/x/y"), [("src/**", "!src/x/**"), ("src/x/y",)], "plain"),
        (("**", "!docs/**"), [("*", "*/**", "!docs/**")], "plain"),
        (("a/b",), [("a/b",)], "plain"),
        (("*.jsx?",), [("*.js",), ("*.jsx",)], "github"),
        (("fo+",), [("fo",), ("foo+",)], "github"),
        (("v[0-9].py",), [("v*.py",)], "github"),
        (("a*b",), [("a**b",)], "github"),
        (("é+x",), [("é**",)], "github"),
    ],
)
def test_proved(asked: tuple[str, ...], cover: list[tuple[str, ...]], dialect: Dialect) -> None:
    assert refuting(patterns(*asked), [patterns(*one) for one in cover], dialect) is None


@pytest.mark.parametrize(
    ("asked", "cover", "dialect"),
    [
        (("src/**",), [("src/billing/**",)], "plain"),
        (("src/**",), [("src/*",), ("src/a/**",)], "plain"),
        (("src/**", "!src/x/y"), [("src/**", "!src/x/**")], "plain"),
        (("src/**",), [("src/**", "!src/x/**"), ("src/x/*",)], "plain"),
        (("**/*.md",), [("*.md",)], "plain"),
        (("src/**",), [], "plain"),
        (("a**b",), [("a*b",)], "github"),
        (("fo+",), [("foo+",)], "github"),
        (("v[0-9].py",), [("v[0-8].py",)], "github"),
        (("*.jsx?",), [("*.jsx",)], "github"),
    ],
)
def test_refuted_by_a_path(asked: tuple[str, ...], cover: list[tuple[str, ...]], dialect: Dialect) -> None:
    path = refuting(patterns(*asked), [patterns(*one) for one in cover], dialect)
    assert path is not None
    assert selects(asked, path, dialect)
    assert not any(selects(one, path, dialect) for one in cover)
    assert not path.startswith(b"/")
    assert not path.endswith(b"/")
    assert b"//" not in path


def test_what_takes_too_long_is_given_up() -> None:
    asked = patterns("abcdefgh/**")
    assert refuting(asked, [asked], "plain", work=1000) is None
    with pytest.raises(Undecided):
        refuting(asked, [asked], "plain", work=350)


@pytest.mark.usefixtures("ends")
def test_a_question_made_to_explode_ends() -> None:
    wide = ["*" + "a*" * number + "/**" for number in range(1, 30)]
    try:
        path = refuting(patterns("**/x/**"), [patterns(text) for text in wide], "plain")
    except Undecided:
        return
    assert path is not None


SEGMENT = st.sampled_from(["a", "b", "*", "**", "a*", "*b"])
TEXT = st.lists(SEGMENT, min_size=1, max_size=3).map("/".join)
LIST = st.lists(st.tuples(st.sampled_from(["", "", "!"]), TEXT).map("".join), min_size=1, max_size=3).map(
    tuple
)
PATH = st.lists(st.sampled_from(["a", "b", "ab", "c"]), min_size=1, max_size=3).map("/".join).map(str.encode)


@given(LIST, st.lists(LIST, max_size=2), st.lists(PATH, min_size=1, max_size=20))
@example(("**/a",), [("a",)], [b"b/a"])
def test_the_matcher_agrees(asked: tuple[str, ...], cover: list[tuple[str, ...]], paths: list[bytes]) -> None:
    """A refuting path refutes for the matcher too, and where there is none no path at all refutes."""
    path = refuting(patterns(*asked), [patterns(*one) for one in cover], "plain")

    def refutes(path: bytes) -> bool:
        return selects(asked, path, "plain") and not any(selects(one, path, "plain") for one in cover)

    if path is None:
        assert not any(map(refutes, paths))
    else:
        assert refutes(path)
