"""What to type so that a refused push goes through: commands for a shell, printed and never run.

Whatever comes from a message or a path is written in ASCII, so that neither the terminal nor the shell takes
it for anything else.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from novote.commits.patch_class import named_classes
from novote.git.model import Commit
from novote.record import record

_PLAIN = re.compile(rb"[\x20-\x7e]*")
_SAFE = re.compile(rb"[A-Za-z0-9_@+=:,./ -]")
_MESSAGE = "git log -1 --format=%B"


@record
class Faults:
    """What is to be mended, each commit oldest first.

    `claims` pairs a commit with a whole line of its message that claims something. `classless` are those
    whose message does not name one class. `of_map` are the paths by which the map is edited beside the
    product, in a change from `base` to `head`.
    """

    claims: tuple[tuple[Commit, str], ...] = ()
    classless: tuple[Commit, ...] = ()
    of_map: tuple[bytes, ...] = ()
    base: str = ""
    head: str = ""


def commands(faults: Faults) -> Iterator[str]:
    """The lines to print; none where nothing that commands can mend is wrong."""
    if faults.claims:
        yield "# Remove what the messages claim; every other line of them stays:"
        lines = dict.fromkeys(line for _, line in faults.claims)
        yield _rebase(_without(list(lines)), [commit for commit, _ in faults.claims])
    unnamed = [commit for commit in faults.classless if not named_classes(commit.message)]
    if unnamed:
        yield "# Say who wrote each commit from there on that does not; write agent where a model did:"
        yield _rebase(_with_class(), unnamed)
    wrong = [commit for commit in faults.classless if commit not in unnamed]
    if wrong:
        names = ", ".join(commit.oid[:12] for commit in wrong)
        yield f"# Reword {names}, so that each names one class, agent or human:"
        yield f"git rebase --interactive --rebase-merges {_before(wrong)}"
    if faults.of_map:
        paths = " ".join(map(word, faults.of_map))
        yield "# Land the edit of the map first, on a branch of its own:"
        yield f"git switch --create fixture-map {faults.base}"
        yield f"git restore --source={faults.head} --staged --worktree -- {paths}"
        yield "git commit"
        yield "# When it has landed, rebase this branch onto it."


def _rebase(command: str, commits: Sequence[Commit]) -> str:
    """Runs a command after each commit from the first of these on."""
    return f"git rebase --rebase-merges --exec {shlex.quote(command)} {_before(commits)}"


def _before(commits: Sequence[Commit]) -> str:
    """The commit to rebase onto so that all of these are done over."""
    first = commits[0]
    return first.parents[0] if first.parents else "--root"


def _without(lines: Sequence[str]) -> str:
    """Amends the commit that is checked out, if it has any of the lines, to have none of them."""
    given = " ".join(f"-e {word(line.encode('utf-8', 'surrogateescape'))}" for line in lines)
    return (
        f"if {_MESSAGE} | LC_ALL=C grep -qxF {given}; then "
        f"{_MESSAGE} | LC_ALL=C grep -vxF {given} | git commit --amend --no-verify --quiet --file=-; fi"
    )


def _with_class() -> str:
    return (
        f"{_MESSAGE} | git -c trailer.separators=: interpret-trailers --parse --no-divider "
        "| grep -qi '^patch-class:' || "
        "git commit --amend --no-verify --no-edit --quiet --trailer 'Patch-Class: human'"
    )


def word(data: bytes) -> str:
    """Bytes as one word of a POSIX shell, in printable ASCII; line breaks at its end are lost."""
    if _PLAIN.fullmatch(data):
        return shlex.quote(data.decode("ascii"))
    octal = "".join(chr(byte) if _SAFE.match(bytes((byte,))) else f"\\{byte:03o}" for byte in data)
    return f"\"$(printf '{octal}')\""
