"""Starts a command: finds it in the table, reads its arguments, turns what happens into an exit code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

from novote import __version__
from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.refusal import explain_refusal, refused_claim
from novote.cli.streams import Streams, standard_streams

if TYPE_CHECKING:
    import argparse


class CommandEntry(NamedTuple):
    """A row of the table of commands; `module` is imported only when the command is asked for.

    The name of a command is a word, or two where several commands are about one thing: `map check`. `clears`
    is an option that names a file which must not outlive a refusal, not even of the command line.
    """

    module: str
    summary: str
    clears: str | None = None


COMMANDS: dict[str, CommandEntry] = {
    "check": CommandEntry("novote.cli.check", "check a repository: the main job"),
    "audit": CommandEntry("novote.cli.audit", "the static part of check alone"),
    "diff": CommandEntry("novote.cli.diff", "say what a change does to the gate itself"),
    "init": CommandEntry("novote.cli.init.run", "write a starter map, workflow, owners, settings and hook"),
    "recompute": CommandEntry(
        "novote.cli.recompute", "make the matrix of changed paths and the fixture map", clears="--out"
    ),
    "compare": CommandEntry("novote.cli.compare", "show the author's list of fixtures beside CI's"),
    "map init": CommandEntry("novote.cli.map.init", "draft a fixture map from the tree"),
    "map check": CommandEntry("novote.cli.map.check", "validate and lint the fixture map"),
    "map explain": CommandEntry(
        "novote.cli.map.explain", "say which rules and fixtures a path hits, and why"
    ),
    "map add": CommandEntry("novote.cli.map.add", "add patterns to the map, and keep all else in it"),
    "explain": CommandEntry("novote.cli.explain", "say what a rule means, why, and what to do instead"),
    "rules": CommandEntry("novote.cli.rules", "list the rules"),
    "table": CommandEntry("novote.cli.table", "print which sources may decide what"),
    "run": CommandEntry("novote.cli.run", "run one fixture under CI's ceiling and record each attempt"),
    "promote": CommandEntry("novote.cli.promote", "say whether a commit may merge"),
    "hook install": CommandEntry("novote.cli.hook.install", "install the pre-push hook"),
    "hook run": CommandEntry("novote.cli.hook.run", "what the pre-push hook does, as advice before a push"),
    "ledger verify": CommandEntry("novote.cli.ledger.verify", "check that a ledger is whole and untouched"),
    "ledger checkpoint": CommandEntry("novote.cli.ledger.checkpoint", "note how far a ledger goes"),
    "ledger merge": CommandEntry("novote.cli.ledger.merge", "bring several ledgers together"),
    "ledger show": CommandEntry("novote.cli.ledger.show", "print the attempts of a ledger"),
    "ledger import-junit": CommandEntry(
        "novote.cli.ledger.import_junit", "record what a test report says was tried"
    ),
    "ledger push": CommandEntry("novote.cli.ledger.push", "add a ledger to a branch of a git repository"),
    "ledger pull": CommandEntry("novote.cli.ledger.pull", "add what that branch holds to a ledger"),
    "ledger stats": CommandEntry("novote.cli.ledger.stats", "say how often fixtures flake, and how surely"),
    "completions": CommandEntry(
        "novote.cli.completions.run", "print a script that completes this command line in a shell"
    ),
}


class Command(Protocol):
    """What a module of the table offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declares the command's own arguments."""

    def run(self, args: argparse.Namespace, streams: Streams) -> ExitCode:
        """Carries it out. Raises UsageError where the arguments make no sense together."""


def run_command_line(arguments: Sequence[str], streams: Streams | None = None) -> int:
    """Runs one command line and returns its exit code; never raises."""
    streams = streams or standard_streams()
    verbose = "-v" in arguments or "--verbose" in arguments
    try:
        code = _dispatch(list(arguments), streams)
    except UsageError as error:
        streams.complain(str(error))
        code = ExitCode.USAGE
    except KeyboardInterrupt:
        streams.complain("interrupted")
        code = ExitCode.INTERRUPTED
    except Exception as error:
        _report_bug(error, streams, verbose)
        code = ExitCode.BUG
    return int(code if streams.flush() else max(code, ExitCode.USAGE))


