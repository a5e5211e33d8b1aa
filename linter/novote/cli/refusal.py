"""Refuses options by which a claim could be handed in."""

from __future__ import annotations

from collections.abc import Sequence

REFUSED = (
    "--claimed",
    "--agent",
    "--pr-",
    "--label",
    "--trailer",
    "--tested-with",
    "--fixtures",
    "--local-",
)
"""How options begin that no command takes."""

SHOWN = {"compare": ("--claimed-file", "--claimed-from-commits")}
"""What one command takes all the same: it shows the claim beside CI's list, and uses neither."""


def refused_claim(arguments: Sequence[str], command: str | None = None) -> str | None:
    """The first option that hands in a claim, without its value; None where there is none.

    What stands behind `--` is not ours to read.
    """
    for argument in arguments:
        option = argument.partition("=")[0]
        if argument == "--":
            return None
        if argument.startswith(REFUSED) and option not in SHOWN.get(command or "", ()):
            return option
    return None


def explain_refusal(option: str) -> str:
    """Why, and what to do instead."""
    return (
        f"{option} is refused: it would hand in a claim. Which exams run is settled by what git and the "
        "platform state about the change, never by what its author says of it (title, body, labels, "
        "trailers, a list of fixtures, local results). Leave the option out; novote works it out itself."
    )
