"""The receipt holds what was selected and why, and its digest holds all of that."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from novote import __version__
from novote.data import data_folder
from novote.fixturemap.model import FixtureMap
from novote.recompute.candidate import Candidate
from novote.recompute.receipt import digest, receipt, render
from novote.recompute.run import Recomputed, recompute_listed
from novote.record import changed

Read = Callable[[str], FixtureMap]

RULES = 'rules:\n  - paths: ["src/**"]\n    fixtures: [unit, lint]\nalways: [smoke]\nrequire_map_hit: false\n'
CANDIDATE = Candidate("a" * 40, "b" * 40, ("c" * 40,), "d" * 40, ())


@pytest.fixture
def found(read: Read) -> Recomputed:
    return recompute_listed((b"src/\xff\n", "src/\u00e9".encode(), b"other"), read(RULES))


@pytest.fixture(scope="module")
def schema() -> Any:
    return json.loads(data_folder("schemas").joinpath("matrix.json").read_text())


def test_what_it_holds(found: Recomputed) -> None:
    document = receipt(found)
    rest = {key: document[key] for key in ("fixtures", "changed", "unmatched", "because", "map", "tool")}
    hits = [{"rule": 0, "pattern": "src/**", "path": path} for path in ("src/\udcff\n", "src/\u00e9")]
    assert rest == {
        "fixtures": ["unit", "lint", "smoke"],
        "changed": ["src/\udcff\n", "src/\u00e9", "other"],
        "unmatched": ["other"],
        "because": {"unit": hits, "lint": hits, "smoke": []},
        "map": {
            "path": "ci/fixture-map.yml",
            "from": "file",
            "sha256": hashlib.sha256(f"version: 1\n{RULES}".encode()).hexdigest(),
        },
        "tool": {"name": "novote", "version": __version__},
    }
    nothing = [document[key] for key in ("base", "head", "merge_bases", "merged_tree")]
    assert nothing == [None, None, [], None]


def test_what_git_said_is_in_it(found: Recomputed) -> None:
    document = receipt(changed(found, candidate=CANDIDATE, source="base"))
    assert [document[key] for key in ("base", "head", "merge_bases", "merged_tree")] == [
        "a" * 40, "b" * 40, ["c" * 40], "d" * 40,
    ]  # fmt: skip
    assert document["map"]["from"] == "base"


def test_it_is_ascii_and_loses_nothing(found: Recomputed) -> None:
    text = render(receipt(found))
    assert text.isascii()
    assert "src/\\udcff\\n" in text
    assert json.loads(text) == receipt(found)
    assert text.endswith("}\n")
    assert list(json.loads(text))[-1] == "digest"


def test_it_has_the_form_that_the_schema_says(found: Recomputed, schema: Any) -> None:
    validator = jsonschema.Draft202012Validator(schema)
    documents = [receipt(found), receipt(changed(found, candidate=CANDIDATE, source="head"))]
    assert [error.message for document in documents for error in validator.iter_errors(document)] == []
    assert list(schema["properties"]) == list(documents[0]) == schema["required"]


def test_the_digest_can_be_made_with_any_tool(found: Recomputed) -> None:
    document = receipt(found)
    claimed = document.pop("digest")
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    assert hashlib.sha256(canonical.encode()).hexdigest() == claimed
    assert digest({**document, "digest": "other"}) == claimed


def test_every_part_changes_the_digest(found: Recomputed) -> None:
    document = receipt(changed(found, candidate=CANDIDATE))
    for key in document:
        if key != "digest":
            assert digest({**document, key: "other"}) != document["digest"]


def test_an_empty_one_is_written_too(read: Read, schema: Any) -> None:
    document = receipt(recompute_listed((), read(RULES)))
    assert json.loads(render(document)) == document
    jsonschema.Draft202012Validator(schema).validate(document)
    assert document["fixtures"] == []
