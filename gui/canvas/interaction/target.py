"""The target of a command, shared by menu bar, keys and context menus."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF

from cadena.core.graph.document import Node
from cadena.gui.canvas.rendering.view import CanvasView


def any_node(node: Node) -> bool:
    return True


class Target:
    """The target of an open context menu; else the one node that is selected, and the mouse."""

    def __init__(self, view: CanvasView) -> None:
        self._view, self._session = view, view.session
        self._menu: tuple[str | None, QPointF] | None = None  # the node and the pixel that it was opened on

    def point(self, name: str | None, at: QPointF) -> Callable[[], None]:
        """A context menu opens on a node, or on none, at a pixel of the view; call the result when it has gone."""
        self._menu = opened = (name, at)

        def forget() -> None:
            if self._menu is opened:  # and not another menu since
                self._menu = None

        return forget

    @property
    def node(self) -> Node | None:
        """The node that a command for one node is done to."""
        chosen = self._session.selection
        name = self._menu[0] if self._menu else next(iter(chosen)) if len(chosen) == 1 else None
        return None if name is None else self._session.document.nodes.get(name)

    @property
    def place(self) -> QPointF | None:
        """The pixel of the view for a new node; None when the mouse is elsewhere."""
        return self._menu[1] if self._menu else self._view.pointer()

    def fits(self, test: Callable[[Node], bool] = any_node) -> bool:
        """Whether there is a node that passes a test."""
        return (node := self.node) is not None and test(node)

    def do(self, act: Callable[[str], object]) -> None:
        """Call a function with the node's name."""
        if (node := self.node) is not None:
            act(node.name)
