"""The panel of learning in the real window, with real clicks and keys."""

from __future__ import annotations

import csv

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea

from cadena.core.graph.document import Document
from cadena.core.graph.edits import change_operation, set_value
from cadena.core.teaching.lessons import open_lesson
from cadena.core.text.numbers import number_of, short
from cadena.core.training.settings import TrainingSettings, settings_of, with_settings
from cadena.gui.look.theme import DARK, PROJECTOR
from cadena.gui.plots import saving
from tests.core.training.networks import document, line, network, neurons, node
from tests.gui.user import calm, settle
from tests.waiting import until

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(user):
    user.session.open(with_settings(neurons(), TrainingSettings(data="xor", optimiser="adam", rate=0.02)), None)
    user.do("view.training")
    content = user.window.panels["learning"].content
    content.choose_view("prediction")
    frames = (content.loss, content.views["prediction"])
    until(lambda: all(frame.plot is not None for frame in frames), "the plots never come", settle)
    yield content
    user.session.learning.settle()
    user.session.open(Document({}), None)


def click(button):
    QTest.mouseClick(button, LEFT)
    settle()


def retype(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle()


def pick(chooser, text):
    chooser.setCurrentIndex(chooser.findData(text))
    chooser.activated.emit(chooser.currentIndex())
    settle()


def learn(user, panel, steps):
    click(panel.run)
    trainer = user.session.learning.trainer
    until(lambda: trainer.steps >= steps, "it learns nothing", settle)
    click(panel.run)
    until(lambda: user.session.learning._work is None, "the step never ends", settle)
    return trainer


def test_run_pause_step_and_reset_by_mouse(user, panel):
    click(panel.run)
    assert panel.run.text() == "Stop" and not panel.step.isEnabled()
    trainer = user.session.learning.trainer
    until(lambda: trainer.steps > 20, "it learns nothing", settle)
    click(panel.run)
    until(lambda: user.session.learning._work is None, "the step never ends", settle)
    taken = trainer.steps
    assert panel.run.text() == "Run" and panel.loss.caption.text().startswith(f"{taken} steps, loss ")
    click(panel.step)
    assert trainer.steps == taken + 1
    click(panel.reset)
    assert trainer.steps == 0 and panel.loss.caption.text() == "Not trained yet."


def test_the_same_by_keys(user, panel):
    user.canvas.setFocus()
    user.do("learn.step")
    assert user.session.learning.trainer.steps == 1
    user.press("Ctrl+R")
    assert user.session.learning.running
    user.press("Ctrl+R")
    assert not user.session.learning.running
    user.do("learn.reset")
    assert user.session.learning.trainer.steps == 0


def test_the_loss_and_the_prediction_are_drawn_and_move(user, panel):
    trainer = learn(user, panel, 30)
    assert len(panel.loss.plot.xs) == trainer.steps + 1
    before = panel.views["prediction"].plot.decided.heights
    learn(user, panel, trainer.steps + 30)
    assert (panel.views["prediction"].plot.decided.heights != before).any()
    assert panel.views["prediction"].caption.text() == "o over the data, with the line where it is 0.5"


def test_a_point_of_the_loss_is_read_while_it_learns(user, panel):
    learn(user, panel, 5)
    panel.loss.plot.point_at(2)
    click(panel.step)
    assert panel.loss.caption.text() == f"Loss {short(user.session.learning.losses[2])} at step 2."
    panel.loss.plot.point_at(None)
    assert panel.loss.caption.text().startswith(f"{user.session.learning.trainer.steps} steps, loss ")


def test_the_canvas_shows_each_step(user, panel):
    learn(user, panel, 10)
    frame = user.session.frame
    assert float(frame.value("w0")) == user.session.learning.trainer.values["w0"]


def test_histograms_by_layer(user, panel):
    learn(user, panel, 5)
    for name in ("values", "gradients"):
        click(panel.chips[name])
        view = panel.views[name]
        until(lambda view=view: view.plot is not None, "the histograms never come", settle)
        assert view.isVisible() and not panel.views["prediction"].isVisible()
        sizes = [len(layer.numbers) for layer in view.plot.layers]
        assert sum(sizes) == 17 and 4 in sizes  # four neurons, four weights each
        assert view.plot.role == name.removesuffix("s")


def test_settings_are_edits_and_wrong_ones_are_refused(user, panel):
    retype(panel.form.fields["rate"], "1/4")
    pick(panel.form.choosers["optimiser"], "momentum")
    retype(panel.form.fields["seed"], "7")
    settings = settings_of(user.session.document)
    assert (settings.rate, settings.optimiser, settings.seed) == (0.25, "momentum", 7)
    retype(panel.form.fields["batch"], "-1")
    assert panel.trouble.text == "Batch: -1 is no count; type a whole number from 0."
    assert settings_of(user.session.document).batch == 0
    user.canvas.setFocus()
    user.press("Ctrl+Z")
    assert settings_of(user.session.document).seed == 0


def test_another_optimiser_asks_before_it_resets_a_training(user, panel):
    learn(user, panel, 3)
    session, steps = user.session, user.session.learning.trainer.steps
    pick(panel.form.choosers["optimiser"], "SGD")
    assert settings_of(session.document).optimiser == "adam" and session.learning.trainer.steps == steps
    assert panel.restart.text.whole == (
        f"Another optimiser restarts the training: its {steps} steps are given up, the numbers learnt stay."
    )
    click(panel.restart.no)
    assert panel.restart.isHidden() and panel.form.choosers["optimiser"].currentData() == "Adam"
    retype(panel.form.fields["rate"], "0.5")  # which takes effect at once
    assert settings_of(session.document).rate == 0.5 and session.learning.trainer.steps == steps
    pick(panel.form.choosers["optimiser"], "SGD")
    learnt = session.document.nodes
    click(panel.restart.yes)
    assert settings_of(session.document).optimiser == "sgd" and session.learning.trainer is None
    assert session.document.nodes == learnt and panel.restart.isHidden()


@pytest.mark.some(2)
@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1.5", "1e300"])
def test_nan_for_a_count_was_a_traceback(user, panel, text):
    retype(panel.form.fields["batch"], text)
    assert panel.trouble.text == f"Batch: {text} is no count; type a whole number from 0."


def test_columns_go_to_inputs_as_typed(user, panel):
    retype(panel.form.fields["columns"], "x1: x2; x2: x1; y: y")
    assert settings_of(user.session.document).columns == {"x1": ("x2",), "x2": ("x1",), "y": ("y",)}
    retype(panel.form.fields["columns"], "x1 = x2")
    assert "names no columns" in panel.trouble.text


def test_a_csv_file(user, panel, tmp_path):
    pick(panel.form.choosers["data"], "CSV file")
    assert panel.form.fields["file"].isVisible()
    click(panel.run)
    assert panel.trouble.text == "No CSV file is chosen; choose one."
    (tmp_path / "xor.csv").write_text("x1,x2,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n")
    retype(panel.form.fields["file"], str(tmp_path / "xor.csv"))
    click(panel.step)
    assert user.session.learning.trainer.steps == 1 and not panel.trouble.text


def with_file(user, path):
    """Show a document that says where its data is."""
    named = with_settings(user.session.document, TrainingSettings(data="csv", file=str(path)))
    user.session.open(named, None)


def test_a_file_that_the_document_names_was_read_without_a_question(user, panel, tmp_path):
    (tmp_path / "xor.csv").write_text("x1,x2,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n")
    with_file(user, tmp_path / "xor.csv")
    click(panel.step)
    assert panel.question.isVisible() and "xor.csv" in panel.question.text.whole
    assert user.session.learning.trainer is None
    click(panel.question.no)
    assert panel.question.isHidden() and user.session.learning.trainer is None
    click(panel.step)
    click(panel.question.yes)
    until(lambda: user.session.learning.trainer is not None, "it is not read", settle)
    assert user.session.learning.trainer.steps == 1 and panel.question.isHidden()
    user.session.edit(lambda d: set_value(d, "x1", 0.25), "Set x1")
    click(panel.step)
    assert user.session.learning.trainer.steps == 1, "it asks once"


def test_a_device_that_the_document_names_is_refused(user, panel):
    """Its data was read whole in the interface's thread: /dev/zero has no end."""
    with_file(user, "/dev/zero")
    click(panel.run)
    click(panel.question.yes)
    until(lambda: panel.trouble.text, "nothing is said", settle)
    assert panel.trouble.text.startswith("/dev/zero: this is a device, not a file")
    assert user.session.learning.trainer is None and panel.run.text() == "Run"


def test_nan_stops_it_and_says_why(user, panel):
    graph = document(
        node("x", "input", value=2.0), node("w", "parameter", value=1.0), node("p", "multiply", "w", "x"),
        node("L", "log", "p"),
    )  # fmt: skip
    user.session.open(with_settings(graph, TrainingSettings(rate=3.0)), None)
    click(panel.run)
    until(lambda: not user.session.learning.running, "it goes on", settle)
    settle()
    assert panel.trouble.text.startswith(
        "At step 2 the loss was not finite, so training stopped before it. L = log(p) is nan"
    )
    assert panel.run.text() == "Run" and user.session.faults


def test_a_line_is_fitted(user, panel):
    user.session.open(with_settings(line(), TrainingSettings(data="line", rate=0.1)), None)
    learn(user, panel, 40)
    assert panel.views["prediction"].caption.text() == "o over the data"


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["loss", "prediction", "values"])
def test_plots_are_saved(user, panel, tmp_path, name):
    learn(user, panel, 5)
    if name != "loss":
        click(panel.chips[name])
    frame = panel.loss if name == "loss" else panel.views[name]
    until(lambda: frame.plot is not None, "the plot never comes", settle)
    for suffix in (".png", ".svg", ".csv"):
        user.answers.path = tmp_path / f"plot{suffix}"
        frame.plot.exportAsked.emit(suffix)
        assert user.answers.path.stat().st_size > 100
    rows = list(csv.reader((tmp_path / "plot.csv").read_text().splitlines()))
    assert rows[0][-1] in ("loss", "prediction") or name == "values"
    assert len({len(row) for row in rows}) == 1 and saving.WRITERS


