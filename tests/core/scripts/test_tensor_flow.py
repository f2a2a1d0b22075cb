from __future__ import annotations

import numpy as np
import pytest

from cadena.core.doctor.findings.reasons import Reasons
from cadena.core.front import compile
from cadena.core.languages.export import export
from cadena.core.scripts.remark import KEPT, UNLIKE
from cadena.core.scripts.running import run

pytestmark = pytest.mark.usefixtures("forked_scripts")

LAYER = """
import tensorflow as tf

class CustomLayer(tf.keras.layers.Layer):
  def __init__(self, num_outputs, activation):
    super(CustomLayer, self).__init__()
    self.num_outputs = num_outputs
    self.activation = activation
  def build(self, input_shape):
    self.kernel = self.add_weight("kernel",
                                  shape=[int(input_shape[-1]),
                                         self.num_outputs])
  def call(self, inputs):
    Z = tf.matmul(inputs, self.kernel)
    Y = self.activation(Z)
    return Y

def sin_activation(x):
    return tf.sin(x)

my_custom_layer = CustomLayer(2, sin_activation)
input = tf.constant([[-1., 0., 1.], [2., 3., 4.], [-1., -5., 2.]])
with tf.GradientTape() as tape:
    output = my_custom_layer(input)
    loss = tf.reduce_sum(output**2)
gradient = tape.gradient(loss, my_custom_layer.trainable_variables)
print("my_custom_layer.trainable_variables:\\n", my_custom_layer.trainable_variables[0].numpy())
print("\\ngradient:\\n", gradient[0].numpy())
"""

AUTODIFF = """
import tensorflow as tf

input = tf.Variable(100.0)

def function_using_autodiff(x):
    return 1./tf.exp(x)

with tf.GradientTape() as tape:
    output = function_using_autodiff(input)
gradient = tape.gradient(output, input)
print("output usando autodiff: ", output.numpy())
print("gradiente usando autodiff: ", gradient.numpy())
"""

CUSTOM = """
@tf.custom_gradient
def function_using_customdiff(x):
    e = tf.exp(x)
    def grad(upstream):
        return upstream * -tf.exp(-x)
    return 1./tf.exp(x), grad

with tf.GradientTape() as tape:
    output = function_using_customdiff(input)
gradient = tape.gradient(output, input)
print("output using custom diff: ", output.numpy())
print("gradient using custom diff: ", gradient.numpy())
"""


def test_the_listing_of_a_custom_layer_runs_and_its_graph_gives_the_gradient_that_it_prints():
    result = run(LAYER)
    assert result.fault is None
    assert {"kernel", "input", "Z", "Y", "loss"} <= result.document.nodes.keys()
    slope = compile(result.document).run().gradient("kernel")
    assert result.printed.endswith(f"\ngradient:\n {slope}\n")


def test_the_listing_of_a_lost_gradient_prints_nan():
    result = run(AUTODIFF)
    assert result.printed == "output usando autodiff:  0.0\ngradiente usando autodiff:  nan\n"
    assert np.isnan(compile(result.document).run().gradient("input"))


def test_the_listing_of_a_custom_gradient_mends_it():
    result = run(AUTODIFF + CUSTOM)
    # exp(-100) is the next but one float32 above 0; TensorFlow itself makes 0 of such numbers
    assert result.printed.endswith("output using custom diff:  0.0\ngradient using custom diff:  -3.8e-44\n")
    assert result.document.functions["function_using_customdiff"].gradient.used
    assert compile(result.document).run().gradient("input") == np.float32(-3.8e-44)
    assert len(result.passes) == 2


def test_a_constant_of_float64_is_not_rounded_to_float32_first():
    assert run("import tensorflow as tf\nprint(tf.constant(0.1, dtype=tf.float64).numpy())").printed == "0.1\n"


