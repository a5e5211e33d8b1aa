"""What `novote init` would do in a repository: nothing is written here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from novote import __version__
from novote.cli.exit_code import UsageError
from novote.cli.hook.install import Places, find_places, is_installed
from novote.cli.init.owner_lines import PLACEHOLDER, OwnerLines, owner_lines, owners_file
from novote.cli.init.placing import missing_folders
from novote.cli.init.starter import EXAMS, MAP, OWNERS, PATHS, WORKFLOW, StarterFile, starter_files
from novote.cli.map.drafting import Drafted, drafted_map
from novote.cli.map.place import MapPlace, read_map_file
from novote.fixturemap.draft import GATE_FIXTURES
from novote.git.error import GitError
from novote.git.place import locate


class Plan(NamedTuple):
    """The files to write, the names of those that are there already, and what to tell.

    `hook` is where the hook goes, None where it is there already or where `no_hook` says why it cannot be.
    `fixtures` are those of the map, the one that is there or the drafted one.
    """

    root: str
    new: tuple[StarterFile, ...]
    there: tuple[str, ...]
    drafted: Drafted
    fixtures: tuple[str, ...]
    owners: OwnerLines
    hook: Places | None
    no_hook: str

    def left(self) -> Iterator[str]:
        """What is left for a human, a sentence each."""
        written = {file.path for file in self.new}
        if MAP in written:
            yield f"read {MAP} as whoever answers for the exams; `novote map check` tells what is wrong"
            yield from (f"in {MAP}: {sentence}" for sentence in self.drafted.left())
        unsaid = [name for name in self.fixtures if name not in GATE_FIXTURES]
        if EXAMS in written:
            what = (
                f"what each fixture runs: {', '.join(unsaid)}" if unsaid else "what the fixtures to come run"
            )
            yield f"say in {EXAMS} {what}; until then it fails for them"
        elif WORKFLOW in written:
            yield f"{EXAMS} must run the one fixture that it is given, or name another command in {WORKFLOW}"
        if WORKFLOW in written:
            yield (
                f"in {WORKFLOW}, put the hashes of novote {__version__} and of all that it needs in place "
                "of HASH, as `pip-compile --generate-hashes` prints them; until then the gate fails"
            )
        yield from self._owners_left(written)
        yield (
            "once this has landed, in a change of its own, require the check `decide` and the review of code "
            "owners in the branch's ruleset: before, the base has no map; without, nobody has to pass"
        )
        if self.no_hook:
            yield f"the hook is not installed: {self.no_hook}"

    def _owners_left(self, written: set[str]) -> Iterator[str]:
        file, lines, unnamed = self.owners
        if unnamed or (OWNERS in written and any(PLACEHOLDER in line for line in lines)):
            named = f"put who answers for the exams in place of {PLACEHOLDER}"
            yield f"in {file or OWNERS}, {named}; until then nobody owns the gate"
        elif OWNERS not in written and lines:
            yield f"add to {file}, at its end:"
            yield from (f"    {line}" for line in lines)


def make_plan(working_folder: str, owners: Sequence[str]) -> Plan:
    """What to do in the repository around a folder. Raises UsageError where nothing can be done."""
    root = _root(working_folder)
    absent = [path for path in PATHS if not _is_there(root, path)]
    if owners_file(root) is not None and OWNERS in absent:
        absent.remove(OWNERS)
    for path in absent:
        missing_folders(root, path)
    place = MapPlace(root, MAP)
    drafted = drafted_map(place, absent)
    fixtures = tuple(drafted.written.map.fixtures if MAP in absent else _fixtures_of(place))
    wanted = owner_lines(root, {*map(os.fsdecode, drafted.gates), *PATHS}, owners)
    texts = (StarterFile(MAP, drafted.written.text), *starter_files(fixtures, wanted.lines))
    hook, no_hook = _hook()
    return Plan(
        root,
        tuple(file for file in texts if file.path in absent),
        tuple(wanted.file or path if path == OWNERS else path for path in PATHS if path not in absent),
        drafted,
        fixtures,
        wanted,
        hook,
        no_hook,
    )


def _root(working_folder: str) -> str:
    try:
        place = locate(working_folder)
    except GitError as error:
        raise UsageError(f"{error}; `git init` makes one") from None
    if place.folder == place.git_folder:
        raise UsageError(f"{place.folder} is no work tree; run this where the files lie")
    return place.folder


def _is_there(root: str, path: str) -> bool:
    return os.path.lexists(os.path.join(root, path))


def _fixtures_of(place: MapPlace) -> tuple[str, ...]:
    """The fixtures of the map that is there; none where it cannot be used."""
    found = read_map_file(place).loaded.map
    return () if found is None else tuple(found.fixtures)


def _hook() -> tuple[Places | None, str]:
    """Where the hook goes, or why it goes nowhere; neither where it is there already."""
    try:
        places = find_places()
    except UsageError as error:
        return None, str(error)
    return (None if is_installed(places) else places), ""
