"""The C++ listings of the document on automatic differentiation, and the programs exported for the same graphs.

Line breaks are restored, and the listings of one program put together; they need includes of iostream and Eigen/Core.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import as_value
from cadena.core.graph.edits import set_value
from cadena.core.languages.export import export
from cadena.core.teaching.lessons import open_lesson
from tests.core.languages.cpp_programs import OPTIONS, why_not
from tests.core.languages.programs import printed

pytestmark = [pytest.mark.oracle, pytest.mark.skipif(bool(why_not()), reason=why_not())]

SIGMOID = """
template<typename T>
T my_function(const T& x)
{
    T result = T(1)/(T(1) + exp(-x));
    return result;
}

#include <iostream>
#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

int main(int, char **)
{
    Eigen::AutoDiffScalar<Eigen::VectorXd> X;
    X.derivatives() = Eigen::VectorXd::Unit(1, 0);
    X.value() = 2.f;
    auto Y = my_function(X);
    std::cout << "Y: " << Y << "\\n\\n";
    std::cout << "derivatives:\\n" << Y.derivatives() << "\\n";
    return 0;
}
"""
LAYER = """
#include <iostream>
#include <unsupported/Eigen/CXX11/Tensor>
#include <unsupported/Eigen/AutoDiff>
typedef typename Eigen::AutoDiffScalar<Eigen::VectorXf> AutoDiff_T;

template <typename T>
Eigen::Tensor<T, 2> CustomLayer(Eigen::Tensor<T, 2> &X, Eigen::Tensor<T, 2> &W,
                                std::function<Eigen::Tensor<T, 2>(Eigen::Tensor<T, 2>&)> activation)
{
    Eigen::array<Eigen::IndexPair<Eigen::Index>, 1> dims = { Eigen::IndexPair<Eigen::Index>(1, 0) };
    Eigen::Tensor<T, 2> Z = X.contract(W, dims);
    Eigen::Tensor<T, 2> result = activation(Z);
    return result;
};

template <typename T>
T sine(T t) {
    return sin(t);
}

template <typename T>
Eigen::Tensor<T, 2> sin_activation(Eigen::Tensor<T, 2> & P) {
    Eigen::Tensor<T, 2> result = P.unaryExpr(std::ref(sine<T>));
    return result;
};

