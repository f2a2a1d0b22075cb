"""Engines, as far as no framework is needed; what they compute is compared where they are (see tests/core/oracle)."""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import product

import pytest

import cadena
from cadena.core.graph.document import Backward, Document, Function, Node
from cadena.core.graph.fault import Refused
from cadena.core.languages import engines
from cadena.core.languages.export import export, sayable
from cadena.core.languages.script import prepare
from cadena.core.ops.primitive import REGISTRY
from tests.core.graphs import graph
from tests.core.languages.programs import PROGRAMS, of_record
from tests.thorough import in_turn

ATTACKS = (
    "boom()",
    '"); boom(); ("',
    "'); boom(); ('",
    "0] + boom() + x[0",
    '"""\nboom()\n"""',
    "\\",
    '\\"); boom(); #',
    "\nboom()\n",
    "\u2028boom()",
    "{boom()}",
    "[boom()]",
)


def calls(code):
    """The names that a piece of Python calls."""
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def codes(document):
    """The program in each language of Python's grammar, and the function that an engine executes."""
    for language in PROGRAMS:
        try:
            yield export(document, language).text
            script = prepare(sayable(document, language))
            yield PROGRAMS[language](script).as_function("compute", [script.output])
        except Refused:
            continue


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_in_a_title_or_a_text_is_ever_code(attack):
    inside = {"y": Node("y", "exp", inputs=("a",), extra={"note": attack})}
    own = Function(("a",), inside, "y", doc=attack, extra={"note": attack})
    back = Backward(("a", "y", "up"), {"da": Node("da", "multiply", inputs=("up", "y"))}, ("da",), extra={"n": attack})
    document = replace(
        graph(x=1.0, m=("own", "x"), n=("other", "m"), L=("exp", "n")),
        title=attack,
        functions={"own": own, "other": replace(own, gradient=back)},
        extra={"notes": [attack], "code": attack, "lesson": {"text": attack}},
    )
    written = list(codes(document))
    assert len(written) == 8
    for code in written:
        assert "boom" not in calls(code)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_in_a_title_or_a_text_is_ever_code_in_cpp(attack):
    """A backslash at the end of a function's text made a remark of its first line."""
    own = Function(("a",), {"y": Node("y", "exp", inputs=("a",))}, "y", doc=attack)
    document = replace(graph(x=1.0, m=("own", "x")), title=attack, functions={"own": own})
    lines = export(document, "eigen").text.splitlines()
    assert not [line for line in lines if "boom" in line.partition("//")[0]]
    assert not [line for line in lines if line.endswith("\\")]


@pytest.mark.some(3)
@in_turn("op, attack", product([op for op, record in REGISTRY.items() if record.attributes], ATTACKS))
def test_no_attribute_is_ever_code(op, attack):
    document = next(of_record(REGISTRY[op]))
    for attribute in REGISTRY[op].attributes:
        for value in (attack, [attack], {"boom": attack}):
            attributes = {**document.nodes["y"].attributes, attribute.name: value}
            node = Node("y", op, inputs=document.nodes["y"].inputs, attributes=attributes)
            for code in codes(replace(document, nodes={**document.nodes, "y": node})):
                assert "boom" not in calls(code)


@pytest.mark.parametrize("attack", ["x; boom()", "x = boom()", 'x"', "x\nboom()", "x#", ""])
@pytest.mark.parametrize("language", [*PROGRAMS, "eigen"])
def test_what_is_no_name_is_refused_as_a_name(attack, language):
    """No file can hold such a name, a document made by hand can."""
    named = Document(
        {attack: Node(attack, "parameter", value=1.0), "y": Node("y", "exp", inputs=(attack,))}, output="y"
    )
    own = Function(("a",), {"b": Node("b", "exp", inputs=("a",))}, "b")
    called = replace(graph(x=1.0, y=(attack, "x")), functions={attack: own})
    inner = Function(("a",), {attack: Node(attack, "exp", inputs=("a",))}, attack)
    within = replace(graph(x=1.0, y=("own", "x")), functions={"own": inner})
    for document in (named, called, within):
        with pytest.raises(Refused, match="cannot be a name in a program; rename it"):
            export(document, language)


def test_an_engine_that_is_none_is_refused():
    with pytest.raises(Refused, match="fortran is no engine; choose numpy, torch, jax"):
        cadena.compile(graph(x=1.0, y=("exp", "x")), engine="fortran")


def test_numpy_has_one_device():
    with pytest.raises(Refused, match="the engine numpy runs on one device; choose the engine jax"):
        cadena.compile(graph(x=1.0, y=("exp", "x")), devices=2)


@pytest.mark.parametrize(("engine", "library"), [("torch", "PyTorch"), ("jax", "JAX")])
def test_an_engine_that_is_not_installed_says_how_to_install_it(monkeypatch, engine, library):
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    sentence = f"the engine {engine} needs {library}, which is not installed in this Python; pip install {engine}"
    with pytest.raises(Refused, match=sentence):
        cadena.compile(graph(x=1.0, y=("exp", "x")), engine=engine)


@pytest.mark.parametrize("engine", ["torch", "jax"])
def test_a_graph_whose_output_cannot_run_says_its_faults_as_numpy_does(engine):
    """Nothing is left for the framework, which need not even be there."""
    document = graph("y", x=1.0, z=("exp", "x"), y=("add", "z", None))
    program = cadena.compile(document, engine=engine)
    run, expected = program.run(), cadena.compile(document).run()
    assert run.faults == expected.faults != ()
    assert run.value("z") == expected.value("z")
    assert run.value("y") is None
    assert program.way == "numpy"


def test_an_engine_wants_an_output_to_run():
    run = cadena.compile(replace(graph(x=1.0, y=("exp", "x")), output=None), engine="jax").run()
    assert run.value("y") == pytest.approx(2.718281828459045)
