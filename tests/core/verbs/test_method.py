"""Every verb in every mode: on every lesson, and on every graph with which something is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import pytest

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.methods.difference import KINDS
from cadena.core.methods.names import METHODS
from cadena.core.storage.files import save
from cadena.core.teaching.lessons import lesson_path, lessons
from tests.core.graphs import graph
from tests.thorough import some

WAYS = [*([mode] for mode in METHODS), *(["difference", "--kind", kind] for kind in KINDS if kind != "central")]
VERBS = ["run", "steps", "check"]


def named(words):
    return "-".join(word.strip("-") for word in words)


# --- lessons


@pytest.mark.some(20)
@pytest.mark.parametrize(
    ("lesson", "way", "verb"),
    some(product(lessons(), WAYS, VERBS), kind=lambda case: (case[0].name, named(case[1]))),
    ids=lambda item: named(item) if isinstance(item, list) else getattr(item, "name", item),
)
def test_every_verb_knows_every_mode_on_every_lesson(do, verb, way, lesson):
    """Its answer is JSON; what cannot be done is one sentence with the file, the mode and the node."""
    path = lesson_path(lesson.name)
    try:
        status, report, errors = do(verb, path, "--mode", *way, "--json")
    except Refused as refusal:
        assert_sentence(str(refusal), path, way[0])
        assert (lesson.name, way[-1], verb) in CANNOT
        return
    assert (lesson.name, way[-1], verb) not in CANNOT
    is_bad = not report["agree"] or bool(report["faults"]) if verb == "check" else bool(errors)
    assert status == int(is_bad)
    assert json.dumps(report, allow_nan=False)


# The expression of a network over a batch grows too large; no quotient settles where a root ends; the complex step
# cannot go through a cube root, if it moves one.
CANNOT = {
    *(("learning_xor", "symbolic", verb) for verb in VERBS),
    ("no_derivative_at_zero", "difference", "steps"),
    *(("no_derivative_at_zero", "complex", verb) for verb in ("run", "check")),
}


def assert_sentence(line, path, mode):
    assert line.startswith(f"{path}: --mode {mode}: ")
    assert "\n" not in line and "; " in line


STEPPED = [(way, lesson) for way in WAYS[1:] for lesson in lessons() if (lesson.name, way[-1], "steps") not in CANNOT]


@pytest.mark.some(20)
@pytest.mark.parametrize(
    ("way", "lesson"), STEPPED, ids=lambda item: named(item) if isinstance(item, list) else item.name
)
def test_the_last_steps_of_every_method_give_the_gradients_of_run(do, way, lesson):
    """The last step of each pass, or the derivative, or the quotient, beside the gradient of reverse mode."""
    path = lesson_path(lesson.name)
    _, told, _ = do("steps", path, "--mode", *way, "--json")
    _, report, _ = do("run", path, "--json")
    found = {}
    for step in told["steps"]:
        if step["phase"] in ("derivative", "quotient") or (step["phase"], step["node"]) == (
            "tangent",
            report["output"],
        ):
            found[step["direction"]] = step.get("tangent", step.get("quotient", step.get("value")))
    exact = {name: report["nodes"][name]["gradient"] for name in found if name in report["nodes"]}
    smooth = {name: value for name, value in exact.items() if isinstance(value, float) and lesson.number != 9}
    assert {name: found[name] for name in smooth} == pytest.approx(smooth, rel=1e-4, abs=1e-6)


# --- graphs with which something is wrong

LOOSE = replace(graph(x=1.0, y=("sin", "x")), output=None)
CYCLE = {"a": ("add", "x", "b"), "b": ("sin", "a")}
WRONG = {
    "empty": (Document({}), "the graph has no output; choose one with --output"),
    "no output": (LOOSE, "the graph has no output; choose one with --output"),
    "array": (graph(w=[1.0, 2.0], y=("square", "w")), "y has shape (2,), and a gradient is that of a single number; "),
    "data": (graph(x=("constant", 1.0), y=("sin", "x")), "y depends on no leaf whose gradient is wanted; "),
    "unknown": (graph("y", x=1.0, u=("teleport", "x"), y=("sin", "u")), "y: the output does not run, "),
    "cycle": (graph("y", x=1.0, **CYCLE, y=("sin", "b")), "y: the output does not run, "),
    "open": (graph("y", x=1.0, y=("add", "x", None)), "y: the output does not run, "),
}


@pytest.fixture(params=WRONG)
def wrong(request, tmp_path):
    path = tmp_path / f"{request.param}.cadena"
    document, sentence = WRONG[request.param]
    save(document, path)
    return request.param, path, sentence


@pytest.mark.some(40)
@pytest.mark.parametrize("way", WAYS, ids=named)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("json_too", [[], ["--json"]], ids=["text", "json"])
def test_what_is_wrong_with_a_graph_is_one_line_in_every_mode(do, wrong, verb, way, json_too):
    name, path, sentence = wrong
    stopped = name in ("unknown", "cycle", "open")
    silent = way == ["reverse"] or (verb == "run" and name == "data")  # there is nothing that could not be done
    if verb == "check" or not (stopped or silent):
        with pytest.raises(Refused) as refused:
            do(verb, path, "--mode", *way, *json_too)
        assert_sentence(str(refused.value), path, way[0])
        assert str(refused.value).startswith(f"{path}: --mode {way[0]}: {sentence}")
        return
    status, _, errors = do(verb, path, "--mode", *way, *json_too)
    assert (status, len(errors)) == ((1, 1) if stopped else (0, 0))
    assert all(line.startswith(f"cadena: {path}: ") and "; " in line for line in errors)


def test_what_is_asked_for_is_said_in_options(do, tmp_path):
    path = tmp_path / "array.cadena"
    save(WRONG["array"][0], path)
    with pytest.raises(Refused, match="add a sum behind it, or give --seed, which says how much each element counts"):
        do("run", path, "--mode", "forward")
    status, report, _ = do("run", path, "--mode", "forward", "--seed", "[1, 10]", "--json")
    assert (status, report["nodes"]["w"]["gradient"]) == (0, [2.0, 40.0])


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("way", "node"),
    [
        (["symbolic"], "f: floor has no symbolic form"),
        (["difference", "--kind", "complex"], "f: the complex step cannot"),
    ],
    ids=["symbolic", "complex"],
)
def test_an_operation_that_a_method_cannot_do_is_named(do, tmp_path, verb, way, node):
    path = tmp_path / "floor.cadena"
    save(graph(x=1.5, f=("floor", "x"), y=("multiply", "f", "x")), path)
    with pytest.raises(Refused) as refused:
        do(verb, path, "--mode", *way)
    assert_sentence(str(refused.value), path, way[0])
    assert f": --mode {way[0]}: {node}" in str(refused.value)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", ["0", "inf", "nan", "1e-320"])
def test_a_step_that_is_0_or_lost_is_refused_with_the_leaf(do, lesson, verb, kind, size):
    with pytest.raises(Refused) as refused:
        do(verb, lesson, "--mode", "difference", "--kind", kind, "--step-size", size)
    assert_sentence(str(refused.value), lesson, "difference")
    assert str(refused.value).split(": ")[2] == "w0"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--mode", "forward", "--along", "w0"], "--along: this is for differences; add --mode difference, or leave"),
        (["--width", "2"], "--width: this is for forward mode; add --mode forward, or leave it out"),
        (["--mode", "forward", "--width", "999999999"], "--mode forward: 999999999 tangents of every node would take "),
        (["--kind", "complex"], "--kind: this is for differences; add --mode difference, or leave it out"),
        (["--step-size", "1e-3"], "--step-size: this is for differences; add --mode difference, or leave it out"),
        (["--mode", "difference", "--along", "w9"], "--along: there is no node 'w9'; the nodes are w0, "),
        (["--mode", "difference", "--along", "a1"], "--along a1: no gradient of a1 is wanted; choose one of w0, w1"),
        (["--mode", "difference", "--along", "w0[1]"], "--along w0[1]: w0 has shape (), so there is no such element; "),
        (
            ["--mode", "difference", "--along", "w0+1"],
            "--along w0+1: this is not an element of a leaf; write one such as",
        ),
    ],
)
def test_options_of_differences_are_refused_where_they_mean_nothing(do, lesson, options, sentence):
    with pytest.raises(Refused) as refused:
        do("steps", lesson, *options)
    assert str(refused.value).startswith(f"{lesson}: {sentence}")


def test_an_element_beyond_the_array_is_refused_with_the_last_one(do, tmp_path):
    path = tmp_path / "sum.cadena"
    save(graph(w=[[1.0, 2.0], [3.0, 4.0]], s=("sum", "w")), path)
    for place in ("[2, 0]", "[0]", "[0, 0, 0]", "[]"):
        with pytest.raises(
            Refused, match=r"w has shape \(2, 2\), so there is no such element; the last one is w\[1, 1\]"
        ):
            do("steps", path, "--mode", "difference", "--along", f"w{place}")


# --- kinds and steps of differences in run and check


def test_run_takes_the_kind_and_the_step_of_differences(do, tmp_path):
    path = tmp_path / "square.cadena"
    save(graph(x=3.0, y=("square", "x")), path)
    answers = [
        do("run", path, "--mode", "difference", "--kind", kind, "--step-size", "0.5", "--json")[1]["nodes"]["x"][
            "gradient"
        ]
        for kind in KINDS
    ]
    assert dict(zip(KINDS, answers, strict=True)) == {"forward": 6.5, "central": 6.0, "complex": 6.0}
    _, report, _ = do("run", path, "--mode", "difference", "--step-size", "-0.5", "--kind", "forward", "--json")
    assert report["nodes"]["x"]["gradient"] == 5.5


def test_check_takes_the_kind_and_the_step_of_differences(do, lesson):
    _, report, _ = do("check", lesson, "--kind", "forward", "--json")
    methods = ["reverse", "forward", "derivative vectors", "forward difference", "symbolic"]
    assert [one["method"] for one in report["methods"]] == methods
    _, report, _ = do("check", lesson, "--step-size", "0.5", "--json")
    assert [one["method"] for one in report["methods"]][3:5] == ["central difference", "complex step"]
    _, report, _ = do("check", lesson, "--mode", "difference", "--kind", "complex", "--json")
    assert [one["method"] for one in report["methods"]] == ["reverse", "complex step"]
    assert report["agree"] and report["methods"][1]["gradients"]["w3"] == pytest.approx(-23.0)


def test_a_quotient_of_numbers_that_overflowed_was_believed(do):
    status, report, _ = do(
        "check", lesson_path("7"), "--dtype", "float32", "--mode", "difference", "--kind", "forward", "--json"
    )
    leaf = report["leaves"][0]
    assert (status, leaf["believe"], leaf["numbers"]["forward difference"]) == (1, "reverse", 0.0), "it lists a fault"
    assert "no quotient is to be trusted, as numbers overflow on the way, first at " in leaf["sentence"]


@pytest.mark.parametrize("verb", ["run", "steps", "check"])
@pytest.mark.parametrize("mode", ["forward", "difference", "symbolic"])
def test_a_node_in_wrt_that_is_no_leaf_was_left_out_without_a_word(do, lesson, verb, mode):
    with pytest.raises(Refused, match=r"--wrt: m1 is computed from its operands, .*; choose parameters, inputs"):
        do(verb, lesson, "--mode", mode, "--wrt", "w4,m1")
    assert do("run", lesson, "--wrt", "w4,m1", "--json")[1]["nodes"]["m1"]["gradient"] == -7.0
