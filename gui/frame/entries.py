"""The entries of the command search (Ctrl+K): commands, lessons, files, nodes, leaves, functions and operations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from cadena.core.graph.document import Node
from cadena.core.ops.primitive import REGISTRY
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.files.opening import Files
from cadena.gui.files.settings import Settings
from cadena.gui.frame.command import Actions, Command
from cadena.gui.search.catalogue import Entry, operations
from cadena.gui.session.session import Session

BEHIND = 2  # levels that an operation comes behind a command: people who look for it know its name


def entries(actions: Actions, session: Session, settings: Settings, files: Files, canvas: Canvas) -> Iterator[Entry]:
    """Everything, in the order in which it is listed before a letter is typed."""
    for command in actions.commands:
        if command.id != "help.search":
            yield _command(actions, command, session)
    for path in settings.recent_files:
        yield Entry(f"Open {path.name}", detail="Open recent", group="Go to", run=partial(files.open_recent, path))
    yield from node_entries(session, canvas)
    for entry in operations(session.document.functions):
        add = partial(canvas.commands.add_at_view_center, entry.name)
        yield replace(entry, detail=f"Add · {entry.title}", group="Do", behind=BEHIND, run=add)


def topic_entries(actions: Actions, topic: str, session: Session, title: str) -> Iterator[Entry]:
    """The commands of one topic, whose name goes without saying, below a title."""
    for command in actions.commands:
        if command.topic == topic:
            yield replace(_command(actions, command, session), name=command.shown_text, group=title)


def node_entries(session: Session, canvas: Canvas) -> Iterator[Entry]:
    """All nodes, found by their names and operations; one that is chosen is shown so large that it can be read."""
    find = canvas.commands.navigation.find
    for node in session.document.nodes.values():
        what, run = _title(node), partial(find, node.name, canvas.walk.go)
        yield Entry(node.name, keywords=what, detail=f"Node · {what}", group="Go to", run=run)


def _command(actions: Actions, command: Command, session: Session) -> Entry:
    """A command; one that cannot be carried out now says why."""
    menu, _, topic = command.topic.partition("/")
    says_topic = not topic or command.text.startswith(topic.split()[0])
    name = command.shown_text if says_topic else f"{topic}: {command.shown_text}"
    entry = Entry(
        name, title=command.shown_text, category=menu, doc=command.tip, keywords=command.words, detail=menu,
        keys=command.shown_keys, group=_group(command),
    )  # fmt: skip
    if command.enabled():
        return replace(entry, run=partial(actions.run, command.id))
    detail = f"not now: {command.needs}" if command.needs else "not now"
    return replace(entry, detail=detail, usable=False, run=partial(session.message.emit, command.refusal))


def _group(command: Command) -> str:
    if command.id.startswith(("lesson.", "help.")):
        return "Learn"
    return "Go to" if command.topic in ("Go to", "View/Panels", "View/Bookmarks") else "Do"


def _title(node: Node) -> str:
    return REGISTRY[node.op].title if node.op in REGISTRY else node.op
