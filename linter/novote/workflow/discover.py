"""What a file is, by its path alone."""

from __future__ import annotations

import re
from typing import Final, Literal

Kind = Literal["workflow", "action"]

_WORKFLOW: Final = re.compile(r"\.github/workflows/[^/]+\.ya?ml")
_ACTION: Final = re.compile(r"(?:.*/)?action\.ya?ml", re.DOTALL)


def classify(path: str) -> Kind | None:
    """The kind of file at a path relative to the repository root, with `/`; None for everything else.

    GitHub reads workflows directly inside `.github/workflows` only, and actions from any folder.
    """
    if _WORKFLOW.fullmatch(path):
        return "workflow"
    return "action" if _ACTION.fullmatch(path) else None
