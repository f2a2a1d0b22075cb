"""The panels around the canvas, from the left to the right on each side."""

from collections.abc import Callable
from functools import partial

from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.inspector import Inspector
from cadena.gui.panels.palette import Palette
from cadena.gui.panels.parts.lazy_panel import WIDTH, LazyPanel
from cadena.gui.panels.parts.panel_record import PanelRecord, Side
from cadena.gui.panels.problems.problems import Problems
from cadena.gui.session.session import Session


def later(module: str, name: str, width: int = WIDTH) -> Callable[[Session, Theme], LazyPanel]:
    """What makes the panel when it is first shown."""
    return partial(LazyPanel, f"cadena.gui.panels.{module}", name, width=width)


CODE = later("code.code_panel", "CodePanel", width=460)
PATHS = later("steps.paths_panel", "PathsPanel", width=380)
MATRICES = later("steps.matrices_page", "MatricesPage")
TENSOR = later("numbers.tensor_panel", "TensorPanel", width=480)
NODES = later("numbers.nodes_panel", "NodesPanel", width=480)
PREDICT = later("steps.predict_panel", "PredictPanel", width=320)
LEARNING = later("training.training_panel", "LearningPanel")
TANGENT = later("plots.tangent_panel", "TangentPanel")
CONTOUR = later("plots.contour_panel", "ContourPanel")
LESSON_EDITOR = later("lessons.lesson_editor", "LessonEditor", width=360)
COST = later("plots.cost_panel", "CostPanel")

PANELS = (
    PanelRecord("palette", Palette, Side.LEFT, "F6", "The operations, to drag onto the canvas"),
    PanelRecord("code", CODE, Side.LEFT, "F3", "A script and its graph; the graph as code", shown_at_first=False),
    PanelRecord("paths", PATHS, Side.RIGHT, "F4", "A gradient by all its paths, worked out", shown_at_first=False),
    PanelRecord("matrices", MATRICES, Side.RIGHT, "F10", "A step's arrays by element", shown_at_first=False),
    PanelRecord(
        "tensor", TENSOR, Side.RIGHT, "Shift+F8", "Every element of an array, to read and copy", shown_at_first=False
    ),
    PanelRecord(
        "nodes",
        NODES,
        Side.RIGHT,
        "Shift+F12",
        "All nodes and the step in words, for screen readers",
        shown_at_first=False,
    ),
    PanelRecord("predict", PREDICT, Side.RIGHT, "F12", "Questions before each result", shown_at_first=False),
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
