"""One workflow, mended."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import date

import pytest

from novote.audit.beside import NOTHING_BESIDE
from novote.audit.mend import Mended, mend
from novote.audit.run import RECURSION_LIMIT
from novote.audit.settings import Settings
from novote.model import SourceText

FILE = ".github/workflows/ci.yml"

Mend = Callable[..., str]


def mended(files: Mapping[str, str], *, unsafe: bool = False) -> Mended:
    """What becomes of some files."""
    sources = [SourceText(name, text) for name, text in sorted(files.items())]
    settings = Settings(date(2026, 1, 1), jobs=1)
    return mend(sources, settings, NOTHING_BESIDE, lambda file: "", unsafe=unsafe)


@pytest.fixture(scope="module")
def mend_files() -> Iterator[Callable[..., Mended]]:
    """`mend_files({name: text}, unsafe=False)`, at the depth that an audit asks for."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(RECURSION_LIMIT)
    yield mended
    sys.setrecursionlimit(before)


@pytest.fixture
def fixed() -> Mend:
    """`fixed(text, unsafe=False, **others)`: the text after its fixes, which a second run does not change."""

    def run(text: str, *, unsafe: bool = False, others: Mapping[str, str] | None = None) -> str:
        files = {FILE: text, **(others or {})}
        done = mended(files, unsafe=unsafe)
        now = {name: source.text for name, source in done.sources.items()}
        assert mended({**files, **now}, unsafe=unsafe).sources == {}
        return now.get(FILE, text)

    return run
