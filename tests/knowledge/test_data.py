"""The data in `rules/` is valid by its schemas, referenced, and the same as its compiled tables."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from novote.data import data_folder
from novote.knowledge.compile import compiled, read_yaml
from novote.knowledge.load import TABLE_NAMES, TableName, table_file

RULES = data_folder("rules")
SCHEMAS = data_folder("schemas")


def schema_of(path: Path) -> str:
    if path.parent == RULES:
        return path.stem
    if path.name == "names.yml":
        return "exam-names"
    folders = {"sources": "source", "actions": "action", "exams": "exam", "commands": "command"}
    return (folders | {"policies": "rule"})[path.parent.name]


# A template is a workflow that novote ships, and GitHub says what that may hold.
FILES = sorted(path for path in RULES.rglob("*.yml") if path.parent.name != "templates")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(RULES)))
def test_a_file_is_valid_by_its_schema(path: Path) -> None:
    validator = Draft202012Validator(json.loads((SCHEMAS / f"{schema_of(path)}.json").read_text()))
    errors = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(read_yaml(path))]
    assert errors == []


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.stem)
def test_a_schema_is_a_schema(path: Path) -> None:
    Draft202012Validator.check_schema(json.loads(path.read_text()))


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_a_table_is_what_the_rules_say(name: TableName) -> None:
    same = Path(table_file(name)).read_bytes() == compiled(name, RULES)
    assert same, "rules/ has changed: run `python -m novote.knowledge.compile` and commit the tables"


def documents(folder: str) -> list[Any]:
    return [read_yaml(path) for path in sorted((RULES / folder).glob("*.yml")) if path.name != "names.yml"]


def test_every_event_source_has_a_reference_of_its_own_or_of_its_file() -> None:
    for document in documents("sources"):
        for entry in document.get("sources", []):
            assert "reference" in entry or "reference" in document


def test_sources_name_events_that_exist() -> None:
    known = {name for document in documents("sources") for name in document.get("events", {})}
    named = {
        n for d in documents("sources") for entry in d.get("sources", []) for n in entry.get("events", [])
    }
    assert named <= known


def test_sources_stand_under_roots_that_their_events_have() -> None:
    events: dict[str, Any] = {}
    for document in documents("sources"):
        events |= document.get("events", {})
    for document in documents("sources"):
        for entry in document.get("sources", []):
            for path in entry["paths"]:
                parts = path.split(".")
                if parts[1] == "event" and parts[2] != "action":
                    assert any(parts[2] in events[name]["roots"] for name in entry["events"]), path


def test_no_command_stands_twice() -> None:
    texts = Counter(
        text
        for document in documents("exams")
        for entry in document.get("commands", [])
        for text in (entry["command"], *entry.get("also", []))
    )
    assert [text for text, count in texts.items() if count > 1] == []


def test_there_is_enough_of_everything() -> None:
    commands = [entry for document in documents("exams") for entry in document.get("commands", [])]
    runners = {t for e in commands if "kind" in e for t in (e["command"], *e.get("also", []))}
    assert len({text.split()[0] for text in runners}) >= 150
    assert len([entry for entry in commands if "select" in entry or "retries" in entry]) >= 60
    actions = [entry for document in documents("actions") for entry in document["actions"]]
    names = [(n, e) for e in actions for n in ([e["uses"]] if isinstance(e["uses"], str) else e["uses"])]
    assert sum(1 for _, entry in names if entry["role"] == "exam") >= 60
    assert (
        sum(1 for _, entry in names if entry["role"] in ("source", "observed", "transform", "artifact")) >= 40
    )


def test_no_reference_names_a_private_host() -> None:
    for path in FILES:
        for host in re.findall(r"https://([^/\s\"]+)", path.read_text()):
            assert "." in host
            assert not host.startswith(("localhost", "127.", "10."))


def reasoned(value: Any) -> list[dict[str, Any]]:
    """Every mapping in a document that gives a reason."""
    found = []
    if isinstance(value, dict):
        found += [value] if "because" in value else []
        value = list(value.values())
    for item in value if isinstance(value, list) else ():
        found += reasoned(item)
    return found


@pytest.mark.parametrize("folder", ["sources", "actions", "exams", "commands"])
def test_our_own_reasons_are_sentences_with_a_reference(folder: str) -> None:
    for document in documents(folder):
        for entry in reasoned(document):
            assert re.fullmatch(r"\S.*[.?!]", entry["because"])
            assert "reference" in entry or folder == "sources"


def test_our_own_rules_say_why_and_what_to_do() -> None:
    for document in documents("policies"):
        assert min(len(document[key]) for key in ("title", "message", "why", "remedy")) >= 10
