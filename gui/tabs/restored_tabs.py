"""What was open, noted from one start to the next: files and lessons with the view and the moment of each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import msgspec

from cadena.core.graph.fault import Refused
from cadena.core.methods.names import METHODS, Method
from cadena.core.storage.files import contents, document_in
from cadena.core.teaching.lessons import lesson_of, open_lesson
from cadena.core.text.wording import Listing
from cadena.gui.files.on_disk import digest_of
from cadena.gui.frame.documents import Documents, OpenDocument
from cadena.gui.panels.parts.panel_layout import PanelLayout
from cadena.gui.session.session import Session
from cadena.gui.session.state import DocumentState

MOST_NAMED = 3  # files in a sentence
ONE_LEFT_OUT = "{names} cannot be opened again: it was deleted, moved or changed"
SEVERAL_LEFT_OUT = "{names} cannot be opened again: they were deleted, moved or changed"


class NotedDocument(msgspec.Struct):
    """A document that was open: a file, or a lesson."""

    path: str | None = None
    lesson: str | None = None
    camera: tuple[float, float, float] | None = None
    live: bool = False
    time: float = 0.0
    method: Method | None = None
    panels: PanelLayout | None = None

    @property
    def name(self) -> str:
        return Path(self.path).name if self.path else f"lesson {self.lesson}"


class NotedWindow(msgspec.Struct):
    """The documents of a window, and which of them was shown."""

    documents: list[NotedDocument]
    shown: int = 0


def noted(windows: Sequence[Documents]) -> str:
    """What these windows have open, as a text for the settings. What is in no file is left out: recovery has that."""
    plain = msgspec.to_builtins([_noted_window(documents) for documents in windows])
    return json.dumps(plain)  # json: a path may hold bytes that are no text


def _noted_window(documents: Documents) -> NotedWindow:
    listed, shown = list[NotedDocument](), 0
    for index, one in enumerate(documents.noted()):
        if (document := _noted_document(one)) is not None:
            listed.append(document)
            shown = len(listed) - 1 if index <= documents.index else shown
    return NotedWindow(listed, shown)


def _noted_document(one: OpenDocument) -> NotedDocument | None:
    state = one.state
    lesson = lesson_of(state.graph) if state.path is None and not one.modified else None
    if state.path is None and lesson is None:
        return None
    outer = state.levels[0].around if state.levels else state  # what is shown within a function is not in the file
    camera = state.levels[0].camera if state.levels else one.camera
    place = astuple(camera) if camera is not None else None
    path, name = (str(state.path) if state.path else None), (lesson.name if lesson else None)
    return NotedDocument(path, name, place, outer.live, outer.time, state.method, one.panels)


def read_notes(text: str) -> list[NotedWindow]:
    """Read what `noted` wrote; nothing where that is damaged."""
    try:
        windows = msgspec.convert(json.loads(text), list[NotedWindow])
    except (ValueError, RecursionError):  # ValidationError is a ValueError
        return []
    return [window for window in windows if window.documents]


def restore(session: Session, documents: Documents, window: NotedWindow) -> None:
    """Open the documents again, in the place of a lesson in which nothing was done; say which cannot be opened."""
    missing, opened, shown = list[str](), list[OpenDocument](), None
    camera = type(documents.view.camera)
    for index, document in enumerate(window.documents):
        try:
            one = _opened(document, camera)
        except Refused:
            missing.append(document.name)
            continue
        opened.append(one)
        shown = one if index == window.shown else shown
    if opened:
        documents.add(opened[0])
        documents.add_behind(opened[1:])
        documents.show(opened.index(shown) if shown else 0)
    if missing:
        template = ONE_LEFT_OUT if len(missing) == 1 else SEVERAL_LEFT_OUT
        session.news.emit(template.format(names=Listing(tuple(missing), most=MOST_NAMED).worded()))


def _opened(noted_: NotedDocument, camera: Any) -> OpenDocument:
    """The document as it was left. Raises Refused where it can no longer be read."""
    path, seen = (Path(noted_.path) if noted_.path else None), ""
    if path is not None:
        data = contents(path)
        document, seen = document_in(data, path), digest_of(data)
    else:
        document = open_lesson(noted_.lesson or "")
    method = noted_.method if noted_.method is not None and noted_.method.name in METHODS else Method()
    live, time = noted_.live, max(noted_.time, 0.0)
    state = replace(DocumentState.opening(document, path, document, method), method=method, live=live, time=time)
    place = camera(*noted_.camera) if noted_.camera else None
    return OpenDocument(None, state, place, seen, panels=noted_.panels)
