"""How each operation is written in JAX: as in numpy, with jax.numpy's name, but for what is listed here."""

from __future__ import annotations

import re

from cadena.core.languages import numpy_rows
from cadena.core.languages.language import Site, TableRow, literal
from cadena.core.languages.numpy_rows import gradient_axis
from cadena.core.languages.shared import convolution_geometry, sizes, take_places
from cadena.core.ops.selection import is_repeated

# numpy itself is used for what is known before anything is differentiated: places, random numbers, slices.
OF_NUMPY = re.compile(r"\bnp\.(?!random|s_|array)")


def translated(row: TableRow) -> TableRow:
    """A row of numpy's table with jax.numpy's names."""
    if isinstance(row, str):
        return OF_NUMPY.sub("jnp.", row)
    return lambda site: OF_NUMPY.sub("jnp.", row(site))


def _take(site: Site) -> str:
    places = take_places(site).tolist()
    return f"jnp.take(a, {places if isinstance(places, int) else f'np.array({places})'}, axis=axis)"


def _index_put(site: Site) -> str:
    """JAX leaves open which of several values for one element stays; on GPUs one pass differs from another."""
    if not is_repeated(site.shapes[0], site["index"]):
        return "a.at[index].set(b)"
    return f"{'put_each' if site['repeated'] == 'each' else 'put'}(a, np.s_[index], b)"


def _convolution(site: Site) -> str:
    """The kernels slide over the last axes; a batch of one where there is none."""
    how = convolution_geometry(site)
    settings = f"{literal(how.stride)}, {literal(how.borders)}"
    settings += f", rhs_dilation={literal(how.dilation)}" if set(how.dilation) != {1} else ""
    settings += ", feature_group_count=groups" if site["groups"] != 1 else ""
    if len(site.shape) == len(site.shapes[1]):
        return f"jax.lax.conv_general_dilated(a, b, {settings})"
    return f"jax.lax.conv_general_dilated(a[None], b, {settings})[0]"


def _repeat(site: Site) -> str:
    repeats = site["repeats"]
    return f"jnp.repeat(a, {repeats if isinstance(repeats, int) else f'np.array({list(repeats)})'}, axis=axis)"


def _split(name: str, axis: int | None = None) -> TableRow:
    """JAX wants the places where it is cut in order, counted from the front."""

    def row(site: Site) -> str:
        along = site.axes()[0] if axis is None else max(axis, 0) if site.ndim > 1 else 0
        cuts, size = site["indices_or_sections"], site.shapes[0][along]
        places = [] if isinstance(cuts, int) else [min(cut if cut >= 0 else max(cut + size, 0), size) for cut in cuts]
        if places != sorted(places):  # the parts overlap, or are empty
            begin, end = ([0, *places], [*places, size])
            return f"a[{':, ' * along}{begin[site['part']]}:{end[site['part']]}]"
        sections = "indices_or_sections" if isinstance(cuts, int) else str(places)
        return f"jnp.{name}(a, {sections}{', axis=axis' if axis is None else ''})[part]"

    return row


def _gradient(site: Site) -> str:
    name = "jnp.gradient" if site["edge_order"] == 1 else "gradient"
    return f"{name}(a, spacing, axis={gradient_axis(site)})"


def _gelu(site: Site) -> str:
    return f"jax.nn.gelu(a, approximate={site['approximate'] == 'tanh'})"


def _softmax(name: str) -> TableRow:
    return f"jax.nn.{name}(a, axis=axis)"


def _pool(name: str, last: str) -> TableRow:
    def row(site: Site) -> str:
        kernel, stride = sizes(site, "kernel_size"), sizes(site, "stride", "kernel_size")
        rest = ", padding=padding" if site["padding"] != 0 else ""
        return f"{name}(a, {literal(kernel)}, {literal(stride)}{rest}, {last}={last})"

    return row


