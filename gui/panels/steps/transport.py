"""The transport: to the start, a step back, play or pause, a step on, to the end; the line of time; speed and loop."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QComboBox, QGridLayout, QToolButton, QWidget

from cadena.core.text.numbers import number_of
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts import icons
from cadena.gui.panels.steps.scrubber import Scrubber
from cadena.gui.panels.steps.step_band import LOW_WINDOW
from cadena.gui.panels.steps.step_number import StepNumber
from cadena.gui.session.playback import SPEEDS, STEP_SECONDS
from cadena.gui.session.session import Session

ICON, BUTTON, PLAY = 20, 36, 44  # pixels at `type` 1: icons, buttons and the round one
HEIGHT, LOW_HEIGHT = 64, 52  # pixels of the row, at least; in a low window
SLIM_HEIGHT = 56  # pixels at `type` 1: of the row that shows the least
SLIM_WORDS = 1.5  # times their type: words and numbers there, which are read from afar
LOW_PLAY = 0.9  # of its size there
EDGE = 24  # pixels, as that of the band
MANY_STEPS = 200  # of which playing takes two minutes: then the sweep is offered
LONG = "{steps} take {minutes} minutes at this speed; Sweep, beside Play, shows the whole reverse pass in 2 seconds."
SCRUBBER_ROOM = 200  # pixels: where the line of time would get less, it has a row of its own


class PlayButton(QToolButton):
    """The one round button: an ink disc with its icon."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("round", True)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, event) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        disc = QRectF(self.rect()).adjusted(2.0, 2.0, -2.0, -2.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("ink" if self.isEnabled() else "border", 0.85 if self.underMouse() else 1.0))
        painter.drawEllipse(disc)
        side = self.iconSize().width()
        place = QRectF(0.0, 0.0, side, side)
        place.moveCenter(QRectF(self.rect()).center())
        self.icon().paint(painter, place.toRect())