START = "import tensorflow as tf\nx = tf.Variable(3.0)\n"
PRINTED = {
    "v = tf.Variable([-1., 2.])\nwith tf.GradientTape(persistent=True) as t:\n    y = -tf.nn.relu(v)\n"
    "    z = tf.nn.relu(v) * float('nan')\n    w = tf.maximum(v, 0.) * float('nan')\n"
    "print(t.gradient(y, v).numpy(), t.gradient(z, v).numpy(), t.gradient(w, v).numpy())": "[-0. -1.] "
    "[nan nan] [ 0. nan]",
    "print(tf.constant([1, 2]), x)": "tf.Tensor([1 2], shape=(2,), dtype=int32) "
    "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=3.0>",
    "with tf.GradientTape(persistent=True) as t:\n    y = x * x\n    z = y * y\nprint(t.gradient(z, x).numpy(), "
    "t.gradient(z, y).numpy())": "108.0 18.0",
    "with tf.GradientTape() as outer:\n    with tf.GradientTape() as inner:\n        y = x ** 3\n"
    "    d = inner.gradient(y, x)\nprint(d.numpy(), outer.gradient(d, x).numpy())": "27.0 18.0",
    "c = tf.constant(2.0)\nwith tf.GradientTape() as t:\n    y = c * x\nprint(t.gradient(y, [x, c]))": "[<tf.Tensor: "
    "shape=(), dtype=float32, numpy=2.0>, None]",
    "c = tf.constant(2.0)\nwith tf.GradientTape() as t:\n    t.watch(c)\n    y = c * x\nprint(t.gradient(y, c).numpy())"
    "\nwith tf.GradientTape() as t:\n    y = c * x\nprint(t.gradient(y, c))": "3.0\nNone",
    "with tf.GradientTape() as t:\n    y = x * tf.constant([1., 2.])\nprint(t.jacobian(y, x))": "tf.Tensor([1. 2.], "
    "shape=(2,), dtype=float32)",
}


@pytest.mark.parametrize("text", PRINTED)
def test_tapes_work_and_print_as_in_tensorflow(text):
    assert run(START + text).printed == PRINTED[text] + "\n"


def test_a_training_loop_with_dense_layers_gives_a_graph():
    text = """
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="tanh"), tf.keras.layers.Dense(1)])
inputs, targets = tf.constant([[0., 1.], [1., 1.]]), tf.constant([[1.], [0.]])
optimizer = tf.keras.optimizers.SGD(learning_rate=0.1)
for epoch in range(20):
    with tf.GradientTape() as tape:
        loss = tf.keras.losses.MeanSquaredError()(targets, model(inputs))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print(loss.numpy() < 0.3, len(model.trainable_variables))
"""
    result = run(START + text)
    assert result.fault is None and result.printed == "True 4\n"
    assert len([node for node in result.document.nodes.values() if node.op == "parameter"]) == 4
    assert len(result.passes) == 20


FAULTS = {
    "tf.keras.optimizers.Adam(amsgrad=True)": "the argument amsgrad=True of tensorflow.keras.optimizers.Adam is not "
    "part of the built-in TensorFlow; leave it out, or run the script with your own TensorFlow and cadena.capture",
    "tf.keras.losses.BinaryCrossentropy(label_smoothing=0.1)": "the argument label_smoothing=0.1 of tensorflow",
    "tf.keras.losses.MeanSquaredError()([1.], [2.], sample_weight=[1.])": "the argument sample_weight=[1.0] of",
    "tf.keras.layers.Dense(1, kernel_regularizer='l2')": "the argument kernel_regularizer='l2' of tensorflow",
    "tf.GradientTape(watch_accessed_variables=False)": "the argument watch_accessed_variables=False of tensor",
    "tf.matmul([[1.]], [[1.]], adjoint_a=True)": "the argument adjoint_a=True of tensorflow.matmul is not part of",
    "tf.gather([1., 2.], [0], batch_dims=1)": "the argument batch_dims=1 of tensorflow.gather is not part of",
    "tf.random.normal([2], seed=1)": "the argument seed=1 of tensorflow.random.normal is not part of",
    "tf.random.set_seed(1)": "tensorflow.random.set_seed is not part of the built-in TensorFlow; run the",
    "tf.exp(x, axis=1)": "TypeError: tensorflow.exp() got an unexpected keyword argument 'axis'",
    "tf.log(x)": "tensorflow.log is not part of the built-in TensorFlow",
    "tf.data.Dataset": "tensorflow.data is not part of the built-in TensorFlow",
    "tf.keras.Sequential([tf.keras.layers.Dense(1)]).fit([[1.]], [[1.]])": "tensorflow.keras.layers.Layer.fit is not",
    "tf.keras.layers.LSTM(3)": "tensorflow.keras.layers.LSTM is not part of the built-in TensorFlow",
    "tf.keras.optimizers.schedules.ExponentialDecay": "tensorflow.keras.optimizers.schedules is not part",
    "tf.keras.losses.MeanSquaredError('average')": "ValueError: the reduction 'average' is none of Keras'",
    "tf.reduce_sun(x)": "tensorflow.reduce_sun is not part of the built-in TensorFlow (did you mean reduce_sum?)",
    "x + tf.constant(1)": "TypeError: add is of tensors of one number type, not of float32 and int32; convert one with",
    "with tf.GradientTape() as t:\n    y = x * x\nt.gradient(y, x)\nt.gradient(y, x)": "RuntimeError: A non-persistent",
    "tf.keras.layers.Dense(1, kernel_initializer='one')": "ValueError: the initializer 'one' is not built in",
    "x.assign([1., 2.])": "ValueError: cannot assign a value of shape (2,) to a variable of shape ()",
}


