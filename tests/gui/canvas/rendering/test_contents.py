"""The wires that are found in view, and how many of them are painted."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.contents import Contents
from tests.core.graphs import wide

LARGE = arrange(wide(700, leaves=80))


@pytest.fixture
def close_up(canvas, session, showing_large):
    """Look at a large graph with a node in the middle."""
    session.follow_steps = False
    showing_large(LARGE, (900, 600))

    def look(name: str, zoom: float = 1.0) -> Contents:
        middle = canvas.places.card(name).center() - QPointF(canvas.rect().center()) / zoom
        canvas.set_camera(Camera(middle.x(), middle.y(), zoom))
        return Contents(canvas.scene)

    return look


def crossing(geometry, area: QRectF) -> set[int]:
    """The wires that have one of many points of their curves in an area."""
    rows = geometry.wires_in(area).tolist()
    paths = {row: geometry.path(row) for row in rows if not (hasattr(geometry, "inner") and geometry.inner[row])}
    shares = np.linspace(0.0, 1.0, 400)
    return {row for row, path in paths.items() if any(area.contains(path.pointAtPercent(at)) for at in shares)}


@pytest.mark.some(1)
@pytest.mark.parametrize("zoom", [0.6, 1.0, 1.5])
def test_close_up_the_wires_are_those_whose_curves_come_into_view(close_up, canvas, zoom):
    names = list(LARGE.nodes)
    for name in names[:: len(names) // 5]:
        contents = close_up(name, zoom)
        visible = canvas.camera.visible(canvas.scene.view)
        assert contents.in_full
        found, reach, ends = set(contents.rows.tolist()), 12.0 + 2.0 / zoom, contents.geometry.wire_ends
        assert crossing(contents.geometry, visible) <= found
        around = crossing(contents.geometry, visible.adjusted(-reach, -reach, reach, reach))
        aside = [row for row in found - around if ends[row, 2] - ends[row, 0] >= 80.0]  # those may swing out
        assert not contents.geometry.are_direct(aside).any()  # nor is it known of a detour, which is one of many curves
