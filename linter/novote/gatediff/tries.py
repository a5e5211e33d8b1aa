"""How often an exam may be tried, as far as it is written down."""

from __future__ import annotations

import re
from typing import Final

from novote.audit.structure.retries import repeats
from novote.flow.outputs import with_texts
from novote.gatediff.model import Doing
from novote.knowledge.actions import ActionModel
from novote.workflow.model import Step

_COUNTS: Final = re.compile(r"(?<![\w.])([1-9]\d{0,3})$")
_DELAYS: Final = re.compile("delay|wait|timeout|only")
_BY_DEFAULT: Final = 3


def tries_of(doing: Doing) -> int:
    """How often a command tries again by its own options, and once more."""
    if doing.command is None:
        return 1
    roles = doing.command.roles()
    found = [1]
    for at, role in enumerate(roles[: len(doing.words)]):
        word = doing.words[at]
        option = word if word.startswith("-") else doing.words[at - 1]
        if role == "retry" and repeats(word) and repeats(f"{option} 1") and not _DELAYS.search(option):
            number = _COUNTS.search(word)
            found.append(1 + int(number[1]) if number is not None else 2)
    return max(found)


def tries_by_action(model: ActionModel | None, step: Step) -> int:
    """How often an action tries what it is given."""
    if model is None or model.role != "retry":
        return 1
    given = with_texts(step)
    numbers = [given[name].strip() for name in model.retries if name in given and not _DELAYS.search(name)]
    known = [int(number) for number in numbers if number.isdigit() and len(number) < 5]
    return max(known, default=_BY_DEFAULT)
