from __future__ import annotations

from dataclasses import replace

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import load, save


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


def test_the_faults_of_a_lessons_story_are_lines_too(do, lesson):
    at = {"phase": "forward", "node": "w0"}  # a leaf has no step
    story = [{"at": at, "text": "w0"}, {"at": {"phase": "end"}, "text": 3}]
    document = load(lesson)
    told = {"title": "first", "story": story}
    save(replace(document, extra={**document.extra, "lesson": told}), lesson)
    status, summary, errors = do("validate", lesson)
    assert (status, summary) == (1, f"{lesson}: 16 nodes, 2 faults\n")
    assert errors == [
        f"cadena: {lesson}: lesson, story step 2: text must be a text; correct it",
        f"cadena: {lesson}: lesson, story step 1: there is no such moment in the steps, so that it shows at the one "
        "before; choose another moment",
    ]


def test_settings_with_which_the_method_has_no_steps_are_a_fault(do, lesson):
    document = load(lesson)
    about = {"method": "difference", "view": {"settings": {"leaf": "w0", "step_size": 1e-300}}}
    save(replace(document, extra={**document.extra, "lesson": about}), lesson)
    status, _, errors = do("validate", lesson)
    assert status == 1
    (error,) = errors
    assert "lesson, view: with these settings there are no steps: w0" in error
