"""Functions that TensorFlow lacks, as they are written at the top of a program."""

CODE = '''
def elements(x, index):
    """x[index], for an index with lists of places, which TensorFlow does not take."""
    return tf.gather(tf.reshape(x, (-1,)), np.arange(np.prod(x.shape, dtype=int)).reshape(x.shape)[index])


def put(x, index, values):
    """A copy of x with other values at an index; of several for one element the last one counts."""
    source = np.full(x.shape, -1)
    region = source[index].shape
    source[index] = np.arange(np.prod(region, dtype=int)).reshape(region)
    values = tf.reshape(tf.broadcast_to(values, region), (-1,))
    return tf.where(source < 0, x, tf.gather(values, np.maximum(source, 0)))


def put_each(x, index, values):
    """A copy of x with other values at an index; each of several for one element gets its gradient."""
    places = np.arange(np.prod(x.shape, dtype=int)).reshape(x.shape)[index]
    still = tf.stop_gradient(values)
    nothing = tf.where(tf.math.is_finite(still), values - still, 0.0)  # with the gradient of the values
    nothing = tf.reshape(tf.broadcast_to(nothing, places.shape), (-1,))
    return put(x, index, still) + tf.reshape(
        tf.math.unsorted_segment_sum(nothing, places.ravel(), np.prod(x.shape, dtype=int)), x.shape
    )


def put_along(x, indices, values, axis, accumulate):
    """A copy of x with values at, or added to, each line's own indices; of several for one element the last counts."""
    size, count = x.shape[axis], indices.shape[axis]
    values = tnp.moveaxis(tf.broadcast_to(values, indices.shape), axis, -1)[..., None, :]
    places, x = tnp.moveaxis(tf.cast(indices, tf.int64) % size, axis, -1), tnp.moveaxis(x, axis, -1)
    taken = places[..., None, :] == np.arange(size)[:, None]
    if not accumulate and count:
        turns = np.arange(count)
        taken &= tf.reduce_max(tf.where(taken, turns, -1), axis=-1, keepdims=True) == turns
        x = tf.where(tf.reduce_any(taken, axis=-1), tf.zeros_like(x), x)
    return tnp.moveaxis(x + tf.reduce_sum(tf.where(taken, values, tf.zeros_like(values)), axis=-1), -1, axis)


def pad(x, widths, mode):
    """x continued beyond its ends as numpy does it."""
    places = np.pad(np.arange(np.prod(x.shape, dtype=int)).reshape(x.shape), widths, mode=mode)
    return tf.gather(tf.reshape(x, (-1,)), places)


def sum_to(gradient, shape):
    """A gradient summed over the axes along which its operand was broadcast."""
    lead = len(gradient.shape) - len(shape)
    stretched = [lead + axis for axis, size in enumerate(shape) if size == 1]
    return tf.reshape(tf.reduce_sum(gradient, axis=[*range(lead), *stretched]), shape)


@tf.custom_gradient
def cbrt(x):
    """The cube root, of negative numbers too; at 0 it is infinitely steep."""
    y = tf.sign(x) * tf.abs(x) ** (1.0 / 3.0)
    return y, lambda upstream: upstream / (3.0 * y * y)


@tf.custom_gradient
def fmod(a, b):
    """The remainder with the sign of a."""
    y = tf.truncatemod(a, b)
    times = tf.round((a - y) / b)
    return y, lambda upstream: (sum_to(upstream + 0.0 * y, a.shape), sum_to(-upstream * times, b.shape))


def logaddexp(a, b):
    """log(exp(a) + exp(b)) without overflow."""
    return a + tf.math.softplus(b - a)


def logaddexp2(a, b):
    """The same to the base 2."""
    return a + tf.math.softplus((b - a) * math.log(2.0)) / math.log(2.0)


def nan_to_num(x):
    """x with 0 for nan, and the largest number for inf."""
    return tf.where(tf.math.is_nan(x), 0.0, tf.clip_by_value(x, x.dtype.min, x.dtype.max))


def cumprod(x, axis=0):
    """Products of all elements up to each one, with the right gradient where some are 0."""
    count = x.shape[axis]
    rows = tnp.moveaxis(x, axis, -1)[..., None, :]
    return tnp.moveaxis(tf.reduce_prod(tf.where(np.tri(count, dtype=bool), rows, 1.0), axis=-1), -1, axis)


@tf.custom_gradient
def det(x):
    """The determinant; its gradient are the cofactors, also of a singular matrix."""
    s, u, v = tf.linalg.svd(x)
    sign = tf.linalg.det(u) * tf.linalg.det(v)
    others = tf.math.cumprod(s, -1, exclusive=True) * tf.math.cumprod(s, -1, exclusive=True, reverse=True)
    cofactors = sign[..., None, None] * tf.matmul(u * others[..., None, :], v, transpose_b=True)
    return tf.linalg.det(x), lambda upstream: upstream[..., None, None] * cofactors


def cholesky(x):
    """The lower triangular factor of the symmetric part of x."""
    return tf.linalg.cholesky((x + tf.linalg.matrix_transpose(x)) / 2.0)


def eigh(x, part):
    """The eigenvalues or the eigenvectors of the symmetric part of x."""
    return tf.linalg.eigh((x + tf.linalg.matrix_transpose(x)) / 2.0)[part]


def factor(x, part):
    """A factor of the singular value decomposition, in numpy's order and with the right vectors as rows."""
    s, u, v = tf.linalg.svd(x)
    return (u, s, tf.linalg.matrix_transpose(v))[part]


def median(x, axes):
    """The middle element, or the mean of the middle two."""
    others = [axis for axis in range(len(x.shape)) if axis not in axes]
    count = int(np.prod([x.shape[axis] for axis in axes], dtype=int))
    line = tf.sort(tf.reshape(tf.transpose(x, [*others, *axes]), (-1, count)), axis=-1)
    return (line[:, (count - 1) // 2] + line[:, count // 2]) / 2.0


def cross(a, b, axisa=-1, axisb=-1, axisc=-1):
    """The cross product of vectors along these axes."""
    a, b = tnp.moveaxis(a, axisa, -1), tnp.moveaxis(b, axisb, -1)
    shape = tf.broadcast_static_shape(a.shape, b.shape)
    return tnp.moveaxis(tf.linalg.cross(tf.broadcast_to(a, shape), tf.broadcast_to(b, shape)), -1, axisc)


def einsum(subscripts, *operands):
    """tf.einsum, which knows no letter twice in one operand: there the diagonal is taken first."""
    terms, arrow, result = subscripts.replace(" ", "").partition("->")
    terms, parts = terms.split(","), []
    if not arrow:
        letters = "".join(terms).replace("...", "")
        result = "..." * ("..." in terms[0]) + "".join(one for one in sorted(set(letters)) if letters.count(one) == 1)
    for place, (term, operand) in enumerate(zip(terms, operands)):
        for letter in sorted(set(term) - {"."}):
            while term.count(letter) > 1:
                first, second = term.index(letter), term.rindex(letter)
                operand = tnp.diagonal(operand, 0, first, second)
                term = term.replace(letter, "", 1)[: second - 1] + term[second + 1 :] + letter
        terms[place] = term
        parts.append(operand)
    return tf.einsum(f"{','.join(terms)}->{result}", *parts)


def solve(a, b):
    """The solution of a x = b, for stacks of matrices too."""
    if len(b.shape) == 1:
        return solve(a, b[:, None])[..., 0]
    lead = tf.broadcast_static_shape(a.shape[:-2], b.shape[:-2])
    a, b = tf.broadcast_to(a, lead + a.shape[-2:]), tf.broadcast_to(b, lead + b.shape[-2:])
    return tf.linalg.solve(a, b)


def gradient(x, spacing=1.0, axis=0, edge_order=1):
    """Differences along an axis: central ones inside, one-sided ones at both ends."""
    x = tnp.moveaxis(x, axis, 0)
    if edge_order == 1:
        first, last = x[1] - x[0], x[-1] - x[-2]
    else:
        first, last = -1.5 * x[0] + 2.0 * x[1] - 0.5 * x[2], 1.5 * x[-1] - 2.0 * x[-2] + 0.5 * x[-3]
    inner = (x[2:] - x[:-2]) / 2.0
    return tnp.moveaxis(tf.concat([first[None], inner, last[None]], 0) / spacing, 0, axis)


def reduced(losses, count, reduction):
    """The losses themselves, their sum, or their mean over those that count."""
    return losses if reduction == "none" else tf.reduce_sum(losses) / (count if reduction == "mean" else 1)


def nll_loss(log_probabilities, classes, reduction="mean", ignore_index=-100):
    """Minus the logarithm of the probability of the right class; classes are along axis 1, if there is a batch."""
    axis = min(1, len(log_probabilities.shape) - 1)
    counted = classes != ignore_index
    places = tf.cast(tf.where(counted, classes, 0.0), tf.int64)
    chosen = tf.one_hot(places, log_probabilities.shape[axis], True, False, axis=axis)
    losses = -tf.reduce_sum(tf.where(chosen, log_probabilities, 0.0), axis=axis)
    losses = tf.where(counted, losses, 0.0)
    return reduced(losses, tf.reduce_sum(tf.cast(counted, losses.dtype)), reduction)


def cross_entropy(logits, classes, reduction="mean", ignore_index=-100):
    """The nll_loss of the log_softmax."""
    axis = min(1, len(logits.shape) - 1)
    return nll_loss(tf.nn.log_softmax(logits, axis=axis), classes, reduction, ignore_index)


def soft_cross_entropy(logits, probabilities, reduction="mean"):
    """The cross entropy with a probability for each class."""
    axis = min(1, len(logits.shape) - 1)
    losses = -tf.reduce_sum(probabilities * tf.nn.log_softmax(logits, axis=axis), axis=axis)
    return reduced(losses, tf.cast(tf.size(losses), losses.dtype), reduction)


def windows(x, kernel, stride, borders, dilation, value=0.0):
    """For each place of a kernel over the last axes what the windows have there, in a new first axis."""
    x = tf.pad(x, [(0, 0)] * (len(x.shape) - len(kernel)) + list(borders), constant_values=value)
    reach = [step * (width - 1) + 1 for width, step in zip(kernel, dilation)]
    ends = [size - span + 1 for size, span in zip(x.shape[-len(kernel) :], reach)]
    places = np.ndindex(*kernel)
    starts = [[place * step for place, step in zip(one, dilation)] for one in places]
    return tf.stack([
        x[(..., *(slice(low, low + end, step) for low, end, step in zip(one, ends, stride)))] for one in starts
    ])


def convolution(x, w, stride, borders, dilation, groups=1):
    """Kernels slide over the last axes; the axes before are batch (which may be missing) and channels."""
    kernel = w.shape[2:]
    if len(x.shape) == len(kernel) + 1:
        return convolution(x[None], w, stride, borders, dilation, groups)[0]
    seen = windows(x, kernel, stride, borders, dilation)
    places, batch, spatial = seen.shape[0], seen.shape[1], seen.shape[3:]
    seen = tf.reshape(seen, (places, batch, groups, w.shape[1], -1))
    kernels = tf.reshape(w, (groups, -1, w.shape[1], places))
    return tf.reshape(tf.einsum("kngcs,gock->ngos", seen, kernels), (batch, -1, *spatial))


def max_pool2d(x, kernel, stride, padding=(0, 0), dilation=(1, 1)):
    """The largest element of each window; of equal ones the first gets the gradient."""
    seen = windows(x, kernel, stride, [(size, size) for size in padding], dilation, -np.inf)
    chosen = tf.one_hot(tf.argmax(seen, axis=0), seen.shape[0], True, False, axis=0)
    return tf.reduce_sum(tf.where(chosen, seen, 0.0), axis=0)


def avg_pool2d(x, kernel, stride, padding=(0, 0), count_include_pad=True):
    """The mean of each window; its border counts, or it does not."""
    borders = [(size, size) for size in padding]
    sums = tf.reduce_sum(windows(x, kernel, stride, borders, (1, 1)), axis=0)
    if count_include_pad:
        return sums / (kernel[0] * kernel[1])
    return sums / tf.reduce_sum(windows(tf.ones_like(x), kernel, stride, borders, (1, 1)), axis=0)


def shown(x):
    """Nested lists with every number in its shortest exact form."""
    return [shown(row) for row in x] if x.ndim else float(str(x))
'''
