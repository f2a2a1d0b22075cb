"""The data of a page: at every step what the window shows, by every method."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.graph.fault import Refused
from cadena.core.graph.frames import put_into_frame, set_collapsed, set_color
from cadena.core.graph.memos import add_memo
from cadena.core.graph.reroutes import with_points
from cadena.core.html_page.content import Content, content
from cadena.core.html_page.mathml import mathml
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.reverse.timeline import ARRIVAL, MEETING, Timeline
from cadena.core.storage.files import load
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.core.text.numbers import short
from tests.thorough import some

LESSONS = some([lesson.name for lesson in lessons()], kind=lambda _: "lesson", most=6)


@cache
def timelines(name: str) -> list[Timeline]:
    """The steps by every method that can be used: differences have no number at a kink, expressions grow too large."""
    run, usable = compile(open_lesson(name)).run(), []
    for method in METHODS:
        with suppress(Refused):
            usable.append(timeline_of(run, Method(method), whole=True))
    assert usable[0].method == "reverse"
    return usable


@pytest.mark.some(1)
@pytest.mark.parametrize("name", LESSONS)
def test_after_each_step_the_cards_show_what_the_timeline_says(name):
    """A page holds the changes alone: a node that changed in a step that is not its own would keep its old line."""
    for timeline in timelines(name):
        page = Content(timeline)
        cards = [[-1, -1] for _ in page.numbers]
        for done, change in enumerate(page.as_data()["shown"]):
            for node, *rows in change.get("cards", []):
                cards[node] = rows
            frame = timeline.frame(done)
            expected = [[page._look(line) for line in frame.lines(node)] for node in page.document.nodes]
            assert cards == expected, (timeline.method, done)


@pytest.mark.some(1)
@pytest.mark.parametrize("name", LESSONS)
def test_a_page_is_json_without_inf_and_names_only_what_it_holds(name):
    for timeline in timelines(name):
        data = json.loads(json.dumps(content(timeline), allow_nan=False))
        assert len(data["steps"]) == len(timeline) and len(data["shown"]) == len(timeline) + 1
        for step in data["steps"]:
            assert all(place < len(data["formulas"]) for place, *_ in step["formula"])
            assert all(token["wire"] < len(data["wires"]) for token in step.get("tokens", []))
            assert [moment for moment, *_ in step["lit"]] == sorted(moment for moment, *_ in step["lit"])


def test_lesson_1_ends_with_its_golden_numbers():
    page = content(compile(open_lesson("1")).run().timeline)
    numbers = {node["name"]: place for place, node in enumerate(page["nodes"])}
    last = {node: rows for change in page["shown"] for node, *rows in change.get("cards", [])}
    gradients = {name: page["looks"][last[numbers[name]][1]]["text"] for name in ("w0", "w1", "w2", "w3", "w4")}
    assert gradients == {"w0": "−28", "w1": "−21", "w2": "−12", "w3": "−23", "w4": "−36"}


def test_in_the_reverse_pass_the_upstream_gradient_travels_to_the_middle_and_the_contribution_from_there():
    page = content(compile(open_lesson("1")).run().timeline)
    last = page["steps"][-1]
    texts = [page["looks"][token["looks"][0]]["text"] for token in last["tokens"]]
    assert texts == ["−7", "−28"] and [token["seen"] for token in last["tokens"]] == [[0.0, 0.5], [0.5, 1.0]]
    assert [moment for moment, *_ in last["lit"]] == [0.0, MEETING, ARRIVAL]
    *_, used, wire, label, formula = last["lit"][1]
    assert label == "∂m1/∂w0 = a1 = 4" and "<math" in page["formulas"][formula]
    names = [node["name"] for node in page["nodes"]]
    assert names[page["wires"][wire]["source"]] == "w0"
    assert {names[int(number)]: roles for number, roles in used.items()} == {"a1": ["value"], "m1": ["gradient"]}


def test_a_wire_is_as_wide_as_its_part_of_the_largest_gradient_once_its_step_is_done():
    page = content(compile(open_lesson("1")).run().timeline)
    names = [node["name"] for node in page["nodes"]]
    carried = {names[wire["source"]]: (wire["step"], wire["part"]) for wire in page["wires"] if "step" in wire}
    assert sorted(step for step, _ in carried.values()) == list(range(9, 21))
    assert carried["w4"][1] == 1.0 and carried["b1"][1] == round((7 / 36) ** 0.5, 3) and "k" not in carried


def test_every_step_of_the_reverse_pass_has_questions_with_numbers_as_answers():
    page = content(compile(open_lesson("two_paths")).run().timeline)
    asked = [question for step in page["steps"] for question in step.get("questions", [])]
    sums = [question for question in asked if question["quantity"] == "gradient" and question["subject"] == "∂L/∂a1"]
    assert [question["expected"] for question in sums] == [-41.0]
    assert any(sentence.startswith("That is what this path brings") for _, sentence in sums[0]["mistakes"])
    assert all(0.0 < question["moment"] < 1.0 for question in asked)


def test_a_bad_number_is_a_fault_from_the_step_on_at_which_it_appears():
    page = content(compile(open_lesson("7")).run(dtype="float32").timeline)
    begins = [index for index, change in enumerate(page["shown"]) if "faults" in change]
    assert begins and begins[0] == 1 and "exp overflows" in page["faults"][0]["text"]


def test_a_page_says_that_the_code_would_take_another_branch():
    document = load(Path(__file__).parents[1] / "storage" / "frozen" / "v2_guards.cadena")
    program = compile(document)
    assert content(program.run().timeline)["faults"] == []
    texts = [fault["text"] for fault in content(program.run({"x": -2.5}).timeline)["faults"]]
    assert any("line 7 took the branch x > 0; with these numbers it would not" in text for text in texts), texts


def test_a_graph_with_open_slots_and_without_output_is_a_page_too():
    nodes = {"w": Node("w", "parameter", value=2.0), "m": Node("m", "multiply", inputs=("w", None))}
    page = content(compile(Document(nodes)).run().timeline)
    assert [node["name"] for node in page["nodes"]] == ["w", "m"] and page["steps"] == []
    assert content(compile(Document({})).run().timeline)["nodes"] == []


def test_of_a_large_array_an_even_choice_of_cells_is_kept():
    node = Node("w", "parameter", value=as_value(np.arange(3000.0).reshape(60, 50)))
    page = content(compile(Document({"w": node})).run().timeline)
    look = next(look for look in page["looks"] if "levels" in look)
    assert len(look["levels"]) == 24 and look["levels"][-1][-1] == 1.0 and "texts" not in look


def test_numbers_are_those_of_the_window():
    page = content(compile(open_lesson("13")).run().timeline)
    texts = {look.get("text") for look in page["looks"]}
    assert short(math.sin(1.0)) in texts


def test_a_page_has_frames_notes_and_reroute_points():
    document = set_color(put_into_frame(open_lesson("1"), ["m1", "m2", "b1"], "Layer"), "Layer", 3)
    document = put_into_frame(set_collapsed(document, "Layer", True), ["w0"], "<b>")
    document = add_memo(document, "# Why\nas $x^2$ grows", (10.0, -200.0))
    x, y = document.layout["b2"]
    document = with_points(document, ("b2", 0), [(x - 60.0, y + 90.0)])
    page = Content(timeline_of(compile(document).run(), Method("reverse")))
    data = page.as_data()
    layer, leaf = data["frames"]
    assert (layer["title"], layer["hue"], leaf["title"], leaf["hue"]) == ("Layer", 227, "<b>", None)
    left, top, width, height = layer["box"]
    for name in ("m1", "m2", "b1"):
        box = data["nodes"][page.numbers[name]]["box"]
        assert left < box[0] and top + 24 < box[1] and box[0] + box[2] < left + width and box[1] + box[3] < top + height
    (note,) = data["notes"]
    assert note["at"] == [10, -200] and note["lines"][0] == [True, ["Why"]]
    (heading, (before, place, after)) = note["lines"][1]
    assert (heading, before, after) == (False, "as ", " grows") and data["formulas"][place] == mathml("x^2")
    path = data["wires"][page.wire_numbers["b2", 0]]["path"]
    assert path.count("C") == 2 and f" {x - 60.0:.0f} {y + 90.0:.0f} C" in path
