"""Every operation, tested by what its own record says: a new one needs no line here.

Each example of each record becomes a case: forward mode against differences, reverse mode against forward mode, shape
rule against value, small dtypes in and out, and the form for Python floats against the form for arrays.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cadena.core.ops.primitive import REGISTRY, REQUIRED, AttributeFault, Primitive, Shape, ShapeError
from cadena.core.ops.traits import Trait
from cadena.core.run.float_forms import forward_step, reverse_step, value_term
from cadena.core.run.table import BoundOperation
from tests.core.differences import directional
from tests.thorough import in_turn, tries


class Case(NamedTuple):
    """One example of one record: its operands as arrays and its attributes, complete."""

    primitive: Primitive
    operands: list[np.ndarray]
    attributes: dict[str, Any]

    def value(self, *operands: Any) -> Any:
        return self.primitive.value(*operands, **self.attributes)

    @property
    def carrying(self) -> list[tuple[int, np.ndarray]]:
        """The slots through which a gradient flows, with their operands."""
        slots = range(len(self.operands))
        return [(slot, self.operands[slot]) for slot in slots if self.primitive.slot(slot).differentiable]


def case(primitive: Primitive, example: tuple[Any, ...], dtype: str = "float64") -> Case:
    given = example[-1] if isinstance(example[-1], dict) else {}
    operands = [np.asarray(item, dtype) for item in example if not isinstance(item, dict)]
    return Case(primitive, operands, primitive.complete(given))


EXAMPLES = [(primitive, example) for primitive in REGISTRY.values() for example in primitive.examples]
CASES = [
    pytest.param(case(primitive, example), id=f"{primitive.name}-{primitive.examples.index(example)}")
    for primitive, example in EXAMPLES
]


def by_name(primitive: Primitive) -> str:
    return primitive.name


ALL = in_turn("primitive", REGISTRY.values())
NUMERIC = [name for name in REGISTRY if REGISTRY[name].elementwise and not value_term(BoundOperation(name)).helpers]
# Operations that the complex step says nothing about -> why.
NO_COMPLEX_STEP = {
    **dict.fromkeys(
        "abs maximum minimum fmax fmin relu leaky_relu elu selu hardtanh relu6 sigmoid silu mish softplus logsigmoid "
        "softsign softmax log_softmax logsumexp hinge hinge_embedding_loss l1_loss huber_loss binary_cross_entropy "
        "binary_cross_entropy_with_logits logaddexp logaddexp2 hypot max min median sort partition max_pool2d clip "
        "sign norm cross_entropy".split(),
        "asks for a sign, a magnitude or an order, which complex numbers have not",
    ),
    **dict.fromkeys("var std batch_norm layer_norm".split(), "squares the magnitude of complex numbers"),
    **dict.fromkeys("cholesky eigh svd pinv slogdet".split(), "conjugates complex numbers"),
    **dict.fromkeys("floor ceil trunc round floor_divide remainder fmod argmax".split(), "rounds"),
    **dict.fromkeys("cbrt deg2rad rad2deg arctan2 gammaln digamma zeta nan_to_num".split(), "has no complex form here"),
    **dict.fromkeys("index_put astype take_along_axis".split(), "makes an array of its own type"),
    "sinc": "its complex form loses digits near 0",
}
POINTS = st.floats(-1e3, 1e3) | st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 710.0, -746.0, np.inf, -np.inf, np.nan])


def usual(primitive: Primitive, slot: int) -> list[float]:
    """Numbers that the examples of an elementwise operation have in a slot: inside its domain, off its kinks."""
    return np.concatenate([np.ravel(example[slot]) for example in primitive.examples]).tolist()


def something_like(array: Any, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(np.shape(array)).astype(np.asarray(array).dtype)


# --- values and derivatives


@in_turn("case", CASES)
def test_the_value_is_finite_and_has_the_shape_that_the_shape_rule_says(case):
    y = case.value(*case.operands)
    assert np.all(np.isfinite(y))
    assert np.shape(y) == case.primitive.shape(*map(np.shape, case.operands), **case.attributes)


@in_turn("case", CASES)
def test_the_tangent_agrees_with_differences(case):
    y = case.value(*case.operands)
    for slot, operand in case.carrying:
        direction = something_like(operand)
        tangent = case.primitive.jvp(slot, direction, y, case.operands, case.attributes)
        expected, error = directional(case.value, case.operands, slot, direction)
        assert np.shape(tangent) == np.shape(y)
        assert np.all(np.abs(tangent - expected) <= error), (tangent, expected)


@in_turn("case", [one for one in CASES if one.values[0].primitive.name not in NO_COMPLEX_STEP])
def test_the_tangent_agrees_with_the_complex_step(case):
    """For analytic f the imaginary part of f(x + ih) / h is f'(x) to the last digits: nothing is subtracted."""
    y, tiny = case.value(*case.operands), 1e-30
    for slot, operand in case.carrying:
        direction = something_like(operand)
        shifted = [item + 1j * tiny * direction if i == slot else item for i, item in enumerate(case.operands)]
        tangent = case.primitive.jvp(slot, direction, y, case.operands, case.attributes)
        np.testing.assert_allclose(tangent, np.imag(case.value(*shifted)) / tiny, rtol=1e-14, atol=1e-15)


