"""May this commit merge? The least that one must know for it, told from files, without novote.

The model test holds `novote run`, `novote ledger merge` and `novote promote` against it. Histories are a
line of bases with changes beside it, maps one line of JSON, patterns folders.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

Job = tuple[str, str, str | None, int]
"""Name, commit, how it ended if it did, and the attempt of its run."""

MAP_FILE = "ci/fixture-map.yml"
Files = Mapping[str, str]
Record = dict[str, Any]

_KEYS = {
    "sha",
    "fixture",
    "attempt",
    "result",
    "reason",
    "run_id",
    "run_attempt",
    "started",
    "seconds",
    "prev",
}
_CORE = {"sha", "fixture", "attempt", "result", "reason"}


class Commit(NamedTuple):
    """A commit by name: its files, and how many commits of the bases' line it holds."""

    oid: str
    files: Files
    bases: int


class Ledger(NamedTuple):
    """What a ledger says. `sound` is False where somebody tampered with it, `torn` where its end is cut off.

    `lost` are attempts that were begun and have no line.
    """

    records: tuple[Record, ...] = ()
    sound: bool = True
    torn: bool = False
    lost: tuple[Record, ...] = ()

    def at(self, sha: str, fixture: str | None = None) -> list[Record]:
        """The attempts at a commit, those that were lost too."""
        found = [each for each in (*self.records, *self.lost) if each["sha"] == sha]
        return [each for each in found if fixture in (None, each["fixture"])]


def read_ledger(path: Path) -> Ledger:
    """Reads a ledger and what was begun beside it; one that is not there is empty."""
    lines = (path.read_bytes() if path.exists() else b"").split(b"\n")
    rest, sound, chained, prev = lines.pop(), True, False, sha256(b"").hexdigest()
    records: list[Record] = []
    for line in lines:
        record = _record(line)
        named = None if record is None else record.pop("prev", None)
        sound = sound and record is not None and named == (prev if named or chained else None)
        chained = chained or named is not None
        records += [record] if record is not None else []
        prev = sha256(line).hexdigest()
    keys = [_key(record) for record in records]
    lost: dict[tuple[Any, ...], Record] = {}
    for file in sorted(path.with_name(f"{path.name}.started").glob("*")):
        begun = _record(file.read_bytes().removesuffix(b"\n"))
        if begun is not None and _key(begun) not in keys:
            begun.pop("prev", None)
            lost.setdefault(_key(begun), begun | {"result": "fail", "reason": "lost"})
    return Ledger(tuple(records), sound and len({*keys}) == len(keys), rest != b"", tuple(lost.values()))


