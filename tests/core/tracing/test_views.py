"""Views of traced values and of arrays that a traced function makes share memory, as numpy's do."""

from __future__ import annotations

import itertools
import random
import threading
from typing import Any

import numpy as np
import pytest
from numpy import zeros  # bound before a trace

import cadena
from tests import thorough

X = np.array([[1.3, 2.3], [0.8, -0.7]])


def blocks(x: Any) -> Any:
    b = np.zeros((4, 4))
    b[:2, :2] = x
    b[2:, 2:] = x @ x
    return (b**2).sum()


def elements(x: Any) -> Any:
    b = np.empty(4)
    for place in range(4):
        b[place] = x.ravel()[place] ** 2 * (place + 1)
    b[1] += b[0]
    return np.sum(np.sin(b))


def rows(x: Any) -> Any:
    b = np.ones((2, 2))
    row = b[0]
    b[0, 0] += x[0, 0]
    row *= x[1]
    b.T[1] += x[0] * b[1]
    return (b * b.T).sum() + row.sum()


def views(x: Any) -> Any:
    h = x * 2
    part = h[1:]
    part *= 3
    h.reshape(-1)[3] = x[0, 0]
    column = h[:, 0]
    column += 1
    a, b = np.split(h, 2)
    b -= a * x[0]
    np.flip(h)[0, 0] = x[1, 1] ** 2
    np.moveaxis(h, 0, 1)[0] *= 2
    np.expand_dims(h, 0)[0, 1] += x[1]
    return (h**2).sum() + column.sum()


def lists(x: Any) -> Any:
    turn = np.array([[np.cos(x[0, 0]), -1], [x[1, 1], 2.0]], dtype=float)
    b, c = np.array([1.0, 2.0]), np.array(x)
    same, c[0], b[0] = np.asarray(b), 7.0, x[0, 1]
    same[1] *= np.asarray(x)[1, 0]
    return np.sum((turn @ b) ** 2) + np.sum(np.array([same, c[0]]) * c * np.array(b, float))


def outputs(x: Any) -> Any:
    b, c = np.zeros_like(x), np.full((2, 2), 0.5)
    np.add(x[:1], x[1:], out=b[1:])
    c[c > 0.3] = 2
    c[0] = b[1]
    b[[0, 1]] = b[[1, 0]]
    np.add.at(c, (0, 1), x[0, 0])
    np.sum(x, axis=0, out=c[1])
    return (c * b).sum() + c.sum()


def integrator(x: Any) -> Any:
    s = np.zeros(2)
    s[:] = x[0]
    position, velocity = s[:1], s[1:]
    for _ in range(3):
        velocity -= 0.1 * position
        position += 0.1 * velocity
    return (s**2).sum()


def reused_buffer(x: Any) -> Any:
    buffer, total = np.zeros(2), 0.0
    plain = np.array([1.0, 2.0])
    for place in range(3):
        buffer[:] = place
        plain += 1
        total = total + (x[0] * buffer).sum() + (x[1] * plain).sum()
    return total


def swapped(x: Any) -> Any:
    b = np.zeros((2, 2))
    b[0] = x[0]
    b[:, 0], b[:, 1] = b[:, 1], b[:, 0]
    diagonal = np.diagonal(b)
    b[1, 1] = x[1, 1]
    matrix = np.eye(2)
    matrix[0, 1] = x[0, 1]
    copied, flat = b.copy(), b.flatten()
    copied[0], flat[0] = 9, 100.0
    return diagonal.sum() + (matrix @ b).sum() + np.linalg.det(matrix + x) + copied.sum()


def made_while_plain(x: Any) -> Any:
    b = np.zeros((2, 3))
    flat, turned, row = b.reshape(-1), b.T, b[1]
    parts = np.hsplit(b, 3)
    b[0, 1] = x[0, 0]
    flat[3] = x[0, 1]
    row[1:] = x[1]
    turned[0] *= 2
    return (b * np.arange(6.0).reshape(2, 3)).sum() + (turned**2).sum() + flat.sum() + parts[1].sum() * x[0, 0]


FUNCTIONS = (blocks, elements, rows, views, lists, outputs, integrator, reused_buffer, swapped, made_while_plain)


def slopes(function: Any, x: Any, step: float = 1e-6) -> Any:
    """Central differences."""
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[place] += step
        behind[place] -= step
        found[place] = (function(ahead) - function(behind)) / (2 * step)
    return found


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_writing_through_a_view_of_a_traced_array_changes_the_array(function):
    traced = cadena.trace(function, X)
    np.testing.assert_allclose(traced.value, function(X.copy()))
    np.testing.assert_allclose(cadena.grad(function)(X), slopes(function, X), atol=1e-6)
    run = cadena.compile(traced.document).run()
    np.testing.assert_allclose(run.value(traced.document.output), function(X.copy()))
    gradient = cadena.grad(function)
    for place in np.ndindex(X.shape):
        other = slopes(lambda x, place=place: gradient(x)[place], X)
        np.testing.assert_allclose(cadena.hessian(function)(X)[place], other, atol=1e-5)


