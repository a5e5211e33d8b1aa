"""Writes files that are there only when they are whole."""

from __future__ import annotations

import os


def write_whole(path: str, data: bytes, mode: int | None = None) -> None:
    """Puts a file in its place at once, so that nobody sees half of it; makes its folder where it is missing.

    `mode` are its permissions whatever the umask says, None for the usual ones. What was there stays until
    the new file is on the disk, and stays where writing fails. Raises OSError and ValueError.
    """
    folder, name = os.path.split(path)
    new = os.path.join(folder, f".{name}.{os.urandom(8).hex()}")
    if folder:
        os.makedirs(folder, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(new, flags, 0o666 if mode is None else mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(new, mode)
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise
