"""Notes on the canvas: typed in place, moved, changed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit

from cadena.core.graph import memos as core
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.gui.canvas.interaction import placement
from cadena.gui.canvas.interaction.target import Target
from cadena.gui.canvas.rendering import note_lines
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look import theme as look
from cadena.gui.look.wording import worded
from cadena.gui.session.graph_edits import DocumentChange

HINT = "Text, with mathematics between $ signs; # begins a heading. Ctrl+Enter or a click elsewhere keeps it."
NEW_NOTE = (note_lines.WIDE, 70.0)  # canvas units that a note of two lines takes
LEAST = QRectF(0.0, 0.0, 300.0, 110.0)  # pixels


class MemoField(QPlainTextEdit):
    """A note that is being typed: Ctrl+Enter or a click elsewhere keeps it, Esc leaves all as it was."""

    def __init__(self, view: CanvasView, text: str, at: QPointF, keep: Callable[[str], str]) -> None:
        """`keep` takes the text, and says why it cannot be kept."""
        super().__init__(text, view)
        self._view, self._text, self._keep, self._closed = view, text, keep, False
        theme = view.theme
        self.setPlaceholderText(HINT)
        self.setAccessibleName("Note")
        self.setAccessibleDescription(HINT)
        self.setTabChangesFocus(True)
        self.setFont(look.font(theme))
        self.setStyleSheet(f"QPlainTextEdit {{ border: 2px solid {theme.ink}; background: {theme.card}; }}")
        size = LEAST.size() * theme.type
        x = max(0.0, min(at.x(), view.width() - size.width()))
        y = max(0.0, min(at.y(), view.height() - size.height()))
        self.setGeometry(round(x), round(y), round(size.width()), round(size.height()))
        view.session.settling.connect(self._commit)  # else it would go into the graph that is opened next
        view.session.opened.connect(self._end)
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            self._end()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and is_control:
            self._commit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride:  # letters and Esc are typed here, and are no commands
            event.accept()
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._commit()

    def _commit(self) -> None:
        if self._closed:
            return
        trouble = self._keep(self.toPlainText()) if self.toPlainText().strip() != self._text.strip() else ""
        if trouble:
            self._view.session.message.emit(trouble)
            self.setToolTip(trouble)
        else:
            self._end()

    def _end(self) -> None:
        if not self._closed:
            self._closed = True
            if self.hasFocus():
                self._view.setFocus(Qt.FocusReason.OtherFocusReason)
            self.hide()
            self.deleteLater()


class MemoCommands:
    """Each command is one undo step."""

    def __init__(self, view: CanvasView) -> None:
        self.session, self.view = view.session, view

    def start(self, target: Target) -> None:
        """Ask for the text of a note at the mouse, or near the middle of the view where it covers no card."""
        camera, at = self.view.camera, target.place
        if at is None:
            middle = camera.to_world(QPointF(self.view.rect().center()))
            at = camera.to_view(placement.free_place(self.view.places, middle, NEW_NOTE))
        place = self.view.places.home(camera.to_world(at)).toTuple()
        MemoField(self.view, "", at, lambda text: self._edit(lambda now: core.add_memo(now, text, place), "Add a note"))

    def start_edit(self, number: int) -> None:
        """Ask for another text of a note; without one it goes."""
        note = core.memos(self.session.document)[number]

        def change(document: Document, text: str) -> Document:
            """Where the note has gone meanwhile, the text stays as another one."""
            same = next((place for place, one in core.memos(document).items() if one == note), None)
            return core.add_memo(document, text, note.at) if same is None else core.set_text(document, same, text)

        at = self.view.camera.to_view(note_lines.area(note).topLeft())
        keep = lambda text: self._edit(lambda now: change(now, text), "Change a note")  # noqa: E731
        MemoField(self.view, note.text, at, keep)

    def _edit(self, change: DocumentChange, label: str) -> str:
        """Make an edit; why it cannot be made, else ""."""
        try:
            changed = change(self.session.document)
        except Refused as refusal:
            return worded(refusal)
        self.session.edit(lambda _: changed, label)
        return ""
