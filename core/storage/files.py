"""Files on disk: read within limits, saved so that a crash at any moment leaves the old file or the new one, whole."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from core.document import Document, Position
from core.fault import Refused
from core.storage.decoding import decode
from core.storage.encoding import encode

MOST_BYTES = 1 << 29

REASONS = {
    errno.ENOENT: "there is no such file or folder; check the name",
    errno.ENOTDIR: "there is no such folder; check the name",
    errno.EISDIR: "this is a folder; choose a file",
    errno.EACCES: "permission is denied; change the permissions or choose another place",
    errno.EPERM: "permission is denied; change the permissions or choose another place",
    errno.EROFS: "the disk is read-only; choose another place",
    errno.ENOSPC: "the disk is full; free some space or choose another place",
    errno.EDQUOT: "your share of the disk is used up; free some space or choose another place",
    errno.EFBIG: "the disk takes no file as large as this; choose another place",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
    errno.ELOOP: "its symbolic links lead in a circle; choose another file",
}


def reason(error: OSError | ValueError) -> str:
    """What went wrong with a file and what to do, for the user."""
    code = error.errno if isinstance(error, OSError) else None
    strerror = error.strerror if isinstance(error, OSError) else None
    return REASONS.get(code or 0, f"{(strerror or str(error)).lower()}; choose another place")


class _Arranged(Mapping[str, Position]):
    """A layout with a place for each node, found when first looked at: who only runs a graph need not wait for it."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _places(self) -> Mapping[str, Position]:
        from core.layout import complete

        return complete(self._document).layout

    def __getitem__(self, name: str) -> Position:
        return self._places[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return repr(self._places)


def load(path: str | os.PathLike[str]) -> Document:
    """The document in the file, every node with a place. Raises Refused with one sentence when it cannot be read."""
    document = read(path)
    if document.nodes.keys() <= document.layout.keys():
        return document
    return replace(document, layout=_Arranged(document))


def read(path: str | os.PathLike[str]) -> Document:
    """The document as the file has it: nodes may lack a place. Raises Refused like `load`."""
    try:
        data = _bytes(path)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        raise Refused(f"{os.fspath(path)}: the file cannot be read: {reason(error)}") from None
    except MemoryError:
        raise Refused(f"{os.fspath(path)}: the file is larger than the free memory; close other programs") from None
    try:
        return decode(data, os.fspath(path))
    except MemoryError:
        raise Refused(f"{os.fspath(path)}: its graph is larger than the free memory; close other programs") from None


def _bytes(path: str | os.PathLike[str]) -> bytes:
    if not os.fspath(path):  # which a Path takes for the current folder
        raise Refused("the name of the file is empty; give one")
    with Path(path).open("rb") as file:
        found = os.fstat(file.fileno())
        if found.st_size <= MOST_BYTES:
            # A pipe or device does not tell its size, and may be endless.
            data = file.read() if stat.S_ISREG(found.st_mode) else file.read(MOST_BYTES + 1)
            if len(data) <= MOST_BYTES:
                return data
    raise Refused(f"{os.fspath(path)}: the file has more than {MOST_BYTES >> 20} megabytes; choose a smaller one")


def save(document: Document, path: str | os.PathLike[str]) -> None:
    """Write the document to the file, or, when that fails, leave the old file untouched and raise Refused.

    Permissions of an existing file stay; of a symbolic link the target is replaced.
    """
    data = encode(document)
    try:
        replace_file(Path(os.path.realpath(path)), data)
    except (OSError, ValueError) as error:
        raise Refused(f"{os.fspath(path)}: the file cannot be saved: {reason(error)}") from None


def replace_file(target: Path, data: bytes) -> None:
    """Write `data` to the file so that a crash at any moment leaves the old file or the new one, whole; or OSError."""
    old = _writable(target)
    temporary = target.with_name(f".cadena-{secrets.token_hex(8)}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            if old is not None:
                _take_over(temporary, old)
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _writable(target: Path) -> os.stat_result | None:
    """What is known about an old file; None when there is none. Raises OSError where replacing it would be wrong."""
    try:
        old = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    if not stat.S_ISREG(old.st_mode):
        raise OSError(errno.EINVAL, "this is a device, not a file")
    os.close(os.open(target, os.O_WRONLY))  # a file that may not be written is not replaced either
    return old


def _take_over(temporary: Path, old: os.stat_result) -> None:
    """Give the new file the owner and the permissions of the old one; only root may give files away."""
    if os.name == "posix" and (old.st_uid, old.st_gid) != (os.getuid(), os.getgid()):
        with suppress(PermissionError):
            os.chown(temporary, old.st_uid, old.st_gid)
    temporary.chmod(stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut; where the system cannot do that, the file is saved all the same."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
