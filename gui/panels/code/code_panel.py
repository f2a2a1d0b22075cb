"""The code panel: a script that becomes the graph, and the graph as code in other languages."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QWidget

from cadena.core.languages.record import LANGUAGES
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.code.listing_page import ListingPage
from cadena.gui.panels.code.script_page import ScriptPage
from cadena.gui.panels.parts.common import column_in, leave_keys, panel_width
from cadena.gui.panels.parts.labels import ElidedLabel
from cadena.gui.session.session import Session
from cadena.gui.widgets.chooser import Chooser
from cadena.gui.widgets.segments import Segments
from cadena.gui.widgets.strip import Strip

MIN_WIDTH = 300


class CodePanel(QWidget):
    """Two pages below one row: Script, which the user writes and runs, and Graph as code, in a chosen language."""

    graphReplaced = Signal()
    focusReturned = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self.script, self.listing = ScriptPage(session, theme), ListingPage(session, theme)
        self.script.graphMade.connect(self.graphReplaced)
        self.as_script, self.as_code = QPushButton("Script"), QPushButton("As code")
        self.as_script.setToolTip("A script of your own, whose graph is shown when you run it")
        self.as_code.setToolTip("The graph, written as a program, a text or a drawing")
        self.language = Chooser()
        self.language.setAccessibleName("language")
        self.language.setToolTip("The library, language or form in which it is written")
        self.name = ElidedLabel()
        self.name.setProperty("label", True)
        self.name.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.act = QPushButton("Run")
        self._put_together()
        self._connect()
        self.set_theme(theme)

    def _put_together(self) -> None:
        self.setAccessibleName("Code")
        self.head = Strip("bottom", self._theme)
        row = QHBoxLayout(self.head)
        row.setContentsMargins(look.GAP, look.GAP, look.GAP, look.GAP)
        row.setSpacing(look.GAP // 2)
        row.addWidget(Segments(self.as_script, self.as_code))
        self.as_script.setChecked(True)
        row.addSpacing(look.GAP)
        row.addWidget(self.name, 1)
        row.addWidget(self.language)
        row.addWidget(self.act)
        for language, code in LANGUAGES.items():
            self.language.addItem(code.title, language)
        self.language.setCurrentIndex(self.language.findData(self.listing.language))
        leave_keys(self.act)
        self.pages = QStackedWidget()
        for page in (self.script, self.listing):
            self.pages.addWidget(page)
        self.setFocusProxy(self.script.editor)
        column = column_in(self, spacing=0)
        column.addWidget(self.head)
        column.addWidget(self.pages, 1)

    def _connect(self) -> None:
        self.as_script.toggled.connect(self._turn)
        self.language.chosen.connect(self.listing.choose)
        self.act.clicked.connect(self._act)
        self.script.stateChanged.connect(self._dress)
        for page in (self.script, self.listing):
            page.leftByKey.connect(self.focusReturned)
        self.session.opened.connect(self._follow_lesson)
        self._dress()
        self._follow_lesson()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setMinimumWidth(panel_width(theme, MIN_WIDTH))
        self.head.set_theme(theme)
        bold = QFontMetrics(look.font(theme, bold=True))  # as the chosen one is; Qt keeps no room for it
        for button in (self.as_script, self.as_code):
            button.setMinimumWidth(bold.horizontalAdvance(button.text()) + round(24 * theme.type))
        self.script.set_theme(theme)
        self.listing.set_theme(theme)

    def _follow_lesson(self) -> None:
        """Show the graph as code, where its lesson names a language."""
        telling = self.session.telling
        if telling.brings_story and (language := telling.story.view.language) in LANGUAGES:
            self.as_code.setChecked(True)
            self.language.setCurrentIndex(self.language.findData(language))
            self.listing.choose(language)

    @property
    def waits_for_text(self) -> bool:
        """Whether there is nothing here yet but room for a script."""
        return self.shows_script and not self.script.editor.toPlainText()

    @property
    def shows_script(self) -> bool:
        return self.pages.currentWidget() is self.script

    def _turn(self, script: bool) -> None:
        self.pages.setCurrentWidget(self.script if script else self.listing)
        self._dress()

    def _dress(self) -> None:
        """Word the row's parts as the page and the state of the script want it."""
        script, running = self.shows_script, self.script.run.running
        self.language.setHidden(script)
        self.name.setText(self.script.name if script else "")
        self.act.setText("Cancel" if script and running else "Run ▶" if script else "Copy")
        self.act.setToolTip(
            "End the script; the graph stays as it is" if script and running
            else "Run the script and show its graph (Ctrl+Return)" if script
            else "Put this code onto the clipboard"
        )  # fmt: skip

    def _act(self) -> None:
        if not self.shows_script:
            self.listing.copy()
        elif self.script.run.running:
            self.script.cancel()
        else:
            self.script.start()

    def focus_script(self) -> None:
        """Show the script page with the cursor in its editor."""
        self.as_script.setChecked(True)
        self.script.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
