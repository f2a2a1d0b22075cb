"""Documents run by PyTorch and JAX: every lesson and operation, faults, and batches shared out among several."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.languages.export import export
from cadena.core.ops.primitive import REGISTRY
from cadena.core.storage.files import load, save
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import chain, graph, mlp
from tests.core.languages.programs import differences, expected, of_record, printed
from tests.core.oracle.test_exported import AT_LESSONS, KNOWN

pytestmark = pytest.mark.oracle
LIBRARIES = ("torch", "jax")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module", params=LIBRARIES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """torch.compile takes a second or more for each graph, so that one test alone compiles."""
    library = pytest.importorskip(request.param)
    if request.param == "torch":
        library.compiler.set_stance("force_eager")
    yield str(request.param)
    if request.param == "torch":
        library.compiler.set_stance("default")


def computed(document: Document, engine: str, **settings: Any) -> dict[str, np.ndarray]:
    """What a program would print, by an engine."""
    run, output = cadena.compile(document, engine=engine, **settings).run(), str(document.output)
    found: dict[str, Any] = {output: run.value(output)}
    for name, node in document.nodes.items():
        if node.wants_gradient and (gradient := run.gradient(name)) is not None:
            found[f"d{output}/d{name}"] = gradient
    return found


def test_every_lesson(engine: str) -> None:
    for lesson in lessons():
        document = open_lesson(str(lesson.number))
        relative = 1e-12 if document.dtype == "float64" else 1e-6
        found = list(differences(computed(document, engine), expected(document), relative))
        assert found == AT_LESSONS.get((engine, lesson.number), []), lesson.name


@pytest.mark.parametrize("op", REGISTRY)
def test_every_operation(engine: str, op: str) -> None:
    for number, document in enumerate(of_record(REGISTRY[op])):
        if (engine, op, number) not in KNOWN:
            assert not list(differences(computed(document, engine), expected(document), 1e-12)), number


def test_all_values_and_other_numbers(engine: str) -> None:
    document = mlp((6, 5, 3), batch=8)
    program, by_numpy = cadena.compile(document, engine=engine), cadena.compile(document)
    for values in ({}, {"b0": np.arange(5.0)}):
        run, other = program.run(values), by_numpy.run(values)
        for name in document.nodes:
            assert np.allclose(run.value(name), other.value(name), rtol=1e-12), name
        assert np.allclose(run.gradient("W0"), other.gradient("W0"), rtol=1e-12)
        assert run.gradient("x") is None


def test_another_number_type_and_a_seed(engine: str) -> None:
    document = graph("y", w=[1.0, 2.0, 3.0], y=("square", "w"))
    run = cadena.compile(document, engine=engine).run(dtype="float32", seed=[1.0, 0.0, -1.0])
    assert run.value("y").dtype == run.gradient("w").dtype == np.float32
    assert run.gradient("w").tolist() == [2.0, 0.0, -6.0]


def test_a_node_beside_the_output_has_its_value(engine: str) -> None:
    run = cadena.compile(graph("L", w=2.0, L=("square", "w"), beside=("exp", "w")), engine=engine).run()
    assert run.value("beside") == pytest.approx(np.exp(2.0))
    assert run.gradient("beside") is None


def test_the_gradient_of_an_inner_node_is_refused(engine: str) -> None:
    run = cadena.compile(graph("L", w=2.0, m=("square", "w"), L=("exp", "m")), engine=engine).run()
    with pytest.raises(Refused, match="m is computed from its operands, and frameworks answer with the gradients of"):
        run.gradient("m")


def test_bad_numbers_have_the_faults_that_numpy_finds(engine: str) -> None:
    document = open_lesson("7")
    run, other = cadena.compile(document, engine=engine).run(), cadena.compile(document).run()
    assert run.faults == other.faults != ()
    assert len(run.timeline) == len(other.timeline)
    assert not cadena.compile(open_lesson("1"), engine=engine).run().faults


def test_a_framework_reports_the_bad_numbers_that_are_its_own() -> None:
    document = graph("L", x=[0.0, 0.0], n=("norm", "x"), L=("square", "n"))
    run = cadena.compile(document, engine="jax").run()
    assert np.isnan(run.leaf_gradients["x"]).all() and not cadena.compile(document).run().faults
    assert [(fault.node, fault.kind, fault.severity) for fault in run.faults] == [("x", "nan-gradient", "fault")]
    assert "becomes nan at [0] (2 of 2 places) by jax.jit" in run.causes[0].fault.message
    masked = graph("L", x=[1.0, 0.0], m=[-np.inf, 0.0], y=("add", "x", "m"), L=("logsumexp", "y"))
    assert not cadena.compile(masked, engine="jax").run().faults  # numpy's run has the same -inf, a mask


def test_numbers_that_take_another_branch_are_a_fault(engine: str) -> None:
    document = load(Path(__file__).parents[1] / "storage" / "frozen" / "v2_guards.cadena")
    program = cadena.compile(document, engine=engine)
    assert not program.run().faults
    faults = [fault for fault in program.run({"x": -2.5}).faults if fault.kind == "violated-guard"]
    assert {fault.node for fault in faults} == {"above", "n", "y"}


def test_what_else_runs_in_the_process_keeps_its_number_type(engine: str) -> None:
    cadena.compile(open_lesson("1"), engine=engine).run().gradient("w0")
    if engine == "jax":
        import jax.numpy as jnp

        assert jnp.array(1.0).dtype == np.float32
    else:
        import torch

        assert torch.tensor(1.0).dtype == torch.float32


def test_torch_compiles_a_graph() -> None:
    torch = pytest.importorskip("torch")
    torch.compiler.set_stance("default")
    document = mlp((6, 5, 3), batch=8)
    program = cadena.compile(document, engine="torch")
    run = program.run()
    assert np.allclose(run.gradient("W0"), cadena.compile(document).run().gradient("W0"), rtol=1e-12)
    assert program.way.startswith("torch.compile on ") or os.environ.get("TORCH_COMPILE_DISABLE")


def test_where_torch_cannot_compile_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")

    def broken(call: Any) -> Any:
        def refusing(**tensors: Any) -> Any:
            raise RuntimeError("no compiler for C++")

        return refusing

    monkeypatch.setattr(torch, "compile", broken)
    program = cadena.compile(open_lesson("1"), engine="torch")
    assert program.run().gradient("w0") == -28.0
    assert program.way.startswith("PyTorch, not compiled, on ")


def test_what_torch_would_compile_for_minutes_runs_as_it_is() -> None:
    pytest.importorskip("torch")
    program = cadena.compile(chain(2_100), engine="torch")
    assert program.run().gradient("x") == pytest.approx(cadena.compile(chain(2_100)).run().gradient("x"), rel=1e-12)
    assert program.way.startswith("PyTorch, not compiled, on ")


def test_the_engine_torch_has_one_device() -> None:
    pytest.importorskip("torch")
    with pytest.raises(Refused, match="the engine torch runs on one device; choose the engine jax, or export"):
        cadena.compile(mlp((6, 5, 3), batch=8), engine="torch", devices=2)


def started(*words: str, devices: int = 1) -> subprocess.CompletedProcess[str]:
    """A Python of its own, in which JAX has as many devices of the host, whatever accelerators there are."""
    of_host = {"XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}", "JAX_PLATFORMS": "cpu"}
    more = of_host | {"OMP_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, env=os.environ | more, cwd=ROOT)


@pytest.fixture
def shared(tmp_path: Path) -> Document:
    """A batch of 8, a mean and weight decay, in a file and as programs."""
    document = mlp((6, 5, 3), batch=8)
    nodes = graph(WW=("square", "W1"), d=("sum", "WW"), total=("add", "L", "d")).nodes
    document = replace(document, nodes={**document.nodes, **nodes}, output="total")
    for language in LIBRARIES:
        (tmp_path / f"by_{language}.py").write_text(export(document, language, stem=f"by_{language}").text)
    save(document, tmp_path / "graph.cadena")
    return document


@pytest.mark.parametrize("devices", [2, 4])
def test_the_jax_program_shards_the_batch(shared: Document, tmp_path: Path, devices: int) -> None:
    pytest.importorskip("jax")
    done = started(str(tmp_path / "by_jax.py"), "--devices", str(devices), devices=4)
    assert not list(differences(printed(done.stdout), expected(shared), 1e-12)), done.stderr


def test_the_jax_program_refuses_devices_that_do_not_fit(shared: Document, tmp_path: Path) -> None:
    pytest.importorskip("jax")
    for devices, sentence in (
        (3, "a batch of 8 has no 3 equal parts; choose a divisor"),
        (8, "JAX has 4 here; choose"),
    ):
        done = started(str(tmp_path / "by_jax.py"), "--devices", str(devices), devices=4)
        assert done.returncode == 1
        assert done.stderr.strip().startswith(f"--devices {devices}: {sentence}")


def test_the_engine_jax_shards_the_batch(shared: Document, tmp_path: Path) -> None:
    pytest.importorskip("jax")
    words = ("main.py", "run", str(tmp_path / "graph.cadena"), "--engine", "jax", "--json", "--devices")
    done = started(*words, "4", devices=4)
    answer = json.loads(done.stdout)
    assert answer["engine"] == "jax.jit on 4 devices (cpu)"
    run = cadena.compile(shared).run()
    for name in ("W0", "b1", "total"):
        assert np.allclose(answer["nodes"][name]["value"], run.value(name), rtol=1e-12)
    assert np.allclose(answer["nodes"]["W0"]["gradient"], run.gradient("W0"), rtol=1e-12)
    for devices, sentence in (
        ("3", "a batch of 8 cannot be shared out equally among 3"),
        ("8", "JAX has 4 devices here"),
    ):
        done = started(*words, devices, devices=4)
        assert done.returncode == 2
        assert sentence in done.stderr


@pytest.mark.parametrize("processes", [1, 2])
def test_the_torch_program_runs_under_torchrun(shared: Document, tmp_path: Path, processes: int) -> None:
    pytest.importorskip("torch")
    how = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes))
    done = started(*how, str(tmp_path / "by_torch.py"))
    assert not list(differences(printed(done.stdout), expected(shared), 1e-12)), done.stderr


def test_the_torch_program_runs_alone(shared: Document, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    done = started(str(tmp_path / "by_torch.py"))
    assert not list(differences(printed(done.stdout), expected(shared), 1e-12)), done.stderr


def test_torchrun_with_a_sum(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    x = ("input", np.linspace(-1.0, 1.0, 24).reshape(8, 3))
    document = graph(x=x, w=[0.3, -0.2, 0.5], p=("matmul", "x", "w"), q=("square", "p"), L=("sum", "q"))
    (tmp_path / "sum.py").write_text(export(document, "torch").text)
    how = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    done = started(*how, str(tmp_path / "sum.py"))
    assert not list(differences(printed(done.stdout), expected(document), 1e-12)), done.stderr


def test_a_batch_that_is_mixed_is_no_matter_to_jax_and_said_in_the_torch_program(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    x = ("input", np.random.default_rng(1).normal(size=(8, 3)))
    document = graph(
        x=x, w=[0.3, -0.2, 0.5], h=("batch_norm", "x"), p=("matmul", "h", "w"), q=("square", "p"), L=("mean", "q")
    )
    (tmp_path / "mixed.py").write_text(export(document, "jax").text)
    done = started(str(tmp_path / "mixed.py"), "--devices", "4", devices=4)
    assert not list(differences(printed(done.stdout), expected(document), 1e-10)), done.stderr
    text = export(document, "torch").text
    assert "# torchrun cannot share this out among processes: h mixes the examples of the batch; compute it" in text
    assert "share_out" not in text


def test_a_run_by_a_framework_reports_its_own_bad_numbers_and_exits_with_1(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    path = tmp_path / "norm.cadena"
    save(graph("L", x=[0.0, 0.0], n=("norm", "x"), L=("square", "n")), path)
    done = started("main.py", "run", str(path), "--engine", "jax", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1, done.stderr
    assert answer["nodes"]["x"]["gradient"] == ["nan", "nan"]  # JAX's, where Cadena has 0
    assert [fault["node"] for fault in answer["faults"]] == ["x"]
    by_numpy = started("main.py", "run", str(path), "--json")
    assert by_numpy.returncode == 0
    assert json.loads(by_numpy.stdout)["nodes"]["x"]["gradient"] == [0.0, 0.0]
