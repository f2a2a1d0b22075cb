from pathlib import Path

import pytest

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from cadena.core.storage.files import read
from cadena.core.training.settings import DEFAULTS, TrainingSettings, settings_of, with_settings
from cadena.core.training.trainer import Trainer

CHOSEN = TrainingSettings(
    data="moons", examples=80, noise=0.2, columns={"X": ("x1", "x2")}, loss="mse_loss", target=("y",),
    optimiser="adam", rate=0.01, batch=16, seed=7, start="random",
)  # fmt: skip


def test_settings_survive_a_save_and_a_load():
    document = with_settings(Document({}), CHOSEN)
    assert settings_of(decode(encode(document))) == CHOSEN


def test_a_document_without_the_key_has_the_defaults_and_defaults_leave_no_key():
    assert settings_of(Document({})) == DEFAULTS
    assert "training" not in with_settings(with_settings(Document({}), CHOSEN), DEFAULTS).extra


def test_keys_of_a_later_version_stay():
    document = Document({}, extra={"training": {"rate": 0.2, "schedule": "cosine"}, "notes": "x"})
    assert settings_of(document).rate == 0.2
    changed = with_settings(document, TrainingSettings(rate=0.3))
    assert changed.extra == {"notes": "x", "training": {"rate": 0.3, "schedule": "cosine"}}


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        ([1], "training must be an object with settings; correct it"),
        ({"rate": "fast"}, "training: rate must be a number from 0; correct it"),
        ({"rate": -1}, "training: rate must be a number from 0; correct it"),
        ({"optimiser": "lbfgs"}, "training: optimiser must be one of sgd, momentum, rmsprop, adam; correct it"),
        ({"batch": 1.5}, "training: batch must be a whole number, 0 for all examples; correct it"),
        ({"seed": None}, "training: seed must be a whole number from 0; correct it"),
        (
            {"columns": {"X": "x1"}},
            "training: columns must be a list of column names for each input, by the input's name; correct it",
        ),
    ],
)
def test_settings_that_mean_nothing_are_refused(stored, sentence):
    with pytest.raises(Refused) as refused:
        settings_of(Document({}, extra={"training": stored}))
    assert str(refused.value) == sentence


def test_the_frozen_file_is_trained():
    document = read(Path(__file__).parent.parent / "storage" / "frozen" / "v2_training.cadena")
    settings = settings_of(document)
    assert settings.columns == {"x": ("x",), "y": ("y",)} and settings.start == "random"
    trainer = Trainer(document, settings)
    trainer.advance(60.0, 300)
    assert trainer.loss is not None and trainer.loss < 0.05
