"""Array files beside a script: those of exported programs come in again, and no other file does."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.graph.document import as_array
from cadena.core.scripts.beside import MAX_ARRAYS, named_files
from cadena.core.scripts.running import run
from cadena.core.verbs.export import write_program
from tests.core.graphs import graph

pytestmark = pytest.mark.usefixtures("forked_scripts")

W = np.random.default_rng(0).normal(size=(40, 40))
LARGE = graph("L", W=W, x=("input", np.ones(40)), y=("matmul", "W", "x"), L=("sum", "y"))
READ = 'import numpy as np\nfrom pathlib import Path\ndata = np.load(Path(__file__).with_name("a.npz"))\n'


@pytest.mark.parametrize("language", ["numpy", "torch", "jax", "tensorflow"])
def test_a_program_with_a_large_array_beside_it_could_not_be_imported(tmp_path, language):
    path = tmp_path / "program.py"
    write_program(LARGE, language, path)
    result = run(path.read_text("utf-8"), folder=tmp_path)
    assert result.fault is None
    np.testing.assert_array_equal(as_array(result.document.nodes["W"].value), W)
    assert {name: node.op for name, node in result.document.nodes.items() if not node.is_leaf} == {
        "y": "matmul",
        "L": "sum",
    }


def test_without_its_array_file_a_script_says_so():
    fault = run(READ).fault
    assert fault.line == 2
    assert fault.sentence.endswith("import pathlib; it finds array files beside the script alone, and there are none")


def test_another_file_than_the_ones_that_were_there_is_refused(tmp_path):
    np.savez(tmp_path / "a.npz", w=W)
    text = READ + 'np.load(Path(__file__).with_name("b" + ".npz"))'
    fault = run(text, folder=tmp_path).fault
    assert (fault.line, fault.sentence[:35]) == (4, "FileNotFoundError: b.npz is not bes")
    assert run(READ + "Path(__file__).read_text()", folder=tmp_path).fault.sentence.startswith("AttributeError")


def test_objects_in_an_array_file_are_not_loaded(tmp_path):
    np.savez(tmp_path / "a.npz", w=np.array([{}], dtype=object))
    assert "allow_pickle=False" in run(READ + 'print(data["w"])', folder=tmp_path).fault.sentence


def test_only_named_array_files_of_a_size_are_read(tmp_path):
    np.savez(tmp_path / "a.npz", w=W)
    (tmp_path / "large.npz").write_bytes(b"0" * (MAX_ARRAYS + 1))
    text = READ + 'Path(__file__).with_name("large.npz"); Path(__file__).with_name("../a.npz")'
    assert named_files(text, tmp_path).keys() == {"a.npz"}
