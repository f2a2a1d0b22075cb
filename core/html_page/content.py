"""The steps of a timeline as plain data, for a page that plays them: what is shown at each moment, and nothing more.

What occurs often (the lines of a card, numbers on their way, formulas) is in a pool once and is named by its place.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from cadena.core.doctor.findings.guards import violated_guards
from cadena.core.doctor.findings.origins import number_faults
from cadena.core.functions.calls import operation
from cadena.core.html_page.drawing import boxes_of, look_of, paths, wires_of
from cadena.core.html_page.ground import framed, noted
from cadena.core.html_page.mathml import mathml, painted
from cadena.core.layout.arrange import complete
from cadena.core.methods.reverse import step_text
from cadena.core.methods.reverse.activity import Activity, activity, faults_by_now
from cadena.core.methods.reverse.step_parts import step_parts
from cadena.core.methods.reverse.timeline import ARRIVAL, DEPARTURE, MEETING, Frame, Line, Step, Timeline, Token
from cadena.core.notation.in_script import shown_name
from cadena.core.notation.parts import APPROXIMATELY, PLUS_EQUALS, QUAD, has_shape, without_matrices
from cadena.core.teaching.answers import LEAST, TOLERANCE
from cadena.core.teaching.asking import QUANTITIES, StepQuestion
from cadena.core.teaching.questions import questions
from cadena.core.text import painted_text
from cadena.core.text.numbers import shape_text, short
from cadena.core.text.plain_text import cleaned, elided

MAX_NAME = 40  # letters
MARKS = {r"\cdot": "·", r"\odot": "⊙", APPROXIMATELY: "≈", PLUS_EQUALS: "+=", QUAD: " "}


class Pool:
    """Values of JSON, each once; a value is named by its place."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, value: Any) -> int:
        """The place of a value, which is added where it is new."""
        return self._places.setdefault(json.dumps(value, sort_keys=True), len(self._places))

    @property
    def values(self) -> list[Any]:
        return [json.loads(text) for text in self._places]


