"""What the checks of a job are called, as GitHub shows them and branch protection asks for them.

The name of a job, or its id; for each leg of a matrix with its values behind it, unless the name computes
them itself; `caller / callee` where a workflow is called. Case counts. What hangs on a run is known in part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Final, NamedTuple

from novote.algebra.cond import Cond, Universe
from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr.coerce import content_of, is_primitive, to_text
from novote.expr.evaluate import evaluate
from novote.expr.syntax import StatusName
from novote.expr.template import OPEN, Hole, evaluate_template, segments
from novote.flow.legs import Leg, legs_of, single_values
from novote.flow.matrix import matrix_node
from novote.flow.payload import observed
from novote.flow.unit import Unit
from novote.source.nodes import Node, Scalar
from novote.source.scalars import resolve
from novote.workflow.model import Job, Workflow

if TYPE_CHECKING:
    from novote.flow.repository import Repository

LONGEST: Final = 100
"""A name with the values of a leg is cut to so many characters, the dots included."""

MAX_NAMES: Final = 4096
"""So many checks of one workflow are named."""

_MAX_DEPTH: Final = 10
_CUT: Final = "..."
_BETWEEN: Final = " / "

Place = tuple[str, str]
"""A job, by its file and its id in lower case."""


class CheckName(NamedTuple):
    """The name of a check; None stands for text that nobody knows before it runs."""

    pieces: tuple[str | None, ...]

    @property
    def known(self) -> str | None:
        """The name, where all of it is known."""
        return None if None in self.pieces else "".join(piece for piece in self.pieces if piece)

    @property
    def weight(self) -> int:
        """How many characters of it are known, those apart that only set others off."""
        return sum(len(piece.strip(" /(),")) for piece in self.pieces if piece)

    def may_be(self, name: str) -> bool:
        """Whether a check that is called so can be meant."""
        known = self.known
        if known is not None:
            return known == name
        first, last = self.pieces[0] or "", self.pieces[-1] or ""
        at, end = len(first), len(name) - len(last)
        if at > end or not (name.startswith(first) and name.endswith(last)):
            return False
        # Something unknown stands at either side of what is known in between: the first place will do.
        for piece in self.pieces[1:-1]:
            if piece is not None:
                found = name.find(piece, at, end)
                if found < 0:
                    return False
                at = found + len(piece)
        return True

    def within(self, caller: CheckName) -> CheckName:
        """The name where the workflow is called by a job of that name."""
        return CheckName(_joined((*caller.pieces, _BETWEEN, *self.pieces)))


UNKNOWN: Final = CheckName((None,))


class Published(NamedTuple):
    """A check, and the jobs that publish it: that of the workflow that starts, and those it calls."""

    name: CheckName
    jobs: tuple[Place, ...]


def checks_of(repository: Repository, file: str) -> Iterator[Published]:
    """The checks of a workflow that starts by itself, and of what it calls; at most `MAX_NAMES`."""
    unit = repository.open(file).unit
    names = _Names(repository)
    if unit is not None:
        yield from islice(names.of_unit(unit, _NOTHING, (file,)), MAX_NAMES)


def base_name(job: Job) -> str:
    """What a job is called by itself: what GitHub shows of a matrix that was skipped."""
    return job.id if job.name is None else job.name.value


_NOTHING: Final = Object(())


class _Known(NamedTuple):
    """What a name can read before the run: the inputs of the call, and the leg of a matrix.

    `matrix` is None where the matrix is computed.
    """

    universe: Universe
    inputs: Object
    matrix: Object | None

    def lookup(self, path: tuple[str, ...]) -> Value:
        """The value of a path; content nobody knows where a run decides."""
        content: Content = {"inputs": self.inputs, "matrix": self.matrix}.get(path[0])
        if content is None:
            return Value.of(self.universe, observed(".".join(path)))
        for step in path[1:]:
            if isinstance(content, Opaque):
                return Value.of(self.universe, observed(".".join(path)))
            content = content.get(step) if isinstance(content, Object) else None
        return Value.of(self.universe, content)

    def status(self, name: StatusName) -> Cond:
        """A status, which no name can ask for."""
        return self.universe.atom(name, test="status")


class _Names:
    """Names the checks of workflows and of what they call."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.universe = Universe()

    def of_unit(self, unit: Unit, inputs: Object, chain: tuple[str, ...]) -> Iterator[Published]:
        for job in unit.jobs:
            place = (unit.file, job.id.lower())
            for leg, name in self._own(job, inputs):
                if job.uses is None:
                    yield Published(name, (place,))
                    continue
                for inner in self._called(job, job.uses, _Known(self.universe, inputs, leg), chain):
                    yield Published(inner.name.within(name), (place, *inner.jobs))

    def _called(self, job: Job, uses: Scalar, known: _Known, chain: tuple[str, ...]) -> Iterator[Published]:
        """The checks of a called workflow; one of an unknown name where it is not to be had."""
        file = self.repository.resolve(uses.value)
        unit = self.repository.open(file).unit if file is not None else None
        followed = unit is not None and isinstance(unit.view, Workflow) and unit.view.reusable
        if file is None or unit is None or not followed or file in chain or len(chain) > _MAX_DEPTH:
            yield Published(UNKNOWN, ())
            return
        yield from self.of_unit(unit, self._inputs(unit, job, known), (*chain, file))

    def _inputs(self, unit: Unit, job: Job, known: _Known) -> Object:
        """What a called workflow finds in `inputs`, as far as it is known."""
        given = {name.lower(): node for name, node in job.with_}
        return Object(
            tuple(
                (declared.name, self._input(given.get(declared.name.lower(), declared.default), known))
                for declared in unit.inputs
            )
        )

    def _input(self, node: Node | None, known: _Known) -> Content:
        if node is None:
            return ""
        if not isinstance(node, Scalar):
            return observed("inputs")
        written = resolve(node)
        if not isinstance(written, str):
            return content_of(written)
        value = evaluate_template(written, known, self.universe)
        return value.single if value.is_single else observed(f"inputs: {written}")

    def _own(self, job: Job, inputs: Object) -> Iterator[tuple[Object | None, CheckName]]:
        """What a job itself is called, leg by leg."""
        name = base_name(job)
        legs = legs_of(job) if matrix_node(job) is not None else (Leg(_NOTHING, _NOTHING),)
        if legs is None and OPEN not in name:
            yield None, CheckName((f"{name} (", None))
            return
        for leg in legs if legs is not None else (None,):
            matrix = leg.matrix if leg is not None else None
            if leg is None or OPEN in name:
                yield from (
                    (matrix, found) for found in self._text(name, _Known(self.universe, inputs, matrix))
                )
            else:
                yield matrix, CheckName((_with_values(name, leg.named),))

    def _text(self, text: str, known: _Known) -> Iterator[CheckName]:
        """What a name can come out as."""
        options = [self._hole(part, known) if isinstance(part, Hole) else (part,) for part in segments(text)]
        for pieces in islice(product(*options), MAX_NAMES):
            yield CheckName(_joined(pieces))

    def _hole(self, hole: Hole, known: _Known) -> Sequence[str | None]:
        value = evaluate(hole.node, known, self.universe)
        contents = [content for _, content in value.alternatives]
        unknown = any(isinstance(content, Opaque) for content in contents)
        return (None,) if unknown else tuple(dict.fromkeys(map(to_text, contents)))


def _with_values(name: str, leg: Object) -> str:
    """A name with the values of a leg behind it."""
    values = [to_text(value) for value in single_values(leg) if is_primitive(value)]
    shown = ", ".join(filter(None, values))
    whole = f"{name} ({shown})" if shown else name
    return whole if len(whole) <= LONGEST else whole[: LONGEST - len(_CUT)] + _CUT


def _joined(pieces: Sequence[str | None]) -> tuple[str | None, ...]:
    """Pieces with neighbours of one kind brought together."""
    found: list[str | None] = []
    for piece in pieces:
        if found and piece is None and found[-1] is None:
            continue
        if found and piece is not None and found[-1] is not None:
            found[-1] += piece
        elif piece != "":
            found.append(piece)
    return tuple(found)
