from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.scripts.remark import UNLIKE
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
    "tf.keras.optimizers.Adam(amsgrad=True)": "TypeError: Adam(amsgrad=...) is not known here; leave it out",
    "tf.keras.losses.MeanSquaredError('average')": "ValueError: the reduction 'average' is none of Keras'",
    "tf.reduce_sun(x)": "tensorflow.reduce_sun is not known here; did you mean reduce_sum?",
    "x + tf.constant(1)": "TypeError: add is of tensors of one number type, not of float32 and int32; convert one with",
    "with tf.GradientTape() as t:\n    y = x * x\nt.gradient(y, x)\nt.gradient(y, x)": "RuntimeError: A non-persistent",
    "tf.keras.Sequential([tf.keras.layers.Dense(1)]).fit([[1.]], [[1.]])": "ValueError: fit needs a loss; call",
    "tf.keras.Sequential().compile('sdg', 'mse')": "ValueError: the optimizer 'sdg' is not known here; there are sgd",
    "tf.keras.Sequential().compile('sgd', 'msa')": "ValueError: the loss 'msa' is not known here; there are mse",
    "tf.keras.layers.Dense(1, kernel_initializer='one')": "ValueError: the initializer 'one' is not known",
    "i = tf.keras.Input((2,)); j = tf.keras.Input((2,))\ntf.keras.Model(i, i + j)(tf.ones((1, 2)))": "ValueError: "
    "input_layer_1 is on the way to the outputs, but not among the model's inputs",
    "x.assign([1., 2.])": "ValueError: cannot assign a value of shape (2,) to a variable of shape ()",
}


@pytest.mark.parametrize("text", FAULTS)
def test_mistakes_are_told_with_their_line(text):
    fault = run(START + text).fault
    assert fault is not None and fault.sentence.startswith(FAULTS[text])
    assert fault.line == 2 + len(text.splitlines())


def test_class_numbers_were_no_target_of_a_cross_entropy():
    loss = "tf.nn.sparse_softmax_cross_entropy_with_logits(tf.constant([1]), x)"
    text = f"x = tf.Variable([[1., 2.]])\nwith tf.GradientTape() as t:\n    y = {loss}\n"
    result = run(START + text + "print(t.gradient(y, x).numpy().round(4))\n")
    assert result.fault is None and result.printed == "[[ 0.2689 -0.2689]]\n"


FITTED = """
import numpy as np
x, y = np.array([[0.], [1.], [2.], [3.]], np.float32), np.array([1., 3., 5., 7.], np.float32)
inputs = tf.keras.Input(shape=(1,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1, kernel_initializer="zeros")(inputs))
model.compile(optimizer=tf.keras.optimizers.SGD(learning_rate=0.1), loss="mse", metrics=["mae"])
"""


def test_a_model_of_keras_is_fitted_judged_and_asked():
    text = (
        'h = model.fit(x, y, epochs=2, verbose=0)\nprint([round(n, 5) for n in h.history["loss"] + h.history["mae"]])\n'
    )
    text += "print(round(model.evaluate(x, y, verbose=0)[0], 5), model.predict(x, verbose=0).shape)\n"
    result = run(START + FITTED + text)
    assert result.fault is None
    assert result.printed == "[21.0, 0.535, 4.0, 0.65]\n0.01435 (4, 1)\n"  # as Keras prints
    assert result.document is not None and not compile(result.document).run().faults
    assert len(result.passes) == 2 and not result.remarks
    assert result.document.output == "loss"


def test_tensors_lost_their_names_in_fit():
    text = "examples, answers = tf.constant(x), tf.constant([[1.], [3.], [5.], [7.]])\n"
    text += "model.fit(examples, answers, verbose=0)\n"
    result = run(START + FITTED + text)
    assert result.document is not None and {"examples", "answers", "loss", "dense_kernel"} <= {*result.document.nodes}


def test_what_is_not_as_in_keras_is_remarked():
    text = "model.fit(x, y, batch_size=2)\nfor _ in tf.data.Dataset.range(3).shuffle(3):\n    pass\n"
    result = run(START + FITTED + text)
    assert result.printed.startswith("Epoch 1/1\nloss: ")
    assert [(remark.line, remark.sentence.partition(" ")[0]) for remark in result.remarks if remark.kind == UNLIKE] == [
        (9, "fit"),
        (9, "progress"),
        (10, "tf.data"),
    ]


def test_a_model_of_keras_prints_its_layers():
    printed = run(START + FITTED + "model.summary()").printed
    assert "\n│ dense (Dense)                   │ (None, 1)              │             2 │\n" in printed
    assert printed.endswith(
        "\n Total params: 2 (8.00 B)\n Trainable params: 2 (8.00 B)\n Non-trainable params: 0 (0.00 B)\n"
    )


def test_the_first_weights_are_those_of_keras_after_its_seed():
    text = "tf.keras.utils.set_random_seed(1)\nlayer = tf.keras.layers.Dense(2)\nlayer(tf.ones((1, 1)))\n"
    text += "print(layer.kernel.numpy())"
    assert run(START + text).printed == "[[-0.6816514  1.0251547]]\n"


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
