"""What the commands of scripts do: what each writes to its standard output, and who wrote that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from novote.knowledge.calls import UNKNOWN, Call, Row, Tool, ToolRole, slots, told, variant_of
from novote.knowledge.formats import Formats, names_base
from novote.knowledge.load import table
from novote.knowledge.options import Grammar, arguments, spread
from novote.knowledge.produced import (
    HOLE,
    Documents,
    Produced,
    joined,
    plain,
    record_of,
    shown,
    tinted,
    weakened,
)
from novote.knowledge.requests import Request, Requests

__all__ = ["HOLE", "Produced", "Programs", "Tool", "builtin", "extended"]


class Programs:
    """The table of commands; `data` is its compiled form."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._rows: Sequence[Row] = data["rows"]
        self._names: Mapping[str, int] = data["names"]
        self._programs: Mapping[str, Row] = data["programs"]
        self._options: Mapping[str, Row] = data["options"]
        self._documents = Documents(data["documents"])
        self._formats = Formats(data["directives"])
        self._requests = Requests(data["routes"], data["fields"], data["mutations"], self._documents)
        self._known = {name.split(" ", 1)[0] for name in self._names} | set(self._programs)
        self._grammars: dict[tuple[int, int], Grammar] = {}
        # Scripts start the same few commands again and again.
        self._cached = lru_cache(maxsize=4096)(self._tool)

    def tool(self, words: Sequence[str], written: Sequence[str] = ()) -> Tool | None:
        """What the command of these words does; None where its program is not known at all.

        `words[0]` is the program; wrappers (`sudo`, `env`) are already gone. `written` are the same words as
        the script spells them, `$BASE:path`: the name of a variable may say that a revision is the base's.
        """
        return self._cached(tuple(words), tuple(written))

    def _tool(self, words: tuple[str, ...], written: tuple[str, ...]) -> Tool | None:
        if not words:
            return None
        program = _program(words[0])
        if program not in self._known:
            return None
        name, start, sure = self._command(program, words)
        at = self._names.get(name)
        if at is None:
            return UNKNOWN
        grammar = self._grammar(at, program, -1)
        parsed = arguments(words, start, grammar)
        call = Call(name, words, written, parsed, self._rows[at])
        number = variant_of(call)
        if number >= 0:
            variant = call.row["when"][number]
            row = {**call.row, **variant}
            if variant.get("role") == "quiet" and "output" not in variant:
                row.pop("output", None)
            parsed = arguments(words, start, self._grammar(at, program, number))
            call = call._replace(name=told(name, variant, parsed), row=row, arguments=parsed)
        strict = self._programs.get(program, {}).get("strict", False)
        return self._made(call, strict and not (sure and not parsed.unknown))

    def _command(self, program: str, words: Sequence[str]) -> tuple[str, int, bool]:
        """The longest name in the table that the words begin with, and where its arguments begin."""
        row = self._programs.get(program, {})
        valued, flags = row.get("valued", ()), row.get("flags", ())
        name = program
        best, start, sure = (program if program in self._names else "", 1, True)
        at = 1
        for _ in range(3):
            at, all_known = _after_options(words, at, valued, flags)
            if at >= len(words):
                break
            name = f"{name} {words[at]}"
            at += 1
            if name in self._names:
                best, start, sure = name, at, sure and all_known
        return best, start, sure

    def _grammar(self, at: int, program: str, variant: int) -> Grammar:
        key = (at, variant)
        found = self._grammars.get(key)
        if found is None:
            row = self._rows[at]
            row = row if variant < 0 else {**row, **row["when"][variant]}
            found = self._grammars[key] = self._options_of(row, self._programs.get(program, {}))
        return found

    def _options_of(self, row: Row, program: Row) -> Grammar:
        sets = [row, program, *(self._options.get(name, {}) for name in row.get("options", ()))]
        kinds = {name: kind for names, kind in row.get("values", {}).items() for name in spread(names)}
        valued = {name for entry in sets for name in entry.get("valued", ())}
        valued |= set(row.get("searches", ()))
        flags = {name for entry in sets for name in entry.get("flags", ())}
        for variant in row.get("when", ()):
            flags |= {name.partition("=")[0] for name in variant.get("given", ())}
        for names in row.get("adds", {}):
            flags |= set(spread(names))
        pairs = {name for name, kind in kinds.items() if kind.endswith("pair")}
        output = row.get("output")
        format_options = (
            output["format"]["options"] if isinstance(output, dict) and "format" in output else ()
        )
        valued |= kinds.keys() - pairs
        flags |= set(format_options) - valued
        return Grammar(
            valued, pairs, flags - valued - pairs, row.get("style", "getopt"), "ignore_case" in row
        )

    def _made(self, call: Call, weak: bool) -> Tool:
        row = call.row
        if row["role"] == "request":
            return self._requested(call, weak)
        tool = slots(call)
        produced = self._produced(call) if "output" in row else None
        if produced is not None and weak:
            produced = weakened(produced)
        return tool._replace(role=row["role"], produced=produced, effect=row.get("effect", ""))

    def _produced(self, call: Call) -> Produced:
        main = self._main(call)
        added = list(self._added(call))
        if not added:
            return main
        if main.fields:
            claims = [part.kind for part in added if part.cls == "claim"]
            return tinted(main, claims[0]) if claims else weakened(main)
        claims = [part.text for part in (main, *added) if part.cls == "claim"]
        return joined((main, *added), claims[0] if claims else main.text)

    def _added(self, call: Call) -> Iterator[Produced]:
        """What options add to what the command writes in itself."""
        searched = call.arguments.value(call.row.get("searches", ()))
        if searched is not None:
            yield from _searched(searched, call.name)
        for names, spec in call.row.get("adds", {}).items():
            found = [option.name for option in call.arguments.options if option.name in tuple(spread(names))]
            if found:
                yield plain(spec, f"{call.name} {found[0]}")
        unless = call.row.get("unless")
        if unless is not None and not call.arguments.given(unless["given"]):
            yield plain(unless["output"], call.name)

    def _main(self, call: Call) -> Produced:
        output = call.row["output"]
        if isinstance(output, str):
            return plain(output, call.name)
        if "format" in output:
            return self._formats.produced(output["format"], call.name, call.words, call.arguments)
        if "revision" in output:
            return _content(call, output["revision"])
        return self._selected(call, output)

    def _selected(self, call: Call, output: Row) -> Produced:
        """The fields of a document that an option names, with what the command itself makes of them."""
        wanted = call.arguments.value(output["fields"])
        if wanted is None:
            return plain(output["otherwise"], call.name)
        jq, template = call.arguments.value(("--jq", "-q")), call.arguments.value(("--template", "-t"))
        text = f"{call.name} --json"
        document = output["document"]
        fields = {
            field: self._documents.part(document, field, f"{text} {field}") for field in _names_in(wanted)
        }
        if HOLE in wanted:
            fields = {"*": Produced("unknown", "", text), **self._documents.whole(document, text).fields}
        made = record_of(fields, f"{text} {shown(wanted)}")
        many = record_of({"*": made}, made.text, "list")
        if "groups" in output:
            groups = {name: kind for names, kind in output["groups"].items() for name in spread(names)}
            made = record_of({n: many if kind == "list" else made for n, kind in groups.items()}, made.text)
        elif output.get("list"):
            made = many
        return made._replace(jq=jq or "", template=template is not None)

    def _requested(self, call: Call, weak: bool) -> Tool:
        answer = self._requests.answer(_request(call))
        tool = slots(call)
        produced = answer.produced
        if call.arguments.given(call.row.get("headers", ())):
            produced = weakened(produced)
        jq, template = call.arguments.value(("--jq", "-q")), call.arguments.value(("--template", "-t"))
        if "jq" in call.row:
            produced = produced._replace(jq=jq or "", template=template is not None)
        if call.arguments.given(call.row.get("slurp", ())):
            produced = record_of({"*": produced._replace(jq="")}, produced.text, "list")._replace(jq=jq or "")
        if weak:
            produced = weakened(produced)
        role: ToolRole = "effect" if answer.effect is not None else "source"
        if role == "source" and _saves(call):
            role = "quiet"
        return tool._replace(role=role, produced=produced, effect=answer.effect or "")


