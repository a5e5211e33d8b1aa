"""What an audit is asked to do; everything that touches the world arrives from outside."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Protocol

from novote.audit.baseline import Baseline
from novote.config.model import Config
from novote.config.protection import NO_PROTECTION, Protection
from novote.model import SourceText
from novote.record import record


class Tree(Protocol):
    """The repository's other files: scripts, callees, CODEOWNERS, policy."""

    def read(self, path: str) -> SourceText | None:
        """The text of a file named from the root with `/`.

        None where there is none to read: not there, outside the root, reached by a link that leaves it, too
        large, or not text.
        """

    def names(self, folder: str) -> Iterable[str]:
        """Paths of the files that lie directly in a folder, sorted; none where there is no such folder."""


class EmptyTree:
    """No other file at all, for text that comes from nowhere."""

    def read(self, path: str) -> SourceText | None:
        """Nothing."""
        return None

    def names(self, folder: str) -> Iterable[str]:
        """Nothing."""
        return ()


_NO_TREE = EmptyTree()
_NO_CONFIG = Config()


@record
class Settings:
    """How to audit.

    `today` decides whether a suppression has run out. `select` is None for every rule. `jobs` is the number
    of processes, 0 to choose by the number of files. `protection` is what GitHub's own rules are known to
    require, beside what the configuration lists.
    """

    today: date
    tree: Tree = _NO_TREE
    config: Config = _NO_CONFIG
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    baseline: Baseline | None = None
    jobs: int = 0
    protection: Protection = NO_PROTECTION

    def wants(self, rule: str) -> bool:
        """Whether findings of a rule are asked for."""
        return (self.select is None or rule in self.select) and rule not in self.ignore
