"""The set-up of every test: Qt without a screen, settings of its own, random tests that do not depend on the clock."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import thorough

# Before anything imports Qt. A test of the real window sets its own platform in a process of its own.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

_settings_folder = pytest.StashKey[str]()

ROOT = str(Path(__file__).resolve().parent.parent) + os.sep
CACHES = (".", "__pycache__", "pytest-cache-files-")  # the last is what pytest makes its first cache of, then renames
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def leave_the_sources_alone(event: str, about: tuple[Any, ...]) -> None:
    """An audit hook: a test that would write to a file of the repository fails there; caches may be written."""
    match event, about:
        case "open", (path, _, int(flags)) if flags & WRITING:
            pass
        case ("os.remove", (path, -1)) | ("os.rename", (_, path, _, -1)) | ("os.utime", (path, _, _, -1)):
            pass  # -1: the path is not one within a folder that is open
        case _:
            return
    if isinstance(path, str) and (whole := os.path.abspath(path)).startswith(ROOT):  # noqa: PTH100, at every open
        parts = Path(whole.removeprefix(ROOT)).parts
        assert any(part.startswith(CACHES) for part in parts), f"a test writes to {whole}"


sys.addaudithook(leave_the_sources_alone)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="the long run of the fuzzers in tests/fuzz")
    parser.addoption("--thorough", action="store_true", help="every case of every test, as CI tries them")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What the fuzzers of a long run did, a line each, for tests/fuzz/FIGURES.md."""
    if config.getoption("--long"):
        terminalreporter.section("fuzzers")
        for test in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
            for key, figures in test.user_properties:
                if key == "fuzz" and test.when == "call":
                    terminalreporter.line(figures)


def pytest_configure(config: pytest.Config) -> None:
    thorough.everything = config.getoption("--thorough")
    set_random_tests()
    throw_settings_away(config)


def set_random_tests() -> None:
    """No deadline and no examples that come too slowly: a busy machine must not fail a test.

    In CI the examples never vary, so that a red run can be repeated.
    """
    in_ci = bool(os.environ.get("CI"))
    patient = thorough.tries(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("cadena", patient, derandomize=in_ci, print_blob=in_ci)
    settings.load_profile("cadena")


def throw_settings_away(config: pytest.Config) -> None:
    """Recent files and window places of the tests go to a folder that is thrown away, not to the user's."""
    folder = config.stash[_settings_folder] = tempfile.mkdtemp(prefix="cadena-tests-")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = str(Path(folder, name))


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_settings_folder], ignore_errors=True)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("xvfb") and not (shutil.which("Xvfb") and shutil.which("xauth")):
        pytest.skip("there is no virtual screen; install the Debian packages xvfb and xauth")
