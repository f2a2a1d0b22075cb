"""A run of a script in a process of its own, watched from the interface."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import arrange
from cadena.core.methods.answer import Cancel
from cadena.gui.background.worker import Work
from cadena.gui.look.wording import worded

if TYPE_CHECKING:
    from cadena.core.scripts.running import ScriptResult


class _ScriptWork(Work):
    """Waits for a script's process; cancelled, it ends the process."""

    printed = Signal(object, str)

    def __init__(self, text: str, chosen: int | None, folder: Path | None, name: str) -> None:
        super().__init__(self._run_script)
        self._text, self._chosen, self._folder, self._name = text, chosen, folder, name
        self._child: subprocess.Popen[bytes] | None = None

    def _run_script(self, cancelled: Cancel) -> ScriptResult:
        from cadena.core.capture.pythons import python_for
        from cadena.core.capture.script_process import run_really
        from cadena.core.scripts.running import run

        folder = self._folder or Path.cwd()
        python, _ = python_for(self._text, folder)
        if python is None:
            result = run(self._text, self._chosen, watcher=self, folder=self._folder)
        else:
            path = folder / (self._name or "script.py")
            result = run_really(self._text, python, path, self._chosen, watcher=self, folder=folder)
        if result.document is None or cancelled():
            return result
        return replace(result, document=arrange(result.document))  # half a second for ten thousand lines

    def begun(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child
        if self._cancelled:
            child.kill()

    def reported(self, text: str) -> None:
        self.printed.emit(self, text)

    def cancel(self) -> None:
        super().cancel()
        if self._child is not None:
            self._child.kill()


class ScriptRun(QObject):
    """Runs one script at a time; `printed(text)` as it prints, `ended(result)` unless it was cancelled before.

    A result that cannot be made is one with a fault, so that a run ends in any case.
    """

    printed = Signal(str)
    ended = Signal(object)
    changed = Signal()  # whether a script runs

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._work: _ScriptWork | None = None
        self._clock = QElapsedTimer()

    @property
    def running(self) -> bool:
        return self._work is not None

    @property
    def seconds(self) -> float:
        """How long ago the last run began."""
        return self._clock.elapsed() / 1000

    def begin(self, text: str, chosen: int | None = None, folder: Path | None = None, name: str = "") -> None:
        """Run a script, for the graph of its backward pass `chosen`, or of the default one, as a file in a folder."""
        self.cancel()
        self._work = work = _ScriptWork(text, chosen, folder, name)
        work.printed.connect(self._hear)
        work.succeeded.connect(self._succeeded)
        work.refused.connect(self._refused)
        self._clock.start()
        work.begin()
        self.changed.emit()

    def cancel(self) -> None:
        """End the script, of which nothing more is reported."""
        if self._work is not None:
            self._work.cancel()
            self._close(self._work)

    def _hear(self, work: Work, text: str) -> None:
        if work is self._work:
            self.printed.emit(text)

    def _succeeded(self, work: Work, result: ScriptResult) -> None:
        if work is self._work:
            self._close(work)
            self.ended.emit(result)

    def _refused(self, work: Work, refusal: Refused) -> None:
        from cadena.core.scripts.running import ScriptFault, ScriptResult

        self._succeeded(work, ScriptResult(fault=ScriptFault(0, worded(refusal))))

    def _close(self, work: Work) -> None:
        if work is self._work:
            self._work = None
            self.changed.emit()
