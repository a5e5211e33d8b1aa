"""Completion for bash and zsh: both understand the same `case`, and differ in what surrounds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from novote.cli.command_line import Argument, CommandShape, families, names_of

_BASH = """\
# Completes novote in bash. Load it in ~/.bashrc by: source <(novote completions bash)
_novote() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    local command='' word offered=''
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
{commands}
    done
{offers}
    # Where nothing is offered bash completes names of files.
    COMPREPLY=($(compgen -W "$offered" -- "$current"))
}}
complete -o default -F _novote novote
"""

_ZSH = """\
#compdef novote
# Completes novote in zsh. Put it as `_novote` into a folder of $fpath, or load it behind `compinit` by:
# source <(novote completions zsh)
_novote() {{
    local current=${{words[CURRENT]}} previous=${{words[CURRENT-1]}} command='' word offered=''
    for word in "${{(@)words[2,CURRENT-1]}}"; do
{commands}
    done
{offers}
    if [[ -n $offered ]]; then compadd -- ${{=offered}}; else _files; fi
}}
if [[ $funcstack[1] == _novote ]]; then _novote "$@"; else compdef _novote novote; fi
"""


def bash(shapes: Sequence[CommandShape]) -> str:
    """The script for bash."""
    return _BASH.format(commands=_commands(shapes), offers=_lines(_offers(shapes)))


def zsh(shapes: Sequence[CommandShape]) -> str:
    """The script for zsh."""
    return _ZSH.format(commands=_commands(shapes), offers=_lines(_offers(shapes)))


def _commands(shapes: Sequence[CommandShape]) -> str:
    """Takes a word into the command where there is such a command, or the beginning of one."""
    names = (*families(), *(shape.name for shape in shapes))
    known = "|".join(f"'{f' {name}' if ' ' not in name else name}'" for name in names)
    return f"""\
        case "$command $word" in
            {known}) command="${{command:+$command }}$word" ;;
        esac"""


def _offers(shapes: Sequence[CommandShape]) -> Iterator[str]:
    yield 'case "$command" in'
    first = dict.fromkeys(shape.name.partition(" ")[0] for shape in shapes)
    general = shapes[0].general
    yield from _offer("", general, f"offered='{_joined((*first, *names_of(general)))}'")
    for name, following in families().items():
        yield f"    '{name}') offered='{_joined(following)}' ;;"
    for shape in shapes:
        options = f"offered='{_joined(names_of(shape.all_options))}'"
        if shape.operands:
            operands = f"offered='{_joined(shape.operands[0].words)}'"
            options = f'if [[ "$current" == -* ]]; then {options}; else {operands}; fi'
        yield from _offer(shape.name, shape.all_options, options)
    yield "esac"


def _offer(command: str, options: Iterable[Argument], otherwise: str) -> Iterator[str]:
    """What is offered in a command: values behind an option that takes one, else what `otherwise` says."""
    by_words: dict[tuple[str, ...], list[str]] = {}
    for option in options:
        if option.takes and not option.may_be_bare:
            by_words.setdefault(option.words, []).extend(option.names)
    yield f"    '{command}')"
    yield '        case "$previous" in'
    for words, names in by_words.items():
        yield f"            {'|'.join(names)}) offered='{_joined(words)}' ;;"
    yield f"            *) {otherwise} ;;"
    yield "        esac"
    yield "        ;;"


def _joined(words: Iterable[str]) -> str:
    """Words of a list; none of ours needs a quote."""
    return " ".join(words)


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)
