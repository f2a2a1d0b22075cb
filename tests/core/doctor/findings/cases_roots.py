"""Lengths, roots, spreads and angles, where they have no derivative."""

from tests.core.doctor.findings.case import CONSTANT, INPUT, ONE, Case
from tests.core.graphs import graph

ROOTS = {
    "sqrt at 0": Case(
        "apache/mxnet#2261", "float64",
        graph(x=0.0, y=("sqrt", "x")),
        {
            ("y", "inf-gradient"): ("infinite slope of sqrt", ("Give y the gradient 0 where x is 0",
                "Give y a gradient of its own")),
        },
    ),
    "sqrt((x-1)^2)": Case(
        "pytorch/pytorch#6394", "float64",
        graph(x=1.0, one=ONE, d=("subtract", "x", "one"), q=("square", "d"), y=("sqrt", "q")),
        {
            ("y", "inf-gradient"): ("infinite slope of sqrt", ("Use |x| for √(x²)",
                "Give y the gradient 0 where q is 0", "Give y a gradient of its own")),
            ("q", "nan-gradient"): ("inf · 0", ("Use |x| for √(x²)", "Give y the gradient 0 where q is 0",
                "Give y a gradient of its own")),
        },
    ),
    "square of sqrt at 0": Case(
        "tensorflow/tensorflow#5562", "float64",
        graph(x=0.0, r=("sqrt", "x"), y=("square", "r")),
        {
            ("r", "nan-gradient"): ("0 · inf", ("Write x for the square of √x",)),
        },
    ),
    "norm squared by pieces": Case(
        "jax-ml/jax#4177", "float64",
        graph(x=[0.0, 0.0], q=("square", "x"), s=("sum", "q"), r=("sqrt", "s"), y=("square", "r")),
        {
            ("r", "nan-gradient"): ("0 · inf", ("Use norm for the root of the sum of squares",
                "Write x for the square of √x", "Give r the gradient 0 where s is 0",
                "Give r a gradient of its own")),
        },
    ),
    "exp(-norm^2)": Case(
        "HIPS/autograd#183", "float64",
        graph(x=[0.0, 0.0], q=("square", "x"), s=("sum", "q"), r=("sqrt", "s"), z=("square", "r"), n=("negative",
            "z"), y=("exp", "n")),
        {
            ("r", "nan-gradient"): ("0 · inf", ("Use norm for the root of the sum of squares",
                "Write x for the square of √x", "Give r the gradient 0 where s is 0",
                "Give r a gradient of its own")),
        },
    ),
    "RMSE of equal vectors": Case(
        "", "float64",
        graph(p=[1.0, 2.0], t=(INPUT, [1.0, 2.0]), d=("subtract", "p", "t"), q=("square", "d"), m=("mean", "q"),
            y=("sqrt", "m")),
        {
            ("y", "inf-gradient"): ("infinite slope of sqrt", ("Give y the gradient 0 where m is 0",
                "Give y a gradient of its own")),
            ("q", "nan-gradient"): ("inf · 0", ("Give y the gradient 0 where m is 0", "Give y a gradient of its own")),
        },
    ),
    "std from var": Case(
        "keras-team/keras#2960", "float64",
        graph(x=[2.0, 2.0, 2.0], v=("var", "x"), y=("sqrt", "v")),
        {
            ("y", "inf-gradient"): ("infinite slope of sqrt", ("Use std for √var(x)",
                "Give y the gradient 0 where v is 0", "Give y a gradient of its own")),
            ("v", "nan-gradient"): ("inf · 0 or inf − inf", ("Use std for √var(x)",
                "Give y the gradient 0 where v is 0", "Give y a gradient of its own")),
        },
    ),
    "std op of constant": Case(
        "pytorch/pytorch#4320", "float64",
        graph(x=[2.0, 2.0, 2.0], y=("std", "x")),
        {
        },
    ),
    "std of one with ddof 1": Case(
        "pytorch/pytorch#94184", "float64",
        graph(x=[2.0], y=("std", "x", {"ddof":1})),
        {
            ("y", "nan-value"): ("std of these operands", ()),
        },
        clean=False,
    ),
    "norm op at 0": Case(
        "pytorch/pytorch#2421", "float64",
        graph(x=[0.0, 0.0], y=("norm", "x")),
        {
        },
    ),
    "x / norm at 0": Case(
        "huggingface/sentence-transformers#625", "float64",
        graph(x=[0.0, 0.0], n=("norm", "x"), u=("divide", "x", "n"), w=(CONSTANT, [1.0, 2.0]), p=("multiply", "u",
            "w"), y=("sum", "p")),
        {
            ("u", "nan-value"): ("0 / 0", ("Let u be 0 where n is 0",)),
        },
    ),
    "cosine similarity of a zero vector": Case(
        "google-deepmind/optax#946", "float64",
        graph(a=[0.0, 0.0], b=[1.0, 2.0], d=("dot", "a", "b"), na=("norm", "a"), nb=("norm", "b"), p=("multiply",
            "na", "nb"), y=("divide", "d", "p")),
        {
            ("y", "nan-value"): ("0 / 0", ("Let y be 0 where p is 0",)),
            ("d", "nan-gradient"): ("inf · 0 or inf − inf", ()),
        },
    ),
    "rows over their norms": Case(
        "poets-ai/elegy#103", "float32",
        graph(x=[[0.0, 1.0], [0.0, 0.0]], n=("norm", "x", {"axis":1, "keepdims":True}), u=("divide", "x", "n"),
            y=("sum", "u")),
        {
            ("u", "nan-value"): ("0 / 0", ("Let u be 0 where n is 0",)),
        },
    ),
    "weight norm of a zero vector": Case(
        "", "float64",
        graph(g=2.0, v=[0.0, 0.0], n=("norm", "v"), u=("divide", "v", "n"), w=("multiply", "g", "u"), x=(INPUT, [1.0,
            3.0]), p=("dot", "w", "x"), y=("square", "p")),
        {
            ("u", "nan-value"): ("0 / 0", ("Let u be 0 where n is 0",)),
        },
    ),
    "x / |x| at 0": Case(
        "", "float64",
        graph(x=0.0, a=("abs", "x"), y=("divide", "x", "a")),
        {
            ("y", "nan-value"): ("0 / 0", ("Let y be 0 where a is 0",)),
        },
    ),
    "pairwise distances": Case(
        "pytorch/pytorch#37154", "float64",
        graph(x=[[0.0, 1.0], [2.0, 3.0]], a=("expand_dims", "x", {"axis":0}), b=("expand_dims", "x", {"axis":1}),
            d=("subtract", "a", "b"), q=("square", "d"), s=("sum", "q", {"axis":-1}), r=("sqrt", "s"), y=("sum",
            "r")),
        {
            ("r", "inf-gradient"): ("infinite slope of sqrt", ("Use norm for the root of the sum of squares",
                "Give r the gradient 0 where s is 0", "Give r a gradient of its own")),
            ("q", "nan-gradient"): ("inf · 0", ("Use norm for the root of the sum of squares",
                "Give r the gradient 0 where s is 0", "Give r a gradient of its own")),
        },
    ),
    "distance with p = 1/2": Case(
        "pytorch/pytorch#36493", "float64",
        graph(x=[1.0, 2.0], w=(INPUT, [1.0, 4.0]), d=("subtract", "x", "w"), a=("abs", "d"), h=(CONSTANT, 0.5),
            p=("power", "a", "h"), s=("sum", "p"), y=("square", "s")),
        {
            ("p", "inf-gradient"): ("infinite slope of power", ("Give p the gradient 0 where a is 0",)),
            ("a", "nan-gradient"): ("inf · 0", ("Give p the gradient 0 where a is 0",)),
        },
    ),
    "pow(d, 0.5)": Case(
        "stan-dev/math#3031", "float64",
        graph(x=0.0, h=(CONSTANT, 0.5), q=("square", "x"), y=("power", "q", "h")),
        {
            ("y", "inf-gradient"): ("infinite slope of power", ("Give y the gradient 0 where q is 0",)),
            ("q", "nan-gradient"): ("inf · 0", ("Give y the gradient 0 where q is 0",)),
        },
    ),
    "x^0.5 at 0": Case(
        "tensorflow/tfjs#346", "float64",
        graph(x=0.0, h=(CONSTANT, 0.5), y=("power", "x", "h")),
        {
            ("y", "inf-gradient"): ("infinite slope of power", ("Give y the gradient 0 where x is 0",)),
        },
    ),
    "exponent of a negative base": Case(
        "tensorflow/tfjs#346", "float64",
        graph(x=-2.0, k=2.0, y=("power", "x", "k")),
        {
            ("y", "nan-gradient"): ("log of a negative number", ()),
        },
        clean=False,
    ),
    "hypot at origin": Case(
        "", "float64",
        graph(a=0.0, b=0.0, y=("hypot", "a", "b")),
        {
            ("y", "nan-gradient"): ("norm at 0", ("Use norm for √(a² + b²)",)),
        },
    ),
    "arctan2 at origin": Case(
        "pytorch/pytorch#98276", "float64",
        graph(a=0.0, b=0.0, y=("arctan2", "a", "b")),
        {
        },
    ),
    "gp: sqrt of an underflow": Case(
        "seantalts/stanli#144", "float64",
        graph(l=1.0, k=(CONSTANT, -900.0), a=("multiply", "k", "l"), e=("exp", "a"), y=("sqrt", "e")),
        {
            ("y", "inf-gradient"): ("infinite slope of sqrt", ("Write exp(x / 2) for √(exp(x))",
                "Give y the gradient 0 where e is 0", "Give y a gradient of its own")),
            ("e", "nan-gradient"): ("inf · 0", ("Write exp(x / 2) for √(exp(x))",
                "Give y the gradient 0 where e is 0", "Give y a gradient of its own")),
        },
    ),
    "arccos at 1": Case(
        "pytorch/pytorch#8069", "float64",
        graph(x=1.0, y=("arccos", "x")),
        {
            ("y", "inf-gradient"): ("infinite slope of arccos", ("Give y a gradient of its own",)),
        },
    ),
    "fidelity of equal states": Case(
        "jax-ml/jax#15798", "float64",
        graph(x=[0.1, 0.2], t=(INPUT, [0.1, 0.2]), p=("softmax", "x"), q=("softmax", "t"), sp=("sqrt", "p"),
            sq=("sqrt", "q"), d=("dot", "sp", "sq"), y=("arccos", "d")),
        {
            ("y", "inf-gradient"): ("infinite slope of arccos", ("Give y a gradient of its own",)),
            ("p", "nan-gradient"): ("inf · 0 or inf − inf", ("Give y a gradient of its own",)),
        },
    ),
    "arccos just above 1": Case(
        "", "float32",
        graph(a=[0.3, 0.9, -0.7], b=(INPUT, [0.3, 0.9, -0.7]), d=("dot", "a", "b"), na=("norm", "a"), nb=("norm",
            "b"), p=("multiply", "na", "nb"), c=("divide", "d", "p"), k=(CONSTANT, 1.0000001), cc=("multiply", "c",
            "k"), y=("arccos", "cc")),
        {
            ("y", "inf-gradient"): ("infinite slope of arccos", ("Give y a gradient of its own",)),
            ("a", "nan-gradient"): ("inf − inf", ("Give y a gradient of its own",)),
        },
    ),
    "atanh(tanh(x))": Case(
        "denisyarats/pytorch_sac#7", "float32",
        graph(x=20.0, a=("tanh", "x"), y=("arctanh", "a")),
        {
            ("y", "inf-value"): ("arctanh outside its domain", ("Write x for arctanh(tanh(x))",)),
            ("a", "nan-gradient"): ("inf · 0", ("Write x for arctanh(tanh(x))",)),
        },
    ),
    "SAC log(1-tanh^2)": Case(
        "rlworkgroup/garage#1174", "float32",
        graph(u=20.0, a=("tanh", "u"), q=("square", "a"), one=ONE, d=("subtract", "one", "q"), y=("log", "d")),
        {
            ("y", "inf-value"): ("log of 0", ("Write 2 (log 2 − x − softplus(−2x)) for log(1 − tanh²(x))",)),
            ("a", "nan-gradient"): ("inf · 0", ("Write 4 sigmoid(2x) sigmoid(−2x) for 1 − tanh²(x)",
                "Write 2 (log 2 − x − softplus(−2x)) for log(1 − tanh²(x))")),
        },
    ),
}  # fmt: skip
