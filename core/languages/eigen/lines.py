"""Operations in C++ that take lines of elements: reductions, sorting, losses, small matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec.structs import replace

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
from cadena.core.languages.language import Site
from cadena.core.languages.numpy_rows import layer_axes
from cadena.core.languages.shared import sizes

EigenRow = Callable[[Site, Sequence[str]], EigenCode | None]


def settings(site: Site) -> dict[str, str]:
    """The attributes that are numbers, as code."""
    return {name: number(item) for name, item in site.attributes.items() if isinstance(item, int | float)}


def groups(shape: Sequence[int], axes: Sequence[int]) -> np.ndarray:
    """For each line along `axes` the places of its elements."""
    places = np.arange(int(np.prod(shape, dtype=int))).reshape(shape)
    others = [axis for axis in range(len(shape)) if axis not in axes]
    count = int(np.prod([shape[axis] for axis in axes], dtype=int))
    return np.transpose(places, [*others, *axes]).reshape(-1, count)


def _with_helper(helper: str, call: str, axes: Callable[[Site], Sequence[int]]) -> EigenRow:
    """An operation that calls a function on each line along the axes; None where the lines are too many to write."""

    def row(site: Site, operands: Sequence[str]) -> EigenCode | None:
        places = groups(site.shapes[0], axes(site))
        if places.size > MOST_TERMS:
            return None
        array, text = as_array(operands[0], site.shapes[0]), call.format(**settings(site))
        return EigenCode(single_code(site, f"{helper}({array}, {braced(places)}, {text})"))

    return row


def _along(call: str) -> EigenRow:
    """A reduction: a number of each line."""
    return _with_helper("along", call, Site.axes)


def _lines(call: str, axes: Callable[[Site], Sequence[int]] = Site.axes) -> EigenRow:
    """An operation that changes each line as a whole."""
    return _with_helper("by_lines", call, axes)


def _total(site: Site, operands: Sequence[str]) -> EigenCode | None:
    """The sum or mean: Eigen's own where all elements are meant."""
    name = site.record.name
    if not site.ndim:
        return EigenCode(spread_code(operands[0], (), site.shape) if site.shape else operands[0])
    if not site.shape:
        count = int(np.prod(site.shapes[0], dtype=int))
        divided = f" / Scalar({count})" if name == "mean" else ""
        return EigenCode(f"T({operands[0]}.sum(){divided})")
    return _along(f"{name}_of")(site, operands)


def _norm(site: Site, operands: Sequence[str]) -> EigenCode | None:
    order = {None: 2.0, "fro": 2.0}.get(site["ord"], site["ord"])
    if order in ("inf", np.inf):
        return _along("largest_of")(_bare(site), operands)
    if isinstance(order, str) or order < 1:
        return None
    return _along(f"[](const Line& x) {{{{ return norm_of(x, {float(order)}); }}}}")(_bare(site), operands)


def _bare(site: Site) -> Site:
    return replace(site, attributes={**site.attributes, "ord": None})


def _chosen(site: Site, operands: Sequence[str]) -> EigenCode | None:
    """Elements at places that are numbers of the graph themselves."""
    table, indices = (1, 0) if site.record.name == "embedding" else (0, 1)
    shape, count = site.shapes[table], int(np.prod(site.shapes[table], dtype=int))
    places = np.arange(count).reshape(shape)
    where = count + np.arange(int(np.prod(site.shapes[indices], dtype=int))).reshape(site.shapes[indices])
    if table:
        candidates = np.broadcast_to(np.moveaxis(places, 0, -1), (*where.shape, *shape[1:], shape[0]))
        where = np.broadcast_to(where.reshape(*where.shape, *(1,) * (len(shape) - 1)), site.shape)
    elif site["axis"] is None:
        candidates = np.broadcast_to(places.ravel(), (*site.shape, count))
        where = where.ravel()
    else:
        axis = site.axes()[0]
        lead = np.moveaxis(places, axis, -1)
        candidates = np.broadcast_to(np.expand_dims(lead, axis), (*site.shape, shape[axis]))
        where = np.broadcast_to(where, site.shape)
    lines = np.concatenate([candidates, where[..., None]], axis=-1).reshape(-1, candidates.shape[-1] + 1)
    if lines.size > MOST_TERMS:
        return None
    both = [as_array(operands[one], site.shapes[one]) for one in (table, indices)]
    return EigenCode(single_code(site, f"along(joined({{{', '.join(both)}}}), {braced(lines)}, chosen_of)"))


