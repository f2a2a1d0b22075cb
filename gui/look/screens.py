"""A test, without Qt, whether a window can be opened here: where it cannot, Qt would end the process."""

from __future__ import annotations

import os
import sys
from ctypes import CDLL, c_int, c_void_p
from pathlib import Path


def is_there() -> bool:
    """Whether the display that Qt would take answers. Some of Qt's platforms, such as offscreen, need none."""
    if not sys.platform.startswith("linux"):
        return True
    platforms = os.environ.get("QT_QPA_PLATFORM") or "wayland;xcb"
    answers = {"wayland": _wayland_answers, "xcb": _x_answers}
    return any(answers.get(platform.partition(":")[0], _always)() for platform in platforms.split(";"))


def _always() -> bool:
    return True


def _x_answers() -> bool:
    """Whether the X server that DISPLAY names accepts us: the connection that Qt would open, opened and closed."""
    if not os.environ.get("DISPLAY"):
        return False
    try:
        xcb = CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = c_void_p
    connection = c_void_p(xcb.xcb_connect(None, None))
    xcb.xcb_connection_has_error.restype = c_int
    answers = xcb.xcb_connection_has_error(connection) == 0
    xcb.xcb_disconnect(connection)
    return answers


def _wayland_answers() -> bool:
    """Whether a Wayland compositor listens where the environment says."""
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name:
        return False
    import socket

    path = Path(os.environ.get("XDG_RUNTIME_DIR", ""), name)
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(path))
    except OSError:
        return False
    return True
