"""What no report says, on standard error: what was read, what was left out, what is stale."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from novote.cli.discovery.root import folder_of
from novote.cli.repository import Audited
from novote.cli.request import Asked
from novote.cli.streams import Streams

_SHOWN = 3


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
        streams.complain(
            "no workflow or action found. novote reads .github/workflows/*.yml and every action.yml of the "
            "repository around PATH; name a repository, a folder or a file"
        )
    if several:
        _on_several([item for item in found if item.scope.marked], base, streams)
    elif asked.baseline is not None and not args.paths:
        _on_stale_entries(asked, found[0], streams)


def _on_one(args: argparse.Namespace, audited: Audited, several: bool) -> list[str]:
    told = []
    if args.verbose and (audited.scope.marked or not several):
        told.append(f"configuration: {audited.config.file or 'none, there is no .github/novote.yml'}")
    if audited.nested and audited.scope.marked:
        told.append(f"left out: {_listed(audited.nested, 'repositories')} below this folder")
    return told


def _on_several(repositories: Sequence[Audited], base: str, streams: Streams) -> None:
    streams.complain(f"{len(repositories)} repositories, each audited by itself")
    empty = [folder_of(item.scope.root, base) or "." for item in repositories if item.empty]
    if empty and len(empty) < len(repositories):
        streams.complain(f"no workflow or action in {_listed(empty, 'repositories')}")


def _listed(names: Sequence[str], what: str) -> str:
    shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    return f"{len(names)} {what} ({shown})"


def _on_stale_entries(asked: Asked, audited: Audited, streams: Streams) -> None:
    """Says which entries of the baseline nothing matches any more."""
    from novote.audit.baseline import stale_entries

    if asked.baseline is None:
        return
    stale = [e for e in stale_entries(asked.baseline, audited.report.findings) if asked.wants(e.rule)]
    for entry in stale[:5]:
        streams.complain(
            f"the baseline still knows {entry.number} `{entry.rule}` in {entry.file}: none is left"
        )
    if len(stale) > 5:
        streams.complain(f"and {len(stale) - 5} more entries; --write-baseline writes it anew")
