"""From a parsed file to its typed view, with what GitHub would refuse in it as problems.

Only what GitHub is sure to refuse is a problem: unknown keys, missing keys and empty values are not, and
where an expression may stand for a whole mapping or list, it may do so here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from novote.model import Problem, Span
from novote.record import record
from novote.source.nodes import Mapping, Node, Scalar, Sequence
from novote.source.yaml import Document
from novote.workflow.discover import classify
from novote.workflow.keys import child, is_null
from novote.workflow.model import Action, Workflow

_STEP: Final[dict[str, type[Node]]] = {
    **dict.fromkeys(("id", "name", "if", "uses", "run", "shell", "working-directory"), Scalar),
    **dict.fromkeys(("continue-on-error", "timeout-minutes"), Scalar),
    **dict.fromkeys(("with", "env"), Mapping),
}
_JOB: Final[dict[str, type[Node]]] = {
    **dict.fromkeys(("name", "if", "uses", "needs", "continue-on-error", "timeout-minutes"), Scalar),
    **dict.fromkeys(("strategy", "env", "outputs", "services", "defaults", "with"), Mapping),
    "steps": Sequence,
}
_WORKFLOW: Final[dict[str, type[Node]]] = {
    **dict.fromkeys(("name", "run-name"), Scalar),
    **dict.fromkeys(("env", "defaults"), Mapping),
}
_ACTION: Final[dict[str, type[Node]]] = {"name": Scalar, "inputs": Mapping, "outputs": Mapping}
_RUNS: Final[dict[str, type[Node]]] = {"using": Scalar, "main": Scalar, "steps": Sequence}
_WORDS: Final[dict[type[Node], str]] = {Scalar: "text", Mapping: "a mapping", Sequence: "a list"}
_WANTED: Final = {"needs": "a name or a list of names"}
# These cannot be expressions.
_LITERAL: Final = frozenset({"steps", "needs", "inputs"})


@record
class Bound:
    """The view of a file, None where it is neither workflow nor action, and its problems."""

    view: Workflow | Action | None
    problems: tuple[Problem, ...] = ()


def bind(document: Document, file: str | None = None) -> Bound:
    """The typed view of a document; `file` is its path in the repository, by default that of its text.

    A path that is neither a workflow's nor an action's is judged by its keys. A file that could not be read
    has no view and no further problem; an `action.yml` without `runs` is something else, and no problem.
    """
    file = document.source.file if file is None else file
    root = document.root
    if root is None and document.problems:
        return Bound(None)
    if _is_action(root, file):
        return _bind_action(root, file)
    return _bind_workflow(root, file)


def _is_action(root: Node | None, file: str) -> bool:
    kind = classify(file)
    if kind is not None:
        return kind == "action"
    return isinstance(root, Mapping) and root.get("runs") is not None and root.get("jobs") is None


def _bind_action(root: Node | None, file: str) -> Bound:
    runs = child(root, "runs")
    if not isinstance(root, Mapping) or not isinstance(runs, Mapping):
        return Bound(None)
    problems = [*_check(root, _ACTION, file), *_check(runs, _RUNS, file), *_check_steps(runs, file)]
    return Bound(Action(file, root), tuple(problems))


def _bind_workflow(root: Node | None, file: str) -> Bound:
    if not isinstance(root, Mapping):
        span = Span(0, 0) if root is None else root.span
        return _no_workflow(file, "This is not a workflow. Give it the keys 'on' and 'jobs'.", span)
    jobs = root.get("jobs")
    if not isinstance(jobs, Mapping):
        span = root.span if jobs is None else jobs.span
        return _no_workflow(file, "A workflow needs 'jobs', a mapping from job names to jobs.", _first(span))
    problems = [*_check(root, _WORKFLOW, file), *_check_on(root, file)]
    for key, job in jobs.entries:
        if isinstance(job, Mapping):
            problems += _check(job, _JOB, file)
            problems += _check_steps(job, file)
        else:
            problems.append(_bad(file, _label(key), _WORDS[Mapping], job))
    return Bound(Workflow(file, root), tuple(problems))


def _no_workflow(file: str, message: str, span: Span) -> Bound:
    return Bound(None, (Problem(file, "not-a-workflow", message, span),))


def _first(span: Span) -> Span:
    """The first character of a span: a whole file is no place."""
    return Span(span.start, min(span.start + 1, span.end))


def _check_on(root: Mapping, file: str) -> Iterator[Problem]:
    node = child(root, "on")
    if node is None:
        found = root.pair("on")
        span = _first(root.span) if found is None else found[0].span
        message = "A workflow needs 'on', the events that start it."
        yield Problem(file, "not-a-workflow", message, span)
    elif isinstance(node, Sequence):
        for item in node.items:
            if not isinstance(item, Scalar):
                yield _bad(file, "on", "a list of event names", item)


def _check_steps(owner: Mapping, file: str) -> Iterator[Problem]:
    steps = owner.get("steps")
    if not isinstance(steps, Sequence):
        return
    for step in steps.items:
        if isinstance(step, Mapping):
            yield from _check(step, _STEP, file)
        elif not is_null(step):
            yield _bad(file, "steps", "a list of mappings", step)


def _check(mapping: Mapping, shape: dict[str, type[Node]], file: str) -> Iterator[Problem]:
    """Problems for each known key whose value has a type that cannot be right."""
    for name in mapping.misfits(shape):
        node = mapping.get(name)
        if node is not None and not (_is_names(node, name) or is_null(node) or _is_expression(node, name)):
            yield _bad(file, name, _WANTED.get(name, _WORDS[shape[name]]), node)


def _is_names(node: Node, name: str) -> bool:
    if name != "needs" or not isinstance(node, Sequence):
        return False
    return all(isinstance(item, Scalar) for item in node.items)


def _is_expression(node: Node, name: str) -> bool:
    return isinstance(node, Scalar) and "${{" in node.value and name not in _LITERAL


def _label(key: Node) -> str:
    return key.value if isinstance(key, Scalar) else "the key"


def _bad(file: str, name: str, wanted: str, node: Node) -> Problem:
    found = _WORDS[type(node)]
    message = f"'{name}' must be {wanted}, and this is {found}. GitHub refuses the file; write {wanted} here."
    return Problem(file, "bad-value", message, _first(node.span) if found != "text" else node.span)
