"""What the actions put out that a model describes, and what they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from novote.algebra.cond import Origin
from novote.algebra.value import Opaque, Value
from novote.flow.payload import claimed, observation, observed, unknown
from novote.knowledge.actions import ActionOutput
from novote.source.nodes import Scalar
from novote.workflow.model import Step

if TYPE_CHECKING:
    from novote.flow.scope import Scope


def with_texts(step: Step) -> dict[str, str]:
    """The scalar inputs of a step, names lower-cased."""
    return {name.lower(): node.value for name, node in step.with_ if isinstance(node, Scalar)}


def from_model(scope: Scope, step: Step, output: ActionOutput, text: str) -> Value:
    """What an action's model says an output holds; outputs are text, whatever is spelled in them."""
    if output.cls == "claim":
        content = claimed(text, output.kind)
        if output.shape != "bool":
            return scope.value(content)
        universe = scope.evaluation.universe
        key = f"{scope.evaluation.prefix}{text} is 'true'"
        said = universe.atom(key, origins=content.origins, absent=universe.false, test="is")
        return Value.choose(said, scope.value("true"), scope.value("false"))
    if output.cls == "carries":
        return scope.value(_carried(scope, step, output, text))
    if output.cls == "unknown":
        return scope.value(unknown(text))
    return scope.value(_steered(scope, step, text))


def _steered(scope: Scope, step: Step, text: str) -> Opaque:
    """An observation, unless the author says by an input what is looked at; a branch name only says whose."""
    inner = scope.beside(scope.job, step)
    found: set[Origin] = set()
    for name, node in step.with_:
        if isinstance(node, Scalar) and "${{" in node.value:
            found |= scope.evaluation.text(f"input `{name}`", node, inner).value.origins()
    claims = frozenset(o for o in found if o.cls == "claim" and o.kind not in ("branch", "draft"))
    if not claims:
        return observed(text, shape="string")
    return Opaque(text, claims, observed(f"{text} (claims absent)", shape="string"), True, "string")


def _carried(scope: Scope, step: Step, output: ActionOutput, text: str) -> Opaque:
    """Content made of what some inputs hold: it has their writers, and nobody knows more."""
    origins = observation(text)
    inner = scope.beside(scope.job, step)
    for name, node in step.with_:
        if name.lower() in output.inputs and isinstance(node, Scalar):
            origins |= scope.evaluation.text(f"input `{name}`", node, inner).value.origins()
    return Opaque(text, origins, shape="string")
