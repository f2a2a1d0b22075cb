"""The commands for functions, composite operations, accumulated gradients and the order of the reverse pass."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from cadena.core.graph.document import Node
from cadena.core.graph.groups import all_groups
from cadena.core.rewriting import atoms
from cadena.core.rewriting.function_edits import remove_unused, unused_functions
from cadena.core.run.accumulation import NOTHING, accumulate, zero_grad
from cadena.gui.background.tasks import Order
from cadena.gui.canvas.interaction.function_commands import FunctionCommands
from cadena.gui.canvas.interaction.target import Target
from cadena.gui.files.opening import Files
from cadena.gui.frame.command import Command
from cadena.gui.frame.frame import WindowFrame
from cadena.gui.look.wording import worded
from cadena.gui.session.function_editing import Inside
from cadena.gui.session.session import Session

UNUSED = "Remove unused functions"


def function_commands(
    session: Session, do: FunctionCommands, target: Target, inside: Inside, window: WindowFrame
) -> tuple[Command, ...]:
    menu = "Graph/Function"
    on_call = partial(target.fits, lambda node: do.is_call(node.name))
    return (
        Command(
            "function.make", "Group as function…", menu, do.start_function, ("Ctrl+G",),
            "Turn the selected nodes into a named function",
            lambda: any(not session.document.nodes[name].is_leaf for name in session.selection),
        ),
        Command(
            "function.enter", "Enter", menu, partial(target.do, window.levels.enter), ("Ctrl+Return",),
            "Open the selected call, with its values", on_call,
        ),
        Command(
            "function.leave", "Leave", menu, window.levels.leave, ("Ctrl+Backspace",),
            "Return to the graph around it, with all edits", lambda: bool(inside.levels),
        ),
        Command(
            "function.inline", "Ungroup", menu, partial(target.do, do.inline_call),
            (), "Replace the selected call by the nodes of its function", on_call,
        ),
        Command(
            "function.rename", "Rename function…", menu, partial(target.do, do.start_function_rename),
            (), "Rename the function; all its calls follow", on_call,
        ),
        *custom_gradient_commands(do, target, window),
        Command(
            "function.remove-unused", "Remove unused functions", menu, partial(session.edit, remove_unused, UNUSED),
            (), "Remove the functions that no node calls; the palette lists all functions",
            lambda: not inside.levels and bool(unused_functions(session.document)),
        ),
    )  # fmt: skip


def custom_gradient_commands(do: FunctionCommands, target: Target, window: WindowFrame) -> tuple[Command, ...]:
    menu = "Graph/Function"

    def uses_gradient(node: Node) -> bool:
        gradient = do.custom_gradient(node.name)
        return gradient is not None and gradient.used

    on_gradient = partial(target.fits, lambda node: do.custom_gradient(node.name) is not None)
    return (
        Command(
            "function.gradient", "Custom gradient…", menu,
            partial(target.do, window.levels.enter_gradient), (),
            "Give the function's reverse pass a graph of its own",
            partial(target.fits, lambda node: do.is_call(node.name)),
        ),
        Command(
            "function.use-gradient", "Use custom gradient", menu,
            partial(target.do, do.toggle_gradient_use), (),
            "Switch between the function's custom gradient and the automatic one", on_gradient,
            checked=partial(target.fits, uses_gradient),
        ),
        Command(
            "function.remove-gradient", "Remove custom gradient", menu,
            partial(target.do, do.remove_gradient), (),
            "Remove the function's custom gradient; the chain rule takes its place", on_gradient,
        ),
    )  # fmt: skip


def composite_commands(
    session: Session, do: FunctionCommands, target: Target, files: Files, inside: Inside
) -> tuple[Command, ...]:
    menu = "Graph"

    def has_atoms(node: Node) -> bool:
        return atoms.has_atoms(node.op) and not do.is_call(node.name)

    def can_fold() -> bool:
        return not all(map(session.selection.isdisjoint, (group.nodes for group in all_groups(session.document.extra))))

    return (
        Command(
            "graph.expand", "Take apart", menu, partial(target.do, do.expand), (),
            "Replace the selected operation by the elementary ones it is made of", partial(target.fits, has_atoms),
        ),
        Command(
            "graph.fold", "Fold back", menu, do.fold, (),
            "Fold the pieces of an expanded operation into one node again", can_fold,
        ),
        Command(
            "graph.unfold", "Unfold the reverse pass", menu, partial(unfold, session, files, inside), (),
            "Open the reverse pass as nodes, in a new graph",
            lambda: session.document.output is not None,
        ),
    )  # fmt: skip


def gradient_commands(session: Session, inside: Inside, window: WindowFrame) -> tuple[Command, ...]:
    menu = "Run"
    return (
        Command(
            "run.backward", "Backward", menu, partial(backward, session), ("Ctrl+B",),
            "Run another backward pass and add to the gradients of the leaves",
            lambda: not inside.levels and session.run.plan.output is not None,
        ),
        Command(
            "run.zero-grad", "zero_grad", menu, partial(clear_gradients, session), (),
            "Set the stored gradients of the leaves to 0", lambda: session.accumulated is not None,
        ),
    )  # fmt: skip


def unfold(session: Session, files: Files, inside: Inside) -> None:
    """Open a document with the reverse pass written out as nodes."""
    from cadena.core.rewriting.unfolding import unfold

    document, levels = session.document, inside.levels
    title = levels[-1].op if levels else re.sub(r"^Lesson \d+: ", "", files.name)
    order = Order(
        "Unfolding the reverse pass",
        lambda unfolded: files.show_new(replace(unfolded, title=f"{title}: reverse pass")),
        lambda refusal: session.message.emit(worded(refusal)),
    )
    session.tasks.in_thread(order, lambda _: unfold(document))


def backward(session: Session) -> None:
    """One more backward pass, added to what the leaves hold; it is played where the steps go back."""
    session.run_now()
    if session.method.passes > 1:  # those of a lesson end where the user's own begin
        session.set_method(replace(session.method, passes=1))
    before = session.accumulated or NOTHING
    after = accumulate(before, session.run)
    if after.note:
        session.set_accumulated(after)
        session.show_live()
        session.message.emit(after.note)
        return
    session.set_accumulated(after, before)
    steps = session.timeline
    seed = next((index for index in range(len(steps)) if steps[index].phase == "seed"), None)
    if seed is None or session.working:
        session.show_live()
        return
    session.set_time(float(seed))
    session.playback.play()


def clear_gradients(session: Session) -> None:
    """All gradients that the leaves hold set to 0."""
    if session.accumulated is not None:
        session.set_accumulated(zero_grad(session.accumulated))
