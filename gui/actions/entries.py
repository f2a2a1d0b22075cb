"""What the command search can find in a"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from cadena.core.graph.document import LEAVES, Node
from cadena.core.ops.primitive import REGISTRY
from cadena.gui.actions.record import Actions, Command
from cadena.gui.actions.search import Entry
from cadena.gui.canvas.hand.canvas import Canvas
from cadena.gui.files import Files
from cadena.gui.session import Session
from cadena.gui.settings import Settings


def entries(actions: Actions, session: Session, settings: Settings, files: Files, canvas: Canvas) -> Iterator[Entry]:
    """Everything, in the order in which it is listed before a letter is typed."""
    for command in actions.commands:
        if command.enabled() and command.id != "help.search":
            yield _command(actions, command)
    for path in settings.recent_files:
        yield Entry(f"Open {path.name}", partial(files.open_recent, path), "Open recent")
    for node in session.document.nodes.values():
        yield Entry(node.name, partial(canvas.commands.go_to, node.name), f"Node · {_title(node)}")
    for leaf in LEAVES:
        yield Entry(leaf, partial(canvas.commands.add_at_view_center, leaf), "Add · Leaves")
    for name in session.document.functions:
        yield Entry(name, partial(canvas.commands.add_at_view_center, name), "Add · Functions", words="function")
    for op, primitive in REGISTRY.items():
        add = partial(canvas.commands.add_at_view_center, op)
        words = f"{primitive.title} {primitive.symbol}"
        yield Entry(op, add, f"Add · {primitive.category}", words=words)


def _command(actions: Actions, command: Command) -> Entry:
    menu, _, submenu = command.menu.partition("/")
    title = f"{submenu}: {command.shown_text}" if submenu else command.shown_text
    return Entry(title, partial(actions.run, command.id), menu, command.shown_keys, command.tip)


def _title(node: Node) -> str:
    return REGISTRY[node.op].title if node.op in REGISTRY else node.op
