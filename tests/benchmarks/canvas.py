"""One frame of the canvas, 1600 x 1000 pixels, painted without a screen."""

from __future__ import annotations

from collections.abc import Iterator

from tests.benchmarks.cases import OURS, Case
from tests.benchmarks.timing import Action
from tests.core.graphs import wide

SIZE = (1600, 1000)


def canvas_cases() -> Iterator[Case]:
    """Frames of a large graph: fitted into the view, and close up, while the reverse pass plays."""
    for count in (1_000, 10_000):
        for zoom in ("fitted", "close up"):
            yield Case("canvas", f"{count} nodes, {zoom}", lambda c=count, z=zoom: _frames(c, z))  # type: ignore[misc]


def _frames(count: int, zoom: str) -> dict[str, Action]:
    """A frame after a small move of time, as when playing."""
    from PySide6.QtGui import QPixmap
    from PySide6.QtWidgets import QApplication

    from cadena.core.layout.arrange import arrange
    from cadena.gui.canvas.interaction.canvas import Canvas
    from cadena.gui.look.theme import LIGHT
    from cadena.gui.session.session import Session

    application = QApplication.instance() or QApplication([])
    session = Session(arrange(wide(count, leaves=count // 8)))
    canvas = Canvas(session, LIGHT)
    canvas.resize(*SIZE)
    canvas.show()
    application.processEvents()
    if zoom == "fitted":
        canvas.zoom_to_fit()
    session.set_time(len(session.timeline) * 0.75)
    target = QPixmap(*SIZE)

    def frame() -> None:
        session.set_time(session.time + 0.01)
        canvas.render(target)

    return {OURS: frame}
