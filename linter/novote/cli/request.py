"""Turns the arguments of an audit into settings: configuration, rules, baseline."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from novote.audit.baseline import Baseline, read_baseline
from novote.audit.settings import Settings
from novote.cli.about import NO_CHANGE, About, Change, NoChange, find_change, unknown_change
from novote.cli.discovery.tree import FolderTree, Unreadable
from novote.cli.exit_code import UsageError
from novote.cli.fixing import Fixing
from novote.cli.required import NOTHING_SAID, Load, said_in, said_online
from novote.cli.streams import Streams
from novote.config.model import Config
from novote.config.read import DEFAULT_FILE, KIND, LoadedConfig, read_config
from novote.model import DecisionCounts, Problem, Report, SourceText
from novote.nearest import did_you_mean
from novote.record import changed

if TYPE_CHECKING:
    from novote.cli.discovery.pinned import PinnedTree


class Asked(NamedTuple):
    """What the command line asks for in every repository it is about.

    `settings` lack the repository: its tree, and its configuration where `config` is None; their protection
    is what the command line says of it. `report` says what was wrong with the files that the command line
    names, and holds no finding. `about` is the change; `verbose` says to tell people more.
    `fixing` is None where nothing is to be fixed, `online` says to ask GitHub what is required.
    """

    settings: Settings
    rules: Sequence[str]
    config: Config | None
    report: Report
    about: About
    verbose: bool
    fixing: Fixing | None = None
    online: bool = False


class Request(NamedTuple):
    """The settings of an audit, and what was wrong with the configuration they came from.

    `sources` holds the text of that file and of those it names, for the report. `change` is the one to judge,
    where there is one.
    """

    settings: Settings
    problems: tuple[Problem, ...] = ()
    sources: tuple[SourceText, ...] = ()
    change: Change | None = None


def asked(args: argparse.Namespace, known_rules: Sequence[str], about: About = NO_CHANGE) -> Asked:
    """Reads the files that options name. Raises UsageError for a rule or file that does not exist."""
    select = None if args.select is None else frozenset(known(args.select, known_rules, "--select"))
    ignore = frozenset(known(args.ignore or (), known_rules, "--ignore"))
    if select is not None and select <= ignore:
        raise UsageError("--ignore leaves nothing of what --select names")
    config = None if args.config is None else _config_at(args.config, known_rules)
    baseline, problems = _baseline(args.baseline)
    said = said_in(getattr(args, "rulesets", None) or (), lambda file: _named_source(file, "--rulesets"))
    read = [] if config is None else [*config.sources]
    problems = (*(() if config is None else config.problems), *problems, *said.problems)
    sources = {source.file: source for source in (*read, *said.sources)}
    settings = Settings(
        datetime.now(UTC).date(), select=select, ignore=ignore, baseline=baseline, jobs=args.jobs,
        protection=said.protection,
    )  # fmt: skip
    return Asked(
        settings,
        known_rules,
        None if config is None else config.config,
        Report(0, (), problems, DecisionCounts(), sources),
        about,
        args.verbose,
        online=getattr(args, "online", False),
    )


def prepare(asked: Asked, root: str, streams: Streams) -> Request:
    """The settings for one repository, with its own configuration unless another was asked for.

    Where the user names what the change is compared with, that is where the configuration is read: a change
    must not edit what it is judged by.
    """
    tree: FolderTree | PinnedTree = FolderTree(root)
    problems: tuple[Problem, ...] = ()
    change = None
    try:
        change = find_change(asked.about, root, streams)
    except NoChange as error:
        problems = (unknown_change(str(error)),)
    if change is not None and change.is_named:
        from novote.cli.discovery.pinned import PinnedTree

        tree = PinnedTree(FolderTree(root), change.git, change.base)
    own = _Read(asked.config) if asked.config is not None else _own_config(tree, asked.rules)
    said = said_in(own.config.rulesets, _judging(tree))
    answered = said_online(root, asked.about.base) if asked.online else NOTHING_SAID
    protection = asked.settings.protection | said.protection | answered.protection
    settings = changed(asked.settings, tree=tree, config=own.config, protection=protection)
    sources = (*own.sources, *said.sources)
    problems = (*problems, *own.problems, *said.problems, *answered.problems)
    return Request(settings, problems, sources, change)


def unread(request: Request) -> Report:
    """What was wrong with a repository's configuration, as a report of its own."""
    sources = {source.file: source for source in request.sources}
    return Report(0, (), request.problems, DecisionCounts(), sources)


def known(names: Sequence[str], rules: Sequence[str], option: str) -> Sequence[str]:
    """The names, when each is a rule. Raises UsageError for one that is not."""
    for name in names:
        if name not in rules:
            hint = did_you_mean(name, rules) or "; `novote rules` lists them"
            raise UsageError(f"{option}: no rule {name!r}{hint}")
    return names


class _Read(NamedTuple):
    """A configuration, what is wrong with its file, and that file's text."""

    config: Config
    problems: tuple[Problem, ...] = ()
    sources: tuple[SourceText, ...] = ()


def _config_at(file: str, known_rules: Sequence[str]) -> _Read:
    source, problems = _named_file(file, "--config")
    return _Read(Config(), problems) if source is None else _read(source, known_rules)


def _own_config(tree: FolderTree | PinnedTree, known_rules: Sequence[str]) -> _Read:
    """The repository's own configuration, where it has one."""
    try:
        source = tree.load(DEFAULT_FILE)
    except Unreadable as error:
        return _Read(Config(), () if error.is_missing else (error.problem,))
    return _read(source, known_rules)


def _read(source: SourceText, known_rules: Sequence[str]) -> _Read:
    loaded = read_config(source)
    return _Read(loaded.config, (*loaded.problems, *_misspelt(loaded, known_rules)), (source,))


def _named_file(file: str, option: str) -> tuple[SourceText | None, tuple[Problem, ...]]:
    """The text of a file named by an option, under the name it was given."""
    try:
        return _named_source(file, option), ()
    except Unreadable as error:
        return None, (error.problem,)


def _named_source(file: str, option: str) -> SourceText:
    """The same. Raises Unreadable, and UsageError where there is no such file."""
    folder, name = os.path.split(os.path.abspath(file))
    if not os.path.exists(file):
        raise UsageError(f"{option}: no such file: {file}")
    try:
        source = FolderTree(os.path.realpath(folder)).load_named(name)
    except Unreadable as error:
        raise Unreadable(Problem(file, error.problem.kind, error.problem.message)) from None
    return SourceText(file.replace(os.sep, "/"), source.text)


def _judging(tree: FolderTree | PinnedTree) -> Load:
    """Reads files that a change is judged by: at its base, where one is named."""
    return tree.load if isinstance(tree, FolderTree) else tree.load_pinned


def _misspelt(loaded: LoadedConfig, known_rules: Sequence[str]) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            loaded.config.file or "",
            KIND,
            f"There is no rule `{rule[:100]}`{did_you_mean(rule, known_rules)}.",
            span,
        )
        for rule, span in loaded.named
        if rule not in known_rules
    )


def _baseline(file: str | None) -> tuple[Baseline | None, tuple[Problem, ...]]:
    if file is None:
        return None, ()
    source, problems = _named_file(file, "--baseline")
    if source is None:
        return None, problems
    try:
        return read_baseline(source.text), ()
    except ValueError as error:
        return None, (Problem(source.file, "bad-baseline", f"This file {error}."),)