auto convert = [](const Eigen::Tensor<float, 2> &tensor, int offset = 0, int size = 0){
    const int rows = tensor.dimension(0);
    const int cols = tensor.dimension(1);
    Eigen::Tensor<AutoDiff_T, 2> result(rows, cols);
    for (int i = 0; i < rows; ++i)
    {
        for (int j = 0; j < cols; ++j)
        {
            int index = i * cols + j;
            result(i, j).value() = tensor(i, j);
            if (size) {
                result(i, j).derivatives() = Eigen::VectorXf::Unit(size, offset + index);
            }
        }
    }
    return result;
};
"""
ONE_GRADIENT = """
auto gradients(const AutoDiff_T &LOSS, const Eigen::Tensor<AutoDiff_T, 2> &W){
    auto derivatives = LOSS.derivatives();
    int index = 0;
    Eigen::Tensor<float, 2> result(W.dimension(0), W.dimension(1));
    for (int i = 0; i < W.dimension(0); ++i)
    {
        for (int j = 0; j < W.dimension(1); ++j)
        {
            float val = derivatives[index];
            result(i, j) = val;
            index++;
        }
    }
    return result;
}
"""
TWO_GRADIENTS = """
auto gradients(const AutoDiff_T &Y, const Eigen::Tensor<AutoDiff_T, 2> &X, const Eigen::Tensor<AutoDiff_T, 2> &K){
    auto derivatives = Y.derivatives();
    int index = 0;
    Eigen::Tensor<float, 2> dY_dX(X.dimension(0), X.dimension(1));
    for (int i = 0; i < X.dimension(0); ++i)
    {
        for (int j = 0; j < X.dimension(1); ++j)
        {
            float val = derivatives[index];
            dY_dX(i, j) = val;
            index++;
        }
    }
    Eigen::Tensor<float, 2> dY_dK(K.dimension(0), K.dimension(1));
    for (int i = 0; i < K.dimension(0); ++i)
    {
        for (int j = 0; j < K.dimension(1); ++j)
        {
            float val = derivatives[index];
            dY_dK(i, j) = val;
            index++;
        }
    }
    return std::make_pair(dY_dX, dY_dK);
}
"""
MAIN = """
int main(int, char **){
    Eigen::Tensor<float, 2> x_in(3, 3);
    x_in.setValues({{-1., 0., 1.}, {2., 3., 4.}, {-1., -5., 2.}});
    Eigen::Tensor<float, 2> w_in(3, 2);
    w_in.setRandom();
    Eigen::Tensor<AutoDiff_T, 2> X = convert(x_in);
    Eigen::Tensor<AutoDiff_T, 2> W = convert(w_in, 0, w_in.size());
    auto Y = CustomLayer(X, W, sin_activation<AutoDiff_T>);
    auto output = Y * Y;
    auto LOSS = ((Eigen::Tensor<AutoDiff_T, 0>)output.sum())(0);
    auto dY_dW = gradients(LOSS, W);
    std::cout << "trainable_variables:\\n" << W << "\\n\\n";
    std::cout << "gradient:\\n" << dY_dW << "\\n\\n";
    std::cout << "output:\\n" << output << "\\n\\n";
    std::cout << "loss:\\n" << LOSS << "\\n\\n";
    return 0;
}
"""
CHANGES = {  # of the last listings, for the derivatives with respect to X
    "    Eigen::Tensor<AutoDiff_T, 2> X = convert(x_in);\n": "    int size = x_in.size() + w_in.size();\n"
    "    Eigen::Tensor<AutoDiff_T, 2> X = convert(x_in, 0, size);\n",
    "convert(w_in, 0, w_in.size())": "convert(w_in, x_in.size(), size)",
    "auto dY_dW = gradients(LOSS, W)": "auto [dY_dX, dY_dW] = gradients(LOSS, X, W)",
    '    std::cout << "output': '    std::cout << "gradient of X:\\n" << dY_dX << "\\n\\n";\n    std::cout << "output',
}


def output_of(program: str, folder: Path) -> str:
    """What a C++ program prints."""
    source, binary = folder / "program.cpp", folder / "program"
    source.write_text(program)
    compiled = subprocess.run(["g++", *OPTIONS, str(source), "-o", str(binary)], capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr[:3000]
    return subprocess.run([str(binary)], capture_output=True, text=True, check=True).stdout


def sections(output: str) -> dict[str, np.ndarray]:
    """The arrays that a listing prints, by their titles."""
    parts = (part.split("\n", 1) for part in output.strip().split("\n\n"))
    return {title.rstrip(":"): np.array([row.split() for row in rows.splitlines()], float) for title, rows in parts}


def test_the_sigmoid_of_the_document_and_the_exported_lesson_agree(tmp_path: Path) -> None:
    value, _, slope = output_of(SIGMOID, tmp_path).removeprefix("Y: ").partition("derivatives:\n")
    assert (round(float(value), 4), round(float(slope), 5)) == (0.8808, 0.10499)  # as the document says
    lesson = open_lesson("10")
    own = printed(output_of(export(lesson, "eigen").text, tmp_path))
    assert own[str(lesson.output)] == pytest.approx(float(value), rel=1e-5)
    assert own[f"d{lesson.output}/dx"] == pytest.approx(float(slope), rel=1e-5)


@pytest.mark.parametrize("with_x", [False, True], ids=["by W", "by X and W"])
def test_the_custom_layer_of_the_document_and_the_exported_lesson_agree(tmp_path: Path, with_x: bool) -> None:
    main = MAIN
    for old, new in CHANGES.items() if with_x else ():
        assert old in main
        main = main.replace(old, new)
    theirs = sections(output_of(LAYER + (TWO_GRADIENTS if with_x else ONE_GRADIENT) + main, tmp_path))
    lesson = set_value(open_lesson("6" if with_x else "5"), "W", as_value(theirs["trainable_variables"]))
    own = printed(output_of(export(lesson, "eigen").text, tmp_path))
    assert own["L"] == pytest.approx(theirs["loss"].item(), rel=1e-3, abs=1e-4)
    np.testing.assert_allclose(own["dL/dW"], theirs["gradient"], rtol=1e-2, atol=1e-3)
    if with_x:
        np.testing.assert_allclose(own["dL/dX"], theirs["gradient of X"], rtol=1e-2, atol=1e-3)


def test_lesson_19_exports_a_program_that_prints_its_own_numbers(tmp_path: Path) -> None:
    lesson = open_lesson("19")
    run, own = compile(lesson).run(), printed(output_of(export(lesson, "eigen").text, tmp_path))
    assert own["L"] == pytest.approx(float(run.value("L")), rel=1e-12)
    for name in ("X", "W"):
        np.testing.assert_allclose(own[f"dL/d{name}"], run.gradient(name), rtol=1e-12)
