"""No text of a repository gets out of its place in any format."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novote.model import DecisionCounts, Finding, Hop, Location, Problem, Report, Severity, SourceText, Span
from novote.report import FORMATS, Context, render

UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\u200b-\u200f\ufeff\ud800-\udfff\U000e0041]"
)
TAGS = {
    *("h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "strong"),
    *("details", "summary", "ol", "ul", "li"),
}
KNOWN_COMMAND = re.compile(r"::(error|warning|notice) file=[^:]*::")


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_unseen_and_all_of_it_utf8(format: str, hostile: Report, context: Context) -> None:
    for verbose in (False, True):
        rendered = render(format, hostile, replace(context, verbose=verbose))
        rendered.encode("utf-8")
        assert UNSEEN.findall(rendered) == []


@pytest.mark.parametrize("format", ["text", "json", "sarif"])
@pytest.mark.parametrize("quiet", [False, True])
def test_no_line_is_a_workflow_command(format: str, quiet: bool, hostile: Report, context: Context) -> None:
    rendered = render(format, hostile, replace(context, quiet=quiet, verbose=True, width=40))
    assert [line for line in rendered.splitlines() if line.lstrip().startswith("::")] == []
    assert "##[" not in rendered


def test_json_keeps_what_it_escapes(hostile: Report, context: Context) -> None:
    document = json.loads(render("json", hostile, context))
    assert document["findings"][0]["message"] == hostile.findings[0].message
    assert document["findings"][0]["file"] == hostile.findings[0].location.file


def test_github_has_one_command_a_line_and_no_more(hostile: Report, context: Context) -> None:
    *commands, _ = render("github", hostile, context).splitlines()
    assert len(commands) == len(hostile.counted()) + len(hostile.problems)
    for command in commands:
        assert KNOWN_COMMAND.match(command), command
        properties = command.split("::")[1].partition(" ")[2].split(",")
        names = [item.partition("=")[0] for item in properties]
        assert names in (
            ["file", "line", "endLine", "title"],
            ["file", "line", "endLine", "col", "endColumn", "title"],
        )


def test_sarif_has_no_embedded_link_and_relative_uris(hostile: Report, context: Context) -> None:
    document = json.loads(render("sarif", hostile, context))
    for text in _values(document["runs"][0]["results"], "text"):
        assert "](" not in text
    uris = _values(document, "uri")
    assert uris
    for uri in uris:
        assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", uri)


def _values(node: Any, key: str) -> list[str]:
    if isinstance(node, list):
        return [text for item in node for text in _values(item, key)]
    if isinstance(node, dict):
        own = [node[key]] if isinstance(node.get(key), str) and "kind" not in node else []
        return own + [text for item in node.values() for text in _values(item, key)]
    return []


def test_markdown_keeps_its_structure(hostile: Report, context: Context) -> None:
    rendered = render("markdown", hostile, context)
    assert rendered.count("<details>") == rendered.count("</details>") == len(hostile.counted())
    fences = [line for line in rendered.splitlines() if "```" in line]
    assert fences == ["```mermaid", "```"] * 2
    assert "<script" not in rendered
    assert not re.search(r"[@#]\w", re.sub(r"&?#\d+;", "", rendered))
    rows = [line for line in rendered.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {4, 5}
    for line in rendered.splitlines():
        if line.startswith("  s"):
            assert line.count('"') in (0, 2)


def test_markdown_as_rendered_shows_text_only(hostile: Report, context: Context) -> None:
    markdown_it = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    html = markdown_it.MarkdownIt("commonmark").enable("table").render(render("markdown", hostile, context))
    tags = set(re.findall(r"</?([A-Za-z0-9]+)", html))
    assert tags <= TAGS
    assert "href" not in html
    assert "src=" not in html
    assert html.count("<details>") == html.count("</details>") == len(hostile.counted())


HOSTILE_TEXT = st.text(
    st.one_of(st.characters(), st.sampled_from("`|<>&@#:%[]()\n\r\t\x1b*_~\\{}\"'$,-+.1 ")), max_size=60
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HOSTILE_TEXT, HOSTILE_TEXT, st.integers(0, 70), st.integers(0, 70))
def test_any_text_at_any_place(text: str, name: str, start: int, size: int) -> None:
    file = name or "a"
    place = Location(file, Span(start, start + size))
    found = Finding("a-rule", Severity.ERROR, name, place, flow=(Hop(place, text), Hop(place, name)))
    report = Report(
        1,
        (found,),
        (Problem(file, "kind", text, place.span),),
        DecisionCounts(),
        sources={file: SourceText(file, text)},
    )
    for format in FORMATS:
        rendered = render(format, report, Context("1"))
        assert UNSEEN.findall(rendered) == []
        rendered.encode("utf-8")
