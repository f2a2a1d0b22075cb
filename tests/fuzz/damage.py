"""Damaged files: changed bytes, tokens, or JSON values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from cadena.core.graph.document import DTYPES, LEAVES, Document, Node, as_value
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.function_edits import make_function
from cadena.core.storage import values
from cadena.core.storage.encoding import encode
from cadena.core.teaching.lessons import lesson_path, lessons
from tests.core.graphs import chain, mlp, wide

FROZEN = Path(__file__).parents[1] / "core" / "storage" / "frozen"
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|[][{}:,]')
KEY = re.compile(rb'"\w+": ')

DEEP = "@deep"  # stands for lists within lists, deeper than Python's json could write
Place = tuple[Any, Any]  # a list or an object, and an index or a key of it


def whole_files() -> list[bytes]:
    """The files to damage: the lessons, the frozen examples, and generated documents."""
    files = [Path(lesson_path(lesson.name)).read_bytes() for lesson in lessons()]
    files += [path.read_bytes() for path in sorted(FROZEN.iterdir())]
    generated = [chain(12), wide(30, leaves=5), mlp((3, 4, 2), batch=2), mlp((40, 30, 2), batch=1)]
    generated += [of_examples(Random(seed)) for seed in range(40)]
    inner = make_function(chain(8), ["n1", "n2"], "f")
    generated.append(make_function(inner, ["n2", "n3", "n4"], "g"))  # a function that calls another
    return files + [encode(document) for document in generated]


def of_examples(chance: Random) -> Document:
    """A graph of six operations, on the examples of their records, added up where they can be."""
    nodes: dict[str, Node] = {}
    for number, op in enumerate(chance.sample(sorted(REGISTRY), 6)):
        *operands, last = chance.choice(REGISTRY[op].examples)
        attributes = last if isinstance(last, dict) else {}
        operands = operands if isinstance(last, dict) else [*operands, last]
        names = [f"x{number}_{slot}" for slot in range(len(operands))]
        for name, operand in zip(names, operands):
            nodes[name] = Node(name, chance.choice(LEAVES), value=as_value(operand))
        nodes[f"y{number}"] = Node(f"y{number}", op, tuple(names), attributes=dict(attributes))
        nodes[f"s{number}"] = Node(f"s{number}", "sum", (f"y{number}",))
    nodes["L"] = Node("L", "add", ("s0", "s1"))
    return Document(nodes, output="L")


def damaged(data: bytes, chance: Random) -> bytes:
    """The file with one to three damages of one kind."""
    kind = chance.choice((damaged_bytes, damaged_tokens, damaged_json, damaged_json, damaged_json))
    for _ in range(chance.choice((1, 1, 2, 3))):
        data = kind(data, chance)
    return data


# --- bytes and tokens


def damaged_bytes(data: bytes, chance: Random) -> bytes:
    """Bits flipped, the end cut off, or bytes put in, taken out or doubled."""
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice((1, 3, 40, 400)))
    match chance.randrange(5):
        case 0:
            flipped = bytes(byte ^ (1 << chance.randrange(8)) for byte in data[start : start + chance.randint(1, 3)])
            return data[:start] + flipped + data[start + len(flipped) :]
        case 1:
            return data[:start]
        case 2:
            return data[:start] + chance.randbytes(chance.randint(1, 8)) + data[start:]
        case 3:
            return data[:start] + data[end:]
    return data[:end] + data[start:]


def damaged_tokens(data: bytes, chance: Random) -> bytes:
    """Two tokens exchanged, one of them copied over the other, or a key given twice."""
    found = list(TOKEN.finditer(data))
    if len(found) < 2:
        return damaged_bytes(data, chance)
    if chance.random() < 0.3 and (keys := list(KEY.finditer(data))):
        key, other = chance.choice(keys), chance.choice(found)
        return data[: key.start()] + key[0] + other[0] + b", " + data[key.start() :]
    one, other = sorted(chance.sample(found, 2), key=re.Match.start)
    first = other[0] if chance.random() < 0.7 else one[0]
    return data[: one.start()] + first + data[one.end() : other.start()] + one[0] + data[other.end() :]


# --- what the JSON says


def damaged_json(data: bytes, chance: Random) -> bytes:
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        return damaged_bytes(data, chance)
    if isinstance(whole, dict):
        kinds = (any_place, a_node, a_function, the_layout, an_array)
        chance.choices(kinds, (3, 3, 1, 1, 1))[0](whole, chance)
    text = json.dumps(whole, ensure_ascii=chance.random() < 0.5)
    depth = chance.choice((300, 3_000, 100_000))
    return text.replace(f'"{DEEP}"', "[" * depth + "]" * depth).encode("utf-8", "surrogatepass")


def nested(depth: int) -> Any:
    deep: Any = 0.0
    for _ in range(depth):
        deep = [deep]
    return deep


AWKWARD: tuple[Callable[[Random], Any], ...] = (
    lambda _: None,
    lambda chance: chance.choice((True, False, [], {}, "", [[]], [None], {"": None})),
    lambda chance: chance.choice((0, -1, 1, 2**31 - 1, 2**63, -(2**64), 10**400, 10**10)),
    lambda chance: chance.choice((0.5, -0.0, 5e-324, 1e308, -1e308, 1e-30, float("nan"), float("inf"))),
    lambda chance: chance.choice(("nan", "inf", "-inf", "a\nb", "\x1b[31mred", "\ud800", "lambda", "w0", "λ" * 41)),
    lambda chance: "n" * chance.choice((100, 300, 5_000)),
    lambda chance: chance.choice((nested(2), nested(40), nested(70), DEEP)),
    lambda chance: chance.choice(([[1, 2], [3]], [1, "2", None], [[], [1]], [True, 2.5], ["nan", 1], [0] * 2_000)),
    lambda chance: {"shape": huge(chance), "dtype": chance.choice((*DTYPES, "object", "int64", 3)), "base64": "AAAA"},
    lambda chance: chance.choice(sorted(REGISTRY)),
    lambda chance: {"a" * chance.choice((1, 300)): nested(3), "nodes": []},
)


def huge(chance: Random) -> list[int]:
    return chance.choice(([10**6, 10**6], [2**31], [2**62, 4], [0, 10**9], [-1], [1] * 70, [3], [], [10**30]))


def awkward(chance: Random) -> Any:
    return chance.choice(AWKWARD)(chance)


def places(item: Any) -> list[Place]:
    """Every place in the JSON of a file."""
    items = item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list) else ()
    found: list[Place] = []
    for key, part in items:
        found.append((item, key))
        found += places(part)
    return found


def any_place(whole: dict[str, Any], chance: Random) -> None:
    """Put an awkward value into any place; or remove, repeat or exchange the value there."""
    found = places(whole)
    if not found:
        return
    (inside, key), (other, other_key) = chance.choice(found), chance.choice(found)
    match chance.randrange(8):
        case 0:
            del inside[key]
        case 1:
            inside[key] = json.loads(json.dumps(other[other_key]))
        case 2 if isinstance(inside, list):
            inside.insert(chance.randrange(len(inside) + 1), inside[key])
        case 3 if isinstance(inside, list):
            chance.shuffle(inside)
        case 4 if isinstance(inside, dict):
            inside[chance.choice(("extra", "value", "inputs", "op", "attributes", key * 2))] = inside.pop(key)
        case 5:
            inside[key] = awkward(chance)
        case _:
            inside[key] = of_its_kind(inside[key], [part[name] for part, name in found], chance)


def of_its_kind(item: Any, all_items: list[Any], chance: Random) -> Any:
    """Put another value of the same kind there: another number, or another text of the file."""
    if isinstance(item, float | int):
        return chance.choice((0, -1, 2, 3.5, -0.0, 1e308, 5e-324, -1e-30, 1e5, 100, "nan", "inf", "-inf"))
    others = [other for other in all_items if type(other) is type(item)]
    return json.loads(json.dumps(chance.choice(others)))


def nodes_of(part: Any) -> list[dict[str, Any]]:
    listed = part.get("nodes") if isinstance(part, dict) else None
    return [node for node in listed if isinstance(node, dict)] if isinstance(listed, list) else []


def a_node(whole: Any, chance: Random) -> None:
    """Another operation, a wire that closes a cycle or comes from nowhere, an odd setting, a name that is taken."""
    nodes = nodes_of(whole)
    if not nodes:
        return
    node, other = chance.choice(nodes), chance.choice(nodes)
    op = REGISTRY.get(str(node.get("op")))
    match chance.randrange(6):
        case 0:
            node["op"] = chance.choice([*REGISTRY, *LEAVES, "teleport", "lambda", "", awkward(chance)])
        case 1:
            inputs = node.get("inputs")
            inputs = list(inputs) if isinstance(inputs, list) else []
            inputs.insert(chance.randrange(len(inputs) + 1), chance.choice((other.get("name"), None, "nobody")))
            node["inputs"] = inputs[chance.randrange(2) :]
        case 2:
            settings = [one.name for one in op.attributes] if op else []
            node.setdefault("attributes", {})
            if isinstance(node["attributes"], dict):
                node["attributes"][chance.choice([*settings, *settings, "axis", "odd"])] = awkward(chance)
        case 3:
            node["name"] = chance.choice((other.get("name"), awkward(chance), "n" * 200))
        case 4:
            node["value"] = chance.choice((awkward(chance), other.get("value")))
        case 5:
            whole["output"] = chance.choice((node.get("name"), other.get("name"), awkward(chance)))


def a_function(whole: dict[str, Any], chance: Random) -> None:
    """Functions that contain themselves, call each other, or are damaged inside."""
    functions = whole.get("functions")
    if not isinstance(functions, dict) or not functions:
        a_node(whole, chance)
        return
    function = functions[chance.choice(list(functions))]
    inner = chance.choice((function, function, function.get("gradient") if isinstance(function, dict) else None))
    match chance.randrange(4):
        case 0 if nodes_of(inner):
            chance.choice(nodes_of(inner))["op"] = chance.choice(list(functions))
        case 1:
            a_node(inner, chance)
        case 2:
            functions[chance.choice(("sin", "parameter", "g", "f", "n" * 200))] = json.loads(json.dumps(function))
        case _ if found := places(function):
            inside, key = chance.choice(found)
            inside[key] = awkward(chance)


def the_layout(whole: dict[str, Any], chance: Random) -> None:
    """Damage the layout: remove places, or move them nowhere or very far away."""
    layout = whole.get("layout")
    if not isinstance(layout, dict) or not layout:
        a_node(whole, chance)
        return
    for name in chance.sample(sorted(layout), chance.randint(1, len(layout))):
        if chance.random() < 0.5:
            del layout[name]
        else:
            far = chance.choice((1e308, -1e308, 1e15, 3e9, 0, -0.0, 1e5, -8))
            layout[name] = [far, chance.choice((0, far))]


def an_array(whole: dict[str, Any], chance: Random) -> None:
    """A leaf with packed numbers: of a huge shape, of the wrong length, of an odd type, or just as they should be."""
    leaves = [node for node in nodes_of(whole) if "value" in node]
    if not leaves:
        return
    count = chance.choice((0, 1, 2, 3, 8, 1_000))
    shape = chance.choice(([count], [count, 1], [1, count, 1], huge(chance)))
    text = values.pack(as_value([0.5] * 1_001))["base64"][: chance.choice((0, 1, 4 * count, 11 * count))]
    node = chance.choice(leaves)
    node["value"] = {"shape": shape, "dtype": chance.choice((*DTYPES, "float32", "int8")), "base64": text}
