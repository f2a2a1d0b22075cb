"""What an installation puts on a machine: one name, which works from any folder."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import cadena

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel that `pip install .` builds."""
    folder = tmp_path_factory.mktemp("wheel")
    call([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], ROOT)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory) -> Iterator[Path]:
    """An environment with nothing in it but the wheel; what it depends on is that of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    call([sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel)])
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder


def call(command: list[str], folder: Path | None = None) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_wheel_puts_exactly_one_name_into_site_packages(wheel):
    """`core`, `gui`, `main` and `resources` lay in everybody's site-packages."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names} == {"cadena", f"cadena-{cadena.__version__}.dist-info"}
    parts = {name.split("/")[1] for name in names if name.startswith("cadena/")}
    assert parts == {"__init__.py", "main.py", "core", "gui", "resources"}
    kept = {path.relative_to(ROOT).as_posix() for room in ("core", "gui", "resources") for path in files(ROOT / room)}
    assert kept <= {name.removeprefix("cadena/") for name in names}


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]


def test_the_installed_command_knows_its_version(home, tmp_path):
    assert call([str(home / "bin" / "cadena"), "--version"], tmp_path).split()[-1] == cadena.__version__


def test_the_installed_command_runs_a_graph(home, tmp_path):
    (lesson,) = (ROOT / "resources" / "lessons").glob("01_*.cadena")
    told = call([str(home / "bin" / "cadena"), "run", str(lesson)], tmp_path)
    assert [line.split()[-2:] for line in told.splitlines() if line.startswith("L ")] == [["-254", "1"]]


def test_the_installed_name_differentiates_and_comes_from_the_wheel(home, tmp_path):
    code = "import cadena, os; print(cadena.grad(lambda x: x**3)(2.0)); print(os.path.dirname(cadena.__file__))"
    slope, place = call([str(home / "bin" / "python"), "-c", code], tmp_path).splitlines()
    assert float(slope) == 12.0
    assert Path(place).is_relative_to(home)


def test_lessons_come_with_the_wheel(home, tmp_path):
    assert call([str(home / "bin" / "cadena"), "lessons"], tmp_path) == call(
        [sys.executable, str(ROOT / "main.py"), "lessons"], tmp_path
    )


def test_importing_the_name_imports_neither_numpy_nor_any_part(home, tmp_path):
    code = "import sys; before = set(sys.modules); import cadena; print(*sorted(set(sys.modules) - before))"
    loaded = call([str(home / "bin" / "python"), "-c", code], tmp_path).split()
    assert "cadena" in loaded
    assert not [name for name in loaded if name.split(".")[0] == "numpy" or name.startswith("cadena.")]
