"""What each commit of a change edits itself, on real repositories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pytest

from novote.commits import facts as facts_module
from novote.commits.facts import RangeFacts, commit_facts, read_range
from novote.git.repository import open_repository
from novote.recompute.edits import Edits

if TYPE_CHECKING:
    from tests.conftest import Repository, Special

    New = Callable[..., Repository]
    Files = Mapping[str | bytes, Special | str | None]

MAP = "ci/fixture-map.yml"


@pytest.fixture
def repository(new_repository: New) -> Repository:
    """One whose branch `main` holds a map and some source; `topic` is the change to make."""
    made = new_repository()
    made.commit({MAP: "version: 1\n", "src/a.py": "1\n2\n3\n4\n5\n6\n7\n", "docs/a.md": "1\n"})
    return made


def facts_of(repository: Repository, map_path: str | None = MAP) -> RangeFacts:
    git = open_repository(str(repository.path))
    return read_range(git, git.resolve("main"), git.resolve("topic"), map_path)


def edits_of(repository: Repository) -> list[tuple[bytes, ...]]:
    return [commit.edits.paths for commit in facts_of(repository).commits]


def test_commits_come_oldest_first_each_with_what_it_edits(repository: Repository) -> None:
    main = repository.git("rev-parse", "main")
    first = repository.commit({"src/b.py": "b"}, branch="topic", parents=[main], message="First\n")
    second = repository.commit({"src/b.py": None, "docs/a.md": "2\n"}, branch="topic")
    facts = facts_of(repository)
    assert [commit.commit.oid for commit in facts.commits] == [first, second]
    assert facts.commits[0].commit.message == b"First\n"
    assert edits_of(repository) == [(b"src/b.py",), (b"docs/a.md", b"src/b.py")]
    assert facts.edits == Edits((b"docs/a.md",), ())


def test_a_merge_answers_for_nothing_that_merging_gives(repository: Repository) -> None:
    start = repository.git("rev-parse", "main")
    text = "1\n2\n3\n4\n5\n6\nseven\n"
    topic = repository.commit({"src/a.py": text, "src/b.py": "b"}, branch="topic", parents=[start])
    main = repository.commit({"src/a.py": "one\n2\n3\n4\n5\n6\n7\n", "src/c.py": "c"})
    both = "one\n2\n3\n4\n5\n6\nseven\n"
    repository.commit({"src/a.py": both, "src/c.py": "c"}, branch="topic", parents=[topic, main])
    assert edits_of(repository) == [(b"src/a.py", b"src/b.py"), ()]


def test_a_merge_answers_for_what_it_slips_in(repository: Repository) -> None:
    start = repository.git("rev-parse", "main")
    topic = repository.commit({"src/b.py": "b"}, branch="topic", parents=[start])
    main = repository.commit({"src/c.py": "c"})
    repository.commit({"src/c.py": "c", "src/d.py": "evil"}, branch="topic", parents=[topic, main])
    assert edits_of(repository)[-1] == (b"src/d.py",)


def test_a_merge_answers_for_what_it_leaves_out(repository: Repository) -> None:
    start = repository.git("rev-parse", "main")
    topic = repository.commit({"src/b.py": "b"}, branch="topic", parents=[start])
    main = repository.commit({"src/c.py": "c"})
    repository.commit({}, branch="topic", parents=[topic, main])
    assert edits_of(repository)[-1] == (b"src/c.py",)


def test_a_merge_answers_for_how_it_settles_a_conflict(repository: Repository) -> None:
    start = repository.git("rev-parse", "main")
    topic = repository.commit({"docs/a.md": "topic\n", "src/b.py": "b"}, branch="topic", parents=[start])
    main = repository.commit({"docs/a.md": "main\n", "src/c.py": "c"})
    repository.commit({"docs/a.md": "both\n", "src/c.py": "c"}, branch="topic", parents=[topic, main])
    assert edits_of(repository)[-1] == (b"docs/a.md",)


def test_a_merge_of_three_answers_for_what_is_in_none_of_them(repository: Repository) -> None:
    start = repository.git("rev-parse", "main")
    one = repository.commit({"src/1": "1"}, branch="one", parents=[start])
    two = repository.commit({"src/2": "2"}, branch="two", parents=[start])
    three = repository.commit({"src/3": "3"}, branch="topic", parents=[start])
    repository.commit({"src/1": "1", "src/2": "2", "x": "x"}, branch="topic", parents=[three, one, two])
    assert edits_of(repository)[-1] == (b"x",)


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
def test_a_first_commit_edits_all_it_holds(new_repository: New, options: tuple[str, ...]) -> None:
    repository = new_repository("own", *options)
    main = repository.commit({"a": "a"})
    repository.git("update-ref", "-d", "refs/heads/topic")
    repository.commit({"b": "b"}, branch="alone")
    alone = repository.git("rev-parse", "alone")
    repository.commit({"b": "b"}, branch="topic", parents=[main, alone])
    assert edits_of(repository) == [(b"b",), ()]


def every_kind_of_commit(repository: Repository) -> None:
    """On `topic`: empty ones, odd names and modes, merges that go by themselves, conflict, or cannot be."""
    start = repository.git("rev-parse", "main")
    odd: Files = {b":100644 x": "1", b"new\nline": "2", b"\xff": "3", b"1" * 40 + b" x": "4"}
    kinds: Files = {"link": (MAP.encode(), "120000"), "run": (b"x", "100755"), "sub": None}
    one = repository.commit({**odd, **kinds, "src/b.py": "b"}, branch="topic", parents=[start])
    empty = repository.commit({}, branch="topic", parents=[one])
    side = repository.commit({"src/c.py": "c"}, branch="side", parents=[start])
    merge = repository.commit({"src/c.py": "c"}, branch="topic", parents=[empty, side])
    other = repository.commit({"src/b.py": "other", "src/d.py": "d"}, branch="side", parents=[side])
    files: Files = {"src/b.py": "both", "src/d.py": "d", MAP: "version: 2\n"}
    conflict = repository.commit(files, branch="topic", parents=[merge, other])
    alone = repository.commit({"alone": "1"}, branch="alone", parents=[])
    joined = repository.commit({"alone": "1", "slipped": "in"}, branch="topic", parents=[conflict, alone])
    three = [joined, repository.commit({"e": "e"}, branch="side", parents=[side]), other]
    repository.commit({"e": "e", "f": "f", "link": None}, branch="topic", parents=three)
    repository.commit(dict.fromkeys(odd), branch="topic")


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
@pytest.mark.parametrize("together", [1_000, 3])
def test_many_commits_are_told_of_as_each_alone(
    new_repository: New, options: tuple[str, ...], together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = new_repository("own", *options)
    oid = b"1" * (64 if options else 40)
    repository.commit({MAP: "version: 1\n", "src/a.py": "1\n", "sub": (oid, "160000")})
    every_kind_of_commit(repository)
    monkeypatch.setattr(facts_module, "_AT_ONCE", together)
    git = open_repository(str(repository.path))
    commits = git.commits(git.resolve("topic"), (git.resolve("main"),))
    alone = [fact for commit in commits for fact in commit_facts(git, (commit,), MAP)]
    assert list(commit_facts(git, commits, MAP)) == alone
    told = [fact.edits for fact in alone]
    assert Edits((b"slipped",), ()) in told
    assert Edits((MAP.encode(), b"src/b.py"), (MAP.encode(),)) in told
    assert Edits((b"f",), ()) in told
    assert Edits((), ()) in told
    assert (b"link",) in [edits.of_map for edits in told]


def of_map(repository: Repository, files: Files, map_path: str | None = MAP) -> tuple[bytes, ...]:
    repository.commit(files, branch="topic", parents=[repository.git("rev-parse", "main")])
    facts = facts_of(repository, map_path)
    (commit,) = facts.commits
    assert commit.edits == facts.edits
    return facts.edits.of_map


@pytest.mark.parametrize(
    ("files", "edited"),
    [
        ({MAP: "version: 1\nrules: []\n"}, [MAP]),
        ({MAP: None}, [MAP]),
        ({MAP: None, "ci/map.yml": "version: 1\n"}, [MAP]),
        ({MAP: (b"version: 1\n", "100755")}, [MAP]),
        ({"CI/Fixture-Map.yml": "x"}, ["CI/Fixture-Map.yml"]),
        ({"ci/fixture-map.yml.": "x"}, ["ci/fixture-map.yml."]),
        ({"ci /fixture-map.yml . ": "x"}, ["ci /fixture-map.yml . "]),
        ({"ci/fixture-map.yml::$DATA": "x"}, ["ci/fixture-map.yml::$DATA"]),
        ({"ci\\Fixture-Map.yml": "x"}, ["ci\\Fixture-Map.yml"]),
        ({"src\\..\\ci\\fixture-map.yml": "x"}, ["src\\..\\ci\\fixture-map.yml"]),
        ({"ci/fix\u200cture-map.yml": "x"}, ["ci/fix\u200cture-map.yml"]),
        ({"\ufeffci/fixture-map.\u202eyml": "x"}, ["\ufeffci/fixture-map.\u202eyml"]),
        ({"src/twin": (b"..\\ci\\fixture-map.yml", "120000")}, ["src/twin"]),
        ({MAP: (b"other.yml", "120000")}, [MAP]),
        ({"src/twin": (b"../ci/fixture-map.yml", "120000")}, ["src/twin"]),
        ({"src/twin": (b"./../src/../ci//fixture-map.yml", "120000")}, ["src/twin"]),
        ({"config": (b"ci", "120000")}, ["config"]),
        ({MAP: None, "ci": (b"1" * 40, "160000")}, ["ci", MAP]),
        ({MAP: None, "ci": (b"build", "120000")}, ["ci", MAP]),
        ({"src/other": (b"../ci/other.yml", "120000")}, []),
        ({"ci/fixture-map.yml:$DATA": "x", "ci/.fixture-map.yml": "x", "ci/fixture-map.\u2067yml": "x"}, []),
        ({"ci/other.yml": "x", "ci/fixture-map.yml.orig": "x", "src/ci/fixture-map.yml": "x"}, []),
        ({"src/outside": (b"../../../ci/fixture-map.yml", "120000")}, []),
    ],
)
def test_what_edits_the_map(repository: Repository, files: Files, edited: list[str]) -> None:
    assert of_map(repository, files) == tuple(path.encode() for path in edited)


def test_a_link_that_led_to_the_map_edits_it_when_it_goes(repository: Repository) -> None:
    repository.commit({"twin": (b"ci/fixture-map.yml", "120000")})
    assert of_map(repository, {"twin": None}) == (b"twin",)


def test_a_path_in_another_unicode_form_is_the_map(new_repository: New) -> None:
    repository = new_repository()
    repository.commit({"ci/m\u00e4p.yml": "version: 1\n"})
    twin = "ci/ma\u0308p.yml"
    assert of_map(repository, {twin: "x"}, "ci/m\u00e4p.yml") == (twin.encode(),)


def test_without_a_map_nothing_edits_it(repository: Repository) -> None:
    assert of_map(repository, {MAP: "x"}, None) == ()


def test_names_that_are_no_text_are_kept_as_they_are(repository: Repository) -> None:
    names = [b"src/\xff", b"src/a\nb", b"-x", b'"q"']
    repository.commit(
        dict.fromkeys(names, "x"), branch="topic", parents=[repository.git("rev-parse", "main")]
    )
    assert facts_of(repository).edits.paths == tuple(sorted(names))
