"""What the command search can find in a window."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from cadena.core.graph.document import LEAVES, Node
from cadena.core.ops.primitive import REGISTRY
from cadena.gui.actions.record import Command
from cadena.gui.actions.search import Entry

if TYPE_CHECKING:
    from cadena.gui.window import Window


def entries(window: Window) -> Iterator[Entry]:
    """Everything, in the order in which it is listed before a letter is typed."""
    for command in window.menus.commands:
        if command.enabled() and command.id != "help.search":
            yield _command(window, command)
    for path in window.settings.recent_files:
        yield Entry(f"Open {path.name}", partial(window.files.open_recent, path), "Open recent")
    for node in window.session.document.nodes.values():
        yield Entry(node.name, partial(window.show_node, node.name), f"Node · {_title(node)}")
    for leaf in LEAVES:
        yield Entry(leaf, partial(window.canvas.add_at_view_center, leaf), "Add · Leaves")
    for name in window.session.document.functions:
        yield Entry(name, partial(window.canvas.add_at_view_center, name), "Add · Functions", words="function")
    for op, primitive in REGISTRY.items():
        add = partial(window.canvas.add_at_view_center, op)
        words = f"{primitive.title} {primitive.symbol}"
        yield Entry(op, add, f"Add · {primitive.category}", words=words)


def _command(window: Window, command: Command) -> Entry:
    menu, _, submenu = command.menu.partition("/")
    title = f"{submenu}: {command.shown_text}" if submenu else command.shown_text
    return Entry(title, partial(window.menus.run, command.id), menu, command.shown_keys, command.tip)


def _title(node: Node) -> str:
    return REGISTRY[node.op].title if node.op in REGISTRY else node.op
