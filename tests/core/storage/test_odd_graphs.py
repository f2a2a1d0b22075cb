"""What can be read can be run: whatever a file says, the engine answers with numbers and faults."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cadena.core.front import compile
from cadena.core.graph.document import DTYPES, LEAVES, Document, Node, as_value
from cadena.core.layout.arrange import complete
from cadena.core.methods.reverse.step_text import step_latex, step_sentence, step_title
from cadena.core.ops.primitive import REGISTRY
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from tests.thorough import tries

VALUES = [
    *(1.0, -1.0, 0.0, 1e300, float("nan"), float("inf"), None),
    *map(as_value, ([], [1, 2, 3], [[1.0, 2], [3, 4]], [[1.0], [2]], [[[1.0, 2, 3, 4]] * 3] * 2)),
]
ATTRIBUTES = [
    *(None, True, False, 0, 1, -1, 2, 10**30, -(10**30), 1.5, {"a": 1}),
    *("", "abc", "0", "1:", "::0", "...", "None", ":, :, :, :", "[0, 5]", "[True]", "[]", "9" * 30),
    *([], [0], [1, 0], [0, 0], [-1], [2, -1], [10**20], [10**10, 10**10], [None], [[1]]),
]


@st.composite
def odd_graphs(draw: Any) -> Document:
    """Wires mostly in order, so that much of it runs; attributes that no inspector would let pass."""
    nodes: dict[str, Node] = {}
    names = [f"n{number}" for number in range(draw(st.integers(1, 7)))]
    for name in names:
        op = draw(st.sampled_from([*LEAVES, *REGISTRY, "unheard_of"] if nodes else LEAVES))
        if op in LEAVES:
            nodes[name] = Node(name, op, value=draw(st.sampled_from(VALUES)), gradient=draw(st.booleans()))
            continue
        record = REGISTRY.get(op)
        slots = len(record.slots) if record else 2
        sources = st.sampled_from([*nodes, *nodes, *names, None])
        inputs = draw(st.lists(sources, min_size=slots, max_size=slots + 1))
        chosen = {item.name for item in record.attributes} if record else {"unheard_of"}
        attributes = {key: draw(st.sampled_from(ATTRIBUTES)) for key in chosen if draw(st.booleans())}
        nodes[name] = Node(name, op, inputs=tuple(inputs), attributes=attributes)
    return Document(nodes, output=draw(st.sampled_from([*names, None])), dtype=draw(st.sampled_from(DTYPES)))


@tries(200)
@given(odd_graphs())
def test_every_graph_that_can_be_read_can_be_run_told_and_laid_out(document):
    read = decode(encode(document))
    run = compile(read).run()
    assert all(fault.message for fault in run.faults)
    told = [step_title, step_sentence, step_latex]
    assert all(tell(run.timeline, index) for tell in told for index in range(len(run.timeline)))
    assert set(complete(read).layout) == set(read.nodes)