def _put_along(site: Site, operands: Sequence[str]) -> EigenCode | None:
    """Each line of elements, of their indices and of the values, one behind the other."""
    axis, (shape, indices, values) = site.axes()[0], site.shapes
    count, places = int(np.prod(shape, dtype=int)), list[np.ndarray]()
    for one in (shape, indices, values):
        numbers = sum(item.size for item in places) + np.arange(int(np.prod(one, dtype=int))).reshape(one)
        places.append(numbers)
    lines = [groups_of(np.broadcast_to(one, like), axis) for one, like in zip(places, (shape, indices, indices))]
    both = np.concatenate(lines, axis=1)
    if both.size > MOST_TERMS:
        return None
    array = ", ".join(as_array(operand, one) for operand, one in zip(operands, site.shapes, strict=True))
    sizes_ = f"{shape[axis]}, {indices[axis]}, {str(site['accumulate']).lower()}"
    call = f"[](const Line& x) {{ return put_of(x, {sizes_}); }}"
    return EigenCode(single_code(site, f"Array(by_lines(joined({{{array}}}), {braced(both)}, {call}).head({count}))"))


def groups_of(places: np.ndarray, axis: int) -> np.ndarray:
    """The lines along an axis."""
    return np.moveaxis(places, axis, -1).reshape(-1, places.shape[axis])


def _classes(site: Site, operands: Sequence[str]) -> EigenCode | None:
    """A loss of classes, along axis 1 or the only one."""
    shape, axis = site.shapes[0], min(1, site.ndim - 1)
    lines = groups(shape, [axis])
    if lines.size > MOST_TERMS:
        return None
    chances = operands[0]
    if site.record.name == "cross_entropy":
        chances = f"by_lines({chances}, {braced(lines)}, log_softmax_of)"
    targets = as_array(operands[1], site.shapes[1])
    count, examples = int(np.prod(shape, dtype=int)), len(lines)
    if site.shapes[0] == site.shapes[1]:
        both, f, counted = np.concatenate([lines, count + lines], axis=1), "soft_loss_of", f"Scalar({examples})"
    else:
        both = np.concatenate([lines, count + np.arange(examples)[:, None]], axis=1)
        ignored = number(site["ignore_index"])
        f, counted = f"[](const Line& x) {{ return class_loss_of(x, {ignored}); }}", f"counted({targets}, {ignored})"
    code = f"along(joined({{{chances}, {targets}}}), {braced(both)}, {f})"
    if site["reduction"] == "none":
        return EigenCode(single_code(site, code))
    return EigenCode(f"T({code}.sum(){f' / {counted}' if site['reduction'] == 'mean' else ''})")


def _max_pool(site: Site, operands: Sequence[str]) -> EigenCode | None:
    kernel, stride = sizes(site, "kernel_size"), sizes(site, "stride", "kernel_size")
    border, gap = sizes(site, "padding"), sizes(site, "dilation")
    height, width = site.shapes[0][-2:]
    places = np.arange(int(np.prod(site.shapes[0], dtype=int))).reshape(-1, height, width)
    padded = np.pad(places, [(0, 0), (border[0],) * 2, (border[1],) * 2], constant_values=-1)
    windows = []
    for image, row, column in np.ndindex(places.shape[0], *site.shape[-2:]):
        top, left = row * stride[0], column * stride[1]
        rows = slice(top, top + gap[0] * (kernel[0] - 1) + 1, gap[0])
        columns = slice(left, left + gap[1] * (kernel[1] - 1) + 1, gap[1])
        seen = np.ravel(padded[image, rows, columns])
        windows.append(seen[seen >= 0].tolist())
    if sum(map(len, windows)) > MOST_TERMS:
        return None
    return EigenCode(f"along({operands[0]}, {braced(windows)}, first_largest_of)")


