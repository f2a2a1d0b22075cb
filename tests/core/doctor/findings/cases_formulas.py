"""Formulas that overflow, underflow or cancel, and units that are saturated."""

from tests.core.doctor.findings.case import CONSTANT, ONE, TWO, Case
from tests.core.graphs import graph

FORMULAS = {
    "tanh by exp(2x)": Case(
        "", "float32",
        graph(x=60.0, two=TWO, one=ONE, t=("multiply", "two", "x"), e=("exp", "t"), a=("subtract", "e", "one"),
            b=("add", "e", "one"), y=("divide", "a", "b")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Use tanh of x / 2", "Run in float64")),
            ("y", "nan-value"): ("inf / inf", ("Use tanh of x / 2", "Run in float64")),
        },
    ),
    "silu in pieces": Case(
        "", "float32",
        graph(x=-100.0, one=ONE, n=("negative", "x"), e=("exp", "n"), s=("add", "one", "e"), y=("divide", "x", "s")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Write a · sigmoid(x) for a / (1 + exp(−x))", "Run in float64")),
            ("e", "nan-gradient"): ("0 · inf", ("Write a · sigmoid(x) for a / (1 + exp(−x))", "Run in float64")),
        },
    ),
    "log cosh": Case(
        "", "float32",
        graph(x=100.0, c=("cosh", "x"), y=("log", "c")),
        {
            ("c", "inf-value"): ("overflow of cosh", ("Write x + softplus(−2x) − log 2 for log(cosh(x))",
                "Run in float64")),
            ("c", "nan-gradient"): ("0 · inf", ("Write x + softplus(−2x) − log 2 for log(cosh(x))", "Run in float64")),
        },
    ),
    "inverse softplus": Case(
        "", "float32",
        graph(x=100.0, one=ONE, e=("exp", "x"), s=("subtract", "e", "one"), y=("log", "s")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Write x + log(−expm1(−x)) for log(exp(x) − 1)",
                "Run in float64")),
            ("e", "nan-gradient"): ("0 · inf", ("Write x + log(−expm1(−x)) for log(exp(x) − 1)", "Run in float64")),
        },
    ),
    "log(1 - exp(x)) small": Case(
        "", "float32",
        graph(x=-1e-9, one=ONE, e=("exp", "x"), s=("subtract", "one", "e"), y=("log", "s")),
        {
            ("y", "inf-value"): ("log of 0", ("Write log(−expm1(x)) for log(1 − exp(x))", "Run in float64")),
        },
    ),
    "log(exp(x))": Case(
        "", "float32",
        graph(x=100.0, e=("exp", "x"), y=("log", "e")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Write x for log(exp(x))", "Run in float64")),
            ("e", "nan-gradient"): ("0 · inf", ("Write x for log(exp(x))", "Run in float64")),
        },
    ),
    "exp(log(x)) at 0": Case(
        "", "float64",
        graph(x=0.0, l=("log", "x"), y=("exp", "l")),
        {
            ("l", "inf-value"): ("log of 0", ("Write x for exp(log(x))",)),
            ("l", "nan-gradient"): ("0 · inf", ("Write x for exp(log(x))",)),
        },
    ),
    "exp(a) exp(b)": Case(
        "", "float32",
        graph(a=100.0, b=-99.0, e=("exp", "a"), f=("exp", "b"), y=("multiply", "e", "f")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Write exp(a + b) for exp(a) · exp(b)", "Run in float64")),
        },
    ),
    "logistic density": Case(
        "", "float32",
        graph(x=100.0, one=ONE, e=("exp", "x"), s=("add", "one", "e"), q=("square", "s"), y=("divide", "e", "q")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Write sigmoid(x) · sigmoid(−x) for exp(x) / (1 + exp(x))²",
                "Run in float64")),
            ("y", "nan-value"): ("inf / inf", ("Write sigmoid(x) · sigmoid(−x) for exp(x) / (1 + exp(x))²",
                "Run in float64")),
        },
    ),
    "sin(x)/x at 0": Case(
        "", "float64",
        graph(x=0.0, s=("sin", "x"), y=("divide", "s", "x")),
        {
            ("y", "nan-value"): ("0 / 0", ("Use sinc for sin(x) / x",)),
        },
    ),
    "(exp(x)-1)/x at 0": Case(
        "", "float64",
        graph(x=0.0, one=ONE, e=("exp", "x"), s=("subtract", "e", "one"), y=("divide", "s", "x")),
        {
            ("y", "nan-value"): ("0 / 0", ("Write expm1(x) / x, and its series at 0, for (exp(x) − 1) / x",)),
        },
    ),
    "x/x at 0": Case(
        "", "float64",
        graph(x=0.0, y=("divide", "x", "x")),
        {
            ("y", "nan-value"): ("0 / 0", ()),
        },
        clean=False,
    ),
    "Box-Cox at 0": Case(
        "", "float64",
        graph(x=2.0, l=0.0, one=ONE, p=("power", "x", "l"), n=("subtract", "p", "one"), y=("divide", "n", "l")),
        {
            ("y", "nan-value"): ("0 / 0", ()),
            ("p", "nan-gradient"): ("inf · 0", ()),
        },
        clean=False,
    ),
    "1/sqrt(x) at 0": Case(
        "", "float64",
        graph(x=0.0, r=("sqrt", "x"), y=("reciprocal", "r")),
        {
            ("y", "inf-value"): ("division by 0", ("Divide by 1·10⁻⁵ at least",)),
        },
    ),
    "1 - cos x": Case(
        "", "float32",
        graph(x=1e-5, one=ONE, c=("cos", "x"), y=("subtract", "one", "c")),
        {
            ("y", "lost-digits"): ("cancellation in subtract", ("Write 2 sin²(x / 2) for 1 − cos(x)",)),
        },
    ),
    "(1+x)-1": Case(
        "", "float32",
        graph(x=1e-9, one=ONE, s=("add", "one", "x"), y=("subtract", "s", "one")),
        {
            ("y", "lost-digits"): ("cancellation in subtract", ("Write b for (a + b) − a",)),
        },
    ),
    "sqrt(x+1)-sqrt(x)": Case(
        "", "float32",
        graph(x=1e8, one=ONE, s=("add", "x", "one"), a=("sqrt", "s"), b=("sqrt", "x"), y=("subtract", "a", "b")),
        {
            ("y", "lost-digits"): ("cancellation in subtract", ("Write c / (√(a + c) + √a) for √(a + c) − √a",
                "Run in float64")),
            ("x", "lost-digits"): ("cancellation of contributions", ("Write c / (√(a + c) + √a) for √(a + c) − √a",)),
        },
    ),
    "sqrt(1+x2)-1": Case(
        "", "float32",
        graph(x=1e-4, one=ONE, q=("square", "x"), s=("add", "one", "q"), a=("sqrt", "s"), y=("subtract", "a", "one")),
        {
            ("y", "lost-digits"): ("cancellation in subtract", ("Write a / (√(1 + a) + 1) for √(1 + a) − 1",
                "Run in float64")),
        },
    ),
    "quadratic root": Case(
        "", "float32",
        graph(b=1e4, c=(CONSTANT, 1.0), q=("square", "b"), d=("subtract", "q", "c"), r=("sqrt", "d"), y=("subtract",
            "r", "b")),
        {
            ("y", "lost-digits"): ("cancellation in subtract", ("Write −c / (√(b² − c) + b) for √(b² − c) − b",
                "Run in float64")),
        },
    ),
    "variance cancels": Case(
        "k2-fsa/sherpa-onnx#3857", "float32",
        graph(x=[1000.0, 1000.01, 1000.02], q=("square", "x"), mq=("mean", "q"), m=("mean", "x"), qm=("square", "m"),
            y=("subtract", "mq", "qm")),
        {
            ("y", "lost-digits"): ("cancellation in subtract", ("Use var for mean(x²) − mean(x)²",)),
            ("x", "lost-digits"): ("cancellation of contributions", ("Use var for mean(x²) − mean(x)²",
                "Run in float64")),
        },
    ),
    "log a - log b": Case(
        "", "float32",
        graph(a=1.000001, b=1.0, l=("log", "a"), m=("log", "b"), y=("subtract", "l", "m")),
        {
        },
    ),
    "saturated sigmoid": Case(
        "", "float32",
        graph(x=20.0, y=("sigmoid", "x")),
        {
            ("y", "vanished-gradient"): ("saturated sigmoid", ("Give y a gradient of its own", "Run in float64")),
        },
    ),
    "saturated tanh": Case(
        "", "float32",
        graph(x=12.0, y=("tanh", "x")),
        {
            ("y", "vanished-gradient"): ("saturated tanh", ("Give y a gradient of its own", "Run in float64")),
        },
    ),
    "saturated sigmoid fp16": Case(
        "", "float16",
        graph(x=9.0, y=("sigmoid", "x")),
        {
            ("y", "vanished-gradient"): ("saturated sigmoid", ("Give y a gradient of its own", "Run in float64")),
        },
    ),
    "softmax of large logits": Case(
        "", "float32",
        graph(x=[0.0, 200.0], w=(CONSTANT, [1.0, 2.0]), s=("softmax", "x"), p=("multiply", "s", "w"), y=("sum", "p")),
        {
            ("s", "vanished-gradient"): ("saturated softmax", ("Run in float64",)),
        },
    ),
    "1/exp(x) (lesson 7)": Case(
        "", "float32",
        graph(x=100.0, one=ONE, e=("exp", "x"), y=("divide", "one", "e")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Write exp(−x) for 1 / exp(x)", "Give y a gradient of its own",
                "Run in float64")),
            ("e", "nan-gradient"): ("0 · inf", ("Write exp(−x) for 1 / exp(x)", "Give y a gradient of its own",
                "Run in float64")),
        },
    ),
}  # fmt: skip
