"""Files that settle the gate, and that anybody may change although the repository names owners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from novote.audit.structure.seen import Seen, tell
from novote.flow.repository import Repository
from novote.flow.slots import reading
from novote.knowledge.rules import Rules
from novote.model import Decision, Finding, Hop, Location, Span


def gate_files(seen: Seen) -> Iterator[str]:
    """What settles an exam of a file: the file, and the scripts in which something is decided."""
    if not seen.repository.has_owners or not seen.events():
        return
    if any(role.is_exam or role.is_aggregator for role in seen.roles):
        yield seen.file
        yield from _scripts(seen)


def _scripts(seen: Seen) -> Iterator[str]:
    """The scripts of the repository in which something about an exam is decided."""
    for slot in reading((decision.slot for _, decision, _ in seen.judged), set()):
        files = [slot.file, *(read.file for read in slot.reads if read.file)]
        yield from (file for file in files if file not in seen.repository.sources)


def unowned_findings(files: Iterable[str], repository: Repository, rules: Rules) -> Iterator[Finding]:
    """`gate-unowned`: CODEOWNERS names owners, but none for files that settle what is tested.

    One line of CODEOWNERS mends all workflows and actions, so they are told together.
    """
    wanted = dict.fromkeys(files)
    if not wanted:
        return
    # Few repositories get here, and the others need not pay for the import.
    from novote.config import read
    from novote.fixturemap import model

    wanted |= dict.fromkeys((model.DEFAULT_FILE, read.DEFAULT_FILE))
    unowned = sorted(file for file in wanted if not repository.is_protected(file))
    workflows = [file for file in unowned if file in repository.sources]
    groups = [workflows] if workflows else []
    groups += [[file] for file in unowned if file not in workflows and repository.source_of(file) is not None]
    for group in groups:
        yield from _finding(group, rules)


def _finding(group: Sequence[str], rules: Rules) -> Iterator[Finding]:
    first, *others = group
    more = f" and {len(others)} more" if others else ""
    hops = [Hop(_beginning(file), "settles what is tested too, and has no owner") for file in others]
    decision = Decision("verdict", "soften", ("pull_request",))
    slots = {"part": f"`{first}`{more}", "source": f"`{first}`"}
    yield from tell(rules, "gate-unowned", _beginning(first), slots, decision=decision, related=hops)


def _beginning(file: str) -> Location:
    return Location(file, Span(0, 0))
