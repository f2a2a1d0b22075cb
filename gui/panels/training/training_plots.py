"""The plots of a training: its loss, what the network predicts over the data, and histograms by layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QSize

from cadena.core.graph.document import Value, as_array
from cadena.core.graph.fault import Refused
from cadena.core.text.numbers import number_of, short
from cadena.core.training.trainer import Trainer
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import shown
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.plots.plot_frame import PlotFrame
from cadena.gui.panels.steps.current_step import examples_text
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.training.prediction import Surface
    from cadena.gui.plots.decision import DecisionPlot
    from cadena.gui.plots.histograms import Histograms
    from cadena.gui.plots.loss_curve import LossCurve

STATE = "{steps}, loss {loss}."
OTHER = "{steps}, loss {loss} over {examples}. The cards show {output} and its gradients for the graph's own inputs."
NOT_YET = "Not trained yet."
OVER_PLANE, OVER_LINE = "{node} over the data, with the line where it is {level}", "{node} over the data"
BY_LAYER = {"value": "Values of the parameters by layer", "gradient": "Gradients of the parameters by layer"}
NOTHING = "Run or step: then it is drawn here."


class TrainingFrame(PlotFrame):
    """A plot of the session's training, under its words."""

    least, least_in_row = 150, 64  # pixels at `type` 1, of the plot below its words; in a low panel

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self.session, self._in_row = session, False
        self.column.setContentsMargins(0, 0, 0, 0)

    @property
    def trainer(self) -> Trainer | None:
        return self.session.learning.trainer

    @property
    def is_sentence(self) -> bool:
        """Whether there is nothing to draw but a sentence that says why."""
        return False

    def minimumSizeHint(self) -> QSize:
        words = self.caption.heightForWidth(max(self.width(), 1))
        if self.is_sentence:
            return QSize(200, words)
        least = self.least_in_row if self._in_row else self.least
        return QSize(200, words + look.GAP + round(least * self._theme.type))

    def set_in_row(self, in_row: bool) -> None:
        """Be content with little height, beside others in a low panel."""
        self._in_row = in_row
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return False  # the words may wrap; the plot takes what room there is

    def sizeHint(self) -> QSize:
        return QSize(360, self.minimumSizeHint().height())

    def describe(self, text: str, spoken: str = "") -> None:
        if text != self.caption.whole:
            super().describe(text, spoken)
            self.updateGeometry()

    def follow(self) -> None:
        """Show the training as it is now."""
        if self.isVisible():
            self.fill_plot()
            self.describe_whole()

    def describe_whole(self) -> None:
        """Describe the plot, unless the mouse is at one of its points."""
        if self.plot is None or self.plot.at is None:
            self.describe_point(None)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.follow()

    def choose(self, index: int) -> None:
        """Nothing is chosen by a click."""


class LossFrame(TrainingFrame):
    """The loss over the steps."""

    plot: LossCurve | None
    module = "cadena.gui.plots.loss_curve"
    shows = "loss"
    least = 120

    def make_plot(self, module) -> LossCurve:
        return module.LossCurve(self._theme)

    def fill_plot(self) -> None:
        if self.plot is not None:
            self.plot.show_losses(self.session.learning.losses)

    def describe_point(self, index: int | None) -> None:
        if index is None or self.plot is None:
            self.describe(self._state())
        else:
            step, text = self.plot.reading(index, self.plot.height_at(index))
            self.describe(f"Loss {text} at step {step}.")

    def _state(self) -> str:
        """The loss at the numbers that the cards show, and where it is another one than theirs."""
        trainer, moment = self.trainer, self.session.learning.moment
        if trainer is None or moment is None:
            return NOT_YET
        steps, output = number_of(moment.steps, "step"), shown(str(trainer.original.output))
        if moment.loss is None:
            return f"{steps}."
        template = STATE if trainer.is_shown else OTHER
        return template.format(steps=steps, loss=short(moment.loss), examples=examples_text(trainer), output=output)


