"""A draft covers the tree it was made from, passes its own lints, and says what it does not know."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.fixturemap.draft import Draft, draft
from novote.fixturemap.draft_text import Written, written
from novote.fixturemap.draft_tree import pattern_for
from novote.fixturemap.lints.case import Case, Grounds
from novote.fixturemap.lints.run import lint
from novote.fixturemap.match import compile_map
from novote.fixturemap.patterns import fault
from novote.fixturemap.spots import Spots
from novote.knowledge.layout import builtin
from novote.knowledge.rules import builtin as rules
from novote.model import SourceText

MAP = "ci/fixture-map.yml"


def drafted(*paths: str | bytes, gates: tuple[str, ...] = ()) -> tuple[Draft, Written]:
    files = [path.encode() if isinstance(path, str) else path for path in (*paths, MAP)]
    found = draft(files, [gate.encode() for gate in (*gates, MAP)], MAP, builtin())
    return found, written(found, ("About.",), files, MAP)


def needs(*paths: str, gates: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """The fixtures of each path in the draft of these paths; nothing for what needs none."""
    found = drafted(*paths, gates=gates)[1].map
    matcher = compile_map(found)
    selected = {}
    for path in paths:
        hits = matcher.hits(path.encode())
        assert hits.covered, path
        selected[path] = list(dict.fromkeys(f for hit in hits.rules for f in found.rules[hit.rule].fixtures))
    return selected


def test_each_part_has_a_fixture_of_its_name_and_the_tests_beside_it() -> None:
    found = needs(
        "src/billing/a.py",
        "src/Checkout/a.py",
        "tests/billing/test_a.py",
        "tests/test_checkout.py",
        "tests/conftest.py",
    )
    assert found == {
        "src/billing/a.py": ["billing"],
        "src/Checkout/a.py": ["Checkout"],
        "tests/billing/test_a.py": ["billing"],
        "tests/test_checkout.py": ["Checkout"],
        "tests/conftest.py": ["tests"],
    }


def test_one_large_part_has_all_tests() -> None:
    code = [f"product/{number}.py" for number in range(9)]
    found = needs(*code, "scripts/a.sh", "tests/x.py", "tests/product/y.py")
    assert found["tests/x.py"] == found["tests/product/y.py"] == found[code[0]] == ["product"]


def test_what_all_parts_depend_on_needs_the_fixtures_of_all() -> None:
    found = needs("src/a/a.py", "src/b/b.py", "src/shared/c.py", "src/d.py", "pyproject.toml", "data/x.json")
    everything = ["a", "b", "shared"]
    assert found["src/shared/c.py"] == ["shared", "a", "b"]
    assert found["src/d.py"] == found["pyproject.toml"] == found["data/x.json"] == everything


def test_what_is_shared_may_say_so_in_its_last_word() -> None:
    found = needs("server/a.java", "server-common/a.java", "common-server/a.java")
    assert found["server-common/a.java"] == ["server-common", "common-server", "server"]
    assert found["common-server/a.java"] == ["common-server"]


def test_many_parts_are_said_to_be_many() -> None:
    found, _ = drafted(*(f"part{number}/a.go" for number in range(30)))
    assert any(sentence.startswith("30 parts are many") for sentence in found.left)


def test_many_parts_are_not_listed_where_all_are_needed() -> None:
    found = needs(*(f"src/part{number}/a.py" for number in range(9)), "setup.cfg")
    assert found["setup.cfg"] == ["everything"]
    assert found["src/part3/a.py"] == ["part3"]


def test_a_folder_of_too_many_parts_is_one_and_that_is_said() -> None:
    found, _ = drafted(*(f"crates/part{number}/a.rs" for number in range(20)))
    assert [rule.fixtures for rule in found.rules if "crates/**" in rule.patterns] == [("crates",)]
    assert any("crates/ is one fixture with 20 parts" in sentence for sentence in found.left)


def test_gate_files_are_linted_wherever_they_lie() -> None:
    gates = (".github/workflows/ci.yml", "scripts/select.sh", "docs/CODEOWNERS", ".gitattributes")
    found = needs(*gates, ".circleci/config.yml", "scripts/other.sh", "docs/a.md", gates=gates)
    for path in (*gates, ".circleci/config.yml"):
        assert {"workflow-lint", "fixture-map-lint"} <= set(found[path]), path
    assert found["scripts/other.sh"] == ["scripts"]


def test_reading_needs_nothing_and_documentation_with_code_has_a_fixture() -> None:
    found = needs(
        "README.md", "LICENSE", "docs/a.md", "docs/conf.py", "images/a.png", ".vscode/x.json", "a/a.go"
    )
    assert found["docs/a.md"] == found["docs/conf.py"] == ["docs"]
    for path in ("README.md", "LICENSE", "images/a.png", ".vscode/x.json"):
        assert found[path] == []
    assert needs("docs/a.md", "docs/theme.yml", "a/a.go")["docs/theme.yml"] == []


def test_hidden_folders_are_taken_for_configuration() -> None:
    assert needs("src/a.rs", ".cargo/config.toml")[".cargo/config.toml"] == ["src"]


def test_ids_differ_even_where_names_do_not() -> None:
    found = needs("pkg/core/a.go", "pkg/x/a.go", "cmd/Core/a.go", "cmd/y/a.go", "docs2/a.go", "docs3/a.go")
    assert found["pkg/core/a.go"] != found["cmd/Core/a.go"]
    text = drafted("tests.x/a.py", "é/a.py", "ü/a.py", "other/a.py", "everything/a.py")[1].text
    assert '"part-1"' in text


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("src/a.py", "src/a.py"),
        ("c++/[slug]/a{b}.ts", "c*/*slug*/a*b*.ts"),
        ("!x/y", "*x/y"),
        ("a\\b", "a*b"),
        ("\udcff\udcfe", "*"),
        ("a\nb", "a*b"),
    ],
)
def test_what_no_pattern_can_spell_becomes_a_star(path: str, pattern: str) -> None:
    assert pattern_for(path) == pattern
    assert fault(pattern, "plain") is None


def test_the_limit_allows_what_the_draft_asks_for() -> None:
    paths = [f"top{number}/a.py" for number in range(40)]
    found = drafted(*paths)[1]
    assert found.map.max_fixtures == 12
    wide = [*(f"src/part{number}/a.py" for number in range(12)), "src/a.py", "src/tests/a.py"]
    assert drafted(*wide)[1].map.max_fixtures == 14


NAME = st.sampled_from(
    [
        "src",
        "a",
        "b",
        "core",
        "pkg",
        "tests",
        "docs",
        "README.md",
        "x.py",
        "y.rs",
        "z.json",
        "LICENSE",
        ".github",
        ".cargo",
        "c++",
        "[x]",
        "é",
        "A",
        "ci",
        "!n",
        "test_a.py",
        "other",
        "everything",
        "*",
        "no",
        "**",
    ]
)
PATHS = st.lists(st.lists(NAME, min_size=1, max_size=4).map("/".join), max_size=25, unique=True)


@settings(deadline=None)
@given(PATHS)
def test_any_tree_is_covered_and_linted_clean(paths: list[str]) -> None:
    paths = [path for path in paths if not any(other.startswith(f"{path}/") for other in paths)]
    _, found = drafted(*paths, gates=tuple(path for path in paths if path.startswith(".github/")))
    assert found.coverage.unmapped == ()
    files = dict.fromkeys([*(path.encode() for path in paths), MAP.encode()], 0o100644)
    source = SourceText(MAP, found.text)
    grounds = Grounds(files, (MAP.encode(),))
    findings = lint(Case(found.map, compile_map(found.map), Spots(source), grounds, rules()))
    odd = any(char in path for path in paths for char in "+[]*!")
    assert odd or findings == ()
    assert not [finding for finding in findings if finding.severity == "error"]


def test_names_that_are_no_text_are_covered_too() -> None:
    _, found = drafted(b"\xff/a.py", b"src/\xfe.py", b"\xff.txt")
    assert found.coverage.unmapped == ()
