"""Whatever is tried, forged and edited: what may merge is what the reference lets merge, and nothing else."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from shutil import rmtree
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from tests.promote.conftest import (
    MAP_FILE,
    Commit,
    Files,
    Job,
    Ledger,
    Record,
    Shown,
    changed,
    map_of,
    merged,
    promoted,
    read_ledger,
    retries,
    select,
)

from novote.git.repository import Git
from novote.ledger import started, store
from novote.ledger.process import Outcome
from novote.ledger.record import Attempt

if TYPE_CHECKING:
    from tests.conftest import Repository

Run = Callable[..., CompletedProcess[str]]
EXAMPLES = 60
TODAY = datetime.now(UTC).date()
LATEST = str(TODAY + timedelta(days=14))
ENTRIES: list[Record] = [{}, {"retries": 1}, {"retries": 2}, {"retries": 1, "timeout": 9}]
ENTRIES += [
    {
        "retries": retries,
        "quarantine": {"owner": "@a", "because": "b", "until": str(TODAY + timedelta(days=days))},
    }
    for retries, days in ((0, 3), (1, 3), (1, -3), (1, 40))
]
NAMES = ["a", "b", "lint", "smoke"]
IDS = [*NAMES, "new"]
PATHS = ["src/a/x", "src/b/x", "ci/x", "docs/x", "lib/x"]
SHARDS = ["s0", "s1"]
LEDGERS = [*SHARDS, "merged", "merged", "merged"]
RESULTS = ["pass", "fail", "fail", "killed", "stopped"]
PLANS = [
    *[["pass"] * 4] * 6,
    *[["fail", "pass", "pass", "pass"], ["fail", "fail", "pass", "pass"]] * 2,
    *(["fail"] * 4, ["killed"] * 4, ["stopped"] * 4),
]
WRONGS = ["renumber", "fail before", "fail after", "add another"]
WRONGS += ["fail elsewhere", "contradict", "run", "edit the matrix", "tear", "break the chain"]
THEN = [*WRONGS, "ask the platform", "own exam", "push", "move on"]
ENDINGS = ["success", "failure", "skipped", "other", "none", "", "again"]
INDEX = st.sampled_from([0, 0, 0, 1])
ENDS = st.lists(
    st.sampled_from(["success"] * 19 + ENDINGS),
    min_size=5,
    max_size=5,
)


PLAIN = json.dumps(
    {
        "version": 1,
        "rules": [
            {"paths": ["src/a/**"], "fixtures": ["a", "b"]},
            {"paths": ["ci/**"], "fixtures": ["lint"]},
        ],
        "no_fixture": [{"paths": ["docs/**"]}],
        "fixtures": {"a": {"retries": 1}, "b": {}, "lint": {}},
    }
)


@st.composite
def maps(draw: st.DrawFn) -> str:
    """The text of a map: one line, so that two edits of it never merge."""
    found: Record = {
        "version": draw(st.sampled_from([1] * 29 + [2])),
        "rules": [
            {"paths": ["src/a/**"], "fixtures": draw(st.sampled_from([["a"], ["a", "b"]]))},
            {"paths": ["src/b/**"], "fixtures": ["b"]},
            {"paths": ["ci/**"], "fixtures": ["lint"]},
        ],
        "no_fixture": [{"paths": ["docs/**"]}],
    }
    found |= {"always": ["smoke"]} if draw(st.integers(0, 3)) == 3 else {}
    found |= {"max_fixtures": 2} if draw(st.integers(0, 5)) == 5 else {}
    if draw(st.integers(0, 7)) < 7:
        found["fixtures"] = {"a": draw(st.sampled_from(ENTRIES)), "b": draw(st.sampled_from(ENTRIES))}
        found["fixtures"] |= {"lint": draw(st.sampled_from(ENTRIES)), "smoke": {}}
        if draw(st.booleans()):
            found["fixtures"]["new"] = draw(st.sampled_from(ENTRIES))
    return json.dumps(found) + "\n"


PRODUCT = st.sets(st.sampled_from(PATHS[:3] * 3 + PATHS[3:]), min_size=1, max_size=2)
CHANGES = st.one_of(
    PRODUCT,
    PRODUCT,
    PRODUCT,
    st.just({MAP_FILE}),
    st.just({MAP_FILE, "ci/x"}),
    st.just({MAP_FILE, "src/a/x"}),
    st.just(set()),
)


class Killed(BaseException):
    """What ends a run in the middle of an attempt."""


class Bench:
    """What all examples share: a repository whose commits are made once, and the stand-in for commands."""

    def __init__(self, repository: Repository, run: Run, patch: pytest.MonkeyPatch) -> None:
        self.repository = repository
        self.run = run
        self.patch = patch
        self.folders = count()
        self.plan: list[str] = []
        self.counted: Counter[str] = Counter()
        self._commits: dict[tuple[Any, ...], str] = {}
        self._held: list[started.Reservation] = []
        patch.setattr("novote.cli.run.run_command", self._command)
        patch.setattr("novote.ledger.running.reserve", self._reserve)
        # Objects never change: asked about again and again, they are most of what the examples take.
        for question in (Git.entry, Git.blob, Git.changes, Git.merge_bases):
            patch.setattr(Git, question.__name__, _asked_once(question))

    def commit(self, files: Files, *parents: str) -> str:
        key = (*sorted(files.items()), *parents)
        if key not in self._commits:
            self._commits[key] = self.repository.commit(dict[Any, Any](files), parents=parents)
        return self._commits[key]

    def _reserve(self, *arguments: Any) -> started.Reservation:
        self._held.append(started.reserve(*arguments))
        return self._held[-1]

    def _command(self, *_: object) -> Outcome:
        result = self.plan.pop(0)
        if result == "killed":
            # The system closes what a process had open, however that ended.
            os.close(self._held[-1]._descriptor)
            raise Killed
        return Outcome(0 if result == "pass" else 1, 0.0, interrupted=15 if result == "stopped" else None)


def _asked_once(question: Callable[..., Any]) -> Callable[..., Any]:
    """The same question to git, answered from memory where the same objects were asked about before."""
    known: dict[tuple[Any, ...], Any] = {}

    def answer(git: Git, *about: Any) -> Any:
        if about not in known:
            known[about] = question(git, *about)
        return known[about]

    return answer


class Model(RuleBasedStateMachine):
    """A repository, its CI and whoever tampers with either; all that is known of it lies in files."""

    bench: ClassVar[Bench]

    def __init__(self) -> None:
        super().__init__()
        self.folder = self.bench.repository.path.parent / str(next(self.bench.folders))
        self.folder.mkdir()
        self.step = 0
        self.good: Good | None = None

    @initialize(
        text=maps(),
        paths=st.one_of(*[st.just({"src/a/x"})] * 4, CHANGES),
        then=st.sampled_from(THEN),
        fixture=st.sampled_from(NAMES),
        entry=st.sampled_from(ENTRIES),
    )
    def begin(self, text: str, paths: set[str], then: str, fixture: str, entry: Record) -> None:
        """Starts with a change whose exams pass, which later steps seldom do, and makes one thing wrong."""
        files = {path: f"{path} 0\n" for path in PATHS} | {MAP_FILE: text}
        self.bases = [Commit(self.bench.commit(files), files, 0)]
        self.heads = [self._changed(self.bases[0], paths, text)]
        later = then if then in ("push", "move on") else ""
        self.let_ci_do_it(0, 0, [PLANS[0]] * 4, None, 1, [], later, [])
        if then == "own exam":
            self.say_what_becomes_of_its_own_exam(0, entry)
            self.change_one_thing_about_what_may_merge("ask the platform", fixture)
        elif not later:
            self.change_one_thing_about_what_may_merge(then, fixture)

    def _changed(self, onto: Commit, paths: set[str], text: str) -> Commit:
        self.step += 1
        new = {path: f"{path} {self.step}\n" for path in sorted(paths)} | (
            {MAP_FILE: text} if MAP_FILE in paths else {}
        )
        files = {**onto.files, **new}
        return Commit(self.bench.commit(files, onto.oid), files, onto.bases)

    def _base(self, index: int) -> Commit:
        return self.bases[-1 - index % min(2, len(self.bases))]

    def _head(self, index: int) -> Commit:
        return self.heads[-1 - index % min(2, len(self.heads))]

    def _fork(self, base: Commit, head: Commit) -> Commit:
        return self.bases[min(base.bases, head.bases)]

    def _ledger(self, name: str) -> Path:
        return self.folder / name

    @rule(paths=CHANGES, text=maps())
    def move_the_base_on(self, paths: set[str], text: str) -> None:
        made = self._changed(self.bases[-1], paths, text)
        self.bases.append(made._replace(bases=len(self.bases)))

    @rule(paths=CHANGES, text=maps(), onto=INDEX, more=st.booleans())
    def change_something(self, paths: set[str], text: str, onto: int, more: bool) -> None:
        self.heads.append(self._changed(self._head(onto) if more else self._base(onto), paths, text))

    @rule(index=INDEX)
    def bring_a_change_up_to_date(self, index: int) -> None:
        head, base = self._head(index), self.bases[-1]
        fork = self._fork(base, head)
        touched = changed(base, head, fork)
        if touched is None or base.bases == head.bases:
            return
        files = {**base.files, **{path: head.files[path] for path in touched}}
        self.heads.append(Commit(self.bench.commit(files, head.oid, base.oid), files, base.bases))

    @rule(
        ledger=st.sampled_from(LEDGERS),
        onto=INDEX,
        index=INDEX,
        fixture=st.sampled_from(IDS),
        plan=st.lists(st.sampled_from(RESULTS), min_size=4, max_size=4),
        cap=st.sampled_from([None, None, None, 0, 1, 9]),
        variable=st.sampled_from(["", "", "", "0", "1", "9"]),
    )
    def run_a_fixture(
        self,
        ledger: str,
        onto: int,
        index: int,
        fixture: str,
        plan: list[str],
        cap: int | None,
        variable: str,
    ) -> None:
        base, head = self._base(onto), self._head(index)
        before = read_ledger(self._ledger(ledger))
        most = min(
            retries(fixture, base, head, self._fork(base, head)),
            *(int(x) for x in (9 if cap is None else cap, variable or 9)),
        )
        records, expected = _runs(before, head.oid, fixture, most, plan)
        arguments = [
            "run",
            fixture,
            "--base",
            base.oid,
            "--head",
            head.oid,
            "--ledger",
            str(self._ledger(ledger)),
        ]
        arguments += [] if cap is None else ["--max-retries", str(cap)]
        self.bench.patch.setenv("FLAKE_MAX", variable)
        self.bench.plan = [*plan]
        try:
            code: int | None = self.bench.run(*arguments, "--", "x").returncode
        except Killed:
            code = None
        if map_of(base) is None or not before.sound:
            assert (code, self.bench.plan) == (3, plan)
            return
        assert code == expected
        after = read_ledger(self._ledger(ledger))
        assert after.sound
        assert not after.torn
        assert _shape((*after.records, *after.lost)) == records

    @rule(out=st.sampled_from(LEDGERS), shards=st.lists(st.sampled_from(SHARDS), min_size=1, max_size=3))
    def merge(self, out: str, shards: list[str]) -> None:
        paths = [self._ledger(name) for name in shards if name != out and self._ledger(name).exists()]
        if not paths:
            return
        expected = merged(read_ledger(self._ledger(out)), [read_ledger(path) for path in paths])
        done = self.bench.run("ledger", "merge", str(self._ledger(out)), *map(str, paths))
        assert done.returncode == (1 if expected is None else 0 if expected.sound else 3)
        if expected is not None and expected.sound:
            assert _shape(read_ledger(self._ledger(out)).records) == _shape(expected.records)

    @rule(
        ledger=st.sampled_from(LEDGERS),
        index=INDEX,
        fixture=st.sampled_from(["a", *NAMES]),
        further=st.sampled_from([1, 1, 1, 1, 2, 0, -1]),
        result=st.sampled_from(["pass", "pass", "fail", "PASS"]),
        chained=st.sampled_from(["yes", "yes", "no", "wrongly"]),
        begun=st.booleans(),
    )
    def forge(
        self, ledger: str, index: int, fixture: str, further: int, result: str, chained: str, begun: bool
    ) -> None:
        """Adds an attempt that nobody ran, or the file of one that was begun and lost."""
        record = self._attempt(ledger, self._head(index), fixture, further, result)
        if begun:
            folder = self._ledger(f"{ledger}.started")
            folder.mkdir(exist_ok=True)
            self.step += 1
            (folder / f"{self.step}").write_text(json.dumps(record))
        else:
            self._append(ledger, record, chained)
        self._judge(ledger, self._base(0), self._head(index))

    @rule(
        ledger=st.sampled_from(LEDGERS),
        how=st.sampled_from(["tear", "tear", "lose", "drop", "double", "edit"]),
        at=INDEX,
    )
    def tamper(self, ledger: str, how: str, at: int) -> None:
        path = self._ledger(ledger)
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if not lines:
            return
        if how == "lose":
            path.unlink()
            return
        line = lines[at % len(lines)]
        other = {
            "tear": line,
            "drop": b"",
            "double": line + line,
            "edit": line.replace(b'"fail"', b'"pass"'),
        }[how]
        lines[at % len(lines)] = other
        path.write_bytes(b"".join(lines) + (b'{"sha": "' if how == "tear" else b""))
        self._judge(ledger, self._base(0), self._head(0))

    @rule(
        index=INDEX,
        onto=INDEX,
        plans=st.lists(st.sampled_from(PLANS), min_size=4, max_size=4),
        lost=st.sampled_from([None] * 20 + NAMES),
        further=st.sampled_from([1, 1, 2]),
        forged=st.sampled_from([[], [], [], ["pass"], ["fail"], ["fail", "pass"]]),
        then=st.sampled_from(["", "", "", "push", "move on", "check"]),
        ends=ENDS,
    )
    def let_ci_do_it(
        self,
        index: int,
        onto: int,
        plans: list[list[str]],
        lost: str | None,
        further: int,
        forged: list[str],
        then: str,
        ends: list[str],
    ) -> None:
        """Runs all that a change needs on ledgers of their own, and merges those that do not get lost.

        Before it is judged, somebody may forge attempts, push to the change, or land something on the base.
        """
        base, head = self._base(onto), self._head(index)
        paths, fixture_map = changed(base, head, self._fork(base, head)), map_of(base)
        if paths is None or fixture_map is None:
            return
        for name in LEDGERS:
            self._ledger(name).unlink(missing_ok=True)
            rmtree(self._ledger(f"{name}.started"), ignore_errors=True)
        fixtures = sorted(select(fixture_map, paths).fixtures)
        for fixture, plan in zip(fixtures, plans, strict=False):
            shard = SHARDS[fixtures.index(fixture) % len(SHARDS)]
            self.run_a_fixture(shard, onto, index, fixture, plan, None, "")
        kept = [SHARDS[number % len(SHARDS)] for number, name in enumerate(fixtures) if name != lost]
        self.merge("merged", kept)
        for result in forged if fixtures else ():
            self._append("merged", self._attempt("merged", head, fixtures[0], further, result), "yes")
        matrix = self._matrix("today's", base, head, 0)
        if then == "push":
            head = self._changed(head, paths & {*PATHS[:3]}, "")
            self.heads.append(head)
        elif then == "move on":
            self.move_the_base_on({"docs/x"}, "")
            base = self._base(0)
        self._judge("merged", base, head, matrix, ends if then == "check" else None)

    def _attempt(self, ledger: str, head: Commit, fixture: str, further: int, result: str) -> Record:
        """An attempt that nobody ran, so many numbers after the last."""
        number = len(read_ledger(self._ledger(ledger)).at(head.oid, fixture)) + further
        return {"sha": head.oid, "fixture": fixture, "attempt": number, "result": result, "reason": "x"}

    def _append(self, ledger: str, record: Record, chained: str) -> None:
        path = self._ledger(ledger)
        last = (path.read_bytes() if path.exists() else b"").removesuffix(b"\n").rpartition(b"\n")[2]
        prev = {"yes": sha256(last).hexdigest(), "wrongly": "0" * 64}
        record |= {"prev": prev[chained]} if chained in prev else {}
        with path.open("a") as file:
            file.write(json.dumps(record) + "\n")

    @rule(
        ledger=st.sampled_from(LEDGERS),
        onto=INDEX,
        index=INDEX,
        matrix=st.sampled_from(["none", "none", "today's", "today's", "another", "edited"]),
        other=INDEX,
        ends=st.one_of(st.none(), ENDS),
        busy=st.sampled_from([None] * 9 + NAMES),
    )
    def promote(
        self,
        ledger: str,
        onto: int,
        index: int,
        matrix: str,
        other: int,
        ends: list[str] | None,
        busy: str | None,
    ) -> None:
        base, head = self._base(onto), self._head(index)
        made = None if matrix == "none" else self._matrix(matrix, base, head, other)
        self._judge(ledger, base, head, made, ends, busy)

    @rule(onto=INDEX, entry=st.sampled_from(ENTRIES))
    def say_what_becomes_of_its_own_exam(self, onto: int, entry: Record) -> None:
        """Makes a change of the map alone, whose only exam it says something about, and which fails."""
        base = self._base(onto)
        registry: Record = {name: {} for name in IDS} | {"lint": entry}
        text = json.dumps(json.loads(base.files[MAP_FILE]) | {"fixtures": registry}) + "\n"
        self.heads.append(self._changed(base, {MAP_FILE, "ci/x"}, text))
        self.let_ci_do_it(0, onto, [["fail"] * 4, *[["pass"] * 4] * 3], None, 1, [], "", [])

    @rule(how=st.sampled_from([*WRONGS, "ask the platform"]), fixture=st.sampled_from(NAMES))
    def change_one_thing_about_what_may_merge(self, how: str, fixture: str) -> None:
        """Judges what was let merge last again, with one thing wrong, or none."""
        if self.good is None:
            return
        base, head, records = self.good
        for name in ("merged", "s0"):
            self._ledger(name).unlink(missing_ok=True)
            rmtree(self._ledger(f"{name}.started"), ignore_errors=True)
        for record in _altered(records, how):
            self._append("merged", record, "wrongly" if how == "break the chain" else "yes")
        if how == "tear":
            with self._ledger("merged").open("a") as file:
                file.write('{"sha": "')
        elif how == "contradict":
            told = {"pass": "fail", "fail": "pass"}[records[-1]["result"]]
            self._append("s0", records[-1] | {"result": told}, "yes")
            self.merge("merged", ["s0"])
        matrix = self._matrix("edited", base, head, 0) if how == "edit the matrix" else None
        self._judge("merged", base, head, matrix, None, fixture if how == "run" else None)
        for end in ENDINGS if how == "ask the platform" else ():
            ends = [end if name == records[-1]["fixture"] else "success" for name in IDS]
            self._judge("merged", base, head, None, ends)

    def _judge(
        self,
        ledger: str,
        base: Commit,
        head: Commit,
        matrix: Matrix | None = None,
        ends: list[str] | None = None,
        busy: str | None = None,
    ) -> None:
        """Asks novote and the reference whether a change may merge."""
        path = self._ledger(ledger)
        shown = Shown(read_ledger(path) if path.exists() else None)
        arguments = ["promote", "--base", base.oid, "--head", head.oid, "--ledger", str(path)]
        if matrix is not None:
            arguments += ["--matrix", str(matrix.file)]
            shown = shown._replace(matrix_fits=matrix.of == (base.oid, head.oid))
        if ends is not None:
            jobs = list(_jobs(head.oid, ends))
            arguments += ["--observed", str(self._observed(jobs))]
            shown = shown._replace(jobs=jobs)
        with self._running(path, head.oid, busy) as running:
            shown = shown._replace(busy=running)
            expected = promoted(base, head, self._fork(base, head), str(TODAY), LATEST, shown)
            done = self.bench.run(*arguments)
        if expected and shown.ledger and shown.ledger.at(head.oid):
            self.good = Good(base, head, (*shown.ledger.records, *shown.ledger.lost))
        self.bench.counted[f"promote {expected}"] += 1
        assert done.returncode == {True: 0, False: 1, None: 3}[expected], (expected, done)

    def _matrix(self, matrix: str, base: Commit, head: Commit, other: int) -> Matrix | None:
        """A matrix to hand in; None where the one that is wanted cannot be made."""
        file = self.folder / "matrix.json"
        of = (self._base(other), self._head(other)) if matrix == "another" else (base, head)
        done = self.bench.run("recompute", "--base", of[0].oid, "--head", of[1].oid, "--out", str(file))
        if done.returncode != 0:
            return None
        if matrix == "edited":
            document = json.loads(file.read_text())
            file.write_text(json.dumps(document | {"fixtures": document["fixtures"][1:] or ["x"]}))
        return Matrix(file, None if matrix == "edited" else (of[0].oid, of[1].oid))

    def _observed(self, jobs: Sequence[Job]) -> Path:
        listed = [
            {"id": n, "name": name, "head_sha": sha, "run_id": 1, "run_attempt": attempt, "conclusion": end,
             "status": "completed" if end else "in_progress"}
            for n, (name, sha, end, attempt) in enumerate(jobs)
        ]  # fmt: skip
        file = self.folder / "jobs.json"
        file.write_text(json.dumps({"total_count": len(listed), "jobs": listed}))
        return file

    @contextmanager
    def _running(self, ledger: Path, sha: str, fixture: str | None) -> Iterator[frozenset[str]]:
        """Lets an attempt at a fixture run meanwhile."""
        if fixture is None or not ledger.exists():
            yield frozenset()
            return
        with store.opened(str(self.folder / "other")) as own:
            own.path = str(ledger)
            held = started.reserve(own, Attempt(sha, fixture, 50, "fail", "lost"))
        yield frozenset({fixture})
        held.end()


class Good(NamedTuple):
    """A change that may merge, the base it was judged at, and what its ledger holds."""

    base: Commit
    head: Commit
    records: tuple[Record, ...]


class Matrix(NamedTuple):
    """A matrix in a file, and the base and the head that it was made for, None where it was edited."""

    file: Path
    of: tuple[str, str] | None


def _runs(
    before: Ledger, sha: str, fixture: str, most: int, plan: Sequence[str]
) -> tuple[list[Any], int | None]:
    """What a ledger holds after a fixture ran as planned; the exit code, None for a run that was killed."""
    records = _shape((*before.records, *before.lost))
    for result in plan:
        ours = sorted(each[2:] for each in records if each[:2] == (sha, fixture))
        number = 1 + max([len(ours), *(each[0] for each in ours)])
        if ours and (ours[-1][1] == "pass" or number > 1 + most):
            return records, int(ours[-1][1] != "pass")
        records = sorted([*records, (sha, fixture, number, "pass" if result == "pass" else "fail")])
        if result in ("killed", "stopped"):
            return records, None if result == "killed" else 130
    return records, int(plan[-1] != "pass")


def _altered(records: Sequence[Record], how: str) -> Sequence[Record]:
    """What a ledger holds, with other numbers or one more attempt at the exam that it holds last."""
    last = records[-1]
    exam = last["fixture"], last["sha"]
    moved = [
        each | {"attempt": each["attempt"] + ((each["fixture"], each["sha"]) == exam)} for each in records
    ]
    return {
        "renumber": moved,
        "fail before": [last | {"attempt": 1, "result": "fail"}, *moved],
        "add another": [*records, last | {"fixture": "new", "attempt": 1}],
        "fail elsewhere": [*records, last | {"sha": "0" * 40, "result": "fail"}],
        "fail after": [*records, last | {"attempt": last["attempt"] + 1, "result": "fail"}],
    }.get(how, records)


def _shape(records: Sequence[Record]) -> list[Any]:
    return sorted((each["sha"], each["fixture"], each["attempt"], each["result"]) for each in records)


def _jobs(sha: str, ends: Sequence[str]) -> Iterator[Job]:
    """The jobs of all fixtures, by how each ended."""
    shapes = ("{}", "test / {}", "run (linux, {})", "run ({})", "{}")
    for fixture, shape, end in zip(IDS, shapes, ends, strict=True):
        name = shape.format(fixture)
        if end == "again":
            yield name, sha, "failure", 1
            yield name, sha, "success", 2
        elif end == "other":
            yield name, "0" * 40, "success", 1
        elif end != "":
            yield name, sha, None if end == "none" else end, 1


def test_novote_lets_merge_what_the_reference_does_and_nothing_else(
    new_repository: Callable[..., Repository], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = new_repository()
    monkeypatch.chdir(repository.path)
    bench = Bench(repository, run, monkeypatch)
    monkeypatch.setattr(Model, "bench", bench, raising=False)
    limits = settings(
        max_examples=EXAMPLES,
        # The same examples each time: a run that tries no good change would show nothing.
        derandomize=True,
        stateful_step_count=14,
        deadline=None,
        suppress_health_check=[*HealthCheck],
        phases=[Phase.generate, Phase.shrink],
    )
    run_state_machine_as_test(Model, settings=limits)
    # Chance leaves some of them out of so few examples.
    for wrong in THEN:
        Model().begin(PLAIN, {"src/a/x"}, wrong, "a", {})
    assert bench.counted["promote True"] > EXAMPLES // 2
