"""The way from a decision back to a claim."""

from __future__ import annotations

from novote.algebra.cond import Origin, Universe
from novote.algebra.value import Value
from novote.flow.slots import Read, Slot, trail

TITLE = Origin("claim", "title", "github.event.pull_request.title")
LABEL = Origin("claim", "label", "github.event.pull_request.labels")
UNIVERSE = Universe()


def claim(origin: Origin) -> Read:
    return Read(tuple(origin.text.split(".")), None, frozenset({origin}))


def behind(slot: Slot) -> Read:
    return Read(("env", slot.what), slot)


def slot(what: str, *reads: Read) -> Slot:
    return Slot(what, "ci.yml", None, Value.of(UNIVERSE, what), reads)


def names(start: Slot, wanted: Origin) -> list[str]:
    return [step.slot.what for step in trail(start, wanted)]


def test_read_here() -> None:
    start = slot("if", claim(LABEL), claim(TITLE))
    (step,) = trail(start, TITLE)
    assert (step.slot, step.read) == (start, start.reads[1])


def test_read_through_others_the_claim_last() -> None:
    start = slot("if", behind(slot("job env", behind(slot("workflow env", claim(TITLE))))))
    assert names(start, TITLE) == ["if", "job env", "workflow env"]


def test_the_shortest_way_wins_whatever_the_order() -> None:
    near, far = slot("near", claim(TITLE)), slot("far", behind(slot("further", claim(TITLE))))
    assert names(slot("if", behind(far), behind(near)), TITLE) == ["if", "near"]


def test_a_way_by_what_hinges_on_the_claim_wins_over_a_shorter_one() -> None:
    near, far = slot("near", claim(TITLE)), slot("far", behind(slot("further", claim(TITLE))))
    start = slot("if", behind(near), behind(far))
    found = trail(start, TITLE, hinges=lambda slot: slot is far)
    assert [step.slot.what for step in found] == ["if", "far", "further"]


def test_what_hinges_and_leads_nowhere_is_left() -> None:
    near, far = slot("near", claim(TITLE)), slot("far", claim(LABEL))
    start = slot("if", behind(near), behind(far))
    found = trail(start, TITLE, hinges=lambda slot: slot is far)
    assert [step.slot.what for step in found] == ["if", "near"]


def test_a_condition_that_asks_by_itself_is_where_the_way_ends() -> None:
    before = slot("if of a job before", claim(TITLE))._replace(cond=UNIVERSE.true)
    start = slot("if", Read(("needs", "before"), before), claim(TITLE))
    assert len(trail(start, TITLE, hinges=lambda slot: slot is before)) == 1


def test_no_way() -> None:
    start = slot("if", claim(LABEL), behind(slot("env", claim(LABEL))))
    assert trail(start, TITLE) == ()


def test_one_slot_read_many_times_is_walked_once() -> None:
    second = slot("second", behind(slot("first")), claim(TITLE))
    start = slot("if", *(behind(second) for _ in range(5)))
    assert names(start, TITLE) == ["if", "second"]


def test_a_long_chain_needs_no_deep_stack() -> None:
    start = slot("end", claim(TITLE))
    for number in range(3000):
        start = slot(f"s{number}", behind(start))
    assert len(trail(start, TITLE)) == 3001
