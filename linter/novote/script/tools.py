"""Programs that scripts start, over guarded values: what they print and whether they succeed.

What a program is comes from `rules/commands` and `rules/exams`; here is what only code can say: how a search
becomes a question, and what small text tools make of text that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from novote.algebra.cond import Cond, Origin
from novote.algebra.value import Content, Value
from novote.knowledge.produced import HOLE, Produced
from novote.knowledge.programs import Tool
from novote.script import documents, exam_commands
from novote.script.ask import is_nonempty
from novote.script.files import content_of_file, written_name
from novote.script.host import EVENT_FILE, Reading
from novote.script.machine import Machine, Place
from novote.script.printing import echoed, formatted
from novote.script.searches import search
from novote.script.templates import filled
from novote.script.text import derived, join_values, literal, pieces, rest_of, rewritten, spelled, unknown
from novote.script.texttools import KNOWN, Maker
from novote.script.wrappers import behind_wrappers

MAX_INPUTS: Final = 16


class Outcome(NamedTuple):
    """What a command printed, and where it succeeds; `is_exam` says that it was noted as an exam."""

    printed: Value
    ok: Cond
    is_exam: bool = False


class Call(NamedTuple):
    """A command being run: its words and where they stand, what it reads, and what is known of it."""

    machine: Machine
    words: Sequence[Value]
    places: Sequence[Place]
    given: Value | None
    tool: Tool
    name: str

    def word(self, at: int) -> Value:
        """A word, without the option that is written in one with its value."""
        value = self.words[at]
        start = self.tool.starts.get(at, 0)
        if not start:
            return value
        return value.map(lambda content: _behind(content, start))

    def inputs(self) -> list[Value]:
        """What it reads: the files it names, else standard input."""
        files = [
            content_of_file(self.machine, self.word(at), self.places[at].span)
            for at in self.tool.files
            if literal(self.word(at)) != "-"
        ]
        if not files and self.tool.reads_stdin and self.given is not None:
            return [self.given]
        return files


def _behind(content: Content, start: int) -> Content:
    parts = pieces(content)
    return rest_of(parts, start) if parts and isinstance(parts[0], str) else content


def run(
    machine: Machine,
    words: Sequence[Value],
    places: Sequence[Place],
    given: Value | None = None,
    *,
    variables: tuple[tuple[str, Value, Place], ...] = (),
) -> Outcome:
    """Runs a program by its words; `given` is its standard input, None where nothing is known of it."""
    machine.spend()
    if not words:
        return Outcome(machine.value(""), machine.universe.true)
    exam = exam_commands.noted(machine, words, places, given, variables)
    if exam is not None:
        return Outcome(*exam, is_exam=True)
    words, places = _unwrapped(words, places)
    name = literal(words[0])
    if name is None:
        return _unknown(machine, "a program", words, places, given)
    read = [spelled(word) for word in words]
    written = [_written(machine, place) for place in places]
    tool = machine.host.knowledge.programs.tool(read, written)
    if tool is None:
        return _unknown(machine, name, words, places, given)
    if _LOOKS_UP.match(" ".join(read[:_FIRST_WORDS])) is not None:
        machine.deed("lookup", places[0], words=tuple(zip(words, places, strict=True)))
    return _known(Call(machine, words, places, given, tool, name.rsplit("/", 1)[-1]))


def _unwrapped(words: Sequence[Value], places: Sequence[Place]) -> tuple[Sequence[Value], Sequence[Place]]:
    """The command behind `sudo`, `env A=b` and `timeout 5`."""
    at = behind_wrappers([literal(word) for word in words])
    return (words[at:], places[at:]) if at < len(words) else (words, places)


def _written(machine: Machine, place: Place) -> str:
    return (
        machine.source[place.span.start : place.span.end].strip("\"'") if place.file == machine.file else ""
    )


# -- programs


def _unknown(
    machine: Machine, name: str, words: Sequence[Value], places: Sequence[Place], given: Value | None
) -> Outcome:
    """A program that nobody knows: what it prints has the writers of all it was given, and is unknown."""
    universe = machine.universe
    inputs = [*words[1:], *([given] if given is not None else [])][:MAX_INPUTS]
    also = unknown(f"`{name}`").origins
    printed = mixed(machine, name, inputs, also)
    origins = printed.origins()
    known = not any(origin.cls == "claim" for origin in origins)
    first = places[0]
    kept = frozenset({Origin("observed", "", f"`{name}`"), *_told(inputs)}) if known else also
    ok = universe.atom(f"`{name}` at {first.file}:{first.span.start} succeeds", origins=kept, test="status")
    return Outcome(printed, ok)


def _told(inputs: Sequence[Value]) -> Iterator[Origin]:
    """How exams ended, as far as a program is told: it may fail because of that."""
    for value in inputs:
        atoms = (atom for guard, _ in value.alternatives for atom in guard.support())
        yield from (origin for atom in atoms if atom.test == "pass" for origin in atom.origins)


def mixed(
    machine: Machine,
    name: str,
    inputs: Sequence[Value],
    also: frozenset[Origin] = frozenset(),
    empty: bool = False,
) -> Value:
    """Text made of values in a way that is not followed; `empty` says that nothing comes of nothing."""
    if len(inputs) == 1:
        return inputs[0].map(
            lambda content: derived(machine.universe, name, [content], _nothing if empty else None, also=also)
        )
    parts = [value.collapsed().single for value in inputs]
    texts = [part for part in parts if not (isinstance(part, str) and len(part) > 200)]
    return machine.value(derived(machine.universe, name, texts, _nothing if empty else None, also=also))


def _nothing(contents: Sequence[Content]) -> Content | None:
    return "" if all(content in ("", "\n") for content in contents) else None


def _known(call: Call) -> Outcome:
    machine, tool = call.machine, call.tool
    universe = machine.universe
    if call.name in ("echo", "printf") and tool.role in ("filter", "source"):
        make = echoed if call.name == "echo" else formatted
        return Outcome(make(universe, call.words[1:]), universe.true)
    if call.name == "jq" or (call.name == "yq" and tool.scripts):
        return _jq(call)
    if call.name in _SEARCHES:
        return Outcome(*search(call))
    first = call.places[0]
    status = universe.atom(f"`{call.name}` at {first.file}:{first.span.start} succeeds",
                           origins=frozenset({Origin("observed", "", call.name)}), test="status")  # fmt: skip
    if tool.role == "effect":
        machine.deed(tool.effect, first, words=tuple(zip(call.words, call.places, strict=True)))
        return Outcome(produced(machine, tool.produced, call), status)
    if tool.role == "source" and (exact := _exactly(call)) is not None:
        return Outcome(machine.value(exact), universe.true)
    if tool.role == "source":
        made = produced(machine, tool.produced, call)
        if tool.output_file is not None:
            path = literal(call.word(tool.output_file))
            if path is not None:
                machine.write(written_name(path), made, append=False)
                return Outcome(machine.value(""), status)
        return Outcome(made, universe.true)
    if tool.role == "filter":
        return Outcome(_filtered(call), universe.true)
    if tool.role == "unknown":
        return _unknown(machine, " ".join(spelled(word).replace(HOLE, "…") for word in call.words[:2]),
                        call.words, call.places, call.given)  # fmt: skip
    return Outcome(machine.value(""), _test(call, status) if tool.role == "test" else status)


# What lists changed paths or earlier runs: how it is asked says what may be missing in the answer.
_LOOKS_UP: Final = re.compile(
    r"(?:\S*/)?(?:git (?:-[cC] \S+ |-\S+ )*(?:diff|diff-tree|merge-base)\b|gh (?:api|run|pr view)\b)"
)
_FIRST_WORDS: Final = 12
"""Among so many words stands what git is asked for, behind its options."""

_SEARCHES: Final = frozenset({"grep", "egrep", "fgrep", "zgrep", "rg", "findstr"})


def _test(call: Call, status: Cond) -> Cond:
    """Where a program that asks about its input says yes."""
    inputs = call.inputs()
    if not inputs:
        return status
    made = mixed(call.machine, call.name, inputs, empty=True)
    return is_nonempty(call.machine.universe, made)


def _exactly(call: Call) -> str | None:
    """What a program prints that needs no input, such as `seq 3`."""
    texts = [literal(word) for word in call.words[1:]]
    maker = KNOWN.get(call.name)
    change = maker([str(text) for text in texts]) if maker is not None and None not in texts else None
    return change("") if change is not None else None


def _filtered(call: Call) -> Value:
    """What a text tool makes of what it reads and of the words it carries."""
    machine = call.machine
    inputs = call.inputs()
    inputs += [call.word(at) for at in call.tool.words]
    made = call.tool.produced
    if made is not None and made.cls == "claim":
        # A part of a claim is a claim of its own kind: the trailers of a message.
        written = any(origin.cls == "claim" for value in inputs for origin in value.origins())
        return produced(machine, made, call) if written else mixed(machine, call.name, inputs, empty=True)
    exact = KNOWN.get(call.name)
    if call.name in ("cat", "tee") and inputs:
        whole = join_values(machine.universe, inputs)
        if call.name == "tee" and call.given is not None:
            return _tee(call)
        return whole
    texts = [literal(word) for word in call.words[1:]]
    if call.name == "envsubst" and inputs and None not in texts[:1]:
        return filled(machine, inputs[0], texts[0] if texts else None, call.places[0])
    if exact is not None and None not in texts and len(inputs) <= 1:
        change = exact([str(text) for text in texts])
        if change is not None:
            given = inputs[0] if inputs else machine.value("")
            return given.map(lambda content: rewritten(machine.universe, call.name, content, change))
    if exact is not None and call.name in ("basename", "dirname") and texts[1:].count(None) == 0 and texts:
        return call.words[1].map(lambda content: _named(machine, call.name, exact, content, texts[1:]))
    scripts = [call.word(at) for at in call.tool.scripts]
    carried = [value for value in scripts if literal(value) is None]
    return mixed(
        machine, call.name, [*inputs, *carried, *(call.word(at) for _, at in call.tool.arguments)], empty=True
    )


def _named(
    machine: Machine, name: str, maker: Maker, content: Content, rest: Sequence[str | None]
) -> Content:
    """What `basename` and `dirname` make of a name that stands first among their words."""

    def known(path: str) -> str | None:
        change = maker([path, *map(str, rest)])
        return change("") if change is not None else None

    return rewritten(machine.universe, name, content, known)


def _tee(call: Call) -> Value:
    machine = call.machine
    given = call.given or machine.value("")
    options = [literal(word) or "" for word in call.words[1:]]
    append = any(option in ("-a", "--append") for option in options)
    for at, option in enumerate(options, start=1):
        path = literal(call.words[at])
        if path is not None and not option.startswith("-"):
            machine.write(written_name(path), given, append=append)
    return given


def _without_blanks(content: Content) -> Content:
    """Text without blanks around it, which mean nothing in JSON: a here-string ends in a line break."""
    parts = [part for part in pieces(content) if not (isinstance(part, str) and not part.strip())]
    return parts[0] if len(parts) == 1 else content


# -- what commands answer


def produced(machine: Machine, found: Produced | None, call: Call) -> Value:
    """What a command answers, as a value."""
    if found is None:
        return machine.value("")
    _noted(machine, found, call.places[0])
    if found.cls == "carries":
        return mixed(machine, call.name, [*call.inputs(), *(call.word(at) for at in call.tool.words)])
    if found.shape not in ("json", "list") or found.template:
        return machine.value(documents.content_of(found))
    content = documents.content_of(found)
    machine.documents[content.key] = documents.of_produced(found)
    if not found.jq:
        return machine.value(content)
    source = found.jq
    if HOLE in source:
        return machine.value(content)
    made = documents.applied(machine, source, machine.documents[content.key], {})
    return documents.truth_value(machine, made.printed)


def _noted(machine: Machine, found: Produced, place: Place) -> None:
    claims = _claims(found)
    if claims:
        machine.read(
            Reading(("command", found.text), machine.value(""), None, claims, place.file, place.span)
        )


def _claims(found: Produced, depth: int = 4) -> frozenset[Origin]:
    own = documents.content_of(found).origins
    if depth:
        own = own.union(*(_claims(field, depth - 1) for field in found.fields.values()))
    return frozenset(origin for origin in own if origin.cls != "observed")


def _jq(call: Call) -> Outcome:
    """`jq`: a program applied to the documents it reads."""
    machine = call.machine
    universe = machine.universe
    source = literal(call.word(call.tool.scripts[0])) if call.tool.scripts else None
    options = [literal(word) or "" for word in call.words[1:]]
    arguments = {name: call.word(at).collapsed().single for name, at in call.tool.arguments}
    inputs = call.inputs()
    reads_event = any(literal(call.word(at)) == EVENT_FILE for at in call.tool.files)
    if source is None or (len(inputs) != 1 and not reads_event):
        names_nothing = source is not None and any(
            o in ("-n", "--null-input") or o.startswith("-n") for o in options
        )
        also = unknown("jq").origins if source is None else frozenset()
        values = [*inputs, *(machine.value(v) for v in arguments.values())]
        if names_nothing and not inputs:
            values = [machine.value(v) for v in arguments.values()]
        return Outcome(mixed(machine, "jq", values, also), universe.true)
    short = "".join(option[1:] for option in options if option[:1] == "-" and option[1:2] not in ("-", ""))
    raw = "r" in short or "j" in short or "--raw-output" in options
    asks = "e" in short or "--exit-status" in options
    if reads_event:
        document = documents.of_event(machine, call.places[0].span)
        made = documents.applied(machine, source, document, arguments, raw=raw)
        return Outcome(documents.truth_value(machine, made.printed), made.truth if asks else universe.true)
    truths: list[Cond] = []

    def apply(content: Content) -> Value:
        exact = documents.exactly(source or ".", content, arguments, raw=raw)
        if exact is not None:
            truths.append(universe.constant(exact[1]))
            return machine.value(exact[0])
        content = _without_blanks(content)
        found = documents.applied(
            machine, source or ".", documents.of_text(machine, content), arguments, raw=raw
        )
        truths.append(found.truth)
        return documents.truth_value(machine, found.printed)

    printed = inputs[0].bind(apply)
    ok = universe.any_of(
        guard & truth for (guard, _), truth in zip(inputs[0].alternatives, truths, strict=False)
    )
    return Outcome(printed, ok if asks else universe.true)
