"""The JSON report: its schema, its key order, and what null means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.model import Report
from novote.report import Context, json_writer, render

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas/report.json").read_text(encoding="utf-8"))


def document(report: Report, context: Context) -> Any:
    return json.loads(render("json", report, context))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_reports_validate(report: Report, clean: Report, context: Context) -> None:
    for each in (report, clean):
        jsonschema.Draft202012Validator(SCHEMA).validate(document(each, context))


def test_the_schema_refuses_what_the_contract_does(report: Report, context: Context) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    changes: tuple[dict[str, Any], ...] = (
        {"line": 0},
        {"severity": "fatal"},
        {"more": 1},
        {"witness": {}},
        {"suppressed": False},
    )
    for change in changes:
        broken = document(report, context)
        broken["findings"][0].update(change)
        assert not validator.is_valid(broken), change


def test_key_order_is_the_contract(report: Report, context: Context) -> None:
    written = document(report, context)
    assert list(written) == ["schema", "tool", "summary", "findings", "problems"]
    assert list(written["summary"]) == ["files", "findings", "suppressed", "problems", "decisions"]
    assert list(written["findings"][0]) == SCHEMA["$defs"]["finding"]["required"]
    for name in ("claim", "decision", "witness", "suppressed"):
        shape = "suppression" if name == "suppressed" else name
        found = next(finding[name] for finding in written["findings"] if finding[name] is not None)
        assert list(found) == SCHEMA["$defs"][shape]["required"]
    assert list(written["findings"][0]["flow"][0]) == SCHEMA["$defs"]["hop"]["required"]
    assert list(written["problems"][0]) == SCHEMA["$defs"]["problem"]["required"]


def test_values(report: Report, context: Context) -> None:
    written = document(report, context)
    assert written["summary"] == {
        "files": 12,
        "findings": {"error": 1, "warning": 2, "note": 0},
        "suppressed": 2,
        "problems": 2,
        "decisions": {"free": 30, "claimed": 3, "unknown": 1},
    }
    label, picked, title, branch, baseline = written["findings"]
    assert (label["line"], label["column"], label["end_line"], label["end_column"]) == (8, 9, 8, 80)
    assert label["flow"][0]["column"] == 23
    assert title["witness"]["set"] == {"title": "docs", "draft": "true", "label": ["a", "b"]}
    assert (branch["column"], branch["end_column"]) == (11, 23)
    assert branch["claim"] is branch["decision"] is branch["witness"] is branch["suppressed"] is None
    assert picked["suppressed"]["line"] == 10
    assert picked["suppressed"]["until"] == "2030-01-31"
    assert baseline["suppressed"]["file"] is baseline["suppressed"]["line"] is None
    assert (written["problems"][1]["line"], written["problems"][1]["column"]) == (1, 1)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_the_writer_agrees_with_the_standard_library(value: Any) -> None:
    written = json_writer.dumps(value)
    assert json.loads(written) == value
    if written.isascii() and "##[" not in json.dumps(value) and "\x7f" not in json.dumps(value):
        assert written == json.dumps(value, indent=2) + "\n"


def test_the_writer_refuses_what_json_lacks() -> None:
    with pytest.raises(TypeError, match="cannot write set as JSON"):
        json_writer.dumps({"a": {1}})
