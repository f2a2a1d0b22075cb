"""Replace files so that a crash at any moment leaves the old one or the new one, whole.

The new file is written beside the old one and takes its name. Where it cannot stand in for the old one, which has other
names (hard links), or an owner or attributes that the system gives to no new file, the old file is overwritten instead,
and the new one lies beside it as a journal until that is done. A file that is half overwritten begins with TORN and is
read from its journal. Saves that are killed leave their temporary files and journals to the next one in the folder.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

if sys.platform != "win32":
    import fcntl

TEMPORARY = re.compile(r"\.cadena-[0-9a-f]{16}")
JOURNAL = re.compile(r"\.cadena-inode-([0-9]+)")
TORN = b"\0The saving of this file was interrupted; open it with Cadena.\0"
PORTION = 1 << 24
OPENING = sum(getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))
NOT_ALLOWED = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP}


def replace_file(target: Path, data: bytes, last_check: Callable[[], None] = lambda: None) -> None:
    """Write `data` to the file, or raise OSError and leave it as it was.

    `last_check` is called just before the new file gets its name; an exception from it cancels the replacement.
    """
    old = _writable(target)
    with _temporary(target.parent, 0o666 if old is None else 0o600) as (temporary, file):
        file.write(data)
        file.flush()
        stands_in = old is None or sys.platform == "win32" or (old.st_nlink == 1 and _take_over(temporary, target, old))
        os.fsync(file.fileno())
        last_check()
        if not stands_in:
            _overwrite_with_journal(target, data, temporary)
        else:
            if sys.platform == "win32":  # where an open file keeps its name
                file.close()
            temporary.replace(target)
    sync_folder(target.parent)
    tidy(target.parent)


def journaled(target: Path, status: os.stat_result) -> bytes | None:
    """The content of the journal for a file that begins with TORN, whose saving goes on or was killed; else None."""
    try:
        data = _journal(target, status).read_bytes()
    except FileNotFoundError:
        return None
    tidy(target.parent)
    return data


def tidy(folder: Path) -> None:
    """Remove what killed saves left in the folder, and finish those that had begun to overwrite their file."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in [entry for entry in entries if entry.name.startswith(".cadena-")]:
            with suppress(OSError):
                if TEMPORARY.fullmatch(entry.name):
                    _remove_abandoned(Path(entry.path))
                elif named := JOURNAL.fullmatch(entry.name):
                    _finish(Path(entry.path), int(named[1]))


# --- the file and its temporary


def _writable(target: Path) -> os.stat_result | None:
    """The status of an old file; None when there is none. Raises OSError where replacing it would be wrong."""
    try:
        old = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    if not stat.S_ISREG(old.st_mode):
        raise OSError(errno.EINVAL, "this is a device, not a file")
    os.close(os.open(target, os.O_WRONLY | OPENING))  # a file that may not be written is not replaced either
    return old


@contextmanager
def _temporary(folder: Path, mode: int) -> Iterator[tuple[Path, BinaryIO]]:
    """A new file, locked as long as it is open; removed at the end if it has kept its name."""
    while True:
        path = folder / f".cadena-{os.urandom(8).hex()}"
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | OPENING, mode)
        if _lock(handle) is not False and os.fstat(handle).st_nlink:
            break
        os.close(handle)  # somebody who tidies up was faster than the lock
    try:
        with os.fdopen(handle, "wb") as file:
            yield path, file
    finally:
        path.unlink(missing_ok=True)


def _take_over(temporary: Path, target: Path, old: os.stat_result) -> bool:
    """Give the new file owner, extended attributes and permissions of the old one; whether the system allows it."""
    new = temporary.stat()
    try:
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            os.chown(temporary, old.st_uid, old.st_gid)
        _take_over_attributes(temporary, target)
        if temporary.stat().st_mode != old.st_mode:
            temporary.chmod(stat.S_IMODE(old.st_mode))
    except OSError as error:
        if error.errno in NOT_ALLOWED:
            return False
        raise
    return True


def _take_over_attributes(temporary: Path, target: Path) -> None:
    """Copy extended attributes, access control lists among them; outside Linux Python knows none, and they are lost."""
    if sys.platform == "linux":
        expected, present = _attributes(target), _attributes(temporary)
        for name in present.keys() - expected.keys():  # such as a list that new files inherit from the folder
            os.removexattr(temporary, name)
        for name, value in expected.items():
            if present.get(name) != value:
                os.setxattr(temporary, name, value)


def _attributes(path: Path) -> dict[str, bytes]:
    try:
        return {name: os.getxattr(path, name) for name in os.listxattr(path)}
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.EOPNOTSUPP):  # a disk that has none
            return {}
        raise


# --- overwriting


def _journal(target: Path, status: os.stat_result) -> Path:
    return target.with_name(f".cadena-inode-{status.st_ino}")


def _overwrite_with_journal(target: Path, data: bytes, temporary: Path) -> None:
    """Write `data`, which `temporary` holds already, into the file itself."""
    with _locked(target) as (handle, status):
        journal = _journal(target, status)
        temporary.replace(journal)
        sync_folder(target.parent)
        try:
            _overwrite(handle, data)
        finally:
            if not _is_torn(handle):
                journal.unlink()


@contextmanager
def _locked(target: Path) -> Iterator[tuple[int, os.stat_result]]:
    """The file, open and locked against whoever would overwrite it too."""
    handle = os.open(target, os.O_RDWR | OPENING)
    try:
        status = os.fstat(handle)
        if _lock(handle) is False or not os.path.samestat(status, target.stat()):
            raise OSError(errno.EBUSY, "is in use")
        yield handle, status
    finally:
        os.close(handle)


def _overwrite(handle: int, data: bytes) -> None:
    """Overwrite the file with `data`, its beginning last. Where there is no room the file stays as it was."""
    size, begins = os.fstat(handle).st_size, os.pread(handle, len(TORN), 0)
    os.pwrite(handle, TORN, 0)
    os.fsync(handle)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(handle, 0, len(data))
    except OSError:
        os.pwrite(handle, begins, 0)
        os.ftruncate(handle, size)
        raise
    written = len(TORN)
    while written < len(data):
        written += os.pwrite(handle, data[written : written + PORTION], written)
    os.ftruncate(handle, written)
    os.fsync(handle)
    os.pwrite(handle, data[: len(TORN)], 0)
    os.ftruncate(handle, len(data))
    os.fsync(handle)


def _is_torn(handle: int) -> bool:
    return os.pread(handle, len(TORN), 0) == TORN


# --- remains of killed saves


def _remove_abandoned(path: Path) -> None:
    handle = os.open(path, os.O_RDWR | OPENING)
    try:
        if stat.S_ISREG(os.fstat(handle).st_mode) and _lock(handle):
            path.unlink()
    finally:
        os.close(handle)


def _finish(journal: Path, inode: int) -> None:
    """Finish the overwriting that the journal belongs to. Where its file is not in the folder, both are left alone."""
    with os.scandir(journal.parent) as entries:
        target = next((Path(entry.path) for entry in entries if entry.inode() == inode), None)
    if target is not None:
        with _locked(target) as (handle, _):
            if _is_torn(handle):
                _overwrite(handle, journal.read_bytes())
            journal.unlink()


def _lock(handle: int) -> bool | None:
    """Lock the open file for as long as it is open; False when another has it, None where the system has no locks."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def sync_folder(folder: Path) -> None:
    """Make a new name survive a power cut; where the system cannot do that, the file is saved nevertheless."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
