"""A user who edits in a window of a process of its own, to be killed: `python -m tests.fuzz.editing FOLDER KIND SEED`.

Every edit sets a number that only grows, and is told on standard output: "edit 107 TIME". Another thread tells
"beat TIME": it sleeps, writes a byte to a file beside the copies and waits for the disk. Twenty beats take a second, or
as much longer as the machine takes for such work now: a busy machine makes the second long, and fails no test.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from cadena.core.graph import edits
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.window.app import make_application
from tests.core.graphs import wide
from tests.gui import mouse
from tests.gui.conftest import make_user
from tests.gui.mouse import drag_to
from tests.gui.user import LEFT, NO_KEY, User

BEATS = 20  # in a second
FIRST = 100
LONGEST_PAUSE = 0.15  # seconds between two edits

Edit = Callable[[int], float]  # makes the edit of this number; the number that the shown document holds then


def typing(user: User) -> Edit:
    """Type a value, and let the graph play."""

    def edit(number: int) -> float:
        user.set_value("w0", str(FIRST + number))
        user.press("Space")
        return value(user, "w0")

    return edit


def dragging(user: User) -> Edit:
    """Drag a value sideways and never let go of the button."""
    start = user.value_of("w0")
    mouse.point_at(user.canvas, start)
    QTest.mousePress(user.canvas, LEFT, NO_KEY, start)

    def edit(number: int) -> float:
        drag_to(user.canvas, start + QPoint(20 + 2 * number, 0))
        return value(user, "w0")

    return edit


def saving(user: User) -> Edit:
    """Type a value, and save now and then."""
    user.answers.path = user.window.recovery.path.parent.with_name("saved.cadena")

    def edit(number: int) -> float:
        user.set_value("w0", str(FIRST + number))
        if number % 3 == 0:
            user.press("Ctrl+S")
        return value(user, "w0")

    return edit


def within(user: User) -> Edit:
    """Type a value in a function that is not in order: it has lost its result."""
    user.session.open(open_lesson("8"), None)
    user.session.show_live()
    user.double_click(user.value_of("y"))
    user.session.edit(lambda document: edits.set_output(document, None), "No output")

    def edit(number: int) -> float:
        user.set_value("one", str(FIRST + number))
        return value(user, "one")

    return edit


def large(user: User) -> Edit:
    """Change a value of a graph of 10,000 nodes."""
    document = wide(10_000)
    places = {name: (300.0 * (index % 100), 120.0 * (index // 100)) for index, name in enumerate(document.nodes)}
    user.session.open(replace(document, layout=places), None)

    def edit(number: int) -> float:
        user.session.edit(lambda document: edits.set_value(document, "w0", float(FIRST + number)), "Set w0")
        return value(user, "w0")

    return edit


KINDS: dict[str, Callable[[User], Edit]] = {make.__name__: make for make in (typing, dragging, saving, within, large)}
NODES = {"within": "one"}  # whose value is edited; else w0


def value(user: User, name: str) -> float:
    held = user.session.document.nodes[name].value
    assert isinstance(held, float)
    return held


def tell(what: str) -> None:
    os.write(1, f"{what} {time.monotonic():.4f}\n".encode())


def beat(path: Path) -> None:
    with path.open("wb") as file:
        while True:
            time.sleep(1 / BEATS)
            file.write(b".")
            file.flush()
            os.fsync(file.fileno())
            tell("beat")


def main(folder: Path, kind: str, seed: int) -> None:
    make_application()
    user, pauses = make_user(folder), random.Random(seed)
    edit, number = KINDS[kind](user), 0
    threading.Thread(target=beat, args=[folder / "beats"], daemon=True).start()
    while True:
        number += 1
        tell(f"edit {edit(number)!r}")
        QTest.qWait(round(1000 * pauses.uniform(0, LONGEST_PAUSE)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
