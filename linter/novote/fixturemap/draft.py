"""Drafts a fixture map from the tree, for people to correct: what lies where, and what may examine it.

Each part of the source gets a fixture of its name, with the tests that bear the same name. What all parts are
built from (files at the root, shared folders) needs the fixtures of all of them. Gate files need a fixture
that lints the gate; what is for reading alone needs none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from novote.fixturemap.draft_tree import FileTree, below, pattern_for
from novote.knowledge.layout import Layout
from novote.record import record

GATE_FIXTURES: Final = ("workflow-lint", "fixture-map-lint")
EVERYTHING: Final = "everything"
MOST_LISTED: Final = 8
"""Where all parts are needed, up to so many are listed; for more stands one fixture, the whole suite."""

MOST_PARTS: Final = 12
"""A folder of more parts than this is one fixture."""

_FEW: Final = 3
_MANY: Final = 24
_MAIN_SHARE: Final = 0.7


@record
class DraftRule:
    """One rule to be; without fixtures it belongs under `no_fixture`. `why` is for whoever reads it."""

    patterns: tuple[str, ...]
    fixtures: tuple[str, ...]
    why: str


@record
class Draft:
    """The rules in their order, and sentences that say what is left for a human."""

    rules: tuple[DraftRule, ...]
    left: tuple[str, ...]


class _Part:
    """A part of the source: its folder, its fixture, its patterns."""

    def __init__(self, folder: str, fixture: str) -> None:
        self.folder = folder
        self.name = folder.rpartition("/")[2].lower()
        self.fixture = fixture
        self.patterns = [below(folder)]
        self.has_tests = False


def draft(files: Collection[bytes], gates: Sequence[bytes], map_file: str, layout: Layout) -> Draft:
    """A draft for the tracked files of a repository, of which `gates` settle what CI examines."""
    plan = _Plan(FileTree(files, layout), layout)
    plan.look(map_file)
    rules = [plan.gate_rule(map(os.fsdecode, gates)), *plan.rules()]
    return Draft(tuple(rule for rule in rules if rule.patterns), tuple(plan.left()))


class _Plan:
    """What becomes of each folder."""

    def __init__(self, tree: FileTree, layout: Layout) -> None:
        self._tree = tree
        self._layout = layout
        self._parts: list[_Part] = []
        self._gate: list[str] = []
        self._quiet: list[str] = []
        self._documentation: list[str] = []
        self._tests: list[str] = []
        self._small: list[str] = []
        self._loose: list[str] = []
        self._data: list[str] = []
        self._undivided: list[tuple[str, int]] = []
        self._ids = {*GATE_FIXTURES, EVERYTHING, "docs", "tests", "other"}

    def look(self, map_file: str) -> None:
        """Looks at every folder at the root."""
        beside = map_file.partition("/")[0] if "/" in map_file else ""
        for folder in self._tree.folders(""):
            self._place(folder, beside)
        if beside and below(beside) not in self._gate:
            self._gate.append(below(beside))
        self._gather_small()
        self._match_tests()

    def _place(self, folder: str, beside: str) -> None:
        layout, lowered = self._layout, folder.lower()
        if folder in (beside, ".github") or lowered in layout.pipelines:
            self._gate.append(below(folder))
        elif lowered in layout.tools or self._tree.is_prose(folder):
            self._quiet.append(folder)
        elif lowered in layout.documentation:
            (self._documentation if self._tree.code(folder) else self._quiet).append(folder)
        elif lowered in layout.tests:
            self._tests.append(folder)
        elif folder.startswith(".") or not self._tree.code(folder):
            self._data.append(below(folder))
        elif not (lowered in layout.containers and self._divide(folder)):
            self._parts.append(_Part(folder, self._id(folder)))

    def _divide(self, folder: str) -> bool:
        """Makes a part of each folder inside, where there are a few of them; says whether it did."""
        inside = [f"{folder}/{name}" for name in self._tree.folders(folder)]
        tests = [path for path in inside if path.rpartition("/")[2].lower() in self._layout.tests]
        parts = [path for path in inside if path not in tests and self._tree.code(path)]
        if len(parts) > MOST_PARTS:
            self._undivided.append((folder, len(parts)))
        if len(parts) > MOST_PARTS or len(parts) + bool(tests) < 2 or not parts:
            return False
        self._parts += [_Part(path, self._id(path)) for path in parts]
        self._tests += tests
        self._loose += [below(path) for path in inside if path not in tests and path not in parts]
        if self._tree.files(folder):
            self._loose.append(f"{pattern_for(folder)}/*")
        return True

    def _gather_small(self) -> None:
        """Folders of a file or two are no part of their own where there are many others."""
        small = [part for part in self._parts if self._tree.size(part.folder) < _FEW]
        if len(small) > 1 and len(self._parts) - len(small) > 1:
            self._small = [pattern for part in small for pattern in part.patterns]
            self._parts = [part for part in self._parts if part not in small]

    def _match_tests(self) -> None:
        """Gives each part the tests that bear its name, and the only large part all of them."""
        main = self._main()
        for folder in self._tests:
            if main is not None:
                main.patterns.append(below(folder))
                main.has_tests = True
        if main is None:
            self._tests_by_name()

    def _main(self) -> _Part | None:
        sizes = {part: self._tree.code(part.folder) for part in self._parts}
        total = sum(sizes.values())
        return next((part for part, size in sizes.items() if size and size >= _MAIN_SHARE * total), None)

    def _tests_by_name(self) -> None:
        for folder in self._tests:
            for part in self._parts:
                names = [
                    f"{folder}/{name}" for name in self._tree.folders(folder) if name.lower() == part.name
                ]
                files = [f"{folder}/{name}" for name in self._tree.files(folder) if _tests(name, part.name)]
                part.patterns += [*map(below, names), *map(pattern_for, files)]
                part.has_tests = part.has_tests or bool(names or files)

    def _id(self, folder: str) -> str:
        """A fixture's id for a folder: its name, with the folders around it where that is taken."""
        names = folder.split("/")
        for first in range(len(names) - 1, -1, -1):
            found = re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join(names[first:])).strip("-._")[:60]
            if found and found.lower() not in self._ids:
                break
        else:
            found = next(f"part-{n}" for n in range(1, len(self._ids) + 2) if f"part-{n}" not in self._ids)
        self._ids.add(found.lower())
        return found

    @property
    def _all(self) -> tuple[str, ...]:
        """The fixtures of whatever all parts depend on."""
        listed = tuple(part.fixture for part in self._parts)
        return listed if 0 < len(listed) <= MOST_LISTED else (EVERYTHING,)

    def gate_rule(self, gates: Iterator[str]) -> DraftRule:
        """The rule of what settles what CI examines."""
        covered = tuple(pattern.removesuffix("**") for pattern in self._gate if pattern.endswith("/**"))
        single = [pattern_for(path) for path in gates if not path.startswith(covered)]
        why = "What settles what CI examines: workflows, actions, this map, owners."
        return DraftRule((*self._gate, *dict.fromkeys(single)), GATE_FIXTURES, why)

    def rules(self) -> Iterator[DraftRule]:
        """All rules but that of the gate."""
        for part in self._parts:
            shared = self._is_shared(part)
            fixtures = tuple(dict.fromkeys((part.fixture, *self._all))) if shared else (part.fixture,)
            yield DraftRule(tuple(part.patterns), fixtures, "Shared by the others." if shared else "")
        yield DraftRule(tuple(self._loose), self._all, "Beside the parts, and used by any of them.")
        yield DraftRule(tuple(self._data), self._all, "Data and configuration that any part may read.")
        yield from self._tests_left()
        docs = tuple(map(below, self._documentation))
        yield DraftRule(docs, ("docs",), "Documentation that is built from code too.")
        yield DraftRule(tuple(self._small), ("other",), "Small folders.")
        yield from self._root()
        yield DraftRule(tuple(map(below, self._quiet)), (), "for reading, or for the tools of whoever writes")

    def _is_shared(self, part: _Part) -> bool:
        """Whether the other parts are likely to build on it, by its name or the last word of that."""
        words = (part.name, re.split(r"[-_.]", part.name)[-1])
        return len(self._parts) > 1 and not self._layout.shared.isdisjoint(words)

    def _tests_left(self) -> Iterator[DraftRule]:
        """Tests that belong to no part by their name."""
        if self._main() is not None:
            return
        for folder in self._tests:
            start = pattern_for(folder) + "/"
            taken = [p for part in self._parts for p in part.patterns if p.startswith(start)]
            if len(taken) < len(self._tree.folders(folder)) + len(self._tree.files(folder)):
                why = "Tests that no part has taken by its name."
                yield DraftRule((below(folder), *(f"!{pattern}" for pattern in taken)), ("tests",), why)

    def _root(self) -> Iterator[DraftRule]:
        """Files at the root: those for reading need nothing, the rest builds or configures everything."""
        names = self._tree.files("")
        prose = [name for name in names if self._layout.is_prose(name)]
        endings = {name.rpartition(".")[2] for name in prose if "." in name.strip(".")}
        whole = sorted(f"*.{e}" for e in endings if all(n in prose for n in names if n.endswith(f".{e}")))
        single = [n for n in prose if not any(n.endswith(pattern[1:]) for pattern in whole)]
        patterns = (*whole, *map(pattern_for, single))
        if len(prose) < len(names):
            why = "Files at the root build or configure everything."
            yield DraftRule(("*", *(f"!{pattern}" for pattern in patterns)), self._all, why)
        yield DraftRule(patterns, (), "for reading alone")

    def left(self) -> Iterator[str]:
        """What only people know."""
        for folder, number in self._undivided:
            yield f"{folder}/ is one fixture with {number} parts: split it where parts are tested alone"
        if len(self._parts) > _MANY:
            yield f"{len(self._parts)} parts are many: let one fixture examine what is changed together"
        untested = [part.folder for part in self._parts if not part.has_tests] if self._tests else []
        if untested:
            listed = ", ".join(untested[:5]) + (", ..." if len(untested) > 5 else "")
            yield f"no tests bear the name of {listed}: add those that examine them"
        if self._all == (EVERYTHING,) and self._parts:
            yield f"`{EVERYTHING}` stands for the whole suite, for files that all parts depend on"


def _tests(file: str, part: str) -> bool:
    """Whether a file is named as the tests of a part: `test_billing.py`, `billing.spec.ts`."""
    stem = file.lower().rpartition(".")[0]
    return stem in {
        f"test_{part}",
        f"{part}_test",
        f"{part}.test",
        f"{part}.spec",
        f"test-{part}",
        f"{part}-test",
    }