def _dispatch(arguments: list[str], streams: Streams) -> ExitCode:
    before, name, after = _split(arguments)
    clears = COMMANDS[name].clears if name in COMMANDS else None
    if clears is not None:
        from novote.cli.matrix_file import remove_named

        remove_named(clears, after)
    option = refused_claim(arguments, name)
    if option is not None:
        raise UsageError(explain_refusal(option))
    if name == "help":
        before, name, after = _split(["--help", *after])
    if name is None:
        return _without_command(before, streams)
    entry = COMMANDS.get(name)
    if entry is None:
        return _without_entry(name, before, after, streams)
    from novote.cli.arguments import parse

    command: Command = import_module(entry.module)
    args = parse(name, entry.summary, command.add_arguments, [*before, *after], streams)
    return ExitCode.CLEAN if args is None else command.run(args, streams)


def _split(arguments: list[str]) -> tuple[list[str], str | None, list[str]]:
    """Global options, the command, and what follows it."""
    index = 0
    while index < len(arguments) and arguments[index].startswith("-"):
        index += 2 if arguments[index] == "--color" else 1
    if index >= len(arguments):
        return arguments, None, []
    before, name, after = arguments[:index], arguments[index], arguments[index + 1 :]
    if after and f"{name} {after[0]}" in COMMANDS:
        return before, f"{name} {after[0]}", after[1:]
    return before, name, after


def _without_entry(name: str, before: list[str], after: list[str], streams: Streams) -> ExitCode:
    """Says which commands begin with a word that alone is none."""
    family = {command: entry for command, entry in COMMANDS.items() if command.startswith(f"{name} ")}
    if not family:
        raise UsageError(_unknown_command(name, COMMANDS))
    if {"--help", "-h"} & {*before, *after}:
        streams.write(f"usage: novote {name} COMMAND ...\n\ncommands:\n{_listed(family)}\n")
        return ExitCode.CLEAN
    word = next((word for word in after if not word.startswith("-")), None)
    if word is not None:
        raise UsageError(_unknown_command(f"{name} {word}", family))
    raise UsageError(f"which command? There are {', '.join(f'`novote {command}`' for command in family)}")


def _listed(commands: Mapping[str, CommandEntry]) -> str:
    width = max(map(len, commands))
    return "\n".join(f"  {name:<{width}}  {entry.summary}" for name, entry in commands.items())


def _without_command(options: list[str], streams: Streams) -> ExitCode:
    if "--version" in options:
        streams.write(f"novote {__version__}\n")
        return ExitCode.CLEAN
    if "--help" in options or "-h" in options:
        streams.write(usage())
        return ExitCode.CLEAN
    raise UsageError("which command? Try `novote check` in a repository, or `novote --help`")


def usage() -> str:
    """The text of `novote --help`."""
    return (
        "usage: novote [--color WHEN] [-q] [-v] COMMAND ...\n\n"
        "Proves where the author of a change chooses the exam.\n\n"
        f"commands:\n{_listed(COMMANDS)}\n\n"
        "options, before or after the command:\n"
        "  --color auto|always|never  when to colour text (default: auto)\n"
        "  -q, --quiet                findings only, no excerpts\n"
        "  -v, --verbose              say more: configuration, notes, suppressed findings, traces\n"
        "  --version                  print the version\n"
        "  -h, --help                 this text; `novote COMMAND --help` for a command's own\n\n"
        "examples:\n"
        "  novote check                     say what is wrong in this repository\n"
        "  novote explain claim-skips-exam  say what to do instead\n"
        "  novote init --dry-run            show what would let CI choose the exams\n\n"
        "exit codes: 0 clean, 1 findings, 2 usage or a refused claim, 3 unreadable input, 4 a bug of ours,\n"
        "130 interrupted\n"
    )


def _unknown_command(name: str, known: Mapping[str, CommandEntry]) -> str:
    from novote.nearest import did_you_mean

    elsewhere = f"to check a path, write `novote check {name}`"
    if known is not COMMANDS:
        elsewhere = f"there are {', '.join(known)}"
    hint = did_you_mean(name, known) or f"; {elsewhere}"
    return f"no command {name!r}{hint}"


def _report_bug(error: Exception, streams: Streams, verbose: bool) -> None:
    streams.complain(f"a bug of novote: {type(error).__name__}: {error}")
    if not verbose:
        streams.complain("please report it with the output of the same command and -v")
        return
    import traceback

    for line in traceback.format_exception(error):
        streams.error.write(line)
