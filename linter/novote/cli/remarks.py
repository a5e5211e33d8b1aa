"""What no report says, on standard error: what was read, what was left out, what is stale."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from novote.audit.baseline import Baseline, stale_entries
from novote.audit.settings import Settings
from novote.cli.discovery.root import folder_of
from novote.cli.repository import Audited
from novote.cli.request import Asked
from novote.cli.streams import Streams
from novote.config.model import ADDITIONS, ADDITIONS_FOLDER
from novote.config.read import DEFAULT_FILE
from novote.model import Report

_SHOWN = 3
_MISNAMED = (".github/novote.yaml", "novote.yml", "novote.yaml", ".novote.yml", ".novote.yaml")


def remark(
    args: argparse.Namespace, asked: Asked, found: Sequence[Audited], base: str, streams: Streams
) -> None:
    """Writes the remarks on an audit; `base` is the folder from which repositories are named."""
    several = len(found) > 1
    for item in found:
        folder = folder_of(item.scope.root, base) if several else ""
        for text in _on_one(args, item, several):
            streams.complain(f"{folder}: {text}" if folder else text)
    if all(item.empty for item in found):
        streams.complain(_on_nothing(found))
    if several:
        _on_several([item for item in found if item.scope.marked], base, streams)
    elif asked.settings.baseline is not None and not args.paths:
        _on_stale_entries(asked.settings, asked.settings.baseline, found[0].report, streams)
    if len(found) == 1 and asked.about.whole:
        from novote.cli.first_steps import first_steps

        for text in first_steps(args, asked.about, found[0]):
            streams.complain(text)


def _on_nothing(found: Sequence[Audited]) -> str:
    scope = found[0].scope
    if len(found) == 1 and scope.marked and not scope.whole:
        inside = ", ".join((*scope.folders, *scope.files)) or "the input"
        return f"no workflow or action at or below {inside}; without PATH the whole repository is audited"
    return (
        "no workflow or action found. novote reads .github/workflows/*.yml and every action.yml of the "
        "repository around PATH; name a repository, a folder or a file"
    )


def _on_one(args: argparse.Namespace, audited: Audited, several: bool) -> list[str]:
    told = []
    if args.verbose and (audited.scope.marked or not several):
        told.append(f"configuration: {audited.config.file or 'none, there is no .github/novote.yml'}")
    if audited.config.file is None:
        told += [f"{name} is not read; the configuration is {DEFAULT_FILE}" for name in _misnamed(audited)]
    told += (*audited.remarks, *_misplaced(audited))
    if audited.fixes is not None:
        told += audited.fixes.remarks
    told += _ignored_in_vain(args, audited)
    if audited.nested and audited.scope.marked:
        told.append(f"left out: {_listed(audited.nested)} below this folder")
    return told


def _on_several(repositories: Sequence[Audited], base: str, streams: Streams) -> None:
    streams.complain(f"{_number(repositories)}, each audited by itself")
    empty = [folder_of(item.scope.root, base) or "." for item in repositories if item.empty]
    if empty and len(empty) < len(repositories):
        streams.complain(f"no workflow or action in {_listed(empty)}")


def _misnamed(audited: Audited) -> list[str]:
    """Files that are meant as a configuration and lie where none is read."""
    root = audited.scope.root
    return [name for name in _MISNAMED if os.path.lexists(os.path.join(root, name))]


def _misplaced(audited: Audited) -> list[str]:
    """Folders and YAML files beside those that hold the repository's own knowledge."""
    folder = os.path.join(audited.scope.root, ADDITIONS_FOLDER)
    if not os.path.isdir(folder):
        return []
    try:
        with os.scandir(folder) as entries:
            found = sorted(e.name for e in entries if e.is_dir() or e.name.endswith((".yml", ".yaml")))
    except OSError:
        return []
    where = f"what is read lies in its folders {', '.join(ADDITIONS)}"
    strangers = [name for name in found if name not in ADDITIONS][:_SHOWN]
    return [f"{ADDITIONS_FOLDER}/{name} is not read; {where}" for name in strangers]


def _ignored_in_vain(args: argparse.Namespace, audited: Audited) -> list[str]:
    """What the configuration ignores and nothing is found of, where everything was looked at."""
    if args.select is not None or args.ignore or not audited.scope.whole:
        return []
    found = {(finding.rule, finding.location.file) for finding in audited.report.findings}
    return [
        f"the configuration ignores `{entry.rule}` in {', '.join(entry.paths) or 'all files'}: none is there"
        for entry in audited.config.ignore
        if not any(entry.covers(rule, file) for rule, file in found)
    ]


def _number(repositories: Sequence[object]) -> str:
    return f"{len(repositories)} {'repository' if len(repositories) == 1 else 'repositories'}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    return f"{_number(names)} ({shown})"


def _on_stale_entries(settings: Settings, baseline: Baseline, report: Report, streams: Streams) -> None:
    """Says which entries of the baseline nothing matches any more."""
    stale = [entry for entry in stale_entries(baseline, report.findings) if settings.wants(entry.rule)]
    for entry in stale[:5]:
        streams.complain(
            f"the baseline still knows {entry.number} `{entry.rule}` in {entry.file}: none is left"
        )
    if len(stale) > 5:
        streams.complain(f"and {len(stale) - 5} more entries; --write-baseline writes it anew")
