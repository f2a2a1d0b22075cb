from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import load, save
from cadena.main import main as program_main
from tests.core.graphs import graph


def test_the_program_runs_as_it_is_and_prints_value_and_gradients(do, lesson, tmp_path):
    out = tmp_path / "lesson.py"
    assert do("export", lesson, "--to", "numpy", "-o", str(out)) == (0, "", [])
    done = subprocess.run([sys.executable, str(out)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[:2] == ["L = -254.0", "dL/dw0 = -28.0"]
    assert len(done.stdout.splitlines()) == 6


def test_options_choose_output_gradients_values_and_number_type(do, lesson, tmp_path):
    out = tmp_path / "lesson.py"
    do(
        "export", lesson, "--to", "numpy", "-o", str(out), "--output", "c", "--wrt", "a1", "--set", "w0=0.1",
        "--dtype", "float32",
    )  # fmt: skip
    done = subprocess.run([sys.executable, str(out)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["c = 215.8", "dc/da1 = 33.7"] or "dc/da1" in done.stdout


def test_large_arrays_lie_in_a_file_beside_the_program(do, tmp_path):
    file, out = tmp_path / "large.cadena", tmp_path / "out" / "large.py"
    out.parent.mkdir()
    numbers = np.random.default_rng(0).normal(size=(40, 30))
    save(graph(w=numbers, s=("square", "w"), L=("sum", "s")), file)
    status, told, _ = do("export", file, "--to", "numpy", "-o", str(out))
    assert status == 0
    assert told == f"{out.with_suffix('.npz')} holds the large arrays of {out}; keep them together.\n"
    assert len(out.read_text()) < 2000
    done = subprocess.run([sys.executable, str(out)], capture_output=True, text=True, check=True, cwd="/")
    value, gradient = done.stdout.splitlines()
    assert float(value.removeprefix("L = ")) == pytest.approx(np.sum(numbers**2), rel=1e-12)
    assert gradient == f"dL/dw = {(2.0 * numbers).tolist()}"


def test_the_graph_itself_is_not_overwritten(do, lesson):
    before = lesson.read_bytes()
    with pytest.raises(Refused, match="this is the graph itself; choose another name"):
        do("export", lesson, "--to", "numpy", "-o", str(lesson))
    assert lesson.read_bytes() == before


def test_what_cannot_be_written_leaves_no_file_behind(do, faulty, tmp_path):
    out = tmp_path / "out.py"
    with pytest.raises(Refused, match="u has no value, so that there is no program to write: u: this version does not"):
        do("export", faulty, "--to", "torch", "-o", str(out), "--output", "u")
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--to", "cobol", "-o", "x"], "invalid choice: 'cobol'"),
        (["--to", "numpy"], "the following arguments are required: -o"),
        (["-o", "x"], "the following arguments are required: --to"),
        (["--to", "numpy", "-o", "x", "--wrt", "nobody"], "--wrt: there is no node 'nobody'"),
        (["--to", "numpy", "-o", "/nowhere/x.py"], "/nowhere/x.py: the file cannot be saved: "),
    ],
)
def test_bad_usage_is_a_sentence(do, lesson, words, sentence):
    with pytest.raises(Refused, match=sentence):
        do("export", lesson, *words)


@pytest.mark.parametrize("language", ["numpy", "torch", "jax"])
def test_a_program_named_like_its_library_imported_itself(do, lesson, tmp_path, language):
    out = tmp_path / f"{language}.py"
    with pytest.raises(Refused, match=f"Python would take this program for the library {language}; choose another"):
        do("export", lesson, "--to", language, "-o", str(out))
    assert not out.exists()


@pytest.mark.usefixtures("forked_scripts")
@pytest.mark.parametrize("language", ["torch", "tensorflow"])
def test_an_imported_script_comes_back_from_its_export(tmp_path, language):
    """Numbers and elements stand in the formulas, and are nodes of the same names when they are read."""
    script, program = tmp_path / "script.py", tmp_path / "program.py"
    script.write_text(
        "import torch\n"
        "w = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "y = w[0] * 2 + w[0] ** 2 - 0.5 * w[1] / 3\n"
        "y.backward()\n"
    )
    first, second = tmp_path / "first.cadena", tmp_path / "second.cadena"
    assert program_main(["import", str(script), "-o", str(first)]) == 0
    assert program_main(["export", str(first), "--to", language, "-o", str(program)]) == 0
    assert "w[0] ** 2" in program.read_text()
    assert program_main(["import", str(program), "-o", str(second)]) == 0
    assert load(second).nodes == load(first).nodes


def test_a_program_for_standard_output_was_written_to_a_file_named_minus(do, lesson, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    do("export", lesson, "--to", "numpy", "-o", "program.py")
    status, told, complaints = do("export", lesson, "--to", "numpy", "-o", "-")
    assert (status, complaints) == (0, []) and told == (tmp_path / "program.py").read_text("utf-8")
    assert not (tmp_path / "-").exists()


def test_large_arrays_have_no_place_on_standard_output(do, tmp_path):
    save(graph(w=np.ones((40, 30)), L=("sum", "w")), tmp_path / "large.cadena")
    with pytest.raises(Refused, match="give the program a name with -o"):
        do("export", tmp_path / "large.cadena", "--to", "numpy", "-o", "-")


def test_a_program_in_a_file_whose_name_is_not_utf8_was_a_traceback(do, lesson, tmp_path):
    out = tmp_path / os.fsdecode(b"\xff.py")
    assert do("export", lesson, "--to", "numpy", "-o", str(out)) == (0, "", [])
    done = subprocess.run([sys.executable, str(out)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("L = -254.0")
