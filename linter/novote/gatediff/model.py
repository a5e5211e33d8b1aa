"""What is compared: two sides, the exams that each runs under an event, and where the second has less."""

from __future__ import annotations

from typing import Literal, NamedTuple

from novote.algebra.cond import Cond
from novote.fixturemap.model import DEFAULT_FILE
from novote.flow.repository import Repository
from novote.knowledge.commands import ExamCommand
from novote.model import Hop, Location, Witness
from novote.workflow.model import Job, Step

Does = Literal["command", "action", "workflow", "script"]


class Doing(NamedTuple):
    """What an exam does, whatever it is called and wherever it stands.

    `name` is the program with its subcommand, the action or the reusable workflow without its version, or
    empty for a script in which no checker is known. `words` are what it is given; unknown text in them is a
    hole. `folder` is where it runs. `command` is what is known of the program. `variables` are those around
    it that choose what it examines.
    """

    does: Does
    name: str
    words: tuple[str, ...] = ()
    folder: str = ""
    command: ExamCommand | None = None
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def given(self) -> tuple[str, ...]:
        """The words from the program on, without what starts it."""
        return self.words if self.command is None else self.words[self.command.first :]


class Part(NamedTuple):
    """One of the conditions that an exam hangs on, and where it is written."""

    cond: Cond
    place: Location
    what: str


class Exam(NamedTuple):
    """One thing that is checked under one event, in one leg of its matrix.

    `runs` is the condition, with every earlier step and job taken to pass; all conditions of one comparison
    belong to one universe. `parts` are what it is made of, the outermost first. `root` is the workflow that
    the event starts, `file` the one in which `job` and `step` stand. `counts` says that it is an exam by the
    rules of the audit; others are there for the exams of the other side to be found among them. `soft` is
    where its failure does not count, for what `softened` says. `tries` is how often it may be tried, `top`
    the job of `root` that it is a part of.
    """

    event: str
    doing: Doing
    runs: Cond
    parts: tuple[Part, ...]
    root: str
    file: str
    job: Job
    step: Step | None
    place: Location
    label: str
    counts: bool
    leg: tuple[tuple[str, str], ...]
    soft: Cond
    softened: tuple[Part, ...]
    tries: int
    top: str


class Side(NamedTuple):
    """One of the two trees.

    `revision` is how reports name it, empty for the tree of the change. `paths` are all its files, in git's
    order; `map_file` is where its fixture map may lie. `edited` are the paths in which the two differ, None
    where nobody has asked git.
    """

    repository: Repository
    revision: str = ""
    paths: tuple[str, ...] = ()
    map_file: str = DEFAULT_FILE
    edited: frozenset[str] | None = None

    def named(self, place: Location) -> Location:
        """A place as a report names it: a file of the base is `REVISION:PATH`, as git says it."""
        return place._replace(file=f"{self.revision}:{place.file}") if self.revision else place


class Shrink(NamedTuple):
    """One way in which the gate has become smaller.

    `what` is a sentence without its full stop: which exam has lost what. `instead` says what to write.
    `place` is in the tree of the change, `before` where the base has what is gone. `whose` names the exams
    and `events` under what they run, for whoever tells the same of the other side; empty for what is no exam.
    """

    kind: str
    what: str
    instead: str
    place: Location
    before: tuple[Hop, ...] = ()
    events: tuple[str, ...] = ()
    job: str | None = None
    witness: Witness | None = None
    whose: str = ""
