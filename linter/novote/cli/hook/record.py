"""Writes down which paths a push changes: a hint for people, made where the author is, and never evidence."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from novote.cli.exit_code import UsageError
from novote.cli.whole_file import write_whole

FOLDER = ".ci"
PATHS = "changed.txt"
LABEL = "changed.hint.txt"
LABEL_TEXT = f"""\
{PATHS} beside this file is claimed: the pre-push hook wrote it on the machine of whoever pushed last.
It is a hint for people. CI asks git itself what changed (`novote recompute --base`), and never reads it.
"""

_QUOTED = re.compile(rb'[\x00-\x1f\x7f"\\]')
_NAMED = {b"\t": b"\\t", b"\n": b"\\n", b'"': b'\\"', b"\\": b"\\\\"}


def record(top: str, paths: Sequence[bytes]) -> None:
    """Writes the paths below a work tree as `git diff --name-only` would, and beside them what they are.

    Raises UsageError where they cannot be written, and where a link would lead the writing elsewhere.
    """
    folder = os.path.join(top, FOLDER)
    try:
        if os.path.islink(folder):
            raise UsageError(f"{FOLDER} is a link, so the changed paths are not written; make it a folder")
        write_whole(os.path.join(folder, PATHS), b"".join(_line(path) for path in paths))
        write_whole(os.path.join(folder, LABEL), LABEL_TEXT.encode("ascii"))
    except OSError as error:
        raise UsageError(f"cannot write {FOLDER}/{PATHS}: {error.strerror}") from None


def _line(path: bytes) -> bytes:
    """A path on a line; in quotation marks, as git has it, where it would not be read back as it is."""
    quoted = _QUOTED.sub(lambda match: _NAMED.get(match[0]) or b"\\%03o" % ord(match[0]), path)
    return path + b"\n" if quoted == path else b'"' + quoted + b'"\n'
