"""What README.md, docs/ and the help show, as Python and as commands, runs as it stands there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import cadena
import cadena.main as program
from cadena.core.teaching.lessons import open_lesson
from cadena.core.verbs.parser import HELP
from tests.core.graphs import graph

ROOT = Path(__file__).parent.parent
PAGES = {path.name: path.read_text("utf-8") for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
COMMANDS = re.findall(r"^\$ cadena (.*)", "".join(PAGES.values()), re.MULTILINE)
EXAMPLES = re.findall(r"^  cadena (.*)", HELP, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    cadena.save(open_lesson("1"), tmp_path / "lesson.cadena")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGES[page], re.DOTALL):
        exec(block, names)
    if page == "library.md":
        assert "All methods agree" in capsys.readouterr().out
        assert cadena.compile(names["fixed"]).run(dtype="float32").faults == ()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_named_a_step_that_is_not_there(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    cadena.save(open_lesson("1"), tmp_path / "chain.cadena")
    (tmp_path / "sheets").mkdir()
    (tmp_path / "names.txt").write_text("Anna\nBen\n", "utf-8")
    (tmp_path / "answers.csv").write_text("student,1,2,3,4,5,6\nAnna,1,2,3,4,5,6\n", "utf-8")
    assert program.main(shlex.split(command, comments=True)) == ("07" in command)  # in float32 it has a nan


def test_the_readme_shows_what_the_command_prints(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    ((command, shown),) = re.findall(r"^\$ cadena (.*)\n((?:.+\n)+)```", PAGES["README.md"], re.MULTILINE)
    program.main(shlex.split(command))
    printed = "".join(capsys.readouterr())
    for part in re.split(r"\n|\.\.\.", shown):
        assert part.strip() in printed


def test_the_links_of_the_pages_lead_to_files():
    for name, text in PAGES.items():
        folder = ROOT if name == "README.md" else ROOT / "docs"
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (folder / target).exists(), f"{name}: {target}"


@pytest.mark.parametrize("command", EXAMPLES)
def test_the_examples_of_the_help_can_be_typed(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    leaves = {"w0": 2.0, "w1": 3.0, "W": [[1.0, 2.0], [3.0, 4.0]], "X": ("input", [[1.0, 0.0], [0.0, 1.0]])}
    nodes = {"p": ("multiply", "w0", "w1"), "m": ("matmul", "X", "W"), "s": ("sum", "m"), "c": ("multiply", "p", "s")}
    cadena.save(graph("c", **leaves, **nodes), tmp_path / "graph.cadena")
    assert program.main(shlex.split(command)) == 0
