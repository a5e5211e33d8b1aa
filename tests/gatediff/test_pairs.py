"""Pairs of trees: harmless rewritings of a gate are silent, and whatever makes it smaller is told.

A pair begins with the files of one of the `trees`, with those under `before`, or with both; `prepare` edits
them. The change then moves files (`move`), edits some (`change`) and writes others whole (`after`, null
removes one). Edits are written as a difference: hunks behind `@@`, in lines that begin with a blank, `-` or
`+`; what they take out stands exactly once in the file. Each finding that is expected names the job or the
kind of decision, where they matter, and words of the finding or its witness.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import yaml

from novote.flow.repository import Repository
from novote.gatediff.compare import shrinks
from novote.gatediff.findings import CHECK, findings_of
from novote.gatediff.model import Side
from novote.knowledge import builtin
from novote.model import Finding, SourceText

if TYPE_CHECKING:
    from tests.conftest import Repository as GitRepository

    Run = Callable[..., CompletedProcess[str]]
    New = Callable[..., GitRepository]

_HERE = Path(__file__).parent
_AUDITED = re.compile(r"\.github/workflows/[^/]+\.ya?ml|(?:.*/)?action\.ya?ml")


class Pair(NamedTuple):
    """Two trees, and the findings that are expected."""

    before: dict[str, str]
    after: dict[str, str]
    expected: tuple[Mapping[str, Any], ...]


class Files:
    """A tree in memory."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def read(self, path: str) -> SourceText | None:
        return SourceText(path, self._texts[path]) if path in self._texts else None

    def names(self, folder: str) -> list[str]:
        return sorted(path for path in self._texts if path.rpartition("/")[0] == folder)


def documents() -> Iterator[dict[str, Any]]:
    for path in sorted(_HERE.glob("pairs/*.yml")):
        yield from yaml.safe_load(path.read_text())


def edited(text: str, edits: str) -> str:
    """A text after the hunks of a difference."""
    for hunk in re.split(r"^@@\n", edits, flags=re.MULTILINE)[1:]:
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        assert f"\n{text}".count(f"\n{old}") == 1, f"not there exactly once:\n{old}"
        text = f"\n{text}".replace(f"\n{old}", f"\n{new}").removeprefix("\n")
    return text


def changed(files: Mapping[str, str], pair: Mapping[str, Any]) -> dict[str, str]:
    """The tree of the change."""
    found = {pair.get("move", {}).get(name, name): text for name, text in files.items()}
    found |= {name: edited(found[name], edits) for name, edits in pair.get("change", {}).items()}
    found |= pair.get("after", {})
    return {name: text for name, text in found.items() if text is not None}


def pair_of(document: Mapping[str, Any]) -> Pair:
    tree = document.get("tree")
    before = yaml.safe_load((_HERE / "trees" / f"{tree}.yml").read_text()) if tree else {}
    before |= document.get("before", {})
    before |= {name: edited(before[name], edits) for name, edits in document.get("prepare", {}).items()}
    expected = document["expect"]
    return Pair(before, changed(before, document), () if expected == "silent" else tuple(expected))


def side(files: Mapping[str, str], revision: str = "") -> Side:
    """A tree as `novote diff` sees it."""
    audited = {name: SourceText(name, text) for name, text in files.items() if _AUDITED.fullmatch(name)}
    return Side(Repository(audited, builtin(), Files(files)), revision, tuple(sorted(files)))


def compared(pair: Pair) -> list[Finding]:
    found = shrinks(side(pair.before, "base"), side(pair.after))
    return list(findings_of(found, builtin().rules))


def fits(finding: Finding, expected: Mapping[str, Any]) -> bool:
    """Whether a finding is the one that is expected."""
    kind = finding.decision.kind if finding.decision is not None else None
    text = f"{finding.message} {finding.witness}"
    return (
        expected.get("job", finding.job) == finding.job
        and expected.get("kind", kind) == kind
        and all(word in text for word in expected.get("says", ()))
    )


def check(found: list[Finding], expected: tuple[Mapping[str, Any], ...]) -> None:
    """Each finding is expected, and each that is expected is there."""
    for each in expected:
        assert any(fits(finding, each) for finding in found), (each, found)
    for finding in found:
        assert any(fits(finding, each) for each in expected), finding.message


_DOCUMENTS = list(documents())


@pytest.mark.parametrize("document", [pytest.param(each, id=each["name"]) for each in _DOCUMENTS])
def test_a_pair_has_the_findings_that_it_expects(document: dict[str, Any]) -> None:
    pair = pair_of(document)
    assert pair.before != pair.after
    check(compared(pair), pair.expected)


def test_a_tree_has_lost_nothing_against_itself() -> None:
    for path in sorted(_HERE.glob("trees/*.yml")):
        files = yaml.safe_load(path.read_text())
        assert compared(Pair(files, dict(files), ())) == []


def test_half_of_the_pairs_are_harmless_and_each_has_a_name_of_its_own() -> None:
    silent = [each for each in _DOCUMENTS if each["expect"] == "silent"]
    assert len(silent) >= 60
    assert len(_DOCUMENTS) - len(silent) >= 60
    assert len({each["name"] for each in _DOCUMENTS}) == len(_DOCUMENTS)


@pytest.mark.parametrize(
    "name", ["job-split", "options-reordered", "never", "keyword", "map-rule-lost", "owners-lost"]
)
def test_the_command_finds_in_git_what_the_trees_hold(
    name: str, new_repository: New, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = next(each for each in _DOCUMENTS if each["name"] == name)
    pair = pair_of(document)
    made = new_repository()
    monkeypatch.chdir(made.path)
    base = made.save("Begin", pair.before)
    gone = dict.fromkeys(pair.before.keys() - pair.after.keys())
    head = made.save("Change the gate", pair.after | gone)
    done = run("diff", "--base", base, "--head", head, "--format", "json")
    findings = [each for each in json.loads(done.stdout)["findings"] if each["rule"] == CHECK]
    assert [each["message"] for each in findings] == [each.message for each in compared(pair)]
    assert done.returncode == (1 if pair.expected else 0)
