"""Exported programs are scripts too: run here, they print the engine's values and gradients, without the libraries."""

from __future__ import annotations

import pytest

from cadena.core.languages.export import export
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.languages.programs import PROGRAMS, differences, expected, of_record, printed
from tests.core.scripts.reading import read
from tests.thorough import some


def wrong(document, language, relative):
    found = printed(read(export(document, language).text, language).printed)
    return list(differences(found, expected(document), relative))


@pytest.mark.some(2)
@pytest.mark.parametrize("language", PROGRAMS)
def test_every_operation_that_is_written_is_read_back_with_its_result_and_gradients(language):
    found = {}
    for op, record in REGISTRY.items():
        for _, number, document in some((op, *case) for case in enumerate(of_record(record))):
            if differs := wrong(document, language, 1e-10):
                found[op, number] = differs
    assert not found


# What a lesson prints otherwise in a library: (language, number) -> the differences.
AT_LESSONS = {("jax", 9): ["dL/dx3 is 1.0, not 0.0"]}  # JAX's derivative of abs at 0 is 1


@pytest.mark.parametrize("language", PROGRAMS)
def test_every_lesson_is_read_back(language):
    for lesson in lessons():
        found = wrong(open_lesson(str(lesson.number)), language, 1e-6)
        assert found == AT_LESSONS.get((language, lesson.number), []), lesson.name
