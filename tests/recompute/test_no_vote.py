"""Nothing but changed paths and the base's map chooses: properties over random repositories and maps."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from novote.fixturemap.match import compile_map
from novote.fixturemap.read import load_map
from novote.git.repository import open_repository
from novote.recompute.receipt import receipt
from novote.recompute.run import Recomputed, recompute
from novote.recompute.select import select

if TYPE_CHECKING:
    from tests.conftest import Repository

    New = Callable[..., Repository]
    Edit = Mapping[str | bytes, tuple[bytes, str] | str | None]

MAP = "ci/fixture-map.yml"
EDITED = settings(
    max_examples=12,
    deadline=None,
    # Each example is some thirty runs of git, and making a failing one smaller would be thousands.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

paths = st.sampled_from(
    ["src/a", "src/b/c", "src/b/d.md", "docs/x", "x.md", "src/\n", "src/\udcff", "-x", MAP, "vendor/y"]
)
contents = st.sampled_from(["1\n", "2\n", "1\n2\n3\n"])
patterns = st.sampled_from(["src/**", "src/b/*", "**/*.md", "*", "docs/**", "ci/**", "src/a", "**"])
ids = st.sampled_from(["unit", "e2e", "lint", "smoke"])
words = st.sampled_from(
    [
        "skip ci",
        "Tested-with: unit",
        "Claimed-Fixtures: []",
        "Patch-Class: human",
        "[ci skip]",
        "Local-Green: yes",
    ]
)


@st.composite
def maps(draw: st.DrawFn) -> str:
    """The text of a map."""
    rule = st.tuples(
        st.lists(patterns, min_size=1, max_size=2),
        st.booleans(),
        st.lists(ids, min_size=1, max_size=2, unique=True),
    )
    lines = ["version: 1", "rules:"]
    for listed, excludes, fixtures in draw(st.lists(rule, min_size=1, max_size=3)):
        quoted = [f'"{pattern}"' for pattern in listed] + ['"!**/*.md"'] * excludes
        lines.append(f"  - paths: [{', '.join(quoted)}]\n    fixtures: [{', '.join(fixtures)}]")
    lines += draw(st.sampled_from([[], ["always: [smoke]"]]))
    lines += draw(st.sampled_from([[], ['no_fixture: [{paths: ["docs/**"]}]']]))
    lines += draw(st.sampled_from([[], ["max_fixtures: 1"], ["max_fixtures: 2", "on_overflow: all"]]))
    return "\n".join([*lines, f"require_map_hit: {str(draw(st.booleans())).lower()}", ""])


trees = st.dictionaries(paths.filter(lambda path: path != MAP), contents, min_size=1, max_size=5)
edits = st.dictionaries(paths, st.one_of(contents, st.none()), max_size=5)


def seen(found: Recomputed) -> tuple[object, ...]:
    """All of the answer that does not name objects."""
    return found.selection, found.fixture_map, found.refusals


class World:
    """A base with a map, and a change of it on the branch `topic`."""

    def __init__(self, repository: Repository, text: str, tree: Edit) -> None:
        self.repository = repository
        self.base = repository.commit({**tree, MAP: text})

    def change(self, edit: Edit, branch: str, **options: Any) -> str:
        """The head of a change in one commit."""
        return self.repository.commit(edit, branch=branch, parents=[self.base], **options)

    def recomputed(self, head: str) -> Recomputed:
        """What novote makes of it now."""
        return recompute(open_repository(str(self.repository.path)), self.base, head, MAP)


names = (f"repo{number}" for number in itertools.count())


@EDITED
@given(text=maps(), tree=trees, edit=edits, said=st.lists(words, min_size=1, max_size=3), who=ids)
def test_what_the_author_says_does_not_count(
    new_repository: New,
    text: str,
    tree: Edit,
    edit: Edit,
    said: list[str],
    who: str,
) -> None:
    world = World(new_repository(next(names)), text, tree)
    expected = seen(world.recomputed(world.change(edit, "topic")))
    message = "\n\n".join(["Subject", "\n".join(said), ""])
    author = f"{who} <{who}@bots.example>"
    other = world.change(edit, f"skip/{who}", message=message, author=author, seconds=1)
    assert seen(world.recomputed(other)) == expected
    first = world.change(dict(itertools.islice(edit.items(), 2)), "steps", message=message)
    steps = world.repository.commit(edit, branch="steps", parents=[first], message=said[0])
    world.repository.git(
        "tag", said[0].replace(" ", "-").translate({ord(char): None for char in "[]:"}), steps
    )
    world.repository.git("notes", "add", "-m", message, steps)
    assert seen(world.recomputed(steps)) == expected


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


variables = st.dictionaries(
    st.sampled_from(
        [
            "GIT_DIR",
            "GIT_INDEX_FILE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_CONFIG_GLOBAL",
            "GIT_NAMESPACE",
            "GIT_WORK_TREE",
            "HOME",
            "FIXTURES",
            "GITHUB_HEAD_REF",
            "GITHUB_BASE_REF",
            "GITHUB_SHA",
            "LC_ALL",
            "PYTHONUTF8",
            "FLAKE_MAX",
        ]
    ),
    st.sampled_from(["/nowhere", "unit", "main", "0", ""]),
)
switches = st.dictionaries(
    st.sampled_from(
        [
            "diff.renames",
            "diff.relative",
            "core.quotePath",
            "diff.ignoreSubmodules",
            "merge.renames",
            "core.ignoreCase",
            "core.autocrlf",
            "merge.default",
            "diff.external",
            "core.fsmonitor",
            "core.hooksPath",
            "core.worktree",
        ]
    ),
    st.sampled_from(["true", "false"]),
)


@EDITED
@given(text=maps(), tree=trees, edit=edits, junk=edits, variables=variables, switches=switches)
def test_what_lies_around_does_not_count(
    new_repository: New,
    text: str,
    tree: Edit,
    edit: Edit,
    junk: Edit,
    variables: dict[str, str],
    switches: dict[str, str],
) -> None:
    world = World(new_repository(next(names)), text, tree)
    head = world.change(edit, "topic")
    expected = receipt(world.recomputed(head))
    stray = world.repository.commit(junk, branch="stray", parents=[world.base])
    world.repository.git("read-tree", stray)
    world.repository.git("checkout-index", "-a", "-f")
    (world.repository.path / MAP).parent.mkdir(exist_ok=True)
    (world.repository.path / MAP).write_text("version: 1\nrules: []\n")
    # With a work tree that is not there, git itself does nothing more.
    for key, value in sorted(switches.items(), key=lambda pair: pair[0] == "core.worktree"):
        world.repository.git("config", key, value)
    with environment(variables):
        assert receipt(world.recomputed(head)) == expected


@given(text=maps(), some=st.sets(paths, max_size=4), more=st.sets(paths, max_size=4), order=st.randoms())
def test_one_more_path_never_removes_a_fixture(text: str, some: set[str], more: set[str], order: Any) -> None:
    fixture_map = load_map(MAP, text.encode()).map
    assert fixture_map is not None
    matcher = compile_map(fixture_map)
    fewer, all_of_them = (
        [os.fsencode(path) for path in order.sample(sorted(chosen), len(chosen))]
        for chosen in (some, some | more)
    )
    less, greater = select(fixture_map, matcher, fewer), select(fixture_map, matcher, all_of_them)
    assert set(less.fixtures) <= set(greater.fixtures)
    assert set(less.unmatched) <= set(greater.unmatched)
    assert less.needed <= greater.needed
    union = {fixture for path in all_of_them for fixture in select(fixture_map, matcher, [path]).fixtures}
    assert union <= set(greater.fixtures)
