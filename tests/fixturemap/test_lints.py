"""What lints find in a map and what they keep silent about, beyond the examples of the rules."""

from __future__ import annotations

import pytest

from novote.fixturemap.lints.agents import agents_in
from novote.fixturemap.lints.case import Case, Grounds, PastChange
from novote.fixturemap.lints.run import invalid, lint, rules_of_maps
from novote.fixturemap.match import compile_map
from novote.fixturemap.read import load_map
from novote.fixturemap.spots import Spots
from novote.git.model import GITLINK, Commit, Person
from novote.knowledge.rules import builtin
from novote.model import Finding, FolderCoverage, MapCoverage, Severity

FILE = "ci/fixture-map.yml"
LINT = "  - {paths: [ci/**], fixtures: [lint]}\n"


def linted(
    text: str,
    *files: str,
    submodules: tuple[str, ...] = (),
    gates: tuple[str, ...] = (),
    commits: tuple[Commit, ...] = (),
    changes: tuple[PastChange, ...] = (),
) -> list[Finding]:
    modes = {path.encode(): 0o100644 for path in (*files, FILE)}
    modes |= {path.encode(): GITLINK for path in submodules}
    return list(lint(case_of(text, Grounds(modes, tuple(gate.encode() for gate in gates), commits, changes))))


def case_of(text: str, grounds: Grounds) -> Case:
    loaded = load_map(FILE, text.encode())
    assert loaded.map is not None, loaded.problems
    assert loaded.source is not None
    return Case(loaded.map, compile_map(loaded.map), Spots(loaded.source), grounds, builtin())


def told(findings: list[Finding], text: str) -> list[tuple[str, str]]:
    """Rule and marked text of each finding."""
    return [(f.rule, text[f.location.span.start : f.location.span.end]) for f in findings]


def a_map(*rules: str, rest: str = "") -> str:
    return "version: 1\nrules:\n" + "".join(f"  - {{{rule}}}\n" for rule in rules) + LINT + rest


def test_a_map_that_fits_its_repository_is_silent() -> None:
    text = a_map("paths: [src/**], fixtures: [unit]", rest="no_fixture:\n  - paths: ['*.md']\n")
    assert linted(text, "src/a.py", "src/b/c.py", "README.md", gates=(FILE,)) == []


def test_the_coverage_counts_every_tracked_file_in_its_folder() -> None:
    text = a_map("paths: [src/**, src.py], fixtures: [unit]", rest="no_fixture:\n  - paths: ['**/*.md']\n")
    files = (b"README.md", b"src.py", b"src/a.py", b"src/b/c.md", b"docs/a.md", b"docs/b.rst", b"\xff/x")
    found = case_of(text, Grounds(dict.fromkeys(files, 0o100644))).coverage()
    assert found == MapCoverage(
        FILE,
        (
            FolderCoverage("", 1, 1, 0),
            FolderCoverage("docs", 0, 1, 1),
            FolderCoverage("src", 2, 0, 0),
            FolderCoverage("\udcff", 0, 0, 1),
        ),
    )


@pytest.mark.parametrize(
    ("patterns", "marked", "instead"),
    [
        ("[src/**, lib/**]", "lib/**", "Mend its spelling"),
        ("[src/**, scr/*.py]", "scr/*.py", "Write `src/*.py`, if"),
        ("[src/**, src/Billing/x.py]", "src/Billing/x.py", "Write `src/billing/x.py`, if"),
        ("[src/**, '!docs/**']", "'!docs/**'", "Mend its spelling"),
        ("['!src/a.py', src/**]", "'!src/a.py'", "Move it behind"),
        ("[src/**, vendor/lib/**]", "vendor/lib/**", "Write `vendor/lib`."),
        ("[src/**, vendor/lib/*.c]", "vendor/lib/*.c", "Write `vendor/lib`."),
    ],
)
def test_a_dead_pattern_is_told_with_what_to_write(patterns: str, marked: str, instead: str) -> None:
    text = a_map(f"paths: {patterns}, fixtures: [unit]", "paths: [vendor/lib], fixtures: [vendor]")
    found = linted(text, "src/a.py", "src/billing/x.py", submodules=("vendor/lib",))
    assert told(found, text) == [("map-dead-pattern", marked)]
    assert instead in found[0].message


def test_what_is_respelled_must_match_something() -> None:
    text = a_map("paths: [src/**, scr/*.md], fixtures: [unit]")
    (found,) = linted(text, "src/a.py")
    assert "Write" not in found.message


def test_product_paths_are_looked_at_where_they_are_written() -> None:
    text = a_map("paths: [lib/**], fixtures: [unit]")
    assert linted(text, "lib/a.py") == []
    text += "product_paths: [lib/**, pkg/**]\n"
    assert told(linted(text, "lib/a.py"), text) == [("map-dead-pattern", "pkg/**")]