def test_an_array_into_which_no_traced_value_is_written_stays_plain():
    def function(x):
        a, places = np.zeros(3), np.zeros(2, int)
        a[1] = 2
        assert isinstance(a, np.ndarray) and float(a[1]) == 2 and a.tolist() == [0, 2, 0] and len(a) == 3
        assert type(np.asarray(a, float)) is np.ndarray and type(places) is np.ndarray and type(a > 1) is np.ndarray
        assert repr(a) == "array([0., 2., 0.])" and [*a] == [0, 2, 0] and a.sum() == 2
        return np.sum(x[places]) * a[1]

    assert cadena.grad(function)(np.array([1.0, 2.0])).tolist() == [4, 0]
    assert type(np.zeros(3)) is np.ndarray


def test_where_a_plain_array_is_known_already_a_traced_value_cannot_be_written():
    def exposed(x):
        b = np.zeros(2)
        np.asarray(b, float)
        b[0] = x
        return b.sum()

    def bound_before(x):
        b = zeros(2)
        b[0] = x
        return b.sum()

    with pytest.raises(TypeError, match="there is a plain array already"):
        cadena.grad(exposed)(1.0)
    with pytest.raises(TypeError, match=r"np.zeros and its like make within the traced function"):
        cadena.grad(bound_before)(1.0)
    for read_only in (lambda x: np.broadcast_to(x, (2, 2)).fill(x[0]), lambda x: np.diag(np.outer(x, x)).fill(x[0])):
        with pytest.raises(ValueError, match="read-only"):
            cadena.trace(read_only, np.ones(2))


def test_arrays_of_other_threads_stay_plain_while_a_function_is_traced():
    kinds = []

    def function(x):
        thread = threading.Thread(target=lambda: kinds.append(type(np.zeros(2))))
        thread.start()
        thread.join()
        return x * 2

    cadena.grad(function)(1.0)
    assert kinds == [np.ndarray]


def random_function(seed: int) -> str:
    """Code with views of `b`, an array that it makes or computes from x (2 x 3), and writes through them."""
    rng, lines, names = random.Random(seed), list[str](), ["b"]
    lines.append(rng.choice(["b = np.zeros((2, 3))", "b = x * 1.5", "b = np.ones_like(x)", "b = np.full((2, 3), 0.3)"]))
    counter = itertools.count()
    for _ in range(rng.randint(4, 9)):
        name = rng.choice(names)
        match rng.randrange(8):
            case 0 | 1 | 2:
                view = rng.choice(VIEWS).format(name)
                names.append(f"v{next(counter)}")
                lines.append(f"{names[-1]} = {view}")
            case 3:
                lines.append(f"{name}[...] = {name} {rng.choice('+*-')} x[{rng.randrange(2)}, {rng.randrange(3)}]")
            case 4:
                lines.append(f"{name} {rng.choice('+*-')}= {rng.choice(['x[0, 1]', '0.5', f'np.sin({name})'])}")
            case 5:
                lines.append(f"{name}.reshape(-1)[:1] = x[1, {rng.randrange(3)}] ** 2")
            case 6:
                lines.append(f"np.multiply({name}, x[0, 0], out={name})")
            case _:
                lines.append(f"{name}[{name} > 0.4] = {rng.choice(['0.25', 'x[1, 1]'])}")
    total = " + ".join(f"np.sum({name} ** 2)" for name in rng.sample(names, min(3, len(names))))
    return "def function(x):\n    " + "\n    ".join([*lines, f"return {total}"]) + "\n"


VIEWS = ("{0}[:1]", "{0}[..., 0:1]", "{0}.T", "{0}.reshape(-1)", "np.ravel({0})", "{0}[::-1]", "{0}[None]",
         "np.swapaxes({0}, 0, -1)", "{0}[[0]]", "np.squeeze({0})", "np.expand_dims({0}, 0)", "{0} * 1", "{0}.flatten()",
         "{0}.copy()", "np.array_split({0}, 1)[0]", "{0}.real", "np.atleast_2d({0})")  # fmt: skip


def test_random_functions_with_views_have_the_value_of_numpy_and_the_gradient_of_differences():
    x, tried = np.array([[0.3, 1.1, -0.4], [0.8, 0.2, 0.9]]), 0
    for seed in range(600 if thorough.everything else 80):
        names: dict[str, Any] = {"np": np}
        exec(text := random_function(seed), names)
        function = names["function"]
        try:
            expected = function(x.copy())
        except (ValueError, IndexError):  # shapes that do not fit
            continue
        np.testing.assert_allclose(cadena.trace(function, x).value, expected, rtol=1e-9, err_msg=f"seed {seed}\n{text}")
        slope = cadena.grad(function)(x)
        found = slopes(function, x)
        np.testing.assert_allclose(slope, found, rtol=2e-4, atol=1e-5, err_msg=f"seed {seed}\n{text}")
        tried += 1
    assert tried > 40
