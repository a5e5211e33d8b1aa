"""Which coding agent an address belongs to, as `rules/agents.yml` has them.

An address is what a commit says; anybody can write or leave out any of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from novote.knowledge.load import table

_ACCOUNT = re.compile(r"(?:[0-9]{1,20}\+)?(?P<login>[a-z0-9\[\]-]{1,64})@users\.noreply\.github\.com")


@cache
def _known() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Agents by address and by login, both in lower case."""
    agents = table("agents")["agents"]
    addresses = {text.lower(): row["agent"] for row in agents for text in row.get("addresses", ())}
    logins = {text.lower(): row["agent"] for row in agents for text in row.get("logins", ())}
    return addresses, logins


def agent_of(address: str) -> str | None:
    """The agent that commits under an address, or under the account of GitHub that it names."""
    addresses, logins = _known()
    written = address.strip().lower()
    account = _ACCOUNT.fullmatch(written)
    return addresses.get(written) or (logins.get(account["login"]) if account else None)
