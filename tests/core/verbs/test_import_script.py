from __future__ import annotations

import sys

import pytest

import cadena.main as program
from cadena.core.scripts import confinement
from cadena.core.scripts.attached import script_of
from cadena.core.storage.files import load

pytestmark = pytest.mark.usefixtures("forked_scripts")

STAND_INS = f"PyTorch is not installed for {sys.executable}, so stand-ins ran the script; --python chooses another"

SCRIPT = "import torch\nw = torch.tensor(3., requires_grad=True)\nL = w * w\nL.backward()\nprint(w.grad)\n"


@pytest.fixture
def imported(tmp_path, capsys):
    def call(text: str, *words: str) -> tuple[int, str, str]:
        """Exit status, standard output and standard error of `cadena import SCRIPT -o FILE ...`."""
        (tmp_path / "script.py").write_text(text, "utf-8")
        status = program.main(["import", str(tmp_path / "script.py"), "-o", str(tmp_path / "x.cadena"), *words])
        printed = capsys.readouterr()
        caution = confinement.caution(confinement.offered())
        return status, printed.out, printed.err.removeprefix(f"cadena: {caution}\n")

    return call


def test_a_script_prints_and_its_graph_becomes_a_file_that_runs(imported, tmp_path):
    file = tmp_path / "x.cadena"
    assert imported(SCRIPT) == (0, f"tensor(6.)\n{file}: 2 nodes, output L\n{file}: {STAND_INS}\n", "")
    assert load(file).nodes["L"].inputs == ("w", "w")
    assert program.main(["run", str(file)]) == 0


def test_the_file_holds_the_script_and_the_line_of_each_node(imported, tmp_path):
    imported(SCRIPT)
    script = script_of(load(tmp_path / "x.cadena"))
    assert script is not None
    assert (script.text, script.name, script.lines) == (SCRIPT, "script.py", {"w": 2, "L": 3})


def test_a_system_that_cannot_confine_scripts_says_so_before_it_runs_one(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(confinement, "offered", frozenset)
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    assert program.main(["import", str(tmp_path / "script.py"), "-o", str(tmp_path / "x.cadena")]) == 0
    assert capsys.readouterr().err.startswith(
        "cadena: This system cannot confine scripts: one that means harm can read"
    )


def test_gradients_that_are_none_came_without_a_word(imported, tmp_path):
    script = "import torch\nw = torch.tensor(3., requires_grad=True)\nb = torch.tensor(1., requires_grad=True)\n"
    _, printed, _ = imported(script + "L = w * w\nL.backward()\nprint(b.grad)\n")
    assert printed.splitlines()[1:] == [
        f"{tmp_path / 'x.cadena'}: 3 nodes, output L",
        f"{tmp_path / 'x.cadena'}: {STAND_INS}",
        f"{tmp_path / 'x.cadena'}: the script finds no gradient for b: `cadena why` says why",
    ]


def test_a_pass_can_be_chosen(imported, tmp_path):
    status, printed, _ = imported(SCRIPT + "M = w + 1\nM.backward()\n", "--pass", "1")
    assert status == 0 and "output L of pass 1 of 2; choose another with --pass\n" in printed
    assert load(tmp_path / "x.cadena").output == "L"


def test_the_passes_are_listed(imported, tmp_path):
    printed = imported(SCRIPT + "M = w + 1\nM.backward()\n", "--passes")[1].splitlines()
    assert printed[-2:] == [f"{tmp_path / 'x.cadena'}: pass {at} of 2: line {line}" for at, line in ((1, 4), (2, 7))]


def test_a_python_that_is_none_is_refused(imported):
    status, _, complaint = imported(SCRIPT, "--python", "/nowhere")
    assert (status, complaint.count("\n")) == (2, 1)
    assert complaint.startswith("cadena: /nowhere: this is no Python that can be run; give the path of one")


def test_a_fault_is_one_line_with_its_place_and_leaves_no_file(imported, tmp_path):
    status, printed, complaint = imported("print('before')\n1 / 0\n")
    assert (status, printed) == (2, "before\n")
    assert complaint == f"cadena: {tmp_path / 'script.py'}: line 2: ZeroDivisionError: division by zero\n"
    assert not (tmp_path / "x.cadena").exists()


def test_a_file_that_is_there_is_not_written_over_unless_asked(imported, tmp_path):
    (tmp_path / "x.cadena").write_text("mine")
    status, _, complaint = imported(SCRIPT)
    assert status == 2 and complaint.endswith("there is such a file already; choose another name, or --force\n")
    assert (tmp_path / "x.cadena").read_text() == "mine"
    assert imported(SCRIPT, "--force")[0] == 0


def test_a_script_that_cannot_be_read_is_told(tmp_path, capsys):
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\xfa")
    for name in ("bytes.py", "missing.py", "."):
        assert program.main(["import", str(tmp_path / name), "-o", str(tmp_path / "x.cadena")]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("words", [("--pass", "0"), ("--seconds", "soon")])
def test_options_that_make_no_sense_are_refused(imported, words):
    status, _, complaint = imported(SCRIPT, *words)
    assert status == 2 and complaint.startswith(f"cadena: argument {words[0]}: {words[1]} is no ")


def test_a_model_without_the_package_that_reads_it_says_how_to_install_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    (tmp_path / "m.onnx").write_bytes(b"")
    assert program.main(["import", str(tmp_path / "m.onnx"), "-o", str(tmp_path / "m.cadena")]) == 2
    assert "the package onnx, which is missing; pip install onnx\n" in capsys.readouterr().err


def test_the_options_of_scripts_are_refused_for_a_model(tmp_path, capsys):
    words = ["import", str(tmp_path / "m.onnx"), "-o", str(tmp_path / "m.cadena"), "--seconds", "3"]
    assert program.main(words) == 2
    assert "--pass, --seconds and --python are for scripts; leave them out\n" in capsys.readouterr().err


def test_tabs_that_a_script_printed_became_spaces(imported):
    assert imported(SCRIPT + "print('a\\tb')\n")[1].splitlines()[1] == "a\tb"
