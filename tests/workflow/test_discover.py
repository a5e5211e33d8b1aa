"""Kinds of files by path."""

from __future__ import annotations

import pytest

from novote.workflow.discover import classify


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".github/workflows/ci.yml", "workflow"),
        (".github/workflows/ci.yaml", "workflow"),
        (".github/workflows/.hidden.yml", "workflow"),
        (".github/workflows/action.yml", "workflow"),
        (".github/workflows/sub/ci.yml", None),
        (".github/workflows/sub/action.yml", "action"),
        ("sub/.github/workflows/ci.yml", None),
        (".github/workflows/ci.yml.bak", None),
        (".github/workflows/ci.json", None),
        (".github/actions/build/action.yml", "action"),
        ("action.yaml", "action"),
        ("deep/er/action.yml", "action"),
        ("reaction.yml", None),
        ("action.yml/readme.md", None),
        (".github/Workflows/ci.yml", None),
        ("", None),
    ],
)
def test_classify(path: str, kind: str | None) -> None:
    assert classify(path) == kind
