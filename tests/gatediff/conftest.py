"""What the tests of comparisons ask for: two trees in, what is smaller out."""

from __future__ import annotations

from collections.abc import Mapping

from novote.flow.repository import Repository
from novote.gatediff.compare import shrinks
from novote.gatediff.model import Shrink, Side
from novote.knowledge import builtin
from novote.model import SourceText

WORKFLOW = ".github/workflows/ci.yml"


class Files:
    """A tree in memory."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def read(self, path: str) -> SourceText | None:
        return SourceText(path, self._texts[path]) if path in self._texts else None

    def names(self, folder: str) -> list[str]:
        return sorted(path for path in self._texts if path.rpartition("/")[0] == folder)


def side(texts: str | Mapping[str, str]) -> Side:
    """One side; a text alone is that of the only workflow."""
    files = {WORKFLOW: texts} if isinstance(texts, str) else texts
    audited = {
        name: SourceText(name, text) for name, text in files.items() if name.endswith((".yml", ".yaml"))
    }
    return Side(Repository(audited, builtin(), Files(files)))


def compared(before: str | Mapping[str, str], after: str | Mapping[str, str]) -> tuple[Shrink, ...]:
    """What the second tree has less of."""
    return shrinks(side(before), side(after))
