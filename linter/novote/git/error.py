"""Why git gives no answer."""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "no-git",
    "old-git",
    "no-repository",
    "bad-ref",
    "ambiguous-ref",
    "shallow",
    "replaced",
    "grafted",
    "no-merge-base",
    "conflict",
    "missing-object",
    "wrong-object",
    "too-large",
    "failed",
]


class GitError(Exception):
    """A question that git cannot or must not answer; the message says what to do, `kind` names the cause.

    The message quotes names of the repository as they are: escape it for where it is shown.
    """

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
