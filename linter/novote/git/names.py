"""From the names of commits to object names: one meaning, or none."""

from __future__ import annotations

import os
import re

from novote.git.error import GitError
from novote.git.place import View
from novote.git.process import checked

_WORDS = re.compile(
    r"(?P<name>(?:[^\x00-\x20\x7f~^:?*\[\\@]|@(?!\{))+)(?P<steps>(?:[~^][0-9]{0,6})*)", re.DOTALL
)
_PSEUDO = re.compile(r"(?:[A-Z]+_)*HEAD")
_ABBREVIATED = re.compile(r"[0-9a-f]{7,64}", re.IGNORECASE)
_LENGTHS = {"sha1": 40, "sha256": 64}


def resolve(view: View, ref: str) -> str:
    """The full object name of the commit that a name stands for.

    A name is a branch, a tag, a remote branch, a full `refs/...`, `HEAD` and its like, or an object name,
    with `~N` and `^N` behind it. What hangs on a reflog, a configuration or a message (`@{u}`, `:/text`) is
    refused. Raises GitError for anything else, and for a name with several meanings.
    """
    match = _WORDS.fullmatch(ref)
    if match is None:
        raise GitError(
            "bad-ref", f"{ref!r} is not the name of a commit; write a branch, a tag, or an object name"
        )
    start = _start(view, match["name"])
    found = view.ask("rev-parse", "--verify", "--quiet", f"{start}{match['steps']}^{{commit}}")
    if found.code != 0:
        raise GitError("bad-ref", f"{ref} names no commit of this clone; fetch it first (`fetch-depth: 0`)")
    return found.output.decode("ascii").strip()


def _start(view: View, name: str) -> str:
    """The object that a name without steps stands for."""
    length = _LENGTHS[view.object_format]
    if len(name) == length and _ABBREVIATED.fullmatch(name):
        return name.lower()
    if name in ("HEAD", "@"):
        return _pseudo(view, "HEAD")
    found = references(view, *_meanings(name))
    if len(found) > 1:
        meanings = " and ".join(found)
        raise GitError("ambiguous-ref", f"{name} can mean {meanings}; write the one you mean in full")
    for oid in found.values():
        return oid
    if _PSEUDO.fullmatch(name):
        return _pseudo(view, name)
    if _ABBREVIATED.fullmatch(name):
        return name.lower()
    raise GitError("bad-ref", f"there is no {name} in this clone; fetch it first (`git fetch origin {name}`)")


def _meanings(name: str) -> tuple[str, ...]:
    """Full names that a name can stand for, as gitrevisions(7) lists them."""
    if name.startswith("refs/"):
        return (name,)
    places = ("refs", "refs/tags", "refs/heads", "refs/remotes")
    return (*(f"{place}/{name}" for place in places), f"refs/remotes/{name}/HEAD")


def _pseudo(view: View, name: str) -> str:
    found = view.ask_repository("rev-parse", "--verify", "--quiet", name)
    if found.code != 0:
        raise GitError("bad-ref", f"{name} names no commit yet; commit something first, or name a branch")
    return found.output.decode("ascii").strip()


def references(view: View, *names: str) -> dict[str, str]:
    """Those of the full names that exist, with their objects."""
    pairs = (line.rpartition(b" ") for line in _listed(view, "%(refname) %(objectname)", *names).splitlines())
    known = {os.fsdecode(name): oid.decode("ascii") for name, _, oid in pairs}
    return {name: known[name] for name in dict.fromkeys(names) if name in known}


def any_below(view: View, prefix: str) -> bool:
    """Whether any reference begins with a prefix such as `refs/replace/`."""
    found = view.ask_repository("for-each-ref", "--count=1", "--format=%(refname)", "--", prefix)
    return found.code != 0 or bool(found.output)


def objects_below(view: View, prefix: str) -> tuple[str, ...]:
    """The objects of all references that begin with a prefix such as `refs/remotes/`, each once, sorted."""
    return tuple(sorted(set(_listed(view, "%(objectname)", prefix).decode("ascii").split())))


def _listed(view: View, shown: str, *names: str) -> bytes:
    """What is shown of each reference with one of these names or below it, a line each."""
    answer = view.ask_repository("for-each-ref", f"--format={shown}", "--", *names)
    return checked(answer, "list the branches").output


def default_base(view: View) -> str | None:
    """The full name of the branch that changes most likely go to; None where no remote is known.

    That is what `origin/HEAD`, or another remote's, points to; without one, `main` or `master` of `origin`.
    """
    listed = _listed(view, "%(refname) %(symref)", "refs/remotes/*/HEAD")
    pairs = (os.fsdecode(line).partition(" ") for line in listed.splitlines())
    heads = {name: target for name, _, target in pairs}
    for head in sorted(heads, key=lambda name: (name != "refs/remotes/origin/HEAD", name)):
        return heads[head] or head
    guesses = references(view, "refs/remotes/origin/main", "refs/remotes/origin/master")
    return next(iter(guesses), None)
