"""The program with its window: how it starts, and that nothing is lost when something goes wrong inside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

import cadena
from cadena.core.graph.document import Node
from cadena.gui.files.recovery.copies import read
from cadena.gui.window import app
from tests.waiting import SECONDS

ROOT = Path(__file__).resolve().parents[3]


def in_fresh_python(code: str, home: Path, *arguments: str) -> str:
    """What a program prints that runs with the window but without a screen, in a home of its own."""
    folders = {name: str(home) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env={**os.environ, **folders},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def start_and_quit(home: Path, *arguments: str) -> str:
    """Start the program; after its first moments print the title and the message, and quit."""
    return in_fresh_python(
        """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from cadena.gui.window import app
from cadena.gui.files.recovery.copies import read

def look():
    window = next((w for w in QApplication.topLevelWidgets() if w.isVisible() and w.windowTitle()), None)
    if window is None:
        QTimer.singleShot(10, look)
        return
    print(window.windowTitle(), window.isVisible(), window.banner.text.text(), sep=" | ")
    window.close()

app.make_application()
QTimer.singleShot(10, look)
sys.exit(app.start(sys.argv[1] if len(sys.argv) > 1 else None))
""",
        home,
        *arguments,
    )


def test_without_a_file_the_first_lesson_is_shown(tmp_path):
    assert "chain rule" in start_and_quit(tmp_path)


def test_a_file_of_the_command_line_is_shown(tmp_path):
    cadena.save(cadena.Document({"x": Node("x", "input", value=1.0)}), tmp_path / "mine.cadena")
    assert start_and_quit(tmp_path, str(tmp_path / "mine.cadena")).startswith("mine[*] — Cadena | True")


def test_a_file_that_cannot_be_read_is_told_in_the_window(tmp_path):
    (tmp_path / "bad.cadena").write_bytes(b"{")
    shown = start_and_quit(tmp_path, str(tmp_path / "bad.cadena"))
    assert "chain rule" in shown and "| True |" in shown and "bad.cadena" in shown


def test_the_process_died_when_work_was_begun_at_its_very_end(tmp_path):
    printed = in_fresh_python(
        """
import time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from cadena.gui.window import app
from cadena.gui.background.worker import Work

application = app.make_application()
application.aboutToQuit.connect(lambda: Work(lambda cancelled: time.sleep(0.5)).begin())
QTimer.singleShot(0, application.quit)
app.start(None)
print("ended")
""",
        tmp_path,
    )
    assert printed == "ended\n"


def test_slow_libraries_are_not_loaded_before_the_window_is_shown(tmp_path):
    loaded = in_fresh_python(
        """
import sys
from cadena.gui.window import app
from cadena.gui.files.recovery.copies import read
from cadena.gui.files.settings import Settings, user_store
application = app.make_application()
window = app.make_window(Settings(user_store()), app.user_folder())
window.show()
print(*sys.modules)
""",
        tmp_path,
    ).split()
    assert not {"networkx", "pyqtgraph", "ziamath", "sympy", "importlib.metadata", "xml.etree.ElementTree"} & set(
        loaded
    )


NOT_AT_START = {
    "cadena.core.doctor.findings.hints", "cadena.core.doctor.fixes", "cadena.core.methods.compare",
    "cadena.core.methods.comparison", "cadena.core.methods.cutting", "cadena.core.methods.difference.sweep",
    "cadena.core.methods.difference.timeline", "cadena.core.methods.forward.timeline",
    "cadena.core.methods.symbolic.timeline", "cadena.core.rewriting.unfolding", "cadena.core.run.passes.naive",
    "cadena.core.tracing", "cadena.gui.panels.inspector.node_page",
    "cadena.gui.presenting.comparison", "cadena.gui.presenting.speaker", "cadena.gui.presenting",
}  # fmt: skip


def test_what_no_first_frame_shows_is_not_loaded_before_it(tmp_path):
    loaded = in_fresh_python(
        """
import sys
from cadena.main import main
from cadena.gui.look import screens
def is_there():
    from cadena.gui.panels.problems import doctor
    from cadena.gui.canvas.rendering.view import CanvasView
    doctor.REST = 10**6
    painted = CanvasView.paintEvent
    def paint(self, event):
        painted(self, event)
        print(*sys.modules)
        names = [*sys.modules]
        print("the engine came before Qt", names.index("cadena.core.front") < names.index("PySide6.QtCore"))
        sys.stdout.flush()
        import os
        os._exit(0)
    CanvasView.paintEvent = paint
    return True
