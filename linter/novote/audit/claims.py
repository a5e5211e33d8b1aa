"""From exam decisions to what claims do to them, one event at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from novote.algebra.cond import Atom, Cond, Origin
from novote.algebra.value import Content, Opaque, Value
from novote.audit.sites import Site, outermost
from novote.flow.cases import EventCase
from novote.flow.evaluation import Evaluation, cond_of
from novote.flow.exam_decision import Aspect, ExamDecision
from novote.flow.matrix import only_places_the_job
from novote.flow.polarity import Cut, Polarity, cuts, value_cuts
from novote.flow.slots import Slot
from novote.model import Claim

# Judged by a rule of its own: skipping drafts is fine as long as marking them ready starts the exam.
_JUDGED_ELSEWHERE = frozenset({"draft"})


class Effect(NamedTuple):
    """What one claim does to one decision under one event.

    `site` is where the claim enters: the decision itself, the selector whose skipping decides it, or what a
    caller hands to them, and then `inner` is the place behind the call. `within` names the calls that lead to
    the decision, empty where it stands in the file that is judged. `cut` holds the claims that act together,
    of which `claim` is the first; it is None where text is copied. `authorised` says that it happens only
    where whoever asks was identified before.
    """

    decision: ExamDecision
    site: Site
    case: EventCase
    claim: Claim
    origin: Origin
    kind: str
    polarity: Polarity
    cut: Cut | None
    without: str = ""
    with_: str = ""
    inner: Site | None = None
    authorised: bool = False
    within: str = ""


class Judgement(NamedTuple):
    """What was proved of one decision under one event."""

    effects: tuple[Effect, ...]
    unknown: tuple[Origin, ...]

    def under(self, case: EventCase) -> Judgement:
        """The same under another event."""
        return Judgement(tuple(effect._replace(case=case) for effect in self.effects), self.unknown)


def judge(evaluation: Evaluation, decision: ExamDecision) -> Judgement:
    """What the claims, and what nobody can explain, do to a decision."""
    if decision.slot.cond is not None:
        return _judge_condition(evaluation, decision)
    return _judge_value(evaluation, decision)


def is_judged(atom: Atom) -> bool:
    """Whether an atom is a claim that the claim rules look at."""
    return atom.is_claim and first_claim(atom.origins) is not None


def first_claim(origins: frozenset[Origin]) -> Origin | None:
    """The claim that tells most of those that the claim rules look at."""
    found = (o for o in origins if o.cls == "claim" and o.kind not in _JUDGED_ELSEWHERE)
    return min(found, key=_telling, default=None)


# What an author would reach for first stands first; where several have a say, it is told.
_TELLING = ("label", "trailer", "title", "body", "comment", "review", "commit-message")
_RANKS = {kind: rank for rank, kind in enumerate(_TELLING)}


def _telling(origin: Origin) -> tuple[int, Origin]:
    return _RANKS.get(origin.kind, len(_TELLING)), origin


_FIELD_OF_A_MIXTURE: Final = re.compile(r" of fromjson\(.*mixed#")


def claim_of(atom: Atom, origin: Origin) -> Claim:
    """The claim that an atom asks about.

    What an action puts out is its own word for what it read, and what is compared with a mixture says nothing
    of one part of it: neither is a marker that the author writes.
    """
    asked = origin.text in atom.key and not origin.text.startswith(("steps.", "env."))
    asked = asked and _FIELD_OF_A_MIXTURE.search(atom.key) is None
    marker = atom.marker if asked else None
    return Claim(origin.kind, origin.text, marker)


def told_atoms(cut: Cut) -> tuple[Atom, ...]:
    """The claims of a cut that say what to write.

    That there is something at all goes without saying where another claim of the kind says what it is.
    """
    asked = {origin.kind for atom in cut.atoms if atom.test != "set" for origin in atom.origins}
    told = tuple(a for a in cut.atoms if a.test != "set" or asked.isdisjoint(o.kind for o in a.origins))
    return told or cut.atoms


def _judge_condition(evaluation: Evaluation, decision: ExamDecision) -> Judgement:
    local = cond_of(decision.slot)
    full = evaluation.expanded(local)

    def judged(atom: Atom) -> bool:
        return is_judged(atom) and (not decision.atoms or atom in decision.atoms)

    effects = tuple(
        effect for cut in cuts(full, judged) for effect in _of_cut(evaluation, decision, local, cut)
    )
    unknown = () if effects else _unknown_in(full)
    return Judgement(effects, unknown)


def _unknown_in(cond: Cond) -> tuple[Origin, ...]:
    return tuple(sorted({o for atom in cond.support() for o in atom.origins if o.cls == "unknown"}))


def _of_cut(evaluation: Evaluation, decision: ExamDecision, local: Cond, cut: Cut) -> Iterator[Effect]:
    told = told_atoms(cut)[0]
    origin = first_claim(told.origins)
    site = _site(evaluation, decision, local, cut)
    if origin is None or site is None:
        return
    polarity = cut.polarity
    words = ("runs", "skipped") if cut.polarity == "skip" else ("skipped", "runs")
    if any(atom.test == "exists" for atom in cut.atoms) and polarity != "skip":
        # Running what the change brings is testing the change.
        return
    if decision.aspect in ("softened", "posted"):
        # What only a claim can stop from being posted makes the gate stricter.
        if (polarity == "skip") != (decision.aspect == "softened"):
            return
        polarity, words = "soften", ("", "")
    if decision.aspect == "aggregator":
        # A step of the gate that only a claim wakes makes the gate stricter.
        # What skips an exam is told there, not once more for the gate that waits for it.
        stricter = polarity == "widen" or (polarity == "opt-in" and decision.step is not None)
        if stricter or site.slot is not decision.slot:
            return
        polarity = "soften"
    claim = claim_of(told, origin)
    effect = Effect(decision, site, evaluation.case, claim, origin, decision.kind, polarity, cut, *words)
    if decision.aspect == "posted":
        effect = effect._replace(authorised=_is_authorised(evaluation.expanded(local)))
    yield _entering(evaluation, effect)


# How expressions and commands spell who somebody is, and what they may do.
_IDENTITY = re.compile(
    r"author_association|authorAssociation|\.login|actor|sender|permission|membership|collaborator"
)


def _is_authorised(cond: Cond) -> bool:
    """Whether something happens only where somebody was identified as one who may ask for it."""
    for atom in cond.support():
        identifies = not atom.is_claim and any(_IDENTITY.search(origin.text) for origin in atom.origins)
        if identifies and any(cond.restrict({atom: said}).is_false for said in (False, True)):
            return True
    return False


def _entering(evaluation: Evaluation, effect: Effect) -> Effect:
    """An effect with its site at the outermost caller through which the claim comes."""
    site = outermost(effect.site, effect.origin)
    inner = None if site is effect.site else effect.site
    return effect._replace(site=site, inner=inner, within=evaluation.prefix)


def _site(evaluation: Evaluation, decision: ExamDecision, local: Cond, cut: Cut) -> Site | None:
    """Where the claims of a cut enter: the decision's own condition, or that of what it depends on."""
    if decision.node is not None and _mentions(evaluation.taken_as_run(local), cut):
        return Site(decision.job, decision.step, decision.slot, decision.node, evaluation)
    for name in evaluation.names_in(local):
        owner, job, step = evaluation.named(name)
        slot = owner.job_condition(job) if step is None else owner.step_condition(job, step)
        if slot.node is not None and _mentions(evaluation.taken_as_run(cond_of(slot)), cut):
            return Site(job, step, slot, slot.node, owner)
    return None


