"""Read an ONNX model as a document. The file is data: nothing in it is run, no file outside of its folder is read."""

from __future__ import annotations

import math
import os
import re
from collections import ChainMap
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cadena.core.capture.onnx_operations import KNOWN, read
from cadena.core.capture.record import Leaf, Record, Unknown
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import MAX_ELEMENTS, ShapeError
from cadena.core.storage.files import MAX_BYTES, contents
from cadena.core.tracing.traced import Traced, apply, plain

DTYPES = {1: "float32", 10: "float16", 11: "float64"}  # by ONNX's numbers for types
NUMBERS = {name: number for number, name in DTYPES.items()}
NO_REAL_TYPES = {14: "complex64", 15: "complex128", 16: "bfloat16", 17: "float8", 18: "float8", 19: "float8"}
WHOLE = {2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 12: "uint32", 13: "uint64"}
TEXTS = 8  # ONNX's number for tensors of texts
DOMAINS = ("", "ai.onnx")
BRANCHING = ("If", "Loop", "Scan")
FILLING = ("Constant", "ConstantOfShape")
MAX_NODES = 1 << 16  # operations, with those of functions wherever they are called
MAX_DEPTH = 60  # of functions that call functions, and graphs within graphs
MAX_TOTAL = 1 << 27  # elements of all results together: each of them is kept
MAX_KNOWN = 1 << 12  # elements of sizes and places that decide the shape of a result


def read_model(path: str | os.PathLike[str]) -> Document:
    """The graph of a model: its initializers are parameters with their names, its inputs hold ones."""
    model = _model(Path(path))
    _Counting(model, path).check()
    _check_valid(model, path)
    return _Reading(model, path).document()


def _model(path: Path) -> Any:
    """The model in a file, its large tensors from the files beside it."""
    try:
        import onnx
        from google.protobuf.message import DecodeError
    except ImportError:
        raise Refused(
            "{path}: models are read by the package onnx, which is missing", "pip install onnx", path=path
        ) from None
    data = contents(path)
    try:
        model = onnx.load_model_from_string(data)
    except DecodeError:
        raise Refused("{path}: this is no ONNX model, or a part of one", "export it again", path=path) from None
    if not model.graph.node and not model.graph.output:
        raise Refused("{path}: this is no ONNX model, or a part of one", "export it again", path=path)
    _load_data_beside(model, path)
    return model


def _load_data_beside(model: Any, path: Path) -> None:
    """Fill in the tensors that are kept in other files. Raises Refused for one outside of the model's folder."""
    from onnx import TensorProto
    from onnx.external_data_helper import load_external_data_for_tensor, uses_external_data

    folder, total = path.resolve().parent, 0
    constants = [item.t for node in model.graph.node for item in node.attribute if item.HasField("t")]
    for tensor in [*model.graph.initializer, *constants]:
        if not uses_external_data(tensor):
            continue
        named = next((item.value for item in tensor.external_data if item.key == "location"), "")
        file = (folder / named).resolve()
        if not named or Path(named).is_absolute() or not file.is_relative_to(folder) or not file.is_file():
            what = (
                "{path}: the values of {tensor} are said to be in {named}, which is no file in the folder of the model"
            )
            raise Refused(what, "export the model as one file", path=path, tensor=tensor.name, named=named)
        total += file.stat().st_size
        if total > MAX_BYTES:
            raise Refused("{path}: its values take more than {most} MB", "use a smaller model", path=path,
                          most=MAX_BYTES >> 20)  # fmt: skip
        try:
            load_external_data_for_tensor(tensor, str(folder))
        except Exception as error:  # whatever onnx makes of a file that does not fit
            raise Refused("{path}: the values of {tensor} cannot be read: {error}", path=path, tensor=tensor.name,
                          error=error) from None  # fmt: skip
        tensor.data_location = TensorProto.DEFAULT


