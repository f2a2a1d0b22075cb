"""What a script printed, how long it ran, and which of its backward passes is shown."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from cadena.core.text.plain_text import cleaned
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import LINES, PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.code.script_run import ScriptRun
from cadena.gui.panels.parts.labels import ElidedLabel
from cadena.gui.widgets.chooser import Chooser

ONE_WAY = "The run defined the graph (define-by-run); new numbers go the same way (define-and-run) until the next run."
EDITED = "; edited since then"
MAX_SHOWN = 200_000  # characters
MAX_REMARKS = 3
MAX_IN_PASS = 40  # letters of "pass 20 of 20, line 19", which the panel has room for
MAX_LISTED = 500  # backward passes in the chooser


class ScriptOutput(QWidget):
    """Empty and hidden until a script has run. `passChosen(number)` when another backward pass is to be shown."""

    passChosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.words = ElidedLabel()
        self.words.setProperty("label", True)
        self.passes = Chooser(letters=MAX_IN_PASS)
        self.passes.setAccessibleName("backward pass")
        self.passes.setToolTip("The backward pass whose graph is shown; another one takes a run")
        self.passes.chosen.connect(self._choose)
        self.passes.hide()
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setProperty("code", True)
        self.text.setAccessibleName("What the script printed")
        self.text.setAccessibleDescription("Its output and its errors, to read and to copy")
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.remarks = PlainLabel(wordWrap=True)
        self.remarks.setProperty("label", True)
        self.remarks.hide()
        row = QHBoxLayout()
        row.addWidget(self.words, 1)
        row.addWidget(self.passes)
        column = QVBoxLayout(self)
        column.setContentsMargins(look.GAP, look.GAP, look.GAP, look.GAP // 2)
        column.setSpacing(look.GAP // 2)
        column.addLayout(row)
        column.addWidget(self.text, 1)
        column.addWidget(self.remarks)
        self._clock = QTimer(self, interval=100)
        self._clock.timeout.connect(self._tell_time)
        self._run: ScriptRun | None = None
        self._room = MAX_SHOWN
        self._outcome = ""  # of the last run, in words
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self.text.setFont(look.code_font(theme))
        self.text.setMinimumHeight(3 * self.text.fontMetrics().lineSpacing())  # else it takes the room of the remarks

    def clear(self) -> None:
        """Forget the last run."""
        self._clock.stop()
        self._replace("")
        self._outcome = ""
        self.words.setText("")
        self.hide()

    def begin(self, run: ScriptRun) -> None:
        """A script begins: forget what the one before printed."""
        self._run = run
        self._replace("")
        self._clock.start()
        self._tell_time()
        self.show()

    def _tell_time(self) -> None:
        if self._run is not None and self._clock.isActive():
            self.words.setText(f"running, {self._run.seconds:.1f} s")

    def add(self, text: str) -> None:
        """Show what was printed, as it is printed."""
        if self._room > 0:
            part = cleaned(text, keep=LINES)[: self._room]
            self._room -= len(part)
            cursor = QTextCursor(self.text.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(part)

    def end(self, words: str, printed: str | None = None) -> None:
        """The script has ended; `printed` is all that it printed."""
        self._clock.stop()
        self._outcome = words
        self.words.setText(words)
        if printed is not None and not self.text.toPlainText():
            self.add(printed)
        self.show()

    def show_edited(self, edited: bool) -> None:
        """Say whether script or graph were edited after the run, so that other numbers would be printed now."""
        if not self._clock.isActive():
            self.words.setText(f"{self._outcome}{EDITED if edited else ''}")

    def _replace(self, text: str) -> None:
        self._room = MAX_SHOWN
        self.text.setPlainText(text)

    def show_passes(self, lines: tuple[int, ...], chosen: int) -> None:
        """Offer the backward passes of a script that has several."""
        several = len(lines) > 1
        self.passes.setVisible(several)
        if several:
            self.show()
            first = max(0, len(lines) - MAX_LISTED)
            names = [f"pass {number + 1} of {len(lines)}, line {lines[number]}" for number in range(first, len(lines))]
            self._first = first
            self.passes.show_only(names, names[max(chosen - first, 0)])

    def show_remarks(self, sentences: list[str], is_one_way: bool) -> None:
        """Show what to know of how the graph came from the script: loops unrolled, branches followed."""
        more = len(sentences) - MAX_REMARKS
        listed = sentences[:MAX_REMARKS] + ([f"and {more} more such lines"] if more > 0 else [])
        listed += [ONE_WAY] if is_one_way else []
        self.remarks.setText("\n".join(listed))
        self.remarks.setVisible(bool(listed))
        if listed:
            self.show()

    def _choose(self, name: str) -> None:
        self.passChosen.emit(int(name.split()[1]) - 1)
