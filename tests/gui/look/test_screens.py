from __future__ import annotations

import socket
import sys
import tempfile
from pathlib import Path

import pytest

from cadena.gui.look import screens

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there always is a display")


@pytest.fixture(autouse=True)
def bare(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


def test_a_bare_environment_has_no_display():
    assert not screens.is_there()


@pytest.mark.parametrize("platform", ["offscreen", "vnc:size=800x600", "xcb;offscreen"])
def test_platforms_of_qts_own_need_no_display(monkeypatch, platform):
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    assert screens.is_there()


def test_asking_for_x_does_not_make_a_display(monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    assert not screens.is_there()


@pytest.mark.parametrize("name", [":987", "nonsense", ":", "localhost:987"])
def test_an_x_server_that_does_not_answer_is_no_display(monkeypatch, name):
    monkeypatch.setenv("DISPLAY", name)
    assert not screens.is_there()


def test_a_system_without_the_library_of_x_has_no_display(monkeypatch):
    def missing(name):
        raise OSError(name)

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(screens, "CDLL", missing)
    assert not screens.is_there()


def test_a_wayland_socket_is_a_display_while_somebody_listens(monkeypatch):
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as compositor:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
        assert not screens.is_there()
        compositor.bind(str(Path(folder, "wayland-7")))
        compositor.listen()
        assert screens.is_there()
