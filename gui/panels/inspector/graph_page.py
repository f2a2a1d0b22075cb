"""The inspector's page for the graph itself, when no node is selected."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter

from PySide6.QtWidgets import QGridLayout, QWidget

from cadena.core.graph import edits
from cadena.core.graph.document import LEAVES, Document
from cadena.core.text import numbers
from cadena.core.text.numbers import number_of
from cadena.gui.look.text_cleaning import MAX_IN_NAME, PlainLabel, title
from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.accumulation_row import AccumulationButtons
from cadena.gui.panels.inspector.facts import why_none
from cadena.gui.panels.parts.common import (
    Sentence,
    attempt,
    caption,
    column_in,
    dress_number,
    number_label,
)
from cadena.gui.panels.parts.fields import HeadingField
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session
from cadena.gui.widgets.chooser import ElidedComboBox

NO_OUTPUT = "none"
HINT = "Select a node to see its value, its gradient and how the output depends on it."


def counted(document: Document) -> str:
    """How many nodes of each kind: "16: 5 parameters, 2 inputs, 1 constant, 8 operations"."""
    kinds = Counter(map(attrgetter("op"), document.nodes.values()))  # nothing in Python for each of many thousand
    counts = {kind: kinds.pop(kind, 0) for kind in LEAVES} | {"operation": kinds.total()}
    parts = [number_of(count, kind) for kind, count in counts.items() if count]
    return f"{len(document.nodes)}: {', '.join(parts)}" if parts else "none yet"


class GraphPage(QWidget):
    """Title, size and output of the graph."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.title = HeadingField(theme, "Title")
        self.title.editingFinished.connect(self._retitle)
        self.refusal = Sentence(theme, session.named)
        self.nodes = PlainLabel(named=session.named, wordWrap=True)
        self.output = ElidedComboBox()
        self.output.setAccessibleName("Output")
        self.output.setAccessibleDescription("The node whose gradients are computed")
        self._names: list[str] = []  # what it lists
        self.output.activated.connect(self._choose_output)
        self.value = number_label(theme, "value")
        self.hint = PlainLabel(HINT, wordWrap=True)
        self.accumulation = AccumulationButtons(session)
        self._lay_out()
        session.fileChanged.connect(self._name_untitled)
        self._name_untitled()
        self.set_theme(theme)

    def _name_untitled(self) -> None:
        """Name a graph without a title after its file."""
        path = self.session.path
        self.title.setPlaceholderText(path.stem if path else "untitled graph")

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        rows = (("nodes", self.nodes), ("output", self.output), ("its value", self.value))
        for row, (name, widget) in enumerate(rows):
            grid.addWidget(caption(name), row, 0)
            grid.addWidget(widget, row, 1)
        column = column_in(self)
        column.addWidget(self.title)
        column.addWidget(self.refusal)
        column.addLayout(grid)
        column.addWidget(self.accumulation)
        column.addWidget(self.hint)
        column.addStretch(1)

    def set_theme(self, theme: Theme) -> None:
        self.title.set_theme(theme)
        self.refusal.set_theme(theme)
        self.output.updateGeometry()  # its type is larger or smaller
        self._theme = theme

    def follow(self) -> None:
        """Show the document and the value of its output at this moment."""
        document, frame = self.session.document, self.session.frame
        self.accumulation.follow()
        self.title.show_text(document.title)
        self.title.setReadOnly(bool(self.session.levels))  # of a function within, whose title is no file's
        self.nodes.setText(counted(document))
        names = [NO_OUTPUT, *document.nodes]
        if names != self._names:
            self._names = names
            self.output.clear()
            for name in names:
                self.output.addItem(title(self.session.named(name), MAX_IN_NAME), name)
        self.output.setCurrentIndex(names.index(document.output or NO_OUTPUT) if document.output in names else 0)
        value = frame.value(document.output) if document.output in frame.run.plan.index else None
        hidden = bool(document.output) and self.session.hidden.hides("values", str(document.output))
        value = None if hidden else value
        never = not document.output or bool(why_none(frame.run, document.output, "value"))
        missing = "hidden" if hidden else "none" if never else "not yet"
        self.value.setText(numbers.short(value) if value is not None else missing)
        role = "muted" if value is None else "fault" if numbers.is_bad(value) else "value"
        dress_number(self.value, self._theme, role)
        self.value.hint = numbers.full(value) if value is not None else ""

    def _retitle(self) -> None:
        text = self.title.text().strip()
        if self.title.typed and text != self.session.document.title:
            change = graph_edits.Edit(lambda document: edits.set_title(document, text), "Change the title")
            refused = attempt(self.session, change)
            self.refusal.say(f"{refused}." if refused else "")
            if not refused:
                self.title.accept()

    def _choose_output(self, index: int) -> None:
        self.session.edit(*graph_edits.choose_output(self.output.itemData(index) if index else None))
