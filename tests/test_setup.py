"""The set-up: what is pinned, what make offers, and what the set-up says when something is missing."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TARGETS = tuple("setup run test oracle lint format bench screenshot schema reference lock clean".split())


@pytest.fixture
def prepare():
    """scripts/prepare.py as a module; it is a script, not a part of the program."""
    spec = importlib.util.spec_from_file_location("prepare", ROOT / "scripts" / "prepare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def pinned(prepare):
    return {canonicalize_name(name): version for name, version in prepare.pins(prepare.LOCK).items()}


def wanted() -> list[Requirement]:
    groups = [PROJECT["dependencies"], PROJECT["optional-dependencies"]["dev"]]  # other extras are the user's choice
    return [Requirement(line) for group in groups for line in group]


def shell(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    # An outer make hands its flags (-j, -n) down; they are not meant for this one.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(command, cwd=ROOT, env=inherited | environment, capture_output=True, text=True)


# --- the lock file


def test_the_lock_holds_names_and_versions_only():
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#") and not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []


@pytest.mark.parametrize("requirement", wanted(), ids=lambda requirement: requirement.name)
def test_every_dependency_is_pinned_to_a_version_that_fits(requirement, pinned):
    assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)])


def test_what_the_dependencies_need_is_pinned_too(pinned):
    needed = [Requirement(line) for name in pinned for line in requires(name) or ()]
    needed = [one for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    assert [
        str(one) for one in needed if not one.specifier.contains(pinned.get(canonicalize_name(one.name), "0"))
    ] == []


def test_the_pyside_that_loses_none_is_excluded():
    qt = next(one for one in wanted() if one.name == "PySide6-Essentials")
    assert not qt.specifier.contains("6.12.0")
    assert qt.specifier.contains("6.12.1")


@pytest.mark.parametrize(
    "name",
    ["requirements.lock", "pyproject.toml", "Makefile", "scripts/setup.sh", "scripts/lock.sh", "scripts/oracle.sh"],
)
def test_no_package_index_is_named(name):
    text = (ROOT / name).read_text("utf-8")
    assert not re.search(r"://|index-url|find-links|--trusted-host", text)


# --- make


def test_make_alone_lists_the_targets():
    done = shell("make")
    assert done.returncode == 0
    assert re.findall(r"^make (\w+) +\S", done.stdout, re.MULTILINE) == list(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_can_be_made(target):
    done = shell("make", "-n", target)
    assert done.returncode == 0, done.stderr


# --- make oracle


def oracle(folder: Path, pip: str, python: str = "exit 0", **environment: str) -> subprocess.CompletedProcess[str]:
    """scripts/oracle.sh in a folder of its own, where pip and the tests do what they are told."""
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "oracle.sh", folder / "scripts")
    (folder / "requirements.lock").write_text("numpy==2.0\n")
    made = f"mkdir -p .venv-oracle/bin; printf '#!/bin/sh\\n{pip}' >.venv-oracle/bin/pip; "
    made += f"printf '#!/bin/sh\\n{python}' >.venv-oracle/bin/python; chmod +x .venv-oracle/bin/*"
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").write_text(f"#!/bin/sh\n{made}\n")
    (folder / ".venv" / "bin" / "python").chmod(0o755)
    return shell("sh", str(folder / "scripts" / "oracle.sh"), **environment)


def test_peers_that_cannot_be_installed_are_told_in_one_line(tmp_path):
    done = oracle(tmp_path, "echo looking; echo ERROR: no torch; exit 1")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "torch==2.13.0" in done.stderr and "ERROR: no torch" in done.stderr


def test_peers_that_cannot_be_installed_are_no_error_where_they_are_optional(tmp_path):
    done = oracle(tmp_path, "exit 1", PEERS="optional")
    assert done.returncode == 0 and done.stderr.count("\n") == 1


def test_a_comparison_that_fails_is_an_error_where_the_peers_are_optional_too(tmp_path):
    assert oracle(tmp_path, "exit 0", "exit 3", PEERS="optional").returncode == 3


def test_ci_runs_the_suite_and_samples_of_the_rest():
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    places = [
        ci.index(part)
        for part in ("make test", "pytest -n auto --dist worksteal --thorough --sample", "PEERS=optional make oracle")
    ]
    assert places == sorted(places) and ci.count("--randomly-seed") == 3


# --- what the set-up says


def test_no_fitting_python_is_told_in_one_line(tmp_path):
    for tool in ("sh", "dirname"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    done = shell("sh", "scripts/setup.sh", PATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "3.11 to 3.14" in done.stderr


def test_missing_libraries_are_named_when_they_may_not_be_installed(prepare, monkeypatch):
    monkeypatch.setattr(prepare.sys, "platform", "linux")
    monkeypatch.setattr(prepare, "loads", lambda library: library not in {"libEGL.so.1", "libxcb-cursor.so.0"})
    monkeypatch.setattr(prepare, "has_font", lambda: True)
    monkeypatch.setattr(prepare, "has_apt", lambda: True)
    monkeypatch.setattr(prepare, "may_install", lambda: False)
    with pytest.raises(SystemExit, match=r"^setup: .*: sudo apt-get install -y libegl1 libxcb-cursor0$"):
        prepare.provide_system_packages(prepare.missing_packages(venv_is_there=True))


def test_missing_libraries_are_no_error_where_there_is_no_apt(prepare, monkeypatch):
    monkeypatch.setattr(prepare, "has_apt", lambda: False)
    assert prepare.provide_system_packages(["libegl1"]) is False


@pytest.mark.parametrize("venv_is_there", [True, False])
def test_debians_venv_package_is_wanted_only_to_make_a_venv(prepare, monkeypatch, venv_is_there):
    monkeypatch.setattr(prepare.sys, "platform", "linux")
    monkeypatch.setattr(prepare, "loads", lambda library: True)
    monkeypatch.setattr(prepare, "has_font", lambda: True)
    monkeypatch.setattr(prepare.importlib.util, "find_spec", lambda name: None)
    assert bool(prepare.missing_packages(venv_is_there)) is not venv_is_there


def test_package_lists_are_fetched_only_when_the_first_try_fails(prepare, monkeypatch):
    commands = []
    monkeypatch.setattr(prepare, "quiet", lambda command: commands.append(command[1]) or "update" in commands)
    assert prepare.apt_install(["libegl1"])
    assert commands == ["install", "update", "install"]


def test_a_package_with_a_file_gone_is_not_whole(prepare, pinned, monkeypatch):
    assert prepare.is_whole("numpy", pinned["numpy"])
    assert not prepare.is_whole("numpy", "1.0")
    assert not prepare.is_whole("no-such-package", "1.0")
    there = prepare.os.path.exists
    monkeypatch.setattr(prepare.os.path, "exists", lambda path: "numpy/linalg" not in str(path) and there(path))
    assert not prepare.is_whole("numpy", pinned["numpy"])


def test_a_file_in_the_place_of_the_venv_gives_way(prepare, monkeypatch, tmp_path):
    venv = tmp_path / ".venv"
    venv.write_text("not a folder")
    monkeypatch.setattr(prepare, "VENV", venv)
    monkeypatch.setattr(prepare, "quiet", lambda command: venv.mkdir() or True)
    prepare.make_venv()
    assert venv.is_dir()


def test_a_program_that_cannot_be_started_is_no_traceback(prepare):
    assert prepare.quiet(["no-such-program"]) is False


BROKEN = "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by '{}': /simple/numpy/\n"
NONE_FOUND = "ERROR: No matching distribution found for numpy==2.4.6"


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("SSLError(SSLCertVerificationError(1, '[SSL] failed: self-signed (_ssl.c:9)'))", "self-signed (_ssl.c:9)"),
        ("NewConnectionError('<object at 0x7f>: [Errno -3] No such name')", "[Errno -3] No such name"),
        ("ReadTimeoutError(\"Pool(host='a.b', port=443): Timed out. (after=15)\")", "Timed out. (after=15)"),
    ],
)
def test_an_index_that_was_not_reached_was_told_as_a_package_that_does_not_exist(prepare, broken, told):
    assert prepare.reason(BROKEN.format(broken) + NONE_FOUND) == f"the package index was not reached: {told}"


def test_a_package_that_does_not_exist_is_told(prepare):
    assert prepare.reason(f"WARNING: something else\n{NONE_FOUND}") == NONE_FOUND
    assert prepare.reason("") == "no reason given"
