"""The set-up of every test: Qt without a screen, settings of its own, random tests that do not depend on the clock."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, core, settings

from tests import thorough

# Before anything imports Qt. A test of the real window sets its own platform in a process of its own.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Before anything imports JAX, which otherwise spends a third of its tests' time on optimising code that runs once.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")

# Tests start hundreds of Python processes. Each would compile the program again where, as in many containers, bytecode
# is not written; rewriting the assertions of all tests takes half a minute, too.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

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
    parser.addoption("--thorough", action="store_true", help="every case of every test")
    parser.addoption("--sample", type=int, metavar="N", help="one in N of the tests, drawn by --randomly-seed")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Half as many again as there are cores: tests of the window wait for timers and threads a sixth of their time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What the fuzzers of a long run did, a line each, for tests/fuzz/FIGURES.md."""
    if config.getoption("--long"):
        terminalreporter.section("fuzzers")
        for test in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
            for key, figures in test.user_properties:
                if key == "fuzz" and test.when == "call":
                    terminalreporter.line(figures)


@pytest.hookimpl(trylast=True)  # pytest-randomly chooses the seed before
def pytest_configure(config: pytest.Config) -> None:
    thorough.everything = config.getoption("--thorough")
    thorough.seed = config.getoption("randomly_seed", 0)  # 0 with -p no:randomly
    set_random_tests()
    throw_settings_away(config)


def set_random_tests() -> None:
    """No deadline and no examples that come too slowly: a busy machine must not fail a test.

    Their examples come from the one seed that repeats a run, as does what `thorough` draws.
    """
    settings.register_profile(
        "cadena", thorough.tries(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
    )
    settings.load_profile("cadena")
    core.global_force_seed = thorough.seed


@pytest.hookimpl(trylast=True)  # of the tests that -m and -k leave
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept = items if thorough.everything else thorough.marked(items)
    if one_in := config.getoption("--sample"):
        kept = thorough.sample(kept, one_in)
    if len(kept) < len(items):
        chosen = set(kept)
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]


def throw_settings_away(config: pytest.Config) -> None:
    """Recent files and window places of the tests go to a folder that is thrown away, not to the user's."""
    folder = config.stash[_settings_folder] = tempfile.mkdtemp(prefix="cadena-tests-")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = str(Path(folder, name))


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_settings_folder], ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Collect garbage between tests once those of the window have ended Python's own collections."""
    if not gc.isenabled():
        from cadena.gui.background.garbage_collector import collect_due

        collect_due()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("xvfb") and not (shutil.which("Xvfb") and shutil.which("xauth")):
        pytest.skip("there is no virtual screen; install the Debian packages xvfb and xauth")