class _Counting:
    """What a model would become with its functions in place of their calls, counted before anything is built."""

    def __init__(self, model: Any, path: str | os.PathLike[str]) -> None:
        self.model, self.path = model, path
        self.opset = max((item.version for item in model.opset_import if item.domain in DOMAINS), default=1)
        self.functions = {_key(item): item for item in model.functions}
        self.counts: dict[tuple[str, str, str], int] = {}
        self.unknown: set[str] = set()

    def check(self) -> None:
        """Raise Refused for a model that would be too large, and for all operations at once that are not known."""
        graph = self.model.graph
        self._check_texts([graph.name, *(item.name for item in (*graph.input, *graph.output, *graph.initializer))])
        count = self._count(graph.node, ())
        if self.unknown:
            what = "{path}: operations that Cadena does not have: {unknown}"
            unknown = _printable(", ".join(sorted(self.unknown)))
            raise Refused(what, "export the part of the model without them", path=self.path, unknown=unknown)
        if count > MAX_NODES:
            what = "{path}: it has more than {most} operations with those of its functions"
            raise Refused(what, "use a part of the model", path=self.path, most=MAX_NODES)

    def _count(self, nodes: Any, calls: tuple[tuple[str, str, str], ...]) -> int:
        if len(calls) > MAX_DEPTH:
            what = "{path}: its functions and graphs lie in each other more than {most} deep"
            raise Refused(what, "export it without functions", path=self.path, most=MAX_DEPTH)
        return sum(self._of_node(node, calls) for node in nodes)

    def _of_node(self, node: Any, calls: tuple[tuple[str, str, str], ...]) -> int:
        self._check_texts([*_key(node), node.name, *node.input, *node.output, *(item.name for item in node.attribute)])
        key = _key(node)
        if key in calls:
            what = "{path}: its function {name} calls itself without an end"
            raise Refused(what, "export it without functions", path=self.path, name=_printable(key[1]))
        if key in self.functions:
            if key not in self.counts:
                self.counts[key] = self._count(self.functions[key].node, (*calls, key))
            return self.counts[key]
        known = node.domain in DOMAINS and (node.op_type in KNOWN or node.op_type in BRANCHING
                                            or _definition(node.op_type, self.opset) is not None)  # fmt: skip
        if not known:
            self.unknown.add(node.op_type if node.domain in DOMAINS else f"{node.domain}.{node.op_type}")
        inner = [item.g for item in node.attribute if item.HasField("g")]
        return 1 + sum(self._count(graph.node, (*calls, ("", "", graph.name))) for graph in inner)

    def _check_texts(self, names: Sequence[Any]) -> None:
        if any(isinstance(name, bytes) for name in names):  # what is no UTF-8 is left so by protobuf
            raise Refused("{path}: a name in it is no text", "export it again", path=self.path)


def _key(item: Any) -> tuple[str, str, str]:
    """What a call and its function have in common."""
    name = item.op_type if hasattr(item, "op_type") else item.name
    return (item.domain, name, getattr(item, "overload", ""))


def _definition(kind: str, opset: int) -> Any:
    """The schema of an operation that ONNX defines by others, else None."""
    from onnx import defs

    try:
        schema = defs.get_schema(kind, opset)
    except defs.SchemaError:
        return None
    return schema if schema.has_function or schema.has_context_dependent_function else None


def _check_valid(model: Any, path: str | os.PathLike[str]) -> None:
    """Raise Refused for a model that is none."""
    import onnx

    for item in model.graph.output:
        item.type.tensor_type.shape.SetInParent()  # the checker asks for it, and nobody reads it
    try:
        onnx.checker.check_model(model)
    except (onnx.checker.ValidationError, ValueError, RuntimeError, TypeError) as error:
        first = _printable(str(error).strip().partition("\n")[0])
        raise Refused("{path}: this is no valid ONNX model: {first}", path=path, first=first) from None


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


@dataclass
class _Scope:
    """The values of a graph or of a call of a function by name."""

    opset: int
    values: MutableMapping[str, Any] = field(default_factory=dict)
    attributes: Mapping[str, Any] | None = None  # of the call, in a function
    is_main: bool = False

    def inner(self) -> _Scope:
        """That of a graph within this one."""
        return _Scope(self.opset, ChainMap({}, self.values), self.attributes)


