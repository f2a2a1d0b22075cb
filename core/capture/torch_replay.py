"""Compute a pass of a script again, in PyTorch and on our tape: its graph, beside what PyTorch had in the script."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from cadena.core.capture.captured import RELATIVE, Agreement, Captured, fill
from cadena.core.capture.record import CheckedTape, Leaf, Record
from cadena.core.capture.tensor_paths import TensorPaths
from cadena.core.capture.torch_functions import own_functions
from cadena.core.capture.torch_recorder import TorchRecorder, leave_module, recording
from cadena.core.capture.torch_script import Entered, KeptPass, LeafValue, Left, Ref, TapeEntry, TorchCall
from cadena.core.capture.torch_tensors import DTYPES, check, numbers, tensors_in
from cadena.core.front import compile
from cadena.core.graph.document import Document, as_array

ROUNDED_ALIKE = 10.0  # times as far as rounding goes PyTorch's numbers may be from those in float64
CLOSE = 100  # times the tolerance within which a pass that is computed again has the value that it had


def replayed(kept: KeptPass, limit: int) -> Captured:
    """The graph of a pass. Raises Refused for one that cannot be captured."""
    return Replay(kept).captured(limit)


class Replay:
    """A pass that is computed again; its tensors, by their numbers."""

    def __init__(self, kept: KeptPass) -> None:
        self.kept = kept
        self.prefix = _prefix(kept)
        self.tensors: dict[Ref, Any] = {}
        self.of_leaves: dict[Ref, Leaf] = {}
        types = list[str]()
        for ref, leaf in kept.leaves.items():
            check(leaf.copy, self._name(leaf) or "a tensor")
            self.tensors[ref] = leaf.copy.clone().requires_grad_(leaf.wants_gradient)
            if (known := self._leaf(ref, leaf)) is not None:
                self.of_leaves[ref] = known
                types += [DTYPES[str(leaf.copy.dtype)]]
        record = Record(max(types, key=lambda name: int(name[5:]), default=""), CheckedTape())
        named = {self._name(leaf): self.tensors[ref] for ref, leaf in kept.leaves.items() if leaf.name}
        leaves = {id(self.tensors[ref]): (self.tensors[ref], leaf) for ref, leaf in self.of_leaves.items()}
        self.recorder = TorchRecorder(record, leaves, TensorPaths(named))
        self.entry: TorchCall | Left | None = None
        self.recorder.line = lambda: self.entry.line if self.entry else ""
        record.tape.read_at = lambda: (self.entry.place if isinstance(self.entry, TorchCall) else None) or ("", 0)

    def _name(self, leaf: LeafValue) -> str:
        return leaf.name.removeprefix(self.prefix)

    def _leaf(self, ref: Ref, leaf: LeafValue) -> Leaf | None:
        """What a tensor is that no call has made: a parameter if its gradient is asked for, data if it has a name."""
        if not leaf.copy.is_floating_point() or leaf.origin:
            return None
        if not leaf.wants_gradient:
            return Leaf("input", self._name(leaf)) if leaf.name else None
        count = sum(item.like.startswith("leaf_") for item in self.of_leaves.values())
        is_wanted = self.kept.wanted is None or ref in self.kept.wanted
        return Leaf("parameter" if is_wanted else "input", self._name(leaf) or f"leaf_{count + 1}")

    def captured(self, limit: int) -> Captured:
        """Compute the pass again, and put its graph beside PyTorch's own value and gradients."""
        import torch

        starts = dict[int, tuple[Any, int]]()
        recorder, record = self.recorder, self.recorder.record
        with recording(recorder, {}), own_functions(recorder):
            for ref, leaf in self.kept.leaves.items():
                if leaf.origin:
                    why = f"its origin, {leaf.origin}, was not recorded"
                    recorder.know(self.tensors[ref], recorder.opaque(self.tensors[ref], why, leaf.name or "value"))
            for entry in self.kept.entries:
                self._play(entry, starts)
            self.entry = None
            output = reduce(torch.add, [self._weighted(*item) for item in self.kept.outputs])
        value, traced = output.detach(), recorder.traced(output)
        for ref, name in self.kept.names.items():
            if (known := recorder.known.get(id(self.tensors.get(ref)))) is not None:
                record.hints[known[2].number] = name
        self._compare(value)
        return fill(Captured(), record, traced, self._value(), self._gradients(), limit)

    def _play(self, entry: TapeEntry, starts: dict[int, tuple[Any, int]]) -> None:
        """Run a call again, or note where a module begins and ends."""
        import torch

        if isinstance(entry, Entered):
            starts[entry.number] = entry.module, len(self.recorder.record.tape.calls)
            return
        self.entry = entry
        if isinstance(entry, Left):
            module, start = starts.pop(entry.number, (None, 0))
            if module is not None and (name := self._function_name(module)):
                output = [self.tensors[ref] for ref in entry.results if ref in self.tensors]
                leave_module(self.recorder, name, module, start, output)
            return
        if entry.draw is not None:
            torch.set_rng_state(entry.draw)
        with torch.set_grad_enabled(entry.has_gradients):
            result = entry.function(*self._swap(entry.args), **self._swap(entry.kwargs))
        for ref, tensor in zip(entry.results, tensors_in(result)):
            self.tensors[ref] = tensor

    def _function_name(self, module: Any) -> str:
        """The name of a module as a function. A whole model is none, but for a layer of PyTorch's, as an LSTM."""
        name = self.kept.module_names.get(id(module), "")
        is_whole = "." not in name
        if is_whole and (next(module.children(), None) or not type(module).__module__.startswith("torch.nn.modules.")):
            return ""
        return name.removeprefix(self.prefix)

    def _swap(self, item: Any) -> Any:
        if type(item) is Ref:
            return self.tensors[item]
        if type(item) is dict:
            return {key: self._swap(part) for key, part in item.items()}
        return type(item)(map(self._swap, item)) if type(item) in (tuple, list) else item

    def _weighted(self, ref: Ref, weights: Any) -> Any:
        """An output of the pass; the sum of its products with the weights that the script gave it."""
        tensor = self.tensors[ref]
        if weights is None or bool((weights == 1).all()):
            return tensor if len(self.kept.outputs) == 1 else tensor.sum()
        return (tensor * weights).sum()

    def _value(self) -> np.ndarray[Any, Any]:
        """The output as PyTorch computed it in the script."""
        import torch

        copies = dict(zip((ref for ref, _ in self.kept.outputs), self.kept.value))
        own, self.tensors = self.tensors, {**self.tensors, **copies}
        value = reduce(torch.add, [self._weighted(*item) for item in self.kept.outputs])
        self.tensors = own
        return numbers(value, "output").copy()

    def _compare(self, value: Any) -> None:
        """Note where PyTorch itself computes another value now."""
        before = self._value()
        tolerance = CLOSE * RELATIVE[DTYPES[str(value.dtype)]] * max(1.0, float(np.abs(before).max(initial=0.0)))
        if not np.allclose(numbers(value, "output"), before, 0, tolerance, equal_nan=True):
            note = "computed again the pass gives another value in PyTorch: something that it reads was changed unseen"
            self.recorder.record.notes.append(note)

    def _gradients(self) -> list[tuple[Leaf, Any]]:
        """PyTorch's own gradients in the script, 0 where a parameter was read and got none."""
        gradients = list[tuple[Leaf, Any]]()
        for ref, leaf in self.of_leaves.items():
            if leaf.op == "parameter":
                own = self.kept.gradients.get(ref)
                shape = tuple(self.tensors[ref].shape)
                array = np.zeros(shape, self.recorder.record.dtype) if own is None else numbers(own, "gradient").copy()
                gradients.append((leaf, array))
        return gradients


