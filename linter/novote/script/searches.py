"""`grep` and its like: a search is a question about text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from novote.algebra.cond import Cond
from novote.algebra.value import Content, Value
from novote.script import ask
from novote.script.regex import affordable, basic, safe_pattern
from novote.script.text import derived, join_values, literal

if TYPE_CHECKING:
    from novote.script.tools import Call

_LONG: Final = {
    "--quiet": "q", "--silent": "q", "--ignore-case": "i", "--invert-match": "v", "--count": "c",
    "--fixed-strings": "F", "--extended-regexp": "E", "--perl-regexp": "P", "--word-regexp": "w",
    "--line-regexp": "x", "--only-matching": "o", "--files-with-matches": "l", "--max-count": "m",
}  # fmt: skip
_VALUED: Final = "efmABCd"


def _flags(call: Call) -> frozenset[str]:
    found: set[str] = set()
    for word in call.words[1:]:
        text = literal(word) or ""
        if text in _LONG:
            found.add(_LONG[text])
        elif text[:1] == "-" and text[1:2] not in ("-", ""):
            for char in text[1:]:
                found.add(char)
                if char in _VALUED:
                    break
        elif text[:1] == "/" and call.name == "findstr":
            found.add(text[1:2].lower())
    return frozenset(found)


def search(call: Call) -> tuple[Value, Cond]:
    """What a search prints, and where it finds something."""
    machine, universe = call.machine, call.machine.universe
    flags = _flags(call)
    patterns = [call.word(at) for at in call.tool.scripts]
    inputs = call.inputs()
    if not inputs or not patterns:
        first = call.places[0]
        status = universe.atom(f"`{call.name}` at {first.file}:{first.span.start} succeeds", test="status")
        return machine.value(derived(universe, call.name, [])), status
    given = join_values(universe, inputs) if len(inputs) > 1 else inputs[0]
    asked = [pattern.map(lambda content: _pattern(call.name, content, flags)) for pattern in patterns]
    nocase = "i" in flags or "y" in flags
    flavour: ask.Flavour = "fixed" if _is_fixed(call.name, flags) else "regex"
    if "v" in flags:
        printed = given.map(lambda content: _printed(call, content, asked, flags))
        ok = ask.is_nonempty(universe, printed)
    else:
        ok = universe.any_of(ask.holds_match(universe, given, pattern, flavour, nocase) for pattern in asked)
    if "q" in flags:
        return machine.value(""), ok
    if "v" not in flags:
        printed = given.map(lambda content: _printed(call, content, asked, flags))
    if "c" not in flags:
        printed = Value.choose(ok, printed, machine.value(""))
    return printed, ok


def _is_fixed(name: str, flags: frozenset[str]) -> bool:
    return (name == "fgrep" or "F" in flags or (name == "findstr" and "r" not in flags)) and not flags & {
        "x",
        "w",
    }


def _pattern(name: str, content: Content, flags: frozenset[str]) -> Content:
    if not isinstance(content, str) or _is_fixed(name, flags):
        return content
    if "F" in flags or name == "fgrep":
        content = re.escape(content)
    elif name == "grep" and not flags & {"E", "P"}:
        content = basic(content)
    if "x" in flags:
        return f"^{content}$"
    return rf"\b{content}\b" if "w" in flags else content


def _printed(call: Call, content: Content, patterns: list[Value], flags: frozenset[str]) -> Content:
    sources = [literal(pattern) for pattern in patterns]

    def lines(text: Content) -> Content | None:
        if not isinstance(text, str) or None in sources or len(text) > ask.MAX_MATCHED:
            return None
        spelled = map(re.escape if _is_fixed(call.name, flags) else str, map(str, sources))
        compiled = [safe_pattern(source, "regex", "i" in flags) for source in spelled]
        if None in compiled:
            return "" if not text.strip() and "v" not in flags else None
        kept: list[str] = []
        longest = max(map(len, text.splitlines()), default=0)
        if not all(p is not None and affordable(p.pattern, longest) for p in compiled):
            return None
        for line in text.splitlines():
            found = [m for p in compiled if p is not None for m in p.finditer(line)]
            if bool(found) == ("v" in flags):
                continue
            kept += [m[0] for m in found] if "o" in flags else [line]
        if "c" in flags:
            return f"{len(kept)}\n"
        return "".join(f"{line}\n" for line in kept)

    known = lines(content)
    if known is not None:
        return known
    what = " ".join(str(source) for source in sources if source)[:60]
    origins = frozenset().union(*(pattern.origins() for pattern in patterns))
    return derived(
        call.machine.universe,
        f"{call.name} {what!r}",
        [content],
        lambda again: lines(again[0]),
        also=origins,
        nonempty=not flags & {"c", "o", "v"},
    )
