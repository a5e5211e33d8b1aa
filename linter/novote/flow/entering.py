"""Whether a claim comes into a step's script: what no claim enters is not followed for its exams."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from novote.flow import variables
from novote.flow.slots import Slot
from novote.flow.written import reachable, written_in
from novote.knowledge.names import NameWords, names_a_list
from novote.workflow.model import Job, Step

if TYPE_CHECKING:
    from novote.flow.evaluation import Evaluation
    from novote.flow.scope import Scope

MAX_PATHS: Final = 400
"""So many paths of one script are looked at."""

_APART: Final = r"[\s\"',()\[\]\\]{1,40}"
_WORD: Final = r"[^\s\"',()\[\]\\-][^\s\"',()\[\]\\]{0,80}"
# What brings a claim into a script by itself; everything else must be handed to it.
_SOURCES: Final = re.compile(
    r"GITHUB_(?:HEAD_REF|REF_NAME|EVENT_PATH)|api\.github\.com|GITHUB_API_URL|context\.payload|github\.rest"
    r"|[Oo]ctokit"
    # Options of git itself stand before the command, with or without a value; in other languages, in a list.
    rf"|\bgit{_APART}(?:--?{_WORD}{_APART}(?:{_WORD}{_APART})??){{0,4}}"
    r"(?:log|show|notes|interpret|describe|branch|rev-list|shortlog|cherry|symbolic|name-rev|for-each)"
    r"|\bgh\W{1,8}(?:pr|issue|api|run|search)\b",
)
# What reads a file of the change, or asks whether it is there, in the step's own script: in the repository's
# scripts that is their code. A file matters where its name says that it selects.
_DATA: Final = re.compile(
    r"\[ +(?:! +)?-[efsd] |\btest (?:! )?-[efsd] "
    r"|\b(?:cat|jq|yq|head|tail|grep|sed|awk|tr|xargs|sort|mapfile|source)\b"
    r"|<|@|-r |Test-Path|Get-Content|open\(|read"
)
_PATH: Final = re.compile(r"[\w.-]*[/.][\w./-]+")
_REMEMBERED: Final = re.compile(r"--last-failed|--lf\b|--testmon")
_VARIABLE: Final = re.compile(r"[A-Za-z_]\w*")


def worth_following(evaluation: Evaluation, job: Job, step: Step) -> bool:
    """Whether a claim comes into a script, or into one it starts."""
    key = (job.id, step.index)
    known = evaluation.claims_enter.get(key)
    if known is None:
        # A step that asks for itself on the way brings nothing new.
        evaluation.claims_enter[key] = False
        known = evaluation.claims_enter[key] = _claims_enter(evaluation, job, step)
    return known


def _claims_enter(evaluation: Evaluation, job: Job, step: Step) -> bool:
    found = written_in(step, evaluation.knowledge)
    if found is None:
        return False
    node = found[0]
    text = reachable(evaluation, node.value)
    if _reads(node.value, text, evaluation.knowledge.exams.names):
        return True
    place = evaluation.place(job, step)
    if any(_is_claimed(evaluation.inline(hole, node, place)) for hole in _telling(evaluation, node.value)):
        return True
    names = _names_in(text)
    wanted = (
        slot for slot in variables.named_at(place, names, lambda n: bool(_telling(evaluation, n.value)))
    )
    return any(map(_is_claimed, wanted)) or _set_before(place)


def _set_before(place: Scope) -> bool:
    """Whether an earlier step may have set a variable to a claim."""
    for step, scripted in variables.setters_before(place):
        assert place.job is not None
        if scripted:
            if worth_following(place.evaluation, place.job, step):
                return True
            continue
        model = place.evaluation.knowledge.actions.used_by(step)
        if model is not None and any(output.cls != "observed" for _, output in model.env):
            return True
        inner = place.evaluation.callee(place.job, step) if model is None else None
        if inner is not None and _set_before(inner.after_steps()):
            return True
    return False


def _is_claimed(slot: Slot) -> bool:
    return any(origin.cls == "claim" for origin in slot.value.origins())


def _telling(evaluation: Evaluation, text: str) -> list[str]:
    """The expressions of a text that may hold a claim."""
    if "${{" not in text:
        return []
    tells = _TELLING if evaluation.call is None else _TELLING_BEHIND_A_CALL
    return [match.group() for match in _HOLE.finditer(text) if tells.search(match.group())]


@lru_cache(maxsize=1024)
def _names_in(text: str) -> frozenset[str]:
    return frozenset(_VARIABLE.findall(text))


def reads_claims(text: str) -> bool:
    """Whether a script's text names what brings a claim into it: commits, the request, the event."""
    return _SOURCES.search(text) is not None


@lru_cache(maxsize=4096)
def _reads(own: str, text: str, words: NameWords) -> bool:
    if reads_claims(text) or _REMEMBERED.search(own) is not None:
        return True
    if _DATA.search(own) is None:
        return False
    return any(names_a_list(match[0], words) for match in islice(_PATH.finditer(own), MAX_PATHS))


_TELLING_TEXT: Final = (
    r"github\.(?:head_ref|ref|ref_name|event)\b(?!\.number|\.\w+\.(?:number|base\.sha|head\.sha))"
    r"|\bgithub\s*[)\[]|\b(?:needs|steps|env|jobs)\b"
)
_TELLING: Final = re.compile(_TELLING_TEXT, re.IGNORECASE)
_TELLING_BEHIND_A_CALL: Final = re.compile(_TELLING_TEXT + r"|\binputs\b", re.IGNORECASE)
_HOLE: Final = re.compile(r"\$\{\{.*?\}\}", re.DOTALL)