def _record(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    number = record.get("attempt")
    whole = set(record) <= _KEYS and set(record) >= _CORE and type(number) is int and number >= 1
    return record if whole and record["result"] in ("pass", "fail") else None


def _key(record: Record) -> tuple[Any, ...]:
    return record["fixture"], record["sha"], record["attempt"]


def merged(out: Ledger, shards: Sequence[Ledger]) -> Ledger | None:
    """`out` with all that the shards add; not sound where one is not, None where two contradict."""
    known = {_key(record): record for record in out.records}
    for record in (record for shard in shards for record in (*shard.records, *shard.lost)):
        if (
            all(ledger.sound for ledger in (out, *shards))
            and known.setdefault(_key(record), record) != record
        ):
            return None
    return Ledger(tuple(known.values()), all(ledger.sound for ledger in (out, *shards)))


def map_of(commit: Commit) -> Record | None:
    """The map that a commit holds; None where it is of no use."""
    found: Record = json.loads(commit.files[MAP_FILE])
    return found if found["version"] == 1 else None


def retries(fixture: str, base: Commit, head: Commit, fork: Commit) -> int:
    """How often a fixture may be tried again; `fork` is the last of the bases that the head holds."""
    maps = [map_of(commit) for commit in (base, head, fork)]
    there, wanted, before = ((found or {}).get("fixtures", {}).get(fixture) for found in maps)
    edited = maps[1] is None or maps[2] is None or wanted != before
    return 0 if there is None or (edited and wanted != there) else there.get("retries", 0)


def changed(base: Commit, head: Commit, fork: Commit) -> set[str] | None:
    """The paths that a change touches; None where it does not merge."""
    paths = {*base.files, *head.files}
    ours, theirs = (
        {path for path in paths if side.files.get(path) != fork.files.get(path)} for side in (base, head)
    )
    if any(base.files.get(path) != head.files.get(path) for path in ours & theirs):
        return None
    return theirs


class Selected(NamedTuple):
    """The fixtures that a change needs, in any order, and whether it may be judged by them at all."""

    fixtures: frozenset[str]
    allowed: bool


def select(fixture_map: Record, paths: set[str]) -> Selected:
    """What a map says of changed paths."""
    found: set[str] = {*fixture_map.get("always", ())} if paths else set()
    covered = set()
    for each in fixture_map["rules"]:
        hit = {path for path in paths if any(_matches(pattern, path) for pattern in each["paths"])}
        found |= {*each["fixtures"]} if hit else set()
        covered |= hit
    free = {path for path in paths for each in fixture_map["no_fixture"] if _matches(each["paths"][0], path)}
    product = {path for path in paths if path.startswith("src/")}
    own_exam = MAP_FILE in paths and bool(product)
    fits = len(found) <= fixture_map.get("max_fixtures", 256)
    return Selected(frozenset(found), bool(paths) and paths == covered | free and fits and not own_exam)


def _matches(pattern: str, path: str) -> bool:
    return path.startswith(pattern[:-2]) if pattern.endswith("/**") else path == pattern


class Shown(NamedTuple):
    """What is shown for a change: its ledger, None where there is no file, and what goes with it.

    `matrix_fits` is whether the matrix handed in is today's. `jobs` are the platform's, None where it was not
    asked; `busy` is what runs now.
    """

    ledger: Ledger | None
    matrix_fits: bool = True
    jobs: Sequence[Job] | None = None
    busy: frozenset[str] = frozenset()


def promoted(base: Commit, head: Commit, fork: Commit, today: str, latest: str, shown: Shown) -> bool | None:
    """Whether a change may merge; None where there is no telling. Quarantines end from today to `latest`."""
    fixture_map, paths = map_of(base), changed(base, head, fork)
    if fixture_map is None or paths is None:
        return None
    wanted = select(fixture_map, paths)
    ledger = shown.ledger
    if ledger is None and wanted.fixtures:
        return None
    ledger = ledger or Ledger()
    if not ledger.sound or ledger.torn:
        return None
    tried = {record["fixture"] for record in ledger.at(head.oid)} | shown.busy
    if not wanted.allowed or not shown.matrix_fits or tried - wanted.fixtures:
        return False
    for fixture in wanted.fixtures:
        entry = fixture_map.get("fixtures", {}).get(fixture, {})
        until = entry.get("quarantine", {}).get("until", "")
        spared = today <= until <= latest
        results = {record["attempt"]: record["result"] for record in ledger.at(head.oid, fixture)}
        most = 1 + retries(fixture, base, head, fork)
        if fixture in shown.busy or not results or sorted(results) != [*range(1, len(results) + 1)]:
            return False
        if len(results) > most or (results[len(results)] != "pass" and not spared):
            return False
        if shown.jobs is not None and not _agrees(fixture, head.oid, shown.jobs, spared):
            return False
    return True


def _agrees(fixture: str, sha: str, jobs: Sequence[Job], spared: bool) -> bool:
    """Whether the platform says the same."""
    named = re.compile(rf"(.* / )?{re.escape(fixture)}|.*\((.*, )?{re.escape(fixture)}(, .*)?\)")
    ours = [job for job in jobs if named.fullmatch(job[0])]
    last = [job for job in ours if job[3] == max(other[3] for other in ours if other[0] == job[0])]
    ends = [result for _, commit, result, _ in last if commit == sha]
    return bool(ends) and all(result == "success" or (spared and result) for result in ends)
