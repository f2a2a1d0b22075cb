"""The processor time of forward and of reverse mode over the number of inputs or of outputs."""

from __future__ import annotations

from collections.abc import Sequence

from cadena.core.methods.costs import ModeCost
from cadena.core.text.numbers import short
from cadena.gui.look.theme import Theme
from cadena.gui.plots.axes import NumberAxis
from cadena.gui.plots.plot import Plot

MILLISECOND = 1e-3


class CostCurves(Plot):
    """Forward mode in the colour of tangents, with circles; reverse mode in that of gradients, with diamonds."""

    has_powers = False

    def __init__(self, theme: Theme) -> None:
        self.rows: Sequence[ModeCost] = ()
        self.against = "inputs"
        axes = NumberAxis("bottom", "inputs"), NumberAxis("left", "milliseconds of processor time")
        super().__init__(theme, "Cost of forward and reverse mode", *axes)

    def show_costs(self, rows: Sequence[ModeCost], against: str) -> None:
        """Show the costs against inputs or outputs."""
        self.rows, self.against = rows, against
        self.bottom.title = against
        self.bottom.set_theme(self._theme)
        self.draw()

    def draw(self) -> None:
        self.clear_drawn()
        self.plotItem.setOpacity(float(bool(self.rows)))
        self.xs = [float(self._count(row)) for row in self.rows]
        if not self.rows:
            return
        lines = self._heights()
        self.set_ends(0.0, self.xs[-1] * 1.02, 0.0, 1.1 * max(map(max, lines)))
        named = zip(lines, ("tangent", "gradient"), ("o", "d"), ("forward", "reverse"), strict=True)
        for heights, role, symbol, name in named:
            self.put_curve(self.xs, heights, role, 2.2)
            self.put_marks(self.xs, heights, symbol, 9.0, role)
            text = self.make_text(name, role)
            is_upper = heights[-1] == max(line[-1] for line in lines)
            text.setAnchor((1.0, 1.3 if is_upper else -0.3))
            text.setPos(self.xs[-1], heights[-1])
            self.put(text)

    def _count(self, row: ModeCost) -> int:
        return row.inputs if self.against == "inputs" else row.outputs

    def _heights(self) -> tuple[list[float], list[float]]:
        return (
            [row.forward_seconds / MILLISECOND for row in self.rows],
            [row.reverse_seconds / MILLISECOND for row in self.rows],
        )

    def height_at(self, index: int) -> float:
        return max(line[index] for line in self._heights())

    def reading(self, index: int, height: float) -> tuple[str, str]:
        return short(self.xs[index]), short(height, 3)

    def table(self) -> list[list[object]]:
        titles: list[object] = [
            "inputs", "outputs", "forward passes", "reverse passes", "forward seconds", "reverse seconds"
        ]  # fmt: skip
        return [titles, *(list[object](row) for row in self.rows)]
