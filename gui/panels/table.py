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
PATHS = later("steps.paths_panel", "PathsPanel")
MATRICES = later("steps.matrices_page", "MatricesPage")
TENSOR = later("numbers.tensor_panel", "TensorPanel")
NODES = later("numbers.nodes_panel", "NodesPanel")
PREDICT = later("steps.predict_panel", "PredictPanel")
LEARNING = later("training.training_panel", "LearningPanel")
TANGENT = later("plots.tangent_panel", "TangentPanel")
CONTOUR = later("plots.contour_panel", "ContourPanel")
LESSON_TEXT = later("lessons.lesson_text", "LessonText")
LESSON_EDITOR = later("lessons.lesson_editor", "LessonEditor")
COST = later("plots.cost_panel", "CostPanel")


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


RIGHT = partial(PanelRecord, side=Side.RIGHT, shown_at_first=False)

PANELS = (
    PanelRecord("palette", Palette, Side.LEFT, "The operations, to drag onto the canvas", in_watch=False),
    PanelRecord("code", CODE, Side.LEFT, "A script and its graph; the graph as code", shown_at_first=False),
    PanelRecord(
        "inspector", Inspector, Side.RIGHT, "All about the selected node", title="Inspector", applies=always
    ),
    RIGHT(
        "predict", PREDICT, tip="Questions before each result",
        title="Steps", part="Predict", applies=has_steps,
    ),
    RIGHT(
        "paths", PATHS, tip="A gradient by all its paths, worked out",
        title="Steps", part="Paths", applies=has_steps,
    ),
    RIGHT(
        "matrices", MATRICES, tip="A step's arrays by element",
        title="Steps", part="Matrices", applies=has_steps,
    ),
    RIGHT(
        "tensor", TENSOR, tip="Every element of an array, to read and copy",
        title="Numbers", part="Array", applies=has_tensor,
    ),
    RIGHT(
        "nodes", NODES, tip="All nodes and the step in words, for screen readers",
        title="Numbers", part="All nodes",
    ),
    RIGHT(
        "text", LESSON_TEXT, tip="The whole text of the lesson",
        title="Lesson", part="Text", applies=has_lesson,
    ),
    RIGHT("lesson", LESSON_EDITOR, tip="The lesson's story, to write", title="Lesson", part="Edit"),
    RIGHT(
        "tangent", TANGENT, tip="The output over a number, with its slope", title="Plots", part="Slope"
    ),
    RIGHT(
        "contour", CONTOUR, tip="The output over two numbers, and ways down",
        title="Plots", part="Contour",
    ),
    RIGHT("cost", COST, tip="What forward and reverse mode cost", title="Plots", part="Cost"),
    RIGHT("learning", LEARNING, tip="Train the graph, and watch it learn", title="Training"),
    PanelRecord("problems", Problems, Side.BELOW, "What is wrong, and what to do", shown_at_first=False),
)  # fmt: skip