class Transport(QWidget):
    """The row that plays the session's run; follows `timeChanged` and `playbackChanged`."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._is_slim = session, False
        self.to_start = self._button("to-start", "To the start", "Home", lambda: self._jump(0.0))
        self.step_back = self._button("step-back", "Step back", "←", lambda: session.step(-1))
        self.play = PlayButton(theme)
        self._set_up(self.play, "play", "Play", "Space", self.toggle)
        self.step = self._button("step", "Step", "→", lambda: session.step(1))
        self.to_end = self._button("to-end", "To the end", "End", lambda: self._jump(float("inf")))
        self.sweep = QToolButton()
        self.sweep.setText("Sweep")
        self._set_up(self.sweep, "sweep", "Sweep: the whole reverse pass in 2 seconds", "", session.playback.sweep)
        self.sweep.hide()
        self._hinted = False  # at the sweep, since the graph was opened
        self.scrubber = Scrubber(session, theme)
        self.counter = StepNumber(session)
        self.speed = self._make_speed()
        self.loop = self._button("loop", "Play again and again", "", self._choose_loop)
        self.loop.setCheckable(True)
        self._lay_out()
        session.timeChanged.connect(self._follow_time)
        session.runChanged.connect(self._follow_time)
        session.playbackChanged.connect(self._follow_playback)
        session.opened.connect(self._forget_hint)
        self.set_theme(theme)

    def _button(self, name: str, title: str, keys: str, press: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setProperty("quiet", True)
        self._set_up(button, name, title, keys, press)
        return button

    @staticmethod
    def _set_up(button: QToolButton, name: str, title: str, keys: str, press: Callable[[], None]) -> None:
        button.setObjectName(name)
        button.setAccessibleName(title)
        button.setToolTip(f"{title} ({keys})" if keys else title)
        button.clicked.connect(press)

    def _make_speed(self) -> QComboBox:
        chooser = QComboBox()
        chooser.setProperty("quiet", True)
        for speed in SPEEDS:
            chooser.addItem(f"{speed:g}×", speed)
        chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        chooser.setAccessibleName("Speed")
        chooser.setToolTip("How fast the steps are played")
        chooser.activated.connect(lambda index: self.session.playback.set_speed(SPEEDS[index]))
        return chooser

    def _lay_out(self) -> None:
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(EDGE - look.GAP, 0, EDGE - look.GAP, 0)
        self._grid.setHorizontalSpacing(look.GAP)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(len(self._before), 1)
        self._narrow: bool | None = None
        self._arrange()

    @property
    def _before(self) -> tuple[QToolButton, ...]:
        return self.to_start, self.step_back, self.play, self.step, self.to_end, self.sweep

    @property
    def _after(self) -> tuple[QWidget, ...]:
        return self.counter, self.speed, self.loop

    @property
    def _beside(self) -> list[QWidget]:
        """What is shown beside the line of time."""
        return [widget for widget in (*self._before, *self._after) if not widget.isHidden()]

    def _arrange(self) -> None:
        """Put all in one row, or in a narrow window the line of time above the buttons."""
        needed = sum(widget.sizeHint().width() + look.GAP for widget in self._beside) + SCRUBBER_ROOM
        narrow = self.width() < needed
        if narrow == self._narrow:
            return
        self._narrow, row = narrow, int(narrow)
        middle = len(self._before)
        for column, widget in enumerate((*self._before, None, *self._after)):
            if widget is not None:
                self._grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignVCenter)
        place = (0, 0, 1, middle + 1 + len(self._after)) if narrow else (0, middle, 1, 1)
        self._grid.addWidget(self.scrubber, *place)
        self.updateGeometry()

    def resizeEvent(self, event) -> None:
        self._arrange()
        self._fit_row()

    def _fit_row(self) -> None:
        """Make the row as high as the window has room for."""
        if self.window() is not self and look.in_room(self._asked, self.window().height()) != self._theme:
            self._show_theme()
            return
        low = self.window() is not self and self.window().height() < LOW_WINDOW
        play = round(PLAY * self._theme.type * (LOW_PLAY if low else 1.0))
        self.play.setFixedSize(play, play)
        height = round(SLIM_HEIGHT * self._theme.type) if self._is_slim else LOW_HEIGHT if low else HEIGHT
        self.setMinimumHeight(max(height, play + look.GAP // 2))

    def minimumSizeHint(self) -> QSize:
        width = sum(widget.minimumSizeHint().width() + look.GAP for widget in self._beside)
        return QSize(width, super().minimumSizeHint().height())

    def set_slim(self, slim: bool) -> None:
        """Leave out what is chosen before a lecture or has a key."""
        self._is_slim = slim
        for widget in (self.to_start, self.to_end, self.speed, self.loop):
            widget.setHidden(slim)
        self._show_theme()

    @property
    def theme(self) -> Theme:
        """The theme that it was asked to be shown in."""
        return self._asked

    def set_theme(self, theme: Theme) -> None:
        self._asked = theme
        self._show_theme()

    def _show_theme(self) -> None:
        theme = look.in_room(self._asked, self.window().height()) if self.window() is not self else self._asked
        self._theme = theme
        side = round(ICON * theme.type)
        for button in (self.to_start, self.step_back, self.play, self.step, self.to_end, self.loop):
            button.setIconSize(QSize(side, side))
            button.setIcon(icons.icon(button.objectName(), theme))
            if button is not self.play:
                button.setFixedSize(round(BUTTON * theme.type), round(BUTTON * theme.type))
        self.play.set_theme(theme)
        self._fit_row()
        larger = SLIM_WORDS if self._is_slim else 1.0
        self.scrubber.set_theme(theme, larger)
        self.counter.setFont(look.font(theme, larger * look.NUMBER, bold=True))
        self.counter.fit()
        self.speed.setFont(look.font(theme, weight=500))
        self._follow_playback()
        self._follow_time()
        self._arrange()

    # --- buttons

    def toggle(self) -> None:
        """Play, or pause."""
        self.session.play_or_pause()

    def _jump(self, time: float) -> None:
        self.session.playback.pause()
        self.session.set_time(time)

    # --- following the session

    def _choose_loop(self) -> None:
        self.session.playback.set_loop(self.loop.isChecked())

    def _follow_playback(self) -> None:
        playback = self.session.playback
        name, title = ("pause", "Pause") if playback.plays_on else ("play", "Play")
        self.play.setIcon(icons.icon(name, self._theme, "on_ink"))
        self.play.setAccessibleName(title)
        self.play.setToolTip(f"{title} (Space)")
        self.speed.setCurrentIndex(SPEEDS.index(playback.speed) if playback.speed in SPEEDS else -1)
        self.loop.setChecked(playback.loop)
        self.scrubber.update()
        if playback.plays_on and not playback.sweeps and not self.sweep.isHidden() and not self._hinted:
            self._hint()

    def _hint(self) -> None:
        """Say once for a graph how long its steps take, and that there is a sweep."""
        self._hinted, steps = True, len(self.session.timeline)
        minutes = round(steps * STEP_SECONDS / self.session.playback.speed / 60.0)
        self.session.news.emit(LONG.format(steps=number_of(steps, "step"), minutes=max(minutes, 2)))

    def _forget_hint(self) -> None:
        self._hinted = False

    def _follow_time(self) -> None:
        if not self.isVisible():
            return
        self.scrubber.follow()
        self.counter.follow()
        steps = len(self.session.timeline)
        if self.play.isEnabled() != (steps > 0):
            self._enable(steps > 0)
        if self.sweep.isHidden() == (steps >= MANY_STEPS):
            self.sweep.setHidden(steps < MANY_STEPS)
            self._arrange()

    def _enable(self, there_are_steps: bool) -> None:
        for widget in (*self._before, self.scrubber):
            widget.setEnabled(there_are_steps)

    def showEvent(self, event) -> None:
        self._follow_time()
