"""What a person does with a large graph: from the event to the painted window, 1600 x 1000 pixels, without a screen."""

from __future__ import annotations

import gc
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from tests.benchmarks.timing import shown
from tests.core.graphs import wide

SIZE = (1600, 1000)
TRIES, WARM = 15, 3  # acts that count, and those before them
GRAPHS = {1_000: (16e-3, 33e-3), 10_000: (33e-3, 100e-3)}  # targets in seconds: a frame of what goes on, a single act
CONTINUOUS = (
    "play", "drag through time", "hover over a card", "hover below it", "pan", "zoom", "move a card",
    "drag a value", "hold it at a port",
)  # fmt: skip
DRAGS = ("drag a value", "drag through time")  # panels follow these when they do, not after each act
ZOOMS = ("fitted", "at reading size")


class Row(NamedTuple):
    """The median and the longest time of one action, in seconds, the median of what panels take a frame later, and what
    the first is to stay below."""

    graph: str
    action: str
    seconds: float
    worst: float
    follows: float
    target: float

    def cells(self) -> tuple[str, ...]:
        late = " (!)" if self.seconds > self.target else ""
        return (
            f"{self.graph}: {self.action}",
            shown(self.seconds),
            shown(self.worst),
            shown(self.follows) if self.follows else "",
            f"< {shown(self.target)}{late}",
        )


def rows() -> Iterator[Row]:
    """Each action on each graph, seen as a whole and close up."""
    for nodes, (of_a_frame, of_an_act) in GRAPHS.items():
        actor = Actor(nodes)
        for zoom in ZOOMS:
            for name, act, *before in actor.actions(zoom):
                times, follows = actor.times(act, *before, pauses=name not in DRAGS)
                yield Row(
                    f"{nodes:,} nodes, {zoom}", name, median(times), max(times), median(follows),
                    of_a_frame if name in CONTINUOUS else of_an_act,
                )  # fmt: skip
        actor.close()


