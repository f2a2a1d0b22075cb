from dataclasses import replace

import numpy as np
import pytest
from msgspec.structs import replace as with_fields

from cadena.core.graph.document import as_array, as_value
from cadena.core.graph.fault import Refused
from cadena.core.graph.guards import Guard
from cadena.core.run import plan
from cadena.core.run.program import compile
from cadena.core.text.numbers import short
from cadena.core.training.batches import OneByOne, WholeBatch, with_values
from cadena.core.training.data import read_csv
from cadena.core.training.settings import TrainingSettings
from cadena.core.training.trainer import Trainer, runs_away
from tests.core.training.networks import document, line, network, neurons, node


def trainer(graph=None, **settings):
    return Trainer(graph or network(), TrainingSettings(**settings))


def steps(one, count):
    for _ in range(count):
        assert one.step(), one.failure
    return one


@pytest.mark.parametrize(("optimiser", "rate"), [("sgd", 0.3), ("momentum", 0.1), ("rmsprop", 0.01), ("adam", 0.02)])
def test_every_optimiser_learns_xor(optimiser, rate):
    assert steps(trainer(data="xor", optimiser=optimiser, rate=rate), 1000).loss < 0.01


def test_a_step_goes_against_the_gradient():
    one = steps(trainer(line(), rate=0.1), 1)
    # o = 0.5 · 2 = 1 = y: nothing to learn; with y = 3 the error is -2, and dL/dw = 2 · (-2) · 2 = -8
    assert one.values == {"w": 0.5, "b": 0.0}
    moved = with_values(line(), {"y": 3.0})
    one = steps(trainer(moved, rate=0.1), 1)
    assert one.values == {"w": pytest.approx(1.3), "b": pytest.approx(0.4)}


def test_the_loss_is_that_at_the_present_numbers_and_the_gradients_are_those_of_the_next_step():
    """It was that before the last step: panel, plot and card had three."""
    one = trainer(with_values(line(), {"y": 3.0}), rate=0.025)
    assert one.loss is None and not one.gradients
    assert one.step()  # o = 1; dL/dw = 2 · (-2) · 2 = -8, so w = 0.7, b = 0.1, and o = 1.5
    assert one.losses == [4.0, pytest.approx(2.25)] and one.loss == one.losses[1]
    assert one.gradients == {"w": pytest.approx(-6.0), "b": pytest.approx(-3.0)}
    shown = compile(with_values(one.original, one.shown_values())).run()
    assert shown.value("L") == one.loss and shown.gradient("w") == one.gradients["w"]


@pytest.mark.parametrize(
    ("graph", "settings", "is_shown"),
    [
        (line(), {}, True), (network(), {}, True), (network(), {"data": "xor"}, True),
        (network(), {"batch": 2}, False), (network(), {"data": "moons"}, False), (line(), {"data": "line"}, False),
        (neurons(), {"data": "xor"}, False), (replace(network(), output="O"), {}, False),
        (replace(network(), output="O"), {"data": "xor", "loss": "mse_loss"}, False),
    ],
)  # fmt: skip
def test_it_is_known_whether_the_graph_shows_the_loss_that_is_trained(graph, settings, is_shown):
    assert trainer(graph, **settings).is_shown is is_shown


def test_a_document_is_compiled_once(monkeypatch):
    one = trainer(data="moons", batch=16)
    monkeypatch.setattr(plan, "_place", None)
    assert steps(one, 5).steps == 5 and one.failure is None


@pytest.mark.parametrize("graph", [network(), neurons()], ids=["matrices", "numbers"])
@pytest.mark.parametrize("settings", [{"data": "xor"}, {"data": "moons", "batch": 7}], ids=["whole", "batches"])
@pytest.mark.parametrize("start", ["document", "random"])
def test_a_reset_repeats_every_bit(graph, settings, start):
    one = trainer(graph, optimiser="adam", seed=5, start=start, **settings)
    first = steps(one, 40).values, list(one.losses)
    one.reset()
    assert one.steps == 0 and not one.losses
    again = steps(one, 40).values, list(one.losses)
    anew = steps(trainer(graph, optimiser="adam", seed=5, start=start, **settings), 40)
    assert first == again == (anew.values, anew.losses)
    other = steps(trainer(graph, optimiser="adam", seed=6, start=start, **settings), 40)
    is_drawn = start == "random" or settings["data"] != "xor"
    assert (other.values == first[0]) is not is_drawn


