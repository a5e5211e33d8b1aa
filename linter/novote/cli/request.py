"""Turns the arguments of an audit into its settings: configuration, rules, baseline."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from novote.audit.baseline import Baseline, read_baseline
from novote.audit.settings import Settings
from novote.cli.discovery.root import Scope
from novote.cli.discovery.tree import FolderTree, Unreadable
from novote.cli.exit_code import UsageError
from novote.config.model import Config
from novote.config.read import DEFAULT_FILE, LoadedConfig, read_config
from novote.model import Problem, SourceText
from novote.nearest import did_you_mean


class Request(NamedTuple):
    """The settings of an audit, and what was wrong with the files they came from.

    `sources` holds the text of those files, for the report.
    """

    settings: Settings
    problems: tuple[Problem, ...] = ()
    sources: tuple[SourceText, ...] = ()


def prepare(args: argparse.Namespace, scope: Scope, known_rules: Sequence[str]) -> Request:
    """Reads configuration and baseline. Raises UsageError for a rule or file that does not exist."""
    tree = FolderTree(scope.root)
    source, problems = _config_source(args.config, tree)
    loaded = LoadedConfig(Config()) if source is None else read_config(source)
    baseline, baseline_problems = _baseline(args.baseline)
    settings = Settings(
        today=datetime.now(UTC).date(),
        tree=tree,
        config=loaded.config,
        select=None if args.select is None else frozenset(known(args.select, known_rules, "--select")),
        ignore=frozenset(known(args.ignore or (), known_rules, "--ignore")),
        baseline=baseline,
        jobs=args.jobs,
    )
    told = (*problems, *loaded.problems, *_misspelt(loaded, known_rules), *baseline_problems)
    return Request(settings, told, () if source is None else (source,))


def known(names: Sequence[str], rules: Sequence[str], option: str) -> Sequence[str]:
    """The names, when each is a rule. Raises UsageError for one that is not."""
    for name in names:
        if name not in rules:
            raise UsageError(f"{option}: no rule {name!r}{did_you_mean(name, rules)}")
    return names


def _config_source(file: str | None, tree: FolderTree) -> tuple[SourceText | None, tuple[Problem, ...]]:
    """The configuration's text: the file asked for, else the repository's own where it has one."""
    if file is not None:
        return _named_file(file, "--config")
    try:
        return tree.load(DEFAULT_FILE), ()
    except Unreadable as error:
        return None, () if error.is_missing else (error.problem,)


def _named_file(file: str, option: str) -> tuple[SourceText | None, tuple[Problem, ...]]:
    """The text of a file named by an option, under the name it was given."""
    folder, name = os.path.split(os.path.abspath(file))
    if not os.path.exists(file):
        raise UsageError(f"{option}: no such file: {file}")
    try:
        source = FolderTree(os.path.realpath(folder)).load_named(name)
    except Unreadable as error:
        return None, (Problem(file, error.problem.kind, error.problem.message),)
    return SourceText(file.replace(os.sep, "/"), source.text), ()


def _misspelt(loaded: LoadedConfig, known_rules: Sequence[str]) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            loaded.config.file or "",
            "bad-config",
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
