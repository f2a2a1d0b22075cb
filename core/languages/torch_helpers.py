"""Functions that PyTorch lacks, as they are written at the top of a program."""

CODE = '''
def elements(x, index):
    """x[index], for an index with negative steps, which PyTorch does not have."""
    places = np.arange(x.numel()).reshape(x.shape)[index]
    return x.flatten()[torch.from_numpy(np.ascontiguousarray(places))]


def put(x, index, values):
    """A copy of x with other values at an index; of several for one element the last one counts."""
    source = np.full(x.shape, -1)
    region = source[index].shape
    source[index] = np.arange(np.prod(region, dtype=int)).reshape(region)
    source = torch.from_numpy(source).to(x.device)
    return torch.where(source < 0, x, values.expand(region).flatten()[source])


def put_each(x, index, values):
    """A copy of x with other values at an index; each of several for one element gets its gradient."""
    places = np.arange(x.numel()).reshape(x.shape)[index]
    flat = torch.from_numpy(places.ravel()).to(x.device)
    return x.flatten().index_put((flat,), values.expand(places.shape).flatten()).reshape(x.shape)


def put_along(x, indices, values, axis, accumulate):
    """A copy of x with values at, or added to, each line's own indices; of several for one element the last counts."""
    size, count = x.shape[axis], indices.shape[axis]
    values = values.expand(indices.shape).movedim(axis, -1)[..., None, :]
    places, x = (indices.long() % size).movedim(axis, -1), x.movedim(axis, -1)
    taken = places[..., None, :] == torch.arange(size, device=x.device)[:, None]
    if not accumulate and count:
        turns = torch.arange(count, device=x.device)
        taken = taken & (torch.where(taken, turns, -1).amax(-1, keepdim=True) == turns)
        x = torch.where(taken.any(-1), 0.0, x)
    return (x + torch.where(taken, values, 0.0).sum(-1)).movedim(-1, axis)


def pad(x, widths, mode):
    """x continued beyond its ends as numpy does it."""
    places = np.pad(np.arange(x.numel()).reshape(x.shape), widths, mode=mode)
    return x.flatten()[torch.from_numpy(places)]


def partition(x, kth, axis):
    """Partly sorted, as numpy does it."""
    places = np.argpartition(x.detach().cpu().numpy(), kth, axis)
    return torch.take_along_dim(x, torch.from_numpy(places).to(x.device), axis)


class Cbrt(torch.autograd.Function):
    """The cube root, of negative numbers too; at 0 it is infinitely steep."""

    @staticmethod
    def forward(ctx, x):
        y = torch.sign(x) * torch.abs(x) ** (1.0 / 3.0)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, upstream):
        (y,) = ctx.saved_tensors
        return upstream / (3.0 * y * y)


class Digamma(torch.autograd.Function):
    """torch.digamma with a derivative that has all its digits."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.digamma(x)

    @staticmethod
    def backward(ctx, upstream):
        (x,) = ctx.saved_tensors
        return upstream * torch.special.zeta(torch.full_like(x, 2.0), x)


def cholesky(x):
    """The lower triangular factor of the symmetric part of x."""
    return torch.linalg.cholesky((x + x.mT) / 2)


def eigh(x, part):
    """The eigenvalues or the eigenvectors of the symmetric part of x."""
    return torch.linalg.eigh((x + x.mT) / 2)[part]


def cross(a, b, axisa=-1, axisb=-1, axisc=-1):
    """The cross product of vectors along these axes."""
    a, b = torch.broadcast_tensors(torch.movedim(a, axisa, -1), torch.movedim(b, axisb, -1))
    return torch.movedim(torch.linalg.cross(a, b), -1, axisc)


def sum_to(gradient, shape):
    """A gradient summed over the axes along which its operand was broadcast."""
    return gradient.sum_to_size(shape)


def gradient(x):
    """The gradient of a leaf; zeros where none arrived."""
    return torch.zeros_like(x) if x.grad is None else x.grad


def share_out(*batch):
    """The examples of this process, if torchrun has started several."""
    if not (dist.is_available() and dist.is_torchelastic_launched()):
        return batch
    dist.init_process_group("gloo")
    size, count = len(batch[0]), dist.get_world_size()
    if size % count:
        raise SystemExit(f"torchrun: a batch of {size} has no {count} equal parts; choose a divisor")
    return [one.tensor_split(count)[dist.get_rank()] for one in batch]


def combine(way, *tensors):
    """The sum or the mean over all processes, in place; only the first process goes on."""
    if not (dist.is_available() and dist.is_initialized()):
        return
    rank = dist.get_rank()
    for tensor in tensors:
        dist.all_reduce(tensor)
        if way == "mean":
            tensor /= dist.get_world_size()
    dist.destroy_process_group()
    if rank > 0:
        raise SystemExit


def shown(x):
    """Nested lists with every number in its shortest exact form."""
    return [shown(row) for row in x] if x.ndim else float(str(x.numpy()))
'''
