"""Paths of wires: the part of a curve that is in view."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF

from cadena.core.layout.routing import bend, control_points
from cadena.gui.canvas.rendering.wire_paths import cubic, direct, within

VIEW = QRectF(0.0, 0.0, 100.0, 80.0)
near, far = st.floats(-150.0, 250.0), st.floats(-50_000.0, 50_000.0)


def weights(times):
    """The weights of the control points at these times: ... x 4."""
    rest = 1.0 - times
    return np.concatenate([rest**3, 3.0 * times * rest**2, 3.0 * times**2 * rest, times**3], axis=-1)


def part_of(ends, controls):
    """The path of the part in view, None for none."""
    parts, seen = within(control_points(np.array([ends], dtype=float), np.array([controls], dtype=float)), VIEW)
    return cubic(*parts.ravel().tolist()) if seen else None


def points(path, count=400):
    return [path.pointAtPercent(at) for at in np.linspace(0.0, 1.0, count)]


def distance(point, path):
    return min(np.hypot(point.x() - other.x(), point.y() - other.y()) for other in points(path, 2000))


def test_a_curve_in_view_is_the_whole_curve():
    ends, controls = (10.0, 10.0, 90.0, 70.0), (40.0, 3.0)
    assert part_of(ends, controls) == direct(*ends, *controls)


def test_a_curve_beside_the_view_has_no_part_though_its_bounds_touch_it():
    assert part_of((-400.0, -300.0, 500.0, 380.0), (450.0, 0.0)) is not None  # through its middle
    assert part_of((60.0, -400.0, 1000.0, 300.0), (470.0, 0.0)) is None


@given(st.tuples(near, near, near, near), st.floats(0.0, 300.0), st.floats(-50.0, 50.0))
def test_what_is_in_view_of_a_curve_is_in_its_part(ends, reach, sag):
    part, whole = part_of(ends, (reach, sag)), direct(*ends, reach, sag)
    seen = [point for point in points(whole) if VIEW.contains(point)]
    assert part is not None or not seen
    for point in seen[:: max(len(seen) // 8, 1)]:
        assert distance(point, part) < 1.0  # between two of its points


@given(st.tuples(far, far, far, far), st.floats(0.0, 50_000.0) | st.none())
def test_a_part_lies_on_its_curve(ends, reach):
    controls = bend(ends[2] - ends[0], ends[3] - ends[1]) if reach is None else (reach, 0.0)
    if (part := part_of(ends, controls)) is None:
        return
    curve, size = control_points(np.array([ends]), np.array([controls]))[0], np.ptp([*ends, *controls])
    times = np.linspace(0.0, 1.0, 4_001)[:, None]
    on_curve = weights(times) @ curve
    for place in (0, part.elementCount() - 1):
        end = part.elementAt(place)
        assert np.hypot(*(on_curve - (end.x, end.y)).T).min() <= 1e-3 * size + 1e-6  # between two of these points


@given(st.tuples(near, near, near, near))
def test_of_a_wire_nothing_in_view_is_left_out(ends):
    whole = direct(*ends, *bend(ends[2] - ends[0], ends[3] - ends[1]))
    part = part_of(ends, bend(ends[2] - ends[0], ends[3] - ends[1]))
    seen = [point for point in points(whole) if VIEW.contains(point)]
    assert part is not None or not seen
    assert all(distance(point, part) < 0.2 for point in seen[:: max(len(seen) // 8, 1)])


def test_a_wire_that_passes_below_the_view_has_no_part():
    assert part_of((-50.0, 20.0, 90.0, 100.0), (70.0, 0.0)) is not None
    assert part_of((-500.0, 20.0, 100.0, 600.0), (300.0, 0.0)) is None  # when it comes below it, it is still beside it


@pytest.mark.parametrize("ends", [(-20_000.0, -30_000.0, 20_000.0, 30_080.0)])
def test_a_long_thin_wire_had_corners(ends):
    """Qt makes 64 lines of a thin curve: one of 60,000 units had lines longer than the view."""
    part = part_of(ends, (20_000.0, 0.0))
    assert 0.0 < part.length() < 60_000.0 / 8
    assert VIEW.contains(QPointF(0.0, 40.0)) and distance(QPointF(0.0, 40.0), part) < 4.0
