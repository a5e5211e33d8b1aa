"""The legs of a matrix as GitHub makes them, each with its values and what it means for conditions.

Where a list is computed and nobody knows what it holds, its value is a hole.
https://docs.github.com/en/actions/how-tos/write-workflows/choose-what-workflows-do/run-job-variations
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Object, Opaque, Value
from novote.expr.coerce import to_text
from novote.flow.evaluation import Evaluation
from novote.flow.matrix import matrix_node, naming_the_matrix
from novote.gatediff.doings import HOLE
from novote.workflow.model import Job

MOST: Final = 256
"""As many legs a matrix may have."""

# What a key is used for where it chooses neither what is examined nor on what.
_APART: Final = ("name", "strategy", "continue-on-error", "timeout-minutes", "if", "concurrency")
_WHOLE: Final = re.compile(r"\bmatrix\b(?!\s*[.\[])", re.IGNORECASE)
_KEY: Final = re.compile(r"\bmatrix\s*(?:\.\s*|\[\s*')([\w-]+)", re.IGNORECASE)
_Combination = dict[str, Content]


class Leg(NamedTuple):
    """One leg: where conditions are asked in it, and the values that the job makes use of, by name."""

    guard: Cond
    values: tuple[tuple[str, str], ...] = ()


def legs_of(evaluation: Evaluation, job: Job) -> list[Leg]:
    """The legs of a job; one without values where it has no matrix, or one too large."""
    combinations = _combinations(evaluation, job)
    if combinations is None or len(combinations) > MOST:
        return [Leg(evaluation.universe.true)]
    used = _used(job)
    legs: dict[tuple[tuple[str, str], ...], Cond] = {}
    for combination in combinations:
        values = tuple(_values({key: value for key, value in combination.items() if used(key)}))
        guard = _guard(evaluation, job, combination)
        legs[values] = legs[values] | guard if values in legs else guard
    return [Leg(guard, values) for values, guard in legs.items()]


def _combinations(evaluation: Evaluation, job: Job) -> list[_Combination] | None:
    node = matrix_node(job)
    if node is None:
        return None
    value = evaluation.node_value("the matrix", node, evaluation.place(job)).value
    # A matrix is made where all that it is made of has run.
    whole = _known(value.substitute(evaluation.taken_as_run))
    if not isinstance(whole, Object):
        return [{"": whole}]
    vectors = {key.lower(): value for key, value in whole.items}
    included, excluded = vectors.pop("include", ()), vectors.pop("exclude", ())
    lists = [value if isinstance(value, tuple) else (value,) for value in vectors.values()]
    found = [dict(zip(vectors, values, strict=True)) for values in product(*lists)] if vectors else []
    found = [each for each in found if not any(_fits(each, entry) for entry in _entries(excluded))]
    return _with_included(found, frozenset(vectors), _entries(included))


def _known(value: Value) -> Content:
    """What a value is, a hole where it is not always the same."""
    return value.single if value.is_single else Opaque(HOLE, frozenset())


def _entries(content: Content) -> Sequence[Content]:
    return content if isinstance(content, tuple) else (content,)


def _fits(combination: Mapping[str, Content], entry: Content) -> bool:
    items = entry.items if isinstance(entry, Object) else ()
    return bool(items) and all(combination.get(key.lower()) == value for key, value in items)


def _with_included(
    found: list[_Combination], vectors: frozenset[str], entries: Sequence[Content]
) -> list[_Combination]:
    """An entry is added to each combination that it does not contradict; to none, it is one of its own."""
    alone: list[_Combination] = []
    for entry in entries:
        items = (
            {key.lower(): value for key, value in entry.items} if isinstance(entry, Object) else {"": entry}
        )
        own = {key: value for key, value in items.items() if key in vectors}
        fitting = [each for each in found if all(each.get(key) == value for key, value in own.items())]
        for each in fitting:
            each.update(items)
        if not fitting:
            alone.append(dict(items))
    return [*found, *alone]


class _Used(NamedTuple):
    """The keys that a job makes use of, None for all."""

    keys: frozenset[str] | None

    def __call__(self, key: str) -> bool:
        return self.keys is None or not key or key in self.keys


def _used(job: Job) -> _Used:
    texts = [text for name, text in naming_the_matrix(job) if name not in _APART]
    whole = any(map(_WHOLE.search, texts))
    return _Used(None if whole else frozenset(key.lower() for text in texts for key in _KEY.findall(text)))


def _values(contents: Mapping[str, Content], above: str = "") -> Iterator[tuple[str, str]]:
    """The texts in a combination, those deep in it by their path."""
    for key, content in contents.items():
        name = f"{above}.{key}" if above else key
        if isinstance(content, Object):
            yield from _values({inner.lower(): value for inner, value in content.items}, name)
        elif isinstance(content, tuple):
            yield from _values({str(at): value for at, value in enumerate(content)}, name)
        else:
            yield name, HOLE if isinstance(content, Opaque) else to_text(content)


def _guard(evaluation: Evaluation, job: Job, combination: Mapping[str, Content]) -> Cond:
    """Where the conditions of a job are those of one leg."""
    universe = evaluation.universe
    guard = universe.true
    for key, content in combination.items():
        value, _ = evaluation.legs(job).lookup((key,)) if key else (None, None)
        if value is not None and not isinstance(content, Opaque):
            chosen = universe.any_of(cond for cond, other in value.alternatives if other == content)
            guard = guard if chosen.is_false else guard & chosen
    return evaluation.taken_as_run(guard)
