"""`cadena desktop install` and `uninstall`: Cadena in the menus of the user's desktop, and its files opened by it."""

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
from cadena.core.verbs.installed import Installed
from cadena.core.verbs.printing import complain, print_line

ACTIONS = ("install", "uninstall")
MIME_TYPE = "application/x-cadena"
ENTRY = "cadena.desktop"
ICON_SIZES = (48, 128, 256)  # beside the drawing itself, which not every desktop can read
PROGRAMS = {  # of the desktop, each with the package that most systems have it in
    "update-mime-database": "shared-mime-info",
    "update-desktop-database": "desktop-file-utils",
    "xdg-mime": "xdg-utils",
}

# The words before the first argument of a program are quoted one by one; see the Desktop Entry Specification, "Exec".
DESKTOP_ENTRY = """\
[Desktop Entry]
Type=Application
Version=1.0
Name=Cadena
GenericName=Computation graphs
Comment=Draw computation graphs and watch the chain rule move through them
Exec={command} %F
TryExec={program}
Icon=cadena
Terminal=false
StartupWMClass=cadena
Categories=Education;Math;
Keywords=autodiff;gradient;backpropagation;chain rule;graph;
MimeType={mime};
"""

MIME_INFO = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{MIME_TYPE}">
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
    installed = Installed(_base("XDG_DATA_HOME", ".local/share"), _base("XDG_CONFIG_HOME", ".config"))
    try:
        if options.action == "install":
            _install(installed, drawn, options.force)
        else:
            _uninstall(installed, options.force)
    except OSError as error:
        raise installed.refusal(error) from None
    return 0


def _base(variable: str, usual: str) -> Path:
    """A base directory of the user; one that is not absolute counts as not set, as the standard has it."""
    named = Path(os.environ.get(variable, ""))
    return named if named.is_absolute() else Path.home() / usual


def _install(installed: Installed, drawn: Callable[[int], bytes], force: bool) -> None:
    contents = _contents(installed.data, drawn)
    if not force and (foreign := [path for path in contents if installed.is_foreign(path)]):
        what = "{file}: this is not as Cadena wrote it"
        raise Refused(what, "move it away, or install with --force", file=str(foreign[0]))
    with installed.noting_new_files():
        for path, data in contents.items():
            installed.write(path, data)
            print_line(f"wrote {path}")
        _update(installed.data)
        _call("xdg-mime", "default", ENTRY, MIME_TYPE)
    if missing := [name for name in PROGRAMS if shutil.which(name) is None]:
        packages = ", ".join(PROGRAMS[name] for name in missing)
        complain(
            f"the desktop may not know .cadena files yet, for lack of {', '.join(missing)};"
            f" install {packages}, then Cadena anew"
        )


def _uninstall(installed: Installed, force: bool) -> None:
    if not installed.files:
        print_line(f"nothing is installed in {installed.data}")
        return
    for path, is_removed in installed.remove_files(force):
        print_line(f"removed {path}" if is_removed else f"kept {path}: it was changed since; remove it with --force")
    installed.drop_association(MIME_TYPE, ENTRY)
    if installed.others_are_left("mime/packages", "applications"):
        _update(installed.data)
    installed.remove_rest()


def _contents(data: Path, drawn: Callable[[int], bytes]) -> Mapping[Path, bytes]:
    """What is installed: each file with its content."""
    icons = data / "icons" / "hicolor"
    picture = files("cadena.resources").joinpath("icons", "cadena.svg").read_bytes()
    return {
        data / "applications" / ENTRY: desktop_entry(command()).encode(),
        data / "mime" / "packages" / "cadena.xml": MIME_INFO.encode(),
        icons / "scalable" / "apps" / "cadena.svg": picture,
        **{icons / f"{size}x{size}" / "apps" / "cadena.png": drawn(size) for size in ICON_SIZES},
    }


def command() -> tuple[str, ...]:
    """The words that start this Cadena: its script beside Python, or Python with the file that starts it."""
    script = Path(sys.executable).with_name("cadena")
    if script.is_file():
        return (str(script),)
    return (sys.executable, str(Path(__file__).parents[2] / "main.py"))


def desktop_entry(words: tuple[str, ...]) -> str:
    """The desktop entry that starts Cadena by these words."""
    quoted = " ".join(map(_quoted, words))
    return DESKTOP_ENTRY.format(command=quoted, program=_escaped(words[0]), mime=MIME_TYPE)


def _quoted(word: str) -> str:
    for sign in '\\"`$':
        word = word.replace(sign, f"\\{sign}")
    return _escaped(f'"{word}"'.replace("%", "%%"))


def _escaped(text: str) -> str:
    """The text as a value of an entry."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def _update(data: Path) -> None:
    """Let the desktop's own programs, where there are any, read what has changed."""
    _call("update-mime-database", str(data / "mime"))
    _call("update-desktop-database", str(data / "applications"))


def _call(*words: str) -> None:
    """Call a program of the desktop, if it is there."""
    if shutil.which(words[0]) is None:
        return
    done = run(words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, check=False)
    if not done.returncode:
        print_line(f"called {' '.join(words)}")
    else:
        complain(
            f"{words[0]} did not succeed (status {done.returncode}); the desktop may notice only after a new login"
        )