class Actor:
    """A user of a window with a graph of about so many nodes, whose acts are timed until everything is painted."""

    def __init__(self, nodes: int) -> None:
        from PySide6.QtCore import QEvent, QObject

        from cadena.core.layout.arrange import arrange
        from cadena.gui.background.garbage_collector import Collector
        from cadena.gui.window.app import make_application
        from tests.gui.conftest import make_user

        class Painted(QObject):
            times = 0

            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                self.times += event.type() == QEvent.Type.Paint
                return False

        self.application = make_application()
        self.collector = Collector(self.application)  # as in the program: garbage is searched for between acts
        self._home = tempfile.TemporaryDirectory()
        self.user = make_user(Path(self._home.name), SIZE)
        self.session, self.canvas = self.user.session, self.user.canvas
        self.session.reduce_motion = True  # an act is timed, not the motion after it
        self.session.open(arrange(wide(nodes, leaves=nodes // 8)), None)
        self.painted = Painted()
        self.canvas.installEventFilter(self.painted)
        self.turn()

    def close(self) -> None:
        from tests.gui.conftest import leave

        leave(self.user)
        self._home.cleanup()
        self.collector.deleteLater()
        gc.enable()

    def turn(self) -> None:
        """Let the event loop turn until nothing is left to do at once."""
        for _ in range(3):
            self.application.processEvents()

    def look(self, zoom: str) -> None:
        """Show the whole graph, or the part around the leaf."""
        self.session.set_time(0.5 * len(self.session.timeline))
        self.session.select([])
        self.canvas.zoom_to_fit()
        self.look_around(self.leaf, zoom)

    def look_around(self, name: str, zoom: str) -> None:
        """Show a card and what is around it, unless the graph is seen as a whole, until the picture is sharp."""
        from PySide6.QtCore import QPointF

        from cadena.gui.canvas.rendering.camera import Camera

        if zoom != ZOOMS[0]:
            middle = self.canvas.places.card(name).center() - QPointF(self.canvas.rect().center())
            self.canvas.set_camera(Camera(middle.x(), middle.y(), 1.0))
        self.turn()
        while self.canvas._layers._rest.isActive():
            self.turn()

    @property
    def leaf(self) -> str:
        """A leaf that is used by most."""
        inputs = (name for node in self.session.document.nodes.values() for name in node.inputs)
        return Counter(name for name in inputs if name.startswith("w")).most_common(1)[0][0]

    def wires_to_draw(self, many: int) -> list[tuple[str, str]]:
        """So many wires, each into another card all over the graph, from the nearest one that is in view with it at
        reading size, and can feed it."""
        nodes, places = self.session.document.nodes, self.canvas.places
        cards = [places.names[number] for number in places.shown_numbers.tolist()]
        middles = (places.boxes[:, :2] + places.boxes[:, 2:])[places.shown_numbers] / 2
        room = np.array([self.canvas.width(), self.canvas.height()]) / 2 - places.boxes[0, 2:] + places.boxes[0, :2]
        wires = []
        for place, target in enumerate(cards):
            way = np.abs(middles[:place] - middles[place])  # nodes before this one
            near = np.flatnonzero((way < room).all(axis=1))
            sources = [cards[one] for one in near[np.argsort(way[near].sum(axis=1))].tolist()]
            new = [name for name in sources if name not in nodes[target].inputs and name not in places.folds]
            if len(nodes[target].inputs) == 2 and target not in places.folds and new:
                wires.append((new[0], target))
        return [wires[place * len(wires) // many] for place in range(many)]

    def times(
        self, act: Callable[[], Any], before_each: Callable[[], Any] = int, pauses: bool = True
    ) -> tuple[list[float], list[float]]:
        """Seconds until the window is painted, of several acts one right after the other, the first ones left out, and
        what panels take between them."""
        taken = list[tuple[float, float]]()
        for _ in range(WARM + TRIES):
            seconds = self.seconds(act, before_each)
            taken.append((seconds, self.follow() if pauses else 0.0))
        seconds_each, follows = zip(*taken[WARM:], strict=True)
        return list(seconds_each), list(follows)

    def seconds(self, act: Callable[[], Any], before_each: Callable[[], Any] = int) -> float:
        """Seconds until the window is painted after an act."""
        before_each()
        self.turn()
        self.collector.collect()
        before, begin = self.painted.times, perf_counter()
        act()
        self.application.processEvents()
        while self.painted.times == before or self.session._pending.isActive():
            assert perf_counter() - begin < 10, "nothing is painted"
            self.application.processEvents()
        return perf_counter() - begin

    def follow(self) -> float:
        """Seconds that panels take which follow a frame later."""
        from cadena.gui.background.throttle import Throttle

        begin = perf_counter()
        for soon in (*self.user.window.findChildren(Throttle), *self.session.findChildren(Throttle)):
            soon.catch_up()
        self.application.processEvents()
        return perf_counter() - begin

    def actions(self, zoom: str) -> Iterator[tuple[Any, ...]]:
        """The acts by name, each in the state that it needs, some with what is done before each."""
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtTest import QTest

        from tests.gui.mouse import drag_to

        session, canvas, middle = self.session, self.canvas, self.canvas.rect().center()
        none, wheel_button = Qt.MouseButton.NoButton, Qt.MouseButton.MiddleButton
        # By a few pixels, and for a long time never where it has been: else pictures that are kept would come again.
        way = cycle(QPoint(9 + 7 * step % 31, 4 + 5 * step % 23) for step in range(31 * 23))

        self.look(zoom)
        session.playback.play()
        session.playback._clock.stop()  # it would tick in between
        yield "play", lambda: session.playback.advance(1 / 60)
        session.playback.pause()
        yield "next step", lambda: QTest.keyClick(canvas, Qt.Key.Key_Right)
        scrubber = self.user.window.transport.scrubber
        jumps = cycle(QPoint(round(part * scrubber.width()), scrubber.height() // 2) for part in (0.9, 0.2, 0.6, 0.1))
        yield "jump", lambda: QTest.mouseClick(scrubber, Qt.MouseButton.LeftButton, pos=next(jumps))
        half = QPoint(scrubber.width() // 2, scrubber.height() // 2)
        QTest.mousePress(scrubber, Qt.MouseButton.LeftButton, pos=half)
        yield "drag through time", lambda: drag_to(scrubber, QPoint(half.x() + next(way).x() - 20, half.y()))
        QTest.mouseRelease(scrubber, Qt.MouseButton.LeftButton, pos=half)
        self.look(zoom)  # wherever the last one has led
        card = canvas.camera.to_view(canvas.places.card(self.leaf).center()).toPoint()
        below = card + QPoint(
            0, round(60 * canvas.camera.zoom) + 2
        )  # apart, as a median of both would hide the slow one
        yield "hover over a card", lambda: drag_to(canvas, card, none), lambda: drag_to(canvas, below, none)
        yield "hover below it", lambda: drag_to(canvas, below, none), lambda: drag_to(canvas, card, none)
        QTest.mousePress(canvas, wheel_button, pos=middle)
        yield "pan", lambda: drag_to(canvas, middle + next(way), wheel_button)
        QTest.mouseRelease(canvas, wheel_button, pos=middle)
        turns = cycle((120, 120, -120, -120))
        yield "zoom", lambda: turn_wheel(canvas, middle, next(turns))
        self.look(zoom)
        name = canvas.camera.to_view(canvas.places.name_area(self.leaf).center()).toPoint()
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=name)
        yield "move a card", lambda: drag_to(canvas, name + next(way))
        drag_to(canvas, name)
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=name)
        yield from self._edits(zoom)

    def _edits(self, zoom: str) -> Iterator[tuple[Any, ...]]:
        """The acts that change the graph."""
        from PySide6.QtCore import Qt

        from cadena.core.graph import edits
        from cadena.gui.session import graph_edits
        from tests.gui.mouse import drag_to

        session, canvas, none = self.session, self.canvas, Qt.MouseButton.NoButton
        leaf, values = self.leaf, cycle(0.1 * number for number in range(1, 20))
        session.select([leaf])
        yield "drag a value", lambda: session.edit(*graph_edits.set_value(leaf, next(values)), "drag")
        session.seal()
        most = WARM + TRIES  # acts of one kind
        coming, drawn = deque(self.wires_to_draw(2 * most)), list[str]()

        def show(target: str) -> None:
            session.select([target])
            self.look_around(target, zoom)
            drag_to(canvas, canvas.camera.to_view(canvas.places.card(target).center()).toPoint(), none)
            self.follow()

        def connect() -> None:
            source, target = coming.popleft()
            session.edit(lambda document: edits.connect(document, source, target, 0), "Connect")
            drawn.append(target)

        if zoom == ZOOMS[0]:  # where no port can be hit, but nodes be connected by their names
            yield self._wire_by_keys(coming, drawn)
        else:
            yield from self._wire_by_hand(coming, drawn, show)
        for _ in range(most):  # so many may be undone
            connect()
        self.turn()
        yield "undo", session.undo, lambda: show(drawn.pop())

    def _wire_by_keys(self, coming: deque[tuple[str, str]], drawn: list[str]) -> tuple[Any, ...]:
        """Enter in the search for a port that the selected node shall feed."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        canvas = self.canvas

        def find() -> None:
            source, target = coming[0]
            self.session.select([source])
            self.turn()
            canvas.commands.ask_to_connect()
            search = canvas.fields.search
            assert search is not None
            search.field.setText(target)
            rows = [search.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(search.list.count())]
            search.list.setCurrentRow([entry.name for entry in rows].index(target))

        def enter() -> None:
            source, target = coming.popleft()
            QTest.keyClick(canvas.fields.search.field, Qt.Key.Key_Return)
            assert source in self.session.document.nodes[target].inputs
            drawn.append(target)

        return "connect", enter, find

    def _wire_by_hand(
        self, coming: deque[tuple[str, str]], drawn: list[str], show: Callable[[str], None]
    ) -> Iterator[tuple[Any, ...]]:
        """A wire that is pulled out of a port, held at another, where it snaps, and dropped."""
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtTest import QTest

        from tests.gui.mouse import drag_to

        canvas, left, none = self.canvas, Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton

        def port(name: str, slot: int | None) -> QPoint:
            return canvas.camera.to_view(canvas.hits.place((name, slot))).toPoint()

        def aim() -> None:
            canvas.cancel_gesture()
            coming.rotate(-1)  # at a new place each time
            show(coming[0][1])
            drag_to(canvas, port(coming[0][0], None), none)

        def pull() -> None:
            start = port(coming[0][0], None)
            QTest.mousePress(canvas, left, pos=start)
            drag_to(canvas, start + QPoint(12, 3))

        def hold() -> None:
            drag_to(canvas, port(coming[0][1], 0))

        def bring() -> None:
            aim()
            pull()
            self.turn()

        def bring_there() -> None:
            bring()
            hold()
            self.turn()

        def drop() -> None:
            source, target = coming.popleft()
            QTest.mouseRelease(canvas, left, pos=port(target, 0))
            assert self.session.document.nodes[target].inputs[0] == source
            drawn.append(target)

        yield "pull a wire", pull, aim
        yield "hold it at a port", hold, bring
        yield "connect", drop, bring_there


def turn_wheel(canvas: Any, place: Any, angle: int) -> None:
    from PySide6.QtCore import QPoint, QPointF, Qt
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    none, keys, phase = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    overall = QPointF(canvas.mapToGlobal(place))
    event = QWheelEvent(QPointF(place), overall, QPoint(), QPoint(0, angle), none, keys, phase, False)
    QApplication.sendEvent(canvas, event)
