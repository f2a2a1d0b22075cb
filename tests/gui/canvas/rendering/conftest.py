"""A canvas that shows a large graph, of which it is noted what is painted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cadena.core.graph.document import Document
from cadena.gui.canvas.rendering import static_layer

Painted = list[Any]  # the contents that were painted each time


@pytest.fixture
def showing_large(canvas, session, monkeypatch) -> Callable[[Document, tuple[int, int]], Painted]:
    """Show a large graph, in a canvas of this size; returns the list of what is painted of it from then on."""

    def show(document: Document, size: tuple[int, int]) -> Painted:
        session.reduce_motion = True
        session.open(document, None)
        canvas.resize(*size)
        canvas.show()
        canvas.zoom_to_fit()
        canvas.grab()
        painted, paint_graph = list[Any](), static_layer.paint_graph

        def noted(painter, contents, sprites):
            painted.append(contents)
            paint_graph(painter, contents, sprites)

        monkeypatch.setattr(static_layer, "paint_graph", noted)
        return painted

    return show
