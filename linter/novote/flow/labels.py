"""How steps are called in messages."""

from __future__ import annotations

from novote.workflow.model import Step


def step_label(step: Step) -> str:
    """How a step is called in messages."""
    if step.name is not None:
        return f"step `{step.name.value}`"
    if step.id is not None:
        return f"step `{step.id.value}`"
    return f"step {step.index + 1}" if step.uses is None else f"step `{step.uses.value.partition('@')[0]}`"
