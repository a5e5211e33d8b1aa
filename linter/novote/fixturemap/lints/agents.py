"""`map-machine-edited`: commits that say that an agent took part in writing the map."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from novote.fixturemap.lints.case import Case
from novote.git.model import Commit
from novote.knowledge.agents import agent_of
from novote.model import Finding

_CO_AUTHOR = re.compile(
    r"^[ \t]*co-authored-by[ \t]*:[^<\n]*<([^<>\s]{1,254})>", re.IGNORECASE | re.MULTILINE
)
_SHOWN = 3


def machine_edited(case: Case) -> Iterator[Finding]:
    """One finding for all such commits, at the first key of the map."""
    found = {commit.oid: agents for commit in case.grounds.commits if (agents := agents_in(commit))}
    if found:
        number = len(found)
        listed = ", ".join(f"`{oid[:12]}`" for oid in list(found)[:_SHOWN])
        yield from case.found(
            "map-machine-edited",
            case.spots.key("version"),
            commits=f"Commit {listed}"
            if number == 1
            else f"{number} commits ({listed}{', ...' * (number > _SHOWN)})",
            agents=" and ".join(sorted({agent for agents in found.values() for agent in agents})),
        )


def agents_in(commit: Commit) -> tuple[str, ...]:
    """The agents that a commit names: as author, as committer, or as a co-author anywhere in its message."""
    people = (os.fsdecode(person.email) for person in (commit.author, commit.committer))
    named = (agent_of(address) for address in (*people, *_CO_AUTHOR.findall(commit.text)))
    return tuple(dict.fromkeys(agent for agent in named if agent is not None))
