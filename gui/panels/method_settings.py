"""What a method asks for: differences the element that is moved and the step h; an output of many numbers a sum."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QWidget

from core.methods.answer import element_name, every_element
from core.numbers import short
from core.timelines.differences import DifferencesTimeline
from gui import theme as look
from gui.panels.common import caption
from gui.session import Session

BEST = "best"
STEPS = tuple(10.0**-power for power in range(1, 13))
MOST_OFFERED = 60  # elements


class MethodSettings(QWidget):
    """Takes no room where nothing is asked for."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.element, self.step = QComboBox(), QComboBox()
        self.element.setToolTip("The element that is moved by h, up and down")
        self.element.setAccessibleName("Element")
        self.step.setToolTip("How far it is moved: large steps miss the curve, small ones drown in rounding")
        self.step.setAccessibleName("Step h")
        self.step.addItem(BEST, None)
        for step in STEPS:
            self.step.addItem(short(step), step)
        self.sum = QPushButton("Add a sum")
        self.sum.clicked.connect(session.sum_output)
        self.element.activated.connect(self._choose)
        self.step.activated.connect(self._choose)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(look.GAP)
        self._words = caption("moves"), caption("by h")
        for widget in (self._words[0], self.element, self._words[1], self.step, self.sum):
            row.addWidget(widget)
        self.follow()

    def follow(self) -> None:
        """Show what the session's method asks for now."""
        moves = self.session.method.name == "differences" and self._list_elements()
        for widget in (*self._words, self.element, self.step):
            widget.setVisible(moves)
        many = math.prod(self.session.output_shape)
        self.sum.setVisible(bool(self.session.output_shape))
        self.sum.setToolTip(
            f"{self.session.document.output} has {many} elements, and gradients are those of a single number: put a "
            f"sum behind it. Without one the seed weighs the elements, 1 for each."
        )
        self.setVisible(moves or bool(self.session.output_shape))

    def _list_elements(self) -> bool:
        """Offer the elements that can be moved; whether there are any."""
        run, method = self.session.run, self.session.method
        shapes = run.plan.shapes
        every = ((name, int(index)) for name, indices in every_element(run).items() for index in indices)
        pairs = list(islice(every, MOST_OFFERED)) if run.plan.output is not None else []
        timeline = self.session.timeline
        now, best = None, BEST
        if isinstance(timeline, DifferencesTimeline):
            now = timeline.leaf, timeline.index
            best = f"{BEST}: {short(timeline.h, 2)}" if method.step is None else BEST
        with QSignalBlocker(self.element), QSignalBlocker(self.step):
            self.element.clear()
            for name, index in pairs:
                self.element.addItem(element_name(name, index, shapes[run.plan.index[name]] or ()), (name, index))
            self.element.setCurrentIndex(pairs.index(now) if now in pairs else 0)
            self.step.setItemText(0, best)
            self.step.setCurrentIndex(STEPS.index(method.step) + 1 if method.step in STEPS else 0)
        return bool(pairs)

    def _choose(self) -> None:
        name, index = self.element.currentData()
        self.session.set_method(replace(self.session.method, leaf=name, index=index, step=self.step.currentData()))
