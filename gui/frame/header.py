"""The row at the top of a window: menus, build or watch, the method, the number type, the search, share and present."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)

from cadena.core.graph.document import DTYPES
from cadena.core.methods.names import METHODS
from cadena.core.text.numbers import number_of
from cadena.gui.frame.command import key_text
from cadena.gui.frame.window_layout import PartSizes
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts import icons
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session
from cadena.gui.widgets.key_box import paint_keys
from cadena.gui.widgets.menu_button import MenuButton
from cadena.gui.widgets.quiet_button import quiet_button
from cadena.gui.widgets.segments import Segments
from cadena.gui.widgets.strip import Strip

FIELD, HEIGHT = 210, 34  # pixels at `type` 1: the size of the button that looks like the field of the search


class Header(Strip):
    """The row's parts, each of which follows the session."""

    problemsAsked = Signal()
    presentAsked = Signal()
    searchAsked = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__("bottom", theme)
        self._sizes: PartSizes | None = None
        self.mark = Mark(theme)
        self.menus = QMenuBar()
        self.menus.setMinimumWidth(1)  # entries without room go behind an arrow
        self.menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.mode = ModeSwitch(session)
        self.method, self.numbers = MethodButton(session, theme), NumbersButton(session, theme)
        self.finder = FindButton(theme)
        self.finder.clicked.connect(self.searchAsked)
        self.problems = ProblemsChip(session, theme)
        self.problems.clicked.connect(self.problemsAsked)
        self.share = MenuButton("Share", theme)
        self.share.setToolTip("Pictures, films, pages, exercise sheets and code of this graph")
        self.present = quiet_button("Present", "Present", "Show only the graph and its step, full screen (F5)")
        self.present.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.present.clicked.connect(self.presentAsked)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * look.GAP, 0, 2 * look.GAP, 0)
        row.setSpacing(look.GAP)
        self._room = ChipRoom(self.problems)
        middle, right = (self.mode, self.method, self.numbers), (self.finder, self.share, self.present)
        groups: tuple[tuple[QWidget, ...], ...] = ((self.mark, self.menus), middle, right)
        for group in groups:
            if group is middle:
                row.addStretch(1)
            elif group is right:
                row.addWidget(self._room, 1)
            for part in group:
                row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        self.set_theme(theme)

    def offer_to_compare(self, action: QAction) -> None:
        """Put this action below the methods."""
        self.method.menu().addSeparator()
        self.method.menu().addAction(action)

    def offer_to_share(self, actions: Iterable[QAction]) -> None:
        """List these actions below Share."""
        self.share.menu().addActions(list(actions))

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        for part in (self.mark, self.method, self.numbers, self.finder, self.share, self.problems, self._room):
            part.set_theme(theme)
        self.present.setIcon(icons.icon("play", theme))
        if self._sizes is not None:
            self.fit(self._sizes)

    def fit(self, sizes: PartSizes) -> None:
        """Take the height of a large or a small window; in a small one the search is an icon."""
        self._sizes = sizes
        self.setFixedHeight(round(sizes.header * self._theme.type))
        self.finder.show_field(sizes.has_search)
        self._make_room()

    def _make_room(self) -> None:
        """Show what the row has room for: captions give way first, then what the menus have too."""
        choosers, beside = (self.method, self.numbers), Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for part in (*choosers, self.share):
            part.show()
        for chooser in choosers:
            chooser.show_caption(True)
        self.present.setToolButtonStyle(beside)
        ways = (
            lambda: [chooser.show_caption(False) for chooser in choosers],
            lambda: self.present.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly),
            self.share.hide,
            self.numbers.hide,
            self.method.hide,
        )
        for give_way in ways:
            if self._needed <= self.window().width():
                break
            give_way()

    @property
    def _needed(self) -> int:
        layout = self.layout()
        items = [layout.itemAt(place) for place in range(layout.count())] if layout is not None else []
        widths = [item.sizeHint().width() for item in items if item is not None and not item.isEmpty()]
        return sum(widths) + look.GAP * (len(widths) + 4)


class Mark(QWidget):
    """The mark of the program: two links of a chain."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFixedSize(round(24 * theme.type), round(24 * theme.type))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        icons.draw(painter, "mark", self.rect().toRectF(), self._theme.color("text"))
        painter.end()


class FindButton(QToolButton):
    """Opens the search; it looks like its field, with the key, or is an icon alone."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._has_field = True
        self.setText("Find anything")
        self.setToolTip("Commands, nodes, operations and lessons (Ctrl+K)")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(look.font(theme))
        self.updateGeometry()

    def show_field(self, shown: bool) -> None:
        """Look like the field of the search, or like its icon."""
        self._has_field = shown
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        height = round(HEIGHT * self._theme.type)
        return QSize(round(FIELD * self._theme.type) if self._has_field else height, height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, option = QPainter(self), self._theme, QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text = ""
        self.style().drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option, painter, self)
        side, room = HEIGHT * theme.type, QRectF(self.rect())
        glass = QRectF(0.0, 0.0, side, room.height())
        icons.draw(painter, "search", glass.adjusted(8, 8, -8, -8), theme.color("muted"))
        if self._has_field:
            painter.setPen(theme.color("muted"))
            painter.drawText(room.adjusted(side, 0.0, 0.0, 0.0), Qt.AlignmentFlag.AlignVCenter, self.text())
            paint_keys(painter, key_text("Ctrl+K"), room.right() - look.GAP, room.center().y(), theme)
        painter.end()


