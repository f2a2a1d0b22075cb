"""The house rules of CONTRIBUTING.md, held by reading the source.

A rule that gets in the way of clear code is changed here, openly and with its reason, not dodged.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

from cadena.core.ops.primitive import REGISTRY
from tests.sources import (
    ROOT,
    all_imports,
    called,
    imports,
    imports_of,
    is_in,
    label,
    last_name,
    nodes,
    parsed,
    sources,
)

PARTS = ("canvas", "panels", "plots", "lessons", "stage", "speaker", "beside", "export")  # they know only Session
KNOW_ALL_PARTS = ("gui/app.py", "gui/window.py", "gui/frame.py", "gui/room.py", "gui/naive_order.py")

# What every part of the window may import, beside core and itself -> why.
SHARED = {
    "cadena.gui.session": "the only way in which the parts talk",
    "cadena.gui.shown_document": "the session without what plays and asks; knows no part",
    "cadena.gui.playback": "the speeds that can be chosen; knows no part",
    "cadena.gui.learning": "the paces that can be chosen; knows no part",
    "cadena.gui.theme": "one look for all",
    "cadena.gui.throttle": "what follows the canvas a frame later; knows neither the session nor any part",
    "cadena.gui.showing": "how the graph is shown, as a value; knows no part",
    "cadena.gui.catalogue": "what can be found, and the search for it; knows neither the session nor any part",
    "cadena.gui.expressions": "a typed expression, and what it would make; knows neither the session nor any part",
    "cadena.gui.graph_edits": "edits that several parts offer, for the session; knows neither the session nor any part",
    "cadena.gui.panel": "what a panel is: a record that makes one; knows no part",
    "cadena.gui.chooser": "a chooser that leaves the keys to the canvas; knows neither the session nor any part",
    "cadena.gui.mnemonics": "letters for the buttons of a question; knows neither the session nor any part",
    "cadena.gui.batches": "many lines and boxes from arrays; knows neither the session nor any part",
    "cadena.gui.heat_colors": "the colours of arrays, from the theme alone",
    "cadena.gui.icon": "an image as a PNG; knows no part",
    "cadena.gui.cards": "cards with pictures over the graph, from the theme alone",
    "cadena.gui.strip": "a strip's ground and line, from the theme alone",
    "cadena.gui.formula": "a formula as a picture; knows neither the session nor any part",
    "cadena.gui.formula_lines": "lays formulas out in lines; knows neither the session nor any part",
    "cadena.gui.lane_rows": "lays out and paints lanes; knows neither the session nor any part",
    "cadena.gui.typesetter": "sets formulas, for whoever shows them; knows neither the session nor any part",
    "cadena.gui.plain": "text from files made fit to be shown; knows neither the session nor any part",
    "cadena.gui.wording": "faults and refusals in the terms of the window; knows neither the session nor any part",
    "cadena.gui.tasks": "what takes a while, shown and cancelled in one way; knows neither the session nor any part",
    "cadena.gui.work": "a call in a thread of its own; knows neither the session nor any part",
}

# What one part may import of another, never the other way round -> why.
ONE_WAY = {
    ("lessons", "cadena.gui.canvas"): "the gallery shows the very picture that the canvas would",
    ("export", "cadena.gui.canvas"): "an export paints the very picture that the canvas shows",
    ("panels", "cadena.gui.plots"): "a panel holds a plot, which knows neither the panel nor the session",
    (
        "stage",
        "cadena.gui.canvas",
    ): "the stage shows the picture of the canvas, and a second one beside it",
    ("stage", "cadena.gui.actions.keys"): "the stage leaves keys to whoever writes",
    ("stage", "cadena.gui.speaker"): "the speaker view comes and goes with the stage",
    ("stage", "cadena.gui.files"): "a lecture goes from lesson to lesson",
    ("stage", "cadena.gui.frame"): "the stage takes the window's parts away, and gives them back",
    ("speaker", "cadena.gui.frame"): "the speaker view goes with its window",
    ("beside", "cadena.gui.frame"): "the second side stands among the window's parts",
    ("export", "cadena.gui.exports"): "a dialog leaves the place of a file, and writing it, to exports",
    ("speaker", "cadena.gui.canvas"): "the speaker sees small pictures of what the canvas shows",
    ("speaker", "cadena.gui.export"): "they are the pictures that are exported",
    ("speaker", "cadena.gui.lessons.rich_text"): "notes are Markdown, as the texts of lessons are",
    ("speaker", "cadena.gui.style"): "a window of its own has a look of its own",
    ("beside", "cadena.gui.actions.keys"): "Esc is left to whoever writes",
    ("beside", "cadena.gui.canvas"): "the second side shows a second picture of the canvas",
    ("beside", "cadena.gui.panels"): "and a second band below it",
}

# Never dependencies; tests marked oracle compare with them where they are there.
ORACLES = ("torch", "jax", "tensorflow")


def faults(paths: list[Path], forbidden: tuple[str, ...], permitted: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{label(path)} imports {module}"
        for path in paths
        for module in sorted(imports_of(path))
        if is_in(module, forbidden) and not is_in(module, permitted)
    ]


# --- which way the imports point


def test_core_imports_neither_qt_nor_the_window():
    assert not faults(sources("core"), ("PySide6", "shiboken6", "pyqtgraph", "cadena.gui", "cadena.main"))


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_window_imports_no_other_part(part):
    lent = tuple(module for borrower, module in ONE_WAY if borrower == part)
    found = [
        f"{label(path)} imports {module}"
        for path in sources(f"gui/{part}")
        for module in sorted(imports_of(path))
        if is_in(module, ("cadena.gui", "cadena.main"))
        and module != "cadena.gui"
        and not is_in(module, (*SHARED, f"cadena.gui.{part}", *lent))
    ]
    assert not found


def test_only_the_window_and_the_app_know_all_parts():
    others = [path for path in (ROOT / "gui").glob("*.py") if label(path) not in KNOW_ALL_PARTS]
    assert not faults(others, tuple(f"cadena.gui.{part}" for part in PARTS))


# Notebooks ask the document itself for its page, by a method; nothing else in its room knows how it is shown.
NOTEBOOK = ("cadena.core.graph.document", "cadena.core.page.page")


def test_no_import_leads_back_to_where_it_began():
    """Also not by way of an import that is lazy or for types alone."""
    graph = nx.DiGraph(edge for edge in all_imports().edges if edge != NOTEBOOK)
    circles = [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]
    assert not circles, "\n".join(", ".join(circle) for circle in circles)


ROOMS = (  # of the engine, from the lowest to the highest
    "text", "ops", "graph", "functions", "run", "layout", "notation", "expressions", "tracing", "rewriting", "doctor",
    "methods", "teaching", "dialects", "front", "storage", "page", "learning", "scripts", "capture", "lessons",
    "reference", "verbs",
)  # fmt: skip


def test_no_room_of_the_engine_imports_a_higher_one():
    height = {f"cadena.core.{room}": number for number, room in enumerate(ROOMS)}
    found = []
    for module, imported in all_imports().edges:
        here, there = (height.get(".".join(name.split(".")[:3])) for name in (module, imported))
        if here is not None and there is not None and here < there and (module, imported) != NOTEBOOK:
            found.append(f"{module} imports {imported}")
    assert not found


def test_the_rooms_of_the_engine_are_those_of_the_tree_and_stand_so_in_the_architecture():
    there = {path.stem for path in (ROOT / "core").iterdir() if path.is_dir() or path.suffix == ".py"}
    assert there - {"__init__", "__pycache__"} == set(ROOMS)
    told = (ROOT / "ARCHITECTURE.md").read_text("utf-8").partition("\ncore/")[2].partition("\ngui/")[0]
    places = [told.index(f"\n  {room}") for room in ROOMS]
    assert places == sorted(places)


def test_the_type_checker_reads_the_very_files_of_the_program():
    """Two of its links had become copies, months old."""
    assert not [path for path in (ROOT / "typings" / "cadena").iterdir() if not path.is_symlink()]


def test_the_window_does_not_import_the_program_that_starts_it():
    assert not faults(sources("gui"), ("cadena.main",))


def test_numpys_private_modules_are_left_alone():
    assert not faults(sources("core", "gui"), ("numpy._core", "numpy.linalg._linalg", "numpy.lib"))


def test_torch_and_jax_are_imported_only_in_benchmarks_and_in_tests_marked_oracle():
    captures = sources("core/capture", "core/dialects/engines.py")  # of frameworks that run already, or are asked for
    elsewhere = [path for path in sources("core", "gui", "resources", "scripts", "main.py") if path not in captures]
    assert not faults(elsewhere, ORACLES)
    tests = [path for path in sources("tests") if path.parent.name != "benchmarks"]  # those ask before they import
    unmarked = [path for path in tests if "mark.oracle" not in path.read_text("utf-8")]
    assert not faults(unmarked, ORACLES)
    at_the_top = [
        f"{label(path)} imports {module} without need; use pytest.importorskip in tests, a function in core/capture"
        for path in [*sources("tests"), *captures]
        for statement in parsed(path.read_text("utf-8")).body
        if isinstance(statement, ast.Import | ast.ImportFrom)  # importorskip is no such statement
        for module in imports(ast.unparse(statement))
        if is_in(module, ORACLES)
    ]
    assert not at_the_top


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import cadena.gui.canvas", {"cadena.gui.canvas"}),
        ("from cadena.gui import canvas", {"cadena.gui", "cadena.gui.canvas"}),
        ("def f():\n    from ..canvas import view", {"cadena.gui.canvas", "cadena.gui.canvas.view"}),
        ("torch = pytest.importorskip('torch')", {"torch"}),
        ("from . import plots", {"cadena.gui.panels", "cadena.gui.panels.plots"}),
    ],
)
def test_the_reader_of_imports_sees_every_form(code, found):
    assert set(imports(code, "cadena.gui.panels")) == found


# --- one record for each operation

DIAGNOSIS = ("core/doctor", "core/rewriting", "core/methods")  # rooms that read records, and have no tables of names
# (file, text that is the name of an operation) -> why; "" for every text in the file.
NAMES_ALLOWED = {
    ("core/methods/symbolic/forms.py", ""): "SymPy's functions by the names that numpy has for them in rules",
    ("core/methods/symbolic/term.py", "add"): "Python's name of +",
}
WORDS = ("gradient",)  # operations whose names mean something else in these rooms


def named_operations(code: str) -> set[str]:
    """The texts in the code that are the name of an operation, or several with spaces between."""
    texts = [node.value for node in nodes(code) if isinstance(node, ast.Constant)]
    listed = [text for text in texts if isinstance(text, str) and text.split() and set(text.split()) <= set(REGISTRY)]
    return {text for text in listed if text == text.strip() and text not in WORDS}


def test_what_is_known_of_an_operation_stands_on_its_record():
    """Traits, definitions and safer forms are fields of `Primitive`; compare records, and write `multiply.name`."""
    found = {(label(path), text) for path in sources(*DIAGNOSIS) for text in named_operations(path.read_text("utf-8"))}
    assert not {(file, text) for file, text in found if not {(file, text), (file, "")} & NAMES_ALLOWED.keys()}
    assert {file for file, _ in NAMES_ALLOWED} <= {file for file, _ in found}


@pytest.mark.parametrize("code", ['SATURATED = frozenset("sigmoid tanh".split())', 'op == "where"', '{"log1p": -1.0}'])
def test_the_reader_of_operations_sees_every_form(code):
    assert named_operations(code)


# --- state has an owner

EMULATED = ("core/scripts", "core/capture")  # modules and classes of libraries, and the attributes of users' objects
KEPT = ("Document", "Plan", "Program", "Run", "Session")  # what no module holds


def hidden_state(code: str) -> Iterator[str]:
    """Where the code writes attributes behind the back of their owner, or a module holds a document or what is made of
    one."""

    def is_attributes(node: ast.AST) -> bool:
        return last_name(node) == "__dict__" or (isinstance(node, ast.Call) and called(node) == "vars")

    def names(node: ast.AST | None) -> set[str]:
        return {last_name(part) for part in ast.walk(node)} if node is not None else set()

    for node in nodes(code):
        match node:
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) if is_attributes(value):
                yield f"line {node.lineno}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(value=value, attr="update" | "pop" | "setdefault" | "clear")):
                if is_attributes(value):
                    yield f"line {node.lineno}: {ast.unparse(node)}"
            case ast.FunctionDef(decorator_list=decorators):
                caches = any(names(one) & {"cache", "lru_cache"} for one in decorators)
                if caches and any(names(one.annotation) & {*KEPT} for one in node.args.args):
                    yield f"line {node.lineno}: {node.name}"
    for node in parsed(code).body:
        if isinstance(node, ast.AnnAssign) and "Callable" not in (held := names(node.annotation)) and held & {*KEPT}:
            yield f"line {node.lineno}: {ast.unparse(node.target)}"


def test_state_has_an_owner():
    """A cache is a `cached_property` or a class of its own; what is found in a plan is kept by `Plan.once`."""
    left = [path for path in sources("core", "gui", "cadena.py") if not label(path).startswith(EMULATED)]
    assert not [f"{label(path)}: {found}" for path in left for found in hidden_state(path.read_text("utf-8"))]


@pytest.mark.parametrize(
    "code",
    [
        "after.__dict__['consumers'] = before.consumers",
        "self.__dict__.pop('timeline', None)",
        "vars(twin).update(known)",
        "del vars(twin)['wires']",
        "_last: Document | None = None",
        "_known: WeakKeyDictionary[Passes, Run] = WeakKeyDictionary()",
        "@lru_cache(maxsize=16)\ndef carrying(plan: Plan, number: int): ...",
        "@functools.cache\ndef shown(document: Document): ...",
    ],
)
def test_the_reader_of_hidden_state_sees_every_form(code):
    assert list(hidden_state(code))


# --- tests that pass on a busy machine

CLOCKS = ("time", "timeit")
FOLDERS_WITH_CLOCKS = ("benchmarks", "fuzz")  # speed is measured there, and a long run may be timed
MAY_LOOK = {
    "tests/waiting.py": "its clock only ends a test that would wait for ever",
    "tests/core/ops/test_huge_attributes.py": "work within numpy, in time of the processor: 500 times what a run takes",
}
SLEEPS = ("wait", "qWait", "sleep", "waitUntil", "waitSignal", "waitSignals", "finish", "communicate", "run", "join")


def clocks(code: str) -> Iterator[str]:
    """Where the code looks at a clock, or waits for a number of seconds instead of for what is to happen."""
    for module in imports(code):
        if is_in(module, CLOCKS):
            yield f"imports {module}"
    for node in nodes(code):
        if isinstance(node, ast.Call) and called(node) in SLEEPS:
            limits = [word.value for word in node.keywords if word.arg == "timeout"]
            first = node.args[:1] if called(node) in ("wait", "qWait", "sleep") else []
            for number in (*first, *limits):
                if isinstance(number, ast.Constant | ast.BinOp):
                    yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_test_depends_on_how_fast_the_machine_is():
    """Wait for what is to happen by `tests.waiting`, let Qt come to rest by `calm`, count work by `tests.effort`."""
    timed = [path for path in sources("tests") if path.parent.name not in FOLDERS_WITH_CLOCKS]
    timed = [path for path in timed if label(path) not in MAY_LOOK]
    assert not [f"{label(path)}: {found}" for path in timed for found in clocks(path.read_text("utf-8"))]
    assert all((ROOT / name).exists() for name in MAY_LOOK)


@pytest.mark.parametrize(
    "code",
    [
        "from time import perf_counter",
        "import time",
        "qtbot.wait(70)",
        "QTest.qWait(2 * REST)",
        "qtbot.waitUntil(done, timeout=2000)",
        "subprocess.run(command, timeout=60)",
        "assert go_on.wait(10)",
    ],
)
def test_the_reader_of_clocks_sees_every_form(code):
    assert list(clocks(code))


@pytest.mark.parametrize("name", ["README.md", "core/new.py", "resources/lessons/new.cadena"])
def test_a_test_that_would_write_to_the_sources_fails(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    with pytest.raises(AssertionError, match="a test writes to"):
        Path(name).touch()
    with pytest.raises(AssertionError, match="a test writes to"):
        Path(ROOT / name).unlink()


# --- what core costs and needs

needs_core = pytest.mark.skipif(not (ROOT / "core" / "__init__.py").exists(), reason="core is not there yet")


def in_fresh_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_core
def test_all_of_core_can_be_imported_without_qt():
    printed = in_fresh_python("""
import importlib, pkgutil, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"} or name.startswith("cadena.gui"):
            raise ImportError(f"core wants {name}")

sys.meta_path.insert(0, NoQt())
from cadena import core
for module in pkgutil.walk_packages(core.__path__, "cadena.core."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(core.__name__)
""")
    assert printed.strip() == "cadena.core"


@needs_core
def test_importing_core_leaves_slow_libraries_for_later():
    loaded = in_fresh_python("import cadena, sys; print(*sys.modules)").split()
    assert not {"networkx", "pyqtgraph", "scipy", "sympy", "ziamath", "PySide6"} & set(loaded)


# --- nothing of the place where Cadena was made


def tracked_files() -> list[Path]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this copy is not a git repository")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_no_file_names_a_folder_of_its_makers():
    # Put together here, so that this file does not find itself.
    traces = ["../" + "shared", "/work" + "/", "/opt" + "/"]
    found = [
        f"{label(path)} mentions {trace}"
        for path in tracked_files()
        for trace in traces
        if trace.encode() in path.read_bytes()
    ]
    assert not found