def test_matrices_and_single_numbers_learn_alike():
    one, other = (steps(trainer(graph, data="xor", rate=0.2), 50) for graph in (network(), neurons()))
    assert one.losses == pytest.approx(other.losses, rel=1e-9)
    assert other.values["u2"] == pytest.approx(as_array(one.values["W1"])[0, 2])


@pytest.mark.parametrize("count", [1, 3, 4, 50])
def test_a_batch_gives_the_numbers_of_single_runs(count):
    """By examples in Python floats, and as one array: the same losses."""
    one = trainer(neurons(), data="moons", examples=count)
    assert isinstance(one._evaluator, OneByOne if count < 5 else WholeBatch)
    singles = OneByOne(one.document, one.inputs).evaluate(one.values, one.table.rows)
    evaluation = one._evaluator.evaluate(one.values, one.table.rows)
    assert evaluation.loss == pytest.approx(singles.loss)
    for name, gradient in evaluation.gradients.items():
        assert gradient == pytest.approx(singles.gradients[name])


def test_a_graph_that_mixes_examples_along_the_first_axis_is_run_on_one_at_a_time():
    """A softmax over axis 0 is one over the vector of an example, and would be one over the batch."""
    graph = document(
        node("x", "input", value=[1.0, 2.0]), node("w", "parameter", value=[1.0, 0.5]), node("p", "multiply", "x", "w"),
        with_fields(node("s", "softmax", "p"), attributes={"axis": 0}), node("L", "max", "s"),
    )  # fmt: skip
    one = trainer(graph, data="moons", loss="output", columns={"x": ("x1", "x2")})
    assert isinstance(one._evaluator, OneByOne)
    assert steps(one, 2).steps == 2


def test_a_loss_on_top_of_the_output():
    graph = replace(network(), output="O")
    own, on_top = trainer(data="xor"), trainer(graph, data="xor", loss="mse_loss")
    assert steps(on_top, 20).losses == steps(own, 20).losses
    assert "target" in on_top.document.nodes and "target" not in graph.nodes


@pytest.mark.parametrize("loss", ["l1_loss", "huber_loss", "binary_cross_entropy_with_logits"])
def test_other_losses_fall(loss):
    one = steps(trainer(replace(network(), output="O"), data="moons", loss=loss, optimiser="adam", rate=0.02), 300)
    assert one.loss < 0.7 * one.losses[0]


def test_classes_are_learnt_by_cross_entropy():
    graph = document(
        node("X", "input", value=np.ones((5, 2))), node("W", "parameter", value=np.zeros((2, 2))),
        node("b", "parameter", value=np.zeros(2)), node("Z", "matmul", "X", "W"), node("O", "add", "Z", "b"),
        output="O",
    )  # fmt: skip
    one = steps(trainer(graph, data="moons", loss="cross_entropy", optimiser="adam", rate=0.05), 200)
    assert one.losses[0] == pytest.approx(np.log(2)) and one.loss < 0.4


def test_the_values_in_the_graph_can_be_the_data():
    own = steps(trainer(rate=0.2), 30)
    assert own.losses == steps(trainer(data="xor", rate=0.2), 30).losses
    assert steps(trainer(batch=2), 3).size == 2


def test_a_csv_file_beside_the_document(tmp_path):
    (tmp_path / "xor.csv").write_text("a,b,c\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n")
    rows = read_csv(tmp_path / "xor.csv")
    one = Trainer(network(), TrainingSettings(data="csv", file="xor.csv"), rows)
    assert steps(one, 20).losses == steps(trainer(data="xor"), 20).losses


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_parameters_keep_the_number_type(dtype):
    one = steps(trainer(network(dtype=dtype), data="xor", optimiser="adam", rate=0.02), 20)
    assert {value.dtype for value in one.values.values()} == {dtype} and one.loss < one.losses[0]


# --- numbers that go bad


def test_a_step_that_goes_nan_is_not_taken_and_the_doctor_explains_its_run():
    graph = document(
        node("x", "input", value=2.0), node("w", "parameter", value=1.0), node("p", "multiply", "w", "x"),
        node("l", "log", "p"), node("L", "negative", "l"),
    )  # fmt: skip
    one = trainer(replace(graph, nodes={**graph.nodes, "L": node("L", "positive", "l")}), rate=3.0)
    assert one.step()  # w = 1 - 3 · 1 = -2
    before = one.values
    assert not one.step() and not one.step()
    assert one.values == before == {"w": -2.0} and one.steps == 1 and len(one.losses) == 1
    assert one.failure.step == 2
    assert one.failure.sentence == "at step 2 the loss was not finite, so training stopped before it"
    assert [fault.node for fault in one.failure.run.faults] == ["l"]
    one.reset()
    assert one.failure is None and one.step()


