"""The focus as the keyboard moves it: from panel to panel, back to the canvas, and a ring that shows where it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QApplication, QWidget

from cadena.gui.look.theme import Theme

Reason = Qt.FocusReason
BY_KEYS = (Reason.TabFocusReason, Reason.BacktabFocusReason, Reason.ShortcutFocusReason)


class Rounds(QObject):
    """Filter for the window: Esc that nobody else uses returns to the canvas; `go` leads from part to part."""

    def __init__(
        self, window: QWidget, canvas: QWidget, parts: Callable[[], Sequence[QWidget]],
        close: Callable[[QWidget | None], object] = lambda focused: None,
    ) -> None:  # fmt: skip
        """`close` closes the panel that holds the focus, if one does."""
        super().__init__(window)
        self._canvas, self._parts, self._close = canvas, parts, close
        self._last: dict[QWidget, QWidget] = {}  # where the focus was in each part
        window.installEventFilter(self)

    def go(self, by: int) -> None:
        """Move the focus to the next part of the window that has room for it, or to the one before."""
        focused = QApplication.focusWidget()
        stops = [(part, stop) for part in self._parts() if (stop := self._stop(part))]
        here = next((place for place, (part, _) in enumerate(stops) if _holds(part, focused)), None)
        if here is not None and focused is not None:
            self._last[stops[here][0]] = focused
        if stops:
            place = 0 if here is None else here + by
            stops[place % len(stops)][1].setFocus(Reason.TabFocusReason)

    def _stop(self, part: QWidget) -> QWidget | None:
        """The widget of a part that takes the focus: the one that had it last, else the first."""
        inside = [part, *part.findChildren(QWidget)]
        last = self._last.get(part)
        if last in inside and _takes_focus(last):
            return last
        return next((widget for widget in inside if _takes_focus(widget)), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if pressed and event.key() == Qt.Key.Key_Escape and not self._canvas.hasFocus():  # type: ignore[attr-defined]
            focused = QApplication.focusWidget()
            self._canvas.setFocus(Reason.ShortcutFocusReason)
            self._close(focused)
            return True
        return False


def _holds(part: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and (part is focused or part.isAncestorOf(focused))


def _takes_focus(widget: QWidget) -> bool:
    by_tab = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    return bool(by_tab) and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


class FocusRing(QWidget):
    """A ring inside the edge of a widget while the keyboard has brought the focus there; a click takes it away."""

    def __init__(self, around: QWidget, theme: Callable[[], Theme]) -> None:
        super().__init__(around)
        self._around, self._theme = around, theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        around.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QFocusEvent):
            if event.reason() != Reason.ActiveWindowFocusReason:  # then it comes back as it was
                self._show(event.gotFocus() and event.reason() in BY_KEYS)
        elif kind is QEvent.Type.MouseButtonPress:
            self._show(False)
        elif kind is QEvent.Type.Resize:
            self.resize(self._around.size())
        return False

    def _show(self, shown: bool) -> None:
        if shown:
            self.resize(self._around.size())
            self.raise_()
        self.setVisible(shown)

    def paintEvent(self, event: QEvent) -> None:
        theme, painter = self._theme(), QPainter(self)
        wide = 2.0 * theme.line
        painter.setPen(QPen(theme.color("ink"), wide))
        painter.drawRect(QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2))
        painter.end()
