"""Every public function of numpy, numpy.linalg, numpy.fft on traced values: right and traced, or refused with advice.

Nothing may give a plain array that depends on the traced value, unless it is known to have no gradient.
"""

from __future__ import annotations

import contextlib
import copy
import io
import math
import pickle
from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np
import pytest

from cadena.core.methods.checking import check_grads
from cadena.core.tracing.functions import WITHOUT_GRADIENT
from cadena.core.tracing.recording import Tape
from cadena.core.tracing.trace import trace
from cadena.core.tracing.traced import is_traced, plain
from cadena.core.tracing.transforms import grad
from tests.thorough import in_turn

MATRIX = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]])
VECTOR = np.array([0.2, 0.5, 0.9])
NUMBER = np.float64(0.7)
# How a function may be called: the first forms that numpy itself takes are tried.
FORMS: list[Callable[[Any], tuple[Any, ...]]] = [
    lambda x: (x,),
    lambda x: (x, x),
    lambda x: (x, 1),
    lambda x: (x, 0.25),
    lambda x: ([x, x],),
    lambda x: (x, [0]),
    lambda x: (x, x, x),
]
# Those that want something else, and in-place functions that must see a traced value in each place.
OWN_FORMS: dict[str, list[Callable[[Any], tuple[Any, ...]]]] = {
    "apply_along_axis": [lambda x: (lambda line: line * 2.0, 0, x)],
    "apply_over_axes": [lambda x: (np.sum, x, [0])],
    "choose": [lambda x: ([0, 1, 0], [x, x])],
    "compress": [lambda x: ([True, False, True], x)],
    "cross": [lambda x: (x, x)],
    "dsplit": [lambda x: (np.stack([x, x], axis=2), 2)],
    "einsum": [lambda x: ("ij,jk", x, x), lambda x: (x, [0, 1], x, [1, 2], [0, 2])],
    "einsum_path": [lambda x: ("ij,jk", x, x)],
    "extract": [lambda x: ([True, False, True], x)],
    "full": [lambda x: (3, x)],
    "full_like": [lambda x: (x, x), lambda x: (np.ones(3), x)],
    "insert": [lambda x: (x, 0, x), lambda x: (np.ones(3), 0, x)],
    "interp": [lambda x: (x, x, x)],
    "ix_": [lambda x: (x,)],
    "linspace": [lambda x: (x, x * 2.0, 5)],
    "moveaxis": [lambda x: (x, 0, 1)],
    "pad": [lambda x: (x, 1)],
    "piecewise": [lambda x: (x, [x > 0.5], [1.0, 2.0])],
    "place": [lambda x: (x, [True, False, True], x), lambda x: (np.ones(3), [True, False, True], x)],
    "polyfit": [lambda x: (x, x, 1)],
    "put": [lambda x: (x, [0], 1.0), lambda x: (np.ones(3), [0], x)],
    "put_along_axis": [lambda x: (x, np.array([0]), 1.5, 0), lambda x: (np.ones(3), np.array([0]), x[:1], 0)],
    "putmask": [lambda x: (x, [True, False, True], 1.0), lambda x: (np.ones(3), [True, False, True], x)],
    "resize": [lambda x: (x, (2, 2))],
    "rollaxis": [lambda x: (x, 1)],
    "select": [lambda x: ([np.array([True, False, True])], [x])],
    "swapaxes": [lambda x: (x, 0, 1)],
    "take_along_axis": [lambda x: (x, np.array([0]), 0)],
    "vecdot": [lambda x: (x, x)],  # with out= among its operands numpy 2.4 reads what it has written
}
# Settings and things that no array goes into; the types are looked at below.
NO_ARRAYS = set(
    "base_repr binary_repr broadcast_shapes busday_count busday_offset is_busday datetime_as_string datetime_data eye "
    "format_float_positional format_float_scientific from_dlpack frombuffer fromfile fromfunction fromiter "
    "frompyfunc fromregex fromstring genfromtxt get_include get_printoptions getbufsize geterr geterrcall identity "
    "indices info isdtype load loadtxt printoptions promote_types result_type save savetxt savez savez_compressed "
    "set_printoptions setbufsize seterr seterrcall show_config show_runtime test typename tri tril_indices "
    "triu_indices mask_indices unpackbits packbits unravel_index ravel_multi_index bincount diag_indices fftfreq "
    "rfftfreq iterable isfortran isscalar array_repr array_str array2string empty empty_like bmat issubdtype "
    "nested_iters ones zeros "
    # of whole numbers and dates, which traced values are not
    "bitwise_count bitwise_invert invert bitwise_not bitwise_and bitwise_or bitwise_xor bitwise_left_shift left_shift "
    "bitwise_right_shift right_shift gcd lcm isnat".split()
)
TEXTS_AND_NONE = (str, type(None))


