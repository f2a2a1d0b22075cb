"""The expression bar: the graph as text, which follows every edit, and which edits the graph as it is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from cadena.core.expressions.graph_text import MAX_NODES, GraphText, graph_text
from cadena.core.expressions.syntax import Misread
from cadena.core.expressions.vocabulary import FILLINGS
from cadena.core.graph.document import Changes, Document
from cadena.core.graph.fault import Refused
from cadena.core.graph.history import History
from cadena.core.methods.reverse.timeline import Line as CardLine
from cadena.core.ops.primitive import REGISTRY
from cadena.core.run.plan import Plan
from cadena.core.text.numbers import fits, shape_text, short
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.expression.expression_editor import ROW, ExpressionEditor, Result
from cadena.gui.panels.expression.leaf_sliders import LeafSliders
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

LEAST_ROWS, MOST_ROWS = 3, 5
PADDING = 11  # above and below the lines, pixels at `type` 1
LOW_PADDING = 6
SLIDERS = 400  # their width
WIDE = 1000  # from which there is room for them
MAX_SELECTED = 12  # nodes of a large graph whose expressions are shown
NOT_YET, NEVER = "·", "–"
EXAMPLE = "y = w*x + b"
TOO_LARGE = "{count:,} nodes: select some to see their expression"


class _Base:
    """The graph before what is being typed."""

    def __init__(self, session: Session, names: tuple[str, ...], text: str) -> None:
        self.history: History = session.history.copy()
        self.document: Document = session.document
        self.plan: Plan = session.program.plan
        self.names, self.text = names, text


class ExpressionBar(QWidget):
    """Stands above the canvas. Leaving it by Esc or Ctrl+Enter gives the keys back: `left`."""

    left = Signal()
    resizing = Signal(bool)  # its height follows the text; else, in a low window, whether it is used
    grew = Signal(object)  # the document before nodes came

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self.theme = session, theme
        self._text = GraphText()
        self._names: tuple[str, ...] = ()  # the nodes that are shown of a large graph
        self._base: _Base | None = None
        self._writes = self._is_low = self._is_one = False
        self._misread = False  # whether the graph could not follow the text
        self.editor = ExpressionEditor(theme, self._words)
        self.sliders = LeafSliders(session, theme)
        self.mistake = MistakeLabel(theme)
        self.mistake.setParent(self)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(0)
        self._row.addWidget(self.editor, 1)
        self._row.addWidget(self.sliders)
        editor = self.editor
        editor.typed.connect(self._typed)
        editor.committed.connect(self.commit)
        editor.cancelled.connect(self._cancel)
        editor.finished.connect(self._finish)
        editor.undoAsked.connect(lambda: self._travel(session.undo))
        editor.redoAsked.connect(lambda: self._travel(session.redo))
        editor.focusTaken.connect(self._fit)
        editor.focusLeft.connect(self._leave)
        session.documentChanged.connect(self._follow)
        session.settling.connect(self.commit)
        session.opened.connect(self._show_document)
        session.selectionChanged.connect(self._show_selected)
        for signal in (session.runChanged, session.timeChanged, session.methodChanged, session.hiddenChanged):
            signal.connect(self._show_results)
        self.set_theme(theme)
        self._show_document()

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        for part in (self.editor, self.sliders, self.mistake):
            part.set_theme(theme)
        self._fit()

    def begin(self) -> None:
        """Give the bar the keys, the cursor at the end of the text."""
        self.show()
        cursor = self.editor.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self.editor.setTextCursor(cursor)
        self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_low(self, low: bool) -> None:
        """In a low window the bar has one line until it is used."""
        if low != self._is_low:
            self._is_low = low
            self._fit()

    # --- from the graph to the text

    def _show_document(self) -> None:
        self._base = None
        self._show_mistake(None)
        self._follow(None)

    def _show_selected(self) -> None:
        if len(self.session.document.nodes) > MAX_NODES and self._base is None:
            self._follow(None)

    def _follow(self, changes: Changes | None) -> None:
        """Show the text of the graph. What is being typed stays while it is what the graph says, or has a mistake."""
        if changes is not None and not changes.anything_runs:
            return
        if changes is not None and not changes.structural and not changes.valued & self._text.nodes:
            self.sliders.show_numbers(changes.valued)  # in each picture of a drag
            return
        if changes is not None:
            self.resizing.emit(True)
        document = self.session.document
        if not self._writes:
            self._names = self._chosen(document)
        self._text = graph_text(document, self._names, self.session.program.plan.wired)
        if not self._writes:
            self._base = None
            if not self._misread:
                self.editor.show_text(self._text.text)
        self.editor.setReadOnly(self._text.is_too_large)
        self.editor.note = self._note(document)
        self.editor.setPlaceholderText("")
        names = (self._text.names | self._text.nodes) & document.nodes.keys()
        self.editor.parameters.show_names({name for name in names if document.nodes[name].op == "parameter"})
        self.sliders.follow()
        self._show_results()
        self._fit()

    def _chosen(self, document: Document) -> tuple[str, ...]:
        """The nodes that are shown of a large graph."""
        if len(document.nodes) <= MAX_NODES or len(self.session.selection) > MAX_SELECTED:
            return ()
        return tuple(name for name in self.session.selection if name in document.nodes)

    def _note(self, document: Document) -> str:
        if self._text.is_too_large:
            return TOO_LARGE.format(count=len(document.nodes))
        if not document.nodes:
            return EXAMPLE
        return worded(self._text.unsaid[0]) + "." if self._text.unsaid else ""

    def _words(self, owner: str) -> tuple[str, ...]:
        """The names that can be typed."""
        document = self.session.document
        return () if owner else (*document.nodes, *document.functions, *REGISTRY, *FILLINGS)

    # --- results

    def _show_results(self) -> None:
        frame, session, editor = self.session.frame, self.session, self.editor
        editor.results = {
            row: self._results(session.hidden.lines(name, frame.lines(name)))
            for row, name in self._shown_roots().items()
            if name in session.run.plan.index
        }
        step, now = frame.step if not session.live else None, (-1, "value")
        if step is not None and (frame.number or not frame.settled):
            rows = self._text.rows
            role = "gradient" if step.phase in ("seed", "reverse") else "value"
            now = (rows.get(step.operand or step.node, rows.get(step.node, -1)), role)
        if now != editor.now:
            editor.now = now
            if now[0] >= 0 and not editor.hasFocus():
                editor.reveal(now[0])
        editor.viewport().update()

    def _shown_roots(self) -> dict[int, str]:
        """The node of each row that is on the screen; rows that are being typed and have a mistake have none."""
        if not self._misread:
            return dict(self._text.roots)
        nodes = {line.text.split("\n")[-1].strip(): line.roots[-1] for line in self._text.lines}
        rows = enumerate(self.editor.toPlainText().split("\n"))
        return {row: nodes[text.strip()] for row, text in rows if text.strip() in nodes}

    def _results(self, lines: tuple[CardLine, CardLine]) -> tuple[Result, Result]:
        first, second = (self._result(line) for line in lines)
        return first, second

    def _result(self, line: CardLine) -> Result:
        if line.number is None:
            return Result(line.text or (NOT_YET if line.expected else NEVER), "muted")
        text = short(line.number, line.digits)
        if line.number.ndim and not (fits(line.number) and self.editor.result_fits(text)):
            text = shape_text(line.number.shape)
        return Result(text, line.ink)

    # --- from the text to the graph

    def _typed(self) -> None:
        """Let the graph follow what is typed; a large one waits for Enter."""
        if self._base is None:
            self._base = _Base(self.session, self._names, self._text.text)
        if len(self._base.document.nodes) <= MAX_NODES:
            self._write()
        self._fit()

    def _write(self) -> bool:
        """Make the graph what the text says; whether it says one."""
        base, text = self._base, self.editor.toPlainText()
        assert base is not None
        self._writes = True
        try:
            if text.strip() == base.text.strip():
                self._show_mistake(None)
                self.session.restore(base.history.copy())
            else:
                edit = graph_edits.rewrite(base.plan, base.document, text, base.names)
                self._show_mistake(None)
                layout = self.session.document.layout
                self.session.edit(*edit, merge="expression")
                if self.session.document.layout != layout:
                    self.grew.emit(base.document)
        except Misread as refusal:
            self._show_mistake(refusal)
            return False
        except Refused as refusal:
            self.session.message.emit(worded(refusal))
            return False
        finally:
            self._writes = False
            self._show_results()
        return True

    def build(self, text: str) -> None:
        """Make an empty graph what a text says, as one step that can be undone. Raises Misread, a Refused."""
        session, before = self.session, self.session.document
        session.edit(*graph_edits.rewrite(session.program.plan, before, text))
        session.seal()
        self.grew.emit(before)

    def commit(self) -> None:
        """Make what was typed one step that can be undone."""
        if self._base is not None and self._write():
            self._base = None
            self.session.seal()

    def _finish(self) -> None:
        """Commit and leave the bar; stay where there is a mistake."""
        self.commit()
        if self._base is None:
            self.left.emit()

    def _leave(self) -> None:
        """Commit, and show the text as the graph has it."""
        self.commit()
        if self._base is None:
            self.editor.show_text(self._text.text)
        self._fit()

    def _cancel(self) -> None:
        """Bring back the graph as it was before this edit; without one, leave the bar."""
        base = self._base
        if base is None:
            self.left.emit()
            return
        self._base = None
        self._show_mistake(None)
        self.session.restore(base.history)
        self.editor.show_text(self._text.text)
        self._show_results()

    def _travel(self, move) -> None:
        self.commit()
        if self._base is not None:  # what has a mistake is no step yet
            self._cancel()
        else:
            move()

    def _show_mistake(self, refusal: Misread | None) -> None:
        editor, self._misread = self.editor, refusal is not None
        if refusal is None:
            self.mistake.say("")
            editor.show_mistake(None)
            return
        block, column = editor.document().findBlockByNumber(refusal.line - 1), refusal.column - 1
        at_end = column >= len(block.text().rstrip()) and not refusal.piece
        cursor = editor.textCursor()
        if at_end and editor.hasFocus() and cursor.block() == block:  # it is still being typed
            self.mistake.say("")
            editor.show_mistake(None)
            return
        editor.show_mistake((refusal.line - 1, column, len(refusal.piece)))
        sentence = worded(refusal.mistake)
        self.mistake.say(f"{sentence[:1].upper()}{sentence[1:]}{'' if sentence.endswith('?') else '.'}")
        self._place_mistake(block.position() + min(column, len(block.text())))

    def _place_mistake(self, position: int) -> None:
        """Put the sentence below the bar, under what is wrong."""
        cursor = self.editor.textCursor()
        cursor.setPosition(position)
        spot = self.editor.viewport().mapTo(self, self.editor.cursorRect(cursor).bottomLeft())
        self.mistake.stand_at(self, QPoint(spot.x(), self.height() + 4))

    # --- room

    def _fit(self) -> None:
        theme, editor = self.theme, self.editor
        is_one = self._is_low and not editor.hasFocus()
        padding = round((LOW_PADDING if is_one else PADDING) * theme.type)
        rows = 1 if is_one else min(max(editor.rows, LEAST_ROWS), MOST_ROWS)
        self._row.setContentsMargins(0, padding, 0, padding)
        height = rows * round(ROW * theme.type) + 2 * padding
        if height != self.height():
            if editor.hasFocus():
                self.resizing.emit(not (is_one or self._is_one))
            self.setFixedHeight(height)
        self._is_one = is_one
        self.sliders.setFixedWidth(round(SLIDERS * theme.type))
        is_wide = self.width() >= WIDE * theme.type
        self.sliders.setVisible(is_wide and not is_one and bool(self.sliders.rows))
        off, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        editor.setVerticalScrollBarPolicy(off if is_one else needed)
        if is_one and editor.now[0] >= 0:
            editor.reveal(editor.now[0])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        painter.fillRect(self.rect(), theme.color("window"))
        width = max(1, round(theme.line))
        painter.fillRect(0, self.height() - width, self.width(), width, theme.color("hairline"))
        if not self.sliders.isHidden():
            painter.fillRect(self.sliders.x(), 0, width, self.height(), theme.color("hairline"))
        painter.end()


class MistakeLabel(PlainLabel):
    """A sentence over the canvas, below what it is about."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName("What is wrong in the expressions")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setProperty("fault", True)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(look.font(theme, look.LABEL))
        air = round(12 * theme.type)
        self.setContentsMargins(air, round(8 * theme.type), air, round(8 * theme.type))

    def say(self, sentence: str) -> None:
        """Say a sentence; "" for nothing."""
        self.setText(sentence)
        if not sentence:
            self.hide()

    def stand_at(self, widget: QWidget, place: QPoint) -> None:
        """Stand at a place of a widget, inside its window."""
        window = widget.window()
        self.setParent(window)
        self.adjustSize()
        at = widget.mapTo(window, place)
        self.move(min(at.x(), max(0, window.width() - self.width() - 8)), at.y())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("fault"))
        painter.setBrush(self._theme.color("fault_ground"))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), look.RADIUS, look.RADIUS)
        painter.end()
        super().paintEvent(event)
