"""What is installed in a user's folders: noted as it is written, so that exactly that can be removed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import reason
from cadena.core.storage.replacing import replace_file

NOTES = "cadena/installed.json"
ASSOCIATIONS = "mimeapps.list"  # which program opens which type, in the folder of settings
DATABASES = ("mime", "applications")  # folders in which the desktop's programs write on their own


class _Notes(msgspec.Struct):
    """What an installation has written."""

    files: dict[str, str] = msgspec.field(default_factory=dict)  # each with the digest of its content
    folders: list[str] = msgspec.field(default_factory=list)  # those that were not there before
    generated: list[str] = msgspec.field(default_factory=list)  # files that the desktop's programs wrote because of it


class Installed:
    """Files in the folders `data` and `config` of a user, with notes on them in a file of their own."""

    def __init__(self, data: Path, config: Path) -> None:
        self.data, self._config = data, config
        self._path = data / NOTES
        self._last = self._path  # the file that was last read or written
        self._notes = self._read()

    @property
    def files(self) -> dict[str, str]:
        """The files that are installed, each with the digest of its content."""
        return self._notes.files

    def refusal(self, error: OSError) -> Refused:
        """A sentence on the file that could not be read, written or removed."""
        file = error.filename if isinstance(error.filename, str) else str(self._last)
        return Refused("{file}: {reason}", file=file, reason=reason(error))

    def _read(self) -> _Notes:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=_Notes)
        except FileNotFoundError:
            return _Notes()
        except OSError as error:
            raise self.refusal(error) from None
        except msgspec.MsgspecError:
            what = "{file}: this list of what was installed is damaged"
            raise Refused(what, "remove it, and install again with --force", file=str(self._path)) from None

    def is_foreign(self, path: Path) -> bool:
        """Whether there is a file that was not installed, or is no longer as it was."""
        return path.is_symlink() or (path.exists() and self.files.get(str(path)) != _digest(path))

    # --- installing

    def write(self, path: Path, data: bytes) -> None:
        """Write a file, after it is in the notes."""
        self._last = path
        self._make_folder(path.parent)
        self.files[str(path)] = hashlib.sha256(data).hexdigest()
        self._save()
        path.unlink(missing_ok=True)  # a link leads elsewhere
        replace_file(path, data)

    @contextmanager
    def noting_new_files(self) -> Iterator[None]:
        """Note also what other programs write."""
        self._make_folder(self._path.parent)
        before = self._there()
        try:
            yield
        finally:
            new = {str(path) for path in self._there() - before} - self.files.keys()
            of_us = {str(folder) for folder in self._path.parents} | {str(self._path)}
            self._notes.generated = sorted({*self._notes.generated, *(new - of_us)} - set(self._notes.folders))
            self._save()

    def _there(self) -> set[Path]:
        """All that is in the folders where other programs write."""
        paths = {path for name in DATABASES for path in (self.data / name).rglob("*")}
        return {path for path in (*paths, self._config, self._config / ASSOCIATIONS) if path.exists()}

    def _make_folder(self, folder: Path) -> None:
        new = [one for one in (folder, *folder.parents) if not one.exists()]
        self._last = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._notes.folders = sorted({*self._notes.folders, *map(str, new)})

    def _save(self) -> None:
        replace_file(self._path, msgspec.json.format(msgspec.json.encode(self._notes), indent=1))

    # --- removing

    def remove_files(self, force: bool) -> Iterator[tuple[Path, bool]]:
        """Remove each file that is as it was written, and others by `force`; yields each with whether it is removed."""
        for name in list(self.files):
            path = self._last = Path(name)
            is_there = path.exists() or path.is_symlink()
            removes = force or not self.is_foreign(path)
            if removes:
                path.unlink(missing_ok=True)
                del self.files[name]
            if is_there:
                yield path, removes

    def drop_association(self, mime_type: str, entry: str) -> None:
        """Let files of this type no longer be opened by the program of this desktop entry."""
        path = self._last = self._config / ASSOCIATIONS
        if not path.exists():
            return
        lines = path.read_text(errors="surrogateescape").splitlines(keepends=True)
        kept = [line for line in lines if not _associates(line, mime_type, entry)]
        if str(path) in self._notes.generated and not any("=" in line for line in kept):
            path.unlink()
        elif kept != lines:
            replace_file(path, "".join(kept).encode(errors="surrogateescape"))

    def others_are_left(self, *folders: str) -> bool:
        """Whether these folders hold files that Cadena did not bring."""
        ours = self.files.keys() | set(self._notes.generated)
        return any(str(path) not in ours for name in folders for path in (self.data / name).glob("*"))

    def remove_rest(self) -> None:
        """Remove what other programs wrote because of the installation, unless it serves others now; then the notes."""
        if not self.others_are_left("mime/packages", "applications"):
            for path in map(Path, self._notes.generated):
                if path.is_relative_to(self.data) and path.is_file():
                    path.unlink()
        if not self.files:
            self._path.unlink()
        folders = {*self._notes.folders, *self._notes.generated}
        for folder in sorted(map(Path, folders), key=lambda path: len(path.parts), reverse=True):
            if folder.is_dir():
                with suppress(OSError):  # somebody else's files are in it by now
                    folder.rmdir()
        if self.files:  # changed ones, which are kept
            self._save()


def _associates(line: str, mime_type: str, entry: str) -> bool:
    """Whether a line of ASSOCIATIONS says only that this program opens this type."""
    key, _, programs = line.strip().partition("=")
    return key.strip() == mime_type and programs.strip().rstrip(";") == entry


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
