"""The rules about ranges, on facts made up for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novote.commits.facts import CommitFacts, RangeFacts
from novote.commits.judge import Measure, range_findings
from novote.commits.message import Keys
from novote.fixturemap.match import Matcher, compile_map
from novote.fixturemap.model import FixtureMap
from novote.fixturemap.read import load_map
from novote.git.model import Commit, Person
from novote.knowledge.rules import builtin
from novote.model import Claim, Finding, SourceText
from novote.recompute.edits import Edits
from novote.recompute.select import select

SOMEBODY = Person(b"Somebody", b"somebody@example.org")
MAP = """\
version: 1
rules:
  - {paths: ["src/**", "lib/**"], fixtures: [unit]}
  - {paths: ["ci/**"], fixtures: [lint]}
no_fixture:
  - {paths: ["docs/**"], because: prose}
product_paths: ["src/**", "lib/**", "!src/generated/**"]
max_fixtures: 1
"""
HUMAN = "Change\n\nPatch-Class: human\n"


def commit(message: str | bytes, *paths: str, of_map: Sequence[str] = ()) -> CommitFacts:
    raw = message if isinstance(message, bytes) else message.encode("utf-8", "surrogateescape")
    made = Commit("0123456789ab" + "0" * 28, ("1" * 40,), SOMEBODY, SOMEBODY, raw)
    return CommitFacts(made, edits(*paths, of_map=of_map))


def edits(*paths: str, of_map: Sequence[str] = ()) -> Edits:
    raw = sorted(path.encode("utf-8", "surrogateescape") for path in paths)
    return Edits(tuple(raw), tuple(path.encode() for path in of_map))


@cache
def loaded(text: str) -> tuple[FixtureMap, SourceText, Matcher]:
    found = load_map("ci/fixture-map.yml", text.encode())
    assert found.map is not None
    assert found.source is not None
    return found.map, found.source, compile_map(found.map)


def measured(text: str, changed: Sequence[bytes] | None) -> Measure:
    fixture_map, source, matcher = loaded(text)
    selection = None if changed is None else select(fixture_map, matcher, changed)
    return Measure(fixture_map, source, matcher, selection)


def judged(*commits: CommitFacts, text: str | None = MAP, whole: Edits | None = None) -> tuple[Finding, ...]:
    paths = sorted({path for each in commits for path in each.edits.paths})
    of_map = sorted({path for each in commits for path in each.edits.of_map})
    facts = RangeFacts(commits, whole or Edits(tuple(paths), tuple(of_map)))
    measure = None if text is None else measured(text, facts.edits.paths)
    return range_findings(facts, Keys(), builtin(), measure)


def rules(*commits: CommitFacts, text: str | None = MAP, whole: Edits | None = None) -> list[str]:
    return [finding.rule for finding in judged(*commits, text=text, whole=whole)]


def only(findings: Sequence[Finding]) -> Finding:
    (finding,) = findings
    return finding


def test_a_claim_names_the_commit_the_line_and_the_key() -> None:
    found = only(judged(commit("Round `up`\n\nBody\n\nTested\u2010with : all\n", "docs/a.md")))
    assert found.rule == "range-claims-fixtures"
    assert "Commit `0123456789ab` (`Round 'up'`)" in found.message
    assert "Line 5" in found.message
    assert "`Tested\u2010with : all`" in found.message
    assert "`Tested-with`" in found.message
    assert found.claim == Claim("commit-message", "Tested\u2010with : all", "Tested-with")
    assert found.location.file == "ci/fixture-map.yml"


def test_a_claim_that_git_takes_for_a_trailer_is_one() -> None:
    found = only(judged(commit("Round up\n\ntested-WITH: all\n", "docs/a.md")))
    assert found.claim == Claim("trailer", "tested-WITH: all", "Tested-with")


def test_every_claim_of_every_commit_is_told() -> None:
    one = commit("A\n\nTested-with: a\nLocal-Green: yes\n", "docs/a.md")
    two = commit("B\n\nTested-with: b\n", "docs/b.md")
    claims = [finding.claim and finding.claim.value for finding in judged(one, two)]
    assert claims == ["Tested-with", "Local-Green", "Tested-with"]


def test_an_encoding_hides_no_claim() -> None:
    message = "Round up\n\nT\u0435sted-with: all\n".encode()
    facts = CommitFacts(Commit("a" * 40, (), SOMEBODY, SOMEBODY, message, b"ISO-8859-1"), edits("docs/a.md"))
    assert rules(facts) == ["range-claims-fixtures"]
    koi = CommitFacts(
        Commit(
            "a" * 40, (), SOMEBODY, SOMEBODY, "\u0422\n\nT\u0435sted-with: all\n".encode("koi8-r"), b"KOI8-R"
        ),
        edits("docs/a.md"),
    )
    assert rules(koi) == ["range-claims-fixtures"]


@pytest.mark.parametrize(
    ("encoding", "message"),
    [
        ("UTF-7", b"Round up\n\n+AFQ-ested-with: all\n"),
        ("IBM500", "Round up\n\nTested-with: all\n".encode("cp500")),
        ("ISO-2022-JP", b"\x1b$Z \x1b\n\n\x1b(JTested-with: all\n\x1b"),
        ("HZ", b"~{<:Ky~}\n\nTested-with: all\n~{"),
    ],
)
def test_what_git_shows_as_text_is_read_as_text(encoding: str, message: bytes) -> None:
    made = Commit("a" * 40, (), SOMEBODY, SOMEBODY, message, encoding.encode())
    assert rules(CommitFacts(made, edits("docs/a.md"))) == ["range-claims-fixtures"]


def test_a_message_full_of_claims_is_not_told_without_end() -> None:
    found = judged(commit("A\n\n" + "Tested-with: a\n" * 5_000, "docs/a.md"))
    assert [finding.rule for finding in found] == ["range-claims-fixtures"] * 100


def test_without_a_map_the_messages_alone_are_judged() -> None:
    found = only(judged(commit("A\n\nTested-with: a\n", "src/b", "src/a"), commit("B\n", "other"), text=None))
    assert (found.rule, found.location.file) == ("range-claims-fixtures", "other")


def test_a_claim_without_any_changed_file_has_a_place_all_the_same() -> None:
    assert only(judged(commit("A\n\nTested-with: a\n"), text=None)).location.file == "ci/fixture-map.yml"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Change\n", "names no class"),
        ("Change\n\nPatch-Class: human\n\nBye\n", "outside its last paragraph"),
        ("Patch-Class: human\n", "outside its last paragraph"),
        ("Change\n\nPatch-Class: human\nPatch-Class: human\n", "names 2 classes"),
        ("Change\n\nPatch-Class: human\npatch-class: agent\n", "names 2 classes"),
        ("Change\n\nPatch-Class: robot\n", "names the class `robot`, which is none"),
        ("Change\n\nPatch-Class: Human\n", "names the class `Human`, which is none"),
        ("Change\n\nPatch-Class: a`b\n", "names the class `a'b`"),
        ("Change\n\nPatch-Class:\n", "names the class ``"),
        ("Change\n\nPatch\u2010Class: human\n", "names no class"),
        ("Change\n\nP\u0430tch-Class: human\n", "names no class"),
        ("Change\n\nPatch-Class=human\n", "outside its last paragraph"),
    ],
)
def test_a_commit_of_the_product_names_its_class_exactly_once(message: str, said: str) -> None:
    found = only(judged(commit(message, "src/a.py")))
    assert found.rule == "range-missing-class"
    assert said in found.message
    assert "`src/a.py`" in found.message


@pytest.mark.parametrize(
    "message",
    [
        "Change\n\nPatch-Class: human\n",
        "Change\n\nPatch-Class: agent\n",
        "Change\n\npatch-CLASS : agent\n",
        "Change\n\nBody\nPatch-Class: agent\nSigned-off-by: A <a@example.org>\n",
        "Change\r\n\r\nPatch-Class: agent\r\n",
        "Change\n\n---\n\nPatch-Class: agent\n",
    ],
)
def test_one_class_is_enough(message: str) -> None:
    assert rules(commit(message, "src/a.py")) == []


def test_only_product_paths_need_a_class() -> None:
    assert (
        rules(
            commit("Change\n", "docs/a.md", "ci/a.sh", "src/generated/a.py"),
            text=MAP.replace("max_fixtures: 1", "max_fixtures: 2"),
        )
        == []
    )


def test_each_commit_needs_its_own_class() -> None:
    found = judged(commit("A\n", "src/a.py"), commit(HUMAN, "src/a.py"), commit("B\n", "lib/b.py"))
    assert [finding.rule for finding in found] == ["range-missing-class"] * 2
    assert "`lib/b.py`" in found[1].message


def test_the_map_and_the_product_in_one_commit() -> None:
    mixed = commit(HUMAN, "src/a.py", "ci/fixture-map.yml", of_map=["ci/fixture-map.yml"])
    found = [f for f in judged(mixed) if f.rule == "range-map-with-product"]
    assert "commit `0123456789ab`" in only(found).message
    assert "`ci/fixture-map.yml`" in only(found).message


def test_the_map_and_the_product_in_two_commits_of_one_range() -> None:
    one = commit("Map\n", "ci/fixture-map.yml", of_map=["ci/fixture-map.yml"])
    two = commit(HUMAN, "src/a.py")
    found = [f for f in judged(one, two) if f.rule == "range-map-with-product"]
    assert "by the change as a whole" in only(found).message


def test_a_commit_that_mixed_both_is_told_though_the_range_undoes_it() -> None:
    mixed = commit(HUMAN, "src/a.py", "ci/fixture-map.yml", of_map=["ci/fixture-map.yml"])
    found = judged(mixed, whole=edits("docs/a.md"))
    assert [finding.rule for finding in found] == ["range-map-with-product"]


def test_a_link_to_the_map_below_the_product_is_the_map_alone() -> None:
    assert rules(commit(HUMAN, "src/twin", of_map=["src/twin"])) == []


def test_an_unmapped_path_is_told_with_all_of_them() -> None:
    found = only(judged(commit("Change\n", "x", "docs/a.md", "y\udcff", "z`", "zz", "zzz")))
    assert found.rule == "range-unmapped"
    assert "5 changed paths" in found.message
    assert "`x`, `y\udcff`, `z'` and 2 more" in found.message
    assert [hop.location.file for hop in found.related] == ["x", "y\udcff", "z`", "zz", "zzz"]


def test_one_unmapped_path_is_one() -> None:
    assert "1 changed path." in only(judged(commit("Change\n", "x"))).message


def test_a_map_may_let_unmapped_paths_pass() -> None:
    assert rules(commit("Change\n", "x"), text=MAP + "require_map_hit: false\n") == []


def test_more_fixtures_than_allowed() -> None:
    found = only(judged(commit(HUMAN, "src/a.py", "ci/a.sh")))
    assert found.rule == "range-over-cap"
    assert "needs 2 fixtures" in found.message
    assert "allows 1," in found.message
    assert rules(commit(HUMAN, "src/a.py", "ci/a.sh"), text=MAP + "on_overflow: all\n") == []


def test_where_the_whole_is_unknown_the_commits_are_judged_all_the_same() -> None:
    facts = RangeFacts((commit("A\n\nLocal-Green: 1\n", "src/a", "x"),), edits("src/a", "x"))
    found = range_findings(facts, Keys(), builtin(), measured(MAP, None))
    assert [finding.rule for finding in found] == ["range-claims-fixtures", "range-missing-class"]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (commit("A\n\nLocal-Green: 1\n", "docs/a"), 2),
        (commit("A\n", "src/a"), 7),
        (commit("A\n", "x"), 2),
        (commit(HUMAN, "src/a.py", "ci/a.sh"), 8),
    ],
)
def test_a_finding_stands_at_the_line_of_the_map_it_is_about(change: CommitFacts, line: int) -> None:
    found = only(judged(change))
    source = measured(MAP, ()).source
    assert source.position(found.location.span.start) == (line, 1)


def test_without_such_a_line_it_stands_at_the_first() -> None:
    text = '{"version": 1, "rules": [{"paths": ["src/**"], "fixtures": ["unit"]}]}'
    assert only(judged(commit("A\n", "src/a"), text=text)).location.span == (0, 0)


@given(st.text(max_size=30), st.sampled_from(["src/a.py", "x", "docs/a"]))
def test_the_class_chooses_nothing(body: str, path: str) -> None:
    def told(patch_class: str) -> list[str]:
        return rules(commit(f"Change\n\n{body}\n\nPatch-Class: {patch_class}\n", path, "ci/a.sh"))

    assert told("agent") == told("human")
