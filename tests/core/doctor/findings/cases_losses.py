"""Losses, distributions, matrices, and what only float16 cannot hold."""

from tests.core.doctor.findings.case import CONSTANT, INPUT, ONE, Case, inf
from tests.core.graphs import graph

LOSSES = {
    "cross entropy in pieces": Case(
        "tensorflow/models#181", "float32",
        graph(x=[1000.0, 0.0], t=(INPUT, [0.0, 1.0]), s=("softmax", "x"), l=("log", "s"), m=("multiply", "t", "l"),
            u=("sum", "m"), y=("negative", "u")),
        {
            ("l", "inf-value"): ("log of 0", ("Use log_softmax for the logarithm of softmax",
                "Use cross_entropy for the pieces")),
            ("s", "nan-gradient"): ("inf · 0 or inf − inf", ("Use log_softmax for the logarithm of softmax",
                "Use cross_entropy for the pieces")),
        },
    ),
    "bce of sigmoid": Case(
        "hwalsuklee/tensorflow-mnist-VAE#4", "float32",
        graph(x=-200.0, t=(INPUT, 1.0), s=("sigmoid", "x"), l=("log", "s"), y=("multiply", "t", "l")),
        {
            ("l", "inf-value"): ("log of 0", ("Use logsigmoid for the logarithm of sigmoid", "Run in float64")),
            ("s", "nan-gradient"): ("inf · 0", ("Use logsigmoid for the logarithm of sigmoid", "Run in float64")),
        },
    ),
    "bce 0*log(0)": Case(
        "tiny-dnn/tiny-dnn#410", "float32",
        graph(x=30.0, t=(INPUT, 1.0), one=ONE, s=("sigmoid", "x"), l=("log", "s"), m=("multiply", "t", "l"),
            c=("subtract", "one", "s"), d=("log", "c"), f=("subtract", "one", "t"), h=("multiply", "f", "d"),
            a=("add", "m", "h"), y=("negative", "a")),
        {
            ("d", "inf-value"): ("log of 0", ("Use logsigmoid of −x for log(1 − sigmoid(x))",
                "Use binary cross-entropy with logits", "Let h be 0 where f is 0", "Run in float64")),
            ("h", "nan-value"): ("0 · inf", ("Use binary cross-entropy with logits", "Let h be 0 where f is 0",
                "Run in float64")),
            ("d", "nan-gradient"): ("0 · inf", ("Use logsigmoid of −x for log(1 − sigmoid(x))",
                "Use binary cross-entropy with logits", "Let h be 0 where f is 0", "Run in float64")),
        },
    ),
    "bce with logits at -inf": Case(
        "pytorch/pytorch#135359", "float64",
        graph(x=-inf, t=(INPUT, 0.9), y=("binary_cross_entropy_with_logits", "x", "t")),
        {
            ("x", "inf-value"): ("given", ()),
        },
        clean=False,
    ),
    "entropy of softmax": Case(
        "", "float32",
        graph(x=[0.0, 200.0], p=("softmax", "x"), l=("log", "p"), m=("multiply", "p", "l"), s=("sum", "m"),
            y=("negative", "s")),
        {
            ("l", "inf-value"): ("log of 0", ("Use log_softmax for the logarithm of softmax",
                "Use cross_entropy for the pieces", "Let m be 0 where p is 0", "Run in float64")),
            ("m", "nan-value"): ("0 · inf", ("Use cross_entropy for the pieces", "Let m be 0 where p is 0",
                "Run in float64")),
            ("l", "nan-gradient"): ("0 · inf", ("Use log_softmax for the logarithm of softmax",
                "Use cross_entropy for the pieces", "Let m be 0 where p is 0", "Run in float64")),
        },
    ),
    "x log x at 0": Case(
        "", "float64",
        graph(x=0.0, l=("log", "x"), y=("multiply", "x", "l")),
        {
            ("l", "inf-value"): ("log of 0", ("Let y be 0 where x is 0",)),
            ("y", "nan-value"): ("0 · inf", ("Let y be 0 where x is 0",)),
            ("l", "nan-gradient"): ("0 · inf", ("Let y be 0 where x is 0",)),
        },
    ),
    "focal loss gamma 1/2": Case(
        "kornia/kornia#918", "float32",
        graph(x=100.0, one=ONE, h=(CONSTANT, 0.5), eps=(CONSTANT, 1e-8), p=("sigmoid", "x"), c=("subtract", "one",
            "p"), f=("power", "c", "h"), q=("add", "p", "eps"), l=("log", "q"), m=("multiply", "f", "l"),
            y=("negative", "m")),
        {
            ("f", "nan-gradient"): ("0 · inf", ("Give f the gradient 0 where c is 0",)),
        },
    ),
    "VAE KL of a large log variance": Case(
        "vanderschaarlab/synthcity#331", "float32",
        graph(lv=100.0, mu=0.5, one=ONE, h=(CONSTANT, -0.5), e=("exp", "lv"), q=("square", "mu"), a=("add", "one",
            "lv"), b=("subtract", "a", "q"), c=("subtract", "b", "e"), y=("multiply", "h", "c")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Run in float64",)),
        },
    ),
    "MDN: a / exp(logvar)": Case(
        "pankajmishra000/VT-ADL#10", "float32",
        graph(lv=100.0, a=2.0, e=("exp", "lv"), q=("divide", "a", "e"), y=("add", "lv", "q")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Write a · exp(−x) for a / exp(x)", "Run in float64")),
            ("e", "nan-gradient"): ("0 · inf", ("Write a · exp(−x) for a / exp(x)", "Run in float64")),
        },
    ),
    "Gumbel survival": Case(
        "", "float32",
        graph(z=100.0, e=("exp", "z"), n=("negative", "e"), y=("exp", "n")),
        {
            ("e", "inf-value"): ("overflow of exp", ("Give y a gradient of its own", "Run in float64")),
            ("e", "nan-gradient"): ("0 · inf", ("Give y a gradient of its own", "Run in float64")),
        },
    ),
    "product likelihood": Case(
        "", "float64",
        graph(x=[1e-200, 1e-200], p=("prod", "x"), y=("log", "p")),
        {
            ("y", "inf-value"): ("log of 0", ("Write sum(log(x)) for log(prod(x))",)),
        },
    ),
    "product by logs with a 0": Case(
        "", "float64",
        graph(x=[0.0, 2.0, 3.0], l=("log", "x"), s=("sum", "l"), y=("exp", "s")),
        {
            ("l", "inf-value"): ("log of 0", ("Use prod for exp(sum(log(x)))",)),
            ("l", "nan-gradient"): ("0 · inf", ("Use prod for exp(sum(log(x)))",)),
        },
    ),
    "log det": Case(
        "", "float64",
        graph(A=[[1e-200, 0.0], [0.0, 1e-200]], d=("det", "A"), y=("log", "d")),
        {
            ("y", "inf-value"): ("log of 0", ("Use slogdet for log(det(x))",)),
            ("d", "nan-gradient"): ("inf · 0 or inf − inf", ("Use slogdet for log(det(x))",)),
        },
    ),
    "log det of singular": Case(
        "google-deepmind/ferminet#5", "float64",
        graph(A=[[1.0, 2.0], [2.0, 4.0]], y=("slogdet", "A")),
        {
            ("y", "inf-value"): ("slogdet of these operands", ()),
        },
        clean=False,
    ),
    "inverse of singular": Case(
        "", "float64",
        graph(A=[[1.0, 2.0], [2.0, 4.0]], i=("inv", "A"), y=("sum", "i")),
        {
            ("i", "nan-value"): ("inv of these operands", ()),
        },
        clean=False,
    ),
    "eigenvectors of equal eigenvalues": Case(
        "jax-ml/jax#669", "float64",
        graph(A=[[1.0, 0.0], [0.0, 1.0]], v=("eigh", "A", {"part":1}), q=("square", "v"), w=(CONSTANT, [[1.0, 2.0],
            [3.0, 4.0]]), p=("multiply", "q", "w"), y=("sum", "p")),
        {
            ("v", "nan-gradient"): ("its own", ()),
        },
        clean=False,
    ),
    "cholesky of indefinite": Case(
        "PyAutoLabs/PyAutoArray#392", "float64",
        graph(A=[[1.0, 2.0], [2.0, 1.0]], L=("cholesky", "A"), y=("sum", "L")),
        {
            ("L", "nan-value"): ("cholesky of these operands", ()),
        },
        clean=False,
    ),
    "fp16 square in norm": Case(
        "neuroneural/brainchop-cli#56", "float16",
        graph(x=[300.0, -300.0], q=("square", "x"), s=("sum", "q"), y=("sqrt", "s")),
        {
            ("q", "inf-value"): ("overflow of square", ("Run in float64",)),
        },
    ),
    "fp16 layer norm in pieces": Case(
        "microsoft/onnxruntime#29043", "float16",
        graph(x=[300.0, -300.0, 10.0], m=("mean", "x", {"keepdims":True}), d=("subtract", "x", "m"), q=("square",
            "d"), v=("mean", "q", {"keepdims":True}), eps=(CONSTANT, 1e-3), ve=("add", "v", "eps"), s=("sqrt", "ve"),
            u=("divide", "d", "s"), w=(CONSTANT, [1.0, 2.0, 3.0]), p=("multiply", "u", "w"), y=("sum", "p")),
        {
            ("q", "inf-value"): ("overflow of square", ("Run in float64",)),
        },
    ),
    "fp16 layer norm of zeros": Case(
        "pytorch/pytorch#41527", "float16",
        graph(x=[0.0, 0.0, 0.0], m=("mean", "x", {"keepdims":True}), d=("subtract", "x", "m"), q=("square", "d"),
            v=("mean", "q", {"keepdims":True}), eps=(CONSTANT, 1e-12), ve=("add", "v", "eps"), s=("sqrt", "ve"),
            u=("divide", "d", "s"), y=("sum", "u")),
        {
            ("u", "nan-value"): ("0 / 0", ("Run in float64",)),
            ("eps", "lost-digits"): ("given", ("Run in float64",)),
        },
    ),
    "fp16 mean by sum / n": Case(
        "NVIDIA/apex#84", "float16",
        graph(x=[30000.0]*4, n=(CONSTANT, 4.0), s=("sum", "x"), y=("divide", "s", "n")),
        {
            ("s", "inf-value"): ("overflow of sum", ("Use mean for sum(x) / n", "Run in float64")),
        },
    ),
    "fp32 variance E[x2]-E[x]2": Case(
        "gnuradio/volk#290", "float32",
        graph(x=[1.0, 0.999998987, 1.000002027, 0.99999702, 1.000004053, 0.999994993], q=("square", "x"), mq=("mean",
            "q"), m=("mean", "x"), qm=("square", "m"), v=("subtract", "mq", "qm"), y=("sqrt", "v")),
        {
            ("y", "nan-value"): ("sqrt outside its domain", ("Use std for √(mean(x²) − mean(x)²)", "Run in float64")),
        },
    ),
}  # fmt: skip
