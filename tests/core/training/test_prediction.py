from dataclasses import replace

import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.run.program import compile
from cadena.core.training.batches import with_values
from cadena.core.training.prediction import Surface, prediction_of
from cadena.core.training.settings import TrainingSettings
from cadena.core.training.trainer import Trainer
from tests.core.training.networks import line, network, neurons


@pytest.mark.parametrize(("graph", "name"), [(network(), "O"), (neurons(), "o")])
def test_the_prediction_is_what_is_compared_with_the_label(graph, name):
    assert prediction_of(Trainer(graph, TrainingSettings(data="xor"))) == name


def test_below_a_loss_on_top_the_prediction_is_the_output():
    graph = replace(network(), output="O")
    assert prediction_of(Trainer(graph, TrainingSettings(data="xor", loss="mse_loss"))) == "O"


@pytest.mark.parametrize("graph", [network(), neurons()], ids=["matrices", "numbers"])
def test_the_surface_has_the_values_of_single_runs(graph):
    trainer = Trainer(graph, TrainingSettings(data="xor"))
    surface = Surface(trainer, points=5)
    heights = surface.heights(trainer.values)
    assert heights.shape == (5, 5) and surface.level == 0.5
    for i, x in enumerate(surface.axes[0]):
        for j, y in enumerate(surface.axes[1]):
            at = with_values(neurons(), {"x1": float(x), "x2": float(y)})
            assert heights[i, j] == pytest.approx(float(compile(at).run().value("o")))


def test_a_line_is_predicted_over_one_column():
    trainer = Trainer(line(), TrainingSettings(data="line"))
    surface = Surface(trainer, points=7)
    assert np.allclose(surface.heights(trainer.values), 0.5 * surface.axes[0])


def test_without_a_label_there_is_nothing_to_draw():
    with pytest.raises(Refused, match="no node is compared with a label"):
        Surface(Trainer(line(), TrainingSettings()))


def test_the_inputs_own_values_are_data_with_a_label_too():
    own, xor = (Trainer(network(), TrainingSettings(data=data)) for data in ("document", "xor"))
    assert own.table.names == ("X[0]", "X[1]", "T") and prediction_of(own) == "O"
    assert np.array_equal(Surface(own, 5).heights(own.values), Surface(xor, 5).heights(xor.values))
    assert "X" not in own.shown_values()  # they stay as they are
