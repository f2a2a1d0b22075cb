"""Typing on the canvas: a field over a card's name or value, which keeps the typed text until it is valid."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value, write_value
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.wording import worded
from cadena.gui.session import graph_edits
from cadena.gui.session.graph_edits import Edit

MIN_WIDTH, MIN_SIZE = 110, 12.0


HOW = "Enter keeps what is typed, Esc leaves all as it was"


class InPlaceEditor(QLineEdit):
    """A field: Enter or a click elsewhere commits, Esc cancels. Refused text stays, with a sentence below it.

    `area` says where on the canvas the field lies; `edit` makes an edit of the text; either may raise Refused.
    """

    closed = Signal()
    committed = Signal(str)  # the typed text, after it has been carried out

    def __init__(
        self,
        canvas: CanvasView,
        name: str,
        text: str,
        area: Callable[[], QRectF],
        edit: Callable[[str], Edit],
        label: str,
    ) -> None:
        super().__init__(text, canvas)
        self.name = name
        self._canvas, self._area, self._edit = canvas, area, edit
        self._text = text
        self._closed = False
        self.problem = PlainLabel(parent=canvas)
        self.problem.setWordWrap(True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.hide()
        self.setAccessibleName(label)
        self.setAccessibleDescription(HOW)
        self.textEdited.connect(self._forget_problem)
        canvas.cameraChanged.connect(self.place)
        self.place()
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def place(self) -> None:
        """Place the field over the card, at the canvas's zoom, but never too small to read."""
        if self.name not in self._canvas.document.nodes:  # a view that moves first, before this field is closed
            return
        camera, theme = self._canvas.camera, self._canvas.theme
        area = QRectF(camera.to_view(self._area().topLeft()), camera.to_view(self._area().bottomRight())).toRect()
        font = look.font(theme, max(look.CARD_NAME * camera.zoom, MIN_SIZE / theme.type), bold=True)
        self.setFont(font)
        needed = max(area.width(), MIN_WIDTH, self.fontMetrics().horizontalAdvance(self.text() + "00") + 24)
        height = max(area.height(), self.fontMetrics().height() + 8)
        self.setGeometry(_inside(QRect(area.x(), area.y(), needed, height), self._canvas.rect()))
        self._style()
        if self.problem.text():
            self._place_problem()

    def _style(self) -> None:
        theme = self._canvas.theme
        border = theme.fault if self.problem.text() else theme.ink
        colours = f"background: {theme.card}; color: {theme.text}; selection-background-color: {theme.ink};"
        self.setStyleSheet(
            f"QLineEdit {{ {colours} selection-color: {theme.on_ink}; border: 2px solid {border};"
            f" border-radius: 4px; padding: 0 4px; }}"
        )
        self.problem.setStyleSheet(
            f"QLabel {{ background: {theme.fault_ground}; color: {theme.fault}; border: 1px solid {theme.fault};"
            f" border-radius: 4px; padding: 4px 8px; }}"
        )
        self.problem.setFont(look.font(theme))

    def _place_problem(self) -> None:
        width = min(360, self._canvas.width())
        self.problem.setFixedWidth(width)
        height = self.problem.heightForWidth(width)
        below = QRect(self.x(), self.y() + self.height() + 4, width, height)
        if below.bottom() > self._canvas.height():
            below.moveBottom(self.y() - 4)
        self.problem.setFixedHeight(height)
        self.problem.move(_inside(below, self._canvas.rect()).topLeft())

    def commit(self) -> bool:
        """Carry out the typed text; False, with the sentence shown, when it is refused."""
        if self._closed or self.text() == self._text:
            self.close_editor()
            return True
        text, session = self.text(), self._canvas.session
        try:
            edit = self._edit(text)
            changed = edit.change(session.document)
        except Refused as refusal:
            self._show_problem(worded(refusal))
            return False
        self.close_editor()
        session.edit(lambda _: changed, edit.text)
        self.committed.emit(text)
        return True

    def _show_problem(self, sentence: str) -> None:
        self.problem.setText(f"⚠ {sentence}")
        self.setAccessibleDescription(sentence)
        self.problem.show()
        self.place()
        self.problem.raise_()
        self._canvas.session.message.emit(sentence)

    def _forget_problem(self) -> None:
        self.problem.clear()
        self.problem.hide()
        self.setAccessibleDescription(HOW)
        self.place()

    def close_editor(self) -> None:
        """Close without changing anything."""
        if not self._closed:
            self._closed = True
            self._canvas.cameraChanged.disconnect(self.place)
            if self.hasFocus():  # before it is hidden, or else Qt gives the focus to whatever comes next
                self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
            for widget in (self.problem, self):
                widget.hide()
                widget.deleteLater()
            self.closed.emit()

    @property
    def is_open(self) -> bool:
        return not self._closed

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.commit()
        elif event.key() == Qt.Key.Key_Escape:
            self.close_editor()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab commits; the next one goes on to the next node."""
        self.commit()
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        elsewhere = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
        if event.reason() not in elsewhere:
            self.commit()


def _inside(area: QRect, frame: QRect) -> QRect:
    """`area` moved so that it lies within `frame`, as far as it can."""
    area.moveRight(min(area.right(), frame.right()))
    area.moveLeft(max(area.left(), frame.left()))
    area.moveBottom(min(area.bottom(), frame.bottom()))
    area.moveTop(max(area.top(), frame.top()))
    return area


def name_editor(canvas: CanvasView, name: str) -> InPlaceEditor:
    """A field over a card's name."""

    def edit(typed: str) -> Edit:
        return graph_edits.rename(name, typed.strip())

    return InPlaceEditor(canvas, name, name, lambda: canvas.places.name_area(name), edit, f"Rename {name}")


def value_editor(canvas: CanvasView, name: str) -> InPlaceEditor:
    """A field over a leaf's value. Raises Refused when the node is no leaf or its array is too large to type."""
    node = canvas.session.document.nodes[name]
    if not node.is_leaf:
        raise Refused(
            "{name} is computed from its operands", "set the value of a parameter, input or constant", name=name
        )
    text = "" if node.value is None else write_value(node.value)

    def edit(typed: str) -> Edit:
        return graph_edits.set_value(name, read_value(typed))

    return InPlaceEditor(canvas, name, text, lambda: canvas.places.value_area(name), edit, f"Set {name}")
