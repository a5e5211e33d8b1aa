"""Shows by an example under what an exam ran before and does not now."""

from __future__ import annotations

from collections.abc import Iterator

from novote.algebra.cond import Atom, Cond
from novote.gatediff.filters import SUBJECTS, laws
from novote.model import Witness


def counterexample(before: Cond, after: Cond) -> dict[Atom, bool] | None:
    """What must hold for the first condition to hold and the second not to; None where nothing does that.

    Where each side asks what scripts or actions of its own have found out, nobody can say how the one answer
    goes with the other: they are taken to agree.
    """
    old, new = (frozenset(filter(_is_found_out, cond.support())) for cond in (before, after))
    if old - new:
        after = after.exists(new - old)
    lost = before & ~after
    if lost.is_false:
        return None
    return (lost & laws(lost)).model()


def _is_found_out(atom: Atom) -> bool:
    """Whether an atom asks for more than the event holds."""
    return not atom.key.startswith(_STATED)


_STATED = ("github.", "short(github.", "vars.", "secrets.", "inputs.", "runner.", *SUBJECTS)


def witness_of(event: str, model: dict[Atom, bool]) -> Witness:
    """The example for a report."""
    return Witness(event, tuple(_assignments(model)), "runs", "skipped", True)


def _assignments(model: dict[Atom, bool]) -> Iterator[tuple[str, str]]:
    """What is set, each with its value; what holds where nobody says anything is left out."""
    known = {subject_of(atom) for atom, value in model.items() if value and atom.test == "=="}
    for atom, value in model.items():
        # What a text equals says all else of it, and one of several is told by itself.
        if not value and (subject_of(atom) in known or atom.test == "is"):
            continue
        is_default = atom.absent is not None and atom.absent is atom.absent.universe.constant(value)
        if not is_default:
            yield subject_of(atom), _value(atom, value)


def subject_of(atom: Atom) -> str:
    """What an atom asks about: the kind of the claim, or the text as it is written."""
    claim = next((origin for origin in sorted(atom.origins) if origin.cls == "claim"), None)
    if claim is not None:
        return claim.kind
    return atom.key.partition(f" {'is' if atom.test == 'set' else atom.test} ")[0]


def _value(atom: Atom, value: bool) -> str:
    if atom.marker is None:
        one = atom.key.partition(" is ")[2].strip("'") if atom.test == "is" else ""
        return one or ("true" if value else "false")
    return atom.marker if value else f"anything but {atom.marker}"
