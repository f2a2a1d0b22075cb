"""The panels around the canvas, from the left to the right on each side."""

from functools import partial

from cadena.gui.panel import PanelRecord, Side
from cadena.gui.panels.code_panel import CodePanel
from cadena.gui.panels.inspector import Inspector
from cadena.gui.panels.lazy_panel import LazyPanel
from cadena.gui.panels.matrices_panel import MatricesPanel
from cadena.gui.panels.palette import Palette
from cadena.gui.panels.paths_panel import PathsPanel
from cadena.gui.panels.predict_panel import PredictPanel
from cadena.gui.panels.problems import Problems

LEARNING = partial(LazyPanel, "cadena.gui.panels.learning_panel", "LearningPanel")
TANGENT = partial(LazyPanel, "cadena.gui.panels.tangent_panel", "TangentPanel")
CONTOUR = partial(LazyPanel, "cadena.gui.panels.contour_panel", "ContourPanel")
LESSON_EDITOR = partial(LazyPanel, "cadena.gui.panels.lesson_editor", "LessonEditor")
COST = partial(LazyPanel, "cadena.gui.panels.cost_panel", "CostPanel")

PANELS = (
    PanelRecord("palette", Palette, Side.LEFT, "F6", "The operations, to drag onto the canvas"),
    PanelRecord("code", CodePanel, Side.LEFT, "F3", "A script and its graph; the graph as code", shown_at_first=False),
    PanelRecord("paths", PathsPanel, Side.RIGHT, "F4", "A gradient by all its paths, worked out", shown_at_first=False),
    PanelRecord("matrices", MatricesPanel, Side.RIGHT, "F10", "A step's arrays by element", shown_at_first=False),
    PanelRecord("predict", PredictPanel, Side.RIGHT, "F12", "Questions before each result", shown_at_first=False),
    PanelRecord(
        "learning", LEARNING, Side.RIGHT, "Shift+F9", "Train the graph, and watch it learn", shown_at_first=False
    ),
    PanelRecord(
        "tangent", TANGENT, Side.RIGHT, "Shift+F3", "The output over a number, with its slope", shown_at_first=False
    ),
    PanelRecord(
        "contour",
        CONTOUR,
        Side.RIGHT,
        "Shift+F4",
        "The output over two numbers, and ways down",
        shown_at_first=False,
    ),
    PanelRecord("cost", COST, Side.RIGHT, "Shift+F6", "What forward and reverse mode cost", shown_at_first=False),
    PanelRecord("lesson", LESSON_EDITOR, Side.RIGHT, "Shift+F7", "The lesson's story, to write", shown_at_first=False),
    PanelRecord("inspector", Inspector, Side.RIGHT, "F7", "All about the selected node"),
    PanelRecord("problems", Problems, Side.BELOW, "F8", "What is wrong, and what to do", shown_at_first=False),
)
