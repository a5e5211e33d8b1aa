"""Each sink's escaping, by examples."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.report import escape


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain `text`, 日本語 ünï \U0001f600", "plain `text`, 日本語 ünï \U0001f600"),
        ("a\nb\rc\td", r"a\nb\rc\td"),
        ("\x1b[31m\x00\x7f\x9b", r"\x1b[31m\x00\x7f\x9b"),
        ("\u202egnp\u2066\u200b\ufeff\u2028", r"\u202egnp\u2066\u200b\ufeff\u2028"),
        ("\udc80\ud800\U000e0041", r"\udc80\ud800\U000e0041"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert escape.visible(text) == shown


@given(st.text(st.characters()))
def test_visible_is_one_line_and_settles(text: str) -> None:
    shown = escape.visible(text)
    assert len(shown.splitlines()) <= 1
    assert escape.visible(shown) == shown
    shown.encode("utf-8")


def test_terminal_parts_old_style_commands() -> None:
    assert escape.terminal("###[group]a ##[error]") == r"#\x23#[group]a \x23#[error]"
    assert escape.terminal("## [x]") == "## [x]"


@pytest.mark.parametrize(
    ("line", "safe"),
    [("::error::x", r"\x3a:error::x"), ("  ::x", r"  \x3a:x"), ("a ::x", "a ::x"), (":x", ":x"), ("", "")],
)
def test_log_line(line: str, safe: str) -> None:
    assert escape.log_line(line) == safe


def test_command_data_and_property() -> None:
    assert escape.command_data("50%, a:b\nnext %0A\r") == r"50%25, a:b%0Anext %250A\r"
    assert escape.command_property("a,b::c%\n") == r"a%2Cb%3A%3Cc%25\n".replace("%3C", "%3A")


@given(st.text(st.characters()))
def test_json_text_reads_back(text: str) -> None:
    written = escape.json_document(escape.json_text(json.dumps(text, ensure_ascii=False)))
    written.encode("utf-8")
    read = json.loads(written)
    assert read.encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")


def test_json_hides_nothing() -> None:
    written = escape.json_document(escape.json_text('"\x7f\u202e\udc80\U000e0041 é ##[x"'))
    assert written == r'"\u007f\u202e\udc80\udb40\udc41 é \u0023#[x"'


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", "a&#124;b"),
        ("@octocat", "&#64;&#8203;octocat"),
        ("#12", "&#35;&#8203;12"),
        ("GH-12 a-b", "GH&#45;&#8203;12 a-b"),
        ("www.example", "www&#46;example"),
        ("<b>&amp;", "&#60;b&#62;&#38;amp;"),
        ("1. one", "&#49;. one"),
        ("12 files", "12 files"),
        ("- item", "&#45;&#8203; item"),
        ("a\n# b", "a&#92;n&#35;&#8203; b"),
    ],
)
def test_markdown(text: str, escaped: str) -> None:
    assert escape.markdown(text) == escaped


def test_markdown_code_cannot_be_ended() -> None:
    assert escape.markdown_code("`</code>@a") == "<code>&#96;&#60;/code&#62;&#64;a</code>"


def test_mermaid() -> None:
    assert escape.mermaid('a"] --> b;\n`日本`') == "a#34;#93; --#62; b#59;#92;n#96;日本#96;"


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/ünï.yml", "a%20b/%C3%BCn%C3%AF.yml"),
        ("a:b#c?d%e", "a%3Ab%23c%3Fd%25e"),
        ("raw\udcff", "raw%FF"),
        ("\ud800", "%ED%A0%80"),
        ("a\nb", "a%0Ab"),
    ],
)
def test_uri(path: str, uri: str) -> None:
    assert escape.uri(path) == uri


def test_sarif_text_has_no_links() -> None:
    assert escape.sarif_text("[a](https://x)\n") == r"[a] (https://x)\n"
