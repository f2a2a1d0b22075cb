"""Plots as files."""

from __future__ import annotations

import csv
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from cadena.core.graph.fault import Refused
from cadena.gui.look.theme import DARK, THEMES
from cadena.gui.plots.saving import save

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_a_png_is_what_is_seen_twice_as_large(layers, tmp_path, theme):
    plot = layers(1.0, 1e-2, 1e-4, theme=theme)
    plot.point_at(1)
    save(plot, tmp_path / "a.png")
    picture = QImage(str(tmp_path / "a.png"))
    assert (picture.width(), picture.height()) == (2 * plot.width(), 2 * plot.height())
    assert picture.pixelColor(1, 1).name() == theme.window
    middle = (plot.place_of(1) * 2).toPoint()
    assert picture.pixelColor(middle).name() == theme.gradient


def test_an_svg_has_the_same_texts_and_is_cut_where_the_axes_end(layers, tmp_path):
    plot = layers(1.0, 1e-2, 1e-4, theme=DARK)
    save(plot, tmp_path / "a.svg")
    texts = [part.text for part in ElementTree.parse(tmp_path / "a.svg").iter() if part.tag.endswith("text")]
    assert {"n0", "n1", "n2", "1"} <= set(texts)
    plot.zoom(0.3)  # around the middle: the ends lie outside
    save(plot, tmp_path / "b.svg")
    page = ElementTree.parse(tmp_path / "b.svg")
    paths = {part.get("id"): part[0].get("d") for part in page.iter(f"{SVG}clipPath")}
    curve = next(
        group for group in page.iter(f"{SVG}g") if group.find(f"{SVG}g[@stroke='{DARK.gradient}']") is not None
    )
    corners = [tuple(map(float, corner[1:].split(","))) for corner in paths[curve.get("clip-path")[5:-1]].split()[:4]]
    seen = plot.view.sceneBoundingRect()
    assert corners[0] == pytest.approx((seen.left(), seen.top()), abs=1.0)
    assert corners[2] == pytest.approx((seen.right(), seen.bottom()), abs=1.0)


def test_a_csv_has_every_digit_and_no_logarithms(layers, errors, tmp_path):
    numbers = (1.0, 1 / 3, 1.1e-11, 5e-324, 0.0, float("inf"))
    save(layers(*numbers), tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["root mean square"]) for row in rows] == list(numbers)
    assert [row["nodes"] for row in rows] == [f"n{depth}" for depth in range(6)]
    save(errors(1e-3, 1.1e-11), tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text("utf-8").splitlines() == ["h,error of central", "0.1,0.001", "0.01,1.1e-11"]


def test_another_ending_is_refused_in_a_sentence(layers, tmp_path):
    with pytest.raises(Refused, match=r"a\.bmp: the name of an exported plot ends in \.png, \.svg or \.csv; choose"):
        save(layers(1.0, 0.1), tmp_path / "a.bmp")


@pytest.mark.parametrize("suffix", [".png", ".svg", ".csv"])
def test_a_place_that_cannot_be_written_is_told_in_a_sentence(layers, tmp_path, suffix):
    with pytest.raises(Refused, match=r"the plot cannot be saved: .*folder"):
        save(layers(1.0, 0.1), tmp_path / "gone" / f"a{suffix}")


def test_the_cross_hair_is_for_the_screen(layers, tmp_path):
    plot = layers(1.0, 1e-2, 1e-4)
    save(plot, tmp_path / "a.png")
    plot.point_at(1)
    save(plot, tmp_path / "b.png")
    assert QImage(str(tmp_path / "a.png")) == QImage(str(tmp_path / "b.png"))
    assert plot.view.mapViewToScene(QPointF(0.0, 0.0)) == plot.place_of(0)
