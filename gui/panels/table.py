"""The panels around the canvas, from the left to the right on each side."""

from cadena.gui.panel import PanelRecord, Side
from cadena.gui.panels.inspector import Inspector
from cadena.gui.panels.palette import Palette
from cadena.gui.panels.problems import Problems

PANELS = (
    PanelRecord("palette", Palette, Side.LEFT, "F6", "The operations, to drag onto the canvas"),
    PanelRecord("inspector", Inspector, Side.RIGHT, "F7", "All about the selected node"),
    PanelRecord("problems", Problems, Side.BELOW, "F8", "What is wrong, and what to do", shown_at_first=False),
)
