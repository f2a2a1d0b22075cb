"""cadena.show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cadena
from cadena.core.capture.captured import Captured, Gradients


def test_the_window_is_started_on_a_copy_of_what_is_shown(monkeypatch, tmp_path):
    started = []
    monkeypatch.setattr(subprocess, "Popen", started.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    document = cadena.parse("L = w * 2")
    cadena.show(document)
    cadena.show(Captured(document))
    for python, program, path in started:
        assert python == sys.executable
        assert Path(program).name == "main.py" and Path(program).exists()
        assert cadena.load(path).nodes == document.nodes


def test_gradients_are_found_by_the_names_of_the_framework_too():
    gradients = Gradients({"layers_0_weight": 1.0})
    assert gradients["layers.0.weight"] == gradients["layers_0_weight"] == 1.0
