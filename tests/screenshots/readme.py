"""Renders the README's screenshot: the real window on lesson 1, at a step of the reverse pass.

Run by `make screenshot`; works without a screen.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings, QThread  # Qt reads its platform when it is imported
from PySide6.QtWidgets import QApplication

from cadena.gui.background.worker import end_all
from cadena.gui.files.settings import Settings
from cadena.gui.formulas.typesetter import setting
from cadena.gui.window.app import make_application, make_window
from cadena.gui.window.window import Window

TARGET = Path(__file__).resolve().parents[2] / "docs" / "screenshot.png"
SIZE = (1440, 900)
STEP = ("m3", "b1")  # the contribution from m3 back to b1


def show_lesson(window: Window) -> None:
    """Lesson 1 at the arrival of the gradient of b1, which the inspector explains."""
    timeline = window.session.timeline
    step = next(step for step in timeline if (step.node, step.operand) == STEP and step.phase == "reverse")
    window.session.select([STEP[1]])
    window.canvas.zoom_to_fit()
    window.session.set_time(float(step.index))
    window.session.telling.answer("−7")
    window.session.set_time(step.index + 1.0)


def take(path: Path) -> None:
    """Write the picture to `path`."""
    application = make_application()
    setting("x")  # from now on short formulas are set at once
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(QSettings(str(Path(folder, "settings.ini")), QSettings.Format.IniFormat))
        settings.theme = "light"
        window = make_window(settings, Path(folder, "recovery"))
        window.resize(*SIZE)
        window.show()
        settle(application)
        show_lesson(window)
        settle(application)
        path.parent.mkdir(exist_ok=True)
        window.grab().save(str(path))
        window.close()
        end_all()  # as the program does when it ends


def settle(application: QApplication) -> None:
    """Let everything come to its place, and the thread set the formulas."""
    for _ in range(50):
        application.processEvents()
        QThread.msleep(20)


if __name__ == "__main__":
    take(TARGET)
    print(f"{TARGET}: {TARGET.stat().st_size // 1000} kB")