@pytest.mark.some(1)
@pytest.mark.parametrize("theme", [DARK, PROJECTOR], ids=lambda theme: theme.name)
def test_another_theme(user, panel, theme):
    learn(user, panel, 5)
    user.window.choose_theme(theme.name)
    settle()
    assert panel.grab().width() > 0 and QApplication.focusWidget() is not None


def test_matrices_learn_too(user, panel):
    user.session.open(with_settings(network(), TrainingSettings(data="moons", batch=16)), None)
    learn(user, panel, 5)
    said = panel.loss.caption.text()
    assert said.endswith("over 16 of 200 examples. The cards show L and its gradients for the graph's own inputs.")


def test_a_card_the_panel_and_the_band_show_one_loss_while_it_learns(user, panel):
    user.session.open(with_settings(network(), TrainingSettings(data="xor", rate=0.3)), None)
    seen, session = set(), user.session

    def look():
        if session.learns and (moment := session.learning.moment) is not None:
            loss = short(session.frame.value("L"))
            seen.add(moment.steps)
            assert panel.loss.caption.text() == f"{number_of(moment.steps, 'step')}, loss {loss}."
            assert user.window.step_band.title.text() == f"Step {moment.steps}: L = {loss}."

    session.learningChanged.connect(look)
    learn(user, panel, 20)
    session.learningChanged.disconnect(look)
    assert len(seen) > 5


