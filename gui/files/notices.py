"""Important news about the open file, on the banner until it is answered or no longer true."""

from __future__ import annotations

from PySide6.QtCore import QObject

from cadena.gui.files.opening import Files
from cadena.gui.notices.banner import Banner, Notice, NoticeAction


class FileNotices(QObject):
    """Shows on the banner the questions of a window's files."""

    def __init__(self, files: Files, banner: Banner) -> None:
        super().__init__(files)
        self._banner = banner
        self._notices: list[Notice] = []
        files.saveFailed.connect(lambda why: self._ask(why, [("Save as…", files.save_as)], is_reply=True))
        # Not withdrawn with the others: of several dropped files the next one may open.
        files.openFailed.connect(lambda why: banner.ask(why, ("Open another…", files.open), is_reply=True))
        files.changedOnDisk.connect(self._ask)
        files.settled.connect(self._withdraw)

    def _ask(self, sentence: str, choices: list[NoticeAction], is_reply: bool = False) -> None:
        self._notices.append(self._banner.ask(sentence, *choices, is_reply=is_reply))

    def _withdraw(self) -> None:
        for notice in self._notices:
            self._banner.withdraw(notice)
        self._notices.clear()