@pytest.mark.parametrize("text", FAULTS)
def test_mistakes_are_told_with_their_line(text):
    result = run(START + text)
    told = result.fault or result.remarks[0]  # behind a gradient the graph is kept, and the fault is a remark
    assert FAULTS[text] in told.sentence and told.line == 2 + len(text.splitlines())


def test_class_numbers_were_no_target_of_a_cross_entropy():
    loss = "tf.nn.sparse_softmax_cross_entropy_with_logits(tf.constant([1]), x)"
    text = f"x = tf.Variable([[1., 2.]])\nwith tf.GradientTape() as t:\n    y = {loss}\n"
    result = run(START + text + "print(t.gradient(y, x).numpy().round(4))\n")
    assert result.fault is None and result.printed == "[[ 0.2689 -0.2689]]\n"


def test_a_module_of_variables_was_not_known():
    text = """class Line(tf.Module):
    def __init__(self, **k):
        super().__init__(**k)
        self.w, self.b = tf.Variable(2.0), tf.Variable(0.5)
    def __call__(self, x):
        return self.w * x + self.b
m = Line()
with tf.GradientTape() as t:
    loss = tf.reduce_mean((m(tf.constant([1.0, 3.0])) - 1.0) ** 2)
print(len(m.trainable_variables), [float(g) for g in t.gradient(loss, m.trainable_variables)])
"""
    result = run(START + text)
    assert result.fault is None and result.printed == "2 [7.0, 18.0]\n"  # b comes first, by its name
    assert {"w", "b", "loss"} <= result.document.nodes.keys()


def test_switches_that_change_no_number_are_skipped_with_a_remark():
    text = "tf.get_logger().setLevel('ERROR')\ntf.config.run_functions_eagerly(True)\n"
    text += "with tf.GradientTape() as t:\n    y = x * x\n"
    result = run(START + text + "print(t.gradient(y, x).numpy())\n")
    assert result.printed == "6.0\n" and [item.line for item in result.remarks if item.kind == UNLIKE] == [3, 4]


def test_a_variable_that_is_assigned_under_a_tape_has_the_gradient_of_its_earlier_value_too():
    result = run(
        START
        + "v = tf.Variable([1., 2., 3.])\nwith tf.GradientTape() as t:\n    y = v * v\n    v.assign([5., 5., 5.])\n"
        "    z = tf.reduce_sum(y + v)\nprint(t.gradient(z, v).numpy(), v.numpy())\n"
    )
    assert result.printed == "[3. 5. 7.] [5. 5. 5.]\n"


def test_a_slice_of_a_variable_can_be_assigned():
    result = run(
        START + "v = tf.Variable(tf.zeros((2, 2)))\nv[:, 1].assign([3., 4.])\nv[0, 0].assign(1.)\nprint(v.numpy())\n"
        "with tf.GradientTape() as t:\n    y = tf.reduce_sum(v * v)\nprint(t.gradient(y, v).numpy())\n"
    )
    assert result.printed == "[[1. 3.]\n [0. 4.]]\n[[2. 6.]\n [0. 8.]]\n"


def test_a_source_without_a_gradient_was_missing_and_nothing_said_why():
    code = """
import tensorflow as tf
x = tf.zeros([])
n = tf.Variable(3)
fixed = tf.Variable(1.0, trainable=False)
w = tf.Variable(2.0)
unused = tf.Variable(5.0)
with tf.GradientTape() as tape:
    y = w * x + tf.cast(n, tf.float32) * w * fixed
print(tape.gradient(y, [x, n, w, unused, fixed]))
"""
    document = run(code).document
    reasons = Reasons(compile(document).run())
    said = {name: " ".join(map(str, reasons.of(name))) for name in reasons.leaves()}
    assert said.keys() == {"x", "n", "unused", "fixed"}
    assert "it is not a tf.Variable, and the tape does not watch it; " in said["x"] and "tape.watch(x)" in said["x"]
    assert "it holds integers, and only floats have gradients" in said["n"]
    assert said["unused"] == "nothing on the way to y reads it; use it on the way to y, or leave it out"
    assert "trainable=False" in said["fixed"]
    assert document.nodes["unused"].op == "parameter" and document.nodes["n"].op == "input"


def test_norm_and_std_at_0_have_the_gradient_nan_as_in_tensorflow():
    for call in ("tf.norm(v)", "tf.math.reduce_std(v)"):
        text = f"v = tf.Variable(tf.zeros(3))\nwith tf.GradientTape() as t:\n    y = {call}\n"
        result = run(START + text + "print(t.gradient(y, v).numpy())\n")
        assert result.printed == "[nan nan nan]\n", call
        assert "its gradient in TensorFlow is nan" in "".join(item.sentence for item in result.remarks)


