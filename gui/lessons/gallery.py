"""All lessons with their pictures: one page over the graph, for mouse and keyboard."""

from __future__ import annotations

from PySide6.QtGui import QPixmap

from cadena.core.teaching.lessons import lessons
from cadena.gui.lessons.lesson_thumbnails import LessonPictures
from cadena.gui.look.theme import Theme
from cadena.gui.widgets.page_cards import CARD, CardPage, PageCard

HINT = "Arrows and Enter open a lesson, Esc leads back to the graph."


class Gallery(CardPage):
    """`chosen(name)` when a lesson is to be opened, `closeAsked` when none is."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "All lessons", HINT)
        self.pictures = LessonPictures(self)
        self.picturesAsked.connect(self._ask_for_pictures)
        self.pictures.painted.connect(lambda _: self.list.viewport().update())
        self.show_cards(PageCard(one.name, f"{one.number}  {one.title}", one.summary) for one in lessons())
        self.set_theme(theme)

    def picture(self, name: str) -> QPixmap | None:
        return self.pictures.picture(name)

    def _ask_for_pictures(self, names: list[str]) -> None:
        self.pictures.ask(names, self.theme, self.devicePixelRatioF())

    def select(self, name: str | None) -> None:
        """Put the mark on the lesson of this name, which is open."""
        for row in range(self.list.count()):
            if self.list.item(row).data(CARD).name == name:
                self.list.setCurrentRow(row)

    def hideEvent(self, event) -> None:
        self.pictures.stop()
