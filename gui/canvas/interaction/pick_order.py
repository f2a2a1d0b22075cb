"""The order in which nodes were selected: a new operation takes them as operands in it."""

from __future__ import annotations

import numpy as np

from cadena.gui.canvas.rendering.view import CanvasView


class Picked:
    """The selected nodes in the order in which they were selected; those selected at once from top to bottom."""

    def __init__(self, view: CanvasView) -> None:
        self._view, self.names = view, tuple[str, ...]()
        view.session.selectionChanged.connect(self._follow)

    def _follow(self) -> None:
        chosen, places = self._view.session.selection, self._view.places
        kept = tuple(name for name in self.names if name in chosen)
        new = chosen.difference(kept)
        if len(new) > 1:
            names = sorted(new)
            left, top = places.boxes[[places.numbers[name] for name in names], :2].T
            self.names = (*kept, *(names[place] for place in np.lexsort((left, top)).tolist()))
        else:
            self.names = (*kept, *new)

    def put_last(self, name: str) -> None:
        """Take a node for the one that was selected last."""
        self.names = (*(other for other in self.names if other != name), name)