def places(panel):
    """Where the buttons and the fields are, and what the fields say."""
    form = panel.form
    parts = (panel.run, panel.step, panel.reset, *form.fields.values(), *form.choosers.values())
    said = [field.text() for field in form.fields.values()] + [one.currentText() for one in form.choosers.values()]
    return [part.mapTo(panel, part.rect().topLeft()) for part in parts if part.isVisible()], said


def test_fields_went_blank_and_buttons_jumped_at_start_and_stop(user, panel):
    before = places(panel)
    click(panel.run)
    until(lambda: user.session.learning.trainer.steps > 5, "it learns nothing", settle)
    assert places(panel) == before
    click(panel.run)
    until(lambda: user.session.learning._work is None, "the step never ends", settle)
    assert places(panel) == before


def test_a_training_that_opens_its_panel_fills_its_fields(user):
    user.session.open(with_settings(neurons(), TrainingSettings(data="xor", rate=0.02)), None)
    user.canvas.setFocus()
    user.press("Ctrl+R")
    panel = user.window.panels["learning"].content
    assert user.session.learns and panel.form.fields["rate"].text() == "0.02"
    assert panel.form.choosers["data"].currentText() == "XOR"
    user.session.learning.settle()
    user.session.open(Document({}), None)


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_the_loss_can_be_read_in_a_small_window(user, panel, theme):
    """It was 30 pixels high."""
    user.window.choose_theme(theme)
    user.window.resize(1280, 720)
    settle()
    learn(user, panel, 5)
    calm(panel)
    plot, area = panel.loss.plot, panel.findChild(QScrollArea)
    assert plot.height() >= 120
    assert plot.mapTo(area, plot.rect().bottomLeft()).y() < area.height(), "it is scrolled to"
    assert panel.run.visibleRegion().boundingRect() == panel.run.rect(), "the buttons stay"
    user.window.choose_theme("light")
    user.window.resize(1600, 1000)
    settle()


