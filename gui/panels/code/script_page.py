"""The script of the document: an editor, what its run printed, and its lines beside the nodes that they made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from cadena.core.graph.document import Changes, Document
from cadena.core.graph.fault import Refused
from cadena.core.languages.record import READ
from cadena.core.scripts import confinement
from cadena.core.scripts.attached import AttachedScript, script_of, with_graph
from cadena.core.text.wording import Listing
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.code.editor import CodeEditor
from cadena.gui.panels.code.find_bar import FindRow
from cadena.gui.panels.code.line_links import NONE, CodeLines
from cadena.gui.panels.code.script_output import ScriptOutput
from cadena.gui.panels.code.script_run import ScriptRun
from cadena.gui.panels.parts.common import Sentence, column_in
from cadena.gui.panels.parts.labels import ElidedLabel
from cadena.gui.panels.steps.question import Question
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.scripts.running import ScriptResult

TYPING_PAUSE = 600  # milliseconds without a key after which the document has what was typed
EMPTY = """Write, paste or drop a script for PyTorch, TensorFlow, JAX or numpy.

Ctrl+Return runs it and shows its graph."""
RUNNING = "A script is running; Cancel ends it"
INSIDE = "Leave the function to run a script: its graph takes the place of the whole."
MAX_NAMED = 6  # nodes of a line that are named
CAME_ALONG = "This script came with the graph."
RUN_IT = "It runs in a process of its own, without files and network. Run it?"
RUN_UNCONFINED = "It runs in a process of its own. Run it?"
RUN_REALLY = "It runs in your own PyTorch, and may do all that you may. Run it?"


class ScriptPage(QWidget):
    """Runs scripts when asked to, and never else. A run that ends well is one edit of the document."""

    stateChanged = Signal()  # whether a script runs, or what it is called
    leftByKey = Signal()
    graphMade = Signal()  # another graph is there, with other nodes

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.run = ScriptRun(self)
        self.editor = CodeEditor(theme, self._words)
        self.editor.setPlaceholderText(EMPTY)
        self.editor.setAccessibleName("Script")
        self.editor.setAccessibleDescription("A script of your own; Ctrl+Return runs it")
        self.editor.colors.set_language("python")
        self.lines = CodeLines(session, self.editor)
        self.find_row = FindRow(self.editor)
        caution = confinement.caution(confinement.offered())
        self.caution = PlainLabel(caution, wordWrap=True)  # until the first run has ended
        self.caution.setVisible(bool(caution))
        self._run_it = RUN_UNCONFINED if caution else RUN_IT
        self.question = Question(
            "Run it", "Run the script in a process of its own", "Leave the script as it is, to be read first"
        )
        self.sentence = Sentence(theme, session.named)
        self.state = PlainLabel(wordWrap=True)
        self.state.setProperty("label", True)
        self.line_words = ElidedLabel()
        self.line_words.setProperty("label", True)
        self.output = ScriptOutput(theme)
        self._asks = False  # the script came from elsewhere, and the user has not agreed to run it yet
        self._known: AttachedScript | None = None
        self._ran: Document | None = None  # what the last run made
        self._started = self.script  # as the run under way began
        self._chosen: int | None = None  # the backward pass that the run under way is for
        self._typing = QTimer(self, interval=TYPING_PAUSE, singleShot=True)
        self._put_together()
        self._connect()
        self._open()

    def _put_together(self) -> None:
        upper = QWidget()
        column = column_in(upper, spacing=0)
        foot = QVBoxLayout()
        foot.setContentsMargins(look.GAP, look.GAP // 2, look.GAP, look.GAP // 2)
        foot.setSpacing(look.GAP // 2)
        for words in (self.line_words, self.state):
            foot.addWidget(words)
        for part in (self.find_row, self.question, self.editor):
            column.addWidget(part, int(part is self.editor))
        margins = QVBoxLayout()
        margins.setContentsMargins(look.GAP, look.GAP // 2, look.GAP, 0)
        margins.addWidget(self.caution)
        margins.addWidget(self.sentence)
        column.addLayout(margins)
        column.addLayout(foot)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(upper)
        self._split.addWidget(self.output)
        self._split.setSizes([500, 150])
        self._split.setStretchFactor(0, 1)
        column_in(self).addWidget(self._split)

    def _connect(self) -> None:
        session, editor = self.session, self.editor
        editor.textChanged.connect(self._type)
        editor.runAsked.connect(self.start)
        editor.findAsked.connect(self.find_row.open)
        editor.undoAsked.connect(session.undo)
        editor.redoAsked.connect(session.redo)
        editor.leftByKey.connect(self.leftByKey)
        editor.focusLeft.connect(self.commit)
        self.lines.chosen.connect(self._tell_line)
        self._typing.timeout.connect(self.commit)
        self.question.agreed.connect(self._agree)
        self.run.printed.connect(self.output.add)
        self.run.ended.connect(self._end)
        self.run.changed.connect(self.stateChanged)
        self.output.passChosen.connect(self.start)
        session.documentChanged.connect(self._follow)
        session.opened.connect(self._open)
        session.settling.connect(self.commit)

    def set_theme(self, theme: Theme) -> None:
        self.editor.set_theme(theme)
        self.sentence.set_theme(theme)
        self.output.set_theme(theme)

    # --- the text, which the document keeps

    @property
    def script(self) -> AttachedScript:
        """The script of the document; an empty one where it has none."""
        return self._known or AttachedScript("")

    def _open(self) -> None:
        """Follow another document, whose script came from elsewhere."""
        self.run.cancel()
        self.output.clear()
        self._known = self._ran = None
        self._follow()
        self._asks = bool(self.script.text)

    def _follow(self, changes: Changes | None = None) -> None:
        """Show the document's script, after an edit of it or an undo; a run or its undo may bring another graph."""
        if self.session.levels:
            self.lines.follow(NONE)
            return
        now = script_of(self.session.document)
        if now != self._known:
            known, self._known = self._known, now
            if self.script.name != (known.name if known else ""):
                self._asks = bool(self.script.name)
            if self.script.text != self.editor.toPlainText():
                self.editor.show_text(self.script.text)
                self._say_fault(0, "")
            self._typing.stop()
            self.output.show_passes(self.script.passes, self.script.chosen)
            self.output.show_remarks([remark for _, remark in self.script.remarks], self.script.is_one_way)
            self._tell_state()
            self.stateChanged.emit()
            if changes is not None and 2 * len(changes.added) > len(self.session.document.nodes):
                self.graphMade.emit()  # most of it is new, so that no edit of the graph has made it
        self.lines.follow(self.script.lines)
        ran, document = self._ran, self.session.document
        self.output.show_edited(ran is not None and (ran.nodes is not document.nodes or script_of(ran) != now))

    def _tell_state(self) -> None:
        """Say where script and graph are not of one mind."""
        script = self.script
        if script.lines and not script.is_current:
            words = "The graph is that of the script before your edits; Ctrl+Return makes it anew."
        else:
            words = f"The last edit stays in the graph: {script.unwritten}." if script.unwritten else ""
        self.state.setText(words)
        self.state.setHidden(not words)

    def _type(self) -> None:
        if self.editor.toPlainText() != self.script.text:
            self._say_fault(0, "")
            self._typing.start()
            self.stateChanged.emit()

    def commit(self) -> None:
        """Give the document what was typed, as one step that can be undone."""
        self._typing.stop()
        text = self.editor.toPlainText()
        if text == self.script.text or self.session.levels:
            return
        self.session.edit(*graph_edits.retype_script(text), merge="script")

    @property
    def name(self) -> str:
        """What the script is called: its file, or the library it is for."""
        library = library_of(self.editor.toPlainText())
        return " · ".join(filter(None, (self.script.name, library)))

    def _words(self, owner: str) -> Iterator[str]:
        if owner:
            yield from _members(owner)
        else:
            yield from self.session.document.nodes

    # --- running

    def start(self, chosen: int | None = None) -> None:
        """Run the script; one from elsewhere when the user has agreed to it."""
        self.commit()
        text = self.editor.toPlainText()
        if self.session.levels:
            self.session.message.emit(INSIDE)
        elif not text.strip():
            self._say_fault(0, "there is no script; write or paste one")
        elif self._asks:
            self._chosen = chosen
            name = self.script.name
            question = RUN_REALLY if self._runs_really(text) else self._run_it
            self.question.ask(f"{f'{name} comes from a file.' if name else CAME_ALONG} {question}")
        elif self.run.running:
            self.session.message.emit(RUNNING)
        else:
            self._say_fault(0, "")
            self.question.hide()
            self.output.begin(self.run)
            self._ran = None
            self._chosen, self._started = chosen, self.script
            self.run.begin(text, chosen, self._folder, self.script.name)

    @property
    def _folder(self) -> Path | None:
        return self.session.path.parent if self.session.path else None

    def _runs_really(self, text: str) -> bool:
        """Whether a script runs with its real library, and not confined on the stand-ins."""
        from cadena.core.capture.pythons import python_for

        try:
            return python_for(text, self._folder or Path.cwd())[0] is not None
        except Refused:
            return False

    def _agree(self) -> None:
        self._asks = False
        self.start(self._chosen)
        self.editor.setFocus()

    def cancel(self) -> None:
        """End the script that runs; the graph stays as it is."""
        self.run.cancel()
        self.caution.hide()
        self.output.end("cancelled; the graph is as it was")

    def _end(self, result: ScriptResult) -> None:
        self.commit()  # what was typed while it ran
        self.caution.hide()
        if result.fault is not None:
            self.output.end(f"ended after {self.run.seconds:.1f} s; the graph is as it was", result.printed)
            self._say_fault(result.fault.line, result.fault.sentence)
            return
        if self.session.levels:
            self.output.end("ran while a function was open; run it again for its graph", result.printed)
            return
        seconds, library = f"{self.run.seconds:.1f}", result.computed_by
        words = f"ran in {seconds} s, with {library}" if library else f"ran in {seconds} s, on traced values"
        self.output.end(words, result.printed)
        before = set(self.session.document.nodes)
        script, chosen = self._started, self._chosen
        self.session.edit(
            lambda document: with_graph(document, script, result, chosen), f"Run {script.name or 'script'}"
        )
        self._ran = self.session.document
        self.output.show_edited(False)
        if set(self.session.document.nodes) != before:
            self.graphMade.emit()

    def _say_fault(self, line: int, sentence: str) -> None:
        where = f"Line {line}: {sentence}" if line and sentence else sentence
        self.editor.marks.fault = (line, sentence)
        self.editor.show_marks()
        if line:
            self.editor.reveal(line)
        self.sentence.say(where)

    # --- lines and nodes

    def _tell_line(self, line: int) -> None:
        names = self.lines.nodes_of(line) if line else []
        origin = [f"line {line} made {Listing(tuple(names), most=MAX_NAMED).worded()}"] if names else []
        about = [remark for at, remark in self.script.remarks if at == line]
        self.line_words.setText(self.session.named(" · ".join((*origin, *about))))

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.lines.mark()


def library_of(text: str) -> str:
    """The library that a script is for, by its imports; "" where it names none."""
    words = {line.split()[1].partition(".")[0] for line in text.splitlines() if _imports(line)}
    libraries = sorted(words & READ.keys(), key="numpy".__eq__)  # the others bring their data by numpy
    return READ[libraries[0]].title if libraries else ""


def _imports(line: str) -> bool:
    words = line.split(maxsplit=2)
    return len(words) > 1 and words[0] in ("import", "from")


@lru_cache(maxsize=64)
def _members(owner: str) -> tuple[str, ...]:
    """The dotted names of a library that begin with `owner`."""
    top = owner.partition(".")[0]
    tables = (record.table for record in READ.values() if top in (record.name, record.alias))
    return tuple(name for table in tables if table for name in table.signatures if name.startswith(f"{owner}."))
