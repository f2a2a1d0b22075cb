"""Array files beside a script, as exported programs have them: their bytes are read before the script runs.

A script gets them by `Path(__file__).with_name("name.npz")` alone, which is a file in memory, for `np.load` to read.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from types import SimpleNamespace

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import contents

MAX_ARRAYS = 64 * 2**20  # bytes of all files
NAMED = re.compile(r"""with_name\(["']([\w.\- ]+\.npz)["']\)""")
FILES: dict[str, bytes] = {}  # those of this process's script, by their names


def named_files(text: str, folder: Path) -> dict[str, bytes]:
    """The array files in `folder` that a script names. Files that are not there, or too large, are left out."""
    files, room = dict[str, bytes](), MAX_ARRAYS
    for name in dict.fromkeys(NAMED.findall(text)):
        try:
            data = contents(folder / name)
        except Refused:
            continue
        if len(data) <= room:
            files[name], room = data, room - len(data)
    return files


class PathOfScript:
    """What a script sees as pathlib.Path: the way to the array files beside it."""

    def __init__(self, *parts: str) -> None:
        self.name = str(parts[-1]) if parts else ""

    def with_name(self, name: str) -> io.BytesIO:
        """An array file beside the script, in memory. Raises FileNotFoundError where it was not there."""
        if name not in FILES:
            raise FileNotFoundError(f"{name} is not beside the script, or too large; keep the two files together")
        return io.BytesIO(FILES[name])


PATHLIB = SimpleNamespace(Path=PathOfScript)
