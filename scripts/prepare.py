"""Makes .venv with the pinned dependencies, after seeing to the system libraries that Qt needs.

Runs before anything is installed, so it uses nothing but the standard library. Called by setup.sh.
"""

from __future__ import annotations

import csv
import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "requirements.lock"  # the lock file that .venv was made from; written last, so a half-made one has none

# What PySide6's wheel expects to find on the system: shared library -> Debian package.
LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-randr.so.0": "libxcb-randr0",
}
# Program -> Debian package; only the tests of the real window want them.
XVFB = {"Xvfb": "xvfb", "xauth": "xauth", "xdotool": "xdotool"}
FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


def fail(sentence: str) -> None:
    sys.exit(f"setup: {sentence}")


def say(sentence: str) -> None:
    print(f"setup: {sentence}", flush=True)


# --- system packages


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_font() -> bool:
    return any(next(Path(folder).expanduser().rglob("*.[to]tf"), None) for folder in FONTS)


def missing_packages(venv_is_there: bool) -> list[str]:
    """The Debian packages of what is missing; found by trying, so it holds on any distribution."""
    if sys.platform != "linux":
        return []
    missing = [package for library, package in LIBRARIES.items() if not loads(library)]
    if not has_font():
        missing.append("fonts-dejavu-core")
    if not venv_is_there and not importlib.util.find_spec(
        "ensurepip"
    ):  # Debian keeps half of venv in a package of its own
        missing.append(f"python3.{sys.version_info.minor}-venv")
    return missing


def apt_install(packages: list[str]) -> bool:
    say(f"installing the system packages {' '.join(packages)}")
    install = ["apt-get", "install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", *packages]
    # The lists may be missing (containers) or out of date; they are fetched only when the first try fails.
    return quiet(install) or (quiet(["apt-get", "update"]) and quiet(install))


def quiet(command: list[str]) -> bool:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    except OSError:  # no such program, or one that cannot be started
        return False


def may_install() -> bool:
    return os.geteuid() == 0 and has_apt()


def has_apt() -> bool:
    return shutil.which("apt-get") is not None


def provide_system_packages(missing: list[str]) -> bool:
    """True when all is there; False when something is missing where there is no apt-get to name or install it."""
    if not missing or not has_apt():
        return not missing
    command = f"apt-get install -y {' '.join(missing)}"
    if not may_install():
        fail(f"Cadena needs system packages that are missing; install them with: sudo {command}")
    if not apt_install(missing):
        fail(f"apt-get could not install what Cadena needs; see why with: apt-get update && {command}")
    return True


def provide_xvfb() -> None:
    """Best effort: without a virtual screen, or keys on it, a few tests are skipped, and say so."""
    missing = [package for program, package in XVFB.items() if not shutil.which(program)]
    if missing and may_install() and not apt_install(missing):
        say("no virtual screen could be installed, so the tests of the real window will be skipped")


# --- .venv


def pins(lock: Path) -> dict[str, str]:
    lines = (line.split("#")[0].strip() for line in lock.read_text().splitlines())
    return dict(line.split("==") for line in lines if line)


def is_whole(name: str, version: str) -> bool:
    """Whether the installed package is this version and all its files are there."""
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return False
    folder = str(package.locate_file(""))
    # Strings, not paths: this looks at 6,000 files each time that `make run` starts. Caches (.pyc) may go at any time.
    files = [row[0] for row in csv.reader((package.read_text("RECORD") or "").splitlines())]
    return package.version == version and all(
        os.path.exists(f"{folder}/{file}")  # noqa: PTH110
        for file in files
        if not file.endswith(".pyc")
    )


def check() -> None:
    """Run by .venv's own Python: exit status 1 when something that was installed is gone."""
    sys.exit(not all(is_whole(name, version) for name, version in pins(STAMP).items()))


def venv_is_whole() -> bool:
    return STAMP.exists() and quiet([str(PYTHON), __file__, "check"])


def make_venv() -> None:
    say(f"making .venv with Python {sys.version_info.major}.{sys.version_info.minor}")
    if not VENV.is_dir():
        VENV.unlink(missing_ok=True)  # a file or a link to nowhere
    if not quiet([sys.executable, "-m", "venv", "--clear", str(VENV)]):
        fail("could not make .venv; check that this folder can be written to and has 1 GB free, then try again.")


def install_pins() -> None:
    say("installing the pinned packages (the first time this takes a minute)")
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run(
        [*pip, "install", "--quiet", "-r", str(LOCK)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    if done.returncode:
        fail(f"pip could not install the pinned packages ({reason(done.stderr)}); check the network, then try again.")


def reason(errors: str) -> str:
    """Why pip failed: at last it says that there is no such package, also where it could ask nobody; so look before."""
    unreachable = re.search(r"after connection broken by .*: (.*?)['\"]\)+['\"]: /", errors)
    if unreachable:
        return f"the package index was not reached: {unreachable[1]}"
    return ([line for line in errors.splitlines() if line.startswith("ERROR")] or ["no reason given"])[-1]


def provide_venv(whole: bool) -> None:
    if whole and STAMP.read_text() == LOCK.read_text():
        return
    if whole:
        STAMP.unlink()
    else:
        make_venv()
    install_pins()
    shutil.copyfile(LOCK, STAMP)
    say("done")


def check_that_qt_loads() -> None:
    """The last word where system packages have other names than Debian's."""
    code = "from PySide6.QtWidgets import QApplication; QApplication([])"
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([PYTHON, "-c", code], env=environment, capture_output=True, text=True)
    if done.returncode:
        reason = (done.stderr.strip() or "no reason given").splitlines()[-1]
        missing = " ".join(library for library in LIBRARIES if not loads(library))
        fail(f"Qt does not load ({reason}); install the packages of your system that hold: {missing}")


def main() -> None:
    if "check" in sys.argv[1:]:
        check()
    whole = venv_is_whole()
    complete = provide_system_packages(missing_packages(whole))
    if "xvfb" in sys.argv[1:]:
        provide_xvfb()
    provide_venv(whole)
    if not complete:
        check_that_qt_loads()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        fail("stopped; the next call begins anew.")
    except OSError as error:
        fail(f"{error}; fix that, then try again.")
