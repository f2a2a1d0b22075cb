"""The menus of the right button on the canvas: those of the commands that can be carried out there."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QTimer
from PySide6.QtWidgets import QMenu

from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.frame.command import Actions

# Commands by their id, or a submenu by its path; a line is drawn between the groups.
ON_A_NODE = (
    ("graph.output", "graph.sum"),
    ("edit.rename", "edit.value", "Graph/Kind of leaf", "graph.gradient", "graph.change"),
    (
        "function.make", "function.enter", "function.inline", "function.rename", "function.gradient",
        "function.use-gradient", "function.remove-gradient", "graph.expand", "graph.fold",
    ),
    ("graph.connect", "graph.feed", "graph.disconnect", "graph.swap", "graph.bypass", "graph.mute"),
    ("frame.make", "frame.collapse", "frame.rename", "frame.colour", "frame.leave", "note.add"),
    ("Graph/Align", "align.arrange", "align.straighten"),
    ("View/Highlight", "hide.selected", "hide.reveal", "run.breakpoint"),
    ("edit.duplicate", "edit.dissolve", "edit.delete"),
)  # fmt: skip
ON_A_FRAME = (
    ("frame.collapse", "frame.rename", "frame.colour", "frame.leave"),
    ("function.make", "edit.duplicate", "edit.delete"),
)
ON_A_WIRE = (("graph.reroute", "graph.unroute", "edit.delete"),)
ON_THE_CANVAS = (("graph.add", "note.add", "edit.paste"), ("edit.select-all", "view.zoom-fit", "graph.arrange"))


def open_menu(actions: Actions, canvas: Canvas, hit: Hit, at: QPointF) -> QMenu:
    """Open the menu of the object at a pixel of the canvas."""
    forget = canvas.target.point(None if hit.wire else hit.node, at)
    actions.refresh()
    menu = QMenu(canvas)
    menu.setToolTipsVisible(True)
    groups = ON_A_FRAME if hit.frame else ON_A_WIRE if hit.wire else ON_A_NODE if hit.node else ON_THE_CANVAS
    for group in groups:
        for entry in group:
            _add(menu, actions, entry)
        menu.addSeparator()

    def closed() -> None:
        forget()
        actions.refresh()

    menu.aboutToHide.connect(lambda: QTimer.singleShot(0, actions, closed))  # after what was chosen has been done
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(canvas.mapToGlobal(at.toPoint()))
    return menu


def _add(menu: QMenu, actions: Actions, entry: str) -> None:
    inner = "/" in entry
    usable = [one for one in (actions.menu(entry).actions() if inner else [actions.action(entry)]) if one.isEnabled()]
    if inner and usable:
        menu.addMenu(entry.rpartition("/")[2]).addActions(usable)
    else:
        menu.addActions(usable)
