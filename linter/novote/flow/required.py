"""What must pass before a change is merged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Required(NamedTuple):
    """What must pass before a change is merged, each with who demands it, in words.

    `checks` are names of checks, None where nobody lists them; `workflows` are paths of workflows all of
    whose jobs must pass. `queue` says who has changes merged by a queue, empty where nobody is known to.
    """

    checks: Mapping[str, str] | None
    workflows: Mapping[str, str]
    queue: str = ""


NOTHING_KNOWN: Final = Required(None, {})
