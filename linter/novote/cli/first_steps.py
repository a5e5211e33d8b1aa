"""What to do next, for who runs `novote check` in a repository that has nothing of novote's yet.

Whoever has a map or a configuration, or asks for something in particular, has been here before and is told
nothing.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from novote.cli.about import About
from novote.cli.repository import Audited
from novote.model import Severity

_INIT = (
    "`novote init --dry-run` shows a map, a workflow that selects by it, and what else `novote init` writes"
)
_NEUTRAL = {"paths", "color", "verbose", "jobs"}
"""What anybody may say; every other option is of who knows what to ask for."""


def first_steps(args: argparse.Namespace, about: About, audited: Audited) -> Iterator[str]:
    """Sentences for standard error; none where the repository is no newcomer, or something was not read."""
    if audited.report.problems or not _is_new(args, about, audited):
        return
    wrong = [finding for finding in audited.report.counted() if finding.severity is not Severity.NOTE]
    if wrong:
        worst = min(wrong, key=lambda finding: finding.severity.rank)
        yield f"next: `novote explain {worst.rule}` says why that is wrong and what to write instead"
        yield "`novote check --write-baseline FILE` takes all of it as known, so that only what is new counts"
    else:
        nobody = "either, so nothing here says" if audited.empty else "here, so each workflow says by itself"
        yield f"there is no fixture map {nobody} what a change must pass"
        yield f"next: {_INIT}"


def _is_new(args: argparse.Namespace, about: About, audited: Audited) -> bool:
    root = audited.scope.root
    return (
        audited.scope.whole
        and os.path.lexists(os.path.join(root, ".git"))
        and audited.config.file is None
        and not any(value for name, value in vars(args).items() if name not in _NEUTRAL)
        and not os.path.lexists(os.path.join(root, about.map_file))
    )
