"""The panels around the canvas, in the order of the View menu; each is a part, or several that take turns."""

from collections.abc import Callable
from functools import partial

from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.inspector import Inspector
from cadena.gui.panels.parts.lazy_panel import WIDTH, LazyPanel
from cadena.gui.panels.parts.panel_layout import Side
from cadena.gui.panels.parts.panel_record import PanelRecord
from cadena.gui.panels.problems.problems import Problems
from cadena.gui.session.session import Session


def later(module: str, name: str, width: int = WIDTH) -> Callable[[Session, Theme], LazyPanel]:
    """What makes the panel when it is first shown."""
    return partial(LazyPanel, f"cadena.gui.panels.{module}", name, width=width)


CODE = later("code.code_panel", "CodePanel", width=460)
PATHS = later("steps.paths_panel", "PathsPanel")
MATRICES = later("steps.matrices_page", "MatricesPage")
TENSOR = later("numbers.tensor_panel", "TensorPanel")
NODES = later("numbers.nodes_panel", "NodesPanel")
PREDICT = later("steps.predict_panel", "PredictPanel")
METHODS = later("methods.methods_panel", "MethodsPanel")
LEARNING = later("training.training_panel", "LearningPanel")
TANGENT = later("plots.tangent_panel", "TangentPanel")
CONTOUR = later("plots.contour_panel", "ContourPanel")
LAYERS = later("plots.layers_plot", "LayersPlot")
ERROR = later("methods.error_plot", "ErrorPlot")
COST = later("plots.cost_panel", "CostPanel")
ORDER = later("methods.order_panel", "OrderPanel")
LESSON_TEXT = later("lessons.lesson_text", "LessonText")
LESSON_EDITOR = later("lessons.lesson_editor", "LessonEditor")


def always(session: Session) -> bool:
    return True


def has_steps(session: Session) -> bool:
    return len(session.timeline) > 0


def has_tensor(session: Session) -> bool:
    """Whether a node with several numbers is selected."""
    run = session.run
    values = (run.value(name) for name in session.selection if name in run.plan.index)
    return len(session.selection) == 1 and any(value is not None and value.size > 1 for value in values)


def has_lesson(session: Session) -> bool:
    return "lesson" in session.document.extra


def has_faults(session: Session) -> bool:
    return bool(session.causes)


LEFT, RIGHT, BELOW = Side
MOVING = partial(PanelRecord, moves=True)
PANELS = (
    PanelRecord("inspector", "Inspector", Inspector, RIGHT, "All about the selected node", "Node", applies=always),
    PanelRecord(
        "methods", "Inspector", METHODS, RIGHT, "The gradient of a node by every method, with what each costs",
        "Methods", "Compare methods at a node", is_folded=True,
    ),
    PanelRecord("predict", "Steps", PREDICT, RIGHT, "Questions before each result", "Predict", applies=has_steps),
    PanelRecord("paths", "Steps", PATHS, RIGHT, "A gradient by all its paths, worked out", "Paths", applies=has_steps),
    PanelRecord("matrices", "Steps", MATRICES, RIGHT, "A step's arrays by element", "Matrices", applies=has_steps),
    PanelRecord(
        "tensor", "Numbers", TENSOR, RIGHT, "Every element of an array, to read and copy", "Array", applies=has_tensor
    ),
    PanelRecord(
        "nodes", "Numbers", NODES, RIGHT, "All nodes and the step in words, for screen readers", "All nodes"
    ),
    MOVING("tangent", "Plots", TANGENT, RIGHT, "The output over a number, with its slope", "Slope"),
    MOVING("contour", "Plots", CONTOUR, RIGHT, "The output over two numbers, and ways down", "Contour"),
    MOVING(
        "layers", "Plots", LAYERS, RIGHT, "Where gradients vanish or explode on their way back", "Layers",
        "Gradients by layer"
    ),
    MOVING(
        "error", "Plots", ERROR, RIGHT,
        "The error of differences over the step h: the V of truncation and rounding", "Error", "Error over h"
    ),
    MOVING(
        "cost", "Plots", COST, RIGHT, "What forward and reverse mode cost", "Cost", "Cost of forward and reverse mode"
    ),
    MOVING(
        "order", "Plots", ORDER, RIGHT, "Compare with a recursion in no order, visit by visit", "Order", "Naive order"
    ),
    MOVING("learning", "Training", LEARNING, RIGHT, "Train the graph, and watch it learn"),
    PanelRecord("code", "Code", CODE, LEFT, "A script and its graph; the graph as code"),
    MOVING("problems", "Problems", Problems, BELOW, "What is wrong, and what to do", applies=has_faults),
    PanelRecord("text", "Lesson", LESSON_TEXT, RIGHT, "The whole text of the lesson", "Text", applies=has_lesson),
    PanelRecord(
        "story", "Lesson", LESSON_EDITOR, RIGHT, "The lesson's story, to write", "Edit", "Edit this lesson"
    ),
)  # fmt: skip
