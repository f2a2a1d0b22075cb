"""The lessons: their files, and the numbers that a class will see."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core import Refused, compile
from core.layout import card_sizes
from core.lessons import lesson_path, lessons, open_lesson
from core.storage import encode
from tests.core.graphs import graph

EVERY = pytest.mark.parametrize("name", [lesson.name for lesson in lessons()])
DW = [[-1.899111, 0.165564], [-7.338816, 5.009843], [-3.060520, -0.398308]]
DX = [[-0.293119, 0.120218, 1.065764], [-0.120695, -0.245535, 0.556853], [0.274753, -0.107779, -1.000951]]


def test_lessons_are_listed_in_order_with_what_a_menu_needs():
    numbers = [lesson.number for lesson in lessons()]
    assert numbers == sorted(set(numbers)) and {1, 2, 5, 6} <= set(numbers)
    assert len({lesson.name for lesson in lessons()}) == len(numbers)
    assert all(lesson.name.isidentifier() and lesson.title and lesson.summary for lesson in lessons())


def test_a_lesson_opens_by_its_name_and_by_its_number():
    for lesson in lessons():
        assert open_lesson(lesson.name) == open_lesson(str(lesson.number))


def test_an_unknown_lesson_is_refused_with_the_names_of_those_there_are():
    with pytest.raises(Refused, match="there is no lesson 99; choose one of 1 first_chain_rule, 2 two_paths"):
        open_lesson("99")


@EVERY
def test_a_lesson_runs_without_faults_and_every_node_is_placed(name):
    document = open_lesson(name)
    assert not compile(document).run().faults
    assert document.layout.keys() == document.nodes.keys()


@EVERY
def test_the_text_of_a_lesson_says_what_it_is_about_what_to_look_at_and_what_to_try(name):
    document = open_lesson(name)
    about = document.extra["lesson"]
    assert document.title == f"Lesson {about['number']}: {about['title']}"
    assert about["text"].keys() == {"idea", "look", "try"}
    for text in about["text"].values():
        assert 2 <= len(re.findall(r"[.?](?: |$)", text)) <= 4


@EVERY
def test_saving_a_lesson_again_changes_no_byte_of_its_file(name):
    assert encode(open_lesson(name)) == lesson_path(name).read_bytes()


@EVERY
def test_no_card_of_a_lesson_covers_another(name):
    document = open_lesson(name)
    boxes = [(*document.layout[node], *size) for node, size in card_sizes(document).items()]
    for i, (x, y, width, height) in enumerate(boxes):
        assert not any(a < x + width and x < a + w and b < y + height and y < b + h for a, b, w, h in boxes[i + 1 :])


def test_lesson_1_follows_one_path_to_each_parameter():
    run = compile(open_lesson("1")).run()
    assert [float(run.value(name)) for name in ("b1", "b2", "c", "L")] == [23, 36, 269, -254]
    assert [float(run.gradient(f"w{i}")) for i in range(5)] == [-28, -21, -12, -23, -36]
    assert run.gradient("a1") is None and run.gradient("k") is None
    assert run.gradient("w0") == run.local("L", 1) * run.local("m3", 1) * run.local("m1", 0) == -1 * 7 * 4


def test_lesson_2_adds_up_one_contribution_per_path():
    run = compile(open_lesson("2")).run()
    assert [float(run.contribution(node, slot)) for _, node, slot in run.timeline.arrivals["a1"]] == [-27, -14]
    assert run.gradient("a1") == -41


@pytest.mark.parametrize("number", ["5", "6"])
def test_lessons_5_and_6_differentiate_a_layer(number):
    run = compile(open_lesson(number)).run()
    np.testing.assert_allclose(run.value("L"), 2.034992, atol=5e-7)
    np.testing.assert_allclose(run.gradient("W"), DW, atol=5e-7)


def test_only_lesson_6_carries_the_gradient_on_to_x():
    assert compile(open_lesson("5")).run().gradient("X") is None
    np.testing.assert_allclose(compile(open_lesson("6")).run().gradient("X"), DX, atol=5e-7)


# --- lessons whose files come later: their graphs must already run right


def test_a_node_used_twice_is_gone_through_once_its_gradient_is_complete():
    run = compile(graph(a=1.0, b=("add", "a", "a"), c=("add", "b", "b"))).run()
    assert run.value("c") == 4 and run.gradient("a") == 4


def test_one_over_exp_loses_its_gradient_in_float32_and_keeps_it_in_float64():
    program = compile(graph(x=100.0, one=("constant", 1.0), e=("exp", "x"), y=("divide", "one", "e")))
    single = program.run(dtype="float32")
    assert single.value("y") == 0 and np.isnan(single.gradient("x"))
    assert ("e", "nan-gradient") in [(fault.node, fault.kind) for fault in single.faults]
    double = program.run()
    assert [f"{float(x):.2e}" for x in (double.value("y"), double.gradient("x"))] == ["3.72e-44", "-3.72e-44"]
    assert not double.faults


@pytest.mark.parametrize(("dtype", "silent", "nan"), [("float32", 51.99, 88.73), ("float64", 372.57, 709.79)])
def test_one_over_exp_is_silently_zero_before_it_is_nan(dtype, silent, nan):
    program = compile(graph(x=1.0, one=("constant", 1.0), e=("exp", "x"), y=("divide", "one", "e")))

    def gradient(x: float) -> float:
        return float(program.run({"x": x}, dtype=dtype).gradient("x"))

    assert gradient(silent - 0.01) < 0 and gradient(silent) == 0 and np.isnan(gradient(nan))
    assert gradient(nan - 0.02) == 0
