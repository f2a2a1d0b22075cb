"""How long it takes to start: whole processes, from their beginning to the first frame or to their end."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.benchmarks.cases import OURS, Case
from tests.benchmarks.timing import Action

ROOT = Path(__file__).resolve().parents[2]
LESSON = next((ROOT / "resources" / "lessons").glob("01_*.cadena"))
WINDOW, NUMPY, PYTHON = "bare window", "import numpy", "python"

# Both end as soon as the first frame is painted. What is asked for a display before the window is imported lets us in.
FIRST_FRAME = """
import os
import sys
from types import SimpleNamespace
from cadena.main import main
def is_there():
    del sys.modules["cadena.gui.look.screens"]
    from cadena.gui.look import screens
    from cadena.gui.canvas.rendering.view import CanvasView
    painted = CanvasView.paintEvent
    def paint(self, event):
        painted(self, event)
        os._exit(0)
    CanvasView.paintEvent = paint
    return screens.is_there()
sys.modules["cadena.gui.look.screens"] = SimpleNamespace(is_there=is_there)
main([])
"""
BARE = """
import os
import numpy
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
class Canvas(QWidget):
    def paintEvent(self, event):
        os._exit(0)
application = QApplication([])
window = QMainWindow()
window.setCentralWidget(Canvas())
window.resize(1400, 900)
window.show()
application.exec()
"""


def starting_cases() -> Iterator[Case]:
    """Each beside what it cannot be faster than."""

    def pair(peer: str, ours: list[str], theirs: str) -> Callable[[], dict[str, Action]]:
        return lambda: {OURS: partial(_run, *ours), peer: partial(_run, "-c", theirs)}

    yield Case("start", "the first frame of lesson 1", pair(WINDOW, ["-c", FIRST_FRAME], BARE), None, 1 / 3, WINDOW)
    run = ["main.py", "run", str(LESSON)]
    yield Case("start: run", "cadena run, lesson 1", pair(NUMPY, run, "import numpy"), None, 1 / 2, NUMPY)
    yield Case("start: import", "import cadena", pair(PYTHON, ["-c", "import cadena"], "pass"), None, None, PYTHON)


def _run(*words: str) -> None:
    with tempfile.TemporaryDirectory() as home:  # nobody's settings, and nothing to recover
        settings = {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home}
        environment = {key: word for key, word in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"} | settings
        command = [sys.executable, *words]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
