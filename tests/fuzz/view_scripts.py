"""Random scripts for PyTorch with views, writes in place and at places, masks of values and of data, detach, loops and
branches on computed values. The numbers of their leaves can be others."""

from __future__ import annotations

import random
from collections.abc import Collection

SHAPES = ((3,), (2, 3), (3, 2), (4,), (2, 2, 2), (3, 3))


class Writer:
    """Writes a script line by line; it knows the shape of each variable, and which are bases that may be changed."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.lines, self.shapes, self.indent = rng, list[str](), dict[str, tuple[int, ...]](), ""
        self.count = 0

    def line(self, text: str) -> None:
        self.lines.append(self.indent + text)

    def new(self, expression: str, shape: tuple[int, ...]) -> str:
        self.count += 1
        name = f"v{self.count}"
        self.line(f"{name} = {expression}")
        self.shapes[name] = shape
        return name

    def any(self) -> str:
        return self.rng.choice([name for name in self.shapes if not name.startswith("w")] or [*self.shapes])

    def data(self) -> str:
        """A variable that was made of data, or of what was computed from it."""
        return self.rng.choice([name for name in self.shapes if name[0] in "cd"] or [*self.shapes])

    def like(self, shape: tuple[int, ...], scalars: bool = True) -> str:
        """An operand that fits a shape: a variable, a part of one, or a number."""
        names = [name for name, one in self.shapes.items() if one == shape]
        if names and self.rng.random() < 0.7:
            return self.rng.choice(names)
        if shape and self.rng.random() < 0.3 and (short := [n for n, one in self.shapes.items() if one == shape[1:]]):
            return self.rng.choice(short)
        if scalars or not names:
            return repr(round(self.rng.uniform(0.3, 1.9), 2))
        return self.rng.choice(names)

    # --- kinds of statements

    def prepared(self) -> None:
        """Something computed from data alone."""
        source = self.data()
        shape, expression = self.shapes[source], self.rng.choice(PREPARING).replace("{}", source)
        self.count += 1
        self.line(f"d{self.count} = {expression}")
        self.shapes[f"d{self.count}"] = shape

    def chosen(self) -> None:
        """A result that data chooses, or that is chosen by places."""
        name, source, rng = self.any(), self.data(), self.rng
        shape, edge = self.shapes[name], round(rng.uniform(-0.4, 1.0), 2)
        if self.shapes[source] == shape and shape and rng.random() < 0.7:
            mask = rng.choice([f"({source} > {edge})", f"({source}.abs() < {edge})", f"(~({source} <= {edge}))"])
            call = rng.choice(
                ["{m} * {v}", "{m}.float() * {v}", "torch.where({m}, {v}, {v} * 2)", "{v}.masked_fill({m}, 0.5)"]
            )
            self.new(call.replace("{m}", mask).replace("{v}", name), shape)
        elif rng.random() < 0.4 and shape and shape[0] > 1 and self.shapes[source]:
            place = f"{source}.reshape(-1).argmax() % {shape[0]}"
            self.new(
                rng.choice([f"{name}[{place}]", f"{name}[{source}.reshape(-1)[:1].long().clamp(0, 1)][0]"]), shape[1:]
            )
        elif rng.random() < 0.5:
            self.new(f"{name} * {source}.{rng.choice(['sum', 'max', 'mean'])}().item()", shape)
        elif shape and shape[0] == 3:
            call = rng.choice(
                ["torch.nn.functional.one_hot(k0, 3).float() @ {}", "{}[k0]", "(k0 == 1).float() @ {}.reshape(3, -1)"]
            )
            self.new(f"({call.format(name)}).sum(0)", shape[1:] if "==" not in call else ())
        else:
            self.line(f"{name} = {name} * 2 if {source}.sum() > {edge} else {name} + 1")

    def placed(self) -> None:
        """A write at places along an axis."""
        name, rng = self.any(), self.rng
        shape = self.shapes[name]
        if not shape or shape[0] < 2:
            self.write()
            return
        places = f"torch.tensor({[rng.randrange(shape[0]) for _ in range(2)]})"
        source = f"torch.linspace(0.2, 1.4, {count((2, *shape[1:]))}).reshape({(2, *shape[1:])})"
        if rng.random() < 0.5 and shape[0] == 2:
            source = self.like(shape, scalars=False)
        distinct = f"torch.tensor({rng.sample(range(shape[0]), 2)})"
        full = f"torch.tensor({[rng.randrange(2) for _ in range(count(shape))]}).reshape({shape})"
        values = self.like(shape, scalars=False)
        filler = values if values[0] in "vwcdr" else f"torch.full({shape}, {values})"
        call = rng.choice([
            f"index_add_(0, {places}, {source})", f"index_fill_(0, {places}, 0.3)",
            f"index_copy_(0, {distinct}, {source})", f"index_put_(({distinct},), {source})",
            f"index_put_(({places},), {source}, accumulate=True)",
            f"scatter_(0, {full}, 0.4)", f"scatter_add_(0, {full}, {filler})",
            f"masked_scatter_({filler}.detach() > 0.5, {filler})",
        ])  # fmt: skip
        if rng.random() < 0.3:
            self.new(f"{name}.{call.replace('_(', '(', 1)}", shape)
        else:
            self.line(f"{name}.{call}")

    def result(self) -> None:
        name = self.any()
        shape, call = self.shapes[name], self.rng.choice(FUNCTIONS)
        if self.rng.random() < 0.5:
            sign = self.rng.choice("+-*/" if self.rng.random() < 0.3 else "+-*")
            self.new(f"{name} {sign} {self.like(shape)}", shape)
        else:
            self.new(call.replace("{}", name), shape)

    def view(self) -> None:
        name = self.any()
        if (found := self.part(name)) is not None:
            self.new(*found)

    def part(self, name: str) -> tuple[str, tuple[int, ...]] | None:  # noqa: PLR0911, a case each
        shape, rng = self.shapes[name], self.rng
        kinds = ["{}.unsqueeze(0)", "{}[None]", "{}.view(-1)", "{}.reshape(-1)", "{}.flatten()", "{}.detach()"]
        if len(shape) == 0:
            expression = rng.choice(["{}.unsqueeze(0)", "{}.view(1)", "{}[None]"])
            return expression.format(name), (1,)
        if rng.random() < 0.06:
            return f"{name}.detach()", shape
        if rng.random() < 0.04:
            return f"{name}.data", shape
        size = shape[0]
        kind = rng.randrange(12)
        if kind < 3:
            place = rng.randrange(size)
            return rng.choice([f"{name}[{place}]", f"{name}.select(0, {place})"]), shape[1:]
        if kind < 5 and size > 1:
            start = rng.randrange(size - 1)
            stop = rng.randint(start + 1, size)
            forms = [f"{name}[{start}:{stop}]", f"{name}.narrow(0, {start}, {stop - start})"]
            return rng.choice(forms), (stop - start, *shape[1:])
        if kind == 5:
            count = -(-size // 2)
            return f"{name}[::2]", (count, *shape[1:])
        if kind == 6 and len(shape) > 1:
            place = rng.randrange(shape[-1])
            return f"{name}[..., {place}]", shape[:-1]
        if kind == 7 and len(shape) == 2:
            return rng.choice([f"{name}.t()", f"{name}.T", f"{name}.transpose(0, 1)"]), shape[::-1]
        if kind == 8 and len(shape) == 2 and shape[0] == shape[1]:
            return rng.choice([f"{name}.diagonal()", f"torch.diagonal({name})"]), (size,)
        if kind == 9 and rng.random() < 0.4:
            place = rng.randrange(size)
            return rng.choice([f"{name}.unbind(0)[{place}]", f"[*{name}][{place}]"]), shape[1:]
        if kind == 10 and len(shape) == 3:
            return f"{name}.permute(2, 0, 1)", (shape[2], shape[0], shape[1])
        if kind == 11 and rng.random() < 0.3:
            return f"{name}.expand(2, {', '.join(['-1'] * len(shape))})", (2, *shape)
        expression = rng.choice(kinds)
        count = 1
        for item in shape:
            count *= item
        whole = {"{}.unsqueeze(0)": (1, *shape), "{}[None]": (1, *shape), "{}.detach()": shape}
        return expression.format(name), whole.get(expression, (count,))

    def write(self) -> None:
        name, rng = self.any(), self.rng
        shape = self.shapes[name]
        kind = rng.randrange(14)
        if kind < 3:
            self.line(f"{name} {rng.choice('+-*')}= {self.like(shape)}")
        elif kind < 5:
            number = self.like(shape)
            call = rng.choice([f"mul_({number})", f"add_({number})", f"sub_({number}, alpha=0.5)", "neg_()", "sin_()"])
            self.line(f"{name}.{call}")
        elif kind == 5:
            call = rng.choice(["zero_()", "fill_(0.7)", "clamp_(-1, 1)", "tanh_()", "relu_()", "sigmoid_()", "exp_()"])
            self.line(f"{name}.{call}")
        elif kind == 6:
            other = self.like(shape, scalars=False)
            self.line(f"{name}.copy_({other})" if other[0] in "vwc" else f"{name}.fill_({other})")
        elif kind == 7 and shape:
            self.line(f"{name}[{name} > {round(rng.uniform(0, 1), 2)}] {rng.choice(['=', '*=', '+='])} 0.5")
        elif kind == 8 and shape:
            self.line(f"{name}.masked_fill_({name}.detach() < 0.4, 0.25)")
        elif kind == 9 and shape and shape[0] > 1:
            self.line(f"{name}[[0, 1]] = {name}[[1, 0]]")
        elif kind == 10 and len(shape) == 2 and shape[1] > 1:
            self.line(f"{name}[:, 0], {name}[:, 1] = {name}[:, 1], {name}[:, 0]")
        elif (part := self.part(name)) is not None and "expand" not in part[0]:
            expression, shape = part
            if expression.endswith("]"):
                self.line(f"{expression} {rng.choice(['=', '+=', '-=', '*='])} {self.like(shape)}")
            else:
                self.line(f"{expression}.{rng.choice(['mul_', 'add_'])}({self.like(shape)})")

    def block(self) -> None:
        rng, before = self.rng, self.indent
        kind = rng.randrange(4)
        if kind == 0:
            self.line("for _ in range(3):")
        elif kind == 1:
            self.line(f"if {self.any()}.sum() > {round(rng.uniform(-1, 2), 2)}:")
        elif kind == 2 and rng.random() < 0.5:
            self.line("with torch.no_grad():")
        else:
            self.line(f"for row in {self.row_source()}:")
        known = dict(self.shapes)
        self.indent += "    "
        if self.lines[-1].lstrip().startswith("for row"):
            source = self.lines[-1].split(" in ")[1].rstrip(":")
            self.shapes["row"] = self.shapes[source][1:] if source in self.shapes else ()
        for _ in range(rng.randint(1, 3)):
            rng.choice([self.write, self.write, self.view, self.result])()
        if self.lines[-1].endswith(":"):
            self.line("pass")
        self.indent, self.shapes = before, known

    def row_source(self) -> str:
        names = [name for name, shape in self.shapes.items() if shape and not name.startswith("w")]
        return self.rng.choice(names or ["w0"])


FUNCTIONS = (
    "{}.sin()", "{}.exp()", "{}.tanh()", "torch.sigmoid({})", "{}.clone()", "{} ** 2", "{}.abs()", "torch.relu({})",
    "{}.square()", "{} * {}", "{}.cos()", "{}.clamp(-1, 1)", "{} / ({} ** 2 + 1)", "{}.cumsum(0) if {}.dim() else {}",
    "{}.softmax(0) if {}.dim() else {}", "torch.sqrt({} ** 2 + 1)", "{}.contiguous()", "{} + 0.5",
)  # fmt: skip


PREPARING = (
    "{} * 2 - 0.5", "{} / 3", "({} > 0.2).float()", "{}.round()", "{}.long().float()", "{}.clamp(0, 1)", "{}.abs()",
    "torch.where({} > 0.4, {}, -{})", "{}.clone()", "{} - {}.mean()", "{} * {}.max().item()", "{}.double().float()",
    "(({} > 0) & ({} < 0.8)) * 1.5", "torch.relu({})", "{}.sign()", "{} // 0.4",
)  # fmt: skip


def leaf(name: str, shape: tuple[int, ...], rng: random.Random) -> str:
    if name == "k0":
        return f"k0 = torch.tensor({[rng.randrange(3) for _ in range(3)]})"
    numbers = [round(rng.uniform(-1.1, 1.6), 2) for _ in range(count(shape))]
    wanted = ".requires_grad_()" if name.startswith("w") else ""
    return f"{name} = torch.tensor({numbers}).reshape({shape}).clone(){wanted}"


def script(seed: int, changed: Collection[str] = ()) -> str:
    """A script with some leaves, which ends with a backward pass. Those that are `changed` have other numbers."""
    rng = random.Random(seed)
    writer = Writer(rng)
    writer.line("import torch")
    shapes = {f"w{number}": rng.choice(SHAPES) for number in range(rng.randint(1, 2))}
    shapes |= {f"c{number}": rng.choice([shapes["w0"], *SHAPES]) for number in range(rng.randint(1, 2))}
    for name, shape in {**shapes, "k0": (3,)}.items():
        numbers = random.Random(f"{seed} {name}")
        writer.line(leaf(name, shape, random.Random(f"{seed} {name} changed") if name in changed else numbers))
    writer.shapes = shapes
    first = f"w0 * {round(rng.uniform(0.5, 2), 2)}" if rng.random() < 0.7 else f"torch.zeros({writer.shapes['w0']})"
    writer.new(first, writer.shapes["w0"])
    kinds = [writer.result, writer.view, writer.write, writer.write, writer.block, writer.prepared, writer.chosen]
    for _ in range(rng.randint(3, 10)):
        rng.choice([*kinds, writer.chosen, writer.placed])()
    writer.new("w0 * 1", writer.shapes["w0"])
    chosen = rng.sample([*writer.shapes], min(len(writer.shapes), rng.randint(1, 4)))
    total = " + ".join(f"(({name} * {round(rng.uniform(0.5, 1.5), 2)}) ** 2).sum()" for name in chosen)
    writer.line(f"loss = {total} + w0.sum()")
    writer.line("loss.backward()")
    return "\n".join(writer.lines) + "\n"


def count(shape: tuple[int, ...]) -> int:
    total = 1
    for size in shape:
        total *= size
    return total
