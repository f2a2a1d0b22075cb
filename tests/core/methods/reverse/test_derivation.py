"""How the output depends on one node, as lines and as one result."""

import cadena
from cadena.core.graph.document import Node
from cadena.core.methods.reverse.derivation import derivation, result_latex
from tests.core.notation.graphs import LAYER, TWO_PATHS, graph, leaf


def test_one_path_is_a_product_of_local_derivatives() -> None:
    run = cadena.compile(TWO_PATHS, wrt=["b1"]).run()
    assert [left for left, _ in derivation(run, "b1")] == ["L = 15 - c", "c = b_{1} + b_{2}"]
    assert result_latex(run, "b1") == r"\frac{\partial L}{\partial b_{1}} = \left(-1\right) \cdot 1 = -1"


def test_two_paths_are_a_sum_of_contributions() -> None:
    run = cadena.compile(TWO_PATHS).run()
    assert result_latex(run, "a1").endswith(r"= \left(-9\right) + \left(-2\right) = -11")
    assert derivation(run, "a1")[-1] == (
        r"b_{1} = w_{0} \cdot a_{1}",
        r"\frac{\partial b_{1}}{\partial a_{1}} = w_{0} = 2",
    )


def test_a_node_without_gradient_has_no_derivation() -> None:
    run = cadena.compile(TWO_PATHS).run()
    assert derivation(run, "w0") == []
    assert result_latex(run, "w0") == ""


def test_a_matrix_gradient_is_shown_as_its_result() -> None:
    run = cadena.compile(LAYER).run()
    assert r"= \begin{bmatrix} -1.899 & 0.1656" in result_latex(run, "W")


def test_a_long_way_is_told_by_its_ends() -> None:
    chain = [leaf("x", 0.5)] + [Node(f"n{i}", "sin", (f"n{i - 1}" if i else "x",)) for i in range(50)]
    run = cadena.compile(graph(*chain, output="n49")).run()
    lines = derivation(run, "x")
    assert len(lines) == 8
    assert (r"\cdots", "") in lines


def test_of_a_long_way_only_the_lines_that_are_shown_are_made(monkeypatch) -> None:
    """Ten thousand were made for eight that are shown, which took seconds at each selection."""
    chain = [leaf("x", 0.5)] + [Node(f"n{i}", "sin", (f"n{i - 1}" if i else "x",)) for i in range(50)]
    run, asked = cadena.compile(graph(*chain, output="n49")).run(), []
    monkeypatch.setattr(run, "local", lambda node, slot, local=run.local: asked.append(node) or local(node, slot))
    assert len(derivation(run, "x")) == 8 and len(asked) == 7
