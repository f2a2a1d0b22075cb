"""`cadena desktop install` and `uninstall`: Cadena in the menus of the user's desktop, and its files opened by it.

The files lie where the Base Directory Specification has them; the desktop's own programs read them into their caches.
"""

from __future__ import annotations

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from subprocess import DEVNULL, run

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import reason
from cadena.core.storage.replacing import replace_file
from cadena.core.verbs.printing import complain, print_line

ACTIONS = ("install", "uninstall")
ICON_SIZES = (48, 128, 256)  # beside the drawing itself, which not every desktop can read
MARK = "Written by `cadena desktop install`, which also writes over it"

# The words before the first argument of a program are quoted one by one; see the Desktop Entry Specification, "Exec".
DESKTOP_ENTRY = f"""\
# {MARK}
[Desktop Entry]
Type=Application
Version=1.0
Name=Cadena
GenericName=Computation graphs
Comment=Draw computation graphs and watch the chain rule move through them
Exec={{command}} %F
TryExec={{program}}
Icon=cadena
Terminal=false
StartupWMClass=cadena
Categories=Education;Math;
Keywords=autodiff;gradient;backpropagation;chain rule;graph;
MimeType=application/x-cadena;
"""

MIME_INFO = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!-- {MARK} -->
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-cadena">
    <comment>Cadena graph</comment>
    <sub-class-of type="application/json"/>
    <icon name="cadena"/>
    <glob pattern="*.cadena"/>
  </mime-type>
</mime-info>
"""


def add_options(verb: ArgumentParser) -> None:
    verb.add_argument("action", choices=ACTIONS, help="install, or take away exactly what was installed")
    verb.add_argument("--force", action="store_true", help="write over files that Cadena did not write, or remove them")


def desktop(options: Namespace, drawn: Callable[[int], bytes]) -> int:
    """Install or uninstall, for the present user; `drawn(size)` is the program's picture as PNG."""
    if sys.platform in ("win32", "darwin"):
        raise Refused("{system} has no desktop entries as Linux has them", "use its own", system=sys.platform)
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not data.is_absolute():  # which counts as not set, by the specification
        data = Path.home() / ".local" / "share"
    try:
        if options.action == "install":
            _install(_contents(data, drawn), options.force)
        else:
            _uninstall(_contents(data, drawn), options.force)
    except OSError as error:
        raise Refused("{file}: {reason}", file=str(error.filename or data), reason=reason(error)) from None
    if (data / "mime").is_dir():
        _update(data, complains=options.action == "install")
    return 0


def _contents(data: Path, drawn: Callable[[int], bytes]) -> Mapping[Path, bytes]:
    """What is installed: each file with its content."""
    icons = data / "icons" / "hicolor"
    picture = files("cadena.resources").joinpath("icons", "cadena.svg").read_bytes()
    return {
        data / "applications" / "cadena.desktop": desktop_entry(command()).encode(),
        data / "mime" / "packages" / "cadena.xml": MIME_INFO.encode(),
        icons / "scalable" / "apps" / "cadena.svg": picture,
        **{icons / f"{size}x{size}" / "apps" / "cadena.png": drawn(size) for size in ICON_SIZES},
    }


def _install(contents: Mapping[Path, bytes], force: bool) -> None:
    if not force and (foreign := list(filter(_is_foreign, contents))):
        what = "{file}: this is not as Cadena wrote it"
        raise Refused(what, "move it away, or install with --force", file=str(foreign[0]))
    for path, data in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # a link leads elsewhere
        replace_file(path, data)
        print_line(f"wrote {path}")


def _uninstall(contents: Mapping[Path, bytes], force: bool) -> None:
    there = [path for path in contents if path.exists() or path.is_symlink()]
    for path in there:
        if not force and _is_foreign(path):
            print_line(f"kept {path}: this is not as Cadena wrote it; remove it with --force")
        else:
            path.unlink()
            print_line(f"removed {path}")
    if not there:
        print_line("nothing is installed")


def _is_foreign(path: Path) -> bool:
    """Whether there is a file that Cadena did not write; its pictures have no mark, and go by their names alone."""
    if not path.exists() or path.is_symlink():
        return path.is_symlink()
    return path.suffix in (".desktop", ".xml") and MARK.encode() not in path.read_bytes()


def command() -> tuple[str, ...]:
    """The words that start this Cadena: its script beside Python, or Python with the file that starts it."""
    script = Path(sys.executable).with_name("cadena")
    if script.is_file():
        return (str(script),)
    return (sys.executable, str(Path(__file__).parents[2] / "main.py"))


def desktop_entry(words: tuple[str, ...]) -> str:
    """The desktop entry that starts Cadena by these words."""
    return DESKTOP_ENTRY.format(command=" ".join(map(_quoted, words)), program=_escaped(words[0]))


def _quoted(word: str) -> str:
    for sign in '\\"`$':
        word = word.replace(sign, f"\\{sign}")
    return _escaped(f'"{word}"'.replace("%", "%%"))


def _escaped(text: str) -> str:
    """The text as a value of an entry."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def _update(data: Path, complains: bool) -> None:
    """Make the desktop read the files: types by shared-mime-info, menus and icons by xdg-utils.

    xdg-utils do not copy the files: for desktops of long ago they would leave links and copies in the home folder.
    """
    missing = {}
    for package, *words in (
        ("shared-mime-info", "update-mime-database", str(data / "mime")),
        ("xdg-utils", "xdg-desktop-menu", "forceupdate", "--mode", "user"),
        ("xdg-utils", "xdg-icon-resource", "forceupdate", "--mode", "user"),
    ):
        if shutil.which(words[0]) is None:
            missing[words[0]] = package
        elif status := run(words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, check=False).returncode:
            complain(f"{words[0]} did not succeed (status {status}); the desktop may notice only after a new login")
    if missing and complains:
        packages = ", ".join(dict.fromkeys(missing.values()))
        complain(
            f"the desktop may not know .cadena files yet, for lack of {', '.join(missing)};"
            f" install {packages}, then run it again"
        )
