"""Small text tools on text that is known: what they would print.

Each maker takes the words behind the program's name and gives a function of the input, or None where it does
not dare to say.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Final

from novote.script.regex import affordable, safe_pattern

MAX_CHANGED: Final = 4_096
"""Longer text is not changed by patterns."""

Change = Callable[[str], str | None]
Maker = Callable[[Sequence[str]], Change | None]


def _number(words: Sequence[str], default: int) -> int | None:
    for at, word in enumerate(words):
        match = re.fullmatch(r"(?:-n|--lines=)?-?(\d+)", word)
        if match:
            return int(match[1])
        if word in ("-n", "--lines") and at + 1 < len(words) and words[at + 1].lstrip("-").isdigit():
            return int(words[at + 1].lstrip("-"))
        if word.startswith("-") or "+" in word:
            return None
    return default


def _head(words: Sequence[str]) -> Change | None:
    count = _number(words, 10)
    return None if count is None else lambda text: "".join(text.splitlines(keepends=True)[:count])


def _tail(words: Sequence[str]) -> Change | None:
    count = _number(words, 10)
    if count is None or any("+" in word for word in words):
        return None
    return lambda text: "".join(text.splitlines(keepends=True)[-count:]) if count else ""


def _lines(change: Callable[[list[str]], list[str]]) -> Change:
    return lambda text: "".join(f"{line}\n" for line in change(text.splitlines()))


def _sort(words: Sequence[str]) -> Change | None:
    flags = set("".join(words).replace("-", ""))
    if not flags <= set("ur"):
        return None

    def ordered(lines: list[str]) -> list[str]:
        kept = sorted(set(lines)) if "u" in flags else sorted(lines)
        return kept[::-1] if "r" in flags else kept

    return _lines(ordered)


def _uniq(words: Sequence[str]) -> Change | None:
    if words:
        return None
    return _lines(lambda lines: [line for at, line in enumerate(lines) if not at or line != lines[at - 1]])


_CLASSES: Final = {
    "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
    "[:space:]": " \t\n\r\v\f", "[:digit:]": "0123456789", "[:blank:]": " \t",
}  # fmt: skip


def _set(text: str) -> str | None:
    for name, chars in _CLASSES.items():
        text = text.replace(name, chars)
    if "[:" in text:
        return None
    text = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r").replace("\\\\", "\\")
    return re.sub(
        r"(?s)(.)-(.)",
        lambda m: (
            "".join(map(chr, range(ord(m[1]), ord(m[2]) + 1))) if m[1].isalnum() and m[2].isalnum() else m[0]
        ),
        text,
    )


def _tr(words: Sequence[str]) -> Change | None:
    flags = "".join(word[1:] for word in words if word.startswith("-") and len(word) > 1)
    sets = [_set(word) for word in words if not (word.startswith("-") and len(word) > 1)]
    if None in sets or "c" in flags.lower() or not sets:
        return None
    first = str(sets[0])
    if "d" in flags and len(sets) == 1:
        return lambda text: "".join(char for char in text if char not in first)
    if len(sets) != 2 or not sets[1] or "s" in flags:
        return None
    second = str(sets[1])
    second += second[-1] * (len(first) - len(second))
    return lambda text: text.translate(str.maketrans(first, second[: len(first)]))


def _cut(words: Sequence[str]) -> Change | None:
    given = " ".join(words)
    match = re.fullmatch(r"(?:-d ?(.) ?)?-f ?(\d+)(-?)(?: ?-d ?(.))?", given)
    if match is None:
        return None
    separator, number = match[1] or match[4] or "\t", int(match[2]) - 1

    def field(line: str) -> str:
        parts = line.split(separator)
        if len(parts) == 1:
            return line
        return separator.join(parts[number:]) if match[3] else parts[number] if number < len(parts) else ""

    return _lines(lambda lines: [field(line) for line in lines])


def _basename(words: Sequence[str]) -> Change | None:
    if not words or words[0].startswith("-"):
        return None
    name = posixpath.basename(words[0].rstrip("/"))
    end = words[1] if len(words) > 1 else ""
    return lambda _: name.removesuffix(end) + "\n" if end != name else name + "\n"


def _dirname(words: Sequence[str]) -> Change | None:
    if len(words) != 1:
        return None
    return lambda _: (posixpath.dirname(words[0].rstrip("/")) or ".") + "\n"


def _seq(words: Sequence[str]) -> Change | None:
    if not words or len(words) > 3 or not all(re.fullmatch(r"-?\d{1,6}", word) for word in words):
        return None
    numbers = [int(word) for word in words]
    first, step, last = (1, 1, numbers[0]) if len(numbers) == 1 else (
        (numbers[0], 1, numbers[1]) if len(numbers) == 2 else tuple(numbers)
    )  # fmt: skip
    if step == 0 or abs((last - first) // step) > 1_000:
        return None
    found = range(first, last + (1 if step > 0 else -1), step)
    return lambda _: "".join(f"{number}\n" for number in found)


def _count(words: Sequence[str]) -> Change | None:
    if list(words) == ["-l"]:
        return lambda text: f"{text.count(chr(10))}\n"
    return (lambda text: f"{len(text.split())}\n") if list(words) == ["-w"] else None


_SUBSTITUTION: Final = re.compile(r"s([/|#,])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1(g?)(I?)")


def _sed(words: Sequence[str]) -> Change | None:
    """`sed s/old/new/`, one script alone."""
    flags = [word for word in words if word in ("-E", "-r")]
    scripts = [word for word in words if word not in ("-E", "-r", "-e")]
    match = _SUBSTITUTION.fullmatch(scripts[0]) if len(scripts) == 1 else None
    if match is None:
        return None
    compiled = safe_pattern(
        match[2].replace("\\" + match[1], match[1]), "regex" if flags else "basic", bool(match[5])
    )
    if compiled is None or "\\n" in match[3]:
        return None
    pattern = compiled
    new = _replacement(match[3].replace("\\" + match[1], match[1]))

    def change(text: str) -> str | None:
        if len(text) > MAX_CHANGED or not affordable(pattern.pattern, len(text)):
            return None
        try:
            lines = text.split("\n")
            last = [lines.pop()] if lines[-1] == "" else []
            count = 0 if match[4] else 1
            return "\n".join([*(pattern.sub(new, line, count=count) for line in lines), *last])
        except (re.error, IndexError):
            return None

    return change


def _replacement(text: str) -> Callable[[re.Match[str]], str]:
    """What `s///` puts in: `&` is all that was found, a number behind a backslash a group of it."""
    parts = re.findall(r"\\.|&|[^\\&]+", text, re.DOTALL)

    def made(found: re.Match[str]) -> str:
        out = ""
        for part in parts:
            if part == "&":
                out += found[0]
            elif part[0] == "\\" and part[1:].isdigit():
                out += found[int(part[1])] or ""
            else:
                out += part[1:] if part[0] == "\\" else part
        return out

    return made


KNOWN: Final[dict[str, Maker]] = {
    "head": _head, "tail": _tail, "sort": _sort, "uniq": _uniq, "tr": _tr, "cut": _cut, "wc": _count,
    "basename": _basename, "dirname": _dirname, "seq": _seq, "sed": _sed,
}  # fmt: skip
