"""Each runtime dependency is used by the program, and says beside it what for."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.sources import PRODUCT, ROOT, imports_of, is_in, sources

# Where the distribution has another name than what is imported.
MODULES = {"PySide6-Essentials": "PySide6", "Pygments": "pygments"}


def dependencies() -> list[str]:
    """The names of the runtime dependencies."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    return [re.match(r"[\w.-]+", entry)[0] for entry in listed]


@pytest.mark.parametrize("name", dependencies())
def test_each_dependency_is_imported_by_the_program(name):
    module = MODULES.get(name, name)
    assert any(is_in(found, (module,)) for path in sources(*PRODUCT) for found in imports_of(path))


@pytest.mark.parametrize("name", dependencies())
def test_each_dependency_has_its_reason_beside_it(name):
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    place = next(number for number, line in enumerate(lines) if line.strip().startswith(f'"{name}'))
    assert len(lines[place - 1].strip().removeprefix("#")) > 20 and lines[place - 1].strip().startswith("#")
