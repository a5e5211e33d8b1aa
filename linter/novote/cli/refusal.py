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


def refused_claim(arguments: Sequence[str]) -> str | None:
    """The first option that hands in a claim, without its value; None where there is none.

    What stands behind `--` is not ours to read.
    """
    for argument in arguments:
        if argument == "--":
            return None
        if argument.startswith(REFUSED):
            return argument.partition("=")[0]
    return None


def explain_refusal(option: str) -> str:
    """Why, and what to do instead."""
    return (
        f"{option} is refused: it would hand in a claim. Which exams run is settled by what git and the "
        "platform state about the change, never by what its author says of it (title, body, labels, "
        "trailers, a list of fixtures, local results). Leave the option out; novote works it out itself."
    )
