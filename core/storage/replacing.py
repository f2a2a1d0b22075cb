"""Replace files so that a crash at any moment leaves the old one or the new one, whole.

The new file is written beside the old one and takes its name. Where it cannot have what belongs to the old one (other
names, owner, attributes), nothing is written. Saves that are killed leave their temporary files to a later one.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

TEMPORARY = re.compile(r"\.cadena-[0-9a-f]{16}")
ABANDONED = 3600.0  # seconds after which a temporary file belongs to a save that was killed
OPENING = sum(getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))
NOT_ALLOWED = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP}


def replace_file(target: Path, data: bytes, last_check: Callable[[], None] = lambda: None) -> None:
    """Write `data` to the file, or raise OSError and leave it as it was.

    `last_check` is called just before the new file gets its name; an exception from it cancels the replacement.
    """
    old = _replaceable(target)
    temporary = target.with_name(f".cadena-{os.urandom(8).hex()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPENING, 0o666 if old is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if old is not None and sys.platform != "win32":
                _take_over(temporary, target, old)
            os.fsync(handle)
        last_check()
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(target.parent)
    _tidy(target.parent)


def _replaceable(target: Path) -> os.stat_result | None:
    """The status of an old file; None when there is none. Raises OSError where replacing it would be wrong."""
    try:
        old = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    if not stat.S_ISREG(old.st_mode):
        raise OSError(errno.EINVAL, "this is a device, not a file")
    if old.st_nlink > 1:
        raise OSError(errno.EMLINK, "its other names (hard links) would keep the old content")
    os.close(os.open(target, os.O_WRONLY | OPENING))  # a file that may not be written is not replaced either
    return old


def _take_over(temporary: Path, target: Path, old: os.stat_result) -> None:
    """Give the new file owner, extended attributes and permissions of the old one."""
    new = temporary.stat()
    try:
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            os.chown(temporary, old.st_uid, old.st_gid)
        _take_over_attributes(temporary, target)
        if temporary.stat().st_mode != old.st_mode:
            temporary.chmod(stat.S_IMODE(old.st_mode))
    except OSError as error:
        if error.errno in NOT_ALLOWED:
            what = "a new file may not have its owner or attributes"
            raise OSError(errno.ENOTSUP, what) from None
        raise


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


def _tidy(folder: Path) -> None:
    """Remove what killed saves left in the folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in [entry for entry in entries if TEMPORARY.fullmatch(entry.name)]:
            with suppress(OSError):
                if entry.is_file(follow_symlinks=False) and entry.stat().st_mtime < time.time() - ABANDONED:
                    Path(entry.path).unlink()


def sync_folder(folder: Path) -> None:
    """Make a new name survive a power cut; where the system cannot do that, the file is saved nevertheless."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
