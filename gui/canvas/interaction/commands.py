"""The commands of the canvas, as methods: select, add, edit in place, delete, copy, arrange."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication

from cadena.core.functions.calls import operation
from cadena.core.graph import edits
from cadena.core.graph.blocks import ClosedBlock
from cadena.core.graph.document import Document, Value
from cadena.core.graph.fault import Refused
from cadena.core.graph.frames import frames
from cadena.core.text.numbers import number_of
from cadena.gui.background.tasks import Order
from cadena.gui.canvas.interaction import clipboard, placement, wiring
from cadena.gui.canvas.interaction.arranging import Arranging
from cadena.gui.canvas.interaction.editors import name_editor, value_editor
from cadena.gui.canvas.interaction.fields import Fields
from cadena.gui.canvas.interaction.framing import FrameCommands
from cadena.gui.canvas.interaction.navigation import Navigation
from cadena.gui.canvas.interaction.note_commands import MemoCommands
from cadena.gui.canvas.interaction.pick_order import Picked
from cadena.gui.canvas.interaction.rewiring import WiringCommands
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD, Port
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look.wording import worded
from cadena.gui.search.catalogue import Entry, changes, operations
from cadena.gui.search.typed_expression import CATEGORY as EXPRESSION
from cadena.gui.search.typed_expression import Typed, typed
from cadena.gui.session import graph_edits
from cadena.gui.session.graph_edits import named

NOT_PASTED = "Nothing was pasted, as another graph is shown"
ARRANGED = "A folded graph arranges its cards; unfold it to move them (Ctrl+Alt+L)"
ADD_PROMPT = "add a node, or write an expression…"


class Commands:
    """What mouse, keys and menus do to the graph that a view shows; each command is one undo step."""

    def __init__(self, view: CanvasView, fields: Fields) -> None:
        self.session, self.view, self._fields = view.session, view, fields
        self.wiring, self.framing, self.memos = (
            WiringCommands(view),
            FrameCommands(view, fields),
            MemoCommands(view),
        )
        self.picked, self.navigation, self.arranging = Picked(view), Navigation(view), Arranging(view)
        self.snapping = placement.Snapping()

    def open_part(self, met: Hit) -> bool:
        """Take a reroute point out, edit the title of a frame or a note, expand a frame, as by a double click; whether
        it is one."""
        frame = self.view.places.collapsed(met.card)
        if met.kind == "reroute":
            self.wiring.take_out(met)
        elif frame is not None:
            self.framing.toggle(frame.title)
            return True
        elif met.kind == "frame":
            self.framing.start_rename(str(met.frame))
        elif met.memo is not None:
            self.memos.start_edit(met.memo)
        return met.kind in ("reroute", "frame", "frame_mark", "memo")

    # --- selection ----------------------------------------------------------------------------------------------

    def click_node(self, name: str, modifiers: Qt.KeyboardModifier) -> None:
        """What a click selects: with Ctrl the node is added or taken out, with Shift added, else it alone.

        The card of a collapsed frame stands for all its nodes. That of a block opens.
        """
        if isinstance(block := self.view.places.folds.get(name), ClosedBlock):
            self.view.toggle_block(block.opens)
            return
        if self.session.hidden.hides_at(name):
            self.session.set_hidden(self.session.hidden.with_revealed([name]))
        frame = self.view.places.collapsed(name)
        chosen, names = self.session.selection, set(frame.members) if frame else {name}
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.session.select(chosen ^ names)
        else:
            self.session.select(chosen | names if modifiers & Qt.KeyboardModifier.ShiftModifier else names)

    def select_met(self, met: Hit) -> Hit:
        """Select what a menu is opened on, unless it is; the card of a collapsed frame is that frame."""
        frame = self.view.places.collapsed(met.card)
        title = frame.title if frame else met.frame
        if title is not None:
            self.session.select(frames(self.session.document)[title])
            return Hit("frame", frame=title)
        if met.wire:
            self.select_wire(met.wire)
        elif met.node and met.node not in self.session.selection:
            self.session.select([met.node])
        return met

    def select_wire(self, wire: tuple[str, int] | None) -> None:
        """Select the wire into (target, slot), or none."""
        if wire:
            self.session.select(())
        self.view.selected_wire = wire
        self.view.update()

    def select_all(self) -> None:
        self.session.select(self.session.document.nodes)

    def clear_selection(self) -> None:
        self.session.select(())
        self.select_wire(None)

    # --- adding -------------------------------------------------------------------------------------------------

    def add(self, op: str, corner: QPointF, wire: Port | None = None, value: Value | None = None) -> None:
        """A new node with its top left corner at `corner`, connected to the port `wire` and selected."""
        name, home = edits.name_for(self.session.document, op), self.view.places.home(corner)
        adding = graph_edits.add(op, home.toTuple(), name, value)

        def change(document: Document) -> Document:
            added = adding.change(document)
            return _connected(added, wire, name) if wire else added

        if self.session.edit(change, adding.text):
            self.session.select([name])

    def add_at_view_center(self, op: str) -> None:
        """A new node near the middle of the view, where it covers no other; the keys go to the canvas."""
        middle = self.view.camera.to_world(self.view.middle)
        self.add(op, placement.free_place(self.view.places, placement.centred(middle)))
        self.view.reveal(self.session.selection)
        self.view.setFocus()  # Space plays again

    def ask_for_operation_on(self, at: QPointF) -> None:
        """Open the search at a pixel of the view; an operation that is chosen takes the selected nodes as operands."""
        self.ask_for_node(at, operands=self.picked.names)

    def ask_for_node(self, at: QPointF, wire: Port | None = None, operands: Sequence[str] = ()) -> None:
        """Open the search at a pixel of the view; what is chosen comes to that place, connected to the port `wire`."""
        place = self.view.camera.to_world(at)
        offered = operations(self.session.document.functions, leaves=wire is None or wire[1] is not None)
        take = lambda entry: self._add_entry(entry, place, wire, operands)  # noqa: E731
        if wire:
            prompt = f"connect {wire[0]} to…" if wire[1] is None else "feed with…"
            self._fields.ask(at, offered, prompt, take, (wire, place))
        else:
            prompt = f"an operation on {named(operands)}, or a node…" if operands else ADD_PROMPT
            self._fields.ask(at, offered, prompt, take, typed=self.typed)

    def typed(self, text: str) -> Typed | None:
        """The expression typed in the search of nodes; None where it is none."""
        return typed(text, self.session.document, partial(self.add_expression, text))

    def add_expression(self, text: str, place: QPointF | None = None) -> None:
        """The nodes that an expression means, around a place of the graph or the middle of the view."""
        middle = self.view.places.home(place or self.view.camera.to_world(self.view.middle))
        before = self.session.document.nodes
        if self.session.edit(*graph_edits.add_expression(text, middle.toTuple())):
            new = [name for name in self.session.document.nodes if name not in before]
            self.session.select(new[-1:])
            if before:
                self.view.reveal(new)
            else:
                self.view.zoom_to_fit()

    def _add_entry(self, entry: Entry, place: QPointF, wire: Port | None, operands: Sequence[str]) -> None:
        if entry.category == EXPRESSION:
            self.add_expression(entry.name, place)
            return
        if operands and not entry.is_leaf and entry.value is None:
            self.add_on(entry.name, operands)
            return
        corner = _corner_for(self.session.document, entry.name, place, wire)
        self.add(entry.name, corner if wire else placement.free_place(self.view.places, corner), wire, entry.value)

    def add_on(self, op: str, operands: Sequence[str]) -> None:
        """A new operation behind the nodes that it takes as operands, in this order."""
        name, room = edits.name_for(self.session.document, op), wiring.room_for(self.session.document, op)
        taken = operands[:room]
        home = self.view.places.home(placement.behind(self.view.places, taken))
        adding = graph_edits.add(op, home.toTuple(), name)
        change = lambda document: wiring.with_inputs(adding.change(document), taken, name)  # noqa: E731
        if self.session.edit(change, adding.text):
            self.session.select([name])
            self.view.show_node(name)
            if len(taken) < len(operands):
                self.session.message.emit(f"{name} takes {number_of(len(taken), 'operand')}: {', '.join(taken)}")

    def ask_to_connect(self) -> None:
        """Open the search for a port that the selected nodes shall feed."""
        names = self.picked.names
        if offered := wiring.targets(self.view, names) if names else []:
            self._ask_beside(names[-1], offered, f"connect {named(names)} to…")
        else:
            self.session.message.emit(f"Nothing has room for {named(names)}; add an operation first (A)")

    def ask_for_operand(self, name: str) -> None:
        """Open the search for a node that shall feed one."""
        if offered := wiring.operands(self.view, name):
            self._ask_beside(name, offered, f"feed {name} with…")
        else:
            self.session.message.emit(f"No node can feed {name}; add a leaf first (A)")

    def _ask_beside(self, name: str, offered: Sequence[Entry], prompt: str) -> None:
        self.view.show_node(name)
        at = self.view.camera.to_view(self.view.places.card(name).bottomLeft())
        self._fields.ask(at, offered, prompt, lambda entry: self.session.edit(*entry.edit) if entry.edit else None)

    def ask_for_operation(self, at: QPointF, name: str) -> None:
        """Open the search at a pixel of the view; what is chosen becomes the operation of the node."""
        offered = changes(self.session.document.functions)
        self._fields.ask(at, offered, f"change {name} to…", partial(self._change_operation, name))

    def _change_operation(self, name: str, entry: Entry) -> None:
        document = self.session.document
        place, before = list(document.nodes).index(name), document.nodes[name].inputs
        if self.session.edit(*graph_edits.change_operation(name, entry.name)):
            name, node = list(self.session.document.nodes.items())[place]  # which follows, if the program gave it
            left = node.inputs
            if gone := [source for source in before[len(left) :] if source is not None]:
                what = number_of(len(left), "operand")
                self.session.message.emit(f"{entry.name} takes {what}: {', '.join(gone)} no longer feeds {name}")

    # --- editing in place ---------------------------------------------------------------------------------------

    def start_rename(self, name: str) -> None:
        """Type another name over the card's."""
        if name in self.session.document.nodes:
            self.go_to(name)
            editor = name_editor(self.view, name)
            editor.committed.connect(lambda text: self.session.select([text.strip()]))
            self._fields.edit_with(editor)

    def start_value_edit(self, name: str) -> None:
        """Type another value over the leaf's; of a node that has none to type, say why."""
        if name in self.session.document.nodes:
            self.go_to(name)
            try:
                self._fields.edit_with(value_editor(self.view, name))
            except Refused as refusal:
                self.session.message.emit(worded(refusal))

    def go_to(self, name: str) -> None:
        """Select a node and bring it into view."""
        self.session.select([name])
        self.navigation.jump(lambda: self.view.show_node(name))

    # --- deleting, copying, moving ------------------------------------------------------------------------------

    def delete_selection(self) -> None:
        """Take the marked point out of the selected wire, or that wire, or the selected nodes, out of the graph."""
        wire, point = self.view.selected_wire, self.wiring.point
        if wire and point is not None:
            self.wiring.take_out(Hit("reroute", *wire, point))
        elif wire:
            self.delete_wire(wire)
        elif names := self.session.selection:
            before = self.session.document
            if self.session.edit(lambda document: edits.remove(document, names), f"Delete {named(names)}"):
                choice = self.wiring.way_to_heal(before, names)
                self.session.done.emit(_deleted(before, names), choice)

    def delete_wire(self, wire: tuple[str, int]) -> None:
        """Take the wire into (target, slot) out of the graph."""
        if source := self.session.document.source_of(*wire):
            self.session.edit(*graph_edits.delete_wire(source, *wire))

    def copy(self) -> None:
        """Put the selected nodes on the clipboard, as text."""
        if self.session.selection:
            QGuiApplication.clipboard().setText(clipboard.copied(self.session))

    def cut(self) -> None:
        """Copy, then delete."""
        if names := self.session.selection:
            self.copy()
            self.session.edit(lambda document: edits.remove(document, names), f"Cut {named(names)}")

    def paste(self, at: QPointF | None = None) -> None:
        """Add the nodes on the clipboard, or those of an expression there, at the pixel `at`, else at the mouse, else a
        little off where they were."""
        at, text = at if at is not None else self.view.pointer(), QGuiApplication.clipboard().text().strip()
        place = self.view.camera.to_world(at) if at is not None else None
        home, history = self.view.places.home(place) if place is not None else None, self.session.history

        def come(part: Document) -> None:
            clipboard.paste(self.view, part, home, "Paste")
            self.view.reveal(self.session.selection)

        def refuse(refusal: Refused) -> None:
            meant = None if text.startswith("{") else self.typed(text)  # a graph that cannot be read
            if meant is not None and meant.entry is not None:
                self.add_expression(text, place)
            elif meant is None or "\n" in text:
                self.session.message.emit(worded(refusal))
            else:
                self.session.message.emit(meant.preview)

        order = Order("Pasting", come, refuse, lambda: self.session.history is history, NOT_PASTED)
        self.session.tasks.in_thread(order, partial(clipboard.read, text))

    def duplicate(self) -> None:
        """The selected nodes once more, with the same operands."""
        if self.session.selection:
            part = edits.fragment(self.session.document, self.session.selection)
            clipboard.paste(self.view, part, None, "Duplicate")
            self.view.reveal(self.session.selection)

    def nudge(self, dx: float, dy: float) -> None:
        """Move the selected nodes a little; a key held down is one undo step."""
        names = self.session.selection
        if self.view.places.is_arranged:
            self.session.message.emit(ARRANGED)
            return
        self.session.edit(*graph_edits.move(self.view.places.together(names), dx, dy), f"nudge {sorted(names)}")


