"""The settings of a training: data, loss, optimiser, rate, batch, seed, start; each change is an edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from cadena.core.graph.document import Tensor
from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value, write_value
from cadena.core.training.data import CSV, DATA, DOCUMENT
from cadena.core.training.optimisers import OPTIMISERS
from cadena.core.training.settings import LOSSES, OUTPUT, STARTS, TrainingSettings
from cadena.gui.look import theme as look
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.common import caption
from cadena.gui.panels.parts.fields import Field
from cadena.gui.panels.parts.labels import ElidedLabel
from cadena.gui.session.session import Session
from cadena.gui.session.training import PACES
from cadena.gui.widgets.chooser import Chooser

CHOICES: Mapping[str, Mapping[Any, str]] = {
    "data": {name: record.title for name, record in DATA.items()},
    "loss": LOSSES,
    "optimiser": {name: record.title for name, record in OPTIMISERS.items()},
    "start": STARTS,
    "draw": PACES,
}
LETTERS = 22  # of an entry
MOST_NAMED = 40  # parameters
TRAINED = "The parameters that the output depends on. To keep a number, select its node and make it an input."
NOTHING_TRAINED = "no parameter"
TIPS = {
    "data": "What is learnt from",
    "loss": "What is to become small: the output, or a loss on top of it",
    "optimiser": "How the parameters follow from the gradients",
    "start": "What a training begins with, and goes back to",
    "draw": "How often the graph is drawn: the more seldom, the faster it learns",
    "rate": "The learning rate; it can be changed while a training runs",
    "batch": "Examples in a step; 0 for all",
    "seed": "The same seed gives the same data, batches and random numbers",
    "file": "A CSV file, beside the graph's file or with its whole path; Enter reads it",
    "columns": "Which columns go to which input, such as X: x1, x2; y: label. Empty: by name, else in order",
}


class TrainingForm(QWidget):
    """Fields and choosers in two columns; `refused(sentence)` is called with what a field cannot take.

    `asks` comes with a change that would restart a training, and what carries it out.
    """

    asks = Signal(str, object)

    def __init__(self, session: Session, refused: Callable[[str], None]) -> None:
        super().__init__()
        self.session, self._refused = session, refused
        self.choosers = {key: self._chooser(key) for key in CHOICES}
        self.fields = {key: self._field(key) for key in ("rate", "batch", "seed", "file", "columns")}
        self.trained = ElidedLabel()
        self._captions = {key: caption(key) for key in (*self.choosers, *self.fields)}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(look.GAP)
        grid.setVerticalSpacing(look.GAP // 2)
        grid.addWidget(caption("trains"), 0, 0)
        grid.addWidget(self.trained, 0, 1, 1, 3)
        for number, key in enumerate(("data", "file", "columns", "loss", "start", "optimiser"), 1):
            self._place(grid, number, 0, key, 3)
        for column, key in ((0, "rate"), (2, "batch")):
            self._place(grid, 7, column, key)
        self._place(grid, 8, 0, "seed")
        self._place(grid, 9, 0, "draw", 3)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)

    def _place(self, grid: QGridLayout, row: int, column: int, key: str, wide: int = 1) -> None:
        grid.addWidget(self._captions[key], row, column)
        grid.addWidget(self.choosers.get(key) or self.fields[key], row, column + 1, 1, wide)

    def _chooser(self, key: str) -> Chooser:
        chooser = Chooser(LETTERS)
        chooser.setMinimumWidth(60)
        chooser.setAccessibleName(key)
        chooser.setToolTip(TIPS[key])
        chooser.chosen.connect(lambda title: self._choose(key, title))
        return chooser

    def _field(self, key: str) -> Field:
        field = Field()
        field.setMinimumWidth(50)
        field.setAccessibleName(key)
        field.setToolTip(TIPS[key])
        field.editingFinished.connect(partial(self._accept, key, field))
        return field

    def show_trained(self) -> None:
        """Name the parameters that the output depends on."""
        plan, document = self.session.program.plan, self.session.document
        names = [plan.names[leaf] for leaf in plan.leaves if plan.reached[leaf]]
        trained = [name for name in names if document.nodes[name].op == "parameter"]
        self.trained.setText(self.session.named(", ".join(trained[:MOST_NAMED])) or NOTHING_TRAINED)
        self.trained.hint = TRAINED if trained else ""

    def follow(self) -> None:
        """Show the settings of the document."""
        learning = self.session.learning
        settings = learning.settings
        for key, chooser in self.choosers.items():
            titles = CHOICES[key]
            chooser.show_only(list(titles.values()), titles[learning.pace if key == "draw" else getattr(settings, key)])
        for key, text in texts(settings).items():
            self.fields[key].show_text(text)
        has_data = settings.data != DOCUMENT
        for key, shown in (("file", settings.data == CSV), ("columns", has_data)):
            self.fields[key].setVisible(shown)
            self._captions[key].setVisible(shown)
        self.fields["columns"].setPlaceholderText("by itself")
        self.choosers["loss"].setEnabled(has_data or settings.loss != OUTPUT)

    def _choose(self, key: str, title: str) -> None:
        name = next(name for name, text in CHOICES[key].items() if text == title)
        if key == "draw":
            self.session.learning.set_pace(name)
        elif name != getattr(self.session.learning.settings, key):
            more: dict[str, Any] = {"columns": {}, "target": ()} if key == "data" else {}
            self._change(key, partial(self.session.learning.change, **{key: name}, **more))

    def _change(self, key: str, change: Callable[[], None]) -> None:
        """Make a change; ask before it restarts a training."""
        learning = self.session.learning
        if learning.restarts_with(key):
            learning.settle()
            self.asks.emit(key, change)
        else:
            change()

    def _accept(self, key: str, field: Field) -> None:
        if not field.typed:
            return
        try:
            value = READERS[key](field.text())
        except Refused as refusal:
            self._refused(f"{key}: {worded(refusal)}.")
            return
        field.accept()
        self._refused("")
        if key == "file" and value:  # what the user types needs no further question
            self.session.learning.allow(value)
        if value != getattr(self.session.learning.settings, key):
            self._change(key, partial(self.session.learning.change, **{key: value}))
        self.follow()


def texts(settings: TrainingSettings) -> dict[str, str]:
    """The settings that are typed, as they are written."""
    return {
        "rate": write_value(settings.rate),
        "batch": str(settings.batch),
        "seed": str(settings.seed),
        "file": settings.file,
        "columns": "; ".join(f"{name}: {', '.join(columns)}" for name, columns in settings.columns.items()),
    }


def _rate(text: str) -> float:
    value = read_value(text)
    if isinstance(value, Tensor) or not 0.0 <= value < float("inf"):
        raise Refused("{text} is no learning rate", "type a number from 0, such as 0.1", text=text)
    return value


def _count(text: str) -> int:
    value = read_value(text)
    if isinstance(value, Tensor) or not 0 <= value <= 2**53 or value != round(value):  # nan is in no range
        raise Refused("{text} is no count", "type a whole number from 0", text=text)
    return int(value)


def _columns(text: str) -> dict[str, tuple[str, ...]]:
    """The columns by input, written as "X: x1, x2; y: label"."""
    columns = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, colon, names = part.partition(":")
        listed = tuple(filter(None, map(str.strip, names.split(","))))
        if not colon or not listed:
            raise Refused("{text} names no columns", "write X: x1, x2; y: label", text=part)
        columns[name.strip()] = listed
    return columns


READERS: Mapping[str, Callable[[str], Any]] = {
    "rate": _rate,
    "batch": _count,
    "seed": _count,
    "file": str.strip,
    "columns": _columns,
}
