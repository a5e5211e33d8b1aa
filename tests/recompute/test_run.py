"""The matrix from git alone: no way of hiding a path, and none of bending the exam, changes it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pytest

from novote.git.error import GitError
from novote.git.repository import open_repository
from novote.recompute.run import MapError, Recomputed, recompute

if TYPE_CHECKING:
    from tests.conftest import Repository, Special

    New = Callable[..., Repository]
    Files = Mapping[str | bytes, Special | str | None]

MAP = "ci/fixture-map.yml"
RULES = """\
version: 1
rules:
  - paths: ["src/**"]
    fixtures: [unit]
  - paths: ["src/pay/**"]
    fixtures: [pay]
  - paths: ["vendor/lib"]
    fixtures: [lib]
  - paths: ["ci/**", ".gitmodules"]
    fixtures: [gate]
no_fixture:
  - paths: ["docs/**"]
"""


def matrix(repository: Repository, base: str, head: str, map_path: str = MAP) -> Recomputed:
    git = open_repository(str(repository.path))
    return recompute(git, git.resolve(base), git.resolve(head), map_path)


def listed(found: Recomputed) -> tuple[str, ...]:
    assert found.refusals == ()
    return found.selection.fixtures


class Change:
    """A base with a map, and the change that a test makes on it."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.files: Files = {MAP: RULES, "src/a": "a\n" * 9, "src/pay/b": "b\n" * 9, "docs/x": "x\n"}
        self.base = repository.commit(self.files)

    def of(self, files: Files, **options: str) -> Recomputed:
        """What is recomputed for a change of these files."""
        self.repository.commit(files, branch="topic", parents=[self.base], **options)  # type: ignore[arg-type]
        return matrix(self.repository, self.base, "topic")


@pytest.fixture
def change(new_repository: New) -> Change:
    return Change(new_repository())


def test_a_change_selects_by_its_paths(change: Change) -> None:
    found = change.of({"src/pay/b": "other", "docs/x": "other"})
    assert listed(found) == ("unit", "pay")
    assert found.selection.changed == (b"docs/x", b"src/pay/b")


def test_moving_code_away_selects_by_where_it_was(change: Change) -> None:
    assert listed(change.of({"src/pay/b": None, "docs/b": "b\n" * 9})) == ("unit", "pay")


def test_deleting_selects(change: Change) -> None:
    assert listed(change.of({"src/pay/b": None})) == ("unit", "pay")


def test_a_mode_a_type_and_a_target_select(change: Change) -> None:
    assert listed(change.of({"src/a": (b"a\n" * 9, "100755")})) == ("unit",)
    assert listed(change.of({"src/a": (b"../docs/x", "120000")})) == ("unit",)


def test_a_submodule_selects_whatever_git_is_told_to_ignore(change: Change) -> None:
    modules = '[submodule "lib"]\n\tpath = vendor/lib\n\turl = x\n\tignore = all\n'
    change.base = change.repository.commit({".gitmodules": modules, "vendor/lib": (b"1" * 40, "160000")})
    change.repository.git("read-tree", "main")
    change.repository.git("checkout-index", "-a", "-f")
    assert listed(change.of({"vendor/lib": (b"2" * 40, "160000")})) == ("lib",)


@pytest.mark.parametrize(
    "name", [b"src/new\nline", b"src/\xff", b'src/"q"', b"src/-x", b"src/\xc3\xa9", b"src/ "]
)
def test_an_odd_name_selects_like_any_other(change: Change, name: bytes) -> None:
    found = change.of({name: "x"})
    assert listed(found) == ("unit",)
    assert found.selection.changed == (name,)


@pytest.mark.parametrize("name", [b"-x", b"--", b"Src/a", b"s\xffrc/a", b'"src/a"', b"docs\nsrc/a", b"src"])
def test_an_odd_name_that_nothing_covers_is_refused(change: Change, name: bytes) -> None:
    files: Files = {name: "x", "src/a": None, "src/pay/b": None} if name == b"src" else {name: "x"}
    (refusal,) = change.of(files).refusals
    assert (refusal.why, refusal.paths) == ("unmatched", (name,))


def test_a_pattern_below_a_submodule_does_not_cover_it(change: Change) -> None:
    change.base = change.repository.commit({MAP: RULES.replace("vendor/lib", "vendor/lib/**")})
    (refusal,) = change.of({"vendor/lib": (b"2" * 40, "160000")}).refusals
    assert (refusal.why, refusal.paths) == ("unmatched", (b"vendor/lib",))