def _deleted(before: Document, names: Collection[str]) -> str:
    """What a deletion took out of a graph: "Deleted m1 and its 3 wires"."""
    nodes = before.nodes.values()
    ends = ((source, node.name) for node in nodes for source in node.inputs if source is not None)
    wires = sum(source in names or name in names for source, name in ends)
    if not wires:
        return f"Deleted {named(names)}"
    return f"Deleted {named(names)} and {'its' if len(names) == 1 else 'their'} {number_of(wires, 'wire')}"


def _connected(document: Document, wire: Port, name: str) -> Document:
    """The document with the loose wire from the port `wire` led to the node `name`."""
    end, slot = wire
    return edits.connect(document, end, name, 0) if slot is None else edits.connect(document, name, end, slot)


def _corner_for(document: Document, op: str, place: QPointF, wire: Port | None) -> QPointF:
    """Where the top left corner of a new card goes so that the wire ends at `place`; without a wire its middle does."""
    width, height = NUMBER_CARD
    if wire is None:
        return placement.centred(place)
    if wire[1] is not None:
        return placement.snapped(place - QPointF(width, height / 2))
    primitive = operation(document, op)
    slots = len(primitive.slots) if primitive else 1
    return placement.snapped(place - QPointF(0.0, height / (slots + 1)))
