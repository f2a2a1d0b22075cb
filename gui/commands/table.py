"""The table of all commands: their texts, keys, conditions and effects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from operator import attrgetter

from cadena.core.graph.document import LEAVES, Node
from cadena.core.languages.record import LANGUAGES
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.commands.arranging import arranging_commands, framing_commands
from cadena.gui.commands.comparison import compare_commands
from cadena.gui.commands.functions import composite_commands, function_commands, gradient_commands
from cadena.gui.commands.hiding import hiding_commands
from cadena.gui.commands.highlighting import showing_commands
from cadena.gui.commands.lessons import lesson_commands
from cadena.gui.commands.navigation import place_commands, zoom_commands
from cadena.gui.commands.presenting import StageOnDemand, stage_commands
from cadena.gui.commands.stepping import run_commands
from cadena.gui.commands.tabs import tab_commands
from cadena.gui.commands.training import learning_commands
from cadena.gui.commands.walking import part_commands, walking_commands, wiring_commands
from cadena.gui.commands.wiring import dissolve_command, rerouting_commands, swap_command, switch_commands
from cadena.gui.files.opening import Files
from cadena.gui.files.settings import THEME_CHOICES, TYPE_SCALES, Settings
from cadena.gui.frame.command import A_NODE, SOME_NODES, Command
from cadena.gui.frame.entries import node_entries
from cadena.gui.frame.frame import WindowFrame
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session
from cadena.gui.tabs.tabs import Tabs


def all_commands(window: WindowFrame, stage: StageOnDemand, tabs: Tabs) -> tuple[Command, ...]:
    """All commands of a window."""
    session, settings, files = window.session, window.settings, window.files
    canvas, inside = window.canvas, window.inside
    return (
        *file_commands(files, session, window),
        *tab_commands(window.documents, tabs),
        *edit_commands(session, canvas, window),
        *view_commands(session, settings, canvas, window, stage),
        *showing_commands(session),
        *hiding_commands(session),
        *stage_commands(window, stage),
        *compare_commands(window),
        *graph_commands(session, canvas, window),
        *arranging_commands(session, settings, canvas),
        *framing_commands(session, canvas),
        *composite_commands(session, canvas.functions, canvas.target, files, inside),
        *function_commands(session, canvas.functions, canvas.target, inside, window),
        *run_commands(session, canvas.target, window),
        *gradient_commands(session, inside, window),
        *learning_commands(session, window),
        *lesson_commands(files, session, window.desk),
        *help_commands(window),
    )


def file_commands(files: Files, session: Session, window: WindowFrame) -> tuple[Command, ...]:
    menu = "File"
    return (
        Command("file.new", "New", menu, files.new, ("Ctrl+N",), "Start an empty graph"),
        Command("file.open", "Open…", menu, files.open, ("Ctrl+O",), "Open a graph file"),
        Command(
            "file.import", "Import script or model…", menu, files.import_script, (),
            "Open a PyTorch, TensorFlow, JAX or numpy script in the code panel",
        ),
        Command("file.save", "Save", menu, files.save, ("Ctrl+S",), "Save the graph to its file"),
        Command("file.save-as", "Save as…", menu, files.save_as, ("Ctrl+Shift+S",), "Save the graph to another file"),
        *(
            Command(
                f"file.code-{language}", code.title, f"{menu}/Export code", partial(window.exports.code, language), (),
                f"Write the graph as a {code.suffix} file, with large arrays in a file beside it",
                enabled=lambda: session.document.output is not None,
            )
            for language, code in LANGUAGES.items()
        ),
        *export_commands(session, window),
        Command(
            "file.settings", "Settings…", menu, window.show_settings, ("Ctrl+,",),
            "Theme, text size, motion, snapping, and what a start opens", words="preferences options configuration",
        ),
    )  # fmt: skip


def export_commands(session: Session, window: WindowFrame) -> tuple[Command, ...]:
    menu, steps = "File/Export", lambda: len(session.timeline) > 0
    return (
        Command(
            "file.picture", "Picture…", menu, partial(window.open_export, "picture"), ("Ctrl+Shift+E",),
            "Save or copy the current step as PNG, SVG or PDF, in any size", words="screenshot image save as png svg",
        ),
        Command(
            "file.film", "Film…", menu, partial(window.open_export, "film"), (),
            "Save steps as MP4, GIF, numbered pictures, or a PDF with one page per step", steps,
            words="video movie animation record gif mp4",
        ),
        Command(
            "file.page", "Page…", menu, window.exports.page, (),
            "Save one HTML file that plays the steps in any browser", words="share web website html link",
        ),
        Command(
            "file.handout", "Handout…", menu, partial(window.open_export, "handout"), (),
            "Save a PDF with the graph and a table of its steps, with blanks for a class", steps,
            words="print pdf paper worksheet",
        ),
        Command(
            "file.exercise", "Exercise sheet…", menu, partial(window.open_export, "exercise"), (),
            "Save a sheet for each student of a class, with numbers of their own and blanks for the answers",
            lambda: session.document.output is not None, words="homework worksheet class students names grade print",
        ),
        Command(
            "file.code", "Code…", menu, partial(window.open_export, "code"), (),
            "Save the graph as a program, a text or a drawing in a language of your choice",
            lambda: session.document.output is not None,
        ),
    )  # fmt: skip


def edit_commands(session: Session, canvas: Canvas, window: WindowFrame) -> tuple[Command, ...]:
    menu, do, target = "Edit", canvas.commands, canvas.target
    history, selected = (lambda: session.history), (lambda: bool(session.selection))
    return (
        Command(
            "edit.undo", "Undo", menu, session.undo, ("Ctrl+Z",), "Undo the last edit",
            lambda: history().undo_label is not None, lambda: f"Undo {history().undo_label or ''}".strip(),
        ),
        Command(
            "edit.redo", "Redo", menu, session.redo, ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo the last undone edit",
            lambda: history().redo_label is not None, lambda: f"Redo {history().redo_label or ''}".strip(),
        ),
        Command("edit.cut", "Cut", menu, do.cut, ("Ctrl+X",), "Copy the selected nodes and delete them", selected),
        Command("edit.copy", "Copy", menu, do.copy, ("Ctrl+C",), "Copy the selected nodes", selected),
        Command(
            "edit.paste", "Paste", menu, lambda: do.paste(target.place), ("Ctrl+V",),
            "Paste the copied nodes into the graph",
        ),
        Command(
            "edit.duplicate", "Duplicate", menu, do.duplicate, ("Ctrl+D",),
            "Copy the selected nodes, with the same inputs", selected,
        ),
        Command(
            "edit.delete", "Delete", menu, do.delete_selection, ("Del", "Backspace"),
            "Delete the selection", lambda: selected() or do.view.selected_wire is not None,
            lambda: "Delete wire" if do.view.selected_wire else "Delete",
        ),
        dissolve_command(session, do.wiring),
        Command(
            "edit.select-all", "Select all", menu, do.select_all, ("Ctrl+A",), "Select every node",
            lambda: bool(session.document.nodes),
        ),
        Command(
            "edit.find", "Find a node…", menu,
            partial(window.open_search, partial(node_entries, session, canvas), "Find a node"),
            ("Ctrl+F",),
            "Type part of its name; Enter zooms in on it",
            lambda: bool(session.document.nodes),
        ),
        Command(
            "edit.rename", "Rename…", menu, partial(target.do, do.start_rename), ("F2",),
            "Rename the selected node", target.fits, needs=A_NODE,
        ),
        Command(
            "edit.value", "Edit value…", menu, partial(target.do, do.start_value_edit), (),
            "Type a new value for the selected leaf", partial(target.fits, is_leaf), needs="select a leaf first",
        ),
    )  # fmt: skip


def view_commands(
    session: Session, settings: Settings, view: Canvas, window: WindowFrame, stage: StageOnDemand
) -> tuple[Command, ...]:
    menu = "View"
    themes = (
        Command(
            f"view.theme-{name}", name.capitalize(), f"{menu}/Theme", partial(window.choose_theme, name),
            (), tip, checked=partial(lambda name: settings.theme == name, name),
        )
        for name, tip in zip(THEME_CHOICES, THEME_TIPS, strict=True)
    )  # fmt: skip
    return (
        *zoom_commands(session, view, view.commands.navigation),
        *place_commands(session, settings, view.commands.navigation),
        *panel_commands(session, window),
        *part_commands(window),
        *themes,
        *type_commands(settings, window),
        *_motion_commands(session, settings, view, window),
        Command(
            "view.present", "Present", menu, lambda: stage().toggle(), ("F5",),
            "Show only the graph and its step, full screen; Esc ends it", checked=lambda: window.presenting,
        ),
        Command(
            "view.full-screen", "Full screen", menu, window.toggle_full_screen, ("F11",),
            checked=window.isFullScreen,
        ),
    )  # fmt: skip


def panel_commands(session: Session, window: WindowFrame) -> Iterator[Command]:
    """A command for each panel, and for each part of one that has several."""
    panels = window.panels
    for panel in panels.titles:
        parts = [part for part in panels.parts_of(panel) if part.name != panel.lower()]  # whose command is the panel's
        named = [part.text or part.part for part in parts if not part.is_folded]
        tips = ", ".join(named) or panels.parts_of(panel)[0].tip
        yield Command(
            f"view.{panel.lower()}", panel, "View/Panels", partial(window.toggle_title, panel),
            (), tips, checked=partial(window.panel_shown, panel),
        )  # fmt: skip
        for part in parts if len(panels.parts_of(panel)) > 1 else ():
            yield Command(
                f"view.{part.name}", part.text or part.part, panel, partial(window.toggle_panel, part.name),
                (), part.tip, checked=partial(panels.stands, part.name),
            )  # fmt: skip
    yield Command(
        "view.palette", "Palette", "View", panels.toggle_palette, (),
        "The operations, to drag onto the canvas", lambda: session.live, checked=lambda: panels.has_palette,
        needs="go to Build first",
    )  # fmt: skip


def type_commands(settings: Settings, window: WindowFrame) -> tuple[Command, ...]:
    """The size of all type; Ctrl with + and − makes the graph alone larger."""
    menu = "View/Text size"

    def scale(by: float | None) -> None:
        settings.type_scale = settings.usual_type if by is None else round(settings.type_scale + by, 3)
        window.choose_theme(settings.theme)

    return (
        Command(
            "view.larger-type", "Larger", menu, partial(scale, TYPE_STEP), (),
            "Enlarge all type, in panels and on cards", lambda: settings.type_scale < TYPE_SCALES[1],
            words="bigger big font",
        ),
        Command(
            "view.smaller-type", "Smaller", menu, partial(scale, -TYPE_STEP), (),
            "Shrink all type", lambda: settings.type_scale > TYPE_SCALES[0],
        ),
        Command(
            "view.usual-type", "Default", menu, partial(scale, None), (),
            "Follow the desktop's text size", checked=lambda: settings.type_scale == settings.usual_type,
        ),
    )  # fmt: skip


def _motion_commands(
    session: Session, settings: Settings, view: CanvasView, window: WindowFrame
) -> tuple[Command, ...]:
    menu = "View"
    return (
        Command(
            "view.reduce-motion", "Reduce motion", menu, window.toggle_reduced_motion, (),
            "Show steps without moving tokens", checked=lambda: session.reduce_motion,
        ),
        Command(
            "view.follow-steps", "Follow the steps", menu, partial(_toggle, session, settings, "follow_steps"),
            (), "Keep the cards of each step in view during playback",
            checked=lambda: session.follow_steps,
        ),
        Command(
            "view.fold-repeats", "Fold repeats", menu, view.toggle_folding, (),
            "Show repeated and named blocks as one card; a block opens at the current step, or on a click",
            checked=lambda: view.folds_blocks,
        ),
        Command(
            "view.leaf-rows", "Leaves in cards", menu, view.toggle_leaf_rows, (),
            "Show weights and constants that one operation uses as rows of its card",
            checked=lambda: view.has_leaf_rows,
        ),
        Command(
            "view.name-patterns", "Name patterns", menu, partial(_toggle, session, settings, "name_patterns"),
            (), "Name the gradient pattern at each gate: add distributes, multiply swaps",
            checked=lambda: session.name_patterns,
        ),
    )  # fmt: skip


def _toggle(session: Session, settings: Settings, name: str) -> None:
    """Switch a setting of this name that session and settings both have, and show what it changes."""
    value = not getattr(session, name)
    setattr(session, name, value)
    setattr(settings, name, value)
    session.timeChanged.emit()


TYPE_STEP = 0.125
THEME_TIPS = (
    "Follow the desktop",
    "Dark on white",
    "White on dark",
    "Black on white, thick lines, large type",
    "White on black in high contrast: thick lines, no grey",
)


def graph_commands(session: Session, canvas: Canvas, window: WindowFrame) -> tuple[Command, ...]:
    menu, do, target = "Graph", canvas.commands, canvas.target
    kinds = (
        Command(
            f"graph.kind-{kind}", kind.capitalize(), f"{menu}/Kind of leaf",
            partial(target.do, partial(change_kind, session, kind)), (), tip,
            partial(target.fits, is_leaf), checked=partial(target.fits, partial(has_kind, kind)),
        )
        for kind, tip in zip(LEAVES, KIND_TIPS, strict=True)
    )  # fmt: skip
    return (
        Command(
            "graph.add", "Add…", menu, lambda: do.ask_for_operation_on(target.place or do.view.middle), ("A",),
            "Find an operation, or type a number; an operation takes the selected nodes as operands",
        ),
        Command(
            "graph.expressions", "Expression bar", menu, window.expressions.begin, ("E",),
            "Type the graph as text, above the canvas", stage_keys=("E",),
        ),
        *wiring_commands(session, canvas),
        Command(
            "graph.output", "Make this the output", menu, partial(target.do, partial(make_output, session)), ("O",),
            "Compute the gradients of the selected node",
            partial(target.fits, lambda node: node.name != session.document.output), needs=A_NODE,
        ),
        Command(
            "graph.sum", "Sum up the output", menu, partial(sum_output, session), (),
            "Add a sum after an output of many numbers", lambda: bool(session.output_shape),
        ),
        Command(
            "graph.change", "Change operation…", menu,
            partial(target.do, lambda name: do.ask_for_operation(target.place or do.view.middle, name)), ("C",),
            "Replace the selected operation by another", partial(target.fits, is_operation), needs=A_NODE,
        ),
        Command(
            "graph.gradient", "Wants a gradient", menu, partial(target.do, partial(toggle_gradient, session)),
            ("G",), "Also compute the gradient of the selected input",
            partial(target.fits, partial(has_kind, "input")), checked=partial(target.fits, lambda node: node.gradient),
            needs="select an input first",
        ),
        Command(
            "graph.disconnect", "Disconnect", menu, partial(disconnect, session), (),
            "Remove all wires of the selected nodes", partial(any_connected, session), needs=SOME_NODES,
        ),
        swap_command(do.wiring, target),
        *switch_commands(session, do.wiring),
        *rerouting_commands(do.wiring),
        Command(
            "graph.arrange", "Arrange", menu, do.arranging.arrange, ("Ctrl+L",), "Lay out all nodes",
            lambda: bool(session.document.nodes),
        ),
        *kinds,
        *walking_commands(session, canvas),
    )  # fmt: skip


KIND_TIPS = (
    "Its gradient is computed",
    "Data; its gradient is computed only on request",
    "A fixed number; it has no gradient",
)


def help_commands(window: WindowFrame) -> tuple[Command, ...]:
    return (
        Command("help.search", "Find anything…", "Help", window.open_search, ("Ctrl+K",)),
        Command(
            "help.keys",
            "Keys and tasks",
            "Help",
            window.show_keys,
            ("F1",),
            "What can be done, and how",
            words="help manual shortcuts documentation tutorial",
        ),
        Command("help.about", "About Cadena", "Help", window.show_about, ()),
    )


# --- what commands ask and do


def is_leaf(node: Node) -> bool:
    return node.is_leaf


def is_operation(node: Node) -> bool:
    return not node.is_leaf


def has_kind(kind: str, node: Node) -> bool:
    return node.op == kind


def any_connected(session: Session) -> bool:
    """Whether a selected node has a wire, on either side."""
    nodes, chosen = session.document.nodes, session.selection
    if not chosen or any(any(nodes[name].inputs) for name in chosen):
        return bool(chosen)
    return not chosen.isdisjoint(chain.from_iterable(map(attrgetter("inputs"), nodes.values())))


def make_output(session: Session, name: str) -> None:
    session.edit(*graph_edits.choose_output(name))


def sum_output(session: Session) -> None:
    session.edit(*graph_edits.sum_output(session.document.output))


def change_kind(session: Session, kind: str, name: str) -> None:
    session.edit(*graph_edits.change_operation(name, kind))


def toggle_gradient(session: Session, name: str) -> None:
    session.edit(*graph_edits.want_gradient(name, not session.document.nodes[name].gradient))


def disconnect(session: Session) -> None:
    session.edit(*graph_edits.disconnect(session.selection))
