"""`novote hook install`: puts the pre-push hook where git looks for it, beside whatever is there already."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from typing import NamedTuple

from novote.cli.exit_code import ExitCode, UsageError
from novote.cli.hook.record import FOLDER, LABEL, PATHS
from novote.cli.hook.script import KEPT, hook_script, is_ours
from novote.cli.streams import Streams
from novote.cli.whole_file import write_whole

_NAME = "pre-push"
_OWN_SCOPES = ("local", "worktree")
_BY_HAND = 'write `novote hook run "$@"` into your own pre-push hook'


class Places(NamedTuple):
    """Where the hooks of a repository lie, and the list of files that git overlooks; absolute."""

    hooks: str
    exclude: str

    @property
    def hook(self) -> str:
        """The file that git starts."""
        return os.path.join(self.hooks, _NAME)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`hook install` takes nothing of its own."""


def run(args: argparse.Namespace, streams: Streams) -> ExitCode:
    """Installs the hook; a second time changes nothing. Raises UsageError where that cannot be done."""
    places = find_places()
    kept = put_hook(places)
    if not args.quiet:
        _tell(places.hook, kept, streams)
    return ExitCode.CLEAN


def put_hook(places: Places) -> bool:
    """Puts the hook in its place; whether it runs another one after its own work.

    Raises UsageError where that cannot be done.
    """
    try:
        os.makedirs(places.hooks, exist_ok=True)
        kept = _keep_other(places.hooks, places.hook)
        write_whole(places.hook, os.fsencode(hook_script(sys.executable)), 0o755)
        _overlook(places.exclude)
    except OSError as error:
        raise UsageError(f"cannot install {places.hook}: {error.strerror}") from None
    return kept


def find_places() -> Places:
    """Asks git, with all of the user's configuration, as `git push` will. Raises UsageError."""
    bare = _git("rev-parse", "--is-bare-repository")
    if bare is None:
        raise UsageError("there is no git repository here; run this inside one")
    top = os.curdir if bare == "true" else _git("rev-parse", "--show-toplevel") or os.curdir
    _check_scope(_git("config", "--show-scope", "--get", "core.hooksPath") or "")
    paths = [
        _git("-C", top, "rev-parse", "--path-format=absolute", "--git-path", name)
        for name in ("hooks", "info/exclude")
    ]
    if paths[0] is None or paths[1] is None:
        raise UsageError("git does not say where its hooks lie; install git 2.38 or newer")
    if os.path.normpath(paths[0]).endswith(os.path.join(".husky", "_")):
        raise UsageError(f"husky writes {paths[0]} itself; {_BY_HAND}, .husky/pre-push")
    return Places(paths[0], paths[1])


def _check_scope(setting: str) -> None:
    """Raises UsageError where the hooks of all repositories lie in one folder."""
    scope, _, folder = setting.partition("\t")
    if setting and scope not in _OWN_SCOPES:
        raise UsageError(
            f"core.hooksPath is set to {folder} for more than this repository ({scope} configuration), so a "
            "hook there would run everywhere; give this repository hooks of its own "
            f"(`git config core.hooksPath .git/hooks`), or {_BY_HAND}"
        )


def _git(*arguments: str) -> str | None:
    """What git says, without the last line break; None where it fails."""
    from novote.git.error import GitError
    from novote.git.process import find_git

    try:
        done = subprocess.run((find_git(), *arguments), capture_output=True, check=False)
    except GitError as error:
        raise UsageError(str(error)) from None
    return os.fsdecode(done.stdout).removesuffix("\n") if done.returncode == 0 else None


def _keep_other(hooks: str, target: str) -> bool:
    """Moves a hook that is not ours out of the way, for ours to run; whether there is such a hook."""
    kept = os.path.join(hooks, KEPT)
    if os.path.lexists(target) and not _is_ours(target):
        if os.path.lexists(kept):
            raise UsageError(
                f"there are two hooks to run after ours, {target} and {kept}; join them into the latter"
            )
        os.rename(target, kept)
    return os.path.lexists(kept)


def is_installed(places: Places) -> bool:
    """Whether the hook is there already."""
    return os.path.isfile(places.hook) and _is_ours(places.hook)


def _is_ours(path: str) -> bool:
    if os.path.islink(path):
        return False
    with open(path, "rb") as file:
        return is_ours(file.read(1000).decode("utf-8", "replace"))


def _overlook(exclude: str) -> None:
    """Has git overlook what the hook writes down, so that nobody commits it."""
    lines = [f"/{FOLDER}/{name}" for name in (PATHS, LABEL)]
    os.makedirs(os.path.dirname(exclude), exist_ok=True)
    with open(exclude, "a+b") as file:
        file.seek(0)
        there = file.read().decode("utf-8", "replace")
        missing = [line for line in lines if line not in there.splitlines()]
        lead = "\n" if there and not there.endswith("\n") else ""
        if missing:
            file.write((lead + "".join(f"{line}\n" for line in missing)).encode("ascii"))


def _tell(target: str, kept: bool, streams: Streams) -> None:
    from novote.report.escape import terminal

    lines = [f"the pre-push hook is {target}"]
    if kept:
        lines.append(f"after its own work it runs {KEPT} beside it, with the same input")
    lines.append("it is advice: it can be skipped (--no-verify), so CI checks everything again")
    restore = f"; then rename {KEPT} back to {_NAME}" if kept else ""
    lines.append(f"to uninstall, remove it{restore}")
    for line in lines:
        streams.write(f"{terminal(line)}\n")
