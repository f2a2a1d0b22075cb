"""A folder for copies, and what a program that was killed leaves in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.gui.files.recovery import writer
from cadena.gui.files.recovery.copies import UnsavedWork
from cadena.gui.files.recovery.keeper import Recovery
from cadena.gui.session.session import Session


def graph(value: float = 2.0, title: str = "") -> Document:
    return Document({"w0": Node("w0", "parameter", value=value)}, title=title, layout={"w0": (0.0, 0.0)})


def modify(session: Session, value: float = 7.0) -> None:
    session.edit(lambda document: edits.set_value(document, "w0", value), "Set w0")


@pytest.fixture(autouse=True)
def patient(monkeypatch) -> None:
    """A copy is waited for, however busy the machine is; nobody waits for the time between two."""
    monkeypatch.setattr(writer, "PATIENCE", 120.0)
    monkeypatch.setattr(writer, "REST", 0.0)
    monkeypatch.setattr(writer, "PAUSE", 0.0)


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "recovery"


@pytest.fixture
def session(qapp) -> Session:
    return Session(graph())


Keep = Callable[[Session], Recovery]


@pytest.fixture
def keep(folder) -> Iterator[Keep]:
    """keep(session): its Recovery, closed at the end."""
    made: list[Recovery] = []

    def keeper(session: Session) -> Recovery:
        made.append(Recovery(session, folder))
        return made[-1]

    yield keeper
    for one in made:
        one.close()


def leave(folder: Path, kept: UnsavedWork, name: str = "old") -> Path:
    """The copy of a program that was killed."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.recovery"
    path.write_bytes(b"".join(kept.file()))
    return path
