from dataclasses import replace

from cadena.core.graph import edits
from cadena.core.training.settings import TrainingSettings, settings_of, with_settings
from tests.core.training.networks import line


def test_a_renamed_input_keeps_its_columns():
    document = with_settings(line(), TrainingSettings(data="line", columns={"x": ("x",), "y": ("y",)}))
    renamed = edits.rename(document, "x", "height")
    assert settings_of(renamed).columns == {"height": ("x",), "y": ("y",)}
    assert settings_of(document).columns == {"x": ("x",), "y": ("y",)}


def test_other_names_and_odd_settings_stay():
    document = with_settings(line(), TrainingSettings(data="line", columns={"x": ("x",)}))
    assert edits.rename(document, "w", "slope").extra == document.extra
    for odd in (7, {"columns": [1]}, {}):
        assert edits.rename(replace(line(), extra={"training": odd}), "x", "z").extra == {"training": odd}
