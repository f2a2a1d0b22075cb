"""The order of the steps of reverse mode, the same for all runs of a plan, as columns: no object for each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cadena.core.run.plan import Plan

Arrival = tuple[int, str, int]  # a contribution: its step, and the consumer and the slot that it comes back from


class Schedule:
    """The nodes of the forward pass in order, and wire by wire the contributions of the reverse pass, as numbers.

    Ask `plan.once(Schedule)` for that of a plan.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._carrying = dict[int, list[tuple[int, int]]]()  # by the number of a node
        columns = plan.columns
        self.forward = np.array(plan.order, dtype=np.intp) if columns is None else columns.outs  # the nodes, in order
        self.first = len(plan) + (plan.output is not None)  # step of the reverse pass; the seed comes before it
        # The nodes whose contributions the reverse pass computes, in order; their slots; where these arrive.
        self.nodes, self.slots, self.operands = plan.carrying

    def __len__(self) -> int:
        """The number of steps."""
        return self.first + len(self.nodes)

    @cached_property
    def value_steps(self) -> np.ndarray:
        """As Timeline.value_steps."""
        steps = np.full(len(self.plan.names), -1)
        steps[self.forward] = np.arange(len(self.forward))
        return steps

    @cached_property
    def _by_operand(self) -> tuple[np.ndarray, np.ndarray]:
        """The contributions sorted by the node that they arrive at, and where those of each node begin."""
        operands = self.operands
        bounds = np.cumsum(np.bincount(operands, minlength=len(self.plan.names)))
        return np.argsort(operands, kind="stable"), np.concatenate([[0], bounds])

    def into(self, number: int) -> list[int]:
        """The contributions to the gradient of node `number`, in order, as places in the columns."""
        order, bounds = self._by_operand
        places: list[int] = order[bounds[number] : bounds[number + 1]].tolist()
        return places

    @cached_property
    def first_arrivals(self) -> tuple[np.ndarray, np.ndarray]:
        """The nodes, by number, to whose gradients something is contributed, and the first step that does so."""
        order, bounds = self._by_operand
        numbers = np.flatnonzero(np.diff(bounds))
        return numbers, order[bounds[numbers]] + self.first

    def carrying(self, number: int) -> list[tuple[int, int]]:
        """The wires, in order, that the gradient of node `number` came along: the consumer's number and the slot."""
        if number in self._carrying:
            return self._carrying[number]
        below, chosen = {number}, list[tuple[int, int]]()
        count = self.into(number)[-1] + 1 if self.into(number) else 0  # the last one into the node is the last of all
        wires = (column[:count][::-1].tolist() for column in (self.nodes, self.slots, self.operands))
        for node, slot, operand in zip(*wires, strict=True):
            if operand in below:
                below.add(node)
                chosen.append((node, slot))
        self._carrying[number] = chosen[::-1]
        return self._carrying[number]

    @property
    def arrivals(self) -> Mapping[str, tuple[Arrival, ...]]:
        """As Timeline.arrivals."""
        return _Arrivals(self)

    @property
    def wire_steps(self) -> Mapping[tuple[str, int], int]:
        """As Timeline.wire_steps."""
        return _WireSteps(self)

    @cached_property
    def begins(self) -> np.ndarray:
        """For each node the place of its first contribution in the columns; -1 where it makes none."""
        begins = np.full(len(self.plan.names), -1)
        nodes = self.nodes
        begins[nodes[::-1]] = np.arange(len(nodes))[::-1]  # the first one is written last
        return begins

    def steps_of(self, targets: np.ndarray, slots: np.ndarray, never: int) -> np.ndarray:
        """For wires into these slots of these nodes the step in which each carries a gradient back, or `never`."""
        width = int(max(self.slots.max(initial=0), slots.max(initial=0))) + 1
        keys = self.nodes * width + self.slots
        order = np.argsort(keys, kind="stable")
        wanted = targets * width + slots
        places = np.append(order, -1)[np.searchsorted(keys[order], wanted)]
        there = np.append(keys, -1)[places] == wanted
        return np.where(there, places + self.first, never)


class _Arrivals(Mapping[str, tuple[Arrival, ...]]):
    """The contributions by the node that they arrive at, looked up when asked for."""

    def __init__(self, order: Schedule) -> None:
        self._order = order

    def __getitem__(self, name: str) -> tuple[Arrival, ...]:
        order = self._order
        names, nodes, slots, first = order.plan.names, order.nodes, order.slots, order.first
        places = order.into(order.plan.index[name])
        if not places:
            raise KeyError(name)
        columns = zip(places, nodes[places].tolist(), slots[places].tolist(), strict=True)
        return tuple([(first + place, names[node], slot) for place, node, slot in columns])

    def __iter__(self) -> Iterator[str]:
        names = self._order.plan.names
        return iter([names[number] for number in self._order.first_arrivals[0].tolist()])

    def __len__(self) -> int:
        return len(self._order.first_arrivals[0])


class _WireSteps(Mapping[tuple[str, int], int]):
    """The step of each wire (consumer, slot), looked up when asked for."""

    def __init__(self, order: Schedule) -> None:
        self._order = order

    def __getitem__(self, wire: tuple[str, int]) -> int:
        order, (name, slot) = self._order, wire
        number = order.plan.index[name]
        place = int(order.begins[number])
        while 0 <= place < len(order.nodes) and order.nodes[place] == number:
            if order.slots[place] == slot:
                return order.first + place
            place += 1
        raise KeyError(wire)

    def __iter__(self) -> Iterator[tuple[str, int]]:
        names = self._order.plan.names
        nodes, slots = self._order.nodes.tolist(), self._order.slots.tolist()
        return iter([(names[node], slot) for node, slot in zip(nodes, slots, strict=True)])

    def __len__(self) -> int:
        return len(self._order.nodes)
