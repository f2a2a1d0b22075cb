"""Training in the session: steps that are shown without edits, one undo step for a run, and what ends one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cadena.core.graph import edits
from cadena.core.graph.document import as_array
from cadena.core.teaching.lessons import open_lesson
from cadena.core.training.settings import TrainingSettings, with_settings
from cadena.gui.session.session import Session
from tests.core.training.networks import document, network, neurons, node
from tests.gui.user import settle
from tests.waiting import until

XOR = TrainingSettings(data="xor", optimiser="adam", rate=0.02)


@pytest.fixture
def session(qapp):
    made = Session(with_settings(neurons(), XOR))
    yield made
    made.learning.settle()


def train(session, steps):
    """Run until so many steps are taken, then pause."""
    learning = session.learning
    learning.toggle()
    until(lambda: learning.trainer.steps >= steps or not learning.running, "it learns nothing", settle)
    learning.pause()
    until(lambda: learning._work is None, "the step never ends", settle)


def labels(session):
    return [entry.label for entry in session.history.past]


def test_a_start_does_without_learning(qapp):
    session = Session(neurons())
    settle()
    assert session._learning is None and not session.learns


def test_a_run_is_one_undo_step(session):
    before = session.document
    train(session, 12)
    count = session.learning.trainer.steps
    assert labels(session) == [f"Train {count} steps"] and count >= 12
    assert session.document.nodes["w0"].value == session.learning.trainer.values["w0"] != before.nodes["w0"].value
    session.undo()
    assert session.document == before and session.learning.trainer is None


def test_while_it_learns_the_run_shows_the_numbers_and_the_document_stays(session):
    before, compiled = session.document, session.program.plan
    shown = []
    session.runChanged.connect(lambda: shown.append(float(session.run.value("w0"))))
    session.learning.toggle()
    until(lambda: len(set(shown)) > 5, "nothing is shown", settle)
    assert session.learns and session.document is before and session.program.plan is compiled
    assert session.run.gradient("w0") is not None and session.live
    session.learning.pause()


def test_steps_one_by_one_are_one_undo_step_and_reset_begins_anew(session):
    before = session.document
    session.learning.step()
    session.learning.step()
    assert labels(session) == ["Train 1 step"] and session.learning.trainer.steps == 2
    after = session.document
    session.learning.reset()
    assert session.document.nodes == before.nodes and labels(session)[-1] == "Reset the training"
    session.learning.step()
    session.learning.step()
    assert session.document.nodes == after.nodes


def test_the_pace_says_how_many_steps_are_taken_between_two_pictures(session):
    session.learning.set_pace(10)
    counts = []
    session.runChanged.connect(lambda: counts.append(session.learning.trainer.steps))
    session.learning.toggle()
    until(lambda: len(counts) >= 3, "nothing is shown", settle)
    session.learning.pause()
    assert counts[0] <= 10 and max(np.diff(counts)) <= 10


def test_another_rate_takes_effect_while_it_runs_and_another_optimiser_begins_anew(session):
    session.learning.toggle()
    trainer = session.learning.trainer
    session.learning.change(rate=0.5)
    assert session.learning.trainer is trainer and trainer.settings.rate == 0.5 and session.learning.running
    session.learning.change(optimiser="sgd")
    assert session.learning.trainer is None and not session.learning.running
    assert labels(session)[:2] == ["Set the training's rate", "Set the training's optimiser"]


def test_an_edit_meanwhile_ends_the_run_and_keeps_what_it_learnt(session):
    train(session, 3)
    session.learning.toggle()
    trainer = session.learning.trainer
    until(lambda: trainer.steps > 10, "it learns nothing", settle)
    session.edit(lambda d: edits.set_value(d, "y", 0.5), "Set y")
    assert not session.learning.running and session.document.nodes["y"].value == 0.5
    assert session.document.nodes["w0"].value == trainer.values["w0"]
    assert labels(session)[-2] == "Set y" and labels(session)[-1].startswith("Train")


def test_a_number_that_was_set_meanwhile_was_overwritten_by_what_was_learnt(session):
    session.learning.toggle()
    trainer = session.learning.trainer
    until(lambda: trainer.steps > 5, "it learns nothing", settle)
    session.edit(lambda d: edits.set_value(d, "w0", 3.0), "Set w0")
    assert session.document.nodes["w0"].value == 3.0
    assert session.document.nodes["w1"].value == trainer.values["w1"]


def test_undo_took_back_the_edit_before_the_training_that_ran(session):
    session.edit(lambda d: edits.set_value(d, "y", 0.5), "Set y")
    before = session.document
    session.learning.toggle()
    until(lambda: session.learning.trainer.steps > 5, "it learns nothing", settle)
    session.undo()
    assert not session.learns and session.document == before
    session.redo()
    assert labels(session)[-1].startswith("Train ")


@pytest.mark.parametrize(
    "act",
    [lambda one: one.edit(lambda d: edits.set_value(d, "y", 0.5), "Set y"), lambda one: one.set_time(2.0)],
    ids=["edit", "step"],
)
def test_what_came_before_the_last_slice_had_ended_lost_the_training(session, act):
    session.learning.set_pace(0)
    session.learning.toggle()
    trainer = session.learning.trainer
    until(lambda: trainer.steps > 5, "it learns nothing", settle)
    session.learning.pause()
    act(session)
    assert session.document.nodes["w0"].value == trainer.values["w0"] and session.learning._work is None


def test_a_graph_that_changes_ends_the_run_without_an_error(session):
    session.learning.toggle()
    session.edit(lambda d: edits.remove(d, ["w0"]), "Delete w0")
    settle()
    assert not session.learning.running and session.learning.trainer is None


def test_saving_has_what_was_learnt(session):
    session.learning.toggle()
    trainer = session.learning.trainer
    until(lambda: trainer.steps > 3, "it learns nothing", settle)
    session.settling.emit()
    assert not session.learning.running and session.document.nodes["w0"].value == trainer.values["w0"]


def test_another_document_forgets_the_training(session):
    session.learning.toggle()
    session.open(neurons(), None)
    settle()
    assert session.learning.trainer is None and not session.learns


@pytest.fixture
def gone_nan(qapp) -> Session:
    """A session whose training went from log(2) to log(-4) in its second step."""
    graph = document(
        node("x", "input", value=2.0), node("w", "parameter", value=1.0), node("p", "multiply", "w", "x"),
        node("L", "log", "p"),
    )  # fmt: skip
    session = Session(with_settings(graph, TrainingSettings(rate=3.0)))
    session.learning.toggle()
    until(lambda: not session.learning.running, "it goes on", settle)
    return session


def test_a_step_that_goes_nan_stops_it_and_the_doctor_explains_it(gone_nan):
    session = gone_nan
    settle()
    assert session.learning.trainer.failure.step == 2
    assert session.document.nodes["w"].value == -2.0 and labels(session) == ["Train 1 step"]
    assert [fault.node for fault in session.faults] == ["L"]
    assert session.learning.stopped == "At step 2 the loss was not finite, so training stopped before it."
    session.learning.reset()
    assert session.document.nodes["w"].value == 1.0 and session.learning.trainer.failure is None


def test_run_did_nothing_after_a_step_that_went_nan(gone_nan):
    session = gone_nan
    session.learning.change(rate=0.001)
    session.learning.toggle()
    assert session.learning.running, "it begins again"
    until(lambda: session.learning.trainer.steps > 5, "it learns nothing", settle)
    session.learning.settle()
    assert 0.9 < session.document.nodes["w"].value < 1.0 and not session.learning.stopped


def test_all_that_is_said_of_a_training_is_of_the_moment_that_the_graph_shows(session):
    """The loss was that of the step before, and the plot's that of another one."""
    session.open(with_settings(network(), TrainingSettings(data="xor", rate=0.3)), None)
    seen = []

    def look():
        moment = session.learning.moment
        if session.learns and moment is not None:
            seen.append(moment.steps)
            assert moment.loss == session.learning.losses[-1] == float(session.run.value("L"))
            assert len(session.learning.losses) == moment.steps + 1
            for name, gradient in moment.gradients.items():
                assert np.array_equal(gradient, session.run.gradient(name))
                assert np.array_equal(as_array(moment.values[name]), session.run.value(name))

    session.learning.changed.connect(look)
    train(session, 20)
    assert len(set(seen)) > 5 and session.learning.moment.loss == float(session.run.value("L"))


