"""Whatever a workflow looks like, its fixes remove what they say, bring nothing, and leave the rest alone."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from novote.audit.mend import Mended
from novote.audit.run import audit
from novote.audit.settings import Settings
from novote.knowledge.load import table
from novote.model import SourceText

FILE = ".github/workflows/ci.yml"
EXAMPLES = [
    text
    for policy in table("policies")["policies"]
    if policy["match"].get("of", "workflow") == "workflow"
    for example in policy["examples"]
    for key, text in example.items()
    if key != "files"
]
CASES = [
    path.read_bytes().decode("utf-8", "replace")
    for path in sorted((Path(__file__).parents[1] / "cases").rglob("*.yml"))
    if path.parent.name == "workflows"
]
QUEUE = "on: merge_group\njobs:\n  queued:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make test\n"


def wider(text: str) -> str:
    """The same with twice the indentation."""
    lines = text.split("\n")
    return "\n".join(line[: len(line) - len(line.lstrip(" "))] + line for line in lines)


def commented(text: str) -> str:
    """The same with a comment above every job and step."""
    return text.replace("\n    steps:", "\n    # \u00e4\t\n    steps:").replace(
        "\njobs:", "\n\n# all jobs\njobs: # here"
    )


SHAPES = (
    str,
    wider,
    commented,
    str.rstrip,
    lambda text: "\ufeff" + text,
    lambda text: text.replace("runs-on: ubuntu-latest", "runs-on: [self-hosted, 'linux'] # ours"),
)


def rules_of(files: dict[str, str]) -> Counter[str]:
    sources = [SourceText(name, text) for name, text in files.items()]
    return Counter(finding.rule for finding in audit(sources, Settings(date(2026, 1, 1), jobs=1)).findings)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(EXAMPLES + CASES),
    st.lists(st.sampled_from(SHAPES), max_size=3),
    st.booleans(),
    st.booleans(),
    st.sampled_from(("\n", "\r\n")),
)
def test_a_fix_does_what_it_says(
    mend_files: Callable[..., Mended],
    text: str,
    shapes: list[Callable[[str], str]],
    unsafe: bool,
    queue: bool,
    ending: str,
) -> None:
    for shape in shapes:
        text = shape(text)
    text = text.replace("\n", ending)
    files = {FILE: text, **({".github/workflows/queue.yml": QUEUE} if queue else {})}
    done = mend_files(files, unsafe=unsafe)
    now = {**files, **{name: source.text for name, source in done.sources.items()}}
    before, after = rules_of(files), rules_of(now)
    assert after <= before
    assert bool(done.gone) == bool(done.sources)
    assert all(after[rule] < before[rule] for rule in {told.rule for told in done.gone})
    assert mend_files(now, unsafe=unsafe).sources == {}
    kept = [line for line in difflib.ndiff(text.splitlines(), now[FILE].splitlines()) if line[0] == " "]
    assert len(kept) >= len(text.splitlines()) - 6 * len(done.gone)
    assert now[FILE].count("\n") == now[FILE].count(ending)