def test_a_clone_without_files_is_enough_with_the_map(change: Change) -> None:
    change.of({"src/pay/b": "other"})
    change.repository.git("config", "uploadpack.allowFilter", "true")
    change.repository.git("config", "uploadpack.allowAnySHA1InWant", "true")
    source = f"file://{change.repository.path}"
    change.repository.git("clone", "-q", "--bare", "--filter=blob:none", source, "../partial")
    git = open_repository(str(change.repository.path.parent / "partial"))
    base, head = git.resolve("main"), git.resolve("topic")
    with pytest.raises(GitError, match="not in this clone"):
        recompute(git, base, head, MAP)
    change.repository.git("-C", "../partial", "cat-file", "blob", f"main:{MAP}")
    assert listed(recompute(git, base, head, MAP)) == ("unit", "pay")


def test_no_change_selects_nothing(change: Change) -> None:
    found = change.of({})
    assert (listed(found), found.selection.changed) == ((), ())
    assert listed(matrix(change.repository, change.base, change.base)) == ()


def test_a_change_that_needs_nothing_selects_nothing(change: Change) -> None:
    found = change.of({"docs/x": "other"})
    assert (listed(found), found.selection.changed) == ((), (b"docs/x",))


def test_a_change_undone_by_a_later_commit_is_none(change: Change) -> None:
    middle = change.repository.commit({"src/a": "other"}, branch="topic", parents=[change.base])
    change.repository.commit({"src/a": "a\n" * 9, "docs/x": "y"}, branch="topic", parents=[middle])
    assert listed(matrix(change.repository, "main", "topic")) == ()


def test_every_merge_base_counts(new_repository: New) -> None:
    """With the side that changes `src/pay/b` dated long before, `git diff A...B` shows no change at all."""
    repository = new_repository()
    root = repository.commit({MAP: RULES, "src/pay/b": "0", "docs/x": "0"}, seconds=1_000_000_000)
    left = repository.commit({"docs/x": "1"}, branch="left", parents=[root], seconds=1_700_000_000)
    right = repository.commit({"src/pay/b": "1"}, branch="right", parents=[root], seconds=1_000_000_100)
    base = repository.commit({"src/pay/b": "1"}, branch="main", parents=[left, right], seconds=1_700_000_200)
    both = repository.commit({"docs/x": "1"}, branch="topic", parents=[right, left], seconds=1_700_000_200)
    repository.commit({"src/pay/b": "0"}, branch="topic", parents=[both], seconds=1_700_000_300)
    assert repository.git("diff", "--name-only", f"{base}...topic") == ""
    found = matrix(repository, base, "topic")
    assert listed(found) == ("unit", "pay")
    assert found.candidate is not None
    assert found.candidate.merge_bases == tuple(sorted((left, right)))


def test_what_one_merge_base_alone_shows_counts(new_repository: New) -> None:
    repository = new_repository()
    root = repository.commit({MAP: RULES, "src/a": "0", "src/pay/b": "0"})
    left = repository.commit({"src/a": "1"}, branch="left", parents=[root])
    right = repository.commit({"src/pay/b": "1"}, branch="right", parents=[root])
    repository.commit({"src/pay/b": "1"}, branch="main", parents=[left, right])
    repository.commit({"src/a": "1"}, branch="topic", parents=[right, left])
    assert matrix(repository, "main", "topic").selection.changed == (b"src/a", b"src/pay/b")


def test_what_merging_alone_changes_counts(change: Change) -> None:
    """The base moved a folder, so merging puts the change elsewhere than the change itself says."""
    moved: Files = {"docs/x": None, "src/pay/x": "x\n"}
    tip = change.repository.commit(moved)
    change.repository.commit({"docs/x": "x\ny\n"}, branch="topic", parents=[change.base])
    found = matrix(change.repository, tip, "topic")
    assert listed(found) == ("unit", "pay")
    assert found.selection.changed == (b"docs/x", b"src/pay/x")


def test_what_the_base_gained_meanwhile_does_not_count(change: Change) -> None:
    change.repository.commit({"src/pay/b": "other"})
    change.repository.commit({"docs/x": "other"}, branch="topic", parents=[change.base])
    assert listed(matrix(change.repository, "main", "topic")) == ()


def test_the_map_is_that_of_the_base_as_it_is_now(change: Change) -> None:
    change.repository.commit({MAP: RULES.replace("[pay]", "[pay, audit]")})
    change.repository.commit({"src/pay/b": "other"}, branch="topic", parents=[change.base])
    assert listed(matrix(change.repository, "main", "topic")) == ("unit", "pay", "audit")


def test_a_map_weakened_by_the_change_does_not_hold(change: Change) -> None:
    weak = RULES.replace("unit", "nothing")
    assert listed(change.of({MAP: weak})) == ("gate",)


def test_the_head_s_map_holds_where_that_is_asked_for(change: Change) -> None:
    head = change.repository.commit(
        {MAP: RULES.replace("gate", "guard")}, branch="topic", parents=[change.base]
    )
    git = open_repository(str(change.repository.path))
    found = recompute(git, change.base, head, MAP, "head")
    assert (listed(found), found.source) == (("guard",), "head")


