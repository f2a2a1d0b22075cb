"""The real program on a virtual screen: its window opens, shows lesson 1 and closes when it is asked to."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from cadena.gui.look.theme import LIGHT
from tests.waiting import SECONDS, until

ROOT = Path(__file__).resolve().parents[2]
GRAB = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication([])
application.primaryScreen().grabWindow(0).save(sys.argv[1])
"""

pytestmark = pytest.mark.xvfb


@contextmanager
def virtual_screen(size: str = "1400x900x24") -> Iterator[str]:
    """A virtual screen on a free number, as the value of DISPLAY."""
    reader, writer = os.pipe()
    # Without -noreset Xvfb restarts when its last client disconnects, and a program that connects meanwhile is refused.
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(SECONDS)


@contextmanager
def program(environment: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`python main.py` as a user would start it; killed if it does not end."""
    command = [sys.executable, "main.py", *arguments]
    started = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
            started.wait()


def environment(display: str, home: Path) -> dict[str, str]:
    folders = {name: str(home / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    return {**os.environ, **folders, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}


def screen(environment: dict[str, str], path: Path) -> QImage:
    subprocess.run([sys.executable, "-c", GRAB, str(path)], env=environment, check=True, timeout=SECONDS)
    return QImage(str(path))


def colors(picture: QImage) -> set[str]:
    """The colours of every fourth pixel in every fourth row."""
    places = ((x, y) for y in range(0, picture.height(), 4) for x in range(0, picture.width(), 4))
    return {QColor(picture.pixel(x, y)).name() for x, y in places}


def picture_of_the_window(environment: dict[str, str], path: Path) -> set[str]:
    """Wait until the canvas is on the screen; the colours that are seen then."""
    seen: set[str] = set()

    def there() -> bool:
        seen.clear()
        seen.update(colors(screen(environment, path)))
        return {LIGHT.canvas, LIGHT.parameter} <= seen

    until(there, "the window did not come")
    return seen


def exit_status(started: subprocess.Popen[str]) -> int:
    """How a program ended; no error of Python was printed."""
    _, errors = started.communicate(timeout=SECONDS)
    assert "Traceback" not in errors, errors
    return started.returncode


@contextmanager
def shown_program(folder: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str], set[str]]]:
    """The program with its window on a screen of its own, its environment, and the colours that are seen."""
    with virtual_screen() as display:
        surroundings = environment(display, folder)
        with program(surroundings) as started:
            yield started, surroundings, picture_of_the_window(surroundings, folder / "screen.png")


def test_the_window_opens_with_lesson_1_and_ends_when_told(tmp_path):
    with shown_program(tmp_path) as (started, _, seen):
        assert {LIGHT.window, LIGHT.card, LIGHT.value} <= seen
        started.send_signal(signal.SIGTERM)
        assert exit_status(started) == 0


FIND = ["xdotool", "search", "--sync", "--onlyvisible", "--name"]
F5 = 71  # its place on the keyboard: by its name, newer systems have xdotool press Alt as well
needs_keys = pytest.mark.skipif(not shutil.which("xdotool"), reason="keys are pressed with the Debian package xdotool")


@needs_keys
def test_keys_play_the_lesson_and_quit(tmp_path):
    with shown_program(tmp_path) as (started, surroundings, _):
        tool = [*FIND, "Cadena", "windowfocus", "--sync", "key"]
        subprocess.run([*tool, "End"], env=surroundings, check=True, timeout=SECONDS)
        picture = tmp_path / "screen.png"
        until(lambda: LIGHT.gradient in colors(screen(surroundings, picture)), "the key End showed no gradient")
        subprocess.run([*tool, "ctrl+q"], env=surroundings, timeout=SECONDS)  # the window goes before the key is up
        assert exit_status(started) == 0


@needs_keys
def test_the_program_died_when_it_was_told_to_end_while_the_speaker_view_was_shown(tmp_path):
    with shown_program(tmp_path) as (started, surroundings, _):
        keys = [*FIND, "Lesson 1", "windowfocus", "--sync", "key", f"shift+{F5}"]
        subprocess.run(keys, env=surroundings, check=True, timeout=SECONDS)
        subprocess.run([*FIND, "Speaker view"], env=surroundings, check=True, timeout=SECONDS)
        started.send_signal(signal.SIGTERM)
        assert exit_status(started) == 0