def test_a_gradient_that_goes_inf_stops_it_too():
    graph = document(node("w", "parameter", value=0.0), node("L", "sqrt", "w"))
    one = trainer(graph)
    assert not one.step()
    assert one.failure.sentence == "at step 1 the gradient was not finite, so training stopped before it"
    assert one.failure.run.faults


def test_a_step_that_would_overflow_is_not_taken():
    graph = document(node("w", "parameter", value=1.0), node("L", "square", "w"))
    one = trainer(graph, rate=1e200)
    assert one.step() and not one.step()
    assert one.failure.step == 2 and np.isfinite(one.values["w"])
    graph = document(
        node("w", "parameter", value=1e200), node("k", "constant", value=1e100), node("L", "multiply", "w", "k")
    )
    one = trainer(graph, rate=1e300)
    assert not one.step() and "parameters that are not finite" in one.failure.sentence


def test_the_failing_example_of_a_batch_is_named():
    graph = document(
        node("x", "input", value=2.0), node("w", "parameter", value=1.0), node("p", "multiply", "w", "x"),
        node("L", "log", "p"),
    )  # fmt: skip
    for count in (4, 40):
        one = trainer(graph, data="line", examples=count, columns={"x": ("x",)})
        assert not one.step() and one.failure.rows[0, 0] == -1.0
        shown = one.failing_values()
        assert not np.isfinite(compile(with_values(graph, shown)).run().value("L"))


def two(op, **values):
    """L = a op b, of two parameters."""
    return document(*(node(name, "parameter", value=value) for name, value in values.items()), node("L", op, *values))


@pytest.mark.parametrize("optimiser", ["sgd", "momentum", "rmsprop", "adam"])
@pytest.mark.parametrize("op", ["multiply", "subtract"])
def test_a_loss_without_a_minimum_stops_it_with_a_sentence(optimiser, op):
    """A difference falls steadily, a product faster and faster."""
    one = trainer(two(op, a=1.0, b=-2.0), optimiser=optimiser, rate=0.5)
    assert one.advance(60.0, 500) <= 60 and one.failure is None and one.ran_away
    assert -1e6 < one.loss < 0.0
    number = short(one.loss)
    assert one.runaway.sentence == (
        f"Stopped at step {one.steps}: L falls without end ({number}), as it has no minimum in a; "
        "train a loss such as (L-1)**2."
    )
    assert one.advance(60.0, 5) == 5 and not one.ran_away, "it can go on all the same"
    one.reset()
    assert one.runaway is None


def test_a_loss_that_falls_for_another_reason_is_not_called_linear():
    graph = document(
        node("w", "parameter", value=1.0), node("q", "square", "w"), node("p", "multiply", "q", "q"),
        node("L", "negative", "p"),
    )  # fmt: skip
    one = trainer(graph, rate=0.01)
    assert one.advance(60.0, 10_000) < 10_000 and "faster and faster" in one.runaway.sentence
    assert "and may have no minimum; train a loss" in one.runaway.sentence


@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
def test_a_loss_that_falls_steadily_below_zero_to_its_minimum_is_not_stopped(optimiser):
    """|w - 50| - 200 has one slope for hundreds of steps."""
    graph = document(
        node("w", "parameter", value=0.0), node("k", "constant", value=50.0), node("m", "constant", value=200.0),
        node("d", "subtract", "w", "k"), node("a", "abs", "d"), node("L", "subtract", "a", "m"),
    )  # fmt: skip
    one = trainer(graph, optimiser=optimiser, rate=0.1)
    assert one.advance(60.0, 700) == 700 and one.runaway is None and one.loss < -199.0


def test_a_rate_that_is_too_high_stops_it_with_a_sentence():
    one = trainer(with_values(line(), {"y": 3.0}), rate=0.5)
    one.advance(60.0, 10_000)
    assert one.ran_away and one.loss < 1e12
    assert one.runaway.sentence.startswith(f"Stopped at step {one.steps}: L grows faster and faster (")
    assert one.runaway.sentence.endswith("); lower the rate, now 0.5.")


