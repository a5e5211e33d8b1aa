"""Locks on files that the system lets go of when their holder dies, however it dies; and writing to the disk.

A shared lock is for those who only look: many may have it at once, but nobody beside one that is not shared.
"""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt
    import time

    # A locked byte cannot be read on Windows, so it lies where no file has one. There is no shared lock.
    _AT = 1 << 62
    _PAUSE_S = 0.02

    def lock(descriptor: int, *, shared: bool = False) -> None:
        """Waits for the lock on an open file and takes it."""
        while not try_lock(descriptor, shared=shared):
            time.sleep(_PAUSE_S)

    def try_lock(descriptor: int, *, shared: bool = False) -> bool:
        """Takes the lock on an open file unless another has it."""
        os.lseek(descriptor, _AT, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Gives the lock back."""
        os.lseek(descriptor, _AT, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

    def flush(descriptor: int) -> None:
        """Returns when what was written to an open file is on the disk."""
        os.fsync(descriptor)

    def flush_folder(folder: str) -> None:
        """Nothing: Windows keeps the names in a folder by itself."""

else:
    import fcntl

    def lock(descriptor: int, *, shared: bool = False) -> None:
        """Waits for the lock on an open file and takes it."""
        fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)

    def try_lock(descriptor: int, *, shared: bool = False) -> bool:
        """Takes the lock on an open file unless another has it."""
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Gives the lock back."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def flush(descriptor: int) -> None:
        """Returns when what was written to an open file is on the disk."""
        # macOS leaves it in the disk's own memory unless it is asked for more, which not every disk can do.
        full = getattr(fcntl, "F_FULLFSYNC", None)
        if full is not None:
            try:
                fcntl.fcntl(descriptor, full)
            except OSError:
                pass
            else:
                return
        os.fsync(descriptor)

    def flush_folder(folder: str) -> None:
        """Returns when the names in a folder are on the disk."""
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