def test_a_loss_without_a_minimum_stops_it_and_can_go_on(qapp):
    session = Session(open_lesson("1"))
    session.learning.toggle()
    until(lambda: not session.learning.running, "it goes on", settle)
    sentence = session.learning.stopped
    assert sentence.startswith("Stopped at step ") and "as it has no minimum in w0" in sentence
    (label,) = labels(session)
    assert label == f"Train {session.learning.trainer.steps} steps" and not session.faults
    steps = session.learning.trainer.steps
    session.learning.toggle()
    until(lambda: session.learning.trainer.steps > steps + 3, "it does not go on", settle)
    session.learning.settle()
    assert not session.learning.stopped


@pytest.mark.parametrize(
    "act", [lambda one: one.set_time(3.0), lambda one: one.playback.toggle(), lambda one: one.step(1)]
)
def test_a_training_stops_for_the_steps_of_the_graph_which_have_its_numbers(session, act):
    session.learning.toggle()
    until(lambda: session.learning.trainer.steps > 3, "it learns nothing", settle)
    act(session)
    settle()
    trainer = session.learning.trainer
    assert not session.learns and not session.live
    assert session.document.nodes["w0"].value == trainer.values["w0"] == session.run.value("w0")
    session.playback.pause()


def test_the_failing_example_is_shown(qapp):
    graph = document(
        node("x", "input", value=2.0), node("w", "parameter", value=1.0), node("p", "multiply", "w", "x"),
        node("L", "log", "p"),
    )  # fmt: skip
    session = Session(with_settings(graph, TrainingSettings(data="line", columns={"x": ("x",)})))
    session.learning.step()
    settle()
    assert session.document.nodes["x"].value == -1.0 and session.faults


def test_what_cannot_be_trained_is_said_in_one_sentence(qapp):
    session = Session(document(node("x", "input", value=2.0), node("L", "square", "x")))
    session.learning.toggle()
    assert not session.learning.running
    assert session.learning.refusal == "L depends on no parameter; make what is to be learnt parameters."
    session.open(replace(neurons(), extra={"training": {"rate": "x"}}), None)
    session.learning.step()
    assert session.learning.refusal == "training: rate must be a number from 0; correct it."


def test_data_of_equal_shape_is_shown_too(qapp):
    graph = network()
    session = Session(with_settings(graph, TrainingSettings(data="xor", noise=0.1)))
    session.learning.step()
    assert not np.array_equal(as_array(session.document.nodes["X"].value), as_array(graph.nodes["X"].value))
