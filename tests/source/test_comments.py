"""Which `#` open comments, and which only look like it."""

from __future__ import annotations

import pytest

from novote.model import SourceText
from novote.source.comments import Comment
from novote.source.yaml import parse


def find(text: str, needle: str = "#") -> tuple[Comment, ...]:
    source = SourceText("ci.yml", text)
    found = parse(source).comments(needle)
    assert found == parse(source, pure=True).comments(needle)
    for comment in found:
        assert text[comment.span.start : comment.span.end] == comment.text
    return found


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("a: b  # c \n", ["# c"]),
        ("# c\na: b\n", ["# c"]),
        ("a: b#c\n", []),
        ("a: 'b # c'\n", []),
        ('a: "b\n  # c"\n', []),
        ("a: 'b' # c # d\n", ["# c # d"]),
        ("a: ['#', b] # c\n", ["# c"]),
        ("a: ['#', b]# c\n", ["# c"]),
        ("a:\n  - b # c\n  # d\n  - e\n", ["# c", "# d"]),
        ("a: b\r\n# c\r\nd: e\r\n", ["# c"]),
        ("a: b\n...\n# c\n", ["# c"]),
        ("a: &x b # c\nd: *x # e\n", ["# c", "# e"]),
        ("a: | # c\n  b\nd: e\n", ["# c"]),
        ("a: |\n  b\n# c\nd: e\n", ["# c"]),
        ("a: https://b/#c # d\n", ["# d"]),
    ],
)
def test_comments_of_the_yaml(text: str, comments: list[str]) -> None:
    found = find(text)
    assert [comment.text for comment in found] == comments
    assert not any(comment.in_scalar for comment in found)


def test_a_byte_order_mark_is_nothing_before_a_comment() -> None:
    (comment,) = find("\ufeff# c\na: b\n")
    assert comment.alone
    assert comment.text == "# c"


def test_alone_means_that_only_blanks_stand_before() -> None:
    assert [comment.alone for comment in find("a: # x\n    # y\n  b\n# z\n")] == [False, True, True]


def test_the_comments_of_a_block_script_are_told_apart() -> None:
    found = find(
        "run: |  # yaml\n  # novote: allow x\n  make '#' # novote: allow y\n\n# novote: end\n", "novote:"
    )
    assert [(comment.text, comment.alone, comment.in_scalar) for comment in found] == [
        ("# novote: allow x", True, True),
        ("# novote: allow y", False, True),
        ("# novote: end", True, False),
    ]


def test_a_folded_script_has_comments_too() -> None:
    (comment,) = find("if: >-\n  a &&\n  b # novote: c\n", "novote:")
    assert comment.in_scalar


def test_only_comments_with_the_needle_are_returned() -> None:
    found = find("novote: a # b\nc: d # novote: e\n", "novote:")
    assert [comment.text for comment in found] == ["# novote: e"]


@pytest.mark.parametrize("text", ["a: b\n", "a: [b # novote: c\n", ""])
def test_nothing_to_find(text: str) -> None:
    assert find(text, "novote:") == ()
