"""What numpy lacks, as it is written at the top of a program in numpy; jax takes over what it lacks as well."""

CODE = '''
def cholesky(x):
    """The lower triangular factor of the symmetric part of x."""
    return np.linalg.cholesky((x + np.swapaxes(x, -1, -2)) / 2)


def eigh(x, part):
    """The eigenvalues or the eigenvectors of the symmetric part of x."""
    return np.linalg.eigh((x + np.swapaxes(x, -1, -2)) / 2)[part]


def put(x, index, values):
    """A copy of x with other values at an index."""
    y = np.array(x)
    y[index] = values
    return y


def put_along(x, indices, values, axis, accumulate=False):
    """A copy of x with values at, or added to, each line's own indices; of several for one element the last counts."""
    size, count = x.shape[axis], indices.shape[axis]
    values = np.moveaxis(np.broadcast_to(values, indices.shape), axis, -1)[..., None, :]
    places, x = np.moveaxis(indices.astype(int) % size, axis, -1), np.moveaxis(x, axis, -1)
    taken = places[..., None, :] == np.arange(size)[:, None]
    if not accumulate:
        last = np.where(taken, np.arange(count), -1).max(axis=-1, keepdims=True, initial=-1)
        taken = taken & (last == np.arange(count))
        x = np.where(taken.any(axis=-1), 0.0, x)
    return np.moveaxis(x + np.where(taken, values, 0.0).sum(axis=-1), -1, axis)


def pair(size, count=2):
    """A size for each axis, from one number for all or a number for each."""
    return (size,) * count if isinstance(size, int) else tuple(size)


def reduced(losses, count, reduction):
    """The losses themselves, their sum, or their mean over those that count."""
    return losses if reduction == "none" else losses.sum() / (count if reduction == "mean" else 1)


def nll_loss(log_probabilities, classes, reduction="mean", ignore_index=-100):
    """Minus the logarithm of the probability of the right class; classes are along axis 1, if there is a batch."""
    axis = min(1, log_probabilities.ndim - 1)
    counted = classes != ignore_index
    places = np.expand_dims(np.where(counted, classes, 0).astype(int), axis)
    losses = np.where(counted, -np.squeeze(np.take_along_axis(log_probabilities, places, axis), axis), 0.0)
    return reduced(losses, counted.sum(), reduction)


def cross_entropy(logits, classes, reduction="mean", ignore_index=-100):
    """The nll_loss of the log_softmax."""
    axis = min(1, logits.ndim - 1)
    return nll_loss(special.log_softmax(logits, axis=axis), classes, reduction, ignore_index)


def soft_cross_entropy(logits, probabilities, reduction="mean"):
    """The cross entropy with a probability for each class."""
    axis = min(1, logits.ndim - 1)
    losses = -np.sum(probabilities * special.log_softmax(logits, axis=axis), axis=axis)
    return reduced(losses, losses.size, reduction)


def windows(x, kernel, stride, dilation):
    """The windows of a kernel's size over the last axes of x, one after the other in new last axes."""
    axes = tuple(range(x.ndim - len(kernel), x.ndim))
    reach = tuple(step * (width - 1) + 1 for width, step in zip(kernel, dilation))
    seen = np.lib.stride_tricks.sliding_window_view(x, reach, axes)
    seen = seen[(..., *(slice(None, None, step) for step in stride), *(slice(None),) * len(kernel))]
    return seen[(..., *(slice(None, None, step) for step in dilation))]


def bordered(x, before, after, value=0.0):
    """x with a border around its last axes."""
    widths = [(0, 0)] * (x.ndim - len(before)) + list(zip(before, after))
    return np.pad(x, widths, constant_values=value)


def convolution(x, w, stride, padding, dilation, groups):
    """Kernels slide over the last axes; the axes before are batch (which may be missing) and channels."""
    kernel = w.shape[2:]
    count = len(kernel)
    if x.ndim == count + 1:
        return convolution(x[None], w, stride, padding, dilation, groups)[0]
    dilation = pair(dilation, count)
    if padding == "same":
        total = [step * (width - 1) for width, step in zip(kernel, dilation)]
        before, after = [size // 2 for size in total], [size - size // 2 for size in total]
    else:
        before = after = pair(0 if padding == "valid" else padding, count)
    seen = windows(bordered(x, before, after), kernel, pair(stride, count), dilation)
    seen = seen.reshape(x.shape[0], groups, w.shape[1], *seen.shape[2:])
    kernels = w.reshape(groups, -1, *w.shape[1:])
    spatial, inner = "hw"[:count], "ij"[:count]
    y = np.einsum(f"ngc{spatial}{inner},goc{inner}->ngo{spatial}", seen, kernels)
    return y.reshape(y.shape[0], -1, *y.shape[3:])


def conv1d(x, w, stride=1, padding=0, dilation=1, groups=1):
    """The convolution along one axis."""
    return convolution(x, w, stride, padding, dilation, groups)


def conv2d(x, w, stride=1, padding=0, dilation=1, groups=1):
    """The convolution along two axes."""
    return convolution(x, w, stride, padding, dilation, groups)


def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1):
    """The largest element of each window."""
    kernel, border = pair(kernel_size), pair(padding)
    seen = windows(bordered(x, border, border, -np.inf), kernel, pair(stride or kernel), pair(dilation))
    return seen.max(axis=(-2, -1))


def avg_pool2d(x, kernel_size, stride=None, padding=0, count_include_pad=True):
    """The mean of each window; its border counts, or it does not."""
    kernel, border = pair(kernel_size), pair(padding)
    steps = pair(stride or kernel)
    sums = windows(bordered(x, border, border), kernel, steps, (1, 1)).sum(axis=(-2, -1))
    if count_include_pad:
        return sums / (kernel[0] * kernel[1])
    inside = bordered(np.ones(x.shape[-2:], x.dtype), border, border)
    return sums / windows(inside, kernel, steps, (1, 1)).sum(axis=(-2, -1))


def shown(x):
    """Nested lists with every number in its shortest exact form."""
    return [shown(row) for row in x] if np.ndim(x) else float(str(x))
'''
