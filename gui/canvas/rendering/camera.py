"""The visible part of the canvas and its size: a frozen value with the mapping to and from the widget's pixels."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QTransform

MIN_ZOOM, MAX_ZOOM = 0.05, 4.0  # of what is zoomed by hand; a graph that needs less is seen whole all the same
FIT_ZOOM = 1.25  # a small graph is not blown up further than this when it is fitted


@dataclass(frozen=True)
class Camera:
    """`x`, `y` is the canvas point at the view's top left corner; `zoom` is pixels per canvas unit."""

    x: float = 0.0
    y: float = 0.0
    zoom: float = 1.0

    def to_view(self, point: QPointF) -> QPointF:
        """A point of the canvas in pixels of the view."""
        return QPointF((point.x() - self.x) * self.zoom, (point.y() - self.y) * self.zoom)

    def to_world(self, point: QPointF) -> QPointF:
        """A pixel of the view as a point of the canvas."""
        return QPointF(point.x() / self.zoom + self.x, point.y() / self.zoom + self.y)

    def visible(self, view: QSizeF) -> QRectF:
        """The part of the canvas that a view of this size shows."""
        return QRectF(self.x, self.y, view.width() / self.zoom, view.height() / self.zoom)

    @property
    def transform(self) -> QTransform:
        """The transform with which a painter draws in canvas units."""
        return QTransform(self.zoom, 0.0, 0.0, self.zoom, -self.x * self.zoom, -self.y * self.zoom)

    def panned(self, dx: float, dy: float) -> Camera:
        """The picture pushed by (dx, dy) pixels, as a hand pushes paper."""
        return Camera(self.x - dx / self.zoom, self.y - dy / self.zoom, self.zoom)

    def zoomed_at(self, view_point: QPointF, factor: float, least: float = MIN_ZOOM) -> Camera:
        """Zoom by `factor`, from `least` to MAX_ZOOM; the point under `view_point` stays there."""
        fixed = self.to_world(view_point)
        zoom = min(max(self.zoom * factor, min(least, self.zoom)), MAX_ZOOM)
        return Camera(fixed.x() - view_point.x() / zoom, fixed.y() - view_point.y() / zoom, zoom)

    @staticmethod
    def fitted(bounds: QRectF, view: QSizeF, most: float = FIT_ZOOM) -> Camera:
        """The camera that shows all of `bounds` in the middle of a view of this size, at a zoom of at most `most`."""
        if bounds.isEmpty() or view.isEmpty():
            return Camera()
        zoom = min(view.width() / bounds.width(), view.height() / bounds.height(), most)
        middle = bounds.center()
        return Camera(middle.x() - view.width() / zoom / 2, middle.y() - view.height() / zoom / 2, zoom)
