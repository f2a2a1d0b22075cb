"""Layout of the window's parts, side by side and one below the other, and of the fields of a dialog."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLayout, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from cadena.gui.look.text_cleaning import PlainLabel

MARGIN, APART, BESIDE = 20, 12, 16  # pixels: around a dialog, between its rows, and from a label to its field


def splitter(orientation: Qt.Orientation, *parts: QWidget, stretch: int) -> QSplitter:
    """Parts side by side; the one numbered `stretch` takes the space."""
    widget = QSplitter(orientation)
    widget.setChildrenCollapsible(False)
    widget.setHandleWidth(1)
    for number, part in enumerate(parts):
        widget.addWidget(part)
        widget.setStretchFactor(number, int(number == stretch))
    return widget


def stack(whole: QWidget, *parts: QWidget, stretch: int | None = None) -> QWidget:
    """`whole`, filled with parts one below the other; the one numbered `stretch` takes the space."""
    box = QVBoxLayout(whole)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    for number, part in enumerate(parts):
        box.addWidget(part, int(number == stretch))
    return whole


def column_of(dialog: QWidget) -> QVBoxLayout:
    """The column of a dialog, with its margins."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
    column.setSpacing(APART)
    column.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)  # although it has a minimum width already
    return column


class AlignedForm(QFormLayout):
    """The fields of a dialog, each with its label in the middle of its row."""

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalSpacing(BESIDE)
        self.setVerticalSpacing(APART)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)

    def add(self, text: str, field: QWidget | QLayout) -> None:
        """Add a field below the others."""
        label = PlainLabel(text)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)  # else Qt puts it at the top
        self.addRow(label, field)