def _pairwise(value: str, *slopes: str) -> Callable[[Site, Sequence[str]], EigenCode]:
    """A loss of pairs: its value and slopes, then all summed up as the attribute says."""

    def row(site: Site, operands: Sequence[str]) -> EigenCode:
        texts = settings(site)
        shape = np.broadcast_shapes(*site.shapes)
        pair = replace(site, shape=shape)
        call, functions = function(pair, value.format(**texts), [slope.format(**texts) for slope in slopes])
        each = applied(pair, operands, call, functions)
        return _reduced(site, each, int(np.prod(shape, dtype=int)), shape)

    return row


def _reduced(site: Site, each: EigenCode, count: int, shape: Sequence[int]) -> EigenCode:
    way = site["reduction"]
    if way == "none" or not shape:
        return each
    by = {"sum": "", "mean": f" / Scalar({count})", "batchmean": f" / Scalar({shape[0]})"}[way]
    return EigenCode(f"T(Array({each.code}).sum(){by})", each.functions)


def _kl_div(site: Site, operands: Sequence[str]) -> EigenCode:
    if site["log_target"]:
        return _pairwise("std::exp(b) * (b - a)", "-std::exp(b)", "std::exp(b) * (b - a + 1)")(site, operands)
    return _pairwise("b == 0 ? 0 : b * std::log(b) - b * a", "-b", "std::log(b) + b / b - a")(site, operands)


def _matrices(code: str, most: int = 6) -> EigenRow:
    """An operation on a matrix of at most so many columns, or on each of a stack, written one after the other."""

    def row(site: Site, operands: Sequence[str]) -> EigenCode | None:
        shapes = [tuple(shape) for shape in site.shapes]
        n, is_vector = shapes[0][-1], len(shapes) > 1 and len(shapes[1]) == 1
        if is_vector:
            shapes[1] = (n, 1)
        lead = np.broadcast_shapes(*(shape[:-2] for shape in shapes))
        count = int(np.prod(lead, dtype=int))
        if n > most or count * n * n > MOST_TERMS:
            return None
        matrices = []
        for stack in range(count):
            parts = [_part(one, shape, lead, stack) for one, shape in zip(operands, shapes, strict=True)]
            matrices.append(
                code.format(*parts, n=n, rows=shapes[0][-2], unit=braced(np.eye(n).ravel().tolist()), m=shapes[-1][-1])
            )
        if not lead:
            return EigenCode(matrices[0])
        each = matrices if len(site.shape) > len(lead) else [f"single({one})" for one in matrices]
        return EigenCode(f"joined({{{', '.join(each)}}})")

    return row


def _eigh(site: Site, operands: Sequence[str]) -> EigenCode | None:
    return _matrices(("eigenvalues({0}, {n})", "eigenvectors({0}, {n})")[site["part"]], MOST_TERMS)(site, operands)


def _svd(site: Site, operands: Sequence[str]) -> EigenCode | None:
    return _matrices(f"svd_factor({{0}}, {{rows}}, {{n}}, {site['part']})", MOST_TERMS)(site, operands)


def _pinv(site: Site, operands: Sequence[str]) -> EigenCode | None:
    return _matrices(f"pseudoinverse({{0}}, {{rows}}, {{n}}, {number(site['rcond'])})", MOST_TERMS)(site, operands)


def _part(code: str, shape: Sequence[int], lead: Sequence[int], stack: int) -> str:
    """One matrix of a stack."""
    if not lead:
        return code
    places = np.broadcast_to(np.arange(int(np.prod(shape, dtype=int))).reshape(shape), (*lead, *shape[-2:]))
    return f"take({code}, {braced(places.reshape(-1, shape[-2] * shape[-1])[stack])})"


