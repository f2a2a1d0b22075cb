"""The pages of the help menu: all keys, and about Cadena. Windows of their own, so that work can go on beside them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from PySide6.QtWidgets import QDialog, QTextBrowser, QVBoxLayout, QWidget

from cadena.gui.frame.command import Command, key_text

ON_THE_CANVAS = (
    ("Drag an operation from the left", "put it onto the canvas"),
    ("E", "type the graph as text above the canvas, such as y = w*x + b"),
    ("Double-click the canvas", "add an operation by name, a number, or an expression such as y = w*x + b"),
    ("Drop an operation, or a card without wires, on a wire", "put it into the wire"),
    ("Drag from port to port", "connect"),
    ("Ctrl and a drag with the right button", "cut the wires that the line crosses"),
    ("Drag a card", "move it, with all that is selected"),
    ("Drag a value sideways", "change it; everything follows"),
    ("Double-click a value or a name", "type another"),
    ("Drag over the empty canvas", "select"),
    ("Right button", "what can be done with a node, a wire or the canvas"),
    ("Wheel", "zoom at the pointer"),
    ("Drag with the middle button, or with Space held", "move the view"),
    ("Enter", "type the value of the selected leaf"),
    ("Arrows in build mode", "move the selected nodes; farther with Shift, finer with Ctrl"),
    ("Alt and an arrow", "select the next node that way"),
)

IN_THE_CODE = (
    ("Ctrl+Return", "run the script and show its graph"),
    ("Click on a line", "select the nodes that it made; a selected node marks its line"),
    ("Ctrl+F", "find in the code"),
    ("Ctrl+Space", "complete a name"),
    ("Ctrl+/", "comment the line out, or in again"),
    ("Tab, Shift+Tab", "indent the selected lines, or take that back"),
    ("Ctrl++, Ctrl+−, Ctrl+0", "larger, smaller and usual type"),
    ("Esc", "back to the canvas"),
)

ON_A_PLOT = (
    ("Wheel, or + and −", "zoom"),
    ("0", "show all"),
    ("Drag", "move the view; over h, choose h, and the middle button moves the view"),
    ("Arrows, Home, End", "move the cross-hair, or choose h"),
    ("Right button", "show all, zoom, export as PNG, SVG or CSV"),
)


PLACES = (("On the canvas", ON_THE_CANVAS), ("In the code", IN_THE_CODE), ("On a plot", ON_A_PLOT))


class Pages:
    """One page at a time."""

    def __init__(self) -> None:
        self.page: QDialog | None = None

    def show(self, page: QDialog) -> None:
        """Show a page in the place of the one before."""
        if self.page:
            self.page.close()
            self.page.deleteLater()
        self.page = page
        page.show()


def keys_page(parent: QWidget, commands: Iterable[Command]) -> QDialog:
    """All commands with their keys, and the gestures on the canvas."""
    menus: dict[str, list[Command]] = {}
    for command in commands:
        menus.setdefault(command.topic.replace("/", " · "), []).append(command)
    parts = [_table(menu, [(c.text, _keys(c)) for c in listed if c.all_keys]) for menu, listed in menus.items()]
    return _page(parent, "Keys", "".join([*parts, *(_table(*page) for page in PLACES)]))


def about_page(parent: QWidget) -> QDialog:
    """A description of Cadena, its version and its licence."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("cadena")
    except PackageNotFoundError:  # run from its folder, not installed
        number = ""
    return _page(
        parent,
        "About Cadena",
        f"<h2>Cadena {escape(number)}</h2>"
        "<p>Draw computation graphs and watch the chain rule move through them.</p>"
        "<p>Values are blue, gradients are orange. MIT licence.</p>"
        "<p>Made with Python, Qt for Python (LGPL), numpy, networkx, pyqtgraph, Pygments, msgspec and ziamath.</p>",
    )


def _keys(command: Command) -> str:
    return " &nbsp;or&nbsp; ".join(f"<b>{escape(key_text(key))}</b>" for key in command.all_keys)


def _table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = "".join(f"<tr><td width='280'>{left}</td><td>{right}</td></tr>" for left, right in rows)
    return f"<h3>{escape(title)}</h3><table cellspacing='4'>{lines}</table>" if lines else ""


def _page(parent: QWidget, title: str, html: str) -> QDialog:
    page = QDialog(parent)
    page.setWindowTitle(title)
    text = QTextBrowser()
    text.setObjectName("text")
    text.setAccessibleName(title)
    text.setAccessibleDescription("A page to read; Esc closes it")
    text.setHtml(html)
    QVBoxLayout(page).addWidget(text)
    page.resize(560, 640 if len(html) > 2000 else 300)
    return page
