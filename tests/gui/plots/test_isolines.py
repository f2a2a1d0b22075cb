import numpy as np

from cadena.gui.plots.isolines import isolines, levels


def grid(count=21):
    x = np.linspace(-1.0, 1.0, count)
    return x, x, *np.meshgrid(x, x, indexing="ij")


def test_the_line_of_a_slope_is_straight():
    x, y, gx, _ = grid()
    across, up = isolines(x, y, gx, 0.25)
    assert np.allclose(across, 0.25) and up.min() == -1.0 and up.max() == 1.0
    assert len(across) == len(up) == 2 * (len(x) - 1) * 2


def test_the_line_around_a_bowl_is_a_circle():
    x, y, gx, gy = grid(81)
    across, up = isolines(x, y, gx**2 + gy**2, 0.5)
    assert np.allclose(np.hypot(across, up), np.sqrt(0.5), atol=1e-3)


def test_what_is_not_finite_has_no_line():
    x, y, gx, _ = grid(5)
    assert len(isolines(x, y, np.full_like(gx, np.nan), 0.0)[0]) == 0
    gx[:, :2] = np.nan
    assert isolines(x, y, gx, 0.1)[1].min() >= 0.0


def test_levels_lie_between_the_ends():
    heights = np.arange(100.0)
    assert np.allclose(levels(heights, 4), np.quantile(heights, [0.2, 0.4, 0.6, 0.8]))
    assert levels(np.zeros(4), 3) == [] and levels(np.full(4, np.nan), 3) == []


def test_heights_near_the_largest_number_overflowed():
    heights = np.array([[-1.5e308, 1.5e308], [-1.5e308, 1.5e308]])
    across, up = isolines(np.array([0.0, 1.0]), np.array([0.0, 1.0]), heights, 1e308)
    assert across.size and np.allclose(up, 5.0 / 6.0)