@in_turn("case", CASES)
def test_reverse_mode_is_the_transpose_of_forward_mode(case):
    """<v, J u> equals <J^T v, u> for any tangent u and any upstream gradient v."""
    y = case.value(*case.operands)
    upstream = something_like(y, seed=1)
    for slot, operand in case.carrying:
        tangent = something_like(operand, seed=2)
        pushed = case.primitive.jvp(slot, tangent, y, case.operands, case.attributes)
        pulled = case.primitive.vjp(slot, upstream, y, case.operands, case.attributes)
        assert np.shape(pulled) == np.shape(operand)
        np.testing.assert_allclose(np.vdot(upstream, pushed), np.vdot(pulled, tangent), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@in_turn("primitive, example", EXAMPLES)
def test_small_floats_in_give_small_floats_out_for_value_tangent_and_gradient(primitive, example, dtype):
    small, exact = case(primitive, example, dtype), case(primitive, example)
    y = small.value(*small.operands)
    assert np.asarray(y).dtype == dtype
    tolerance = 40 * float(np.finfo(dtype).eps)
    np.testing.assert_allclose(y, exact.value(*exact.operands), rtol=tolerance, atol=tolerance)
    for slot, operand in small.carrying:
        assert primitive.vjp(slot, something_like(y), y, small.operands, small.attributes).dtype == dtype
        assert primitive.jvp(slot, something_like(operand), y, small.operands, small.attributes).dtype == dtype


@in_turn("case", CASES)
def test_operands_are_never_changed(case):
    before = [operand.copy() for operand in case.operands]
    y = case.value(*case.operands)
    upstream = something_like(y)
    kept = np.array(upstream)
    for slot, _ in case.carrying:
        case.primitive.vjp(slot, upstream, y, case.operands, case.attributes)
    assert all(np.array_equal(a, b) for a, b in zip([*before, kept], [*case.operands, upstream], strict=True))


# --- shapes


BROADCAST = [((), (3,)), ((3,), (2, 3)), ((2, 1), (1, 3)), ((2, 3), ()), ((4, 1, 3), (2, 1)), ((0, 3), (3,))]


@in_turn("name, shapes", product([name for name in REGISTRY if REGISTRY[name].elementwise], BROADCAST))
def test_elementwise_operations_broadcast_and_sum_the_gradient_back(name, shapes):
    primitive, attributes = REGISTRY[name], REGISTRY[name].complete({})
    rng = np.random.default_rng(0)
    operands = [rng.choice(usual(primitive, slot), shape) for slot, shape in enumerate(shapes[: len(primitive.slots)])]
    y = primitive.value(*operands, **attributes)
    assert np.shape(y) == primitive.shape(*map(np.shape, operands), **attributes)
    upstream = something_like(y)
    for slot, operand in Case(primitive, operands, attributes).carrying:
        pulled = primitive.vjp(slot, upstream, y, operands, attributes)
        assert np.shape(pulled) == operand.shape
        every = primitive.slots[slot].partial(y, *operands, **attributes) * upstream
        np.testing.assert_allclose(np.sum(pulled), np.sum(np.broadcast_to(every, np.shape(y))), rtol=1e-13, atol=1e-13)


# Operand shapes of which at least one has no elements, and attributes, where (0, 3) for each operand does not fit.
EMPTY: dict[str, tuple[list[Shape], dict[str, Any]]] = {
    "matmul": ([(2, 0), (0, 3)], {}),
    "dot": ([(2, 0), (0, 3)], {}),
    "solve": ([(0, 0), (0, 3)], {}),
    **{name: ([(0, 0)], {}) for name in ("inv", "det", "slogdet", "cholesky", "eigh")},
    "einsum": ([(0, 3), (3, 2)], {"subscripts": "ij,jk->ik"}),
    "reshape": ([(0, 3)], {"shape": [3, 0]}),
    "broadcast_to": ([(0, 3)], {"shape": [2, 0, 3]}),
    "getitem": ([(0, 3)], {"index": ":, 1"}),
    "index_put": ([(0, 3), (0,)], {"index": ":, 1"}),
    "take": ([(0, 3)], {"indices": [1], "axis": 1}),
    "partition": ([(0, 3)], {"kth": 1}),
    "swapaxes": ([(0, 3)], {"axis1": 0, "axis2": 1}),
    "moveaxis": ([(0, 3)], {"source": 0, "destination": 1}),
    "pad": ([(0, 3)], {"pad_width": 1}),
    "tile": ([(0, 3)], {"reps": 2}),
    "repeat": ([(0, 3)], {"repeats": 2}),
    "hsplit": ([(0, 3)], {"indices_or_sections": 3}),
    "gradient": ([(0, 3)], {"axis": 1}),
    **{name: ([(0, 3)], {"axis": 1}) for name in ("max", "min", "median", "argmax", "argmin")},
    "conv1d": ([(0, 2, 5), (3, 2, 2)], {}),
    "conv2d": ([(0, 2, 5, 5), (3, 2, 2, 2)], {}),
    "max_pool2d": ([(0, 2, 4, 4)], {"kernel_size": 2}),
    "avg_pool2d": ([(0, 2, 4, 4)], {"kernel_size": 2}),
    "embedding": ([(0,), (4, 3)], {}),
    "nll_loss": ([(0, 3), (0,)], {}),
    "cross_entropy": ([(0, 3), (0,)], {}),
}


@in_turn("primitive", [one for one in REGISTRY.values() if one.name != "batch_norm"])
def test_arrays_without_elements_have_gradients_without_elements(primitive):
    shapes, given = EMPTY.get(primitive.name, ([(0, 3)] * len(primitive.slots), {}))
    operands, attributes = [np.zeros(shape) for shape in shapes], primitive.complete(given)
    with np.errstate(all="ignore"):
        y = primitive.value(*operands, **attributes)
        assert np.shape(y) == primitive.shape(*shapes, **attributes)
        for slot, operand in Case(primitive, operands, attributes).carrying:
            assert primitive.vjp(slot, something_like(y), y, operands, attributes).shape == operand.shape


@pytest.mark.parametrize("name", ["batch_norm", "max", "min", "median", "argmax", "argmin"])
def test_what_nothing_can_be_said_about_is_refused_for_arrays_without_elements(name):
    with pytest.raises(ShapeError, match=r"\(0, 3\)"):
        REGISTRY[name].shape((0, 3), **REGISTRY[name].complete({}))


# Operands and attributes that do not fit, where shapes (2,) and (3,) do.
UNFIT: dict[str, tuple[list[Shape], dict[str, Any]]] = {
    "solve": ([(2, 2), (3,)], {}),
    "tensordot": ([(2,), (3,)], {"axes": 1}),
    "cross": ([(2, 3), (4, 3)], {}),
    "nll_loss": ([(2, 3), (3,)], {}),
    "take_along_axis": ([(2, 3), (3, 3)], {}),
    "put_along_axis": ([(2, 3), (3, 3), (3, 3)], {}),
    "index_put": ([(2,), (3,)], {"index": "..."}),
}
ANY_PAIR_FITS = {"outer", "kron", "embedding"}


@pytest.mark.parametrize(
    "name", [name for name in REGISTRY if len(REGISTRY[name].slots) == 2 and name not in ANY_PAIR_FITS]
)
def test_shapes_that_do_not_fit_are_both_named(name):
    shapes, given = UNFIT.get(name, ([(2,), (3,)], {}))
    with pytest.raises(ShapeError) as caught:
        REGISTRY[name].shape(*shapes, **REGISTRY[name].complete(given))
    assert all(str(shape) in str(caught.value) for shape in shapes)


@ALL
def test_an_unknown_attribute_is_named_and_so_are_those_there_are(primitive):
    with pytest.raises(AttributeFault, match=f"{primitive.name} has no attribute 'colour'; it knows "):
        primitive.complete({"colour": 1})


@ALL
def test_a_required_attribute_that_is_missing_is_named(primitive):
    required = [attribute.name for attribute in primitive.attributes if attribute.default is REQUIRED]
    if required:
        with pytest.raises(AttributeFault, match=f"{primitive.name} needs its attribute '{required[0]}'"):
            primitive.complete({})
    else:
        assert primitive.complete({}) == {attribute.name: attribute.default for attribute in primitive.attributes}


ADDS_AN_AXIS = {"stack", "expand_dims"}  # a number has no axis 2 then either
WRONG_SETTINGS = {
    "integer": [1.5, True, "x", None, [1]],
    "integers": ["x", 1.5, True, [0.5], [None], {"a": 1}],
    "number": ["x", True, [1.0], {"a": 1}],
    "flag": [0, 1, "true", None],
    "choice": ["x", 1, True, [0], "None"],
    "text": [1, None, ["x"]],
    "axis": [2, -3, 1.5, True, "x", [0, 0], [0, 2]],
    "axes": [[0], [0, 0], [0, 1, 2], ["a", "b"], [0.5, 1]],
    "shape": [[4], [-1, -1], [2.5], [-2, -3], "six", [-1, 4], [True, 6], [-1, 0]],
    "index": ["5", "", "1:2:3:4", "x", "import os", "0, 0, 0", "[0.5]", "1.0", "[[0, 9]]", "'a'", "(" * 300, "~0"],
}


@in_turn(
    "name, attribute, setting",
    [
        (primitive.name, attribute.name, setting)
        for primitive in REGISTRY.values()
        for attribute in primitive.attributes
        for setting in WRONG_SETTINGS.get(attribute.kind, [])
    ],
)
def test_a_setting_that_does_not_fit_a_matrix_is_a_shape_error_in_words(name, attribute, setting):
    primitive = REGISTRY[name]
    operand = () if name in ADDS_AN_AXIS else (2, 3)
    with pytest.raises(ShapeError, match=r"\w+ \w+"):
        primitive.shape(*[operand] * len(primitive.slots), **primitive.complete({attribute: setting}))


# --- Python floats


@pytest.mark.parametrize("name", [name for name in REGISTRY if REGISTRY[name].elementwise and name != "astype"])
@tries(30)
@given(data=st.data())
def test_the_form_for_floats_gives_what_the_form_for_arrays_gives(name, data):
    primitive, attributes = REGISTRY[name], REGISTRY[name].complete({})
    kind, count = BoundOperation(name, tuple(attributes.items())), len(primitive.slots)
    points, rtol = data.draw(st.tuples(*[POINTS] * count)), LESS_EXACT_AS_ARRAYS.get(name, 1e-15)
    assume(name != "power" or points[0] != -np.inf)  # numpy takes the root of -inf for its power 1/2: nan, not inf
    arrays, places = [np.float64(point) for point in points], (0, 1, count)
    with np.errstate(all="ignore"):
        y = primitive.value(*arrays, **attributes)
        agree_or_raise(lambda: stepped(forward_step(kind), [0.0, *points], places)[0], y, rtol)
        values = [float(y), *points]
        for slot in set(range(count)) - primitive.choosers:
            step = partial(reverse_step(kind, (slot,)), values)
            got = partial(stepped, step, [1.0, *[0.0] * count], places)
            expected = primitive.slots[slot].partial(y, *arrays, **attributes)
            if name not in GIVE_UP_EARLY or np.abs(points).max() < 100:
                atol = 2.0**-53 if name in CANCELLING else 5e-324
                agree_or_raise(lambda got=got, slot=slot: got()[slot + 1], expected, rtol, atol)


def stepped(step, numbers, places):
    """`numbers` after a step."""
    step(numbers, *places)
    return numbers


GIVE_UP_EARLY = ("logaddexp", "logaddexp2")  # their partials are 1 / (1 + exp(large)), which is finite in numpy: 0
CANCELLING = ("gelu", "silu", "mish")  # near their minimum the slope is a sum of numbers up to 1 that nearly cancel
LESS_EXACT_AS_ARRAYS = {"erfc": 1e-13}  # far out scipy's has lost some digits that the C library's still has


def agree_or_raise(compute, expected, rtol, atol=5e-324):
    """The float form may raise, but only where the array form answers inf or nan."""
    try:
        got = compute()
    except (ArithmeticError, ValueError):
        assert not np.isfinite(expected)
        return
    assert isinstance(got, float)  # what goes over a row of numbers relies on it
    np.testing.assert_allclose(got, float(expected), rtol=rtol, atol=atol)


@tries(30)
@given(data=st.data(), name=st.sampled_from(NUMERIC))
def test_tangents_agree_with_differences_at_random_points(name, data):
    primitive, attributes = REGISTRY[name], REGISTRY[name].complete({})
    near = st.floats(0.99, 1.01)
    drawn = [
        data.draw(st.sampled_from(usual(primitive, slot))) * data.draw(near) for slot in range(len(primitive.slots))
    ]
    points = list(map(np.float64, drawn))
    if Trait.WHOLE_QUOTIENT in primitive.traits:  # it jumps there
        assume(abs(points[0] / points[1] - round(points[0] / points[1])) > 1e-3)
    y = primitive.value(*points, **attributes)
    for slot, _ in Case(primitive, points, attributes).carrying:
        expected, error = directional(partial(primitive.value, **attributes), points, slot, 1.0)
        assert abs(primitive.jvp(slot, np.float64(1.0), y, points, attributes) - expected) <= error
