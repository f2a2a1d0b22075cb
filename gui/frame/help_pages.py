"""The pages of the help menu: keys and tasks, and about Cadena; windows, so that work can go on beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

import numpy as np
from PySide6.QtWidgets import QDialog, QLineEdit, QTextBrowser, QWidget

from cadena.gui.frame.command import Command
from cadena.gui.look.heat_colors import colours
from cadena.gui.look.theme import Theme
from cadena.gui.search.catalogue import Entry, nothing, search
from cadena.gui.widgets.boxes import column_of

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


ON_A_CARD = (
    ("·", "not yet: the pass has not come here"),
    ("–", "none: the output does not depend on it, or nobody wants it"),
    ("▢", "around a number: this step is computed from it"),
    ("●  →", "a value on its way forward"),
    ("◆  ←", "a gradient on its way back"),
)

IN_COLOUR = (
    ("value", "a value"),
    ("gradient", "a gradient: how much the output grows where this grows by 1"),
    ("tangent", "a derivative carried forward"),
    ("fault", "a fault: inf, nan, or what does not fit"),
)

ON_A_MAP = (
    ("value", "values: below 0 at the left, 0 in the middle, above 0 at the right"),
    ("gradient", "gradients, likewise"),
)
SHADES = 7  # of the scale of a map

MARKS = "Marks on a card"
PLACES = ((MARKS, ON_A_CARD), ("On the canvas", ON_THE_CANVAS), ("In the code", IN_THE_CODE), ("On a plot", ON_A_PLOT))


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


class KeysPage(QDialog):
    """What can be done and by which key, by task; a field at the top finds a task by its words."""

    def __init__(self, parent: QWidget, commands: Iterable[Command], theme: Theme) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys and tasks")
        self._colours = _colours(theme)
        self._tasks = [*_gestures(), *map(_task, commands)]
        self.field = QLineEdit(placeholderText="What do you want to do?", clearButtonEnabled=True)
        self.field.setAccessibleName("Find a task")
        self.field.textChanged.connect(self._show)
        self.text = _browser("Keys and tasks")
        column = column_of(self)
        column.addWidget(self.field)
        column.addWidget(self.text)
        self.resize(min(round(680 * theme.type), parent.width()), min(720, parent.height()))
        self._show("")

    def _show(self, query: str) -> None:
        """All tasks by their topics, or those that are meant, the nearest first."""
        if not query.strip():
            topics: dict[str, list[Entry]] = {}
            for task in self._tasks:
                topics.setdefault(task.category, []).append(task)
            tables = {topic: _table(topic, tasks) for topic, tasks in topics.items()}
            tables[MARKS] += self._colours
            self.text.setHtml("".join(tables.values()))
        else:
            self.text.setHtml(_table("", search(query, self._tasks)) or f"<p>{escape(nothing(query))}</p>")


def _gestures() -> Iterator[Entry]:
    for place, rows in PLACES:
        for keys, task in rows:
            yield Entry(_capital(task), category=place, keys=keys)


def _task(command: Command) -> Entry:
    topic = command.topic.replace("/", " · ")
    return Entry(command.text, category=topic, doc=command.tip, keywords=command.words, keys=command.shown_keys)


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


def _table(title: str, tasks: Sequence[Entry]) -> str:
    rows = (
        f"<tr><td width='45%'>{escape(task.name)}{f'<br><small>{escape(task.doc)}</small>' if task.doc else ''}</td>"
        f"<td>{_large(task.keys) if title == MARKS else f'<b>{escape(task.keys)}</b>'}</td></tr>"
        for task in tasks
    )
    heading = f"<h3>{escape(title)}</h3>" if title else ""
    return f"{heading}<table cellspacing='4' width='100%'>{''.join(rows)}</table>" if tasks else ""


def _large(mark: str) -> str:
    return f"<span style='font-size: x-large; font-weight: 700'>{escape(mark)}</span>"


def _colours(theme: Theme) -> str:
    """What the colours on cards and maps mean, each with a sample."""
    samples = [(f"<span style='color: {getattr(theme, role)}'>■■■</span>", meaning) for role, meaning in IN_COLOUR]
    for role, meaning in ON_A_MAP:
        shades = colours(np.linspace(-1.0, 1.0, SHADES)[None, :], theme, role)[0].tolist()
        cells = "".join(f"<span style='color: rgb({red}, {green}, {blue})'>■</span>" for red, green, blue in shades)
        samples.append((cells, meaning))
    rows = (f"<tr><td width='45%'>{escape(_capital(meaning))}</td><td>{cell}</td></tr>" for cell, meaning in samples)
    return f"<h3>Colours</h3><table cellspacing='4' width='100%'>{''.join(rows)}</table>"


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _browser(title: str) -> QTextBrowser:
    text = QTextBrowser()
    text.setObjectName("text")
    text.setProperty("plain", True)
    text.setAccessibleName(title)
    text.setAccessibleDescription("A page to read; Esc closes it")
    return text


def _page(parent: QWidget, title: str, html: str) -> QDialog:
    page, text = QDialog(parent), _browser(title)
    page.setWindowTitle(title)
    text.setHtml(html)
    column_of(page).addWidget(text)
    page.resize(560, 260)
    return page
