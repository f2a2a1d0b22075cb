"""Drawing a wire from port to port, in either direction, and taking a wire off its end to put it elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QSizeF, Qt

from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.compatible_ports import Fitting
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers
from cadena.gui.canvas.rendering.geometry import Port
from cadena.gui.canvas.rendering.scene import Decorations
from cadena.gui.session import graph_edits
from cadena.gui.session.graph_edits import Edit

SNAP = 24.0  # pixels within which the loose end goes to a port that fits


class Connect(Gesture):
    """A loose wire from the port `fixed` to the pointer; the ports that fit are lit.

    `lifted` is the (target, slot) of the wire whose end was taken off: dropped on nothing, it is deleted. Any other
    wire dropped on nothing asks for the new node that it shall lead to.
    """

    cursor = Qt.CursorShape.CrossCursor
    pans_at_edges = True
    keeps_hover = False

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers, port: Port) -> None:
        super().__init__(commands, at, modifiers)
        self._port, document = port, self.session.document
        source = None if port[1] is None else document.source_of(port[0], port[1])
        self.lifted = (port[0], port[1]) if source and port[1] is not None else None
        self.fixed: Port = (source, None) if source else port
        base = _without(document, self.lifted)
        self._fitting = Fitting(base, self.view.places.shapes, self.fixed)
        self._snap: Port | None = None
        self._loose = self.view.camera.to_world(at)
        self._over_card = False

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        place = self.view.camera.to_world(at)
        self._snap = self._target(place)
        self._loose = self._place(self._snap) if self._snap else place
        self._over_card = self.view.hits.card_at(place) is not None

    def _place(self, port: Port) -> QPointF:
        return self.view.hits.place(port)

    def _target(self, place: QPointF) -> Port | None:
        """The fitting port that a release at `place` would take: a near one, or one of the card under it.

        Where another port is nearer that one is meant, although it does not fit: none is taken in its place.
        """
        near = self.view.hits.nearest_port(place, SNAP / self.view.camera.zoom, self._fitting.__contains__)
        if (aimed := self._aimed(place)) and aimed != near:
            return aimed if aimed in self._fitting else None
        card = self.view.hits.card_at(place)
        return near if near or card is None else self._port_of(card, place)

    def _port_of(self, card: str, place: QPointF) -> Port | None:
        """The first open slot of a card, else its nearest port, of those that fit."""
        ports = [port for port in self.view.places.ports_of(card) if port in self._fitting]
        for name, slot in ports:
            if slot is not None and self.session.document.source_of(name, slot) is None:
                return name, slot
        return min(ports, key=lambda port: _away(self._place(port), place), default=None)

    def drop(self, at: QPointF, modifiers: Modifiers) -> None:
        place = self.view.camera.to_world(at)
        target = self._target(place) or self._refused_target(place)
        if target == self._port or self._is_home(place):
            return
        if target:
            self.session.edit(*self._edit_to(target))
        elif self.view.hits.card_at(place):
            self._explain(str(self.view.hits.card_at(place)))
        elif self.lifted:
            self.session.edit(*graph_edits.delete_wire(self.fixed[0], *self.lifted))
        else:
            self.commands.ask_for_node(at, self.fixed)

    def _refused_target(self, place: QPointF) -> Port | None:
        """A port that was aimed at but does not fit: the edit or the run will say why."""
        near, card = self._aimed(place), self.view.hits.card_at(place)
        on_card = [port for port in self.view.places.ports_of(card) if self._fitting.seeks(port)] if card else []
        return near or min(on_card, key=lambda port: _away(self._place(port), place), default=None)

    def _aimed(self, place: QPointF) -> Port | None:
        """The port at the other side of a wire that `place` is on or close to, whether it fits or not."""
        return self.view.hits.nearest_port(place, SNAP / 2 / self.view.camera.zoom, self._fitting.seeks)

    def _is_home(self, place: QPointF) -> bool:
        """Whether the wire was released close to where it was picked up, so that nothing should happen."""
        return _away(self._place(self._port), place) < SNAP / 2 / self.view.camera.zoom

    def _edit_to(self, target: Port) -> Edit:
        source, (end, slot) = (self.fixed[0], target) if self.fixed[1] is None else (target[0], self.fixed)
        lifted = self.lifted

        def change(document: Document) -> Document:
            return edits.connect(_without(document, lifted), source, end, slot or 0)

        return Edit(change, f"{'Move wire' if lifted else 'Connect'} {source} to {end}")

    def _explain(self, card: str) -> None:
        """Explain why nothing can be connected to a card without a port of the right kind: it is a leaf."""
        op = self.session.document.nodes[card].op
        self.session.message.emit(f"{card} is a leaf ({op}) and takes no operands; drop the wire on an operation")

    def click(self) -> None:
        self.commands.click_node(self._port[0], self.modifiers)

    @property
    def shown_cursor(self) -> Qt.CursorShape | None:
        refused = self.dragging and self._over_card and self._snap is None
        return Qt.CursorShape.ForbiddenCursor if refused else self.cursor

    @property
    def decorations(self) -> Decorations:
        if not self.dragging:
            return Decorations()
        return Decorations(
            lit_ports=self._visible_ports(),
            snap=self._snap,
            loose_wire=self._loose_wire(),
            lifted_wire=self.lifted,
        )

    def _visible_ports(self) -> frozenset[Port]:
        """The fitting ports in view: of a large graph, few of thousands."""
        visible = self.view.hits.cards_in(self.view.camera.visible(QSizeF(self.view.size())))
        return frozenset(port for name in visible for port in self._fitting.of(name))

    def _loose_wire(self) -> tuple[QPointF, QPointF, bool]:
        """From the output side to the input side, and whether a release here would connect."""
        fixed = self._place(self.fixed)
        ends = (fixed, self._loose) if self.fixed[1] is None else (self._loose, fixed)
        return (*ends, self._snap is not None)


def _without(document: Document, wire: tuple[str, int] | None) -> Document:
    return edits.disconnect(document, *wire) if wire else document


def _away(a: QPointF, b: QPointF) -> float:
    return QLineF(a, b).length()
