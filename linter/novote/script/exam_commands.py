"""Commands of a script that are exams: noted as deeds, each with an atom that says that it passes."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import lru_cache

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Value
from novote.knowledge.commands import ExamCommand
from novote.knowledge.exams import Exams
from novote.knowledge.words import Word
from novote.script.machine import Machine, Place
from novote.script.text import derived, literal, observed, pieces, unknown


def noted(
    machine: Machine,
    words: Sequence[Value],
    places: Sequence[Place],
    given: Value | None,
    variables: tuple[tuple[str, Value, Place], ...],
) -> tuple[Value, Cond] | None:
    """Notes a command that is known to test with its words and the variables that select for it.

    What it prints, and where it passes; None for any other command.
    """
    texts = tuple(map(_word_text, words))
    exams = machine.host.knowledge.exams
    if not _is_exam(exams, texts):
        return None
    command = tuple(
        Word(place.span.start, place.span.end, text) for text, place in zip(texts, places, strict=True)
    )
    found = exams.recognise(command)
    assert found is not None, "where the words stand makes no difference"
    first = places[0]
    key = f"pass:{first.file}:{first.span.start}:{len(machine.deeds)}"
    passed = machine.universe.atom(key, origins=frozenset({Origin("observed", "", key)}), test="pass")
    placed = list(zip(words, places, strict=True))
    if given is not None and literal(words[0]) == "xargs":
        placed.append((given, first))
        last = Word(first.span.end, first.span.end, "$_")
        found = found._replace(words=(*found.words, last))
    selecting = (*variables, *_selecting(machine, found, variables, first))
    machine.deed("exam", first, words=tuple(placed), variables=selecting, entry=found, passed=passed)
    if found.entry.weak:
        return _answer(
            machine, found.entry.name, [*words[1:], *([given] if given is not None else [])]
        ), passed
    return machine.value(observed(f"output of {key}")), passed


def _answer(machine: Machine, name: str, told: Sequence[Value]) -> Value:
    """What somebody says who does what it is told: whoever tells it has a say, and nobody knows more."""
    contents = [value.collapsed().single for value in told]
    return machine.value(derived(machine.universe, name, contents, also=unknown(f"`{name}`").origins))


@lru_cache(maxsize=8192)
def _is_exam(exams: Exams, texts: tuple[str, ...]) -> bool:
    """Whether words are an exam's command; the same few commands are asked about again and again."""
    return exams.recognise(tuple(Word(0, 0, text) for text in texts)) is not None


def _word_text(word: Value) -> str:
    """A word as the table of exams reads it: `$_` for what is not known, or not always the same."""
    texts = [
        "".join(part if isinstance(part, str) else "$_" for part in pieces(content))
        for _, content in word.alternatives
    ]
    # An option is written the same way whatever its value is.
    return texts[0] if len(texts) == 1 else posixpath.commonprefix(texts) + "$_"


def _selecting(
    machine: Machine, found: ExamCommand, given: tuple[tuple[str, Value, Place], ...], place: Place
) -> list[tuple[str, Value, Place]]:
    """Variables that the exam reads to select, as the script or an earlier step has set them."""
    set_here = {name for name, _, _ in given}
    names = (*found.entry.env, *sorted(machine.host.knowledge.exams.shared_variables))
    result = []
    for name in dict.fromkeys(names):
        if name in set_here:
            continue
        value = machine.variables.get(name)
        if value is None:
            reading = machine.host.variable(name)
            if reading is None or not any(o.cls == "claim" for o in reading.value.origins()):
                continue
            value = reading.value
            machine.read(reading._replace(file=place.file, span=place.span))
        result.append((name, value, place))
    return result