SAME_IN_NN = "relu selu softplus silu mish relu6 sigmoid"
ROWS: dict[str, TableRow] = {
    **{name: translated(row) for name, row in numpy_rows.ROWS.items()},
    **{name: f"jax.nn.{name}(a)" for name in SAME_IN_NN.split()},
    **{name: f"special.{name}(a)" for name in ("erf", "erfc", "gammaln", "digamma")},
    "stop_gradient": "jax.lax.stop_gradient(a)",
    "argsort": "jnp.argsort(a, axis=axis).astype(a.dtype)",
    "leaky_relu": "jax.nn.leaky_relu(a, negative_slope=slope)", "elu": "jax.nn.elu(a, alpha=alpha)",
    "gelu": _gelu, "softmax": _softmax("softmax"), "log_softmax": _softmax("log_softmax"),
    "softsign": "jax.nn.soft_sign(a)", "hardtanh": "jax.nn.hard_tanh(a)", "logsigmoid": "jax.nn.log_sigmoid(a)",
    "logsumexp": "jax.nn.logsumexp(a, axis=axis, keepdims=keepdims)",
    "zeta": "zeta(a, b)",
    "cholesky": "jnp.linalg.cholesky(a)", "eigh": "jnp.linalg.eigh(a)[part]",  # of the symmetric part, as ours
    "index_put": _index_put, "take": _take, "repeat": _repeat, "partition": "jnp.sort(a, axis=axis)",
    "split": _split("split"), "array_split": _split("array_split"), "gradient": _gradient,
    "hsplit": _split("hsplit", 1), "vsplit": _split("vsplit", 0),
    "pinv": "jnp.linalg.pinv(a, rtol=rcond | ...)",
    "conv1d": _convolution, "conv2d": _convolution,
    "max_pool2d": _pool("max_pool2d", "dilation"), "avg_pool2d": _pool("avg_pool2d", "count_include_pad"),
}  # fmt: skip

# What rows that depend on the operands write, where it is a call of a helper.
ALIASES: dict[str, tuple[str, ...]] = numpy_rows.ALIASES | {
    "max_pool2d": ("max_pool2d(a, kernel_size, stride, padding=padding, dilation=dilation)",),
    "avg_pool2d": ("avg_pool2d(a, kernel_size, stride, padding=padding, count_include_pad=count_include_pad)",),
    "index_put": ("a.at[index].set(b)", "put(a, np.s_[index], b)"),
}