def _mentions(cond: Cond, cut: Cut) -> bool:
    return any(cond.depends_on(atom) for atom in cut.atoms)


_FORCED: dict[Aspect, Polarity] = {
    "retries": "repeat", "timeout": "repeat", "soft": "soften", "fail-fast": "soften", "name": "soften",
}  # fmt: skip
_BOOLEANS = (True, False, None, "true", "false", "")
_BESIDE_TESTS = frozenset({"soft", "name", "timeout"})
_TARGETS = frozenset({"container", "shell", "directory", "checkout", "checkout-own"})


def _judge_value(evaluation: Evaluation, decision: ExamDecision) -> Judgement:
    value = decision.slot.value
    if not value.origins() or decision.node is None or judged_elsewhere(decision):
        return Judgement((), ())
    value = value.substitute(lambda guard: evaluation.taken_as_run(evaluation.taken_as_run(guard)))
    own_branch = decision.aspect in ("checkout-own", "handed")

    def counts(origins: frozenset[Origin]) -> bool:
        origin = first_claim(origins)
        return origin is not None and not (own_branch and origin.kind == "branch")

    found = value_cuts(
        value,
        lambda atom: atom.is_claim and counts(atom.origins),
        lambda opaque: counts(opaque.origins),
        lambda atom: any(origin.kind == "branch" for origin in atom.origins),
    )
    effects: list[Effect] = []
    site = Site(decision.job, decision.step, decision.slot, decision.node, evaluation)
    for cut in found:
        polarity = _polarity(decision, value, cut.polarity, cut.atoms)
        if polarity is None:
            continue
        for claim, origin in _claims(cut.atoms, cut.copied):
            moved = Cut(polarity, cut.atoms) if cut.atoms else None
            effect = Effect(decision, site, evaluation.case, claim, origin, decision.kind, polarity, moved)
            effects.append(_entering(evaluation, effect))
    return Judgement(tuple(effects), () if effects else _unknown_value(value))


