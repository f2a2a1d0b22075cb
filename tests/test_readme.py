"""What README.md shows as Python runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import core
from core.lessons import open_lesson

README = Path(__file__).parent.parent / "README.md"


def test_the_python_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    core.save(open_lesson("1"), tmp_path / "lesson.cadena")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL):
        exec(block, names)
    assert "All methods agree" in capsys.readouterr().out
    assert core.compile(names["mended"]).run(dtype="float32").faults == ()
