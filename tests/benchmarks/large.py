"""Large graphs in the window: how long it is held up, how soon 100,000 nodes are there, what 10,000 take of memory."""

from __future__ import annotations

import gc
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any, NamedTuple

from tests.benchmarks.timing import shown
from tests.core.graphs import wide

SIZE = (1600, 1000)
FEW, NODES, MANY = 50, 10_000, 100_000
HELD, OPENED, FRAME, MEGABYTES = 0.2, 8.0, 1 / 30, 60.0  # the targets: seconds, and megabytes
TRIES, FRAMES = 3, 30
LANGUAGES = ("numpy", "eigen", "latex", "dot", "graphml", "markdown")


class Row(NamedTuple):
    """A figure beside its target; `more` is what it is to be compared with, in words."""

    name: str
    figure: str
    more: str
    target: str

    def cells(self) -> tuple[str, ...]:
        return self.name, self.figure, self.more, "", self.target


def seconds(name: str, taken: float, target: float, more: str = "") -> Row:
    return Row(name, shown(taken), more, f"< {shown(target)}{' (!)' if taken > target else ''}")


def rows() -> Iterator[Row]:
    """The figures, as they become known."""
    yield from held_up()
    yield from very_large()
    yield memory()


def saved(folder: Path, name: str, nodes: int, placed: bool) -> Path:
    """A file with a graph of so many nodes, with places for them or without."""
    from cadena.core.layout.arrange import arrange
    from cadena.core.storage.files import save

    document, path = wide(nodes, leaves=nodes // 8), folder / name
    save(arrange(document) if placed else document, path)
    return path


class Desk:
    """A user of a window with a graph, whose event loop is watched."""

    def __init__(self) -> None:
        from cadena.gui.window.app import make_application
        from tests.gui.conftest import make_user

        self.application = make_application()
        self._home = tempfile.TemporaryDirectory()
        self.folder = Path(self._home.name)
        self.user = make_user(self.folder, SIZE)
        self.window, self.session, self.canvas = self.user.window, self.user.session, self.user.canvas
        self.session.reduce_motion = True

    def close(self) -> None:
        from tests.gui.conftest import leave

        leave(self.user)
        self._home.cleanup()

    def watch(self, act: Callable[[], Any]) -> tuple[float, float]:
        """How long an act takes until all is done and painted, and how long the event loop stood still at most."""
        from cadena.gui.background import worker

        begin = last = perf_counter()
        longest, rest, acted = 0.0, 3, False
        while rest:
            if acted:
                sleep(0.001)  # as an event loop waits for events: threads go on
                self.application.processEvents()
            else:
                act()
            acted, now = True, perf_counter()
            longest, last = max(longest, now - last), now
            rest = 3 if worker.running or self.session.tasks.under_way else rest - 1
        return last - begin, longest


def held_up() -> Iterator[Row]:
    """The longest time for which the window does not answer, of each command that takes long at 10,000 nodes."""
    desk = Desk()
    for name, act, undo in commands(desk):
        taken, longest = [], []
        for _ in range(TRIES):
            gc.collect()
            whole, held = desk.watch(act)
            taken.append(whole)
            longest.append(held)
            desk.watch(undo)
        yield seconds(f"{NODES:,} nodes: {name}", median(longest), HELD, f"all {shown(median(taken))}")
    desk.close()


def save_picture(desk: Desk) -> None:
    """By the dialog, in the size that the graph needs."""
    desk.window.open_export("picture")
    desk.window._pages.page.ask_and_save()


def commands(desk: Desk) -> Iterator[tuple[str, Callable[[], Any], Callable[[], Any]]]:
    """Each with its name and with what brings back the state before."""
    files, session, do, folder = desk.window.files, desk.session, desk.canvas.commands, desk.folder
    placed, bare = saved(folder, "placed.cadena", NODES, True), saved(folder, "bare.cadena", NODES, False)
    close, nothing = (lambda: desk.window.documents.take(desk.window.documents.index)), int
    yield "open", partial(files.open_path, placed), close
    yield "open, and find places", partial(files.open_path, bare), close
    desk.watch(partial(files.open_path, placed))
    yield "arrange", do.arranging.arrange, session.undo
    desk.user.answers.path = folder / "copy.cadena"
    yield "save", files.save_as, nothing
    yield "reload", files.reload, nothing
    for suffix in (".png", ".svg", ".pdf"):
        yield f"picture {suffix}", partial(export, desk, f"a{suffix}", partial(save_picture, desk)), nothing
    for language in LANGUAGES:
        yield (
            f"export to {language}",
            partial(export, desk, "a.txt", partial(desk.window.exports.code, language)),
            nothing,
        )
    yield "a film of 3 steps", partial(export, desk, "a-%d.png", partial(film, desk)), nothing
    yield "unfold the backward graph", partial(desk.window.menus.run, "graph.unfold"), close
    yield "select all", do.select_all, do.clear_selection
    session.select(list(session.document.nodes)[: NODES // 2])
    yield "arrange the selected half", do.arranging.arrange_selected, session.undo
    do.select_all()
    do.copy()
    yield "paste", do.paste, session.undo


def export(desk: Desk, name: str, act: Callable[[], Any]) -> None:
    desk.user.answers.path = desk.folder / name
    act()


def film(desk: Desk) -> None:
    """Numbered pictures, so that no FFmpeg is needed."""
    from cadena.gui.export.film import Film, writing
    from cadena.gui.look.theme import LIGHT

    path = desk.user.answers.path
    assert path is not None
    pieces = Film(desk.session.timeline, 0, 3, LIGHT, fps=5)
    desk.window.exports.paint(path, lambda: writing(pieces, path), len(pieces), pictures=True)


def very_large() -> Iterator[Row]:
    """A graph of 100,000 nodes: until the window is painted with it, and a frame while it is panned."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    from tests.gui.mouse import drag_to

    desk = Desk()
    for name, placed in (("placed", True), ("without places", False)):
        path = saved(desk.folder, f"{name}.cadena", MANY, placed)
        taken, held = desk.watch(partial(desk.window.files.open_path, path))
        yield seconds(f"{MANY:,} nodes, {name}: open", taken, OPENED, f"held up {shown(held)}")
    middle, button, canvas = desk.canvas.rect().center(), Qt.MouseButton.MiddleButton, desk.canvas
    way = cycle(QPoint(x, y) for x, y in ((9, 4), (21, 9), (33, 12), (21, 8)))
    QTest.mousePress(canvas, button, pos=middle)
    frames = []
    for _ in range(FRAMES):
        begin = perf_counter()
        drag_to(canvas, middle + next(way), button)
        canvas.repaint()
        desk.application.processEvents()
        frames.append(perf_counter() - begin)
    QTest.mouseRelease(canvas, button, pos=middle)
    yield seconds(f"{MANY:,} nodes: pan", median(frames), FRAME, f"the longest {shown(max(frames))}")
    desk.close()


def memory() -> Row:
    """What a document of 10,000 nodes takes with its run and its canvas, over the window without it."""
    code = "import sys; from tests.benchmarks.large import megabytes; print(megabytes(*sys.argv[1:]))"
    with tempfile.TemporaryDirectory() as home:  # made here, since what the other process has freed it would use again
        files = [saved(Path(home), f"{nodes}.cadena", nodes, True) for nodes in (FEW, NODES)]
        command = [sys.executable, "-c", code, *map(str, files)]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    taken = float(told.split()[-1])
    late = " (!)" if taken > MEGABYTES else ""
    return Row(f"{NODES:,} nodes: memory", f"{taken:.0f} MB", "over the empty window", f"< {MEGABYTES:.0f} MB{late}")


def megabytes(small: str, large: str) -> float:
    """The memory of this process with a large file open, less that with an empty graph after a small one."""
    from cadena.core.graph.document import Document

    desk = Desk()

    def seen(path: str) -> None:
        desk.watch(partial(desk.window.files.open_path, Path(path)))
        desk.session.set_time(0.5 * len(desk.session.timeline))
        desk.watch(int)

    seen(small)  # what is imported for any graph does not count
    desk.session.open(Document({}), None)
    desk.watch(int)
    gc.collect()
    before = resident()
    seen(large)
    gc.collect()
    return (resident() - before) / 1e6


def resident() -> int:
    """The bytes of memory that this process holds, on Linux."""
    import resource

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize()
