"""The open documents of a window. The session shows one of them; of the others there is all that it needs to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from cadena.core.graph.document import Document
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.files.opening import Files
from cadena.gui.files.recovery.keeper import Recovery, WorkCopy
from cadena.gui.panels.parts.panel_layout import PanelLayout
from cadena.gui.panels.parts.panel_record import Panels
from cadena.gui.session.session import Session
from cadena.gui.session.state import DocumentState, name_of

MOST_CLOSED = 10  # documents that can be opened again


@dataclass(eq=False)
class OpenDocument:
    """A document that is open. While it is shown, the session knows better than the fields below."""

    copy: WorkCopy | None  # its recovery copy; None: it is closed
    state: DocumentState
    camera: Any = None  # None: the whole graph is shown
    seen: str = ""  # the digest of its file when it was last read or written
    modified: bool = False
    panels: PanelLayout | None = None  # what is open around it; None: what is usually open

    @property
    def name(self) -> str:
        return name_of(self.state.path, self.state.graph)


@dataclass(frozen=True)
class DocumentLabel:
    """What a tab says of a document."""

    name: str
    modified: bool
    path: Path | None


class Documents(QObject):
    """Opens, shows and closes documents, in the order of their tabs; nothing unsaved goes without a question."""

    changed = Signal()  # the labels, or which document is shown
    leaving = Signal()  # another document is about to be shown

    def __init__(self, session: Session, files: Files, recovery: Recovery, view: Canvas, panels: Panels) -> None:
        super().__init__(session)
        self._panels = panels
        self._session, self._files, self._recovery, self.view = session, files, recovery, view
        self._open = [OpenDocument(recovery.copy, session.state)]
        self.index = 0  # of the one that is shown
        self._closed: list[OpenDocument] = []  # the last one was closed last
        self._label: DocumentLabel | None = None  # of the shown one, as it was announced
        self.elsewhere: Callable[[Path], bool] = lambda path: False  # another window shows this file
        files.places = self
        session.opened.connect(self._announce)
        session.fileChanged.connect(self._follow)

    def __len__(self) -> int:
        return len(self._open)

    @property
    def labels(self) -> list[DocumentLabel]:
        """What the tabs say."""
        shown = self._present_label
        return [shown if at == self.index else _label(one) for at, one in enumerate(self._open)]

    @property
    def _present_label(self) -> DocumentLabel:
        session = self._session
        return DocumentLabel(name_of(session.path, session.graph), session.modified, session.path)

    def _follow(self) -> None:
        if len(self._open) > 1 and self._present_label != self._label:
            self._announce()

    def _announce(self) -> None:
        self._label = self._present_label
        self.changed.emit()

    # --- showing

    def show(self, index: int) -> None:
        """Show another open document, as it was left."""
        if index != self.index and 0 <= index < len(self._open):
            self._put_away()
            self._bring(index)

    @property
    def key(self) -> object:
        """Of the shown document, as long as it is open."""
        return self._recovery.copy

    def show_again(self, key: object) -> bool:
        """Show the document with this key; whether it is open."""
        index = next((at for at, one in enumerate(self._open) if one.copy is key), None)
        if index is not None:
            self.show(index)
        return index is not None

    def turn(self, by: int) -> None:
        """Show the next document, or the one before; after the last comes the first."""
        self.show((self.index + by) % len(self._open))

    def shows(self, path: Path) -> bool:
        """Show the document of this file, if it is open, here or in another window."""
        index = self.index_of(path)
        if index is not None:
            self.show(index)
        return index is not None or self.elsewhere(path)

    def index_of(self, path: Path) -> int | None:
        """The index of the document of this file, by whatever name."""
        paths = [label.path for label in self.labels]
        return next((at for at, one in enumerate(paths) if one is not None and _is_same(one, path)), None)

    def _put_away(self) -> None:
        """Note what the session shows."""
        self._session.playback.pause()
        self._session.settling.emit()
        self._files.finish_saving()
        self.view.cancel_gesture()
        self.leaving.emit()
        self._open[self.index] = self._present()

    def _bring(self, index: int) -> None:
        self.index, one = index, self._open[index]
        assert one.copy is not None
        self._recovery.copy = one.copy
        self._files.know(one.state.path, one.seen)
        self._session.open_again(one.state)
        self._panels.show(one.panels)
        if one.camera is not None:
            self.view.look(one.camera)
        self._files.look()  # at changes to the file since

    def move(self, start: int, end: int) -> None:
        """Note that the tab `start` was moved to `end`."""
        shown = self._open[self.index]
        self._open.insert(end, self._open.pop(start))
        self.index = self._open.index(shown)

    # --- opening

    def may_open(self) -> bool:
        return True

    def make_room(self, beside: bool = False) -> None:
        """Let the next document have a tab: the shown one where that is untouched and is not kept `beside`."""
        self._session.settling.emit()
        self._files.finish_saving()
        if beside or not self.is_untouched:
            self._put_away()
            self._insert(OpenDocument(self._recovery.new_copy(), self._session.state))

    def _insert(self, one: OpenDocument) -> None:
        """Put a document behind the shown one, to be shown next."""
        self.index += 1
        self._open.insert(self.index, one)
        assert one.copy is not None
        self._recovery.copy = one.copy

    @property
    def is_untouched(self) -> bool:
        """Whether the shown document is a lesson or an empty graph in which nothing was done."""
        session = self._session
        history = session.history
        return session.path is None and not (session.levels or history.past or history.future or session.modified)

    def add(self, one: OpenDocument) -> None:
        """Show a document that was closed here, or open elsewhere."""
        if not self.is_untouched:
            self._put_away()
            one.copy = self._recovery.new_copy()
            self._insert(one)
        else:
            one.copy = self._recovery.copy
            self._open[self.index] = one
        self._bring(self.index)

    def add_behind(self, documents: Iterable[OpenDocument]) -> None:
        """Add documents behind the last tab without showing them."""
        for one in documents:
            one.copy = self._recovery.new_copy()
            self._open.append(one)
        self._announce()

    def reopen(self) -> None:
        """Open the document again that was closed last, with its history."""
        if self._closed:
            one = self._closed.pop()
            if one.state.path is None or not self.shows(one.state.path):
                self.add(one)

    @property
    def can_reopen(self) -> bool:
        """Whether a document was closed."""
        return bool(self._closed)

    # --- closing

    def close(self, index: int | None = None) -> bool:
        """Close a document, by default the shown one; ask about unsaved work. Returns whether it is closed."""
        index = self.index if index is None else index
        if index == self.index or self._open[index].modified:
            self.show(index)
            if not self._files.may_leave():
                return False
        one = self.take(index)
        if not one.state.history.present.nodes and not one.modified:
            return True  # nobody wants an empty one back
        self._closed = [*self._closed, one][-MOST_CLOSED:]
        self._announce()
        return True

    def close_others(self, index: int) -> None:
        """Close all documents but one; stop where the user wants to keep one."""
        self.show(index)
        copies = [one.copy for one in self._open]  # what a document keeps while others are shown
        for copy in copies:
            if copy is not copies[index] and not self.close(self._with(copy)):
                return
        self.show(self._with(copies[index]))

    def _with(self, copy: WorkCopy | None) -> int:
        return [one.copy for one in self._open].index(copy)

    def take(self, index: int) -> OpenDocument:
        """Take a document out, unasked; the one beside it is shown. Where it was the only one, an empty one is left."""
        if index == self.index:
            self._put_away()
        one = self._open[index]
        copy, one.copy = one.copy, None
        if len(self._open) == 1:
            self._open = [OpenDocument(self._recovery.new_copy(), one.state)]
            self._recovery.copy = self._open[0].copy or self._recovery.copy
            self._session.open(Document({}), None)
            self._session.show_live()
        else:
            del self._open[index]
            if index == self.index:
                self._bring(min(index, len(self._open) - 1))
            elif index < self.index:
                self.index -= 1
        if copy is not None:
            self._recovery.drop(copy)
        self._announce()
        return one

    def hand_over(self, index: int, other: Documents) -> None:
        """Give a document to another window. Its recovery copy goes when it has one there."""
        if index == self.index:
            self._put_away()
        one = self._open[index]
        other.add(replace(one, copy=None))
        other._recovery.try_to_write()
        self.take(index)

    def may_leave(self) -> bool:
        """Whether all documents may be closed: they are saved, or the user agrees. It is asked once for all."""
        if not self._files.may_give_up():
            return False
        self._session.settling.emit()
        self._files.finish_saving()
        unsaved = [at for at, label in enumerate(self.labels) if label.modified]
        if len(unsaved) <= 1:
            for at in unsaved:
                self.show(at)
            return self._files.may_leave()
        answer = self._files.ask_to_save([self.labels[at].name for at in unsaved])
        return self._save(unsaved) if answer == "save" else answer == "discard"

    def _save(self, indices: Iterable[int]) -> bool:
        for at in indices:
            self.show(at)
            if not (self._files.save() and self._files.finish_saving()):
                return False
        return True

    def noted(self) -> list[OpenDocument]:
        """All open documents as they are now."""
        return [self._present() if at == self.index else one for at, one in enumerate(self._open)]

    def _present(self) -> OpenDocument:
        """The shown document as it is now."""
        session, view, panels = self._session, self.view, self._panels.layout
        camera = None if view.shows_all else view.camera
        return OpenDocument(self._recovery.copy, session.state, camera, self._files.known, session.modified, panels)


def _label(one: OpenDocument) -> DocumentLabel:
    return DocumentLabel(one.name, one.modified, one.state.path)


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path == other.absolute() or path.samefile(other)
    except OSError:
        return False
