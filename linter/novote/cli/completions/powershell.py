"""Completion for PowerShell, in which all is looked up in tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from novote.cli.command_line import CommandShape, families, names_of

_SCRIPT = """\
# Completes novote in PowerShell. Load it in $PROFILE by:
# novote completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName novote -ScriptBlock {{
    param($wordToComplete, $commandAst, $cursorPosition)
    # What may follow a command, and an option of a command; where nothing may, names of files are completed.
    $words = @{{
{words}
    }}
    $operands = @{{
{operands}
    }}
    $values = @{{
{values}
    }}
    $typed = @($commandAst.CommandElements |
        Where-Object {{ $_.Extent.EndOffset -lt $cursorPosition }} |
        Select-Object -Skip 1 | ForEach-Object {{ "$_" }})
    $command = ''
    foreach ($word in $typed) {{
        $next = "$command $word".Trim()
        if ($words.ContainsKey($next)) {{ $command = $next }}
    }}
    $previous = if ($typed.Count) {{ "$command $($typed[-1])" }} else {{ '' }}
    $isOption = $wordToComplete.StartsWith('-')
    $offered = if ($values.ContainsKey($previous)) {{ $values[$previous] }}
        elseif ($isOption -or -not $operands.ContainsKey($command)) {{ $words[$command] }}
        else {{ $operands[$command] }}
    $offered -split ' ' | Where-Object {{ $_ -and $_.StartsWith($wordToComplete) }} | ForEach-Object {{
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }}
}}
"""


def powershell(shapes: Sequence[CommandShape]) -> str:
    """The script for PowerShell."""
    first = dict.fromkeys(shape.name.partition(" ")[0] for shape in shapes)
    words = {"": [*first, *names_of(shapes[0].general)], **families()}
    words |= {shape.name: list(names_of(shape.all_options)) for shape in shapes}
    operands = {shape.name: shape.operands[0].words for shape in shapes if shape.operands}
    options = {"": shapes[0].general, **{shape.name: shape.all_options for shape in shapes}}
    values = {
        f"{command} {name}": option.words
        for command, taken in options.items()
        for option in taken
        if option.takes and not option.may_be_bare
        for name in option.names
    }
    return _SCRIPT.format(words=_table(words), operands=_table(operands), values=_table(values))


def _table(entries: Mapping[str, Iterable[str]]) -> str:
    return "\n".join(f"        '{key}' = '{' '.join(words)}'" for key, words in entries.items())
