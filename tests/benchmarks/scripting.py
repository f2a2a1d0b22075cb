"""Scripts: from the text to the graph, the start of the process included."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import mkdtemp

from cadena.core.scripts.running import ScriptResult, run
from cadena.core.verbs.import_script import import_script
from tests.benchmarks.cases import OURS, Case
from tests.benchmarks.timing import Action
from tests.core.scripts.test_running import LISTING

LOOP = """
import torch
x = w = torch.tensor(1., requires_grad=True)
for step in range(50_000):
    x = x * 1.00001 + 0.1
x.backward()
"""
STEPS = "for step in range(50_000):\n    x = x * 1.00001 + 0.1\n"
BODY = STEPS.replace("\n", "\n    ")
LOOPS = {
    "torch": LOOP,
    "tensorflow": "import tensorflow as tf\nx = w = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n"
    f"    {BODY}\ntape.gradient(x, w)",
    "jax": f"import jax\ndef f(x):\n    {BODY}return x\njax.grad(f)(1.0)",
    "numpy": f"x = w = 1.0\n{STEPS}",
}
GROUP = "scripts"


def script_cases() -> Iterator[Case]:
    yield Case(GROUP, "PyTorch listing, from the text to the graph", lambda: {OURS: lambda: _run(LISTING)}, 1.0)
    yield Case(GROUP, "PyTorch listing, from Run to the canvas", _to_canvas, 1.0)
    for library, text in LOOPS.items():
        yield Case(GROUP, f"a loop of 1e5 operations, {library}", lambda text=text: {OURS: lambda: _run(text)}, 2.0)
    yield Case(GROUP, "the same for torch by cadena import, saved and run", _imported)


def _to_canvas() -> dict[str, Action]:
    """From Run in the code panel to the graph, painted on the canvas."""
    from PySide6.QtCore import QEventLoop, QSettings
    from PySide6.QtGui import QPixmap
    from PySide6.QtWidgets import QApplication

    from cadena.core.graph.document import Document
    from cadena.core.scripts.attached import AttachedScript, with_script
    from cadena.gui.files.recovery.keeper import Recovery
    from cadena.gui.files.settings import Settings
    from cadena.gui.session.session import Session
    from cadena.gui.window.window import Window

    application = QApplication.instance() or QApplication([])
    folder = Path(mkdtemp())
    session = Session(Document({}))
    settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    window = Window(session, settings, Recovery(session, folder))
    window.show()
    window.toggle_panel("code")
    page, target = window.panels["code"].open().script, QPixmap(window.size())

    def run_listing() -> None:
        session.history.commit(with_script(Document({}), AttachedScript(LISTING)), "Start")
        page._open()
        page._asks = False
        page.start()
        while page.run.running:
            application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        window.render(target)
        assert session.document.output is not None

    return {OURS: run_listing}


def _imported() -> dict[str, Action]:
    """From a script to a file, and one run of the graph, which looks for bad numbers."""
    folder = Path(mkdtemp())
    script, out = folder / "loop.py", folder / "loop.cadena"
    script.write_text(LOOP, "utf-8")
    options = Namespace(script=str(script), out=str(out), force=True, chosen=None, seconds=60.0)

    def import_loop() -> None:
        with redirect_stdout(StringIO()):
            assert import_script(options) == 0

    return {OURS: import_loop}


def _run(text: str) -> ScriptResult:
    result = run(text, seconds=60)
    assert result.fault is None, result.fault
    return result
