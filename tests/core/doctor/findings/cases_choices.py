"""Branches that are not chosen, masks, and what else takes only a part: numbers that nobody wants go bad."""

from tests.core.doctor.findings.case import CONSTANT, INPUT, ONE, TWO, ZERO, Case, inf, nan
from tests.core.graphs import graph

CHOICES = {
    "log2 behind where": Case(
        "pytorch/pytorch#108618", "float64",
        graph(x=[0.0, 2.0, 3.0], two=TWO, d=("subtract", "x", "two"), c=("relu", "d"), l=("log2", "x"), t=("multiply",
            "two", "x"), w=("where", "c", "l", "t"), y=("sum", "w")),
        {
            ("l", "inf-value"): ("log2 of 0", ("Keep x harmless where w does not choose it",)),
            ("l", "nan-gradient"): ("untaken branch of where", ("Keep x harmless where w does not choose it",)),
        },
    ),
    "sqrt of negative behind where": Case(
        "pytorch/pytorch#187297", "float32",
        graph(x=[-1.0, -4.0], c=("relu", "x"), r=("sqrt", "x"), w=("where", "c", "r", "x"), y=("sum", "w")),
        {
            ("r", "nan-value"): ("sqrt outside its domain", ("Keep x harmless where w does not choose it",)),
        },
    ),
    "exp behind where": Case(
        "pytorch/pytorch#68425", "float32",
        graph(a=100.0, n=("negative", "a"), c=("relu", "n"), one=ONE, e=("exp", "a"), l=("add", "one", "a"),
            y=("where", "c", "e", "l")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Keep a harmless where y does not choose it", "Run in float64")),
            ("e", "nan-gradient"): ("untaken branch of where", ("Keep a harmless where y does not choose it",
                "Run in float64")),
        },
    ),
    "a/0 behind where": Case(
        "pytorch/pytorch#52248", "float64",
        graph(a=0.7, b=ZERO, z=ZERO, q=("divide", "a", "z"), one=ONE, y=("where", "b", "q", "one")),
        {
            ("q", "inf-value"): ("division by 0", ("Keep z harmless where y does not choose it",)),
            ("q", "nan-gradient"): ("untaken branch of where", ()),
        },
    ),
    "t*(x/t) behind where": Case(
        "pytorch/pytorch#36923", "float64",
        graph(x=1.0, t=ZERO, q=("divide", "x", "t"), p=("multiply", "t", "q"), c=ONE, y=("where", "c", "x", "p")),
        {
            ("q", "inf-value"): ("division by 0", ("Keep t harmless where y does not choose it",
                "Let q be 0 where t is 0")),
            ("p", "nan-value"): ("0 · inf", ("Keep t harmless where y does not choose it",)),
            ("q", "nan-gradient"): ("untaken branch of where", ()),
        },
    ),
    "cos inf behind where": Case(
        "pytorch/pytorch#18287", "float64",
        graph(x=[0.0, inf], m=(CONSTANT, [1.0, 0.0]), c=("cos", "x"), z=ZERO, w=("where", "m", "c", "z"), y=("sum",
            "w")),
        {
            ("c", "nan-value"): ("cos of inf", ("Keep x harmless where w does not choose it",)),
        },
    ),
    "row norms then where": Case(
        "jax-ml/jax#347", "float64",
        graph(x=[[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]], q=("square", "x"), s=("sum", "q", {"axis":1}), r=("sqrt", "s"),
            h=(CONSTANT, 0.5), d=("subtract", "r", "h"), c=("relu", "d"), one=ONE, w=("where", "c", "r", "one"),
            y=("sum", "w")),
        {
            ("r", "nan-gradient"): ("untaken branch of where", ("Use norm for the root of the sum of squares",
                "Give r the gradient 0 where s is 0", "Give r a gradient of its own")),
        },
    ),
    "arctan2 at 0 behind where": Case(
        "jax-ml/jax#1052", "float64",
        graph(a=[3.0, 0.0, -5.0], b=("arctan2", "a", "a"), m=(CONSTANT, [0.0, 1.0, 0.0]), z=ZERO, w=("where", "m",
            "z", "b"), y=("sum", "w")),
        {
        },
    ),
    "exp capped by where": Case(
        "pytorch/pytorch#156212", "float64",
        graph(x=[1.0, 1e10], t=(CONSTANT, 10.0), d=("subtract", "t", "x"), c=("relu", "d"), e=("exp", "x"), one=ONE,
            w=("where", "c", "e", "one"), y=("sum", "w")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Keep x harmless where w does not choose it",)),
            ("e", "nan-gradient"): ("untaken branch of where", ("Keep x harmless where w does not choose it",)),
        },
    ),
    "both branches go bad (NFW)": Case(
        "Ciela-Institute/caustics#83", "float64",
        graph(x=[0.5, 1.5], one=ONE, d=("subtract", "one", "x"), c=("relu", "d"), i=("reciprocal", "x"), q=("square",
            "x"), u=("subtract", "one", "q"), v=("subtract", "q", "one"), su=("sqrt", "u"), sv=("sqrt", "v"),
            ac=("arccosh", "i"), co=("arccos", "i"), A=("divide", "ac", "su"), B=("divide", "co", "sv"), w=("where",
            "c", "A", "B"), y=("sum", "w")),
        {
            ("su", "nan-value"): ("sqrt outside its domain", ("Keep u harmless where w does not choose it",)),
            ("sv", "nan-value"): ("sqrt outside its domain", ("Keep v harmless where w does not choose it",)),
            ("ac", "nan-value"): ("arccosh outside its domain", ("Keep i harmless where w does not choose it",)),
            ("co", "nan-value"): ("arccos outside its domain", ("Keep i harmless where w does not choose it",)),
        },
    ),
    "x/div then mask by 0": Case(
        "pytorch/pytorch#4132", "float64",
        graph(x=[1.0, 1.0], div=(CONSTANT, [0.0, 1.0]), q=("divide", "x", "div"), m=(CONSTANT, [0.0, 1.0]),
            p=("multiply", "q", "m"), y=("sum", "p")),
        {
            ("q", "inf-value"): ("division by 0", ("Let q be 0 where div is 0",)),
            ("p", "nan-value"): ("0 · inf", ()),
            ("q", "nan-gradient"): ("0 · inf", ()),
        },
    ),
    "x/div then select": Case(
        "pytorch/pytorch#4132", "float64",
        graph(x=[1.0, 1.0], div=(CONSTANT, [0.0, 1.0]), q=("divide", "x", "div"), p=("getitem", "q", {"index":"1:"}),
            y=("sum", "p")),
        {
            ("q", "inf-value"): ("division by 0", ("Keep div above 0",)),
            ("q", "nan-gradient"): ("0 · inf", ()),
        },
    ),
    "sqrt then select": Case(
        "pytorch/pytorch#23156", "float64",
        graph(x=[0.0, 4.0], q=("sqrt", "x"), p=("getitem", "q", {"index":"1:"}), y=("sum", "p")),
        {
            ("q", "nan-gradient"): ("0 · inf", ("Give q the gradient 0 where x is 0", "Give q a gradient of its own")),
        },
    ),
    "log then select": Case(
        "pytorch/pytorch#9688", "float64",
        graph(x=[0.0, 4.0], q=("log", "x"), p=("getitem", "q", {"index":"1:"}), y=("sum", "p")),
        {
            ("q", "inf-value"): ("log of 0", ("Keep x above 0",)),
            ("q", "nan-gradient"): ("0 · inf", ()),
        },
    ),
    "square loss of a nan target, masked": Case(
        "pytorch/pytorch#64305", "float64",
        graph(w=[0.3, 0.5], t=(INPUT, [nan, 1.0]), m=(CONSTANT, [0.0, 1.0]), d=("subtract", "w", "t"), q=("square",
            "d"), z=ZERO, s=("where", "m", "q", "z"), y=("sum", "s")),
        {
            ("t", "nan-value"): ("given", ()),
        },
        clean=False,
    ),
    "softplus in pieces, masked": Case(
        "pytorch/pytorch#17455", "float32",
        graph(x=[0.0, 100.0], e=("exp", "x"), one=ONE, s=("add", "e", "one"), f=("log", "s"), m=(CONSTANT, [1.0,
            0.0]), g=("multiply", "f", "m"), y=("sum", "g")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Use softplus for log(1 + exp(x))", "Run in float64")),
            ("g", "nan-value"): ("0 · inf", ("Run in float64",)),
            ("e", "nan-gradient"): ("0 · inf", ("Use softplus for log(1 + exp(x))", "Run in float64")),
        },
    ),
    "acos(x)[0:1] of 2": Case(
        "tensorflow/tensorflow#57786", "float64",
        graph(x=[-0.5, 0.5, 2.0], a=("arccos", "x"), p=("getitem", "a", {"index":"0:1"}), y=("sum", "p")),
        {
            ("a", "nan-value"): ("arccos outside its domain", ("Keep x between −1 and 1",)),
        },
    ),
    "softmax of an all-masked row": Case(
        "pytorch/pytorch#41508", "float32",
        graph(s=[[1.0, 2.0], [3.0, 4.0]], m=(CONSTANT, [[0.0, -inf], [-inf, -inf]]), a=("add", "s", "m"),
            p=("softmax", "a"), w=(CONSTANT, [[1.0, 2.0], [3.0, 4.0]]), o=("multiply", "p", "w"), y=("sum", "o")),
        {
            ("p", "nan-value"): ("softmax of nothing but −inf", ("Let p be 0 in rows of nothing but −inf",)),
        },
    ),
    "additive mask, healthy": Case(
        "", "float32",
        graph(s=[[1.0, 2.0], [3.0, 4.0]], m=(CONSTANT, [[0.0, -inf], [0.0, 0.0]]), a=("add", "s", "m"), p=("softmax",
            "a"), w=(CONSTANT, [[1.0, 2.0], [3.0, 4.0]]), o=("multiply", "p", "w"), y=("sum", "o")),
        {
        },
    ),
    "log of a 0/1 mask, healthy": Case(
        "", "float32",
        graph(s=[1.0, 2.0, 3.0], m=(CONSTANT, [1.0, 0.0, 1.0]), l=("log", "m"), a=("add", "s", "l"), p=("softmax",
            "a"), w=(CONSTANT, [1.0, 2.0, 5.0]), o=("multiply", "p", "w"), y=("sum", "o")),
        {
        },
    ),
    "multiplied -inf mask": Case(
        "tensorflow/tensorflow#11756", "float32",
        graph(a=[1.0, 1.0, 1.0], m=(CONSTANT, [4.0, -inf, 4.0]), b=("multiply", "a", "m"), p=("softmax", "b"),
            w=(CONSTANT, [0.0, 0.0, 1.0]), o=("multiply", "p", "w"), y=("sum", "o")),
        {
            ("b", "nan-gradient"): ("0 · inf", ("Make m finite",)),
        },
    ),
    "logsumexp of all -inf": Case(
        "jax-ml/jax#6811", "float64",
        graph(x=1.0, m=(CONSTANT, [-inf, -inf]), a=("add", "m", "x"), y=("logsumexp", "a")),
        {
            ("y", "inf-value"): ("logsumexp of nothing but −inf", ()),
            ("y", "nan-gradient"): ("logsumexp of nothing but −inf", ()),
        },
        clean=False,
    ),
    "CTC logaddexp -inf": Case(
        "pytorch/pytorch#31829", "float64",
        graph(a=(CONSTANT, -inf), x=1.0, b=("add", "x", "a"), c=("logaddexp", "a", "b"), d=2.0, y=("logaddexp", "c",
            "d")),
        {
            ("c", "nan-gradient"): ("no derivative", ("Make a finite",)),
        },
    ),
    "prob times log_softmax of -inf": Case(
        "OpenBMB/ModelCenter#14", "float32",
        graph(x=[1.0, 2.0, 0.5], m=(CONSTANT, [0.0, 0.0, -inf]), a=("add", "x", "m"), p=("softmax", "a"),
            l=("log_softmax", "a"), q=("multiply", "p", "l"), s=("sum", "q"), y=("negative", "s")),
        {
            ("q", "nan-value"): ("0 · inf", ("Use cross_entropy for the pieces",)),
            ("p", "nan-gradient"): ("inf · 0 or inf − inf", ("Make m finite",)),
        },
    ),
    "softmax in pieces fp16": Case(
        "", "float16",
        graph(x=[12.0, 1.0], e=("exp", "x"), s=("sum", "e"), p=("divide", "e", "s"), w=(CONSTANT, [1.0, 2.0]),
            q=("multiply", "p", "w"), y=("sum", "q")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Use softmax for exp(x) / sum(exp(x))", "Run in float64")),
            ("p", "nan-value"): ("inf / inf", ("Use softmax for exp(x) / sum(exp(x))", "Run in float64")),
        },
    ),
    "log softmax of 1 - p": Case(
        "foreai.co/blog/nans-out-of-nowhere", "float32",
        graph(x=[60.0, 0.0], p=("softmax", "x"), one=ONE, c=("subtract", "one", "p"), l=("log", "c"), i=("getitem",
            "l", {"index":"0"}), y=("negative", "i")),
        {
            ("l", "inf-value"): ("log of 0", ()),
            ("p", "nan-gradient"): ("inf · 0 or inf − inf", ()),
        },
        clean=False,
    ),
}  # fmt: skip