def test_unmapped_files_are_counted_with_examples() -> None:
    text = a_map("paths: [src/**], fixtures: [unit]")
    (found,) = linted(text, "src/a.py", *(f"tools/{number}.py" for number in range(9)))
    assert told([found], text) == [("map-unmapped-path", "rules")]
    assert "9 of 11 tracked files hit no rule" in found.message
    assert "`no_fixture`: `tools/0.py`, `tools/1.py`" in found.message
    assert "So a change to one of them is refused." in found.message
    assert found.message.count("`tools/") == 5
    (found,) = linted(text + "require_map_hit: false\n", "src/a.py", "x")
    assert "1 of 3 tracked files hits" in found.message
    assert "So a change to it selects nothing." in found.message


def test_gate_files_need_a_fixture_and_no_fixture_is_none() -> None:
    text = a_map(
        "paths: [src/**], fixtures: [unit]", rest="no_fixture:\n  - paths: [CODEOWNERS, .github/**]\n"
    )
    workflow = ".github/workflows/ci.yml"
    gates = (FILE, "CODEOWNERS", workflow)
    (found,) = linted(text, "src/a.py", "CODEOWNERS", workflow, gates=gates)
    assert (found.rule, found.severity) == ("map-unmapped-gate", Severity.ERROR)
    assert f"`{workflow}`, `CODEOWNERS` settle" in found.message


def test_of_rules_that_cover_each_other_one_is_left() -> None:
    text = a_map("paths: [src/**], fixtures: [unit]", "paths: [src/*, src/*/**], fixtures: [unit]")
    found = linted(text, "src/a.py", "src/b/c.py")
    assert told(found, text) == [("map-shadowed", "{paths: [src/*, src/*/**], fixtures: [unit]}")]
    assert "the rule on line 3 selects it already" in found[0].message


@pytest.mark.parametrize(
    "rules",
    [
        # Another fixture, a path that lies outside, what `!` has taken away, what `always` adds everywhere.
        ("paths: [src/**], fixtures: [unit]", "paths: [src/a.py], fixtures: [types]"),
        ("paths: [src/**], fixtures: [unit]", "paths: [src/b/*, x], fixtures: [unit]"),
        ("paths: [src/**, '!src/b/**'], fixtures: [unit]", "paths: [src/b/**], fixtures: [unit]"),
        ("paths: [src/**], fixtures: [unit]", "paths: [src/b/*], fixtures: [smoke]"),
    ],
)
def test_a_rule_that_adds_something_is_not_shadowed(rules: tuple[str, ...]) -> None:
    found = linted(a_map(*rules, rest="always: [smoke]\n"), "src/a.py", "src/b/c.py", "x")
    assert "map-shadowed" not in {finding.rule for finding in found}


def test_two_rules_together_may_shadow_a_third() -> None:
    text = a_map(
        "paths: [src/*], fixtures: [a, b]",
        "paths: [src/*/**], fixtures: [b, a]",
        "paths: [src/**], fixtures: [b]",
    )
    (found,) = linted(text, "src/a.py", "src/b/c.py")
    assert found.rule == "map-shadowed"
    assert "those on line 3 and line 4 select it already" in found.message
    assert len(found.related) == 2


def test_always_hides_no_rule_but_counts_for_others() -> None:
    rest = "always: [smoke]\n"
    text = a_map("paths: [src/**], fixtures: [unit]", "paths: [src/*], fixtures: [unit, smoke]", rest=rest)
    assert [f.rule for f in linted(text, "src/a.py")] == ["map-shadowed"]


def test_a_pattern_that_gives_back_is_no_duplicate() -> None:
    text = a_map("paths: [src/**, '!src/*.md', src/**], fixtures: [unit]")
    assert [f.rule for f in linted(text, "src/a.py", "src/b.md") if f.rule == "map-duplicate"] == [
        "map-duplicate"
    ], "without the first the list selects the same"
    text = a_map("paths: [src/**, '!src/*.md', 'src/a*', '!src/*.md'], fixtures: [unit]")
    found = [f for f in linted(text, "src/a.md", "src/a.py") if f.rule == "map-duplicate"]
    assert len(found) == 1
    text = a_map("paths: ['*.md', '!a.*', a.md, '!a.*', 'a.x'], fixtures: [unit]")
    assert not [f for f in linted(text, "a.md") if f.rule == "map-shadowed"]


