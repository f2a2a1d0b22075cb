"""The focus as the keyboard moves it: from panel to panel, back to the canvas, and rings that show where it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QTabBar, QWidget
from shiboken6 import isValid

from cadena.gui.look import theme as look
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


FIELDS, CONTROLS = (QComboBox, QAbstractSpinBox), (QAbstractButton, QLineEdit, QTabBar)
WIDE, AWAY = 2.0, 2.0  # pixels: of the ring, and between it and its control


class ControlRings(QObject):
    """Puts a ring around the button, field or tab that the keyboard has come to, in a window or its dialogs."""

    def __init__(self, owner: QWidget, theme: Callable[[], Theme]) -> None:
        super().__init__(owner)
        self._owner, self._theme = owner, theme
        self._ring: ControlRing | None = None
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if self.ring is not None:
            self.ring.let_go()
        if new is None or not isValid(self._owner) or not self._is_ours(new):
            return
        around = new.parentWidget()
        control = around if isinstance(around, FIELDS) else new  # of which the field is the inner part
        is_control = isinstance(control, (*FIELDS, *CONTROLS)) and not control.property("bare")
        if is_control and QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            window = new.window()
            known = window.findChild(ControlRing, options=Qt.FindChildOption.FindDirectChildrenOnly)
            self._ring = known or ControlRing(window, self._theme)
            self._ring.surround(control)

    @property
    def ring(self) -> ControlRing | None:
        """The ring that was shown last; that of a dialog goes with it."""
        return self._ring if self._ring is not None and isValid(self._ring) else None

    def _is_ours(self, widget: QWidget) -> bool:
        window: QWidget | None = widget.window()
        while window is not None and window is not self._owner:
            window = window.parentWidget()
        return window is not None


class ControlRing(QWidget):
    """Lies above all else of a window, since the parts around a control leave no room for it."""

    def __init__(self, window: QWidget, theme: Callable[[], Theme]) -> None:
        super().__init__(window)
        self._theme = theme
        self._control: QWidget | None = None
        self._watched: list[QWidget] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def let_go(self) -> None:
        """Hide the ring."""
        for widget in self._watched:
            if isValid(widget):
                widget.removeEventFilter(self)
        self._control, self._watched = None, []
        self.hide()

    def surround(self, control: QWidget) -> None:
        """Draw the ring around a control, wherever it moves, until `let_go`."""
        self._control, window = control, control.window()
        moving: QWidget | None = control
        while moving is not None and moving is not window:  # whatever of these moves, moves the control
            moving.installEventFilter(self)
            self._watched.append(moving)
            moving = moving.parentWidget()
        self._place()

    def _place(self) -> None:
        """Go to where the control is, as far as it is seen."""
        assert self._control is not None
        control, window, room = self._control, self._control.window(), round(self._width + AWAY)
        seen = control.visibleRegion().boundingRect()
        if isinstance(control, QTabBar):
            seen &= control.tabRect(control.currentIndex())
        self.setGeometry(QRect(control.mapTo(window, seen.topLeft()), seen.size()).adjusted(-room, -room, room, room))
        self.setHidden(seen.isEmpty())  # as where it is scrolled away
        self.raise_()

    @property
    def _width(self) -> float:
        return WIDE * self._theme().line

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.Paint):
            self._place()
        elif kind is QEvent.Type.MouseButtonPress or (kind is QEvent.Type.Hide and watched is self._control):
            self.let_go()
        return False

    def paintEvent(self, event: QEvent) -> None:
        painter, wide, area = QPainter(self), self._width, QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme().color("ink"), wide))
        is_round = self._control is not None and self._control.property("round")
        radius = area.height() / 2 if is_round else look.RADIUS + AWAY + wide / 2
        painter.drawRoundedRect(area.adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2), radius, radius)
        painter.end()
