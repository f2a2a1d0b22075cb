"""Small graphs with known numbers for the tests of notation."""

from cadena.core.graph.document import Document, Node, Value, as_value


def leaf(name: str, value: object, op: str = "parameter", gradient: bool = False) -> Node:
    return Node(name, op, value=as_value(value), gradient=gradient)


def graph(*nodes: Node, output: str, dtype: str = "float64") -> Document:
    return Document({node.name: node for node in nodes}, output=output, dtype=dtype)


def number(value: float) -> Value:
    return as_value(value)


TWO_PATHS = graph(
    leaf("a1", 4.0),
    leaf("w0", 2.0, "input"),
    leaf("w2", 9.0, "input"),
    leaf("k", 15.0, "constant"),
    Node("b1", "multiply", ("w0", "a1")),
    Node("b2", "multiply", ("w2", "a1")),
    Node("c", "add", ("b1", "b2")),
    Node("L", "subtract", ("k", "c")),
    output="L",
)
LAYER = graph(
    leaf("X", [[-1, 0, 1], [2, 3, 4], [-1, -5, 2]], "input"),
    leaf("W", [[0.1, -0.2], [0.3, 0.4], [-0.5, 0.6]]),
    leaf("two", 2.0, "constant"),
    Node("Z", "matmul", ("X", "W")),
    Node("Y", "sin", ("Z",)),
    Node("S", "power", ("Y", "two")),
    Node("L", "sum", ("S",)),
    output="L",
)
OVERFLOW = graph(
    leaf("x", 100.0),
    leaf("one", 1.0, "constant"),
    Node("e", "exp", ("x",)),
    Node("y", "divide", ("one", "e")),
    output="y",
    dtype="float32",
)
