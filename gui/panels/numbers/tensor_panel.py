"""The panel of elements: any value or gradient as a table, a list, a heat map or a histogram, to read and to copy."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSpinBox, QVBoxLayout, QWidget

from cadena.core.graph.fault import Refused
from cadena.core.storage.array_texts import FORMS, array_text
from cadena.core.text.array_summary import Find, find_element, summary_text
from cadena.core.text.numbers import full, shape_text
from cadena.gui.background.throttle import Throttle
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.inspector.facts import why_none
from cadena.gui.panels.numbers.element_tables import Column, ListModel, MatrixModel, place_text
from cadena.gui.panels.numbers.numbers_view import NumbersView
from cadena.gui.panels.parts.common import (
    PageStack,
    Sentence,
    caption,
    choose_widths,
    column_in,
    heading,
    leave_keys,
    scrolled,
)
from cadena.gui.panels.parts.flow_layout import FlowLayout
from cadena.gui.session.session import Session
from cadena.gui.widgets.segments import Segments

if TYPE_CHECKING:
    from cadena.gui.panels.numbers.element_plots import ElementHistogram, ElementMapFrame

ElementRole = Literal["value", "gradient"]
ROLES: tuple[ElementRole, ...] = ("value", "gradient")
VIEWS = ("Table", "List", "Heat map", "Histogram")
VIEW_TIPS = {
    "Table": "Rows and columns of the array",
    "List": "All elements, value and gradient side by side",
    "Heat map": "The elements as colours, with their scale",
    "Histogram": "How often which numbers occur",
}
SLICED = ("Table", "Heat map")  # which show one matrix at a time
FINDS: dict[Find, tuple[str, str]] = {
    "largest": ("largest", "The first of the largest finite elements"),
    "smallest": ("smallest", "The first of the smallest finite elements"),
    "farthest": ("farthest from 0", "The first finite element with the largest absolute value"),
    "bad": ("nan or inf", "The first element that is not finite"),
}
VIEW_HEIGHT = 140
NOTHING = "There is no node to read."
NOT_YET = {"value": "The value has not been computed yet.", "gradient": "No gradient has arrived yet."}
HIDDEN = "It is hidden; a click on its card reveals it."
NOT_FOUND = "No element is nan or inf."
HOW = "A click lights its cell on the card. Ctrl+C copies."


class TensorPanel(QWidget):
    """Follows the moment and the selected node, or the output. `elementsMarked(elements)`, by node and role."""

    elementsMarked = Signal(object)
    exportAsked = Signal(str, str, object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self.role: ElementRole = "value"
        self.name = ""
        self.arrays: dict[ElementRole, np.ndarray | None] = dict.fromkeys(ROLES)
        self.hidden: tuple[ElementRole, ...] = ()  # of the node that is shown
        self.chosen: int | None = None  # the element (flat)
        self._build()
        self._lay_out()
        self._soon = Throttle(self, self.follow)
        for signal in (session.runChanged, session.methodChanged, session.selectionChanged, session.timeChanged):
            signal.connect(self._request)
        session.hiddenChanged.connect(self._request)
        self.set_theme(theme)

    # --- parts

    def _build(self) -> None:
        self.setAccessibleName("Elements")
        self.title, self.facts, self.sentence = (
            heading("", self.session.named),
            PlainLabel(named=self.session.named, wordWrap=True),
            Sentence(self._theme, self.session.named),
        )
        self.missing = PlainLabel(named=self.session.named, wordWrap=True)
        self.matrix, self.listing = MatrixModel(self._theme), ListModel(self._theme)
        self.table = NumbersView(self.matrix, "Table of the elements")
        self.list = NumbersView(self.listing, "List of the elements", rows_are_named=False)
        self.table.elementChosen.connect(lambda row, column: self._choose_in_slice(row, column))
        self.list.elementChosen.connect(lambda row, column: self.choose(row))
        self.map: ElementMapFrame | None = None
        self.histogram: ElementHistogram | None = None
        self.views = PageStack(VIEW_HEIGHT)
        self.views.addWidget(self.table)
        self.views.addWidget(self.list)
        self.role_chips = {role: self._chip(role.capitalize(), partial(self.show_role, role)) for role in ROLES}
        self.view_chips = {view: self._chip(view, partial(self.show_view, view)) for view in VIEWS}
        for role, chip in self.role_chips.items():
            chip.setToolTip(f"The elements of the {role}")
        for view, chip in self.view_chips.items():
            chip.setToolTip(VIEW_TIPS[view])
        self.view = VIEWS[0]
        self.find_buttons = {what: QPushButton(text) for what, (text, _) in FINDS.items()}
        for what, button in self.find_buttons.items():
            button.setToolTip(FINDS[what][1])
            button.clicked.connect(partial(self.find_first, what))
        self.copy_buttons = {form: QPushButton(form) for form in FORMS}
        for form, button in self.copy_buttons.items():
            button.setToolTip(f"Copy the whole array as {form}")
            button.clicked.connect(partial(self.copy, form))
        self.save = QPushButton("Save as .npy…")
        self.save.setToolTip("Write the whole array to a file of numpy")
        self.save.clicked.connect(self._ask_save)
        leave_keys(*self.find_buttons.values(), *self.copy_buttons.values(), self.save)
        self.element, self.how = PlainLabel(named=self.session.named, wordWrap=True), caption(HOW)
        self.how.setWordWrap(True)
        self.slices: list[QSpinBox] = []

    def _chip(self, text: str, act) -> QPushButton:
        chip = QPushButton(text)
        chip.clicked.connect(act)
        leave_keys(chip)
        return chip

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(look.GAP, look.GAP, look.GAP, look.GAP)
        column.setSpacing(look.GAP)
        column.addWidget(self.title)
        column.addWidget(Segments(*self.role_chips.values()))
        column.addWidget(Segments(*self.view_chips.values()))
        self._slice_row = QHBoxLayout()
        self._slice_row.setSpacing(look.GAP)
        column.addLayout(self._slice_row)
        column.addWidget(self.sentence)
        column.addWidget(self.missing)
        column.addWidget(self.views, 1)
        column.addWidget(self.element)
        column.addWidget(self.facts)
        column.addWidget(caption("Find the element that is"))
        column.addLayout(_flow(*self.find_buttons.values()))
        column.addWidget(caption("Copy all of it as"))
        column.addLayout(_flow(*self.copy_buttons.values(), self.save))
        column.addWidget(self.how)
        column.addStretch()  # of the height when there is no view
        column_in(self).addWidget(scrolled(inside))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        choose_widths(theme, *self.role_chips.values(), *self.view_chips.values())
        self.sentence.set_theme(theme)
        for part in (self.matrix, self.listing, self.map, self.histogram):
            if part is not None:
                part.set_theme(theme)
        self._show()

    # --- following

    def _request(self) -> None:
        if self.isVisible():
            self._soon.request()

    def showEvent(self, event) -> None:
        self.follow()

    def hideEvent(self, event) -> None:
        self.elementsMarked.emit({})

    def follow(self) -> None:
        """Show the arrays of this moment."""
        if not self.isVisible():
            return
        frame, document = self.session.frame, self.session.document
        chosen = [name for name in document.nodes if name in self.session.selection]
        name = chosen[0] if len(chosen) == 1 else document.output or next(iter(document.nodes), "")
        known, hidden = name in frame.run.plan.index, self.session.hidden
        arrays: dict[ElementRole, np.ndarray | None] = {
            "value": frame.value(name) if known and not hidden.hides("values", name) else None,
            "gradient": frame.gradient(name) if known and not hidden.hides("gradients", name) else None,
        }
        was_hidden, self.hidden = self.hidden, tuple(role for role in ROLES if hidden.hides(f"{role}s", name))
        if name == self.name and was_hidden == self.hidden and all(arrays[role] is self.arrays[role] for role in ROLES):
            return
        if name != self.name or _shape(arrays) != _shape(self.arrays):
            self.chosen = None
        self.name, self.arrays = name, arrays
        self._show()

    @property
    def array(self) -> np.ndarray | None:
        """The array that is shown."""
        return self.arrays[self.role]

    @property
    def slice_index(self) -> tuple[int, ...]:
        """The indices along the leading axes of which a table shows one slice."""
        return tuple(box.value() for box in self.slices)

    @property
    def slice(self) -> np.ndarray:
        """The matrix that is shown: of a vector a column."""
        array = self.array
        if array is None:
            return np.zeros((0, 0))
        if array.ndim < 2:
            return array.reshape(-1, 1)
        return np.asarray(array[self.slice_index])

    # --- choices

    def show_role(self, role: ElementRole) -> None:
        """Show the values, or the gradients."""
        self.role = role
        self._show()

    def show_view(self, view: str) -> None:
        """Show the elements in another of VIEWS; the plots are imported when first shown."""
        self.view = view
        if view == "Heat map" and self.map is None:
            from cadena.gui.panels.numbers.element_plots import ElementMapFrame

            self.map = ElementMapFrame(self._theme)
            self.map.chosen.connect(self._choose_on_map)
            self._add_view(self.map)
        if view == "Histogram" and self.histogram is None:
            from cadena.gui.panels.numbers.element_plots import ElementHistogram

            self.histogram = ElementHistogram(self._theme)
            self._add_view(self.histogram)
        shown = (self.table, self.list, self.map, self.histogram)[VIEWS.index(view)]
        assert shown is not None
        self.views.setCurrentWidget(shown)
        self._show()

    def _add_view(self, frame: ElementMapFrame | ElementHistogram) -> None:
        frame.exportAsked.connect(self.exportAsked)
        self.views.addWidget(frame)

    def find_first(self, what: Find) -> None:
        """Choose the first element of this sort."""
        element = None if self.array is None else find_element(self.array, what)
        self.sentence.say(NOT_FOUND if element is None and self.array is not None else "")
        if element is not None:
            self.choose(element)

    def choose(self, element: int) -> None:
        """Choose an element (flat): it is scrolled into view, read out in full, and lit on the card."""
        self.chosen = element
        array = self.array
        if array is not None and array.ndim > 2:
            places = np.unravel_index(element, array.shape)[:-2]
            for box, place in zip(self.slices, places, strict=True):
                box.setValue(int(place))
        self._show_chosen()

    def _choose_in_slice(self, row: int, column: int) -> None:
        self.choose(self._first_of_slice + row * self.slice.shape[1] + column)

    def _choose_on_map(self, element: int) -> None:
        self.choose(self._first_of_slice + element)

    @property
    def _first_of_slice(self) -> int:
        array = self.array
        if array is None or array.ndim <= 2:
            return 0
        leading = int(np.ravel_multi_index(self.slice_index, array.shape[:-2]))
        return leading * self.slice.size

    # --- copies

    def copy(self, form: str) -> None:
        """Copy the whole array in one of FORMS."""
        if self.array is None:
            return
        try:
            QGuiApplication.clipboard().setText(array_text(self.array, form))
        except Refused as refusal:
            self.sentence.say(f"{worded(refusal)}.")
        else:
            self.sentence.say("")
            self.session.message.emit(f"Copied the {self.role} of {self.name} as {form}")

    def _ask_save(self) -> None:
        array = self.array
        if array is not None:
            self.exportAsked.emit(f"{self.name} {self.role}", ".npy", partial(_save, array))

    # --- showing

    def _show(self) -> None:
        for role, chip in self.role_chips.items():
            chip.setChecked(role == self.role)
        for view, chip in self.view_chips.items():
            chip.setChecked(view == self.view)
        array = self.array
        there = array is not None
        self.title.setText(f"{self.name}: {self.role}" if self.name else NOTHING)
        self.sentence.say("")
        self.missing.setText("" if there or not self.name else self._why_missing())
        self.facts.setText(
            f"{shape_text(array.shape)} · {array.dtype} · {summary_text(array)}" if array is not None else ""
        )
        for widget in (self.views, self.facts, self.element, self.how):
            widget.setVisible(there)
        self.missing.setVisible(not there)
        for button in (*self.find_buttons.values(), *self.copy_buttons.values(), self.save):
            button.setEnabled(there)
        self._show_slices()
        self._fill()
        self._show_chosen()

    def _why_missing(self) -> str:
        never = why_none(self.session.frame.run, self.name, self.role)
        return HIDDEN if self.role in self.hidden else never or NOT_YET[self.role]

    def _show_slices(self) -> None:
        """A box for each axis before the last two; those that stay keep their places."""
        shape = () if self.array is None else self.array.shape[:-2]
        if [box.maximum() + 1 for box in self.slices] != list(shape):
            self._make_slices(shape)
        for box in self.slices:
            box.setVisible(self.view in SLICED)

    def _make_slices(self, shape: tuple[int, ...]) -> None:
        while item := self._slice_row.takeAt(0):
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.slices = []
        for axis, size in enumerate(shape):
            box = QSpinBox(maximum=max(size - 1, 0))
            box.setAccessibleName(f"Index along axis {axis}")
            box.setToolTip(f"The part of the array that is shown: its index along axis {axis}")
            box.setPrefix(f"axis {axis}: ")
            box.valueChanged.connect(self._fill)
            self.slices.append(box)
            self._slice_row.addWidget(box)
        self._slice_row.addStretch(1)

    def _fill(self) -> None:
        """Fill the view that is shown."""
        if self.view == "List":
            columns = [Column(role, array.ravel(), role) for role in ROLES if (array := self.arrays[role]) is not None]
            self.listing.show_columns(_shape(self.arrays) or (), columns)
        elif self.view == "Table":
            self.matrix.show_matrix(self.slice, self.role)
        elif self.view == "Heat map" and self.map is not None:
            self.map.show_matrix(self.slice, self.role)
        elif self.histogram is not None:
            self.histogram.show_array(self.array if self.array is not None else np.zeros(0), self.role)

    def _show_chosen(self) -> None:
        array, element = self.array, self.chosen
        if array is None or element is None:
            self.element.setText("")
            self.elementsMarked.emit({})
            return
        parts = [f"{role} {full(one.flat[element])}" for role in ROLES if (one := self.arrays[role]) is not None]
        self.element.setText(f"{self.name}{place_text(element, array.shape)}: {', '.join(parts)}")
        if self.view == "Table":
            self.table.choose(*divmod(element - self._first_of_slice, max(self.slice.shape[1], 1)))
        elif self.view == "List":
            self.list.choose(element, 1 + [column.role for column in self.listing.columns].index(self.role))
        if self.isVisible():
            self.elementsMarked.emit({(self.name, role): np.array([element]) for role in ROLES})


def _shape(arrays: dict[ElementRole, np.ndarray | None]) -> tuple[int, ...] | None:
    return next((array.shape for array in arrays.values() if array is not None), None)


def _flow(*widgets: QWidget) -> FlowLayout:
    row = FlowLayout()
    for widget in widgets:
        row.addWidget(widget)
    return row


def _save(array: np.ndarray, path: Path) -> None:
    import io

    from cadena.core.storage.files import write

    data = io.BytesIO()
    np.save(data, array, allow_pickle=False)
    write(data.getvalue(), path)
