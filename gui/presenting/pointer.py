"""What a speaker points with, over everything: a large pointer, a spotlight, a magnifier of one node."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QCursor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QWidget

from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.painting import Layers, paint
from cadena.gui.look import theme as look

POINTER, SPOTLIGHT, MAGNIFIER = AIDS = ("pointer", "spotlight", "magnifier")
DOT, SPOT = 0.035, 0.2  # of the window's height: the pointer's radius and that of the light
SHEER, DARKNESS = 0.55, 0.62
CARD_SHARE, LARGER = 0.46, 1.8  # of the canvas's height for the magnified card, which is at least so much larger
AROUND = 12.0  # canvas units around it


class Pointing(QWidget):
    """At most one aid, which takes no event from what is below it.

    It is as large as what it shows, so that the rest of the window is painted as without it, and it is painted anew
    with what lies below. The mouse is followed at the system's window, wherever in it: most widgets do not track it.
    """

    def __init__(self, window: QWidget, canvas: Canvas) -> None:
        super().__init__(window)
        self._window, self._canvas = window, canvas
        self.aid = ""  # one of AIDS; "" is none
        self.node: str | None = None  # that is magnified
        self._mouse = QPointF()
        self._layers = Layers()
        self._followed: QObject | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("What the speaker points with")
        session = canvas.session
        changes = (session.timeChanged, session.selectionChanged, session.documentChanged, canvas.cameraChanged)
        for signal in changes:
            signal.connect(self.fit)
        self.hide()

    def toggle(self, aid: str) -> None:
        """Take one of AIDS in the place of the one in hand; the same one is put away."""
        self._show("" if aid == self.aid else aid)

    def put_away(self) -> None:
        self._show("")

    def _show(self, aid: str) -> None:
        self.aid = aid
        if self._followed is not None:
            self._followed.removeEventFilter(self)
            self._followed = None
        if aid and (handle := self._window.windowHandle()) is not None:
            handle.installEventFilter(self)
            self._followed = handle
        self._mouse = QPointF(self._window.mapFromGlobal(QCursor.pos()))
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            before = self._light()
            self._mouse = event.position()
            if self.aid == SPOTLIGHT:
                self.update(QRegion(before) + self._light())  # all else stays as dark as it is
            else:
                self.fit()
        return False

    def fit(self) -> None:
        """Cover what the aid covers now."""
        self.node = self._node() if self.aid == MAGNIFIER else None
        area = self._area()
        if area.isEmpty():
            self.hide()
            return
        self.setGeometry(area)
        self.setVisible(True)
        self.raise_()
        self.update()

    def _area(self) -> QRect:
        """The pixels of the window that the aid covers; none where there is nothing to show."""
        if self.aid == POINTER:
            reach = self._radius(DOT) + 4.0
            return QRectF(self._at - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach)).toAlignedRect()
        if self.aid == SPOTLIGHT:
            return self._window.rect()
        if self.node is None:
            return QRect()
        return self._lens_on_canvas().toAlignedRect().translated(self._canvas.mapTo(self._window, QPoint()))

    @property
    def _at(self) -> QPointF:
        """Where the speaker points: at the mouse, or at the middle while that is elsewhere."""
        window = QRectF(self._window.rect())
        return self._mouse if window.contains(self._mouse) else window.center()

    def _radius(self, share: float) -> float:
        return share * self._window.height()

    # --- the magnifier

    def _node(self) -> str | None:
        """The node under the mouse, else the selected one, else that of the step."""
        session, step = self._canvas.session, self._canvas.session.frame.step
        chosen = next(iter(session.selection)) if len(session.selection) == 1 else None
        for name in (self._under_mouse(), chosen, (step.operand or step.node) if step else None):
            if name is not None and name in session.document.nodes and name not in self._canvas.places.folds:
                return name
        return None

    def _under_mouse(self) -> str | None:
        at = QPointF(self._canvas.mapFrom(self._window, self._mouse.toPoint()))
        return self._canvas.hit(at).card if QRectF(self._canvas.rect()).contains(at) else None

    def _card(self) -> QRectF:
        assert self.node is not None
        return self._canvas.places.card(self.node).adjusted(-AROUND, -AROUND, AROUND, AROUND)

    @property
    def zoom(self) -> float:
        """The zoom of what is magnified."""
        card, canvas = self._card(), self._canvas
        wanted = max(CARD_SHARE * canvas.height() / card.height(), LARGER * canvas.camera.zoom)
        return min(wanted, 0.45 * canvas.width() / card.width(), 0.9 * canvas.height() / card.height())

    def _lens_on_canvas(self) -> QRectF:
        """The place of the magnified card: over the card, whole within the canvas."""
        card, zoom, canvas = self._card(), self.zoom, self._canvas
        lens = QRectF(QPointF(), card.size() * zoom)
        lens.moveCenter(canvas.camera.to_view(card.center()))
        lens.moveLeft(min(max(lens.left(), 0.0), canvas.width() - lens.width()))
        lens.moveTop(min(max(lens.top(), 0.0), canvas.height() - lens.height()))
        return lens

    # --- the picture

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.aid == POINTER:
            self._paint_pointer(painter)
        elif self.aid == SPOTLIGHT:
            self._paint_dark(painter, event.rect())
        elif self.node is not None:
            self._paint_card(painter)
        painter.end()

    def _paint_pointer(self, painter: QPainter) -> None:
        middle, radius = QRectF(self.rect()).center(), self._radius(DOT)
        painter.setBrush(look.veil(look.MARKER, SHEER))
        painter.setPen(QPen(self._canvas.theme.color("text"), 3.0))
        painter.drawEllipse(middle, radius, radius)

    def _light(self) -> QRect:
        """The square around the light."""
        reach = self._radius(SPOT) + 2.0
        return QRectF(self._at - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach)).toAlignedRect()

    def _paint_dark(self, painter: QPainter, area: QRect) -> None:
        shade, light, square = look.veil(look.BLACK, DARKNESS), self._radius(SPOT), self._light()
        painter.save()
        painter.setClipRegion(QRegion(area) - square)
        painter.fillRect(area, shade)  # a path of the whole window takes three times as long
        painter.restore()
        around, spot = QPainterPath(), QPainterPath()
        around.addRect(QRectF(square))
        spot.addEllipse(self._at, light, light)
        painter.fillPath(around.subtracted(spot), shade)
        painter.setPen(QPen(self._canvas.theme.color("text", 0.5), 2.0))
        painter.drawEllipse(self._at, light, light)

    def _paint_card(self, painter: QPainter) -> None:
        canvas, card = self._canvas, self._card()
        edge, frame = 2.0 * canvas.theme.line, QRectF(self.rect())
        corner, shape = look.RADIUS * canvas.theme.type, QPainterPath()
        shape.addRoundedRect(frame, corner, corner)
        enlarged = self.zoom / canvas.camera.zoom * canvas.enlargement[0]  # so that it is magnified as it is there
        camera = Camera(card.left(), card.top(), self.zoom)
        scene = replace(canvas.scene, camera=camera, view=frame.size(), hovered=None, enlarged=enlarged, labelled=False)
        painter.save()
        painter.setClipPath(shape)
        paint(painter, scene, self._layers)
        painter.restore()
        painter.setPen(QPen(canvas.theme.color("text"), 2 * edge))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(shape)
