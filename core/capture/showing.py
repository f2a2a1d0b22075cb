"""The window on a document or a capture, from a program or a notebook."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from cadena.core.capture.captured import Captured
from cadena.core.graph.document import Document
from cadena.core.storage.files import save


def show(shown: Captured | Document) -> subprocess.Popen[bytes]:
    """Open the window on a copy of the graph, in a process of its own, which is returned; the caller goes on.

    The copy is a file in the system's folder for temporary files; save it elsewhere to keep what is changed.
    """
    document = shown.document if isinstance(shown, Captured) else shown
    path = Path(tempfile.mkdtemp(prefix="cadena-")) / f"{document.output or 'graph'}.cadena"
    save(document, path)
    return subprocess.Popen([sys.executable, str(Path(__file__).parents[2] / "main.py"), str(path)])