def narrowing():
    """The sum of r² / v + log v with v = exp(s): the negative log-likelihood of narrow data, negative at its end."""
    return document(
        node("m", "parameter", value=0.3), node("s", "parameter", value=0.0),
        node("x", "input", value=0.01 * np.arange(-5.0, 6.0)), node("r", "subtract", "x", "m"),
        node("q", "square", "r"), node("v", "exp", "s"), node("d", "divide", "q", "v"), node("t", "add", "d", "s"),
        node("L", "sum", "t"),
    )  # fmt: skip


@pytest.mark.parametrize(("optimiser", "rate"), [("sgd", 1e-3), ("momentum", 1e-4), ("rmsprop", 0.01), ("adam", 0.05)])
def test_a_likelihood_that_ends_below_zero_is_trained_to_its_end(optimiser, rate):
    one = trainer(narrowing(), optimiser=optimiser, rate=rate)
    assert one.advance(60.0, 3000) == 3000 and one.runaway is None and one.loss < -20.0


@pytest.mark.parametrize(
    ("losses", "away"),
    [
        ([-(10.0**n) for n in range(6)], True), ([10.0**n for n in range(6)], True),
        ([-254.0 * 4**n for n in range(6)], False),  # not far yet
        ([-254.0 * 4**n for n in range(9)], True),
        ([-1e9 * (1.0 - 0.5**n) for n in range(30)], False),  # towards a minimum
        ([-1e5 * n for n in range(9)], True),  # as a loss that is linear does
        ([1e9 * 0.5**n for n in range(20)], False), ([1e9 + n for n in range(20)], False),
        ([0.0, 1e7, 1e3, 1e7, 1e3, 1e7, 1e8], False), ([0.7, 2e4, 1e4, 5e3, 3e3, 2e3, 1e3], False),
    ],
)  # fmt: skip
def test_a_loss_runs_away_where_it_is_far_and_no_step_is_smaller_than_the_one_before(losses, away):
    assert runs_away(losses) is away


# --- what the window needs


def test_shown_values_have_the_parameters_and_data_of_equal_shape():
    assert set(trainer(data="xor").shown_values()) == {"X", "T", "W1", "b1", "W2", "b2"}
    assert set(trainer(data="moons").shown_values()) == {"W1", "b1", "W2", "b2"}


def test_advance_takes_one_step_at_least_and_stops_when_asked():
    one = trainer(data="xor")
    assert one.advance(0.0, 5) == 1 and one.advance(60.0, 5) == 5
    assert one.advance(60.0, 5, lambda: True) == 0 and one.steps == 6


@pytest.mark.parametrize(
    ("graph", "settings", "sentence"),
    [
        (replace(network(), output=None), {}, "there is no output that runs; choose one, and fix its faults"),
        (
            document(node("x", "input", value=1.0), node("L", "square", "x")), {},
            "L depends on no parameter; make what is to be learnt parameters",
        ),
        (
            document(node("w", "parameter", value=1.0), node("L", "square", "w")), {"data": "xor"},
            "L depends on no input; make the data inputs",
        ),
        (network(), {"data": "csv"}, "no CSV file is chosen; choose one"),
        (network(), {"loss": "mse_loss"}, "a loss on top of L needs data with a target; choose data"),
        (
            replace(network(), output="O"),
            {"data": "moons", "loss": "mse_loss", "columns": {"X": ("x1", "x2")}, "target": ("x1", "y")},
            "the loss compares O, of shape (4, 1), with 2 columns of the data; choose as many target columns as it has "
            "elements for an example",
        ),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(graph, settings, sentence):
    with pytest.raises(Refused) as refused:
        trainer(graph, **settings)
    assert str(refused.value) == sentence


def test_a_tensor_is_a_value_already():
    tensor = as_value([1.0, 2.0])
    assert as_value(tensor) is tensor


def test_training_went_on_with_a_graph_of_another_branch():
    graph = line()
    name = str(graph.output)
    zero = node("zero", "constant", value=0.0)
    above = with_fields(node("above", "greater", "w", "zero"), guard=Guard(1.0, "w > 0", 5))
    guarded = replace(graph, nodes={**graph.nodes, "zero": zero, "above": above}, output=name)
    one = trainer(with_values(guarded, {"y": -3.0}), rate=0.1)
    assert one.step() and one.values["w"] < 0.0
    assert not one.step()
    assert "line 5 took the branch w > 0; with these numbers it would not" in one.failure.sentence
    assert one.steps == 1