def test_a_large_rule_a_large_folder_and_a_large_change() -> None:
    rules = ("paths: [src/a/**], fixtures: [a, b]", "paths: [src/b/**], fixtures: [c]")
    files = ("src/a/x", "src/b/x")
    limit = "max_fixtures: 2\n"
    text = a_map(*rules, rest=limit)
    (found,) = linted(text, *files)
    assert told([found], text) == [("map-over-cap", "max_fixtures")]
    assert "throughout `src/` needs 3 fixtures, and at most 2" in found.message
    change = PastChange("The change of commit `abc`", (b"src/a/x", b"ci/x", b"gone"))
    (found,) = linted(text, *files, changes=(change,))
    assert "The change of commit `abc` needs 3" in found.message
    (found,) = linted(a_map(*rules, rest=f"{limit}always: [s]\n"), *files)
    assert "hits this rule needs 3" in found.message
    assert linted(a_map(*rules, rest=f"{limit}on_overflow: all\n"), *files) == []


def test_what_gets_every_fixture_must_be_able_to() -> None:
    rules = [f"paths: [src/{n}], fixtures: [f{n}]" for n in range(300)]
    found = linted(a_map(*rules, rest="on_overflow: all\n"), *(f"src/{n}" for n in range(300)))
    assert [f.rule for f in found] == ["map-over-cap"]
    assert "needs 301 fixtures, and at most 256" in found[0].message


def test_an_unknown_fixture_is_told_once_and_an_unused_one_is_milder() -> None:
    rest = "always: [smok]\nfixtures:\n  unit: {}\n  lint: {}\n  smoke: {}\n"
    text = a_map(
        "paths: [src/**], fixtures: [unit, x-ray]", "paths: [src/*], fixtures: [x-ray, smok]", rest=rest
    )
    found = [f for f in linted(text, "src/a.py", "src/b/c") if f.rule == "map-unknown-fixture"]
    assert [(text[slice(*f.location.span)], f.severity.value) for f in found] == [
        ("x-ray", "error"),
        ("smok", "error"),
        ("smoke", "warning"),
    ]
    assert "Write `smoke`, or declare it." in found[1].message


def commit(email: str, message: str = "Map", committer: str = "ann@example.org") -> Commit:
    return Commit(
        "a" * 40, (), Person(b"Claude", email.encode()), Person(b"C", committer.encode()), message.encode()
    )


@pytest.mark.parametrize(
    ("made", "agents"),
    [
        (commit("noreply@anthropic.com"), ("Claude Code",)),
        (commit("ann@example.org", committer="cursoragent@cursor.com"), ("Cursor",)),
        (commit("ann@example.org", "Map\n\nCo-Authored-By: X <noreply@aider.chat>\n\nThanks."), ("Aider",)),
        (commit("claude@example.org", "Map\n\nCo-authored-by: Claude <claude@example.org>"), ()),
        (commit("ann@example.org", "Thank noreply@anthropic.com for this"), ()),
        (commit("\udcff@x".encode("utf-8", "surrogateescape").decode("latin-1")), ()),
    ],
)
def test_agents_are_known_by_address(made: Commit, agents: tuple[str, ...]) -> None:
    assert agents_in(made) == agents


def test_commits_of_agents_are_one_note() -> None:
    text = a_map("paths: [src/**], fixtures: [unit]")
    commits = (commit("noreply@anthropic.com"), commit("ann@example.org"))
    (found,) = linted(text, "src/a.py", commits=commits)
    assert told([found], text) == [("map-machine-edited", "version")]
    assert found.severity is Severity.NOTE
    assert found.message.startswith("Commit `aaaaaaaaaaaa` touched this map in the name of Claude Code.")


def test_what_cannot_be_used_is_told_at_its_place() -> None:
    text = "version: 1\nrules:\n  - paths: [src/]\n    fixtures: [unit]\n"
    (found,) = invalid(load_map(FILE, text.encode()).problems, builtin())
    assert told([found], text) == [("map-invalid", "src/")]
    assert found.severity is Severity.ERROR


def test_every_rule_about_maps_is_looked_for() -> None:
    named = {rule.id for rule in builtin().rules if rule.id.startswith("map-")}
    assert rules_of_maps(builtin()) == named


def test_a_thousand_rules_are_no_thousand_proofs(ends: None) -> None:
    rules = [f"paths: [src/{n}/**, '!src/{n}/*.md'], fixtures: [common, f{n % 7}]" for n in range(1000)]
    found = linted(a_map(*rules), *(f"src/{n}/a.py" for n in range(1000)))
    assert {f.rule for f in found} == {"map-dead-pattern"}


def test_patterns_made_to_be_slow_are_given_up(ends: None) -> None:
    deep = "/".join(("**", "*a*b*", "*b*a*") * 7)
    rules = [f"paths: ['**/{deep}/{n}*'], fixtures: [u]" for n in range(400)]
    found = linted(a_map(*rules), "src/a.py")
    assert "map-shadowed" not in {finding.rule for finding in found}
