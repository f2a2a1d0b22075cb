"""All that is to be read in a window: labels, tables, formulas, cards, tooltips, what a screen reader says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QTextEdit,
    QWidget,
)

from cadena.core.methods.reverse.activity import activity
from cadena.gui.canvas.interaction.tooltips import facts_of, plain
from cadena.gui.canvas.rendering.card import card_of
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.panels.parts.formula_view import FormulaView
from cadena.gui.panels.steps.matrix_board import MatrixBoard

ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
COLOR = re.compile(r"\\(?:text)?color(?:\[\w+\])?\{[^}]*\}|#[0-9a-fA-F]{6}")
NUMBER = re.compile(r"(?<![\w.])[−-]?\d+(?:\.\d+)?(?![\w.]*\w)")
Seen = tuple[str, str]  # the place, and a text that is to be read there


def numbers_in(text: str) -> list[float]:
    """The numbers in a text, but for the digits of names and colours."""
    plainly = COLOR.sub("", text).replace("{-}", "-").replace("\\left(", " ").replace("(", " ")
    return [float(number.replace("−", "-")) for number in NUMBER.findall(plainly)]


def everything(user, besides: tuple[QWidget, ...] = ()) -> Iterator[Seen]:
    """All that the window shows now, but for what is in `besides`."""
    yield from on_canvas(user)
    window = user.window
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and not any(part is widget or part.isAncestorOf(widget) for part in besides):
            place = f"{type(_owner(widget)).__name__} {type(widget).__name__}"
            yield from ((place, text) for text in _in_widget(widget) if text)
    for row in window.expressions.editor.results.values():
        yield from (("expression bar", result.text) for result in row if result is not None)


def _owner(widget: QWidget) -> QWidget:
    """The panel, or other part of the window, that a widget belongs to."""
    while widget.parentWidget() is not None and "panels" not in type(widget).__module__:
        widget = widget.parentWidget()
    return widget


def _in_widget(widget: QWidget) -> Iterator[str]:
    yield from (widget.accessibleName(), widget.accessibleDescription(), widget.toolTip(), widget.statusTip())
    if isinstance(widget, QLabel | QLineEdit | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QTextEdit | QPlainTextEdit):
        yield widget.toPlainText()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        model, top = widget.model(), QModelIndex()
        columns = range(model.columnCount(top) if isinstance(widget, QTableView) else 1)
        cells = [model.index(row, column) for row in range(model.rowCount(top)) for column in columns]
        yield from (str(cell.data(role)) for cell in cells for role in ROLES if cell.data(role) is not None)
    elif isinstance(widget, QGraphicsView):
        yield from (item.toPlainText() for item in widget.items() if isinstance(item, QGraphicsTextItem))
    elif isinstance(widget, FormulaView):
        yield " ".join(part.latex for part in widget.seen)
    elif isinstance(widget, MatrixBoard) and widget.scheme is not None:
        forms = [form for form in widget.scheme.matrices if widget._landed or form is not widget.scheme.result]
        yield from (f"{number:.6g}" for form in forms for number in np.ravel(form.array).tolist())


def on_canvas(user) -> Iterator[Seen]:
    """The numbers on cards and tokens, and the tooltips of all nodes and wires."""
    scene, document = user.canvas.scene, user.session.document
    lit = activity(scene.frame, scene.live)
    for name in document.nodes:
        for row in card_of(scene, name, lit, frozenset()).rows:
            numbers = [] if row.number is None else np.ravel(row.number).real.tolist()
            yield from ((f"card {name}", text) for text in (row.text, *(f"{number:.6g}" for number in numbers)))
        yield f"tooltip {name}", plain(facts_of(user.session, Hit("node", name)))
    for token in scene.frame.tokens:
        numbers = [] if token.number is None else np.ravel(token.number).real.tolist()
        yield from (("token", f"{number:.6g}") for number in numbers)
    for target, node in document.nodes.items():
        for slot in range(len(node.inputs)):
            yield f"tooltip {target}.{slot}", plain(facts_of(user.session, Hit("wire", target, slot)))