class DecisionFrame(TrainingFrame):
    """What the network predicts over the data."""

    plot: DecisionPlot | None
    module = "cadena.gui.plots.decision"
    shows = "prediction"

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._surface: Surface | None = None
        self._key: object = None
        self._refusal = ""

    def make_plot(self, module) -> DecisionPlot:
        return module.DecisionPlot(self._theme)

    def fill_plot(self) -> None:
        if self.plot is None:
            return
        surface = self._surface_of(self.trainer)
        self.plot.setHidden(self.is_sentence)
        moment = self.session.learning.moment
        values = moment.values if moment is not None else {}
        self.plot.show_decided(
            None if surface is None or self.trainer is None else decided(self.trainer, surface, values)
        )

    def _surface_of(self, trainer: Trainer | None) -> Surface | None:
        """The surface of a trainer, compiled once."""
        if trainer is not self._key:
            from cadena.core.training.prediction import Surface

            self._key, self._surface, self._refusal = trainer, None, ""
            try:
                self._surface = Surface(trainer) if trainer is not None else None
            except Refused as refusal:
                sentence = worded(refusal)
                self._refusal = f"{sentence[:1].upper()}{sentence[1:]}."
        return self._surface

    @property
    def is_sentence(self) -> bool:
        return bool(self._refusal)

    def describe_point(self, index: int | None) -> None:
        if self._surface is None:
            self.describe(self._refusal or NOTHING)
        else:
            template = OVER_PLANE if len(self._surface.columns) == 2 else OVER_LINE
            level = short(self._surface.level, 3)
            self.describe(template.format(node=shown(str(self._surface.prediction)), level=level))


class HistogramFrame(TrainingFrame):
    """Histograms of the parameters, or of their gradients, by layer."""

    plot: Histograms | None
    module = "cadena.gui.plots.histograms"

    def __init__(self, session: Session, theme: Theme, role: str) -> None:
        super().__init__(session, theme)
        self.role = role
        self.shows = f"histograms of {role}s"

    def make_plot(self, module) -> Histograms:
        return module.Histograms(self._theme)

    def fill_plot(self) -> None:
        if self.plot is not None:
            from cadena.gui.plots.histograms import Histogram

            numbers = self._numbers()
            layers = [Histogram(name, flat) for name, flat in by_layer(numbers, self.session).items()]
            self.plot.show_histograms(layers, self.role)

    def _numbers(self) -> Mapping[str, Any]:
        moment = self.session.learning.moment
        if moment is None:
            return {}
        if self.role == "gradient":
            return moment.gradients
        return {name: as_array(value) for name, value in moment.values.items()}

    def describe_point(self, index: int | None) -> None:
        self.describe(BY_LAYER[self.role] if self._numbers() else NOTHING)


def by_layer(numbers: Mapping[str, Any], session: Session) -> dict[str, np.ndarray]:
    """The numbers of each array, and those of single numbers at one distance from the output together."""
    from cadena.core.doctor.findings.layers import by_layer as layers_of

    singles = {name for name, array in numbers.items() if np.ndim(array) == 0}
    joined = {name: np.ravel(array) for name, array in numbers.items() if name not in singles}
    for layer in layers_of(session.run) if singles else ():
        names = [name for name in layer.nodes if name in singles]
        if names:
            title = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
            joined[title] = np.array([float(numbers[name]) for name in names])
    return joined


def decided(trainer: Trainer, surface: Surface, values: Mapping[str, Value]) -> Any:
    """What the plot shows of a prediction with these parameters."""
    from cadena.gui.plots.decision import Decided

    points = trainer.table.rows[:, [*surface.columns, -1]]
    names = [trainer.table.names[column] for column in surface.columns]
    if len(names) == 1:
        names.append(str(surface.prediction))
    return Decided(names, surface.axes, surface.heights(values), surface.level, points)