class Content:
    """The data of one page. `as_data()` is what the page's program reads."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline, self.run = timeline, timeline.run
        self.document = complete(timeline.run.program.document)
        self.numbers = {name: number for number, name in enumerate(self.document.nodes)}
        self.wires = wires_of(self.document)
        self.wire_numbers = {(target, slot): number for number, (_, target, slot) in enumerate(self.wires)}
        self.faults = (*self.run.program.faults, *violated_guards(self.run), *number_faults(self.run))
        self.looks, self.formulas = Pool(), Pool()

    def as_data(self) -> dict[str, Any]:
        """Everything that the page shows, as values of JSON."""
        timeline, plan = self.timeline, self.run.plan
        boxes = boxes_of(self.document, dict(zip(plan.names, plan.shapes, strict=True)))
        cards = [self._card(name, box) for name, box in zip(self.document.nodes, boxes.tolist(), strict=True)]
        steps = [self._step(index) for index in range(len(timeline))]
        return {
            "title": cleaned(self.document.title) or "Cadena",
            "before": cleaned(step_text.before_title(timeline)),
            "nodes": cards,
            "frames": framed(self.document, self.numbers, boxes),
            "notes": noted(self.document, lambda latex: self.formulas.place(mathml(latex))),
            "wires": [
                {"source": self.numbers[source], "target": self.numbers[target], "path": path}
                | self._carried(target, slot)
                for (source, target, slot), path in zip(
                    self.wires, paths(self.document, self.wires, boxes), strict=True
                )
            ],
            "stretches": [{"word": part.word, "begin": part.begin, "role": part.role} for part in timeline.stretches],
            "steps": steps,
            "shown": list(self._changes()),
            "faults": [{"node": self.numbers[fault.node], "text": _sentence(fault.worded())} for fault in self.faults],
            "looks": self.looks.values,
            "formulas": self.formulas.values,
            "departure": DEPARTURE,
            "arrival": ARRIVAL,
            "tolerance": TOLERANCE,
            "least": LEAST,
        }

    # --- the graph

    def _card(self, name: str, box: list[float]) -> dict[str, Any]:
        node, record = self.document.nodes[name], operation(self.document, self.document.nodes[name].op)
        symbol = record.symbol if record is not None else node.op
        left, top, right, bottom = box
        return {
            "name": elided(cleaned(shown_name(self.document, name)), MAX_NAME),
            "symbol": elided(cleaned(symbol), MAX_NAME),
            "kind": node.op if node.is_leaf else "function" if node.op in self.document.functions else "operation",
            "box": [round(part) for part in (left, top, right - left, bottom - top)],
            "output": name == self.document.output,
            "shape": shape_text(shape) if (shape := self.run.plan.shapes[self.run.plan.index[name]]) else "",
        }

    def _carried(self, target: str, slot: int) -> dict[str, Any]:
        """The step in which a wire carries its contribution back, and the root of its part of the largest gradient."""
        step = self.timeline.wire_steps.get((target, slot)) if self.timeline.goes_back else None
        contribution = self.run.contribution(target, slot) if step is not None else None
        if contribution is None:
            return {}
        own = float(np.abs(contribution).max(initial=0.0))
        part = min(own / self._largest, 1.0) if math.isfinite(own) and self._largest else float(own != 0.0)
        return {"step": step, "part": round(part**0.5, 3)}

    @cached_property
    def _largest(self) -> float:
        gradients = map(self.run.gradient, self.document.nodes)
        sizes = (float(np.abs(one).max(initial=0.0)) for one in gradients if one is not None)
        return max(filter(math.isfinite, sizes), default=0.0)

    # --- the steps

    def _step(self, index: int) -> dict[str, Any]:
        """What is said and what moves while a step is under way."""
        timeline = self.timeline
        step, parts = timeline[index], step_parts(timeline, index, painted)
        brief = without_matrices(parts)
        parts = brief if any(map(has_shape, parts[:-1])) else parts
        data: dict[str, Any] = {
            "place": cleaned(step_text.step_place(timeline, index)),
            "title": _painted(step_text.step_title(timeline, index, False, painted_text.mark)),
            "result": _painted(step_text.step_title(timeline, index, paint=painted_text.mark)),
            "sentence": cleaned(step_text.step_sentence(timeline, index)),
            "formula": [
                [
                    self.formulas.place(mathml(part.latex)),
                    MARKS.get(part.mark, part.mark),
                    part.caption,
                    part.appears,
                    *([1] if part.result else [] if part in brief else [0, 1]),
                ]
                for part in parts
            ],
            "lit": [self._lit(timeline.frame(index + moment), moment) for moment in (*self._moments(step), ARRIVAL)],
        }
        if step.phase == "seed":
            data["seed"] = self._look(Line("gradient", "", np.asarray(self.run.seed)))
        elif tokens := list(self._legs(step)):
            data["tokens"] = tokens
        if listed := list(map(_as_data, questions(timeline, index, QUANTITIES))):
            data["questions"] = listed
        return data

    def _moments(self, step: Step) -> list[float]:
        """The parts of a step at which something else is lit: each operand's turn; in the reverse pass the meeting."""
        if step.phase == "reverse":
            return [0.0, MEETING]
        count = max(len(self.document.nodes[step.node].inputs), 1)
        return [0.0, *(DEPARTURE + turn / count * (ARRIVAL - DEPARTURE) for turn in range(1, count))]

    def _lit(self, frame: Frame, moment: float) -> list[Any]:
        """What is lit from a moment on: grounds and edges of cards by role, wires by role, the roles of numbers in use
        by card, the wire with its label."""
        lit: Activity = activity(self.timeline.frame(frame.time + 1e-6), live=False)
        wires = {str(self.wire_numbers[wire]): role for wire, role in lit.wires.items() if wire in self.wire_numbers}
        grounds, edges = (
            {str(self.numbers[name]): role for name, role in of.items()} for of in (lit.grounds, lit.edges)
        )
        used = {str(self.numbers[name]): sorted(roles) for name, roles in lit.used.items()}
        shown = [round(moment, 4), grounds, edges, wires, used]
        if lit.label is None or lit.label not in self.wire_numbers:
            return shown
        latex = step_text.local_latex(self.run, *lit.label, painted)
        label = elided(cleaned(step_text.local_label(self.run, *lit.label)), 2 * MAX_NAME)
        return [*shown, self.wire_numbers[lit.label], label, *([self.formulas.place(mathml(latex))] if latex else [])]

    def _legs(self, step: Step) -> Iterator[dict[str, Any]]:
        """The numbers on their way, each with the part of the way's time in which it is seen."""
        goes_back = step.phase == "reverse"
        count = 2 if goes_back else len(self.document.nodes[step.node].inputs)
        for turn in range(count):
            for token in self.timeline.tokens(step, (turn + 0.5) / count):
                looks = [self._look(line) for line in _lines_of(token)]
                wire = self.wire_numbers[token.target, token.slot]
                seen = [round(turn / count, 4), round((turn + 1) / count, 4)]
                yield {"wire": wire, "looks": looks, "seen": seen, "back": goes_back}

    # --- what cards show

    def _changes(self) -> Iterator[dict[str, Any]]:
        """For each number of steps done, from 0 on, what cards, lanes and faults show that they did not show before."""
        timeline, begins = self.timeline, {part.begin for part in self.timeline.stretches}
        shown: dict[str, list[int]] = {}
        lanes_before, faults_before = None, 0
        for done in range(len(timeline) + 1):
            frame = timeline.frame(done)
            change: dict[str, Any] = {}
            for name in self._affected(done, bool(begins & {done, done - 1})):
                rows = [self._look(line) for line in frame.lines(name)]
                if rows != shown.get(name):
                    shown[name] = rows
                    change.setdefault("cards", []).append([self.numbers[name], *rows])
            rows_beside = [[cleaned(lane.name), cleaned(lane.text), lane.role, lane.now] for lane in frame.lanes]
            if rows_beside != (lanes_before or []):
                change["lanes"] = lanes_before = rows_beside
            visible = faults_by_now(frame, self.faults)
            if len(visible) > faults_before:
                faults_before = len(visible)
                change["faults"] = [self.faults.index(fault) for fault in visible]
            yield change

    def _affected(self, done: int, all_of_them: bool) -> Iterator[str]:
        """The nodes whose cards may have changed with the last step: those of the step; all of them between passes."""
        if done == 0 or all_of_them or done == len(self.timeline):
            yield from self.document.nodes
            return
        step = self.timeline[done - 1]
        yield from {step.node, step.operand or step.node}

    def _look(self, line: Line) -> int:
        """The place of a line as it is shown: a text, the cells of an array, or formulas of which the first fits."""
        look: dict[str, Any] = {"role": line.role, "label": line.label}
        if line.latex:
            look["formulas"] = [self.formulas.place(mathml(latex)) for latex in line.latex]
        elif line.text:
            look["text"] = cleaned(line.text)
        elif line.number is None:
            look["text"] = "·" if line.expected else "–"
            look["empty"] = True
        else:
            look |= look_of(np.asarray(line.number), line.digits)
        return self.looks.place(look)


