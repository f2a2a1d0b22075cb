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

ENGINE = (  # the rooms of core, from the lowest to the highest
    "text", "ops", "graph", "functions", "run", "layout", "storage", "notation", "expressions", "tracing", "rewriting",
    "doctor", "methods", "teaching", "languages", "front", "html_page", "training", "scripts", "capture", "verbs",
)  # fmt: skip
WINDOW = (  # the rooms of gui, likewise; a folder within a room is a room of its own where it is listed
    "background", "look", "formulas", "plots", "widgets", "session", "notices", "search", "files",
    "panels/parts", "panels/plots", "panels/methods", "panels/problems", "panels/inspector", "panels/steps",
    "panels/numbers", "panels/code", "panels/training", "panels", "panels/lessons",
    "canvas/rendering", "lessons", "export", "files/recovery", "canvas/interaction", "canvas",
    "frame", "presenting/speaker", "presenting", "presenting/comparison", "tabs", "commands", "window",
)  # fmt: skip

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


# Notebooks ask the document itself for its page, by a method; nothing else in its room knows how it is shown.
NOTEBOOK = ("cadena.core.graph.document", "cadena.core.html_page.page")


def test_no_import_leads_back_to_where_it_began():
    """Also not by way of an import that is lazy or for types alone."""
    graph = nx.DiGraph(edge for edge in all_imports().edges if edge != NOTEBOOK)
    circles = [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]
    assert not circles, "\n".join(", ".join(circle) for circle in circles)


def room_of(module: str, package: str, rooms: tuple[str, ...]) -> str | None:
    """The innermost room of the package that holds the module."""
    holding = [room for room in rooms if is_in(module, (f"cadena.{package}.{room.replace('/', '.')}",))]
    return max(holding, key=len, default=None)


@pytest.mark.parametrize(("package", "rooms"), [("core", ENGINE), ("gui", WINDOW)])
def test_no_room_imports_a_higher_one(package, rooms):
    found = []
    for module, imported in all_imports().edges:
        here, there = (room_of(name, package, rooms) for name in (module, imported))
        if here and there and rooms.index(here) < rooms.index(there) and (module, imported) != NOTEBOOK:
            found.append(f"{module} imports {imported}")
    assert not found


@pytest.mark.parametrize(("package", "rooms"), [("core", ENGINE), ("gui", WINDOW)])
def test_the_rooms_are_those_of_the_tree_and_stand_in_the_architecture(package, rooms):
    folders = (path.parent for path in (ROOT / package).glob("*/__init__.py"))
    there = {path.stem for path in (*folders, *(ROOT / package).glob("*.py"))} - {"__init__"}
    assert there == {room.partition("/")[0] for room in rooms}
    map_of_all = (ROOT / "ARCHITECTURE.md").read_text("utf-8").partition("\ncore/")[2].partition("```")[0]
    assert all(f"  {room.partition('/')[0]}" in map_of_all for room in rooms)


def test_the_type_checker_reads_the_very_files_of_the_program():
    """Two of its links had become copies, months old."""
    assert not [path for path in (ROOT / "typings" / "cadena").iterdir() if not path.is_symlink()]


def test_the_window_does_not_import_the_program_that_starts_it():
    assert not faults(sources("gui"), ("cadena.main",))


def test_numpys_private_modules_are_left_alone():
    assert not faults(sources("core", "gui"), ("numpy._core", "numpy.linalg._linalg", "numpy.lib"))


def test_torch_and_jax_are_imported_only_in_benchmarks_and_in_tests_marked_oracle():
    captures = sources("core/capture", "core/languages/engines.py")  # of frameworks that run already, or are asked for
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
    files = {label(path): path.read_text("utf-8") for path in sources("core", "gui", "cadena.py")}
    assert not [f"{file}: {found}" for file, code in files.items() for found in hidden_state(code)]


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
