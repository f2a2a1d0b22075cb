"""What takes a while, shown over the canvas: its name, how much is done, and a button that cancels it; so does Esc."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QGridLayout, QProgressBar, QPushButton, QWidget

from cadena.gui.background.tasks import Task, Tasks
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, title
from cadena.gui.look.theme import Theme

AGAIN = 100  # milliseconds until it is looked again how much is done
WIDE, HIGH = 160, 10  # pixels of the bar at `type` 1
FINE = 1000  # parts of the bar
BEATS = 12  # places of the piece that runs along a bar while nobody knows how much is done


class TaskNotice(QFrame):
    """A row for each task that is shown; hidden where there is none."""

    def __init__(self, tasks: Tasks, canvas: QWidget, window: QWidget, theme: Callable[[], Theme]) -> None:
        super().__init__(canvas)
        self._tasks, self._canvas, self._theme = tasks, canvas, theme
        self.rows: list[TaskRow] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(2 * look.GAP, look.GAP, look.GAP, look.GAP)
        self._grid.setHorizontalSpacing(2 * look.GAP)
        self._grid.setVerticalSpacing(look.GAP // 2)
        self._clock = QTimer(self, interval=AGAIN)
        self._clock.timeout.connect(self._follow)
        self.setAccessibleName("Under way")
        self.hide()
        tasks.changed.connect(self.show_tasks)
        canvas.installEventFilter(self)
        window.installEventFilter(self)

    def show_tasks(self) -> None:
        """Show the tasks as they are now."""
        for part in (part for row in self.rows for part in row.parts):
            part.hide()  # Qt deletes it later
            self._grid.removeWidget(part)
            part.deleteLater()
        self.rows = [TaskRow(task, self._tasks.cancel, self._theme()) for task in self._tasks.shown]
        for number, row in enumerate(self.rows):
            for column, part in enumerate(row.parts):
                self._grid.addWidget(part, number, column)
                part.show()  # else a notice that is shown already has no size for it yet
        self.setVisible(bool(self.rows))
        if not self.rows:
            self._clock.stop()
            return
        theme = self._theme()
        self.setStyleSheet(
            f"TaskNotice {{ background: {theme.card}; border: {round(theme.line)}px solid {theme.border};"
            f" border-radius: {look.RADIUS}px; }}"
        )
        self._follow()
        self._clock.start()
        self._place()
        self.raise_()

    def _follow(self) -> None:
        for row in self.rows:
            row.follow()

    def _place(self) -> None:
        self.adjustSize()
        self.move((self._canvas.width() - self.width()) // 2, 2 * look.GAP)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.isHidden():
            return False
        if watched is self._canvas and event.type() is QEvent.Type.Resize:
            self._place()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            return self._escape(event)
        return False

    def _escape(self, event: QKeyEvent) -> bool:
        """Esc cancels what began last, unless the canvas has a gesture to cancel."""
        if self._tasks.is_dragging():
            return False
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() is QEvent.Type.KeyPress:
            self._tasks.cancel_last()
        return True


class TaskRow:
    """The text, the bar and the button of one task."""

    def __init__(self, task: Task, cancel: Callable[[Task], object], theme: Theme) -> None:
        self._task = task
        self.text, self.bar, self.cancel = PlainLabel(title(task.order.text)), ShareBar(theme), QPushButton("Cancel")
        self.parts: tuple[QWidget, ...] = (self.text, self.bar, self.cancel)
        self.bar.setAccessibleName(f"Progress: {task.order.text}")
        self.cancel.setAccessibleName(f"Cancel: {task.order.text}")
        self.cancel.setToolTip("Give it up; nothing is changed by that (Esc)")
        self.cancel.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Esc does it for the keys
        self.cancel.clicked.connect(lambda: cancel(task))

    def follow(self) -> None:
        """Show how much is done, and that it goes on."""
        share = self._task.share
        self.bar.setMaximum(0 if share is None else FINE)
        if share is not None:
            self.bar.setValue(round(FINE * share))
        self.bar.beat()


class ShareBar(QProgressBar):
    """A bar, in which a piece runs along while nobody knows how much is done."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._beat = theme, 0
        self.setTextVisible(False)
        self.setFixedSize(round(WIDE * theme.type), round(HIGH * theme.type))

    def beat(self) -> None:
        """Move the piece on."""
        self._beat += 1
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, line = self._theme, self._theme.line
        area = QRectF(self.rect()).adjusted(line / 2, line / 2, -line / 2, -line / 2)
        begin, share = 0.0, self.value() / FINE
        if not self.maximum():
            begin, share = (self._beat % BEATS) / BEATS, 1 / BEATS
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("border"), line))
        painter.setBrush(theme.color("field"))
        painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("ink"))
        inner = area.adjusted(line, line, -line, -line)
        done = QRectF(inner.left() + begin * inner.width(), inner.top(), share * inner.width(), inner.height())
        painter.drawRoundedRect(done, done.height() / 2, done.height() / 2)
        painter.end()
