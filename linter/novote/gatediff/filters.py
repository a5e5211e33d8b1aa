"""What the filters of triggers let through, as conditions that know of one another.

Each pattern is an atom: "the branch matches `release/**`", "a changed path matches `src/**`". That one
pattern lets through all that another does is proved of the patterns as languages, and so are the answers for
names in full. For paths one changed file is enough: whatever starts one side and not the other has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations

from novote.algebra.cond import Atom, Cond, Universe
from novote.fixturemap.lints.language import Budget, Undecided, uncovered
from novote.fixturemap.model import Pattern
from novote.fixturemap.patterns import fault
from novote.flow.evaluation import Evaluation
from novote.flow.payload import observation
from novote.gatediff.triggers import EVERYTHING, asked, has_type, is_plain, listed
from novote.model import Location, Span
from novote.workflow.declared import Trigger

_NOWHERE = Location("", Span(0, 0))
PATH = "a changed path"
_OWN_BRANCH = "the branch"
_OTHER_BRANCH = "the branch it goes to"
_TAG = "the tag"
SUBJECTS = (PATH, _OWN_BRANCH, _OTHER_BRANCH, _TAG)
"""What filters look at."""
_MATCHES = " matches "
_HEADS = "refs/heads/"
# By which name the branch of a filter is asked for, and how the expression language asks.
_TO_BASE = (_OTHER_BRANCH, "github.base_ref == '{}'")
_ASKED = {
    "push": (_OWN_BRANCH, "github.ref == 'refs/heads/{}'"),
    "pull_request": _TO_BASE,
    "pull_request_target": _TO_BASE,
}
_ALIASES = {
    "short(github.ref)": _OWN_BRANCH,
    "github.base_ref": _OTHER_BRANCH,
    "github.event.pull_request.base.ref": _OTHER_BRANCH,
}


def lets_through(evaluation: Evaluation, trigger: Trigger, types: tuple[str, ...]) -> Cond:
    """Where a trigger starts its workflow, for a change of one file."""
    universe = evaluation.universe
    found = has_type(evaluation, types) if types else universe.true
    paths = listed(trigger.paths, trigger.paths_ignore)
    found = found & _by_list(universe, paths, lambda pattern: _atom(universe, PATH, pattern))
    return found & (_refs(evaluation, trigger) if trigger.event == "push" else _branches(evaluation, trigger))


def _branches(evaluation: Evaluation, trigger: Trigger) -> Cond:
    """What the branch lets through: for a push its own, for all else the one that the change goes to."""
    universe = evaluation.universe
    name, asks = _ASKED.get(trigger.event, (_OTHER_BRANCH, ""))

    def named(pattern: str) -> Cond:
        if asks and is_plain(pattern):
            return asked(evaluation, asks.format(pattern.replace("'", "''")))
        return _atom(universe, name, pattern)

    return _by_list(universe, listed(trigger.branches, trigger.branches_ignore), named)


def _refs(evaluation: Evaluation, trigger: Trigger) -> Cond:
    """A push is one of a branch or of a tag; a filter for the one alone leaves the other out."""
    by_branch = trigger.branches is not None or trigger.branches_ignore is not None
    by_tag = trigger.tags is not None or trigger.tags_ignore is not None
    universe = evaluation.universe
    if not (by_branch or by_tag):
        return universe.true
    branches = tags = universe.false
    if by_branch:
        branches = _branches(evaluation, trigger)
    if by_tag:
        found = listed(trigger.tags, trigger.tags_ignore)
        tags = _by_list(universe, found, lambda pattern: _atom(universe, _TAG, pattern))
    return universe.choose(asked(evaluation, "github.ref_type == 'tag'"), tags, branches)


def _by_list(universe: Universe, patterns: tuple[str, ...], named: Callable[[str], Cond]) -> Cond:
    """What a list lets through, in which the last pattern that matches decides."""
    result = universe.false
    for pattern in patterns:
        excludes = pattern.startswith("!")
        result = result & ~named(pattern[1:]) if excludes else result | named(pattern)
    return result


def _atom(universe: Universe, subject: str, pattern: str) -> Cond:
    if pattern == EVERYTHING:
        return universe.true
    key = f"{subject}{_MATCHES}{pattern}"
    return universe.atom(key, origins=observation(subject), test="matches", marker=pattern)


def changed_file(atom: Atom) -> str:
    """The file of which an atom asks whether it has changed; empty where it asks anything else."""
    if atom.test != "matches" or atom.marker is None or not atom.key.startswith(PATH):
        return ""
    return atom.marker if is_plain(atom.marker) else ""


def laws(cond: Cond) -> Cond:
    """What holds between the atoms of a condition whatever the change is."""
    universe = cond.universe
    result = universe.true
    for law in (*_of_patterns(cond), *_of_texts(cond)):
        result = result & law
    return result


def _of_patterns(cond: Cond) -> Iterator[Cond]:
    """What is let through by one pattern and by another, and what a name in full says of both."""
    universe = cond.universe
    asked_of: dict[str, list[tuple[str, Cond]]] = {}
    for atom in cond.support():
        if atom.test == "matches" and atom.marker is not None:
            subject = atom.key.removesuffix(f"{_MATCHES}{atom.marker}")
            asked_of.setdefault(subject, []).append((atom.marker, universe.literal(atom)))
    budget = Budget()
    for same in asked_of.values():
        for (one, holds), (other, holds_too) in permutations(same, 2):
            if covers(other, one, budget):
                yield ~holds | holds_too
    for atom in cond.support():
        subject, name = _equality(atom)
        for pattern, holds in asked_of.get(subject, ()):
            answer = holds if covers(pattern, name, budget) else ~holds
            yield ~universe.literal(atom) | answer


def _equality(atom: Atom) -> tuple[str, str]:
    """The text of which an atom asks whether it is a literal, with that; a branch has one name in all."""
    subject, equals, _ = atom.key.partition(" == ")
    if not equals or atom.test != "==" or atom.marker is None:
        return "", ""
    name = atom.marker.lower()
    if subject == "github.ref" and name.startswith(_HEADS):
        return _OWN_BRANCH, name.removeprefix(_HEADS)
    return _ALIASES.get(subject, subject), name


def covers(wide: str, narrow: str, budget: Budget) -> bool:
    """Whether all that one pattern lets through another does too; what takes too long is not proved."""
    if fault(wide, "github") is not None or fault(narrow, "github") is not None:
        return False
    one, other = (Pattern(text, False, _NOWHERE) for text in (narrow, wide))
    try:
        return uncovered([one], [[other]], "github", budget) is None
    except Undecided:
        return False


def _of_texts(cond: Cond) -> Iterator[Cond]:
    """A text that equals one literal equals no other, and begins, ends and reads as that one does."""
    universe = cond.universe
    equal: dict[str, list[tuple[str, Cond]]] = {}
    for atom in cond.support():
        subject, name = _equality(atom)
        if subject:
            equal.setdefault(subject, []).append((name, universe.literal(atom)))
    for same in equal.values():
        for (one, holds), (other, holds_too) in combinations(same, 2):
            yield ~(holds ^ holds_too) if one == other else ~(holds & holds_too)
    yield from _of_parts(cond)


def _of_parts(cond: Cond) -> Iterator[Cond]:
    """A text that equals a literal begins, ends and contains what that does."""
    universe = cond.universe
    known = [atom for atom in cond.support() if atom.test == "==" and atom.marker is not None]
    for atom in cond.support():
        test = _TESTS.get(atom.test)
        subject = atom.key.partition(f" {atom.test} ")[0]
        for other in known if test is not None and atom.marker is not None else ():
            if other.key.partition(" == ")[0] == subject:
                assert test is not None
                answer = universe.constant(test(str(other.marker).lower(), str(atom.marker).lower()))
                yield ~universe.literal(other) | ~(universe.literal(atom) ^ answer)


_TESTS = {"startsWith": str.startswith, "endsWith": str.endswith, "contains": str.__contains__}
