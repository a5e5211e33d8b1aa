"""Writes `rules/` as the JSON tables that novote reads: `python -m novote.knowledge.compile`.

Only what a run needs is kept: references stay in the YAML, except those of rules, which reports print.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from novote.data import data_folder
from novote.knowledge.command_table import EMPTY, merged
from novote.knowledge.exam_index import indexed
from novote.knowledge.load import TABLE_NAMES, TableName, table_file

Plain = dict[str, Any]


def read_yaml(path: Path) -> Any:
    """One YAML file of `rules/` as plain values; the data is ours, so errors are raised as they come."""
    import yaml

    with path.open("rb") as stream:
        return yaml.load(stream, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _files(folder: Path) -> Iterator[tuple[str, Any]]:
    for path in sorted(folder.glob("*.yml")):
        yield path.stem, read_yaml(path)


def _without(entry: Mapping[str, Any], *names: str) -> Plain:
    return {key: value for key, value in entry.items() if key not in names}


def _sources(rules: Path) -> Plain:
    events: Plain = {}
    common: list[str] = []
    entries: list[Plain] = []
    environment: dict[str, str] = {}
    for _, document in _files(rules / "sources"):
        common += document.get("common_roots", [])
        environment |= document.get("environment", {})
        entries += [_without(entry, "reference") for entry in document.get("sources", [])]
        for name, event in document.get("events", {}).items():
            events[name] = _without(event, "because", "reference")
    return {"common_roots": common, "events": events, "entries": entries, "environment": environment}


def _actions(rules: Path) -> Plain:
    rows: list[Plain] = []
    names: dict[str, int] = {}
    for stem, document in _files(rules / "actions"):
        for entry in document["actions"]:
            for name in _names(entry["uses"]):
                if name in names:
                    raise ValueError(f"{name} stands twice in rules/actions, the second time in {stem}.yml")
                names[name] = len(rows)
            rows.append(_without(entry, "uses", "because", "reference"))
    return {"rows": rows, "names": names}


def _names(uses: str | list[str]) -> list[str]:
    return [name.lower() for name in ([uses] if isinstance(uses, str) else uses)]


def _exams(rules: Path) -> Plain:
    commands: list[Plain] = []
    wrappers: list[Plain] = []
    programs: Plain = {}
    housekeeping: list[str] = []
    own_programs: list[str] = []
    option_words: list[str] = []
    variable_words: list[str] = []
    for stem, document in _files(rules / "exams"):
        if stem == "names":
            continue
        commands += [_without(entry, "because", "reference") for entry in document.get("commands", [])]
        wrappers += [_without(entry, "because", "reference") for entry in document.get("wrappers", [])]
        housekeeping += document.get("housekeeping", {}).get("words", [])
        option_words += document.get("option_words", {}).get("words", [])
        variable_words += document.get("variable_words", {}).get("words", [])
        own_programs += document.get("own_programs", {}).get("words", [])
        for name, program in document.get("programs", {}).items():
            programs[name] = _without(program, "because", "reference")
    names = _without(read_yaml(rules / "exams" / "names.yml"), "reference")
    words = {key: value["words"] for key, value in names.items()}
    return {
        "commands": commands,
        "wrappers": wrappers,
        "programs": programs,
        "names": words,
        "housekeeping": housekeeping,
        "own-programs": own_programs,
        "option-words": option_words,
        "variable-words": variable_words,
        **indexed(commands, wrappers),
    }


def _commands(rules: Path) -> Plain:
    seen: set[str] = set()
    documents = [document for _, document in _files(rules / "commands")]
    for document in documents:
        for entry in document.get("commands", ()):
            for name in (entry["command"], *entry.get("also", ())):
                if name in seen:
                    raise ValueError(f"{name} stands twice in rules/commands")
                seen.add(name)
    return merged(EMPTY, documents)


def _policies(rules: Path) -> Plain:
    return {"policies": [document for _, document in _files(rules / "policies")]}


def _octokit(rules: Path) -> Plain:
    data = read_yaml(rules / "octokit.yml")
    fields: Plain = {}
    for names, spec in data["graphql"]["fields"].items():
        fields |= {name.strip(): spec for name in names.split(",")}
    return {
        "documents": {name: _without(row, "because", "reference") for name, row in data["documents"].items()},
        "methods": [_without(row, "because", "reference") for row in data["methods"]],
        "graphql": fields,
        "mutations": data["mutations"]["deeds"],
    }


def _agents(rules: Path) -> Plain:
    entries = read_yaml(rules / "agents.yml")["agents"]
    return {"agents": [_without(entry, "because", "reference") for entry in entries]}


def _layout(rules: Path) -> Plain:
    document = read_yaml(rules / "layout.yml")
    parts = {name: _without(part, "because", "reference") for name, part in document.items()}
    return {**parts, "languages": parts["languages"]["endings"]}


def compiled(name: TableName, rules: Path) -> bytes:
    """The bytes of one table, made from the YAML under `rules`.

    One entry a line, so that a review shows what changed. Raises ValueError where an action or a command
    stands twice.
    """
    if name == "decision-table":
        value = read_yaml(rules / "decision-table.yml")
    else:
        makers = {
            "sources": _sources,
            "actions": _actions,
            "exams": _exams,
            "commands": _commands,
            "policies": _policies,
            "octokit": _octokit,
            "agents": _agents,
            "layout": _layout,
        }
        value = makers[name](rules)
    return ("{\n" + ",\n".join(_sections(value)) + "\n}\n").encode()


def _sections(value: Mapping[str, Any]) -> Iterator[str]:
    for key, section in value.items():
        if isinstance(section, dict):
            rows = [f"{_json(name)}:{_json(row)}" for name, row in section.items()]
            yield f"{_json(key)}:{{\n" + ",\n".join(rows) + "\n}"
        elif isinstance(section, list):
            yield f"{_json(key)}:[\n" + ",\n".join(map(_json, section)) + "\n]"
        else:
            yield f"{_json(key)}:{_json(section)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def main() -> None:
    """Writes every table."""
    rules = data_folder("rules")
    for name in TABLE_NAMES:
        file = Path(table_file(name))
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(compiled(name, rules))


if __name__ == "__main__":
    main()