def beside_float64(captured: Captured, agreement: Agreement) -> tuple[bool, str]:
    """Whether numbers that differ are all rounding, and a sentence.

    Where numbers cancel, as in a loss near 0, PyTorch's are about as far from those in float64 as ours are, or as those
    are that the last digit of each leaf makes.
    """
    if not agreement.differing:  # and yet it is not right: there was no gradient to compare
        return False, str(agreement)
    document, program = captured.document, compile(captured.document)
    own, exact = program.run(), program.run(dtype="float64")
    moved = [program.run(_moved(document, side), dtype="float64") for side in (1.0, -1.0)]
    for name in agreement.differing:
        is_value = name == document.output
        theirs = captured.value if is_value else captured.gradients.get(name)
        ours, wide, *near = (run.value(name) if is_value else run.gradient(name) for run in (own, exact, *moved))
        if theirs is None or ours is None or wide is None or np.shape(ours) != np.shape(theirs):
            return False, str(agreement)
        distance, *rounding = (_distance(item, wide) for item in (theirs, ours, *near))
        if not distance <= ROUNDED_ALIKE * max(rounding):
            return False, str(agreement)
    names = ", ".join(agreement.differing[:8])
    sentence = f"agrees but for rounding in {captured.document.dtype}: {names} cancel, and differ from float64 as much"
    return True, sentence


def _moved(document: Document, side: float) -> dict[str, Any]:
    """The parameters and the data of a document with another last digit."""
    eps = side * float(np.finfo(document.dtype).eps)
    nodes = [node for node in document.nodes.values() if node.op in ("parameter", "input") and node.value is not None]
    leaves = {node.name: as_array(node.value) for node in nodes if node.value is not None}
    return {
        name: array * (1.0 + eps * np.where(np.arange(array.size).reshape(array.shape) % 3, 1.0, -1.0))
        for name, array in leaves.items()
        if array.dtype.kind == "f"
    }


def _distance(first: Any, second: Any) -> float:
    return float(np.abs(np.asarray(first, np.float64) - second).max(initial=0.0))


def _prefix(kept: KeptPass) -> str:
    """The variable of the only model of a pass, with which all names of its parameters begin."""
    used = [item.module for item in kept.entries if isinstance(item, Entered)]
    with_parameters = [
        kept.module_names.get(id(item), "") for item in used if next(item.parameters(), None) is not None
    ]
    roots = {name.partition(".")[0] for name in with_parameters}
    return f"{roots.pop()}." if len(roots) == 1 else ""