def _slogdet(site: Site, operands: Sequence[str]) -> EigenCode | None:
    if site["part"] == 0:
        return _matrices("number(signum(determinant({0}, {n}).value()))")(site, operands)
    return _matrices("logarithm(determinant({0}, {n}))")(site, operands)


SIGMOID = "(a >= 0 ? 1 / (1 + std::exp(-a)) : std::exp(a) / (1 + std::exp(a)))"
ROWS: dict[str, EigenRow] = {
    "sum": _total, "mean": _total, "prod": _along("product_of"),
    "max": _along("[](const Line& x) {{ return extreme_of(x, 1); }}"),
    "min": _along("[](const Line& x) {{ return extreme_of(x, -1); }}"),
    "median": _along("median_of"), "logsumexp": _along("logsumexp_of"),
    "var": _along("[](const Line& x) {{ return variance_of(x, {ddof}); }}"),
    "std": _along("[](const Line& x) {{ return root(variance_of(x, {ddof})); }}"),
    "argmax": _along("place_of"), "argmin": _along("place_of_least"), "argsort": _lines("places_of"), "norm": _norm,
    "cumprod": _lines("products_of"), "sort": _lines("sorted_of"), "partition": _lines("sorted_of"),
    "softmax": _lines("softmax_of"), "log_softmax": _lines("log_softmax_of"),
    "layer_norm": _lines(
        "[](const Line& x) {{ return normalized_of(x, {eps}); }}",
        lambda site: range(site.ndim + layer_axes(site)[0], site.ndim),
    ),
    "batch_norm": _lines(
        "[](const Line& x) {{ return normalized_of(x, {eps}); }}",
        lambda site: [axis for axis in range(site.ndim) if axis != 1],
    ),
    "max_pool2d": _max_pool, "take_along_axis": _chosen, "put_along_axis": _put_along, "embedding": _chosen,
    "nll_loss": _classes,
    "cross_entropy": _classes,
    "where": lambda site, operands: applied(site, operands, "chosen({}, {}, {})", {
        "chosen": "T chosen(const T& c, const T& a, const T& b) { return c.value() != 0 ? a : b; }"
    }),
    "mse_loss": _pairwise("(a - b) * (a - b)", "2 * (a - b)", "2 * (b - a)"),
    "l1_loss": _pairwise("std::abs(a - b)", "signum(a - b)", "signum(b - a)"),
    "huber_loss": _pairwise(
        "std::abs(a - b) <= {delta} ? (a - b) * (a - b) / 2 : {delta} * (std::abs(a - b) - {delta} / 2.0)",
        "larger(-{delta}, smaller({delta}, a - b))", "larger(-{delta}, smaller({delta}, b - a))",
    ),
    "binary_cross_entropy": _pairwise(
        "-(b * larger(std::log(a), -100) + (1 - b) * larger(std::log1p(-a), -100))",
        "(a - b) / larger(a * (1 - a), 1e-12)", "larger(std::log1p(-a), -100) - larger(std::log(a), -100)",
    ),
    "binary_cross_entropy_with_logits": _pairwise(
        "larger(a, 0) - a * b + std::log1p(std::exp(-std::abs(a)))", f"{SIGMOID} - b", "-a"
    ),
    "hinge": _pairwise(
        "larger(0, 1 - b * a)", "-b * signum(larger(0, 1 - b * a))", "-a * signum(larger(0, 1 - b * a))"
    ),
    "hinge_embedding_loss": _pairwise(
        "(b != 1 ? larger({margin} - a, 0) : 0) + (b != -1 ? a : 0)",
        "(b != 1 && a <= {margin} ? -1 : 0) + (b != -1 ? 1 : 0)", "0.0",
    ),
    "kl_div": _kl_div,
    "eigh": _eigh, "svd": _svd, "pinv": _pinv,
    "det": _matrices("determinant({0}, {n})"), "slogdet": _slogdet,
    "cholesky": _matrices("lower_factor({0}, {n})"),
    "inv": _matrices("solved({0}, numbers({unit}), {n}, {n})"),
    "solve": _matrices("solved({0}, {1}, {n}, {m})"),
}  # fmt: skip
