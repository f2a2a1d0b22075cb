"""The palette's chips: one operation each, to drag onto the canvas, double click or press Enter on."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QFontMetrics, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QApplication, QSizePolicy

from cadena.core.notation.definition import definition, derivatives
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.search.catalogue import Entry

MIME = "application/x-cadena-operation"
LONGEST_TIP = 72  # characters in a line of a tooltip


class Chip(QAbstractButton):
    """The symbol of an operation; as a row of the search also its title."""

    activated = Signal(str)

    def __init__(self, operation: Entry, theme: Theme, as_row: bool = False) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # it is painted anew as the mouse comes and goes
        self.operation, self._as_row, self.best = operation, as_row, False
        self._pressed_at: QPoint | None = None
        self.setText(operation.symbol)
        self.setAccessibleName(operation.title)
        self.setAccessibleDescription(operation.doc)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        if as_row:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(look.font(theme))
        self.updateGeometry()
        self.update()

    def set_best(self, best: bool) -> None:
        """Mark the chip that Enter in the search field takes."""
        self.best = best
        self.update()

    def sizeHint(self) -> QSize:
        metrics, pad = QFontMetrics(self.font()), round(10 * self._theme.type)
        width = max(metrics.horizontalAdvance(self.text()) + 2 * pad, round(34 * self._theme.type))
        return QSize(width, metrics.height() + round(10 * self._theme.type))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height()) if self._as_row else self.sizeHint()

    # --- painting

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        self._paint_ground(painter)
        painter.setFont(self.font())
        painter.setPen(self._theme.color("text"))
        if not self._as_row:
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
            return
        pad = round(10 * self._theme.type)
        metrics, room = QFontMetrics(self.font()), self.rect().adjusted(pad, 0, -pad, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.text())
        if self.operation.title != self.text():
            room.setLeft(room.left() + max(metrics.horizontalAdvance(self.text()) + pad, round(44 * self._theme.type)))
            painter.setPen(self._theme.color("muted"))
            title = metrics.elidedText(self.operation.title, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, title)

    def _paint_ground(self, painter: QPainter) -> None:
        theme = self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        flat = theme.field == theme.window
        line = theme.line * (2.0 if self.best else 1.0)
        edge = theme.color("ink" if self.best else "border")
        painter.setPen(QPen(edge, line) if self.best or flat else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("hover" if self.underMouse() else "field"))
        room = QRectF(self.rect()).adjusted(line / 2, line / 2, -line / 2, -line / 2)
        radius = room.height() / 2 if self.operation.is_leaf and not self._as_row else look.RADIUS
        painter.drawRoundedRect(room, radius, radius)

    # --- mouse and keys

    def mousePressEvent(self, event) -> None:
        self._pressed_at = event.position().toPoint() if event.button() is Qt.MouseButton.LeftButton else None
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event) -> None:
        if self._pressed_at is None:
            return
        if (event.position().toPoint() - self._pressed_at).manhattanLength() >= QApplication.startDragDistance():
            self.drag(self._pressed_at)
            self._pressed_at = None
            self.setDown(False)

    def mouseDoubleClickEvent(self, event) -> None:
        self._pressed_at = None
        if event.button() is Qt.MouseButton.LeftButton:
            self.activated.emit(self.operation.name)

    def keyPressEvent(self, event) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit(self.operation.name)
        else:
            event.ignore()  # the palette moves the focus

    def drag(self, grabbed_at: QPoint) -> None:
        """Take the operation along with the mouse until it is let go."""
        drag = QDrag(self)
        drag.setMimeData(self.mime())
        drag.setPixmap(self.ghost())
        drag.setHotSpot(grabbed_at)
        drag.exec(Qt.DropAction.CopyAction)

    def mime(self) -> QMimeData:
        """What a drag carries: the operation's name."""
        data = QMimeData()
        data.setData(MIME, QByteArray(self.operation.name.encode()))
        return data

    def ghost(self) -> QPixmap:
        """The chip, half transparent, as it follows the mouse."""
        whole = self.grab()
        ghost = QPixmap(whole.size())
        ghost.setDevicePixelRatio(whole.devicePixelRatio())
        ghost.fill(Qt.GlobalColor.transparent)
        painter = QPainter(ghost)
        painter.setOpacity(0.8)
        painter.drawPixmap(0, 0, whole)
        painter.end()
        return ghost

    # --- help

    def event(self, event) -> bool:
        if event.type() is QEvent.Type.ToolTip and not self.toolTip():
            self.setToolTip(self.tip())  # written when first asked for: reading the rules takes a while
        return super().event(event)

    def tip(self) -> str:
        """Title, formula, derivatives and help, in plain text."""
        op = self.operation
        formulas = [definition(op.name, latex=False), *derivatives(op.name, latex=False)]
        title = op.title if op.is_function else op.title.capitalize()
        lines = [title, *(line for line in formulas if line), "", *_wrapped(op.doc), ""]
        return "\n".join([*lines, "Drag it onto the canvas, or double-click."])


def _wrapped(text: str) -> list[str]:
    import textwrap

    return textwrap.wrap(text, LONGEST_TIP)