HELPERS = '''
def put(x, index, values):
    """A copy of x with other values at an index; of several for one element the last one counts."""
    source = np.full(x.shape, -1)
    region = source[index].shape
    source[index] = np.arange(np.prod(region, dtype=int)).reshape(region)
    return jnp.where(source < 0, x, jnp.broadcast_to(values, region).ravel()[source])


def put_along(x, indices, values, axis, accumulate=False):
    """A copy of x with values at, or added to, each line's own indices; of several for one element the last counts."""
    size, count = x.shape[axis], indices.shape[axis]
    values = jnp.moveaxis(jnp.broadcast_to(values, indices.shape), axis, -1)[..., None, :]
    places, x = jnp.moveaxis(indices.astype(int) % size, axis, -1), jnp.moveaxis(x, axis, -1)
    taken = places[..., None, :] == np.arange(size)[:, None]
    if not accumulate and count:
        turns = np.arange(count)
        taken = taken & (jnp.where(taken, turns, -1).max(axis=-1, keepdims=True) == turns)
        x = jnp.where(taken.any(axis=-1), 0.0, x)
    return jnp.moveaxis(x + jnp.where(taken, values, 0.0).sum(axis=-1), -1, axis)


def put_each(x, index, values):
    """A copy of x with other values at an index; each of several for one element gets its gradient."""
    still = jax.lax.stop_gradient(values)
    nothing = jnp.where(jnp.isfinite(still), values - still, 0.0)  # with the gradient of the values
    return put(x, index, still).at[index].add(nothing)


def windows(x, kernel, stride, dilation, padding, value):
    """For each place of a kernel over the last two axes what the windows have there, in a new first axis."""
    widths = [(0, 0)] * (x.ndim - 2) + [(size, size) for size in padding]
    x = jnp.pad(x, widths, constant_values=value)
    reach = [step * (width - 1) + 1 for width, step in zip(kernel, dilation)]
    ends = [size - span + 1 for size, span in zip(x.shape[-2:], reach)]
    return jnp.stack([
        x[..., row : row + ends[0] : stride[0], column : column + ends[1] : stride[1]]
        for row in range(0, reach[0], dilation[0])
        for column in range(0, reach[1], dilation[1])
    ])


def pair(size):
    """A size for each of two axes, from one number for both or a number for each."""
    return (size, size) if isinstance(size, int) else tuple(size)


def max_pool2d(x, kernel, stride, padding=0, dilation=1):
    """The largest element of each window; of equal ones the first gets the gradient."""
    seen = windows(x, kernel, stride, pair(dilation), pair(padding), -jnp.inf)
    return jnp.take_along_axis(seen, jnp.argmax(seen, axis=0)[None], axis=0)[0]


def avg_pool2d(x, kernel, stride, padding=0, count_include_pad=True):
    """The mean of each window; its border counts, or it does not."""
    sums = windows(x, kernel, stride, (1, 1), pair(padding), 0.0).sum(axis=0)
    if count_include_pad:
        return sums / (kernel[0] * kernel[1])
    return sums / windows(jnp.ones(x.shape, x.dtype), kernel, stride, (1, 1), pair(padding), 0.0).sum(axis=0)


def gradient(x, spacing, axis):
    """Differences along an axis, of the second order at the ends too."""
    x = jnp.moveaxis(x, axis, 0)
    first = (-1.5 * x[0] + 2.0 * x[1] - 0.5 * x[2]) / spacing
    last = (1.5 * x[-1] - 2.0 * x[-2] + 0.5 * x[-3]) / spacing
    inner = (x[2:] - x[:-2]) / (2.0 * spacing)
    return jnp.moveaxis(jnp.concatenate([first[None], inner, last[None]]), 0, axis)


@jax.custom_jvp
def zeta(s, q):
    """Hurwitz's zeta function, with its derivative by q."""
    return special.zeta(s, q)


zeta.defjvp(lambda at, along: (zeta(*at), -at[0] * special.zeta(at[0] + 1.0, at[1]) * along[1]))


def sum_to(gradient, shape):
    """A gradient summed over the axes along which its operand was broadcast."""
    lead = gradient.ndim - len(shape)
    gradient = gradient.sum(axis=tuple(range(lead)))
    return gradient.sum(axis=tuple(axis for axis, size in enumerate(shape) if size == 1), keepdims=True).reshape(shape)


def share_out(batch, others):
    """The examples of the batch over as many devices as --devices says, and the others on each of these."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--devices", metavar="N", type=int, default=1, help="share the batch out among N devices")
    count, size = parser.parse_args().devices, len(batch[0])
    if not 1 <= count <= jax.device_count():
        raise SystemExit(f"--devices {count}: JAX has {jax.device_count()} here; choose as many or fewer")
    if size % count:
        raise SystemExit(f"--devices {count}: a batch of {size} has no {count} equal parts; choose a divisor")
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:count]), "batch")
    along, everywhere = (
        jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*axes)) for axes in (["batch"], [])
    )
    return jax.device_put(batch, along), jax.device_put(others, everywhere)


def shown(x):
    """Nested lists with every number in its shortest exact form."""
    x = np.asarray(x)
    return [shown(row) for row in x] if x.ndim else float(str(x))
'''
TAKEN_OVER = ("reduced", "nll_loss", "cross_entropy", "soft_cross_entropy")
