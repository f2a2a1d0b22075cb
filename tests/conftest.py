"""What every test gets: Qt without a screen, settings of its own, random tests that do not depend on the clock."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# Before anything imports Qt. A test of the real window sets its own platform in a process of its own.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# No deadline: a busy machine must not fail a test. In CI the examples never vary, so that a red run can be repeated.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

_settings_folder = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="the long run of the fuzzers in tests/fuzz")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What the fuzzers of a long run did, a line each, for tests/fuzz/FIGURES.md."""
    if config.getoption("--long"):
        terminalreporter.section("fuzzers")
        for test in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
            for key, figures in test.user_properties:
                if key == "fuzz" and test.when == "call":
                    terminalreporter.line(figures)


def pytest_configure(config: pytest.Config) -> None:
    """Recent files and window places of the tests go to a folder that is thrown away, not to the user's."""
    folder = config.stash[_settings_folder] = tempfile.mkdtemp(prefix="cadena-tests-")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = str(Path(folder, name))


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_settings_folder], ignore_errors=True)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("xvfb") and not (shutil.which("Xvfb") and shutil.which("xauth")):
        pytest.skip("there is no virtual screen; install the Debian packages xvfb and xauth")
