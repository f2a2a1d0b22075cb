"""A script in a process of its own with the real PyTorch: it is the user's own program, and its graph comes back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from cadena.core.capture.pythons import own_python, python_at
from cadena.core.capture.script_process import run_really
from cadena.core.scripts.attached import script_of
from cadena.core.storage.files import load
from tests.sources import ROOT

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


class Listener:
    """Hears what a script prints."""

    def __init__(self) -> None:
        self.heard = ""

    def begun(self, child: Any) -> None:
        pass

    def reported(self, text: str) -> None:
        self.heard += text


@pytest.fixture
def run(tmp_path):
    def call(text: str, *arguments: str, **settings: Any) -> Any:
        path = tmp_path / "train.py"
        path.write_text(dedent(text), "utf-8")
        python = settings.pop("python", None) or own_python()
        return run_really(path.read_text(), python, path, arguments=arguments, watcher=Listener(), **settings)

    return call


STEP = """
    import torch
    w = torch.ones(3, requires_grad=True)
    loss = (w * 2).sum()
    loss.backward()
"""


def test_it_is_the_users_own_program(run, tmp_path):
    (tmp_path / "beside.py").write_text("scale = 2.0\n")
    result = run(
        """
        import os, pickle, sys
        import torch
        from torch.utils.data import DataLoader, TensorDataset
        from beside import scale

        class Mine:
            pass

        if __name__ == "__main__":
            print(sys.argv[1:], os.path.basename(__file__), type(pickle.loads(pickle.dumps(Mine()))).__name__)
            print([name for name in ("PySide6", "networkx", "gui", "core") if name in sys.modules], file=sys.stderr)
            open(os.path.join(os.path.dirname(__file__), "log.txt"), "w").write("written")
            w = torch.ones(3, requires_grad=True)
            for (x,) in DataLoader(TensorDataset(torch.arange(12.0).reshape(4, 3)), batch_size=2, num_workers=1):
                loss = (w * x * scale).sum()
                loss.backward()
        """,
        "--epochs", "3",
    )  # fmt: skip
    assert result.fault is None and "['--epochs', '3'] train.py Mine\n[]\n" in result.printed
    assert (tmp_path / "log.txt").read_text() == "written"
    assert len(result.passes) == 2 and result.chosen == 1 and result.agreement.startswith("agrees")
    assert result.computed_by.startswith("PyTorch 2")
    assert set(result.lines.values()) == {18, 19} or {"w", "x", "loss"} <= result.document.nodes.keys()


def test_an_error_keeps_what_was_recorded(run):
    result = run(STEP + "    raise ValueError('no luck')\n")
    assert result.fault is None and result.is_stopped and result.document.output == "loss"
    assert result.remarks[0].sentence.startswith("the script stopped at line 6, ")
    assert 'train.py", line 6, in <module>' in result.printed and "script_child" not in result.printed


def test_a_limit_of_time_keeps_what_was_recorded(run):
    result = run(STEP + "    while True: pass\n", seconds=1)
    assert result.document.output == "loss" and "it ran longer than 1 seconds" in result.remarks[0].sentence


@pytest.mark.parametrize(
    ("text", "settings", "line", "sentence"),
    [
        ("import torch\ntorch.ones(2)", {}, 0, "the script computes no gradient, so there is no graph; call backward"),
        ("import torch\n1 / 0", {}, 2, "ZeroDivisionError: division by zero; it had computed no gradient"),
        ("import torch\n1 +", {}, 2, "SyntaxError: invalid syntax .*; it had computed no gradient"),
        (STEP, {"chosen": 5}, 0, "it has no such backward pass; choose one from 1 to 1"),
        ("import os\nos._exit(3)", {}, 0, r"its process ended \(3\) before it could answer"),
    ],
)
def test_without_a_graph_there_is_a_sentence(run, text, settings, line, sentence):
    import re

    fault = run(text, **settings).fault
    assert fault.line == line and re.match(sentence, fault.sentence)


def test_a_broken_library_is_a_sentence(run, tmp_path, monkeypatch):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise ImportError('libtorch.so: no such file')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert "cannot be imported by" in run(STEP).fault.sentence


def test_a_python_without_msgspec_and_scipy_records_too(run, tmp_path):
    """A project's own virtual environment has PyTorch and numpy, and nothing of ours."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    packages = next((tmp_path / "venv" / "lib").glob("python*/site-packages"))
    for item in Path(next(path for path in sys.path if path.endswith("site-packages"))).iterdir():
        if item.name.partition("-")[0].partition(".")[0] not in (
            "msgspec",
            "scipy",
            "PySide6",
            "networkx",
            "shiboken6",
        ):
            (packages / item.name).symlink_to(item)
    python = python_at(tmp_path / "venv")
    assert not python.has_msgspec
    text = STEP + "    loss = torch.nn.functional.gelu(w * torch.arange(3.0)).sum()\n    loss.backward()\n"
    result = run(text, python=python)
    assert result.fault is None and result.agreement.startswith("agrees"), result


def test_ctrl_c_keeps_what_was_recorded(tmp_path):
    (tmp_path / "train.py").write_text(dedent(STEP) + "print('ready', flush=True)\nwhile True: pass\n")
    command = [sys.executable, str(ROOT / "main.py"), "import", "train.py", "-o", "x.cadena", "--passes"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True) as child:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        os.killpg(child.pid, signal.SIGINT)
        printed, status = child.stdout.read(), child.wait()
    assert status == 1 and "stopped at line 7, and the graph is of what ran before: interrupted" in printed
    assert "x.cadena: pass 1 of 1: line 5, loss = 6, 2 operations\n" in printed
    script = script_of(load(tmp_path / "x.cadena"))
    assert script is not None and script.lines["loss"] == 4 and script.computed_by.startswith("PyTorch")
