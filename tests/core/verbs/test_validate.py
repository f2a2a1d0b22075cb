from __future__ import annotations

import pytest

from cadena.core.graph.fault import Refused


def test_a_graph_in_order_has_no_faults(do, lesson):
    assert do("validate", lesson) == (0, f"{lesson}: 16 nodes, no faults\n", [])


def test_every_fault_is_a_line(do, faulty):
    status, summary, errors = do("validate", faulty)
    assert (status, summary) == (1, f"{faulty}: 6 nodes, 3 faults\n")
    assert len(errors) == 3
    assert any("u: this version does not know the operation teleport; choose another" in line for line in errors)


def test_a_file_that_cannot_be_read_is_refused(do, lesson):
    lesson.write_bytes(lesson.read_bytes()[:100])
    with pytest.raises(Refused, match="the file ends in the middle"):
        do("validate", lesson)