class _Reading:
    """The values of a model's graph by name: traced ones, and plain arrays of sizes and places."""

    def __init__(self, model: Any, path: str | os.PathLike[str]) -> None:
        self.graph, self.path = model.graph, path
        opset = max((item.version for item in model.opset_import if item.domain in DOMAINS), default=1)
        self.main = _Scope(opset, {"": None}, is_main=True)
        self.functions = {_key(item): item for item in model.functions}
        self.nodes, self.elements, self.kept = 0, 0, 0
        self.whole: dict[int, int] = {}  # traced whole numbers and truths -> ONNX's number for their type
        types = [item.data_type for item in self.graph.initializer]
        types += [item.type.tensor_type.elem_type for item in self.graph.input]
        if strange := [NO_REAL_TYPES[kind] for kind in types if kind in NO_REAL_TYPES]:
            what = "{path}: it holds numbers of the type {kind}, which no document has"
            raise Refused(what, "export it in float32", path=path, kind=strange[0])
        real = [DTYPES[kind] for kind in types if kind in DTYPES]
        self.record = Record(max(real, key=lambda name: int(name[5:]), default="float32"))

    def document(self) -> Document:
        self._leaves()
        self._run(self.graph.node, self.main)
        names = [item.name for item in self.graph.output]
        results = [self.main.values.get(name) for name in names]
        outputs = [item for item in results if isinstance(item, Traced)]
        if not outputs:
            raise Refused("{path}: no output of the model depends on its parameters or inputs", path=self.path)
        nodes, called = self.record.nodes(outputs)
        title = self.graph.name if self.graph.name.isprintable() else ""
        return Document(nodes, output=called[outputs[0].number], title=title, dtype=self.record.dtype)

    def _leaves(self) -> None:
        from onnx import numpy_helper

        values = self.main.values
        statistics = {
            name for node in self.graph.node if node.op_type == "BatchNormalization" for name in node.input[3:]
        }
        for tensor in self.graph.initializer:
            self._check_size(tensor.name, tensor.dims)
            if tensor.data_type == TEXTS:
                raise Refused("{path}: {name} holds texts, no numbers", path=self.path, name=_printable(tensor.name))
            array = numpy_helper.to_array(tensor)
            if array.dtype.kind == "f":
                kind = "constant" if tensor.name in statistics or not array.ndim else "parameter"
                values[tensor.name] = self._leaf(array, Leaf(kind, tensor.name))
            else:
                values[tensor.name] = array
        for item in self.graph.input:
            if item.name not in values:
                values[item.name] = self._input(item)

    def _leaf(self, array: Any, leaf: Leaf) -> Traced:
        self._check_kept(array.size)
        return self.record.leaf(array, leaf)

    def _check_kept(self, count: int) -> None:
        """Raise Refused where the numbers of the graph would make a file that is too large to be opened."""
        self.kept += count * np.dtype(self.record.dtype).itemsize * 4 // 3  # as text, in base64
        if self.kept > MAX_BYTES:
            what = "{path}: its numbers would make a file of more than {most} megabytes, which cannot be opened"
            raise Refused(what, "use a smaller model", path=self.path, most=MAX_BYTES >> 20)

    def _input(self, item: Any) -> Any:
        """An input: ones, of length 1 along an axis of unknown length. Whole numbers and truths are zeros."""
        described = item.type.tensor_type
        sizes = [size.dim_value if size.HasField("dim_value") else 1 for size in described.shape.dim]
        self._check_size(item.name, sizes)
        if described.elem_type not in DTYPES and described.elem_type not in WHOLE:
            raise Refused("{path}: its input {name} holds no numbers", path=self.path, name=_printable(item.name))
        is_real = described.elem_type in DTYPES
        leaf = self._leaf(np.ones(sizes) if is_real else np.zeros(sizes), Leaf("input", item.name))
        if not is_real:
            self.whole[leaf.number] = described.elem_type
        return leaf

    def _check_size(self, name: str, sizes: Sequence[int]) -> None:
        if any(size < 0 for size in sizes) or math.prod(sizes) > MAX_ELEMENTS:
            what = "{path}: {name} would have {count} elements, more than fit"
            raise Refused(what, path=self.path, name=_printable(name), count=math.prod(sizes))

    def _run(self, nodes: Any, scope: _Scope) -> None:
        for node in nodes:
            self.nodes += 1
            self._check_count(self.nodes)
            self._node(node, scope)

    def _check_count(self, count: float) -> None:
        if count > MAX_NODES:
            what = "{path}: its loops take more than {most} operations"
            raise Refused(what, "use a part of the model", path=self.path, most=MAX_NODES)

    def _node(self, node: Any, scope: _Scope) -> None:
        start = len(self.record.tape.calls)
        try:
            inputs = [self._operand(name, scope) for name in node.input]
            results = self._results(node, inputs, self._attributes(node, scope), scope)
        except (Unknown, ShapeError) as error:
            what = "{path}: node {name}: {kind} is not known here in this form: {error}"
            name = _printable(node.name or next(iter(node.output), ""))
            how = {"name": name, "kind": _printable(node.op_type), "error": _printable(str(error))}
            raise Refused(what, path=self.path, **how) from None
        for name, value in zip(node.output, results):
            if scope.is_main and node.op_type in FILLING and value.dtype.kind == "f" and value.ndim:
                value = self._leaf(value, Leaf("constant", name))  # a weight, such as an initializer
            scope.values[name] = value
            if scope.is_main and isinstance(value, Traced) and value.number >= start:
                self.record.hints[value.number] = _hint(name, node, [item.name for item in self.graph.output])

    def _operand(self, name: str, scope: _Scope) -> Any:
        value = scope.values.get(name)
        if name and value is None:
            raise Unknown(f"{name} is not known here")
        return value

    def _attributes(self, node: Any, scope: _Scope) -> dict[str, Any]:
        """A node's attributes by name; in a function some are those of its call."""
        from onnx import helper

        attributes: dict[str, Any] = {}
        for item in node.attribute:
            if item.ref_attr_name:
                if (of_call := (scope.attributes or {}).get(item.ref_attr_name)) is not None:
                    attributes[item.name] = of_call
            else:
                attributes[item.name] = _text(helper.get_attribute_value(item))
        return attributes

    def _results(self, node: Any, inputs: list[Any], attributes: Mapping[str, Any], scope: _Scope) -> list[Any]:
        key = _key(node)
        if key in self.functions:
            return self._call(self.functions[key], inputs, attributes, scope)
        if node.op_type in BRANCHING:
            branching = {"If": self._if, "Loop": self._loop, "Scan": self._scan}[node.op_type]
            return branching(inputs, attributes, scope)
        if node.op_type not in KNOWN:
            return self._call(self._body(node, inputs, attributes, scope), inputs, attributes, scope)
        kinds, start = self._checked_types(node, inputs, attributes, scope), len(self.record.tape.calls)
        if node.op_type == "Shape" and isinstance(inputs[0], Traced):
            inputs = [np.empty(inputs[0].shape, np.int8)]  # of which nothing but the shape is read
        if not any(isinstance(item, Traced) for item in inputs) or node.op_type == "Size":
            return self._plain(node, [plain(item) for item in inputs], attributes, scope)
        if node.op_type in ("Clip", "Pad"):  # numbers that no other value changes are settings
            inputs = [inputs[0], *(self._setting(item) for item in inputs[1:])]
        if node.op_type == "Split":
            attributes = {**attributes, "outputs": len(node.output)}
        if node.op_type == "Div" and all(self._type(item) in WHOLE for item in inputs):
            attributes = {**attributes, "whole": True}
        result = read(node.op_type, [self._number(item) for item in inputs], attributes, scope.opset)
        results = list(result) if isinstance(result, list) else [result]
        return [self._typed(item, kind, start) for item, kind in zip(results, [*kinds, *[0] * len(results)])]

    def _type(self, item: Any) -> int:
        """ONNX's number for the type of a value."""
        from onnx import helper

        if isinstance(item, Traced):
            return self.whole.get(item.number, NUMBERS[self.record.dtype])
        return int(helper.np_dtype_to_tensor_dtype(np.asarray(item).dtype))

    def _typed(self, item: Any, kind: int, start: int) -> Any:
        """A result with the type that it has in ONNX; a value as it was may have another one."""
        if isinstance(item, Traced) and (self.whole.get(item.number, 0) in WHOLE) != (kind in WHOLE):
            item = apply("positive", [item]) if item.number < start else item
            if kind in WHOLE:
                self.whole[item.number] = kind
        return item

    def _setting(self, item: Any) -> Any:
        is_constant = isinstance(item, Traced) and item.number in self.record.leaves
        return plain(item) if is_constant and self.record.leaves[item.number].op == "constant" else item

    def _number(self, item: Any) -> Any:
        """Real numbers in the type of the graph; sizes and places as they are."""
        if isinstance(item, np.ndarray) and item.dtype.kind == "f":
            self._check_kept(item.size)
            return item.astype(self.record.dtype)[()]
        return item

    # --- functions, branches and loops

    def _call(self, function: Any, inputs: Sequence[Any], attributes: Mapping[str, Any], scope: _Scope) -> list[Any]:
        """The results of a function, whose operations are put in place of the call."""
        from onnx import helper

        opset = next((item.version for item in function.opset_import if item.domain in DOMAINS), scope.opset)
        defaults = {item.name: _text(helper.get_attribute_value(item)) for item in function.attribute_proto}
        inner = _Scope(opset, {"": None}, {**defaults, **attributes})
        inner.values.update(zip(function.input, inputs))
        self._run(function.node, inner)
        return [inner.values.get(name) for name in function.output]

    def _body(self, node: Any, inputs: Sequence[Any], attributes: Mapping[str, Any], scope: _Scope) -> Any:
        """How ONNX itself defines an operation by others."""
        from onnx import FunctionProto, TypeProto, helper

        schema = _definition(node.op_type, scope.opset)
        if schema is None:
            raise Unknown("Cadena does not have it")
        if schema.has_function:
            data = schema.function_body.SerializeToString()
        else:
            types = [
                helper.make_tensor_type_proto(self._type(item), np.shape(item)) if name else TypeProto()
                for name, item in zip(node.input, inputs)
            ]
            own = helper.make_node(node.op_type, list(node.input), list(node.output), **attributes)
            version = max(item for item in schema.context_dependent_function_opset_versions if item <= scope.opset)
            data = schema.get_context_dependent_function_with_opset_version(
                version, own.SerializeToString(), [item.SerializeToString() for item in types]
            )
        if not data:
            raise Unknown("Cadena does not have it")
        function = FunctionProto()
        function.ParseFromString(data)
        return function

    def _graph(self, graph: Any, inputs: Sequence[Any], scope: _Scope) -> list[Any]:
        """The results of a graph within a node, which reads the values around it."""
        from onnx import numpy_helper

        inner = scope.inner()
        for tensor in graph.initializer:
            inner.values[tensor.name] = numpy_helper.to_array(tensor)
        inner.values.update({item.name: value for item, value in zip(graph.input, inputs)})
        self._run(graph.node, inner)
        return [self._operand(item.name, inner) for item in graph.output]

    def _if(self, inputs: Sequence[Any], attributes: Mapping[str, Any], scope: _Scope) -> list[Any]:
        """One branch, or an element-wise choice between both where values decide."""
        (condition,) = inputs
        branches = attributes["then_branch"], attributes["else_branch"]
        if not isinstance(condition, Traced):
            return self._graph(branches[0 if np.all(condition) else 1], (), scope)
        results = []
        for pair in zip(*(self._graph(branch, (), scope) for branch in branches)):
            if np.shape(pair[0]) != np.shape(pair[1]):
                raise Unknown("the shape of its result depends on values")
            chosen = apply("where", [np.reshape(condition, []), *map(self._real, pair)])
            results.append(self._typed(chosen, self._type(pair[0]), 0))
        return results

    def _real(self, item: Any) -> Any:
        return item if isinstance(item, Traced) else np.asarray(item).astype(self.record.dtype)

    def _loop(self, inputs: Sequence[Any], attributes: Mapping[str, Any], scope: _Scope) -> list[Any]:
        body, (turns, goes_on, *carried) = attributes["body"], inputs
        if isinstance(turns, Traced) or isinstance(goes_on, Traced):
            raise Unknown("how often it turns depends on values")
        rows: list[list[Any]] = [[] for _ in range(len(body.output) - 1 - len(carried))]
        goes_on, turn, most = True if goes_on is None else goes_on, 0, math.inf if turns is None else int(np.sum(turns))
        if np.all(goes_on) and _keeps_its_condition(body):
            self._check_count(self.nodes + most * len(body.node))
        while turn < most and np.all(goes_on):
            goes_on, *results = self._graph(body, [np.int64(turn), np.asarray(goes_on), *carried], scope)
            if isinstance(goes_on, Traced):
                raise Unknown("how often it turns depends on values")
            carried, turn = results[: len(carried)], turn + 1
            for row, item in zip(rows, results[len(carried) :]):
                row.append(item)
        return [*carried, *(self._stacked(row, 0) for row in rows)]

    def _scan(self, inputs: Sequence[Any], attributes: Mapping[str, Any], scope: _Scope) -> list[Any]:
        body, count = attributes["body"], int(attributes["num_scan_inputs"])
        if scope.opset < 9:
            raise Unknown("Scan is known here from opset 9 on")
        carried, each = list(inputs[:-count]), inputs[-count:]
        axes = attributes.get("scan_input_axes") or [0] * count
        backwards = attributes.get("scan_input_directions") or [0] * count
        rows: list[list[Any]] = [[] for _ in range(len(body.output) - len(carried))]
        length = np.shape(each[0])[axes[0]]
        for turn in range(length):
            taken = [item[(*(slice(None),) * (axis % np.ndim(item)), length - 1 - turn if back else turn)]
                     for item, axis, back in zip(each, axes, backwards)]  # fmt: skip
            results = self._graph(body, [*carried, *taken], scope)
            carried = results[: len(carried)]
            for row, item in zip(rows, results[len(carried) :]):
                row.append(item)
        out_axes = attributes.get("scan_output_axes") or [0] * len(rows)
        turned = attributes.get("scan_output_directions") or [0] * len(rows)
        return [*carried, *(self._stacked(row[::-1] if back else row, axis)
                            for row, axis, back in zip(rows, out_axes, turned))]  # fmt: skip

    def _stacked(self, rows: Sequence[Any], axis: int) -> Any:
        if not rows:
            raise Unknown("it does not turn at all")
        if any(isinstance(item, Traced) for item in rows):
            return apply("stack", [self._real(item) for item in rows], {"axis": axis})
        return np.stack(rows, axis)

    # --- sizes, and what no traced value decides

    def _checked_types(self, node: Any, inputs: Sequence[Any], attributes: Mapping[str, Any],
                       scope: _Scope) -> list[int]:  # fmt: skip
        """The types of the results. Raises Refused for more elements than fit, before they are computed."""
        from onnx import shape_inference

        known = {name: np.asarray(item) for name, item in zip(node.input, inputs)
                 if name and item is not None and not isinstance(item, Traced)
                 and np.size(item) <= MAX_KNOWN}  # fmt: skip
        model = self._alone(node, inputs, attributes, scope, known)
        are_small = all(np.size(item) <= MAX_KNOWN for item in inputs if item is not None)  # numbers are carried too
        try:
            inferred = shape_inference.infer_shapes(model, data_prop=are_small).graph.output
        except Exception as error:  # whatever onnx makes of a node that does not fit its inputs
            raise Unknown(str(error).strip().partition("\n")[0]) from None
        for item in inferred:
            described = item.type.tensor_type
            if described.HasField("shape") and all(size.HasField("dim_value") for size in described.shape.dim):
                sizes = [size.dim_value for size in described.shape.dim]
                self._check_size(item.name, sizes)
                self.elements += math.prod(sizes)
        if self.elements > MAX_TOTAL:
            what = "{path}: its results would have more than {most} elements in all, from {name} on"
            name = _printable(node.name or node.output[0])
            raise Refused(what, "use a smaller model", path=self.path, most=MAX_TOTAL, name=name)
        types = {item.name: item.type.tensor_type.elem_type for item in inferred}
        return [types.get(name, 0) for name in node.output]

    def _alone(self, node: Any, inputs: Sequence[Any], attributes: Mapping[str, Any], scope: _Scope,
               known: Mapping[str, Any]) -> Any:  # fmt: skip
        """A model of this node."""
        from onnx import helper, numpy_helper

        described = {}
        for name, item in zip(node.input, inputs):
            if name:
                described[name] = helper.make_tensor_value_info(name, self._type(item), list(np.shape(item)))
        own = helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain, **attributes)
        graph = helper.make_graph(
            [own],
            "one",
            [item for name, item in described.items() if name not in known],
            [helper.make_empty_tensor_value_info(name) for name in node.output if name],
            [numpy_helper.from_array(item, name) for name, item in known.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", scope.opset)], ir_version=10)

    def _plain(self, node: Any, inputs: list[Any], attributes: Mapping[str, Any], scope: _Scope) -> list[Any]:
        """What depends on no traced value, computed by onnx's own reference."""
        from onnx.reference import ReferenceEvaluator

        try:
            model = self._alone(node, inputs, attributes, scope, {})
            feeds = {name: np.asarray(item) for name, item in zip(node.input, inputs) if name}
            return list(ReferenceEvaluator(model).run(None, feeds))
        except Exception as error:  # whatever onnx makes of a node that does not fit its inputs
            raise Unknown(str(error).strip().partition("\n")[0]) from None


def _keeps_its_condition(body: Any) -> bool:
    """Whether a loop goes on as its condition was at first, so that its turns can be counted before it runs."""
    sources = {node.output[0]: node.input[0] for node in body.node if node.op_type == "Identity"}
    name = body.output[0].name
    for _ in sources:
        name = sources.get(name, name)
    return len(body.input) > 1 and name == body.input[1].name


def _text(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _hint(name: str, node: Any, outputs: Sequence[str]) -> str:
    """A name for a result: its own where a person gave it, else that of the node."""
    generated = re.search(r"(^|_)(output|val|t)?_?\d+$|/|:", name)
    if name in outputs or not generated or not node.name:
        return name
    return str(node.name).strip("/")
