"""The manual page, made from the parsers: `python -m novote.cli.manual > docs/novote.1` writes it anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from novote import __version__
from novote.cli.command_line import Argument, CommandShape, command_shapes
from novote.cli.examples import EXAMPLES

_ABOUT = """\
The author can write code; the author does not choose the exam. A pull request's title, body, labels,
comments, branch name and commit messages are written by whoever wrote the change. novote reads GitHub Actions
workflows, follows every decision about an exam back to where it comes from, and proves which of them such a
claim can reach. It also makes the list of exams from what git observes and a map that people own, runs them
under a ceiling that CI owns, and says whether a commit may merge. It works offline, and runs nothing of the
repository that it reads."""

_EXIT_CODES = {
    "0": "clean",
    "1": "findings at or above --fail-on, or a gate that says no",
    "2": "the command line makes no sense, or hands in a claim",
    "3": "some input could not be read; what could be read is reported",
    "4": "a bug of novote",
    "130": "interrupted",
}

_FILES = {
    ".github/novote.yml": "how novote judges this repository",
    "ci/fixture-map.yml": "which paths need which fixtures",
}


def manual() -> str:
    """The page, as roff for man(7)."""
    shapes = command_shapes()
    lines = [
        '.\\" Made by python -m novote.cli.manual from what the commands take.',
        f'.TH NOVOTE 1 "" "novote {__version__}" "User Commands"',
        *_section("NAME", ["novote \\- prove where the author of a change chooses the exam"]),
        *_section("SYNOPSIS", [".B novote", ".RI [ options ] \\~ COMMAND \\~ [ arguments ]"]),
        *_section("DESCRIPTION", _text(_ABOUT)),
        *_section("OPTIONS", ["They may stand before or after the command.", *_arguments(shapes[0].general)]),
        *_section("COMMANDS", (line for shape in shapes for line in _command(shape))),
        *_section("EXIT STATUS", _list(_EXIT_CODES)),
        *_section("FILES", _list(_FILES)),
    ]
    return "\n".join(lines) + "\n"


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f".SH {title}"
    yield from lines


def _command(shape: CommandShape) -> Iterator[str]:
    yield f".SS novote {shape.name}"
    yield from _text(f"{shape.summary[0].upper()}{shape.summary[1:]}.")
    yield from _arguments((*shape.operands, *shape.options))
    for example in EXAMPLES[shape.name]:
        yield from (".PP", *_text(f"{example.purpose[0].upper()}{example.purpose[1:]}:"))
        yield from (".RS", ".EX", *_text(example.line), ".EE", ".RE")


def _arguments(arguments: Iterable[Argument]) -> Iterator[str]:
    for argument in arguments:
        yield ".TP"
        yield _bold_and_italic(argument)
        yield from _text(argument.help)


def _bold_and_italic(argument: Argument) -> str:
    names = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in argument.names)
    takes = f"\\fI{_escaped(argument.takes)}\\fR" if argument.takes else ""
    return f"{names} {f'[{takes}]' if argument.may_be_bare and names else takes}".strip()


def _list(entries: dict[str, str]) -> Iterator[str]:
    for name, meaning in entries.items():
        yield from (".TP", f"\\fB{_escaped(name)}\\fR", *_text(meaning))


def _text(text: str) -> Iterator[str]:
    return (_escaped(line) for line in text.splitlines())


def _escaped(text: str) -> str:
    """Text that roff shows as it is, a line of it at a time."""
    shown = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", shown)


if __name__ == "__main__":
    print(manual(), end="")
