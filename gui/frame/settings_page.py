"""The page of settings: those commands that people set once."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QHBoxLayout, QPushButton, QWidget

from cadena.gui.frame.command import Actions
from cadena.gui.look import theme as look
from cadena.gui.widgets.boxes import AlignedForm, column_of
from cadena.gui.widgets.mnemonics import give_mnemonics

THEME = "view.theme-"
SIZES = ("view.smaller-type", "view.larger-type", "view.usual-type")
SWITCHES = (
    "view.reduce-motion", "view.follow-steps", "view.name-patterns", "view.fold-repeats", "view.map",
    "align.grid", "align.cards", "tab.restore",
)  # fmt: skip


class SettingsPage(QDialog):
    """Each field is a view of a command, and acts at once."""

    def __init__(self, parent: QWidget, actions: Actions) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self._actions = actions
        column, form = column_of(self), AlignedForm()
        column.addLayout(form)
        self.theme = QComboBox()
        self.theme.setAccessibleName("Theme")
        self.theme.setToolTip("The colours of the window, and the thickness of its lines")
        for command in actions.commands:
            if command.id.startswith(THEME):
                self.theme.addItem(command.text, command.id)
                if command.checked and command.checked():
                    self.theme.setCurrentIndex(self.theme.count() - 1)
        self.theme.activated.connect(lambda: actions.run(self.theme.currentData()))
        form.add("Theme", self.theme)
        form.add("Text size", self._sizes())
        self.switches = {name: self._switch(name) for name in SWITCHES}
        for switch in self.switches.values():
            column.addWidget(switch)
        close = QPushButton("Close", default=True)
        close.clicked.connect(self.close)
        close.setToolTip("Close the settings; each holds already")
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(close)
        column.addLayout(row)
        give_mnemonics(self)
        self.setMinimumWidth(420)

    def _sizes(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(look.GAP)
        for name in SIZES:
            command = self._actions.by_id[name]
            button = QPushButton(command.text)
            button.setToolTip(command.tip)
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._actions.run, name))
            row.addWidget(button)
        row.addStretch()
        return row

    def _switch(self, name: str) -> QCheckBox:
        command = self._actions.by_id[name]
        switch = QCheckBox(command.text)
        switch.setToolTip(command.tip)
        switch.setChecked(command.checked is not None and command.checked())
        switch.clicked.connect(partial(self._actions.run, name))
        return switch
