"""The place of a lesson in the window: its story in the dock or above the graph, and what it opens beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.panel_record import Panels
from cadena.gui.session.session import Session

if TYPE_CHECKING:  # imported when first shown, which is after the first frame
    from cadena.gui.lessons.gallery import Gallery
    from cadena.gui.lessons.strip import StoryStrip


class LessonDesk(QWidget):
    """Empty until a document with a story is open."""

    lessonAsked = Signal(str)  # to be opened
    focusReturned = Signal()

    def __init__(self, session: Session, theme: Theme, panels: Panels) -> None:
        super().__init__()
        self.session, self._theme, self._panels = session, theme, panels
        self.strip: StoryStrip | None = None
        self.gallery: Gallery | None = None
        self._wanted = self._ready = self._has_room = True
        self._is_card = False
        self._line: int | None = None  # the height of the line above the graph; None: as its texts need it
        self._came_back = False  # what is open was open before, and the first picture is yet to come
        self._above: QWidget | None = None
        self._number = -1  # of the step whose panel and node were shown
        self._box = box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        self.hide()
        session.opened.connect(self.begin)
        session.edited.connect(self.follow)
        session.storyChanged.connect(self._show_beside)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.strip is not None:
            self.strip.set_theme(theme)
        if self.gallery is not None:
            self.gallery.set_theme(theme)

    def wait_for(self, canvas: QWidget, above: QWidget) -> None:
        """Show nothing before the first picture of the graph, which must not wait; `above` is never covered.

        Digits that are typed on the canvas answer the open question.
        """
        self._ready, self._above = False, above
        canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and not self._ready:
            self._ready = True
            QTimer.singleShot(0, self, self.begin)
        elif isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self.strip is not None and self.strip.asking.begin(event)
        elif event.type() is QEvent.Type.Resize and self.gallery is not None and watched is self._whole:
            self._cover()
        return False

    @property
    def story_shown(self) -> bool:
        return not self.isHidden()

    def toggle_story(self) -> None:
        """Show the story of the lesson, or put it away."""
        self._wanted = not self.story_shown
        self.follow()

    def give_room(self, has_room: bool) -> None:
        """Put the story away while other parts need its room."""
        if has_room != self._has_room:
            self._has_room = has_room
            self.follow()

    def stand_in(self, place: QVBoxLayout, row: int, is_card: bool) -> None:
        """Stand in another place of the window: as a card at the foot of the dock, or as a line above the graph."""
        if place.indexOf(self) < 0:
            self._is_card, answering = is_card, self.focusWidget()
            has_keys = answering is not None and answering.hasFocus()
            place.insertWidget(row, self)
            if answering is not None and has_keys:  # the answer that is being typed
                answering.setFocus()
            if self.strip is not None:
                self.strip.set_card(is_card)

    def set_line(self, height: int | None) -> None:
        """Keep the line above the graph so high, where its texts allow it; None for as high as they need."""
        self._line = height
        if self.strip is not None:
            self.strip.set_line(height)

    # --- all lessons

    @property
    def gallery_shown(self) -> bool:
        return self.gallery is not None and self.gallery.isVisible()

    def toggle_gallery(self) -> None:
        """Show all lessons over the graph, or the graph again."""
        if self.gallery_shown:
            self._leave_gallery()
            return
        if self.gallery is None:
            self._make_gallery()
        assert self.gallery is not None
        lesson = self.session.document.extra.get("lesson")
        self.gallery.select(lesson.get("name") if isinstance(lesson, dict) else None)
        self.session.playback.pause()
        self._cover()
        self.gallery.show()
        self.gallery.raise_()

    def _make_gallery(self) -> None:
        from cadena.gui.lessons.gallery import Gallery

        self.gallery = Gallery(self._theme)
        self.gallery.setParent(self._whole)
        self.gallery.chosen.connect(self._open_lesson)
        self.gallery.closeAsked.connect(self._leave_gallery)
        self.session.opened.connect(self.gallery.hide)
        self._whole.installEventFilter(self)

    @property
    def _whole(self) -> QWidget:
        whole = self._above.parentWidget() if self._above is not None else None
        assert whole is not None
        return whole

    def _cover(self) -> None:
        """Lay the gallery over all that is below the row of tools."""
        if self.gallery is not None and self._above is not None:
            whole = self._whole.rect()
            top = 0 if self._above.isHidden() else self._above.geometry().bottom() + 1
            self.gallery.setGeometry(whole.adjusted(0, top, 0, 0))

    def _open_lesson(self, name: str) -> None:
        self.lessonAsked.emit(name)

    def _leave_gallery(self) -> None:
        if self.gallery is not None:
            self.gallery.hide()
        self.focusReturned.emit()

    # --- the story

    def follow(self) -> None:
        """Show the story of the open document, if it has one."""
        if not self._ready:
            return
        shown = self._wanted and self._has_room and self.session.telling.has_story
        if shown and self.strip is None:
            from cadena.gui.lessons.strip import StoryStrip

            self.strip = StoryStrip(self.session, self._theme)
            self.strip.focusReturned.connect(self.focusReturned)
            self.strip.set_card(self._is_card)
            self.strip.set_line(self._line)
            self._box.addWidget(self.strip)
        self.setVisible(shown)

    def begin(self) -> None:
        """Open a lesson at the moment, the node and the panel that it is about."""
        session, self._wanted, self._number = self.session, True, -1
        self.follow()
        if session.comes_back or self._came_back:  # as it was left; it has shown already what it is about
            self._number, self._came_back = session.telling.number, not self._ready
            return
        if not self._ready or "lesson" not in session.document.extra:
            return
        from cadena.core.teaching.moments import time_of

        view = session.telling.story.view
        if view.at is not None and (time := time_of(view.at, session.timeline)) is not None:
            session.set_time(time)
        self._show(view.node, view.panel)
        self._show("", view.plot)
        self._show_beside()

    def _show_beside(self) -> None:
        """Show what the present step is about, once."""
        telling = self.session.telling
        if self.story_shown and telling.step is not None and telling.number != self._number:
            before, self._number = telling.story.step_size_at(self._number), telling.number
            if self.session.comes_back:
                return
            if (size := telling.story.step_size_at(telling.number)) != before:  # else the user's own one stays
                self.session.set_method(replace(self.session.method, step=size))
            self._show(telling.step.node, telling.step.panel)

    def _show(self, node: str, panel: str) -> None:
        if node in self.session.document.nodes:
            self.session.select([node])
        self._panels.tell(panel)
