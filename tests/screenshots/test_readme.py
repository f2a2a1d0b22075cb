"""The README's picture can be taken at any time, and stays small enough for a repository."""

from __future__ import annotations

from PySide6.QtGui import QColor, QImage

from cadena.gui.look.theme import LIGHT
from tests.screenshots.readme import SIZE, TARGET, take

MAX_BYTES = 300_000


def test_the_picture_shows_values_and_gradients_and_is_small(qapp, tmp_path):
    take(tmp_path / "screenshot.png")
    picture = QImage(str(tmp_path / "screenshot.png"))
    seen = {QColor(picture.pixel(x, y)).name() for x in range(0, SIZE[0], 3) for y in range(0, SIZE[1], 3)}
    assert picture.size().toTuple() == SIZE and (tmp_path / "screenshot.png").stat().st_size < MAX_BYTES
    assert {LIGHT.value, LIGHT.gradient, LIGHT.canvas} <= seen


def test_the_picture_in_the_repository_is_small():
    assert 10_000 < TARGET.stat().st_size < MAX_BYTES
