"""Wheels and touch pads: a wheel zooms at the pointer, two fingers push the canvas, a pinch zooms."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QInputDevice, QWheelEvent

from cadena.gui.canvas.rendering.camera import Camera

NOTCH = 120  # eighths of a degree that one click of a wheel turns
ZOOM_PER_NOTCH = 1.2
PIXELS_PER_NOTCH = 60.0


def after_wheel(camera: Camera, event: QWheelEvent, least: float) -> Camera:
    """The camera after a turn of a wheel or a stroke on a touch pad; `least` is the zoom down to which a wheel gets."""
    angle, pixels = event.angleDelta(), event.pixelDelta()
    if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        return camera.zoomed_at(event.position(), ZOOM_PER_NOTCH ** (angle.y() / NOTCH), least)
    way = QPointF(pixels) if not pixels.isNull() else QPointF(angle) * (PIXELS_PER_NOTCH / NOTCH)
    if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
        return camera.panned(way.x() or way.y(), 0.0)
    if _is_stroke(event):
        return camera.panned(way.x(), way.y())
    if angle.y() == 0:
        return camera.panned(way.x(), 0.0)
    return camera.zoomed_at(event.position(), ZOOM_PER_NOTCH ** (angle.y() / NOTCH), least)


def _is_stroke(event: QWheelEvent) -> bool:
    """Whether two fingers moved. On X11 wheels send pixels too, but turn by whole notches and have no phase."""
    if event.device() is not None and event.device().type() == QInputDevice.DeviceType.TouchPad:
        return True
    angle = event.angleDelta()
    whole_notches = angle.x() % NOTCH == 0 and angle.y() % NOTCH == 0
    has_phase = event.phase() != Qt.ScrollPhase.NoScrollPhase
    return not event.pixelDelta().isNull() and (has_phase or not whole_notches)


def after_pinch(camera: Camera, at: QPointF, value: float, least: float) -> Camera:
    """The camera after a part of a pinch; `value` is the growth since the last part, `least` as for a wheel."""
    return camera.zoomed_at(at, max(1.0 + value, 0.1), least)
