"""The camera keeps what it promises: there and back, a fixed point while zooming, everything in sight when fitted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.gui.canvas.rendering.camera import MAX_ZOOM, MIN_ZOOM, Camera

places = st.floats(-1e5, 1e5)
zooms = st.floats(MIN_ZOOM, MAX_ZOOM)
cameras = st.builds(Camera, places, places, zooms)
pixels = st.builds(QPointF, st.floats(0, 4000), st.floats(0, 4000))


def close(one: QPointF, other: QPointF, within: float = 1e-4) -> bool:
    return abs(one.x() - other.x()) < within and abs(one.y() - other.y()) < within


@given(cameras, pixels)
def test_to_world_and_back_is_the_same_pixel(camera: Camera, pixel: QPointF) -> None:
    assert close(camera.to_view(camera.to_world(pixel)), pixel)


@given(cameras, pixels, st.floats(0.01, 100))
def test_zooming_keeps_the_point_under_the_pointer(camera: Camera, pixel: QPointF, factor: float) -> None:
    zoomed = camera.zoomed_at(pixel, factor)
    assert close(zoomed.to_world(pixel), camera.to_world(pixel))
    assert MIN_ZOOM <= zoomed.zoom <= MAX_ZOOM


@given(cameras, st.floats(-500, 500), st.floats(-500, 500), pixels)
def test_panning_moves_the_picture_by_that_many_pixels(camera: Camera, dx: float, dy: float, pixel: QPointF) -> None:
    moved = camera.panned(dx, dy).to_view(camera.to_world(pixel))
    assert close(moved, pixel + QPointF(dx, dy))


@given(places, places, st.floats(1, 1e6), st.floats(1, 1e6))
def test_a_fitted_camera_shows_all_of_the_bounds_in_the_middle(x: float, y: float, width: float, height: float) -> None:
    bounds, view = QRectF(x, y, width, height), QSizeF(1200, 800)
    camera = Camera.fitted(bounds, view)
    assert close(camera.to_view(bounds.center()), QPointF(600, 400), 1e-3)
    assert camera.visible(view).adjusted(-1e-3, -1e-3, 1e-3, 1e-3).contains(bounds)


@pytest.mark.parametrize("bounds", [QRectF(), QRectF(10, 10, 0, 50)])
def test_nothing_to_fit_leaves_the_plain_camera(bounds: QRectF) -> None:
    assert Camera.fitted(bounds, QSizeF(800, 600)) == Camera()


def test_the_painters_transform_is_the_cameras_own() -> None:
    camera, point = Camera(-30.0, 12.0, 1.5), QPointF(100.0, 80.0)
    assert close(camera.transform.map(point), camera.to_view(point))
