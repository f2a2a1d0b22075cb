"""The base of all plots: pyqtgraph in the program's theme, a cross-hair, keys, a menu, and a view that shows all."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter
from PySide6.QtWidgets import QMenu

from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.plots.axes import Axis
from cadena.gui.plots.scale import MIN_VIEW

Key = Qt.Key
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
FAR = 1e300  # neither inf nor nan, and no difference of two such numbers, which pyqtgraph takes, is inf
EDGE = 4.0  # pixels at `type` 1, where the frame of the focus lies
LOW = 160.0  # pixels at `type` 1
MAX_ZOOM = 1000.0  # of an axis with numbers
ZOOM = 0.8  # of the range that is seen, at each press of a key
ZOOM_KEYS = {Key.Key_Plus: ZOOM, Key.Key_Equal: ZOOM, Key.Key_Minus: 1 / ZOOM}
PRESS = (Key.Key_Return, Key.Key_Enter, Key.Key_Space)
WAYS = {Key.Key_Left: -1, Key.Key_Right: 1}
EXPORTS = {".png": "Export as PNG…", ".svg": "Export as SVG…", ".csv": "Export numbers as CSV…"}
Places = Sequence[float] | np.ndarray


HOW = "The arrow keys move the cross-hair; the menu key has more"


class Plot(pg.PlotWidget):
    """A plot of points at the places `xs`, in any order, one of which can be pointed at and chosen.

    The wheel zooms, a drag with the left button pans unless it chooses, one with the middle button always does, and one
    with the right button stretches. `draw` makes all items anew, with `put`.
    """

    pointed = Signal(object)  # the number of the point under the pointer or at the cross-hair, or None
    chosen = Signal(int)  # the number of a point
    exportAsked = Signal(str)  # the requested file extension

    drags_choose = False
    has_powers = True  # along its axes, of which at least MIN_VIEW is seen
    margin = 9.0  # pixels at `type` 1 around what is to be seen

    def __init__(self, theme: Theme, name: str, bottom: Axis, left: Axis) -> None:
        self.xs: Sequence[float] = ()
        self.at: int | None = None  # the point at the cross-hair
        self.shows_all = True
        self.is_quiet = False  # lines and points without their numbers
        self._pointer = QPointF(-1.0, -1.0)  # its last place on the screen
        self._ends = (0.0, 1.0, 0.0, 1.0)
        self._drawn: list[pg.GraphicsObject] = []
        self._theme, self.bottom, self.left = theme, bottom, left
        super().__init__(axisItems={"bottom": bottom, "left": left}, enableMenu=False)
        menu = self.plotItem.ctrlMenu  # never shown, but made all the same
        menu.setParent(self, menu.windowFlags())  # else it would outlive the plot, with all that hangs on it
        left.setZValue(-1.0)  # the lines across lie behind what is drawn
        self.view: pg.ViewBox = self.plotItem.vb
        self.view.disableAutoRange()
        self.hideButtons()
        self.setAccessibleName(name)
        self.setAccessibleDescription(HOW)
        self.viewport().setMouseTracking(True)
        self._make_cross_hair()
        self.view.sigRangeChangedManually.connect(self._zoomed)
        self.view.sigResized.connect(self._resized)
        self.view.sigRangeChanged.connect(self._ranged)
        self.scene().sigMouseClicked.connect(self._clicked)
        self.set_theme(theme)

    def _make_cross_hair(self) -> None:
        along = {"position": 0.0, "anchors": [(0.0, 0.0), (0.0, 1.0)]}
        up = {"position": 1.0, "anchors": [(0.0, 0.0), (1.0, 0.0)]}
        self.across = pg.InfiniteLine(angle=0, label="", labelOpts=along)
        self.upright = pg.InfiniteLine(angle=90, label="", labelOpts=up)
        for line in (self.across, self.upright):
            line.hide()
            line.setZValue(10)
            self.view.addItem(line, ignoreBounds=True)

    # --- look

    def set_theme(self, theme: Theme) -> None:
        """Draw everything in the colours and the type of another theme."""
        self._theme = theme
        self.setBackground(theme.color("window"))
        edge = EDGE * theme.type
        self.plotItem.layout.setContentsMargins(edge, edge, edge, edge)
        for axis in (self.bottom, self.left):
            axis.set_theme(theme)
        for line in (self.across, self.upright):
            line.setPen(pg.mkPen(theme.color("muted"), width=theme.line, style=Qt.PenStyle.DotLine))
            self._dress(line.label, "text")
            line.label.fill = pg.mkBrush(theme.color("window"))
        self.draw()
        self.fit()

    def set_quiet(self, quiet: bool) -> None:
        """Leave out all numbers but those along the axes, or show them again."""
        if quiet != self.is_quiet:
            self.is_quiet = quiet
            self.point_at(None)
            self.draw()

    def _dress(self, text: pg.TextItem, role: str) -> None:
        text.setFont(look.font(self._theme, look.CAPTION))
        text.setColor(self._theme.color(role))
        text.textItem.document().setDocumentMargin(2.0)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        if self.hasFocus():
            painter.resetTransform()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(pg.mkPen(self._theme.color("value"), width=2.0 * self._theme.line))
            painter.drawRoundedRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1), 4, 4)

    # --- items

    def draw(self) -> None:
        """Put all items; `fit` sets the range."""

    def arrange(self) -> None:
        """Place texts anew where their places depend on the visible range."""

    @abstractmethod
    def table(self) -> list[list[object]]:
        """The numbers of the plot, below a row of titles."""

    @abstractmethod
    def height_at(self, index: int) -> float | None:
        """The place of a point above the axis."""

    @abstractmethod
    def reading(self, index: int, height: float) -> tuple[str, str]:
        """The texts of the cross-hair: of a point, below, and of a height, at the left."""

    def clear_drawn(self, first: int = 0) -> None:
        """Remove the items after the first `first` ones."""
        for item in self._drawn[first:]:
            self.view.removeItem(item)
        del self._drawn[first:]

    def put(self, item: pg.GraphicsObject) -> None:
        self.view.addItem(item, ignoreBounds=True)
        self._drawn.append(item)

    def put_curve(
        self, x: Places, y: Places, role: str, wide: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine
    ) -> None:
        """A line through points; nan makes a gap, as does what is too far off."""
        pen = pg.mkPen(self._theme.color(role), width=wide * self._theme.line, style=style)
        across, up = (np.where(np.abs(places) < FAR, places, np.nan) for places in (x, y))
        self.put(pg.PlotCurveItem(across, up, pen=pen, connect="finite", antialias=True))

    def put_marks(self, x: Places, y: Places, symbol: str, size: float, role: str, hollow: float = 0.0) -> None:
        """A symbol at each point, of so many pixels at `type` 1; `hollow` ones are lines of that width."""
        within = (np.abs(x) < FAR) & (np.abs(y) < FAR)
        color = self._theme.color(role)
        pen = pg.mkPen(color, width=hollow * self._theme.line) if hollow else pg.mkPen(None)
        brush = None if hollow else pg.mkBrush(color)
        size *= self._theme.type
        points = {"x": np.array(x)[within], "y": np.array(y)[within]}
        self.put(pg.ScatterPlotItem(**points, symbol=symbol, size=size, pen=pen, brush=brush, antialias=True))

    def make_text(self, text: str, role: str = "text") -> pg.TextItem:
        """A text with a slightly transparent ground."""
        item = pg.TextItem(text, anchor=(0.5, 0.5), fill=pg.mkBrush(self._theme.color("window", 0.75)))
        self._dress(item, role)
        return item

    # --- visible range

    def set_ends(self, left: float, right: float, low: float, high: float) -> None:
        """Set the ends between which everything lies that is not too far off."""
        left, right, low, high = (min(max(end, -FAR), FAR) for end in (left, right, low, high))
        self._ends = left, right, low, high
        self.fit()

    def fit(self) -> None:
        """Keep the view within everything, and where it shows everything, show that."""
        left, right, low, high = self._ends
        x = padded(left, right, self.view.width(), self.margin * self._theme.type)
        y = padded(low, high, self.view.height(), self.margin * self._theme.type)
        least = [MIN_VIEW if self.has_powers else (end - begin) / MAX_ZOOM for begin, end in (x, y)]
        self.view.setLimits(
            xMin=x[0], xMax=x[1], yMin=y[0], yMax=y[1], minXRange=least[0], minYRange=least[1],
            maxXRange=x[1] - x[0], maxYRange=y[1] - y[0],
        )  # fmt: skip
        if self.shows_all:
            self.view.setRange(xRange=x, yRange=y, padding=0.0)
        self._make_room()

    def show_all(self) -> None:
        """Show everything, also what comes later."""
        self.shows_all = True
        self.fit()

    def zoom(self, factor: float) -> None:
        """Zoom to this share of the present range, around the cross-hair if it is shown."""
        self.shows_all = False
        point = None if self.at is None else (self.upright.value(), self.across.value())
        self.view.scaleBy((factor, factor), center=None if point is None else pg.Point(*point))

    def bring_into_view(self, index: int) -> None:
        """Move the view until it contains a point."""
        (left, right), (low, high) = self.view.viewRange()
        x, y = self.xs[index], self.height_at(index)
        self.view.translateBy(x=_beyond(x, left, right), y=0.0 if y is None else _beyond(y, low, high))

    def _zoomed(self, *_: object) -> None:
        self.shows_all = False

    def _ranged(self, *_: object) -> None:
        self._make_room()
        self.arrange()

    def _make_room(self) -> None:
        low, high = self.view.viewRange()[1]
        self.left.make_room(low, high, self.view.height(), self.shows_all)

    def _resized(self, *_: object) -> None:
        self.fit()
        self.arrange()

    def resizeEvent(self, event) -> None:
        """Hide the titles of a low plot, so that the curves have their room."""
        super().resizeEvent(event)
        if self.plotItem is None:  # it was closed
            return
        for axis in (self.bottom, self.left):
            axis.showLabel(bool(axis.title) and self.height() >= LOW * self._theme.type)

    # --- cross-hair

    def point_at(self, index: int | None, height: float | None = None) -> None:
        """Move the cross-hair to a point, and to a height if it is not the point's; None hides it."""
        index = None if self.is_quiet else index
        if index is not None and height is None:
            height = self.height_at(index)
        self.upright.setVisible(index is not None)
        self.across.setVisible(index is not None and height is not None)
        if index is not None:
            below, at_left = self.reading(index, height or 0.0)
            self._read(self.upright, self.xs[index], below)
            if height is not None:
                self._read(self.across, height, at_left)
        if index != self.at:
            self.at = index
            self.pointed.emit(index)

    def _read(self, line: pg.InfiniteLine, place: float, text: str) -> None:
        line.label.setFormat(text.replace("{", "{{").replace("}", "}}"))
        line.setValue(place)

    def nearest(self, x: float) -> int | None:
        """The number of the point nearest to a pixel."""
        if not len(self.xs):
            return None
        return int(np.argmin(np.abs(np.subtract(self.xs, self.view.mapSceneToView(QPointF(x, 0.0)).x()))))

    def place_of(self, index: int) -> QPointF:
        """The pixel of a point."""
        return self.view.mapViewToScene(QPointF(self.xs[index], self.height_at(index) or 0.0))

    def _hover(self, at: QPointF) -> None:
        visible = self.view.sceneBoundingRect()
        inside = visible.top() <= at.y() <= visible.bottom()
        self.point_at(self.nearest(at.x()), self.view.mapSceneToView(at).y() if inside else None)

    # --- mouse

    def choose(self, index: int | None) -> None:
        """Choose a point."""
        if index is not None:
            self.chosen.emit(index)

    def _press(self, event) -> bool:
        """Choose by a press or a drag where that is its meaning. Returns whether it is."""
        if not self.drags_choose or LEFT not in (event.button(), event.buttons()):
            return False
        self._hover(event.position())
        self.choose(self.nearest(event.position().x()))
        event.accept()
        return True

    def mousePressEvent(self, event) -> None:
        if not self._press(event):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event) -> None:
        if not self._press(event):
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event) -> None:
        if not self._press(event):
            super().mouseMoveEvent(event)
            if event.globalPosition() != self._pointer:  # else only the plot has moved: an arrow's words were longer
                self._hover(event.position())
        self._pointer = event.globalPosition()

    def mouseReleaseEvent(self, event) -> None:
        if not (self.drags_choose and event.button() is LEFT):
            super().mouseReleaseEvent(event)

    def leaveEvent(self, event) -> None:
        super().leaveEvent(event)
        self.point_at(None)

    def _clicked(self, click) -> None:
        if click.button() is RIGHT:
            self.menu().popup(click.screenPos().toPoint())
        elif click.button() is LEFT:
            self._hover(click.scenePos())
            self.choose(self.at)

    # --- keys and menu

    def menu(self) -> QMenu:
        """The context menu of the plot."""
        menu_ = QMenu(self)
        menu_.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu_.addAction("Show all\t0", self.show_all)
        menu_.addAction("Zoom in\t+", partial(self.zoom, ZOOM))
        menu_.addAction("Zoom out\t−", partial(self.zoom, 1 / ZOOM))
        menu_.addSeparator()
        for suffix, text in EXPORTS.items():
            menu_.addAction(text, partial(self.exportAsked.emit, suffix)).setEnabled(
                bool(len(self.xs)) and not self.is_quiet
            )
        return menu_

    def contextMenuEvent(self, event) -> None:
        """Open the menu by its key; the right button may begin a drag, and its click is handled elsewhere."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            self.menu().popup(self.mapToGlobal(self.rect().center()))
        event.accept()

    def event(self, event) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and self._key(event) is not None:
            event.accept()  # else the arrows would go from step to step
            return True
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.viewport().update()
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        if (act := self._key(event)) is not None:
            act()
        else:
            event.ignore()

    def _key(self, event):
        """The action of a key here, or None."""
        key = event.key()
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            return None
        if key in ZOOM_KEYS:
            return partial(self.zoom, ZOOM_KEYS[key])
        if key == Key.Key_0:
            return self.show_all
        if key in PRESS:
            return None if self.drags_choose else partial(self.choose, self.at)
        if key in (Key.Key_Home, Key.Key_End):
            return partial(self.go, -len(self.xs) if key == Key.Key_Home else len(self.xs))
        return partial(self.go, WAYS[key]) if key in WAYS else None

    @property
    def place(self) -> int | None:
        """The point from which the arrow keys go on."""
        return self.at

    def go(self, by: int) -> None:
        """Go to a point so many to the right of the present one, and choose it where a drag chooses."""
        if not len(self.xs):
            return
        order = np.argsort(self.xs).tolist()
        rank = (len(order) if by < 0 else -1) if self.place is None else order.index(self.place)
        index = order[min(max(rank + by, 0), len(order) - 1)]
        self.bring_into_view(index)
        if self.drags_choose:
            self.choose(index)
        else:
            self.point_at(index)


def padded(first: float, last: float, pixels: float, pad: float) -> tuple[float, float]:
    """A range with `pad` of its pixels added on either side."""
    span = (last - first) or 1.0
    more = span * (pad / max(pixels - 2.0 * pad, pad, 1.0))  # so that no large span overflows
    return first - more, last + more


def _beyond(place: float, first: float, last: float) -> float:
    """How far a place lies outside a range."""
    return min(place - first, 0.0) + max(place - last, 0.0)
