"""Completion for fish, which shows what each word is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novote.cli.command_line import Argument, CommandShape, families

_HEAD = """\
# Completes novote in fish. Write it to ~/.config/fish/completions/novote.fish
function __novote_at
    set -l command ''
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case {known}
                set command (string trim -- "$command $word")
        end
    end
    test "$command" = "$argv"
end
complete -c novote -f
"""


def fish(shapes: Sequence[CommandShape]) -> str:
    """The script for fish."""
    names = (*families(), *(shape.name for shape in shapes))
    known = " ".join(_quoted(f" {name}" if " " not in name else name) for name in names)
    lines = [*_commands(shapes), *(line for shape in shapes for line in _of_command(shape))]
    return _HEAD.format(known=known) + "".join(f"complete -c novote -n {line}\n" for line in lines)


def _commands(shapes: Sequence[CommandShape]) -> Iterator[str]:
    for name, following in families().items():
        listed = ", ".join(following)
        yield f"{_at('')} -a {name} -d {_quoted(listed)}"
    for shape in shapes:
        first, _, second = shape.name.rpartition(" ")
        yield f"{_at(first)} -a {second} -d {_quoted(shape.summary)}"
    yield from (f"{_at('')} {_option(option)}" for option in shapes[0].general)


def _of_command(shape: CommandShape) -> Iterator[str]:
    for option in shape.all_options:
        yield f"{_at(shape.name)} {_option(option)}"
    if shape.operands:
        first = shape.operands[0]
        offered = f"-a {_quoted(' '.join(first.words))}" if first.words else "-F"
        yield f"{_at(shape.name)} {offered}"


def _at(command: str) -> str:
    return _quoted(f"__novote_at {command}".strip())


def _option(option: Argument) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    return f"{names}{_value(option)} -d {_quoted(option.help)}"


def _value(option: Argument) -> str:
    """`-x`: a value and no file; `-r -F`: a value, files among them."""
    if not option.takes or option.may_be_bare:
        return ""
    if option.words:
        return f" -x -a {_quoted(' '.join(option.words))}"
    return " -r -F" if option.is_file else " -x"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
