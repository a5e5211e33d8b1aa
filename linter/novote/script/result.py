"""What a script did, as its step's later steps, its job and its exams ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from novote.algebra.cond import Cond
from novote.algebra.value import Opaque, Value
from novote.expr.atoms import absent_of
from novote.script.environment_files import Entries, entries
from novote.script.host import Reading, environment_file
from novote.script.machine import Deed, Machine, Mark, Write
from novote.script.text import joined, lines_of, pieces


class Result(NamedTuple):
    """What one run of a script did.

    `outputs` and `variables` are by lower-cased and by exact name; `failed` holds where the step fails.
    `deeds` are what it did outside, exams among them; `tested` its conditions in order, `readings` what
    it read.
    `failures` are where it fails, each with the conditions it stands under, innermost last.
    `files` is what it left in other files, by path. `problem` says why nothing is known, empty where all is.
    `gave_up` says that a script it starts was not followed to its end: not all that is done is known.
    `steps` is how many steps of work it took.
    """

    outputs: Entries
    variables: Entries
    failed: Cond
    deeds: tuple[Deed, ...]
    tested: tuple[Mark, ...]
    readings: tuple[Reading, ...]
    files: Mapping[str, tuple[Write, ...]]
    failures: tuple[tuple[Cond, tuple[Mark, ...]], ...] = ()
    problem: str = ""
    gave_up: bool = False
    steps: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether all that it does is known."""
        return not self.problem and not self.gave_up

    def output(self, name: str) -> Value | None:
        """An output by its lower-cased name; None where the script never sets it."""
        return _of(self.outputs, name)

    def variable(self, name: str) -> Value | None:
        """A variable it sets for later steps; None where it does not."""
        return _of(self.variables, name)


def _of(found: Entries, name: str) -> Value | None:
    value = found.values.get(name.lower())
    blame = found.forgers | found.unknown
    if not blame:
        return value
    if value is None and not found.forgers:
        return None
    # Whoever can break a line can write this key too.
    if value is None:
        return None
    universe = value.universe
    contents = value.origins() | blame
    plain = value.collapsed().single
    key = universe.short_key(f"forged {plain!r}") + f" of {', '.join(sorted(o.text for o in blame))}"[:160]
    # With the claims absent nobody forges, and what was written is as if they were absent too.
    known, absent = absent_of(plain)
    return Value.of(universe, Opaque(key, contents, absent if known else None, known, "string"))


def result_of(machine: Machine, printed: Sequence[Write], problem: str = "") -> Result:
    """What a machine holds at the end of its run; `printed` went to standard output."""
    universe = machine.universe
    by_role: dict[str, list[Write]] = {"output": [], "environment": []}
    files: dict[str, tuple[Write, ...]] = {}
    for path, writes in machine.files.items():
        role = environment_file(path)
        if role in by_role:
            by_role[role] += writes
        elif not role:
            files[path] = tuple(writes)
    outputs = entries(universe, [*_commands(printed, "set-output"), *by_role["output"]])
    variables = entries(universe, [*_commands(printed, "set-env"), *by_role["environment"]])
    outputs.values.update(machine.outputs)
    variables.values.update(machine.exported)
    return Result(
        outputs,
        variables,
        machine.failed,
        tuple(machine.deeds),
        tuple(machine.tested),
        tuple(machine.readings.values()),
        files,
        tuple(machine.failures),
        problem,
        machine.gave_up,
        machine.taken,
    )


def _commands(printed: Sequence[Write], command: str) -> list[Write]:
    """The keys that lines such as `::set-output name=KEY::VALUE` set, as if written to a file."""
    found: list[Write] = []
    start = f"::{command} name="
    for guard, value in printed:
        for inner, content in value.alternatives:
            for line in lines_of(content):
                parts = pieces(line)
                first = parts[0] if parts else ""
                if isinstance(first, str) and first.startswith(start) and "::" in first[len(start) :]:
                    key, _, rest = first[len(start) :].partition("::")
                    text = joined(value.universe, (f"{key}={rest}", *parts[1:], "\n"))
                    found.append(Write(guard & inner, Value.of(value.universe, text)))
    return found
