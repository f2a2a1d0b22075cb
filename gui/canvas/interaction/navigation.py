"""Going to another part of the graph at once: to the selection, a node, a bookmark, and back to where one was, also in
another document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.core.graph.bookmarks import Bookmark, bookmarks, with_bookmarks
from cadena.gui.canvas.rendering.camera import MAX_ZOOM, Camera
from cadena.gui.canvas.rendering.camera_path import reading_zoom
from cadena.gui.canvas.rendering.view import CanvasView

MOST = 100  # places to go back to
AROUND = 60.0  # canvas units around what is zoomed to
NO_WAY_BACK = "There is no view to go back to: a jump, such as zooming to the selection, leaves one behind."
NO_WAY_ON = "There is no view to go on to: you have not gone back from one."
NO_MARK = "There is no bookmark of a view in this graph: View, Bookmarks makes one."


class SeenPlace(NamedTuple):
    """A view that can be gone back to, and the key of its document."""

    key: object
    camera: Camera


class Navigation:
    """The jumps of a view. A place that a jump has left can be gone back to; moving by hand is no jump.

    To go to another document is one. When a document gives way to another one, or to the inside of a function, its
    places go.
    """

    def __init__(self, view: CanvasView) -> None:
        self._view, self._session = view, view.session
        self._key: Callable[[], object] = lambda: None
        self._show_again: Callable[[object], bool] = lambda key: False
        self._back: list[SeenPlace] = []
        self._forward: list[SeenPlace] = []
        self._travels = self._leaves = False
        self._mark = -1  # the bookmark that was gone to last
        self._session.opened.connect(self._opened)

    def lead_through(self, key: Callable[[], object], show_again: Callable[[object], bool]) -> None:
        """Go back and forward through several documents, too: `key` is that of the shown one, and `show_again` shows
        the one with this key; whether it is open."""
        self._key, self._show_again = key, show_again

    @property
    def _here(self) -> SeenPlace:
        return SeenPlace(self._key(), self._view.camera)

    def leave(self) -> None:
        """Note the place in a document that is about to give way to another one."""
        self._leaves = True
        if not self._travels:
            self._note(self._here)

    def _note(self, place: SeenPlace) -> None:
        self._back = [*self._back, place][-MOST:]
        self._forward = []

    def _opened(self) -> None:
        self._mark, key = -1, self._here.key
        if not self._leaves:
            self._back, self._forward = (
                [place for place in places if place.key is not key] for places in (self._back, self._forward)
            )
        self._leaves = False

    def jump(self, move: Callable[[], object]) -> None:
        """Carry out what may move the camera, and note where it was."""
        before = self._here
        move()
        if self._view.camera != before.camera:
            self._note(before)

    def go_back(self) -> None:
        """Return to where the last jump began."""
        self._travel(self._back, self._forward, NO_WAY_BACK)

    def go_forward(self) -> None:
        """Return to where one went back from."""
        self._travel(self._forward, self._back, NO_WAY_ON)

    def _travel(self, there: list[SeenPlace], here: list[SeenPlace], nowhere: str) -> None:
        left = self._here
        while there:
            place = there.pop()
            if place.key is left.key or self._show(place.key):
                here.append(left)
                self._view.move_camera(place.camera)
                return
        self._session.message.emit(nowhere)

    def _show(self, key: object) -> bool:
        """Show another document, if it is still open."""
        self._travels = True
        is_open = self._show_again(key)
        self._travels = False
        return is_open

    # --- where to

    def to_all(self) -> None:
        """Show the whole graph."""
        self.jump(self._view.zoom_to_fit)

    def to_100(self) -> None:
        """One pixel for each canvas unit."""
        self.jump(self._view.zoom_reset)

    def to_selection(self) -> None:
        """Show the selected nodes as large as they fit."""
        area = self._area(self._session.selection).adjusted(-AROUND, -AROUND, AROUND, AROUND)
        enlarged, largest = self._view.enlargement
        self.jump(lambda: self._view.move_camera(Camera.fitted(area, QSizeF(self._view.size()), largest * enlarged)))

    def find(self, name: str, go: Callable[[str], object]) -> None:
        """Go to a node, which `go` selects, and show it in the middle, so large that it can be read."""
        self.jump(lambda: self._read(name, go))

    def _read(self, name: str, go: Callable[[str], object]) -> None:
        go(name)
        self._look_at(self._area([name]).center(), reading_zoom(self._view.camera, self._view.theme.type))

    def _area(self, names: Iterable[str]) -> QRectF:
        """The area of some nodes, as it is when nothing unfolds any more."""
        area, places = QRectF(), self._view.goal
        for name in names:
            area = area.united(places.card(name))
        return area

    def _look_at(self, middle: QPointF, zoom: float) -> None:
        half = QPointF(self._view.width(), self._view.height()) / (2.0 * zoom)
        self._view.move_camera(Camera(middle.x() - half.x(), middle.y() - half.y(), zoom))

    # --- bookmarks

    @property
    def bookmarks(self) -> tuple[Bookmark, ...]:
        """The bookmarks of the open document, in their order."""
        return bookmarks(self._session.document)

    def mark_view(self) -> None:
        """Make a bookmark of what is seen, with the name of the node that is nearest to the middle."""
        view = self._view
        middle = view.camera.visible(QSizeF(view.size())).center()
        mark = Bookmark(self._name_for(middle), middle.x(), middle.y(), view.camera.zoom)
        if self._session.edit(
            lambda document: with_bookmarks(document, (*bookmarks(document), mark)), "Bookmark this view"
        ):
            self._mark = len(self.bookmarks) - 1
            self._session.message.emit(f"Bookmarked this view as “{mark.name}”; View, Bookmarks lists them.")

    def _name_for(self, middle: QPointF) -> str:
        places = self._view.places
        areas = ((places.card(name).center() - middle, name) for name in places.names)
        nearest = min(((way.x() ** 2 + way.y() ** 2, name) for way, name in areas), default=(0.0, "the empty canvas"))
        name, taken = nearest[1], {mark.name for mark in self.bookmarks}
        numbered = (f"{name} ({number})" for number in range(2, len(taken) + 3))
        return name if name not in taken else next(other for other in numbered if other not in taken)

    def go_to_mark(self, index: int) -> None:
        """Show the view of a bookmark."""
        mark, self._mark = self.bookmarks[index], index
        zoom = min(max(mark.zoom, self._view.least_zoom), MAX_ZOOM)
        self.jump(lambda: self._look_at(QPointF(mark.x, mark.y), zoom))

    def go_to_next_mark(self) -> None:
        """Show the view of the next bookmark; after the last comes the first."""
        if self.bookmarks:
            self.go_to_mark((self._mark + 1) % len(self.bookmarks))
        else:
            self._session.message.emit(NO_MARK)

    def remove_mark(self) -> None:
        """Take away the bookmark that was made or gone to last, else the last one."""
        marks = list(self.bookmarks)
        if not marks:
            self._session.message.emit(NO_MARK)
            return
        gone = marks.pop(self._mark if 0 <= self._mark < len(marks) else -1)
        self._session.edit(lambda document: with_bookmarks(document, marks), f"Remove the bookmark {gone.name}")
        self._mark -= 1
