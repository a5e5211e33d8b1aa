"""Which scripts are worth following: those that read commits, the request or the event by themselves."""

from __future__ import annotations

import pytest

from novote.flow.entering import reads_claims


@pytest.mark.parametrize(
    "text",
    [
        "git log -1",
        "git -C dir log",
        'git -C "$dir" log -1',
        "git --no-pager log",
        "git -c core.pager=cat --no-pager show",
        "git --git-dir=x -C y -c a=b log",
        "git \\\n  log",
        "subprocess.run(['git', '-C', path, 'log'])",
        'spawn("git", ["--no-pager", "log"])',
        "`git branch --show-current`",
        "gh pr view",
        '["gh", "api"]',
        "jq . $GITHUB_EVENT_PATH",
    ],
)
def test_these_read_what_the_author_writes(text: str) -> None:
    assert reads_claims(text)


@pytest.mark.parametrize(
    "text",
    [
        "git checkout topic",
        "git rev-parse HEAD",
        "git ls-files | logger",
        "ghc pr",
        # Text that options could be found in, in more ways than can be tried.
        "git " + "-" * 100_000,
        "git " + "- " * 50_000,
        "git " + "-a " * 50_000,
        "git -a " * 20_000,
        "git" + " -a b" * 50_000,
        "git" + " \"'" * 50_000,
        "gh " + "#" * 100_000,
    ],
)
def test_these_do_not(text: str) -> None:
    assert not reads_claims(text)
