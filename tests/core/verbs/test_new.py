from __future__ import annotations

import pytest

import cadena.main as program
from cadena.core.storage.files import load
from tests.core.expressions.test_syntax import MISTAKES


@pytest.fixture
def new(tmp_path, capsys):
    def call(text: str, *words: str) -> tuple[int, str, str]:
        """Exit status, standard output and standard error of `cadena new TEXT -o FILE ...`."""
        status = program.main(["new", text, "-o", str(tmp_path / "x.cadena"), *words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


def test_an_expression_becomes_a_file(new, tmp_path):
    file = tmp_path / "x.cadena"
    told = f"{file}: adds multiply, add, subtract, power; new parameters w, x, b, y; constant 2; output L\n"
    assert new("L = (w*x + b - y)**2") == (0, told, "")
    assert load(file).output == "L"
    assert program.main(["run", str(file)]) == 0


def test_what_keeps_the_graph_from_running_is_told_and_the_file_is_there(new, tmp_path):
    status, _, complaint = new("L = (w*x + b - y)**2; y_hat = sigmoid(w @ x)")
    assert status == 0 and "matmul1: matmul needs vectors or matrices" in complaint
    assert load(tmp_path / "x.cadena").output == "y_hat"


def test_values_number_type_and_wanted_gradients_are_options(new, tmp_path):
    assert new("L = w*x + b", "--set", "x=[1, 2]", "--set", "b=3", "--wrt", "w,b", "--dtype", "float32")[0] == 0
    made = load(tmp_path / "x.cadena")
    assert (made.nodes["b"].op, made.nodes["b"].value, made.nodes["x"].op, made.dtype) == (
        "parameter",
        3.0,
        "input",
        "float32",
    )


def test_a_file_that_is_there_is_not_written_over_unless_asked(new, tmp_path):
    new("L = w")
    before = (tmp_path / "x.cadena").read_bytes()
    status, _, complaint = new("M = v*2")
    assert status == 2 and complaint.endswith("there is such a file already; choose another name, or --force\n")
    assert (tmp_path / "x.cadena").read_bytes() == before
    assert new("M = v*2", "--force")[0] == 0
    assert load(tmp_path / "x.cadena").output == "M"


@pytest.mark.some(25)
@pytest.mark.parametrize("text", [item[0] for item in MISTAKES if "\0" not in item[0]])
def test_a_mistake_is_one_line_and_leaves_no_file(new, tmp_path, text):
    status, printed, complaint = new(text)
    assert (status, printed, complaint.count("\n")) == (2, "", 1)
    assert complaint.startswith("cadena: expression: line ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--set", "z=1"], "cadena: expression: --set: there is no node 'z'; the nodes are w, x, L"),
        (["--set", "L=1"], "cadena: expression: --set L: L is computed from its operands"),
        (["--set", "w=abc"], "cadena: expression: --set w: 'abc' is not a number"),
        (["--wrt", "L"], "cadena: expression: --wrt: L is computed from its operands"),
        (["--wrt", "q"], "cadena: expression: --wrt: there is no node 'q'"),
    ],
)
def test_an_option_that_does_not_fit_is_told(new, tmp_path, words, sentence):
    status, _, complaint = new("L = w*x", *words)
    assert status == 2 and complaint.startswith(sentence)
    assert not list(tmp_path.iterdir())
