"""Exercises from any graph: the same operations on other numbers, small whole ones wherever all results stay finite."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.graph.document import Document, as_array, as_value
from cadena.core.graph.fault import Refused
from cadena.core.run.program import compile

TRIES = 60
LARGEST = 1000.0  # the largest value or gradient that a learner is asked to compute
RANGES = ((-5, 6), (1, 6))  # of whole numbers: any but 0, then positive ones, which roots and logarithms need
PARTS = 10  # then tenths of whole numbers, which exponentials stay small with


def with_new_numbers(document: Document, seed: int) -> Document:
    """`document` with other numbers in its parameters and inputs, by `seed`. Constants and shapes stay.

    Raises Refused where no small numbers give finite values and gradients of a size to compute by hand.
    """
    random = np.random.default_rng(seed)
    for number in range(TRIES):
        begin, end = RANGES[number % len(RANGES)]
        unit = 1.0 if number < TRIES // 2 else 1.0 / PARTS
        nodes = {
            name: with_fields(node, value=as_value(_drawn(random, np.shape(as_array(node.value)), begin, end) * unit))
            for name, node in document.nodes.items()
            if node.op in ("parameter", "input") and node.value is not None
        }
        exercise = replace(document, nodes={**document.nodes, **nodes})
        if _is_computable(exercise):
            return exercise
    raise Refused(
        "no small numbers were found with which {title} can be computed by hand", title=document.title or "it"
    )


def _drawn(random: np.random.Generator, shape: tuple[int, ...], begin: int, end: int) -> np.ndarray:
    """Whole numbers from `begin` up to `end`, without 0, which would make all products trivial."""
    numbers = np.array(random.integers(begin, end, shape), dtype=float)
    return np.where(numbers == 0.0, 1.0, numbers)


def _is_computable(document: Document) -> bool:
    run = compile(document).run()
    numbers = [run.value(name) for name in document.nodes] + [run.gradient(name) for name in document.nodes]
    known = [np.abs(number) for number in numbers if number is not None]
    gradients = [run.gradient(name) for name in document.nodes]
    vanish = all(not np.any(gradient) for gradient in gradients if gradient is not None)
    return all(bool((size <= LARGEST).all()) for size in known) and not vanish