screens.is_there = is_there
main([])
""",
        tmp_path,
    )
    assert sorted(NOT_AT_START & set(loaded.split())) == []
    assert "the engine came before Qt True" in loaded


def test_the_first_formula_made_the_window_wait_for_the_library_that_sets_it(tmp_path):
    asked, loaded, later = in_fresh_python(
        """
import sys
from cadena.gui.window import app
from cadena.gui.formulas.typesetter import cached, is_set, typesetter
from cadena.gui.background.worker import end_all
application = app.make_application()
print(is_set("x"))
typesetter.ask(["x"])
print("ziamath" in sys.modules)
while cached("x") is None:  # a painter wants it
    application.processEvents()
print(is_set("x"))
end_all()
""",
        tmp_path,
    ).split()
    assert (asked, loaded, later) == ("False", "False", "True")


def test_the_first_plot_that_opens_loads_the_library_of_the_plots(tmp_path):
    before, after = in_fresh_python(
        """
import sys
from cadena.gui.window import app
from cadena.gui.files.settings import Settings, user_store
from cadena.gui.background.worker import end_all
application = app.make_application()
window = app.make_window(Settings(user_store()), app.user_folder())
window.show()
application.processEvents()
print("pyqtgraph" in sys.modules)
window.toggle_panel("error")
while window.panels["error"].open().plot is None:
    application.processEvents()
print("pyqtgraph" in sys.modules)
end_all()
""",
        tmp_path,
    ).split()
    assert (before, after) == ("False", "True")


# --- when something goes wrong


@pytest.fixture
def rescued(own_user, monkeypatch, capsys):
    """A user of a window whose exceptions are caught as in the program."""
    monkeypatch.setattr(sys, "excepthook", app.rescue(own_user.window))
    return own_user


def crash() -> None:
    try:
        raise KeyError("gone")
    except KeyError:
        sys.excepthook(*sys.exc_info())


def test_an_error_inside_costs_neither_window_nor_work(rescued, capsys):
    rescued.set_value("w0", "10")
    crash()
    assert "KeyError" in rescued.window.toast.text.text() and rescued.window.isVisible()
    assert read(rescued.window.recovery.path).documents == (rescued.session.document,)
    assert "Traceback" in capsys.readouterr().err


def test_the_program_has_its_name_and_its_icon(qapp):
    assert app.make_application() is QApplication.instance()
    assert not qapp.windowIcon().isNull() and qapp.applicationDisplayName() == "Cadena"


# --- killed, and started again

EDIT = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from tests.gui.user import Answers, User
import main

def begin(act):
    # As soon as the window is there, and what it offers, too, when it is opened again.
    window = next((w for w in QApplication.topLevelWidgets() if w.isVisible() and w.windowTitle()), None)
    if window is None or act is reopen and not window.banner.isVisible():
        QTimer.singleShot(10, lambda: begin(act))
    else:
        act(window)

def edit(window):
    User(window, Answers()).set_value("w0", "10")
    window.recovery.try_to_write()
    print("edited", flush=True)

def reopen(window):
    (row,) = window.banner.rows
    print(window.banner.text.text())
    row[0].click()
    print("w0 is", window.session.document.nodes["w0"].value, window.isWindowModified())
    window.files.questions = Answers()
    window.close()

from cadena.gui.window import app
app.make_application()
QTimer.singleShot(10, lambda: begin(globals()[sys.argv[1]]))
sys.exit(main.main([]))
"""


def test_lesson_1_edited_killed_and_opened_again_loses_nothing(tmp_path):
    """As `make run` starts it."""
    folders = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    words = [sys.executable, "-c", EDIT, "edit"]
    with subprocess.Popen(words, cwd=ROOT, env={**os.environ, **folders}, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None and first.stdout.readline() == "edited\n"
        first.kill()
    told, opened = in_fresh_python(EDIT, tmp_path, "reopen").splitlines()
    assert told.startswith("Cadena stopped unexpectedly, and one graph was not saved.") and opened == "w0 is 10.0 True"
