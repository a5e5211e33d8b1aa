"""A command as its row in the table takes it: which words name files, programs and the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple

from novote.knowledge.options import Arguments, Option, spread
from novote.knowledge.produced import Produced

ToolRole = Literal["source", "filter", "test", "effect", "quiet", "unknown"]
Effect = Literal["", "status", "approve", "merge", "rerun", "label", "comment", "dispatch"]


class Tool(NamedTuple):
    """What a known command does.

    `source`: standard output is `produced`. `filter`: it is made of standard input, of the `files` read and
    of the `words` named. `test`: the exit status asks about that input, or about `produced` where it is
    given. `effect`: it changes something outside, see `effect`. `quiet`: it writes nothing that matters
    there; `produced` is then what the files hold that it writes. `unknown`: a known program, an unknown
    subcommand.

    All numbers are indexes of words. `scripts` hold a program or pattern, `variables` names of environment
    variables that are written, `arguments` the names and words of values handed to the program (`jq --arg n
    v`, `awk -v n=v`), `copies` files written beside standard output, `output_file` the file written instead
    of it. `starts` says for words that hold an option and its value (`--regexp=x`, `-ex`) where the value
    begins.
    """

    role: ToolRole
    produced: Produced | None = None
    files: tuple[int, ...] = ()
    scripts: tuple[int, ...] = ()
    effect: str = ""
    reads_stdin: bool = False
    words: tuple[int, ...] = ()
    variables: tuple[int, ...] = ()
    arguments: tuple[tuple[str, int], ...] = ()
    copies: tuple[int, ...] = ()
    output_file: int | None = None
    starts: Mapping[int, int] = {}


UNKNOWN = Tool("unknown")
Row = Mapping[str, Any]


class Call(NamedTuple):
    """A command being looked at: its words, as read and as written, and how its row takes them."""

    name: str
    words: Sequence[str]
    written: Sequence[str]
    arguments: Arguments
    row: Row

    def text_of(self, at: int) -> str:
        """A word as it is written in the script, where that is known."""
        return self.written[at] if at < len(self.written) else self.words[at]


def told(name: str, variant: Row, given: Arguments) -> str:
    """How a message calls a command: with the option that makes it what it is."""
    telling = [option.name for option in given.options if option.name in variant.get("given", ())]
    return f"{name} {telling[0]}" if telling else name


def variant_of(call: Call) -> int:
    """The number of the first variant of a row that applies, or -1."""
    return next((n for n, entry in enumerate(call.row.get("when", ())) if _applies(call, entry)), -1)


def _applies(call: Call, variant: Row) -> bool:
    parsed = call.arguments
    if "given" in variant and not parsed.given(variant["given"]):
        return False
    if "without" in variant and parsed.given(variant["without"]):
        return False
    if len(parsed.bare) < variant.get("least", 0) or len(parsed.bare) > variant.get("most", len(call.words)):
        return False
    if "word" not in variant:
        return True
    return any(fnmatchcase(call.words[at], pattern) for at in parsed.bare for pattern in variant["word"])


def slots(call: Call) -> Tool:
    """Which words name files, programs and the rest."""
    places: dict[str, list[int]] = {}
    starts: dict[int, int] = {}
    kinds = {name: kind for names, kind in call.row.get("values", {}).items() for name in spread(names)}
    named: list[tuple[str, int]] = []
    for option, earlier in zip(call.arguments.options, (None, *call.arguments.options), strict=False):
        kind = kinds.get(option.name)
        if kind is None or option.value is None:
            continue
        if option.start:
            starts[option.at] = option.start
        if kind.endswith("pair") or kind == "argument":
            pair = _argument(option, earlier, kind)
            named += [pair] if pair else []
        else:
            places.setdefault(kind, []).append(option.at)
    _bare_slots(call, places)
    files = tuple(sorted(places.get("file", []) + places.get("script-file", [])))
    return Tool(
        "unknown",
        files=files,
        scripts=tuple(places.get("script", ())),
        reads_stdin=_reads_stdin(call, places),
        words=tuple(places.get("word", ())),
        variables=tuple(places.get("variable", ())),
        arguments=tuple(named),
        copies=tuple(places.get("copy", ())),
        output_file=_output_file(call, places.get("output", ()), starts),
        starts=starts,
    )


def _output_file(call: Call, written: Sequence[int], starts: Mapping[int, int]) -> int | None:
    """The word that names a file instead of standard output; `-` is standard output itself."""
    last = written[-1] if written else None
    return None if last is None or call.words[last][starts.get(last, 0) :] == "-" else last


def _argument(option: Option, earlier: Option | None, kind: str) -> tuple[str, int] | None:
    """The name and the word of a value handed to the program."""
    if kind == "argument":
        return (option.value or "").partition("=")[0], option.at
    second = earlier is not None and earlier.name == option.name and earlier.at == option.at - 1
    return (earlier.value or "", option.at) if second and earlier is not None else None


def _bare_slots(call: Call, places: dict[str, list[int]]) -> None:
    kinds: list[str] = list(call.row.get("words", ()))
    if kinds[:1] == ["script"] and ("script" in places or "script-file" in places):
        kinds.pop(0)
    for number, at in enumerate(call.arguments.bare):
        kind = kinds[min(number, len(kinds) - 1)] if kinds else ""
        if kind and call.words[at] != "-":
            places.setdefault(kind, []).append(at)


def _reads_stdin(call: Call, places: Mapping[str, list[int]]) -> bool:
    rule = call.row.get("stdin")
    if rule is not None:
        return bool(rule == "always")
    if call.row["role"] not in ("filter", "test"):
        return False
    return "file" not in places or any(call.words[at] == "-" for at in call.arguments.bare)
