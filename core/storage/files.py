"""Documents on disk: read within limits, and without waiting forever; saved by core.storage.replacing."""

from __future__ import annotations

import errno
import os
import select
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import IO

from cadena.core.graph.document import Document, Position, are_within_reach
from cadena.core.graph.fault import Refused
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from cadena.core.storage.replacing import replace_file

MAX_BYTES = 1 << 29
PIPE_TIMEOUT = 10.0  # seconds to wait for a silent pipe
TRIES = 5  # to read a file that changes while it is read
WITHOUT_WAITING = sum(getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))

REASONS = {
    errno.ENOENT: "there is no such file or folder; check the name",
    errno.ENOTDIR: "there is no such folder; check the name",
    errno.EISDIR: "this is a folder; choose a file",
    errno.EBUSY: "another program is using it; try again in a moment",
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
    """Describe to the user what is wrong with a file and what to do."""
    if isinstance(error, ValueError):  # which each version of Python words anew
        return "no file can have such a name; choose another one"
    return REASONS.get(error.errno or 0, f"{(error.strerror or str(error)).lower()}; choose another place")


def is_gone(path: Path) -> bool:
    """Whether there is nothing of this name; where nobody may look, there can be something."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


class _Arranged(Mapping[str, Position]):
    """A layout with a place for each node, computed when first used: a run of the graph does not wait for it."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _places(self) -> Mapping[str, Position]:
        from cadena.core.layout.arrange import complete

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
    return document_in(contents(path), path)


def read(path: str | os.PathLike[str]) -> Document:
    """The document as the file has it: nodes may lack a place. Raises Refused like `load`."""
    return decoded(contents(path), path)


def document_in(data: bytes, path: str | os.PathLike[str]) -> Document:
    """The document in `data`, the contents of the file `path`, every node with a place. Raises Refused like `load`."""
    document = decoded(data, path)
    if document.nodes.keys() <= document.layout.keys() and are_within_reach(document.layout.values()):
        return document
    return replace(document, layout=_Arranged(document))


def decoded(data: bytes, path: str | os.PathLike[str]) -> Document:
    """The document in `data` as the file has it: nodes may lack a place. Raises Refused like `load`."""
    try:
        return decode(data, os.fspath(path))
    except MemoryError:
        raise Refused(
            "{path}: its graph is larger than the free memory", "close other programs", path=os.fspath(path)
        ) from None


def contents(path: str | os.PathLike[str]) -> bytes:
    """The bytes of the file, or of a pipe that a shell made. Raises Refused like `load`, and never waits forever."""
    name = os.fspath(path)
    if not name:
        raise Refused("the name of the file is empty", "give one")
    try:
        return _contents(name)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        raise Refused("the file cannot be read: {reason}", reason=reason(error)).at(name) from None
    except MemoryError:
        raise Refused("{path}: the file is larger than the free memory", "close other programs", path=name) from None


def _contents(path: str) -> bytes:
    # Before it is opened, which is no small thing for a device; making a Path takes longer than the look.
    _check_kind(path, os.stat(path).st_mode)  # noqa: PTH116
    with os.fdopen(os.open(path, os.O_RDONLY | WITHOUT_WAITING), "rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        _check_kind(path, status.st_mode)
        if stat.S_ISFIFO(status.st_mode):
            return _from_pipe(path, file)
        for _ in range(TRIES):
            _check_size(path, status.st_size)
            data = file.read()
            before, status = status, os.fstat(file.fileno())
            if (before.st_mtime_ns, before.st_size) == (status.st_mtime_ns, status.st_size):
                return data
            file.seek(0)
    raise OSError(errno.EBUSY, "is being written")


def _check_kind(path: str, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    if stat.S_ISREG(mode) or (stat.S_ISFIFO(mode) and os.path.realpath(path).startswith(("/dev/", "/proc/"))):
        return  # a pipe there is what a shell makes of `|` and `<(...)`
    kind = "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
    raise Refused("{path}: this is {kind}, not a file", "choose a file", path=path, kind=kind)


def _check_size(path: str, size: int) -> None:
    if size > MAX_BYTES:
        what = "{path}: the file has more than {max_bytes} megabytes"
        raise Refused(what, "choose a smaller one", path=path, max_bytes=MAX_BYTES >> 20)


def _from_pipe(path: str, pipe: IO[bytes]) -> bytes:
    data = bytearray()
    while True:
        if not select.select([pipe], [], [], PIPE_TIMEOUT)[0]:
            what, remedy = (
                "{path}: nothing has come through this pipe for {seconds:.0f} seconds",
                "write the graph to a file first",
            )
            raise Refused(what, remedy, path=path, seconds=PIPE_TIMEOUT)
        if not (portion := pipe.read(1 << 16)):
            return bytes(data)
        data += portion
        _check_size(path, len(data))


def save(document: Document, path: str | os.PathLike[str]) -> None:
    """Write the document to the file, or, when that fails, leave the old file untouched and raise Refused.

    Owner, permissions and extended attributes of an existing file stay; a file with other names (hard links) is
    refused. Of a symbolic link the target is replaced.
    """
    write(encode(document), path)


def write(data: bytes, path: str | os.PathLike[str], last_check: Callable[[], None] = lambda: None) -> None:
    """Write what `encode` made of a document to the file, like `save`; `last_check` is that of `replace_file`."""
    if len(data) > MAX_BYTES:  # `contents` would refuse it, and the old file would be gone
        what = "{path}: the file would have {size} megabytes, and one of more than {most} cannot be opened"
        sizes = {"size": -(-len(data) >> 20), "most": MAX_BYTES >> 20}
        raise Refused(what, "save a graph with smaller arrays", path=os.fspath(path), **sizes)
    try:
        replace_file(Path(os.path.realpath(path)), data, last_check)
    except (OSError, ValueError) as error:
        raise Refused(
            "{path}: the file cannot be saved: {reason}", path=os.fspath(path), reason=reason(error)
        ) from None
