"""Mouse events for one widget."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.waiting import until


def drag_to(widget: QWidget, place: QPoint, held: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    """Move the mouse with the left button held (or another, or none) to `place` in `widget`.

    Sent to the widget itself: QTest moves the cursor of the desktop instead, and then another window that a test before
    left open may be the one that feels it.
    """
    overall = QPointF(widget.mapToGlobal(place))
    none, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(place), overall, none, held, keys)
    QApplication.sendEvent(widget, event)


def point_at(widget: QWidget, place: QPoint) -> None:
    """Move the mouse to `place` in `widget`, no button held."""
    drag_to(widget, place, Qt.MouseButton.NoButton)


def wait_for_space(canvas) -> None:
    """Wait until the canvas has made sure that the space bar is up; a bar that is held stays down."""
    until(lambda: not canvas.space_is_down, "the space bar stays down", QApplication.processEvents)
