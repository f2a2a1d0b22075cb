"""The import of the library that draws plots."""

from __future__ import annotations

import subprocess
import sys

IN_TURN = """
from PySide6 import QtCore, QtGui, QtWidgets
from cadena.gui.panels.plots.plot_frame import make_types

def made():
    return {name for module in (QtCore, QtGui, QtWidgets) for name in vars(module)}

early = made()
make_types()
before = made()
import pyqtgraph
print(len(before - early), sorted(made() - before))
"""


def test_types_of_qt_were_made_in_the_thread_that_imports_pyqtgraph():
    """The interface asked for another one at the same time, and the program died."""
    told = subprocess.run([sys.executable, "-c", IN_TURN], check=True, capture_output=True, text=True).stdout.split()
    assert int(told[0]) > 300 and told[1:] == ["[]"]
