"""The present moment in words, for the band under the canvas, and the table of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cadena.core.methods.names import METHODS
from cadena.core.methods.reverse import step_text
from cadena.core.methods.reverse.timeline import Frame, Step
from cadena.core.notation.in_script import shown_name
from cadena.core.text.numbers import number_of, short
from cadena.core.text.painted_text import mark, plain
from cadena.gui.look.wording import worded
from cadena.gui.panels.problems.problem_entry import word
from cadena.gui.session.session import Session

if TYPE_CHECKING:  # imported when a training begins
    from cadena.core.training.trainer import Trainer


def around(session: Session, step: Step) -> tuple[str, ...]:
    """The nodes whose numbers a step speaks of."""
    nodes = session.document.nodes
    inputs = nodes[step.node].inputs if step.node in nodes else ()
    return (step.node, *(str(name) for name in inputs))


def step_texts(session: Session, frame: Frame, step: Step) -> tuple[str, str]:
    """What happens in a step, its numbers marked by `painted_text`, and its calculation in a plain sentence.

    Before its result has landed both are the former, without numbers.
    """
    timeline, has_landed = frame.whole, frame.landed > step.index
    started = frame.number > 0
    if not started:
        title = step_text.before_title(timeline)
        return title, title
    title = step_text.step_title(timeline, frame.index, has_landed, mark)
    spoken = step_text.step_sentence(timeline, frame.index) if has_landed else title
    hidden, nodes = session.hidden, around(session, step)
    return hidden.in_text(title, *nodes), hidden.in_text(spoken, *nodes)


def live_title(session: Session) -> str:
    """What follows the edits in build mode."""
    if session.document.output is None:
        return "Live: all values follow your edits."
    return f"Live: {METHODS[session.method.name].follows or 'all values and gradients follow'} your edits."


def examples_text(trainer: Trainer) -> str:
    """Over how many examples a loss is computed."""
    count = len(trainer.table.rows)
    examples = number_of(count, "example")
    return f"{short(trainer.size)} of {examples}" if trainer.size < count else examples


def training_title(session: Session) -> str:
    """How far a training is, its loss marked as a value: that of the cards by its name."""
    trainer, moment = session.learning.trainer, session.learning.moment
    if trainer is None or moment is None or moment.loss is None:
        return "Training begins."
    loss = mark("value", short(moment.loss))
    if trainer.is_shown:
        return f"Step {short(moment.steps)}: {shown_name(session.document, str(trainer.original.output))} = {loss}."
    return f"Step {short(moment.steps)}: the loss over {examples_text(trainer)} is {loss}."


def current_sentence(session: Session) -> str:
    """The present moment in plain sentences, as a screen reader says it."""
    frame = session.frame
    if not session.document.nodes:
        return "An empty graph."
    if session.learns:
        return plain(training_title(session))
    if not session.live and session.method_fault:
        return f"{METHODS[session.method.name].title} cannot be used here: {session.method_fault}."
    if not session.live and frame.step is not None:
        title, spoken = step_texts(session, frame, frame.step)
        text = spoken if plain(title) == spoken else f"{plain(title)} {spoken}"
        own = frame.number == 0 or frame.timeline.describe(frame.step.index) is not None
        return text if own else f"{step_text.step_place(frame.whole, frame.index)}: {text}"
    if session.faults:
        fault = session.faults[0]
        return session.named(f"{word(fault)} at {fault.node}: {worded(fault)}.")
    return live_title(session)
