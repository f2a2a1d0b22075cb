"""The menus that the right button opens: for a node, for a wire, for the empty canvas."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QMenu

from cadena.core.graph.document import LEAVES
from cadena.core.rewriting import atoms
from cadena.gui import graph_edits
from cadena.gui.canvas.picture.hit import Hit

if TYPE_CHECKING:
    from cadena.gui.canvas.hand.canvas import Canvas


def menu_for(canvas: Canvas, hit: Hit, at: QPointF) -> QMenu:
    """The menu of what lies at the pixel `at`."""
    menu = QMenu(canvas)
    if hit.wire:
        menu.addAction("Delete wire", partial(canvas.commands.delete_wire, hit.wire))
    elif hit.node:
        _node(menu, canvas, hit.node, at)
    else:
        _empty(menu, canvas, at)
    return menu


def _empty(menu: QMenu, canvas: Canvas, at: QPointF) -> None:
    some = bool(canvas.session.document.nodes)
    menu.addAction("Add…", partial(canvas.commands.ask_for_node, at))
    menu.addAction("Paste", partial(canvas.commands.paste, at))
    menu.addSeparator()
    menu.addAction("Select all", canvas.commands.select_all).setEnabled(some)
    menu.addAction("Zoom to fit", canvas.zoom_to_fit).setEnabled(some)
    menu.addAction("Arrange", canvas.commands.arrange).setEnabled(some)


def _node(menu: QMenu, canvas: Canvas, name: str, at: QPointF) -> None:
    session, node = canvas.session, canvas.session.document.nodes[name]
    output = menu.addAction("Make this the output", partial(_make_output, canvas, name))
    output.setEnabled(session.document.output != name)
    menu.addSeparator()
    menu.addAction("Rename", partial(canvas.commands.start_rename, name))
    if node.is_leaf:
        menu.addAction("Edit value", partial(canvas.commands.start_value_edit, name))
        _kinds(menu.addMenu("Kind of leaf"), canvas, name)
        if node.op == "input":
            wants = menu.addAction("Wants a gradient", partial(_want_gradient, canvas, name, not node.gradient))
            wants.setCheckable(True)
            wants.setChecked(node.gradient)
    else:
        menu.addAction("Change operation…", partial(canvas.commands.ask_for_operation, at, name))
    _inner(menu, canvas, name)
    menu.addSeparator()
    connected = any(node.inputs) or bool(session.document.consumers[name])
    menu.addAction("Disconnect", partial(_disconnect, canvas, name)).setEnabled(connected)
    menu.addAction("Duplicate", canvas.commands.duplicate)
    menu.addAction("Delete", canvas.commands.delete_selection)


def _inner(menu: QMenu, canvas: Canvas, name: str) -> None:
    """What a node is made of: a function's subgraph, or elementary operations."""
    document = canvas.session.document
    node, entries = document.nodes[name], list[tuple[str, Callable[[], object]]]()
    if not node.is_leaf:
        entries.append(("Make function…", canvas.functions.start_function))
    if node.op in document.functions:
        gradient = document.functions[node.op].gradient
        entries += [
            ("Step into", partial(canvas.enterAsked.emit, name)),
            ("Replace by its nodes", partial(canvas.functions.inline_call, name)),
            ("Rename function…", partial(canvas.functions.start_function_rename, name)),
            (f"{'Edit' if gradient else 'Give'} custom gradient…", partial(canvas.gradientAsked.emit, name)),
        ]
        if gradient is not None:
            use = "Use automatic gradient" if gradient.used else "Use custom gradient"
            entries.append((use, partial(canvas.functions.toggle_gradient_use, name)))
            entries.append(("Remove custom gradient", partial(canvas.functions.remove_gradient, name)))
    elif atoms.has_atoms(node.op):
        entries.append(("Expand to atoms", partial(canvas.functions.expand, name)))
    if atoms.group_of(document, name):
        entries.append(("Fold back", canvas.functions.fold))
    if entries:
        menu.addSeparator()
    for text, act in entries:
        menu.addAction(text, act)


def _kinds(menu: QMenu, canvas: Canvas, name: str) -> None:
    for kind in LEAVES:
        action = menu.addAction(kind.capitalize(), partial(_change_kind, canvas, name, kind))
        action.setCheckable(True)
        action.setChecked(canvas.session.document.nodes[name].op == kind)


def _make_output(canvas: Canvas, name: str) -> None:
    canvas.session.edit(*graph_edits.choose_output(name))


def _change_kind(canvas: Canvas, name: str, kind: str) -> None:
    canvas.session.edit(*graph_edits.change_operation(name, kind))


def _want_gradient(canvas: Canvas, name: str, wanted: bool) -> None:
    canvas.session.edit(*graph_edits.want_gradient(name, wanted))


def _disconnect(canvas: Canvas, name: str) -> None:
    canvas.session.edit(*graph_edits.disconnect([name]))
