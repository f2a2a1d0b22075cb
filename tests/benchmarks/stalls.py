"""How long the interface of a window with 10,000 nodes is held up, with copies of unsaved work and without.

`python -m tests.benchmarks.stalls` prints a table. A timer of a millisecond notes the gaps between its calls. What a
copy costs is the difference: an edit of so large a graph holds up the interface by itself. The gaps need a machine
that does nothing else.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from cadena.core.graph import edits
from cadena.gui.files.opening.recovery import writer
from cadena.gui.session.session import Session
from cadena.gui.window.app import make_application
from cadena.gui.window.window import Window
from tests.core.graphs import wide
from tests.gui.conftest import make_user, settle

NODES = 10_000
TRIES, SECONDS, EDITS = 5, 2.0, 12


@contextmanager
def gaps() -> Iterator[list[float]]:
    """The milliseconds between the calls of a timer of one, as long as this lasts."""
    found: list[float] = []
    last = perf_counter()

    def tick() -> None:
        nonlocal last
        now = perf_counter()
        found.append(1000 * (now - last))
        last = now

    timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=1)
    timer.timeout.connect(tick)
    timer.start()
    yield found
    timer.stop()


def idle(window: Window) -> None:
    """Nothing is done, but copies are written one after the other."""
    end = perf_counter() + SECONDS
    while perf_counter() < end:
        edit(window.session, perf_counter(), quiet=True)
        QTest.qWait(50)


def values(window: Window) -> None:
    """A value is set, and the graph run and painted, again and again."""
    for number in range(EDITS):
        edit(window.session, float(number))
        QTest.qWait(150)


def wires(window: Window) -> None:
    """Nodes are added: the graph is compiled anew."""
    for _ in range(EDITS):
        window.session.edit(lambda document: edits.add(document, "sin", (0.0, 0.0)), "Add")
        QTest.qWait(150)


def edit(session: Session, number: float, quiet: bool = False) -> None:
    """Another value; a `quiet` one is known to nobody but the history and who keeps copies."""
    document = edits.set_value(session.document, "w0", number)
    if quiet:
        session.history.commit(document, "Set w0", "quiet")
        session.edited.emit()
    else:
        session.edit(lambda _: document, "Set w0", "loud")


def measure() -> None:
    make_application()
    document = wide(NODES)
    places = {name: (300.0 * (index % 100), 120.0 * (index // 100)) for index, name in enumerate(document.nodes)}
    document = replace(document, layout=places)
    print("| what is done | copies | longest gap, ms (median of tries) | lowest | 99th percentile | bytes a copy |")
    for act in (idle, values, wires):
        for keeps in (False, True):
            longest, late = [], []
            for _ in range(TRIES):
                with tempfile.TemporaryDirectory() as folder:
                    user = make_user(Path(folder))
                    user.session.open(document, None)
                    if not keeps:
                        user.window.recovery.close()
                    settle()
                    QTest.qWait(300)
                    with gaps() as found:
                        act(user.window)
                    size = user.window.recovery.path.stat().st_size if keeps else 0
                    longest.append(max(found))
                    late.append(sorted(found)[int(0.99 * len(found))])
                    user.window.recovery.close()
                    user.window.deleteLater()
                    user.window.hide()
                    settle()
                    del user
                    gc.collect()  # the next window begins as the first one did
            figures = f"{median(longest):.1f} | {min(longest):.1f} | {median(late):.1f} | {size:,}"
            print(f"| {act.__name__} | {'yes' if keeps else 'no'} | {figures} |", flush=True)


if __name__ == "__main__":
    writer.REST = 0.05  # six times as many as in the program
    measure()