def _program(word: str) -> str:
    """A program by its name alone, without its folder and `.exe`."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1].lower()
    return name.removesuffix(".exe")


def _after_options(
    words: Sequence[str], at: int, valued: Sequence[str], flags: Sequence[str]
) -> tuple[int, bool]:
    """Where the first word stands from `at` on that is no option, and whether all before it are known."""
    known = True
    while at < len(words) and words[at].startswith("-"):
        name, attached, _ = words[at].partition("=")
        known = known and (name in valued or name in flags)
        at += 2 if name in valued and not attached else 1
    return at, known


def _content(call: Call, otherwise: str) -> Produced:
    """What a revision holds: `REV:path` is a file of the change unless the revision is the base's."""
    named = [at for at in call.arguments.bare if ":" in call.words[at]]
    if not named:
        return plain(otherwise, call.name)
    text = f"{call.name} {shown(call.words[named[0]])}"
    base = all(names_base(call.text_of(at).partition(":")[0]) for at in named)
    return plain("observed" if base else "head-file", text)


def _searched(query: str, text: str) -> Iterator[Produced]:
    """What a search asks about: a label, or the words of titles; numbers and hashes in variables are none."""
    if "label:" in query:
        yield plain("label", text)
    elif any(":" not in word and HOLE not in word for word in query.split()):
        yield plain("title", text)


def _names_in(wanted: str) -> Iterator[str]:
    return (name for name in spread(wanted) if name and HOLE not in name)


def _saves(call: Call) -> bool:
    """Whether the answer goes to a file of the server's naming, or nowhere."""
    if call.arguments.given((*call.row.get("silent", ()), *call.row.get("saves", ()))):
        return True
    return "saves_unless" in call.row and not call.arguments.given(call.row["saves_unless"])


def _request(call: Call) -> Request:
    parsed, row = call.arguments, call.row
    method = parsed.value(row.get("method", ()))
    sends = parsed.given(row.get("sends", ())) and not parsed.given(row.get("queries", ()))
    bodies = tuple(
        # What a file holds that is sent is as unknown as what curl is told to read from one.
        "@" if option.name in row.get("sends_files", ()) else option.value or ""
        for option in parsed.options
        if option.name in row.get("sends", ())
    )
    named = [option.value or "" for option in parsed.options if option.name in row.get("address", ())]
    addresses = named + [call.words[at] for at in parsed.bare]
    default = row.get("default_method", "POST") if sends else "GET"
    method = "HEAD" if parsed.given(row.get("heads", ())) and method is None else method
    return Request(
        call.name, addresses[0] if addresses else "", method or default, bodies, bool(row.get("web"))
    )


@cache
def builtin() -> Programs:
    """The table novote ships."""
    return Programs(table("commands"))


def extended(documents: Iterable[Mapping[str, Any]]) -> Programs:
    """The table with a repository's own documents of `rules/commands` added; its entries win."""
    from novote.knowledge.command_table import merged

    return Programs(merged(table("commands"), documents))
