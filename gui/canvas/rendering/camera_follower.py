"""The camera follows the steps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QRectF, QSize, QSizeF

from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.camera_path import Following, active, legible, reading_zoom, showing
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session

if TYPE_CHECKING:  # what folds chains is imported when it is first needed
    from cadena.gui.canvas.rendering.folding import Folding


class Followed(Protocol):
    """The view."""

    session: Session
    theme: Theme
    camera: Camera

    @property
    def places(self) -> Geometry: ...
    @property
    def folding(self) -> Folding | None: ...
    @property
    def shows_all(self) -> bool: ...
    @property
    def refolds_all(self) -> bool: ...
    def size(self) -> QSize: ...
    def places_at(self, time: float) -> Geometry: ...
    def area_at(self, names: Iterable[str], time: float) -> QRectF: ...
    def clear_of_map(self, camera: Camera, cards: QRectF) -> Camera: ...
    def set_camera(self, camera: Camera) -> None: ...
    def zoom_to_fit(self) -> None: ...


class Follower(QObject):
    """Moves the camera of a view along with the steps while they are played, or at once where motion is reduced."""

    def __init__(self, view: Followed, parent: QObject) -> None:
        super().__init__(parent)
        self._view, self._session = view, view.session
        self._follows = True  # not after the user has moved the view
        self._time = view.session.time  # that was followed last
        self._way: Following | None = None  # of the camera, since playing began
        self._way_folding: Folding | None = None  # in which picture
        self._reached: tuple[float, Camera] | None = None  # where on its way the camera was last, and when
        view.session.timeChanged.connect(self._follow)
        view.session.playbackChanged.connect(self._follow_anew)

    def leave(self) -> None:
        """Stay where the user has moved the view, until playing begins again."""
        self._follows = False

    def _follow_anew(self) -> None:
        self._follows = self._follows or not self._session.playback.playing

    def _follow(self) -> None:
        session, view, before = self._session, self._view, self._time
        self._time = session.time
        if view.refolds_all and not (session.playback.playing and self._follows):
            view.zoom_to_fit()
        if session.reduce_motion:
            view.set_camera(self._cut(session.time, view.camera))
        elif session.playback.playing and self._follows and self._moves:
            self._glide(before)

    @property
    def _moves(self) -> bool:
        """Whether the camera has to move for the steps to be read."""
        view, session = self._view, self._session
        can_be_read = view.shows_all and not view.refolds_all and legible(view.camera, view.theme.type)
        return session.follow_steps and not session.live and not can_be_read

    @property
    def step_nodes(self) -> Iterable[str]:
        """The nodes of the step that is watched."""
        session, timeline = self._session, self._session.timeline
        step = None if session.live else timeline.frame(session.time).step
        return () if step is None else active(step, timeline)[0]

    def _cut(self, time: float, camera: Camera) -> Camera:
        """The camera, moved without travel so that it shows the nodes of the step at a moment."""
        view, timeline = self._view, self._session.timeline
        step = timeline.frame(time).step if self._moves else None
        if step is None:
            return camera
        area, groups = view.places_at(time).area, active(step, timeline)
        return showing(camera, QSizeF(view.size()), area, view.clear_of_map, groups)

    def _glide(self, before: float) -> None:
        """Move as far as the way of the camera goes by now; begin a new one where something else has moved it."""
        session, shown, way, _ = self._session, self._view, self._way, self._view.places
        view = QSizeF(shown.size())
        forwards = session.time > before or before - session.time > 1.0  # a loop begins again
        is_on_way = self._reached == (before, shown.camera) and abs(session.time - before) <= 1.0
        is_same = is_on_way and self._way_folding is shown.folding
        if way is None or not is_same or not way.is_of(session.timeline, view, forwards):
            begin = before if abs(session.time - before) <= 1.0 else session.time
            zoom = reading_zoom(shown.camera, shown.theme.type) if shown.shows_all else shown.camera.zoom
            self._way_folding = shown.folding
            way = self._way = Following(
                session.timeline, shown.area_at, shown.clear_of_map, view, shown.camera, begin, zoom, forwards
            )
        shown.set_camera(way.at(session.time))
        self._reached = session.time, shown.camera
