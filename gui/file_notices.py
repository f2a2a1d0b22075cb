"""What must not be missed about the open file stands on the banner, until it is answered or no longer so."""

from __future__ import annotations

from PySide6.QtCore import QObject

from cadena.gui.files import Files
from cadena.gui.notices import Banner, Choice, Notice


class FileNotices(QObject):
    """Asks on the banner what the files of a window have to ask."""

    def __init__(self, files: Files, banner: Banner) -> None:
        super().__init__(files)
        self._banner = banner
        self._notices: list[Notice] = []
        files.saveFailed.connect(lambda why: self._ask(why, [("Save as…", files.save_as)]))
        files.changedOnDisk.connect(self._ask)
        files.settled.connect(self._withdraw)

    def _ask(self, sentence: str, choices: list[Choice]) -> None:
        self._notices.append(self._banner.ask(sentence, *choices))

    def _withdraw(self) -> None:
        for notice in self._notices:
            self._banner.withdraw(notice)
        self._notices.clear()
