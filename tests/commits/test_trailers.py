"""Trailers, held against git itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novote.commits.trailers import trailers

_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def by_git(message: bytes, folder: Path, *options: str) -> list[str]:
    command = ("git", *options, "interpret-trailers", "--parse", "--no-divider")
    done = subprocess.run(
        command, input=message, cwd=folder, env=_ENVIRONMENT, capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]


def by_us(message: bytes) -> list[str]:
    return [f"{key}: {value}" for key, value in trailers(message)]


AGENT = b"Patch-Class: agent"

MESSAGES = {
    "plain": b"Title\n\nBody\n\n" + AGENT + b"\n",
    "no-body": b"Title\n\n" + AGENT,
    "any-case": b"Title\n\nPATCH-class: agent\n",
    "blank-before-separator": b"Title\n\nPatch-Class : agent\n",
    "blank-inside-key": b"Title\n\nPatch Class: agent\n",
    "folded": b"Title\n\nPatch-Class:\n agent\n\tor so\n",
    "closing-paragraph": b"Title\n\n" + AGENT + b"\n\nBye\n",
    "subject": AGENT + b"\n",
    "subject-and-body": AGENT + b"\n\nBody\n",
    "no-blank-line": b"Title\n" + AGENT + b"\n",
    "no-blank-line-in-body": b"Title\n\nBody\n" + AGENT + b"\n",
    "mixed-with-sign-off": b"Title\n\nBody\n" + AGENT + b"\nSigned-off-by: A <a@b>\n",
    "too-much-beside-sign-off": b"Title\n\n" + b"Body\n" * 4 + b"Signed-off-by: A <a@b>\n",
    "quarter": b"Title\n\n" + b"Body\n" * 3 + b"Signed-off-by: A <a@b>\n",
    "cherry-pick": b"Title\n\nBody\n" + AGENT + b"\n(cherry picked from commit 1234)\n",
    "divider": b"Title\n\nBody\n---\n\n" + AGENT + b"\n",
    "equals": b"Title\n\nPatch-Class=agent\n",
    "lookalike-hyphen": "Title\n\nPatch\u2010Class: agent\n".encode(),
    "two": b"Title\n\n" + AGENT + b"\n" + AGENT + b"\n",
    "carriage-returns": b"Title\r\n\r\n" + AGENT + b"\r\nA: b\r\n",
    "folded-carriage-returns": b"Title\r\n\r\nA: b,\r\n c\r\n",
    "comments": b"Title\n\n# note\n" + AGENT + b"\n# more\n",
    "comment-behind-a-blank-line": b"Speed up\n\nPatch-Class: agent\n\n# note\n\r",
    "comment-before-fold": b"Title\n\nA: b\n# note\n c\n",
    "commented-out": b"Title\n\n# " + AGENT + b"\n",
    "scissors": b"Title\n\n" + AGENT + b"\n# ------------------------ >8 ------------------------\ndiff\n",
    "conflicts": b"Title\n\n" + AGENT + b"\n\nConflicts:\n\tsrc/a\n",
    "conflicts-then-text": b"Title\n\n" + AGENT + b"\n\nConflicts:\n\tsrc/a\nBody\n",
    "address": b"Title\n\nhttps://example.org/a\n",
    "no-value": b"Title\n\nPatch-Class:\n",
    "fold-first": b"Title\n\n agent\n" + AGENT + b"\n",
    "blank-title": b"\n\n" + AGENT + b"\n",
    "blanks-at-the-end": b"Title\n\n" + AGENT + b"\n  \n\n",
    "two-line-title": b"Title\nmore\n\n" + AGENT + b"\n",
    "not-utf-8": b"Title\n\nA: \xff\n",
    "empty": b"",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_has_the_trailers_that_git_sees(name: str, tmp_path: Path) -> None:
    assert by_us(MESSAGES[name]) == by_git(MESSAGES[name], tmp_path)


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("plain", ["Patch-Class: agent"]),
        ("any-case", ["PATCH-class: agent"]),
        ("blank-before-separator", ["Patch-Class: agent"]),
        ("blank-inside-key", []),
        ("folded", ["Patch-Class: agent or so"]),
        ("closing-paragraph", []),
        ("subject", []),
        ("no-blank-line", []),
        ("no-blank-line-in-body", []),
        ("mixed-with-sign-off", ["Patch-Class: agent", "Signed-off-by: A <a@b>"]),
        ("too-much-beside-sign-off", []),
        ("quarter", ["Signed-off-by: A <a@b>"]),
        ("divider", ["Patch-Class: agent"]),
        ("equals", []),
        ("lookalike-hyphen", []),
        ("two", ["Patch-Class: agent"] * 2),
        ("carriage-returns", ["Patch-Class: agent", "A: b"]),
        ("comments", ["Patch-Class: agent"]),
        ("comment-behind-a-blank-line", ["Patch-Class: agent"]),
    ],
)
def test_what_is_a_trailer(name: str, seen: list[str]) -> None:
    assert by_us(MESSAGES[name]) == seen


@pytest.mark.parametrize(
    ("setting", "name"),
    [
        ("trailer.separators==", "plain"),
        ("trailer.separators=:=", "equals"),
        ("core.commentChar=P", "plain"),
        ("trailer.patch-class.key=Patch-Class", "no-blank-line-in-body"),
    ],
)
def test_no_configuration_changes_what_we_read(setting: str, name: str, tmp_path: Path) -> None:
    assert by_git(MESSAGES[name], tmp_path, "-c", setting) != by_git(MESSAGES[name], tmp_path)
    assert by_us(MESSAGES[name]) == by_git(MESSAGES[name], tmp_path)


_LINES = st.sampled_from(
    [
        *(b"", b"", b" ", b"Body", b"A: b", b"A : b", b" c: d", b"\tfolded", b"# note", b"#", b"Conflicts:"),
        *(b"Signed-off-by: X <x@y>", b"Signed-off-by:X", b"(cherry picked from commit 12)", b":", b"-: x"),
        *(b"https://x", b"Patch-Class: agent", b"A b: c", b"---", b"\r", b"A: b\r", b"\x0b", b"\xc3\xa9: x"),
        b"# ------------------------ >8 ------------------------",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(_LINES, max_size=12), st.sampled_from([b"", b"\n"]))
def test_any_message_has_the_trailers_that_git_sees(lines: list[bytes], end: bytes) -> None:
    message = b"\n".join(lines) + end
    assert by_us(message) == by_git(message, Path(os.devnull).parent)


def test_a_value_of_a_million_lines_ends(ends: None) -> None:
    (trailer,) = trailers(b"Title\n\nKey: a\n" + b" b\n" * 1_000_000)
    assert len(trailer.value) == 2_000_001
