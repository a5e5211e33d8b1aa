"""The files of a job's workspace as data: who writes what a script reads there."""

from __future__ import annotations

import posixpath
import re
from functools import partial
from typing import TYPE_CHECKING

from novote.algebra.cond import Origin
from novote.algebra.value import Opaque, Value
from novote.flow.payload import OWN_TREE, observed, unknown
from novote.flow.slots import Slot
from novote.knowledge.actions import ActionModel
from novote.knowledge.names import names_a_list
from novote.source.nodes import Scalar
from novote.workflow.model import Step

if TYPE_CHECKING:
    from novote.flow.scope import Scope

# Folders that builds write to.
_MADE = re.compile(
    r"(?:.*/)?(?:artifacts?|build|dist|out|outputs?|target|te?mp|node_modules|coverage|reports?|results?|logs?|bin|obj)/"
    r"|[{\[]",
    re.IGNORECASE,
)
_ELSEWHERE = ("run-id", "run_id", "workflow", "workflow_conclusion", "workflow_search", "commit")


def content_of(scope: Scope, path: str) -> tuple[Value, Slot | None]:
    """What a file holds, named from the workspace's root or absolutely, before a step runs."""
    found, slot = presence_of(scope, path)
    repository = scope.evaluation.world.repository
    is_head_file = any(origin.kind == "head-file" for origin in found.origins())
    made = is_head_file and _MADE.match(path) is not None
    if made and (repository is None or repository.text_of(path) is None):
        # What is not in the repository has been written by some program: nobody knows what it holds.
        return scope.value(unknown(f"file {path}")), None
    return found, slot


def presence_of(scope: Scope, path: str) -> tuple[Value, Slot | None]:
    """Who writes a file, whether the repository holds it or not."""
    written = _written(scope, path)
    if written is not None:
        return written.value, written
    return _unwritten(scope, path), None


def _written(scope: Scope, path: str) -> Slot | None:
    """The file as an earlier step's script has left it."""
    name = posixpath.basename(path)
    if scope.job is None or not name:
        return None
    for step in reversed(scope.steps_before()):
        if step.run is None or name not in step.run.value:
            continue
        script = scope.evaluation.script(scope.job, step)
        writes = script.result.files.get(path) if script is not None else None
        if script is None or not writes:
            continue
        from novote.script.text import flat, join_values

        universe = scope.evaluation.universe
        value = scope.value("")
        for guard, text in writes:
            value = Value.choose(guard, join_values(universe, (value, text)), value)
        flattened = value.map(partial(flat, universe))
        return Slot(f"file `{path}`", scope.evaluation.unit.file, script.node, flattened, script.reads)
    return None


def _unwritten(scope: Scope, path: str) -> Value:
    repository = scope.evaluation.world.repository
    exists = repository is not None and repository.text_of(path) is not None
    if not exists:
        artifact = _artifact(scope, path)
        if artifact is not None:
            return scope.value(artifact)
    if repository is not None and repository.is_folder(path):
        # What lies in a folder is the change's content; who wrote a list, wrote a file.
        return scope.value(observed(f"folder {path}", shape="string"))
    if path.startswith(("/", "~")):
        return scope.value(observed(f"file {path}", shape="string"))
    if repository is not None and repository.is_protected(path):
        return scope.value(observed(f"file {path}", shape="string"))
    if not names_a_list(path, scope.evaluation.knowledge.exams.names):
        # What says nothing of selecting is content to be tested, as all of the change is.
        return scope.value(observed(f"file {path}", shape="string"))
    if not _is_candidate(scope):
        return scope.value(observed(f"file {path}", shape="string"))
    origins = frozenset({Origin("claim", "head-file", path)})
    return scope.value(Opaque(f"file {path}", origins, "", True, "string"))


def _models(scope: Scope) -> list[tuple[Step, ActionModel]]:
    actions = scope.evaluation.knowledge.actions
    pairs = [(step, actions.used_by(step)) for step in scope.steps_before()]
    return [(step, model) for step, model in pairs if model is not None]


def _artifact(scope: Scope, path: str) -> Opaque | None:
    """What a file holds that came with an artifact: the author's word where it came from another run."""
    for step, model in reversed(_models(scope)):
        if model.role == "artifact" and "upload" not in model.uses:
            given = {
                name.lower() for name, node in step.with_ if isinstance(node, Scalar) and node.value.strip()
            }
            other = model.uses != "actions/download-artifact" or bool(given.intersection(_ELSEWHERE))
            if other:
                text = step.uses.value.partition("@")[0] if step.uses is not None else "an artifact"
                return Opaque(
                    f"file {path}", frozenset({Origin("claim", "artifact", text)}), "", True, "string"
                )
            return unknown(f"artifact file {path}")
    return None


def _is_candidate(scope: Scope) -> bool:
    """Whether the workspace holds the candidate's tree."""
    found = False
    for step, model in _models(scope):
        if model.role != "checkout":
            continue
        given = {name.lower(): node.value for name, node in step.with_ if isinstance(node, Scalar)}
        if given.get("path", ".").strip() not in (".", "./", ""):
            continue
        ref = given.get("ref", "").lower()
        found = _names_head(ref) if ref else scope.evaluation.payload.lookup(OWN_TREE).single is True
        if given.get("repository", "") and "github.repository" not in given["repository"]:
            found = found and "head" in given["repository"]
    return found


def _names_head(ref: str) -> bool:
    """Whether a ref is the change's own."""
    if "base" in ref or "default_branch" in ref:
        return False
    return "${{" in ref or ref.startswith("refs/pull/")


def restored_by(scope: Scope, folder: str) -> str:
    """The action before a step that restores a folder from a cache of earlier runs; empty where none does."""
    for step, model in _models(scope):
        if model.role != "cache" or step.uses is None:
            continue
        texts = [node.value for _, node in step.with_ if isinstance(node, Scalar)]
        if any(folder in text for text in texts):
            return step.uses.value.partition("@")[0]
    return ""