def test_below_the_graph_the_plots_stand_beside_the_settings(user, panel):
    user.window.move_panel("learning")
    settle()
    learn(user, panel, 5)
    for plot in (panel.loss.plot, panel.views["prediction"].plot):
        place = plot.mapTo(panel, plot.rect().topLeft())
        assert place.x() > panel.run.mapTo(panel, panel.run.rect().bottomRight()).x()
        assert place.y() + plot.height() <= panel.height() and plot.height() >= 30
    user.window.move_panel("learning")
    settle()
    assert panel.loss.plot.mapTo(panel, panel.loss.plot.rect().topLeft()).x() < panel.width() / 2


def test_the_panel_names_what_is_trained(user, panel):
    user.session.open(line(), None)
    settle()
    assert panel.form.trained.text() == "w, b"
    user.session.edit(lambda document: change_operation(document, "b", "input"), "Make b an input")
    assert panel.form.trained.text() == "w"
    user.session.edit(lambda document: change_operation(document, "w", "input"), "Make w an input")
    assert panel.form.trained.text() == "no parameter"


def test_a_sentence_in_the_place_of_the_prediction_leaves_its_room_to_the_loss(user, panel):
    learn(user, panel, 3)
    before = panel.loss.height()
    user.session.open(open_lesson("1"), None)
    click(panel.step)
    calm(panel)
    view = panel.views["prediction"]
    assert view.is_sentence and view.plot.isHidden() and panel.loss.height() > before
    assert view.caption.height() >= view.caption.heightForWidth(view.caption.width())


def test_a_loss_without_a_minimum_stops_it_and_says_so_in_panel_and_band(user, panel):
    user.session.open(open_lesson("1"), None)
    user.canvas.setFocus()
    user.press("Ctrl+R")
    until(lambda: not user.session.learning.running, "it goes on", settle)
    settle()
    sentence = user.session.learning.stopped
    assert panel.trouble.text == sentence and "as it has no minimum in w0" in sentence
    band = user.window.step_band
    assert f"{band.title.text()[:-1]}: {band.text.text()}" == sentence
    user.press("Ctrl+Z")
    assert user.session.document.nodes == open_lesson("1").nodes
    until(lambda: band.title.text().startswith("Live"), "the band stays behind", settle)


def test_a_training_began_out_of_sight_and_esc_did_not_stop_it(user):
    user.session.open(with_settings(neurons(), TrainingSettings(data="xor", rate=0.02)), None)
    user.canvas.setFocus()
    assert not user.window.panels["learning"].isVisible()
    user.press("Ctrl+R")
    assert user.session.learns and user.window.panels["learning"].isVisible()
    assert user.window.menus.action("learn.run").text() == "Stop training"
    user.canvas.setFocus()
    user.press("Esc")
    assert not user.session.learns and user.window.panels["learning"].isVisible()
    user.session.learning.settle()
    user.session.open(Document({}), None)
