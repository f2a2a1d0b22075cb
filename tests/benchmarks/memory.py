"""What documents, programs and runs hold on to: bytes for each node, as Python's own allocator counts them."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import cadena
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from tests.core.graphs import wide


def document_bytes_per_node(count: int, placed: bool = False) -> float:
    """Of a wide graph of `count` numbers as it is read from a file: names, wires, values and, if `placed`, a layout."""
    document = wide(count, leaves=max(count // 40, 1))
    if placed:  # places as an arranged graph of this width has them: columns, and rows that no node shares
        places = {name: (176.0 * (i % 41), 88.0 * (i // 41)) for i, name in enumerate(document.nodes)}
        document = replace(document, layout=places)
    data, nodes = encode(document), len(document.nodes)
    del document
    return _retained(lambda: decode(data)) / nodes


def program_and_run_bytes_per_node(count: int) -> float:
    """Of a wide graph of `count` numbers: what compiling, a run and all its gradients add to the document."""
    document = wide(count, leaves=max(count // 40, 1))

    def compiled_and_run() -> cadena.Run:
        run = cadena.compile(document).run()
        assert len(run.gradients) == len(document.nodes)
        return run  # holds its program

    return _retained(compiled_and_run) / len(document.nodes)


def _retained(make: Callable[[], object]) -> int:
    """The bytes that are still taken when `make` is done, by its result and by what it left in caches."""
    gc.collect()
    tracemalloc.start()
    try:
        made = make()
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        del made
    finally:
        tracemalloc.stop()
    return taken
