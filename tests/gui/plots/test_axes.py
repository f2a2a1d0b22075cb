"""The texts of an axis: as many digits as tell its places apart, and no more."""

from __future__ import annotations

import pytest

from cadena.gui.plots.axes import NameAxis, even_texts


@pytest.mark.parametrize(
    ("values", "spacing", "texts"),
    [
        ([0.0, 0.5, 1.0], 0.5, ["0", "0.5", "1"]),
        ([-0.1, 1e-18, 0.1], 0.1, ["−0.1", "0", "0.1"]),
        ([1000.0, 2000.0], 1000.0, ["1\u202f000", "2\u202f000"]),
        ([1e-9, 2e-9], 1e-9, ["1·10⁻⁹", "2·10⁻⁹"]),
    ],
)
def test_places_are_written_in_four_digits(values, spacing, texts):
    assert even_texts(values, spacing) == texts


def test_five_places_of_a_flat_curve_were_all_named_alike():
    """The last of ten sigmoids, over its x: five times 0.659."""
    places = [0.65904625 + 5e-8 * number for number in range(5)]
    assert even_texts(places, 5e-8)[:2] == ["0.65904625", "0.6590463"] and len(set(even_texts(places, 5e-8))) == 5


def test_an_axis_of_names_without_any_room_divided_by_it(qapp):
    axis = NameAxis("left")
    axis.show_names(["a", "b", "c"])
    assert axis.tickValues(-2.5, 0.5, 0.0) == axis.tickValues(0.0, 0.0, 100.0) == [(1.0, [])]
    assert axis.tickValues(-2.5, 0.5, 300.0) == [(1.0, [0.0, -2.0, -1.0])]
