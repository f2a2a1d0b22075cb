"""torch.utils.data: examples, and the batches of them, in PyTorch's order where they are shuffled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch.creating import tensor
from cadena.core.scripts.pytorch.dice import Dice
from cadena.core.scripts.pytorch.dtypes import DTYPES
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import Core, operate


class Dataset:
    """The base of the script's own examples."""

    def __class_getitem__(cls, kind: Any) -> Any:
        return cls


class TensorDataset(Dataset):
    """Rows of tensors."""

    def __init__(self, *tensors: Any) -> None:
        if any(len(item) != len(tensors[0]) for item in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(item[index] for item in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class Subset(Dataset):
    """Some of the examples."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: int) -> Any:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[Any], generator: Any = None) -> list[Subset]:
    """Examples shared out at random; lengths are numbers of examples, or fractions of all."""
    sizes = [*lengths]
    if sum(sizes) <= 1:
        sizes = [int(len(dataset) * part) for part in lengths]
        for place in range(len(dataset) - sum(sizes)):
            sizes[place % len(sizes)] += 1
    if sum(sizes) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = (generator or STATE).dice.permutation(len(dataset)).tolist()
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    return [Subset(dataset, order[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


class DataLoader:
    """Batches of a dataset."""

    def __init__(
        self,
        dataset: Any,
        batch_size: int = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        generator: Any = None,
        num_workers: int = 0,
        **options: Any,
    ) -> None:
        if unknown := [name for name, value in options.items() if value and name != "pin_memory"]:
            raise TypeError(f"DataLoader({unknown[0]}=...) is not known here; leave it out")
        self.dataset, self.batch_size, self.shuffle, self.drop_last = dataset, batch_size, shuffle, drop_last
        self.collate_fn, self.generator = collate_fn or _together, generator

    def __len__(self) -> int:
        whole, rest = divmod(len(self.dataset), self.batch_size)
        return whole + (rest > 0 and not self.drop_last)

    def __iter__(self) -> Iterator[Any]:
        dice = (self.generator or STATE).dice
        dice.large()  # the seed of the workers, which PyTorch draws whether there are any or not
        order = range(len(self.dataset))
        if self.shuffle:
            order = (dice if self.generator else Dice(dice.large())).permutation(len(self.dataset)).tolist()
        for batch in range(len(self)):
            chosen = order[batch * self.batch_size : (batch + 1) * self.batch_size]
            yield self.collate_fn([self.dataset[place] for place in chosen])


def _together(examples: list[Any]) -> Any:
    """Examples as one batch: tensors stacked, numbers as a tensor, tuples and dictionaries part by part."""
    first = examples[0]
    if isinstance(first, Core):
        return operate("stack", examples, {"axis": 0})
    if isinstance(first, tuple | list):
        return [_together([*parts]) for parts in zip(*examples, strict=True)]
    if isinstance(first, dict):
        return {key: _together([item[key] for item in examples]) for key in first}
    if isinstance(first, str):
        return examples
    return tensor(examples, DTYPES["float64"] if isinstance(first, float) else None)


DATA = Library(
    "torch.utils.data",
    {item.__name__: item for item in (Dataset, TensorDataset, Subset, DataLoader, random_split)},
)
TORCH_UTILS = Library("torch.utils", {"data": DATA})