class Segment(QPushButton):
    """A part of a switch, with room for its word in bold, as it is when it is chosen."""

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def sizeHint(self) -> QSize:
        hint, font = super().sizeHint(), QFont(self.font())
        plain = QFontMetrics(font).horizontalAdvance(self.text())
        font.setBold(True)
        bold = QFontMetrics(font).horizontalAdvance(self.text())
        return QSize(hint.width() + 2 * look.GAP + (0 if self.font().bold() else bold - plain), hint.height())


class ModeSwitch(Segments):
    """Build (everything live) or Watch (the moment on the time line)."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.build = Segment("Build")
        self.watch = Segment("Watch")
        super().__init__(self.build, self.watch)
        self.build.setToolTip("All values and gradients, following every edit (B)")
        self.watch.setToolTip("The passes step by step (B, Space)")
        self.build.clicked.connect(session.show_live)
        self.watch.clicked.connect(lambda: session.set_time(session.time))
        session.timeChanged.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        (self.build if self._session.live else self.watch).setChecked(True)


class MethodButton(MenuButton):
    """The method of differentiation, and so the steps that are played."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__("Method", theme)
        self._session = session
        self.offer(((name, record.tip) for name, record in METHODS.items()), str.capitalize)
        self.chosen.connect(session.choose_method)
        session.methodChanged.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        name = self._session.method.name
        self.show_choice(name)
        self.setToolTip(f"How gradients are computed: {METHODS[name].tip}")


class NumbersButton(MenuButton):
    """The number type that the graph runs in."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__("Numbers", theme)
        self._session = session
        self.setToolTip("The number type that the graph runs in")
        self.offer((name, "") for name in DTYPES)
        self.chosen.connect(self._choose)
        session.documentChanged.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        if self.current != self._session.document.dtype:
            self.show_choice(self._session.document.dtype)

    def _choose(self, dtype: str) -> None:
        if dtype != self._session.document.dtype:
            self._session.edit(*graph_edits.run_in(dtype))


class ProblemsChip(QToolButton):
    """The number of problems, and of hints; there only while there are any."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session, self._hints = session, 0
        self._look: tuple[Theme, bool] | None = None
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setToolTip("What is wrong, and what to do")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        session.runChanged.connect(self.follow)
        session.askingChanged.connect(self.follow)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.follow()

    @property
    def least_width(self) -> int:
        """The width with a single problem."""
        text = QFontMetrics(look.font(self._theme, bold=True)).horizontalAdvance(number_of(1, "problem"))
        return text + round((16 + 2 * 10) * self._theme.type) + 2 * look.GAP

    def count(self, faults: int, hints: int) -> None:
        """Show the number of hints too."""
        self._hints = hints
        self.follow()

    def follow(self) -> None:
        """Show the counts of the latest run."""
        faults, theme = len(self._session.causes), self._theme
        counts = [number_of(faults, "problem")] if faults else []
        counts += [number_of(self._hints, "hint")] if self._hints else []
        self.setText(", ".join(counts))
        self.setAccessibleName(self.text() or "No problems")
        if self._look != (theme, bool(faults)):  # Qt would work the same style out again
            self._look = theme, bool(faults)
            color, ground = ("fault", theme.fault_ground) if faults else ("muted", theme.field)
            self.setIcon(icons.icon("fault" if faults else "hint", theme, color))
            self.setFont(look.font(theme, bold=bool(faults)))
            self.setStyleSheet(
                f"QToolButton {{ color: {getattr(theme, color)}; background: {ground}; border: none;"
                f" padding: {round(6 * theme.type)}px {round(10 * theme.type)}px; }}"
            )
        self.setVisible(bool(counts))


class ChipRoom(QWidget):
    """The room between the middle and the right of the row, in which the chip comes and goes: nothing moves for it."""

    def __init__(self, chip: ProblemsChip) -> None:
        super().__init__()
        self._chip = chip
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(chip)

    def set_theme(self, theme: Theme) -> None:
        """Keep the room of one problem."""
        self.setMinimumWidth(self._chip.least_width)
