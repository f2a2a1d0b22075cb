"""The graph and its derivation to be read: Markdown with the steps in sentences, LaTeX with the steps in formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from cadena.core.languages.exported import Exported
from cadena.core.methods.reverse.step_text import step_latex, step_sentence
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.notation.calls import plain_call, shown_latex
from cadena.core.run.program import Run
from cadena.core.text.numbers import latex_number, shape_text
from cadena.core.text.plain_text import cleaned, number_text
from cadena.core.text.progress import Report, one_by_one, stretch

MEANT = re.compile(r"[\\`*_{}\[\]<>#|]")  # what means something in Markdown
IN_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "^": r"\^{}", "_": r"\_",
    "~": r"\~{}", "%": r"\%",
}  # fmt: skip
TABLE = 0.2  # the share of the table in the work
PHASES = {"forward": "Forward pass", "seed": "Seed", "reverse": "Reverse pass"}


def markdown(run: Run, report: Report) -> Exported:
    """A table of all nodes, and the chain rule step by step in sentences."""
    document, output = run.program.document, str(run.program.output)
    lines = [f"# {_plain(document.title or f'The graph of {output}')}", ""]
    lines += ["| node | operation | formula | shape | value | gradient |", "|---|---|---|---|---|---|"]
    for name, node in one_by_one(document.nodes.items(), stretch(report, 0.0, TABLE)):
        value, gradient = run.value(name), run.gradient(name)
        cells = [name, node.op, "" if node.is_leaf else plain_call(document, name)]
        cells += ["" if value is None else shape_text(value.shape), number_text(value), number_text(gradient)]
        lines.append(f"| {' | '.join(map(_plain, cells))} |")
    for title, steps in _by_phase(Timeline(run), step_sentence, stretch(report, TABLE, 1.0)):
        lines += ["", f"## {title}", "", *(f"{number}. {_plain(text)}" for number, text in steps)]
    return Exported("\n".join(lines) + "\n")


def _plain(text: str) -> str:
    """A text as it is, in Markdown."""
    return MEANT.sub(_escaped, cleaned(text))


def _escaped(sign: re.Match[str]) -> str:
    return f"\\{sign[0]}"


def _by_phase(
    timeline: Timeline, describe: Callable[[Timeline, int], str], report: Report
) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """For each pass its title and its steps, numbered from 1 through all of them."""

    def described(index: int) -> str:
        report(index / end)
        return describe(timeline, index)

    timeline.run.compute_all_wires()
    seed, end = timeline.forward_length, len(timeline)
    for phase, steps in (("forward", range(seed)), ("seed", range(seed, seed + 1)), ("reverse", range(seed + 1, end))):
        if steps and steps[0] < end:
            yield PHASES[phase], [(index + 1, described(index)) for index in steps]


def latex(run: Run, report: Report) -> Exported:
    """A document that compiles: the values, then every step of both passes as a formula with its numbers."""
    document, output = run.program.document, str(run.program.output)
    leaves = [name for name, node in document.nodes.items() if node.is_leaf and run.value(name) is not None]
    sections = [
        ("Values", (f"{shown_latex(run, name)} = {latex_number(run.value(name))}" for name in leaves)),
        *((title, (text for _, text in steps)) for title, steps in _by_phase(Timeline(run), step_latex, report)),
        ("Gradients", _gradients(run, leaves, output)),
    ]
    body = [line for title, formulas in sections for line in _section(title, formulas)]
    title = "".join(IN_LATEX.get(sign, sign) for sign in cleaned(document.title or f"The graph of {output}"))
    head = [
        *([] if all(map(str.isascii, [*body, title])) else ["% Needs lualatex or xelatex, for letters beyond ASCII."]),
        r"\documentclass{article}", r"\usepackage{amsmath, amssymb, iftex}",
        r"\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{unicode-math}\fi",
        r"\allowdisplaybreaks", r"\setcounter{MaxMatrixCols}{100}", rf"\title{{{title}}}", r"\date{}",
        r"\begin{document}", r"\maketitle",
    ]  # fmt: skip
    return Exported("\n".join([*head, *body, r"\end{document}"]) + "\n")


def _gradients(run: Run, leaves: list[str], output: str) -> Iterator[str]:
    for name in leaves:
        gradient = run.gradient(name)
        if gradient is not None:
            top, below = shown_latex(run, output), shown_latex(run, name)
            yield rf"\frac{{\partial {top}}}{{\partial {below}}} = {latex_number(gradient)}"


def _section(title: str, formulas: Iterable[str]) -> list[str]:
    """A section with its formulas, a line each; none without formulas."""
    listed = [f"  {formula}" for formula in formulas]
    if not listed:
        return []
    return ["", rf"\section*{{{title}}}", r"\begin{gather*}", " \\\\\n".join(listed), r"\end{gather*}"]