@pytest.mark.parametrize(
    "edit",
    [
        {MAP: RULES + "# edited\n"},
        {MAP: None},
        {MAP: None, "ci/map.yml": RULES},
        {MAP: (b"map.yml", "120000"), "ci/map.yml": RULES},
        {MAP: (RULES.encode(), "100755")},
        {"ci/Fixture-Map.yml": RULES},
        {"ci/fixture-map.YML": RULES},
    ],
    ids=["edited", "deleted", "renamed", "linked", "mode", "twin", "other twin"],
)
def test_the_map_cannot_be_edited_beside_the_product(change: Change, edit: Files) -> None:
    (refusal,) = change.of({**edit, "src/a": "other"}).refusals
    assert refusal.why == "map-with-product"
    assert refusal.paths[-1] == b"src/a"
    assert listed(change.of(edit)) == ("gate",)


@pytest.mark.parametrize(
    "edit",
    [
        {"src/twin": (b"../ci/fixture-map.yml", "120000")},
        {"src/twin": (b"../ci", "120000")},
        {MAP: None, "ci": (b"1" * 40, "160000")},
        {"CI/Fixture-Map.yml": RULES},
    ],
    ids=["link", "folder", "submodule", "twin of the folder"],
)
def test_what_leads_to_the_map_cannot_be_edited_beside_the_product(change: Change, edit: Files) -> None:
    told = {refusal.why: refusal.paths for refusal in change.of({**edit, "src/a": "other"}).refusals}
    assert told["map-with-product"] == (*sorted(os.fsencode(path) for path in edit), b"src/a")
    assert "map-with-product" not in {refusal.why for refusal in change.of(edit).refusals}


@pytest.mark.parametrize("path", ["other/ci/fixture-map.yml", "ci/fixture-map.yml.old", "ci-2"])
def test_what_is_only_called_alike_may_be_edited_beside_the_product(change: Change, path: str) -> None:
    refusals = change.of({path: "x", "src/a": "other", "src/link": (b"../x/ci", "120000")}).refusals
    assert "map-with-product" not in {refusal.why for refusal in refusals}


def test_two_commits_do_not_hide_that_the_map_was_edited_with_the_product(change: Change) -> None:
    first = change.repository.commit({MAP: RULES + "#\n"}, branch="topic", parents=[change.base])
    change.repository.commit({"src/a": "other"}, branch="topic", parents=[first])
    (refusal,) = matrix(change.repository, "main", "topic").refusals
    assert refusal.why == "map-with-product"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (None, "holds no such file"),
        ((b"other.yml", "120000"), "symbolic link"),
        ((b"1" * 40, "160000"), "holds no such file"),
        ("version: 2\nrules: []\n", "version"),
        ("rules: [\n", ""),
        ("", "empty"),
    ],
)
def test_a_map_that_cannot_be_used_is_an_error(
    new_repository: New, entry: Special | str | None, told: str
) -> None:
    repository = new_repository()
    repository.commit({"src/a": "1"} if entry is None else {MAP: entry, "src/a": "1"})
    repository.commit({"src/a": "2"}, branch="topic", parents=[repository.git("rev-parse", "main")])
    with pytest.raises(MapError) as caught:
        matrix(repository, "main", "topic")
    assert told in str(caught.value)


def test_what_lies_on_disk_and_in_the_index_is_not_the_map(change: Change) -> None:
    change.repository.git("read-tree", "main")
    folder = change.repository.path / "ci"
    folder.mkdir()
    (folder / "fixture-map.yml").write_text(RULES.replace("unit", "nothing"))
    change.repository.git("add", "ci")
    assert listed(change.of({"src/a": "other"})) == ("unit",)


def test_a_history_that_cannot_be_trusted_is_an_error(change: Change) -> None:
    change.of({"src/a": "other"})
    change.repository.git("replace", "topic", change.base)
    with pytest.raises(GitError) as caught:
        matrix(change.repository, change.base, "topic")
    assert caught.value.kind == "replaced"


def test_histories_with_nothing_in_common_are_an_error(change: Change) -> None:
    change.repository.commit(change.files, branch="topic", parents=[])
    with pytest.raises(GitError, match="no commit in common") as caught:
        matrix(change.repository, "main", "topic")
    assert caught.value.kind == "no-merge-base"


def test_a_conflict_is_an_error(change: Change) -> None:
    change.of({"src/a": "one"})
    change.repository.commit({"src/a": "two"})
    with pytest.raises(GitError, match="src/a") as caught:
        matrix(change.repository, "main", "topic")
    assert caught.value.kind == "conflict"