def _lines_of(token: Token) -> Iterator[Line]:
    """What a token carries: a number, or a formula, and under it a tangent."""
    yield Line(token.kind, "", token.number, latex=(token.latex,) if token.latex else (), digits=token.digits)
    if token.tangent is not None:
        yield Line("tangent", "", token.tangent)


def _as_data(question: StepQuestion) -> dict[str, Any]:
    return {
        "quantity": question.quantity,
        "moment": round(question.moment % 1.0, 4),
        "subject": cleaned(question.subject),
        "sentence": cleaned(question.sentence),
        "expected": _finite(float(question.expected)),
        "shown": short(question.expected),
        "hints": list(map(cleaned, question.hints)),
        "mistakes": [[_finite(float(item.number)), cleaned(item.sentence)] for item in question.mistakes],
    }


def _painted(marked: str) -> list[Any]:
    """A sentence in pieces: words, and numbers as pairs of text and role."""
    return [[cleaned(text), role] if role else cleaned(text) for text, role in painted_text.pieces(marked)]


def _finite(number: float) -> float | str:
    """A number for JSON, which has no inf and no nan."""
    return number if math.isfinite(number) else str(number)


def _sentence(clause: str) -> str:
    return f"{cleaned(clause)}."


def content(timeline: Timeline) -> dict[str, Any]:
    """The data of a page that plays this timeline."""
    return Content(timeline).as_data()