def functions() -> list[Any]:
    found = {}
    for room in (np, np.linalg, np.fft):
        for name in sorted(set(dir(room)) - NO_ARRAYS):
            function = getattr(room, name)
            if callable(function) and not isinstance(function, type) and not name.startswith("_"):
                found[f"{room.__name__}.{name}"] = function
    return [pytest.param(function, id=name) for name, function in found.items()]


def initial(case: Any) -> str:
    """The first letter of a function's name, by which the many are grouped."""
    return str(case.id).rpartition(".")[2][0]


def quietly(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        return function(*arguments)


def calls(function: Any) -> list[tuple[Callable[[Any], tuple[Any, ...]], Any]]:
    """The forms and points at which numpy itself can be called with floats, and gives something."""
    fitting = []
    for form in OWN_FORMS.get(getattr(function, "__name__", ""), FORMS):
        for point in (MATRIX, VECTOR, NUMBER):
            try:
                quietly(function, form(copy.copy(point)))
            except Exception:  # numpy says no in many ways; then this form is none for the function
                continue
            fitting.append((form, point))
    return fitting


def has_trace(result: Any) -> bool:
    return is_traced(result) or (isinstance(result, tuple | list) and any(map(has_trace, result)))


READ_ONCE = (
    np.nonzero, np.flatnonzero, np.argwhere, np.argpartition, np.lexsort, np.histogram, np.linalg.matrix_rank,
)  # fmt: skip


def is_without_gradient(function: Any) -> bool:
    return function in WITHOUT_GRADIENT or function in READ_ONCE


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    if is_traced(a) or is_traced(b):
        a, b = plain(a), plain(b)
    return bool(np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f"))


@pytest.mark.filterwarnings("ignore")  # numpy warns of what it deprecates
@in_turn("function", functions(), kind=initial)
def test_a_numpy_function_is_traced_or_refused_with_advice(function: Any) -> None:
    fitting = calls(function)
    assert fitting, "give it OWN_FORMS, or name it in NO_ARRAYS"
    for form, point in fitting:
        leaf = Tape().leaf(copy.copy(point))
        changed = copy.copy(point)
        expected = quietly(function, form(changed))
        try:
            result = quietly(function, form(leaf))
        except (TypeError, ValueError) as error:
            assert_helpful(error)
            continue
        if has_trace(result):
            assert_close(result, expected)
        elif not isinstance(result, TEXTS_AND_NONE) and not is_without_gradient(function):
            assert same(result, quietly(function, form(point * 0.9 + 0.01))), f"{function} lost the graph"
        assert same(leaf, changed) or expected is not None, f"{function} did not change its argument"


def assert_helpful(error: Exception, *others: str) -> None:
    """Our sentence: what it is about, and after a semicolon or in an example what to write; or one of the others."""
    text = str(error)
    assert any(part in text for part in ("; ", "for example", *others)), text
    assert "<lambda>" not in text or "vectorized" in text, text


def assert_close(found: Any, expected: Any) -> None:
    if isinstance(expected, tuple | list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other)
    else:
        np.testing.assert_allclose(plain(found), expected, rtol=1e-12, atol=1e-12)


SMOOTH: list[Callable[[Any], Any]] = [
    lambda x: np.append(x, x * 2.0),
    lambda x: np.column_stack([x[0], x]),
    lambda x: np.atleast_3d(x) * np.atleast_2d(x[0]),
    lambda x: np.ptp(x, axis=1),
    lambda x: np.diagonal(x, 1) * np.linalg.diagonal(x, offset=-1),
    lambda x: np.linalg.trace(x),
    lambda x: np.linalg.matmul(x, x) + np.linalg.outer(x[0], x[1]),
    lambda x: np.linalg.cross(x, x[0]),
    lambda x: np.linalg.vecdot(x, x[0]) + np.vecdot(x, x),
    lambda x: np.linalg.matrix_norm(x) + np.linalg.vector_norm(x, ord=3),
    lambda x: np.linalg.multi_dot([x, x, x[0]]),
    lambda x: np.linalg.matrix_power(x, 3) + np.linalg.matrix_power(x, -2),
    lambda x: np.linalg.svdvals(x) + np.linalg.cond(x),
    lambda x: np.linalg.eigvalsh(x + x.T),
    lambda x: np.polyval(x[0], x),
    lambda x: np.convolve(x[0], x[1, :2], "same") + np.correlate(x[0], x[1], "same"),
    lambda x: np.trapezoid(x, x[0] * 3.0 + np.arange(3)),
    lambda x: np.linspace(x[0], x[1], 5),
    lambda x: np.logspace(x[0, 0], x[1, 1], 4, base=2.0),
    lambda x: np.ediff1d(x, to_end=x[0, 0]),
    lambda x: np.cumulative_sum(x, axis=0) * np.cumulative_prod(x, axis=1),
    lambda x: np.unstack(x)[1] * np.broadcast_arrays(x, x[0])[1],
    lambda x: np.select([x > 2.0, x > 0.0], [x * 2.0, x * x], x**3),
    lambda x: np.delete(x, 1, axis=0) * np.compress([True, False, True], x, axis=0),
    lambda x: np.extract(x > 0.0, x),
    lambda x: np.quantile(x, 0.3, axis=1) + np.percentile(x, 70.0),
    lambda x: np.interp(x[0], np.array([0.0, 1.3, 5.0]), x[1]),
    lambda x: np.vander(x[0], 4),
    lambda x: np.cov(x) + np.corrcoef(x),
    lambda x: np.rollaxis(x, 1) * np.average(x, axis=1, weights=x[0]),
    lambda x: np.nansum(x, axis=0) * np.nanmean(x * x) + np.nanprod(x),
    lambda x: divmod(x, 0.77)[1] + np.modf(x)[0],
    lambda x: np.copysign(x, -x) + np.heaviside(x, 0.5) * np.ldexp(x, 3),
    lambda x: np.matvec(x, x[0]) + np.vecmat(x[0], x),
    lambda x: np.clip(x, x[0] - 2.0, 1.7) + np.full_like(x, x[0, 0]),
    lambda x: sum(part.sum() ** 2 for part in np.array_split(x, 2) + np.hsplit(x, 3) + np.vsplit(x, [1])),
    lambda x: round(x[0, 0]) * x.mT + x.real + x.imag + x.diagonal() + x.compress([1, 0, 1], axis=1).sum(),
    lambda x: copy.deepcopy(x) * copy.copy(x),
    lambda x: np.astype(x, np.float64),
]


@pytest.mark.parametrize("function", SMOOTH)
def test_what_is_composed_of_operations_has_the_right_derivatives(function: Any) -> None:
    x = np.array([[2.2, 0.3, 0.5], [0.4, 3.1, 1.3], [0.7, 0.9, 1.6]])
    np.testing.assert_allclose(trace(function, x).value, function(x), rtol=1e-12)
    check_grads(function, [x], atol=1e-5, rtol=1e-5)


@in_turn("name", [name for name in dir(np.ndarray) if not name.startswith("__")], kind=itemgetter(0))
def test_an_attribute_of_arrays_is_there_or_says_what_to_write(name: str) -> None:
    leaf = Tape().leaf(np.array([0.3, 0.1]))
    try:
        found = getattr(leaf, name)
        result = found() if callable(found) else found
    except (TypeError, AttributeError, ValueError) as error:
        assert_helpful(error, "missing", "cannot reshape", "two dimensions", "out of bounds")  # numpy's own
    else:
        assert has_trace(result) or name in "argpartition dtype imag ndim nonzero shape size".split()


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda x: x.sort(), r"write x = np\.sort\(x\)"),
        (lambda x: x.resize(2, 1), r"write x = np\.reshape"),
        (lambda x: x.partition(0), r"write x = np\.partition"),
        (lambda x: setattr(x, "shape", (2, 1)), r"write x = np\.reshape"),
        (lambda x: np.put(x, [0], 1.0), r"write x\[places\] = values"),
        (lambda x: np.put(np.zeros(2), [0, 1], x), r"write x\[places\] = values"),
        (lambda x: np.copyto(np.zeros(2), x), r"write x\[\.\.\.\] = values"),
        (lambda x: np.place(x, x > 0, [1.0]), r"np\.where\(condition, values, x\)"),
        (lambda x: np.putmask(x, x > 0, x), r"np\.where\(condition, values, x\)"),
        (lambda x: np.fill_diagonal(np.outer(x, x), 0.0), r"range\(n\)"),
        (lambda x: np.linspace(0.0, 1.0, 2).__setitem__(0, x[0]), "join them with np.stack"),
        (lambda x: np.linspace(0.0, 1.0, 2).__setitem__(slice(None), x), "use np.stack or np.concatenate"),
        (lambda x: np.linspace(0.0, 1.0, 2).__iadd__(x), "leave out= away"),
        (lambda x: math.sin(x[0]), "use np.sin and the like"),
        (lambda x: np.vectorize(math.sin)(x), "use np.stack or np.concatenate"),
        (lambda x: pickle.dumps(x), "save the trace's document"),
        (lambda x: np.sum(x, 0, None, None, False, 5.0), "leave further ones away"),
        (lambda x: np.sum(x, initial=5.0), "leave initial= away"),
        (lambda x: np.add.reduce(x, initial=5.0), "leave initial= away"),
        (lambda x: np.concatenate([x, x], dtype=np.float32), "leave dtype= away"),
        (lambda x: np.einsum("i,i", x, x, dtype=np.float32), "leave dtype= away"),
        (lambda x: np.ptp(x, 0, None, True), "leave other arguments away"),
        (lambda x: np.linalg.eig(np.outer(x, x)), "use np.linalg.eigh"),
        (lambda x: np.linalg.lstsq(np.outer(x, x), x), "use np.linalg.pinv"),
        (lambda x: np.emath.sqrt(x), "use the function of np itself"),
        (lambda x: [[x[0], x[1]], [x[1], x[0]]], "np.stack"),
        (lambda x: {"loss": x}, "join the elements"),
        (lambda x: np.frompyfunc(abs, 1, 1)(x), "write it with functions that are"),
    ],
)
def test_what_would_lose_the_graph_says_what_to_write(call: Any, advice: str) -> None:
    with pytest.raises(TypeError, match=advice):
        trace(call, np.array([0.3, 0.1]))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda x: np.sum(x, axis=5),
            r"sum: there is no axis 5: shape \(2,\) has axes 0 to 0; change.*\(operands",
        ),
        (lambda x: x + np.ones(3), r"add cannot pair shapes \(2,\) and \(3,\); make them equal"),
        (lambda x: x @ np.ones((3, 3)), r"matmul.*\(2,\).*\(3, 3\)"),
        (lambda x: np.reshape(x, (3, 2)), r"reshape: shape \(2,\) has 2 elements, but shape \(3, 2\) holds 6; change"),
        (lambda x: np.linalg.inv(x), r"inv needs a square matrix, not shape \(2,\)"),
        (lambda x: np.pad(x[0], 1), r"pad needs at least one axis, not a number; reshape it"),
    ],
)
def test_shapes_that_do_not_fit_are_told_as_in_the_window(call: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        trace(call, np.array([0.3, 0.1]))


@pytest.mark.filterwarnings("ignore")  # of types that numpy deprecates
@pytest.mark.parametrize("kind", [kind for kind in vars(np).values() if isinstance(kind, type)])
def test_a_type_of_numpy_takes_no_numbers_out_of_a_traced_value(kind: Any) -> None:
    leaf = Tape().leaf(NUMBER)
    try:
        result = kind(leaf)
    except (TypeError, ValueError):
        return
    assert isinstance(result, np.dtype | np.finfo | str)


def test_a_plain_result_that_is_written_into_a_traced_array_leaves_no_gradient_behind() -> None:
    def f(x: Any) -> Any:
        y = x * 2.0
        np.greater(y, 1.0, out=y)
        return np.sum(y * x)

    x = np.array([0.2, 0.9])
    assert grad(f)(x).tolist() == [0.0, 1.0]


def test_full_like_keeps_the_dtype() -> None:
    assert trace(lambda x: np.full_like(x, 2) * x, np.ones(2, np.float32)).value.dtype == np.float32


def test_a_traced_value_is_printed_with_its_number() -> None:
    assert f"{Tape().leaf(NUMBER):.3f}" == "0.700"
