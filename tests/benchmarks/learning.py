"""Training in the window: steps that are drawn one by one, and steps alone, of a 2-4-1 network."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

SIZE = (1600, 1000)
SECONDS, TRIES = 2.0, 5
PACES = {1: 60.0, 0: 5000.0}  # with the target, in updates a second


class Pace(NamedTuple):
    """Updates a second: the median of several times of `SECONDS`, the slowest of them, and the target."""

    name: str
    median: float
    slowest: float
    target: float

    def cells(self) -> tuple[str, ...]:
        late = " (!)" if self.median < self.target else ""
        return self.name, f"{self.median:,.0f} / s", f"{self.slowest:,.0f} / s", "", f"> {self.target:,.0f} / s{late}"


def paces() -> Iterator[Pace]:
    """Both networks, on matrices and number by number, at both paces, with the panel of learning open."""
    from cadena.core.layout.arrange import arrange
    from cadena.core.training.settings import TrainingSettings, with_settings
    from cadena.gui.window.app import make_application
    from tests.core.training.networks import network, neurons
    from tests.gui.conftest import leave, make_user

    application = make_application()
    with tempfile.TemporaryDirectory() as home:
        user = make_user(Path(home), SIZE)
        learning = user.session.learning
        user.do("view.training")
        for name, document in (("matrices", network()), ("numbers", neurons())):
            for pace, target in PACES.items():
                settings = TrainingSettings(data="document" if name == "matrices" else "xor", loss="output", rate=0.01)
                if name == "numbers":
                    settings = TrainingSettings(data="xor", optimiser="adam", rate=0.01)
                user.session.open(with_settings(arrange(document), settings), None)
                learning.set_pace(pace)
                learning.toggle()
                rates = []
                for _ in range(TRIES):
                    begin, before = perf_counter(), learning.trainer.steps
                    while perf_counter() - begin < SECONDS:
                        application.processEvents()
                    rates.append((learning.trainer.steps - before) / (perf_counter() - begin))
                learning.settle()
                what = "drawn" if pace else "undrawn"
                yield Pace(f"2-4-1 network of {name}, {what}", median(rates), min(rates), target)
        leave(user)
