"""How each operation is written in C++ with Eigen's AutoDiff: a value and its derivatives, element by element.

Shapes are known when the program is written, so what moves elements becomes a list of places, and what is linear in
its operands a list of terms. What is left has a helper each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from cadena.core.languages import cpp
from cadena.core.languages.eigen.code import (
    MOST_TERMS,
    EigenCode,
    applied,
    as_array,
    braced,
    function,
    number,
    single_code,
    spread_code,
)
from cadena.core.languages.eigen.lines import ROWS
from cadena.core.languages.language import Site

OPERATORS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
EIGENS = frozenset("exp log sqrt sin cos tan sinh cosh tanh".split())  # as Eigen differentiates them itself
MOVES = frozenset(
    "reshape getitem take transpose swapaxes moveaxis ravel squeeze expand_dims broadcast_to tile repeat roll flip "
    "rot90 split array_split hsplit vsplit diag tril triu pad concatenate stack hstack vstack dstack index_put".split()
)
SUMS = frozenset(
    "trace diff gradient dropout avg_pool2d cumsum dot inner outer kron cross tensordot einsum conv1d conv2d "
    "matmul".split()
)


def write(site: Site, operands: Sequence[str]) -> EigenCode | None:
    """An operation on operands that are names of numbers or arrays; None for one without a row in C++."""
    name = site.record.name
    if name in ROWS:
        return ROWS[name](site, operands)
    if name in MOVES:
        return _moved(site, operands)
    if name in SUMS:
        return _summed(site, operands)
    if site.record.elementwise:
        return _elementwise(site, operands)
    return None


def _elementwise(site: Site, operands: Sequence[str]) -> EigenCode | None:
    name = site.record.name
    if name == "astype" and site["dtype"] not in (None, site.dtype):
        return None
    if name in OPERATORS or name in ("negative", "positive"):
        return _by_operator(site, operands)
    if name in EIGENS:
        return applied(site, operands, f"{name}({{}})", {})
    rules = cpp.rules(site.record, tuple(sorted(site.attributes.items())))
    if rules is None:
        return None
    call, functions = function(site, *rules)
    return applied(site, operands, call, functions)


def _by_operator(site: Site, operands: Sequence[str]) -> EigenCode:
    sign = OPERATORS.get(site.record.name)
    if sign is None:
        minus = "-" if site.record.name == "negative" else ""
        return EigenCode(f"{minus}{operands[0]}")
    parts = [
        code if not shape or not site.shape else spread_code(code, shape, site.shape)
        for code, shape in zip(operands, site.shapes, strict=True)
    ]
    if site.shape and not any(site.shapes):
        parts[0] = spread_code(operands[0], (), site.shape)
    return EigenCode(f"{parts[0]} {sign} {parts[1]}")


def _joined(site: Site, operands: Sequence[str]) -> str:
    parts = [as_array(code, shape) for code, shape in zip(operands, site.shapes, strict=True)]
    return parts[0] if len(parts) == 1 else f"joined({{{', '.join(parts)}}})"


def _moved(site: Site, operands: Sequence[str]) -> EigenCode | None:
    """Every element of the result is one of the operands, or the number that a border is filled with."""
    total, numbered = 0, []
    for shape in site.shapes:
        count = int(np.prod(shape, dtype=int))
        numbered.append(np.arange(total + 1.0, total + count + 1.0).reshape(shape))
        total += count
    attributes = dict(site.attributes)
    filled = attributes.get("constant_values", 0.0)
    if filled:
        attributes["constant_values"] = 0.0
    places = np.ravel(site.record.value(*numbered, **attributes)).astype(int) - 1
    source = _joined(site, operands)
    if len(places) == total and np.array_equal(places, np.arange(total)):
        return EigenCode(single_code(site, source))
    if site.record.name == "transpose" and site.ndim == 2:
        return EigenCode(f"transposed({source}, {site.shapes[0][0]}, {site.shapes[0][1]})")
    if len(places) > MOST_TERMS:
        return None
    other = f", {number(filled)}" if filled else ""
    return EigenCode(single_code(site, f"take({source}, {braced(places)}{other})"))


def _summed(site: Site, operands: Sequence[str]) -> EigenCode | None:
    """An operation that is linear in each operand, as a sum of products."""
    if site.record.name == "matmul" and [*map(len, site.shapes)] == [2, 2]:
        (n, k), (_, m) = site.shapes
        return EigenCode(f"matmul({', '.join(operands)}, {n}, {k}, {m})")
    counts = [int(np.prod(shape, dtype=int)) for shape in site.shapes]
    if np.prod([float(count) for count in counts]) > MOST_TERMS:
        return None
    terms = []
    for places in product(*map(range, counts)):
        units = []
        for place, count, shape in zip(places, counts, site.shapes, strict=True):
            unit = np.zeros(count)
            unit[place] = 1.0
            units.append(unit.reshape(shape))
        weights = np.ravel(site.record.value(*units, **site.attributes))
        terms += [(row, places, weights[row]) for row in np.flatnonzero(weights)]
    if len(terms) > MOST_TERMS:
        return None
    rows = int(np.prod(site.shape, dtype=int))
    listed = ", ".join(
        f"{{{row}, {braced(places)}, {number(weight)}}}"
        for row, places, weight in sorted(terms, key=lambda term: term[0])
    )
    parts = ", ".join(as_array(code, shape) for code, shape in zip(operands, site.shapes, strict=True))
    return EigenCode(single_code(site, f"sums({rows}, {{{parts}}}, {{{listed}}})"))
