"""Names set as symbols, in LaTeX and in plain text."""

import pytest

from cadena.core.notation.names import latex_name, set_plainly


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("L", "L"),
        ("w0", "w_{0}"),
        ("x_12", "x_{12}"),
        ("alpha", r"\alpha"),
        ("beta2", r"\beta_{2}"),
        ("loss", r"\mathrm{loss}"),
        ("loss_total", r"\mathrm{loss\_total}"),
        ("h1_out", r"\mathrm{h1\_out}"),
    ],
)
def test_names_in_latex(name: str, latex: str) -> None:
    assert latex_name(name) == latex


@pytest.mark.parametrize(
    ("formula", "plain"),
    [
        ("∂m3/∂b1 = w3 = 7", "∂m₃/∂b₁ = w₃ = 7"),  # the label of a wire said m3 beside m with a lowered 3
        ("1 − tanh1^2 = 0.42", "1 − tanh1² = 0.42"),  # and tanh1^2 beside tanh1²
        ("w0^2 + alpha_1^-3", "w₀² + α₁⁻³"),
        ("Omega · L", "Ω · L"),
        ("f1(x_12, 1e5, 2.5)", "f1(x₁₂, 1e5, 2.5)"),
        ("W[3] + h1_out + loss", "W[3] + h1_out + loss"),
        ("x^-12", "x⁻¹²"),
        ("x^2.5 + x^n + a^2b", "x^2.5 + x^n + a^2b"),
        ("x" + "1" * 24, "x" + "1" * 24),
    ],
)
def test_formulas_in_plain_text_are_set_as_in_latex(formula: str, plain: str) -> None:
    assert set_plainly(formula) == plain
