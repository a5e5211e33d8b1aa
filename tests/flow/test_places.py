"""Exact places of what was read, in every style a scalar can be written in."""

from __future__ import annotations

from typing import cast

import pytest

from novote.flow.places import part_of, reading
from novote.model import SourceText, Span
from novote.source.nodes import Mapping, Scalar
from novote.source.yaml import parse

TITLE = ("github", "event", "pull_request", "title")


def scalar(text: str) -> tuple[SourceText, Scalar]:
    source = SourceText("ci.yml", text)
    root = parse(source).root
    assert isinstance(root, Mapping)
    return source, cast(Scalar, root.get("k"))


def shown(source: SourceText, span: Span) -> str:
    return source.text[span.start : span.end]


READING = "github.event.pull_request.title"
STYLES = {
    "plain": f"k: ${{{{ contains({READING}, 'x') }}}}\n",
    "single": f"k: '${{{{ contains({READING}, ''x'') }}}}'\n",
    "double": f"k: \"\\u00e9\\t${{{{ contains({READING}, 'x') }}}}\"\n",
    "literal": f"k: |\n  one\n    two ${{{{ contains({READING}, 'x') }}}}\n",
    "folded": f"k: >-\n  one\n  two ${{{{ contains({READING}, 'x') }}}}\n\n  three\n",
    "indented": f"k: |4\n      one ${{{{ {READING} }}}}\n",
    "crlf": f"k: |\r\n  one\r\n  two ${{{{ {READING} }}}}\r\n",
    "plain over lines": f"k: one\n  two ${{{{ {READING} }}}}\n",
    "double over lines": f'k: "one\n  two \\\n  ${{{{ {READING} }}}}"\n',
    "single over lines": f"k: 'it''s\n\n  two ${{{{ {READING} }}}}'\n",
    "byte order mark": f"\ufeffk: ${{{{ {READING} }}}}\n",
    "wide": f"a: 🧪測試\nk: '🧪 é ${{{{ {READING} }}}}'\n",
    "flow": f"{{a: b, k: '${{{{ {READING} }}}}'}}\n",
}


@pytest.mark.parametrize("style", STYLES)
def test_where_an_expression_reads_a_path(style: str) -> None:
    source, node = scalar(STYLES[style])
    assert shown(source, reading(source, node, TITLE, is_condition=False)) == READING


@pytest.mark.parametrize(
    "text", [f"k: contains({READING}, 'x')\n", f"k: |-\n  github.sha ||\n  {READING}\n", f'k: "!{READING}"\n']
)
def test_where_a_condition_without_braces_reads_a_path(text: str) -> None:
    source, node = scalar(text)
    assert shown(source, reading(source, node, TITLE, is_condition=True)) == READING


def test_the_first_reading_of_several() -> None:
    source, node = scalar(f"k: ${{{{ github.sha }}}} ${{{{ {READING} }}}} ${{{{ {READING} }}}}\n")
    span = reading(source, node, TITLE, is_condition=False)
    assert span.start == source.text.index(READING)


def test_another_spelling_of_the_path_is_found() -> None:
    text = "GITHUB['Event'].pull_request['title']"
    source, node = scalar(f"k: ${{{{ {text} }}}}\n")
    assert shown(source, reading(source, node, TITLE, is_condition=False)) == text


def test_the_whole_scalar_where_no_expression_names_the_path() -> None:
    source, node = scalar("k: '${{ github.sha }}'\n")
    assert shown(source, reading(source, node, TITLE, is_condition=False)) == "'${{ github.sha }}'"
    source, node = scalar("k: ${{ github.( }}\n")
    assert shown(source, reading(source, node, TITLE, is_condition=False)) == "${{ github.( }}"


@pytest.mark.parametrize(
    ("text", "part", "written"),
    [
        ("k: one two\n", "two", "two"),
        ("k: 'it''s two'\n", "it's", "it''s"),
        ('k: "a\\tb two"\n', "a\tb", "a\\tb"),
        ("k: |\n  one\n  two\n", "one\ntwo", "one\n  two"),
        ("k: >\n  one\n  two\n", "one two", "one\n  two"),
        ('k: "\\U0001F9EA x"\n', "\U0001f9ea", "\\U0001F9EA"),
    ],
)
def test_a_part_of_a_value_as_it_is_written(text: str, part: str, written: str) -> None:
    source, node = scalar(text)
    start = node.value.index(part)
    assert shown(source, part_of(source, node, Span(start, start + len(part)))) == written


def test_without_a_part_the_whole_scalar() -> None:
    source, node = scalar("k: 'all of it'\n")
    assert shown(source, part_of(source, node, None)) == "'all of it'"


def test_a_part_of_an_alias_is_the_alias() -> None:
    source, node = scalar("a: &x one two\nk: *x\n")
    assert shown(source, part_of(source, node, Span(4, 7))) == "*x"
    assert shown(source, part_of(source, node, None)) == "*x"