OF_TENSORFLOW = {  # an expression of x and y, where they are, and TensorFlow's gradients there
    "tf.maximum(x, y)": ((1.0, 1.0), (1.0, 0.0)),
    "tf.minimum(x, y)": ((1.0, 1.0), (1.0, 0.0)),
    "tf.atan2(x, y)": ((0.0, 0.0), (np.nan, np.nan)),
    "tf.pow(x, y)": ((-2.0, 3.0), (12.0, 0.0)),
    "tf.acosh(x) + y": ((-2.0, 0.0), (np.nan, 1.0)),
    "tf.nn.selu(x) + y": ((0.0, 0.0), (1.0507010, 1.0)),
    "tf.experimental.numpy.sinc(x) + y": ((0.0, 0.0), (np.nan, 1.0)),
    "tf.reduce_sum(tf.math.cumprod(tf.stack([x, y])))": ((0.0, 3.0), (0.0, 0.0)),
}


@pytest.mark.parametrize("text", OF_TENSORFLOW)
def test_a_graph_had_cadenas_gradient_where_tensorflow_has_another(text):
    (x, y), expected = OF_TENSORFLOW[text]
    code = f"""import tensorflow as tf
x, y = tf.Variable(X), tf.Variable(Y)
with tf.GradientTape() as tape:
    L = {text}
print(tape.gradient(L, [x, y]))
"""
    for first in ((x, y), (1.7, 0.3)):  # the convention holds for numbers that are put in later, too
        result = run(code.replace("X", str(first[0])).replace("Y", str(first[1])))
        assert result.document is not None, result.fault
        found = compile(result.document).run({"x": np.float32(x), "y": np.float32(y)})
        gradients = [float(found.gradient(name)) for name in ("x", "y")]
        assert np.allclose(gradients, expected, rtol=1e-6, equal_nan=True)


def test_an_imported_maximum_is_exported_to_its_own_library_as_such():
    code = """import tensorflow as tf
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    L = tf.maximum(x, 1.0)
print(tape.gradient(L, x))
"""
    document = run(code).document
    assert document is not None
    assert "tf.maximum(x, " in export(document, "tensorflow").text
    assert "autograd.Function" in export(document, "torch").text


def test_sums_so_far_and_diagonals_had_wrong_numbers():
    text = """import tensorflow as tf
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(tf.cumsum(x).numpy().tolist())
print(tf.linalg.diag(x).numpy().tolist())
"""
    assert run(
        text + "w = tf.Variable(1.0)\nwith tf.GradientTape() as t:\n    L = w * w\nt.gradient(L, w)\n"
    ).printed == ("[[1.0, 2.0], [4.0, 6.0]]\n[[[1.0, 0.0], [0.0, 2.0]], [[3.0, 0.0], [0.0, 4.0]]]\n")


def test_a_condition_of_nan_or_of_equality_followed_no_new_numbers():
    code = """import tensorflow as tf
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    kept = tf.logical_and(tf.logical_not(tf.math.is_nan(x)), tf.not_equal(x, 7.0))
    L = tf.reduce_sum(tf.where(kept, x * x, 0.0))
print(tape.gradient(L, x))
"""
    document = run(code).document
    assert document is not None
    found = compile(document).run({"x": np.array([7.0, 3.0], np.float32)})
    assert found.value(document.output) == 9.0


def test_a_constant_that_is_read_twice_was_two_inputs():
    text = (
        "import tensorflow as tf\nx = tf.constant([1., -2.])\nv = tf.Variable([1., 2.])\nwith tf.GradientTape() as t:\n"
        "    loss = tf.reduce_sum(v * x) + tf.reduce_sum(v * v * tf.cast(x > 0, tf.float32))\ng = t.gradient(loss, v)\n"
    )
    document = run(text).document
    assert [node.name for node in document.nodes.values() if node.op == "input"] == ["x"]
    assert float(compile(document).run({"x": [-1.0, 1.0]}).value("loss")) == -1.0 + 2.0 + 4.0


def test_data_that_is_prepared_before_the_tape_stayed_as_it_was_without_a_word():
    text = (
        "import tensorflow as tf\ndata = tf.constant([1., -2.])\nn = data - tf.reduce_mean(data)\n"
        "w = tf.Variable([1., 2.])\nwith tf.GradientTape() as tape:\n    m = data - 1.0\n"
        "    L = tf.reduce_sum(w * n * data * m)\ng = tape.gradient(L, w)\nw.assign_sub(g)\n"
    )
    told = [(item.line, item.sentence) for item in run(text).remarks if item.kind == KEPT]
    assert told == [(3, "line 3 computes n from data outside of the graph, and n stays as it was")]