def judged_elsewhere(decision: ExamDecision) -> bool:
    """Whether this is no decision (a runner's label), or is judged elsewhere (a matrix, where it stands)."""
    if decision.aspect == "matrix":
        return bool(decision.key) and only_places_the_job(decision.job, decision.key)
    if decision.span is not None and decision.atoms == frozenset() and _only_by_matrix(decision.slot):
        return True
    keys = [read.path[1] for read in decision.slot.reads if read.path[0] == "matrix" and len(read.path) > 1]
    if not keys or len(keys) < len(decision.slot.reads):
        return False
    # A key that only names the job, or softens it, is no decision at the matrix, so it is one here.
    beside = decision.aspect in _BESIDE_TESTS
    return not (beside and any(only_places_the_job(decision.job, key) for key in keys))


def _only_by_matrix(slot: Slot) -> bool:
    """Whether every claim in a value has come through the matrix, which is judged where it stands."""
    claims = {origin for origin in slot.value.origins() if origin.cls == "claim"}
    seen = {id(slot)}
    waiting, by_matrix = [slot], False
    while waiting:
        for read in waiting.pop().reads:
            if read.path[0] == "matrix":
                by_matrix = True
            elif read.slot is None:
                if not claims.isdisjoint(read.origins):
                    return False
            elif id(read.slot) not in seen:
                seen.add(id(read.slot))
                waiting.append(read.slot)
    return by_matrix


def _polarity(
    decision: ExamDecision, value: Value, found: Polarity, atoms: tuple[Atom, ...]
) -> Polarity | None:
    """The polarity as the decision's aspect has it; None where the claim can only make the exam stricter."""
    if decision.aspect == "soft" and atoms and not _can_soften(value, atoms):
        return None
    if decision.aspect in _TARGETS:
        return "choose"
    return _FORCED.get(decision.aspect, found)


def _can_soften(value: Value, atoms: tuple[Atom, ...]) -> bool:
    """Whether the claims can do more than turn a boolean from true to false.

    Only of booleans is it known which way is lenient; any other difference counts.
    """
    if any(content not in _BOOLEANS for _, content in value.alternatives):
        return True

    def lenient(content: Content) -> Cond:
        return value.universe.constant(content not in (False, None, "", "false"))

    return any(cut.polarity != "skip" for cut in cuts(value.test(lenient), lambda atom: atom in atoms))


def _claims(atoms: tuple[Atom, ...], copied: Opaque | None) -> Iterator[tuple[Claim, Origin]]:
    if copied is not None:
        for origin in sorted(copied.origins):
            if origin.cls == "claim" and origin.kind not in _JUDGED_ELSEWHERE:
                yield Claim(origin.kind, origin.text), origin
        return
    first = first_claim(atoms[0].origins)
    if first is not None:
        yield claim_of(atoms[0], first), first


def _unknown_value(value: Value) -> tuple[Origin, ...]:
    return tuple(sorted(origin for origin in value.origins() if origin.cls == "unknown"))


def draft_skips(evaluation: Evaluation, decision: ExamDecision) -> Site | None:
    """Where a condition keeps an exam from running on drafts; None where it does not."""
    local = cond_of(decision.slot)
    full = evaluation.expanded(local)
    drafts = [atom for atom in full.support() if any(origin.kind == "draft" for origin in atom.origins)]
    for atom in drafts:
        ready = full.restrict({atom: False}) & ~full.restrict({atom: True})
        if not ready.is_false:
            return _site(evaluation, decision, local, Cut("skip", (atom,)))
    return None
