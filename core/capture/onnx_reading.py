"""Read an ONNX model as a document. The file is data: nothing in it is run, no file outside of its folder is read."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cadena.core.capture.onnx_operations import KNOWN, PLAIN, read
from cadena.core.capture.record import Leaf, Record, Unknown
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import MAX_ELEMENTS, ShapeError
from cadena.core.storage.files import MAX_BYTES, contents
from cadena.core.tracing.traced import Traced, plain

DTYPES = {1: "float32", 10: "float16", 11: "float64"}  # by ONNX's numbers for types
NO_REAL_TYPES = {14: "complex64", 15: "complex128", 16: "bfloat16", 17: "float8", 18: "float8", 19: "float8"}
GROWING = ("ConstantOfShape", "Range", "Expand", "Tile", "OneHot", "EyeLike")
DOMAINS = ("", "ai.onnx")


def read_model(path: str | os.PathLike[str]) -> Document:
    """The graph of a model: its initializers are parameters with their names, its inputs hold ones."""
    model = _model(Path(path))
    _check_operations(model, path)
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
    if model.functions:
        from onnx.inliner import inline_local_functions

        model = inline_local_functions(model)
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


def _check_operations(model: Any, path: str | os.PathLike[str]) -> None:
    """Raise Refused for all operations at once that are not known, then for a model that is none."""
    import onnx

    kinds = {node.op_type if node.domain in DOMAINS else f"{node.domain}.{node.op_type}" for node in model.graph.node}
    if unknown := sorted(kinds - KNOWN):
        what = "{path}: operations that Cadena does not have: {unknown}"
        raise Refused(what, "export the part of the model without them", path=path, unknown=", ".join(unknown))
    for item in model.graph.output:
        item.type.tensor_type.shape.SetInParent()  # the checker asks for it, and nobody reads it
    try:
        onnx.checker.check_model(model)
    except (onnx.checker.ValidationError, ValueError) as error:
        first = str(error).strip().split("\n")[0]
        raise Refused("{path}: this is no valid ONNX model: {first}", path=path, first=first) from None


class _Reading:
    """The values of a model's graph by name: traced ones, and plain arrays of sizes and places."""

    def __init__(self, model: Any, path: str | os.PathLike[str]) -> None:
        self.graph, self.path = model.graph, path
        self.opset = max((item.version for item in model.opset_import if item.domain in DOMAINS), default=1)
        self.values: dict[str, Any] = {"": None}
        types = [item.data_type for item in self.graph.initializer]
        types += [item.type.tensor_type.elem_type for item in self.graph.input]
        if strange := [NO_REAL_TYPES[kind] for kind in types if kind in NO_REAL_TYPES]:
            what = "{path}: it holds numbers of the type {kind}, which no document has"
            raise Refused(what, "export it in float32", path=path, kind=strange[0])
        real = [DTYPES[kind] for kind in types if kind in DTYPES]
        self.record = Record(max(real, key=lambda name: int(name[5:]), default="float32"))

    def document(self) -> Document:
        self._leaves()
        for node in self.graph.node:
            self._node(node)
        names = [item.name for item in self.graph.output]
        outputs = [self.values[name] for name in names if isinstance(self.values.get(name), Traced)]
        if not outputs:
            raise Refused("{path}: no output of the model depends on its parameters or inputs", path=self.path)
        nodes, called = self.record.nodes(outputs)
        title = self.graph.name if self.graph.name.isprintable() else ""
        return Document(nodes, output=called[outputs[0].number], title=title, dtype=self.record.dtype)

    def _leaves(self) -> None:
        from onnx import numpy_helper

        statistics = {
            name for node in self.graph.node if node.op_type == "BatchNormalization" for name in node.input[3:]
        }
        for tensor in self.graph.initializer:
            self._check_size(tensor.name, tensor.dims)
            array = numpy_helper.to_array(tensor)
            if array.dtype.kind == "f":
                kind = "constant" if tensor.name in statistics or not array.ndim else "parameter"
                self.values[tensor.name] = self.record.leaf(array, Leaf(kind, tensor.name))
            else:
                self.values[tensor.name] = array
        for item in self.graph.input:
            if item.name not in self.values:
                self.values[item.name] = self._input(item)

    def _input(self, item: Any) -> Any:
        """An input: ones, of length 1 along an axis of unknown length. Places are zeros."""
        described = item.type.tensor_type
        sizes = [size.dim_value if size.HasField("dim_value") else 1 for size in described.shape.dim]
        self._check_size(item.name, sizes)
        if described.elem_type in DTYPES:
            return self.record.leaf(np.ones(sizes), Leaf("input", item.name))
        return np.zeros(sizes, np.int64)

    def _check_size(self, name: str, sizes: Sequence[int]) -> None:
        if any(size < 0 for size in sizes) or math.prod(sizes) > MAX_ELEMENTS:
            what = "{path}: {name} would have {count} elements, more than fit"
            raise Refused(what, path=self.path, name=name, count=math.prod(sizes))

    def _node(self, node: Any) -> None:
        from onnx import helper

        inputs = [self.values.get(name) for name in node.input]
        attributes = {item.name: _text(helper.get_attribute_value(item)) for item in node.attribute}
        start = len(self.record.tape.calls)
        try:
            results = self._results(node, inputs, attributes)
        except (Unknown, ShapeError) as error:
            what = "{path}: node {name}: {kind} is not known here in this form: {error}"
            name = node.name or node.output[0]
            raise Refused(what, path=self.path, name=name, kind=node.op_type, error=error) from None
        for name, value in zip(node.output, results):
            self.values[name] = value
            if isinstance(value, Traced) and value.number >= start:
                self.record.hints[value.number] = _hint(name, node, [item.name for item in self.graph.output])

    def _results(self, node: Any, inputs: list[Any], attributes: Mapping[str, Any]) -> list[Any]:
        if node.op_type == "Shape" and isinstance(inputs[0], Traced):
            inputs = [np.empty(inputs[0].shape, np.int8)]  # of which nothing but the shape is read
        traced = any(isinstance(item, Traced) for item in inputs)
        if not traced or node.op_type == "Size":
            return self._plain(node, [plain(item) for item in inputs], attributes)
        if node.op_type in PLAIN - {"Cast"} or (node.op_type == "Cast" and attributes["to"] not in DTYPES):
            raise Unknown("it would turn values that change into truths, places or whole numbers")
        if node.op_type == "Split":
            attributes = {**attributes, "outputs": len(node.output)}
        result = read(node.op_type, [self._number(item) for item in inputs], attributes, self.opset)
        return list(result) if isinstance(result, list) else [result]

    def _number(self, item: Any) -> Any:
        """Real numbers in the type of the graph; sizes and places as they are."""
        if isinstance(item, np.ndarray) and item.dtype.kind == "f":
            return item.astype(self.record.dtype)[()]
        return item

    def _plain(self, node: Any, inputs: list[Any], attributes: Mapping[str, Any]) -> list[Any]:
        """What depends on no traced value, computed by onnx's own reference."""
        from onnx import helper
        from onnx.reference import ReferenceEvaluator

        if node.op_type in GROWING:
            self._check_growth(node, inputs)
        if any(item.HasField("g") for item in node.attribute):
            raise Unknown("it holds a graph of its own")
        graph = helper.make_graph(
            [node],
            "plain",
            [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.asarray(item).dtype), None)
             for name, item in zip(node.input, inputs) if name],
            [helper.make_empty_tensor_value_info(name) for name in node.output if name],
        )  # fmt: skip
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)])
        try:
            feeds = {name: np.asarray(item) for name, item in zip(node.input, inputs) if name}
            return list(ReferenceEvaluator(model).run(None, feeds))
        except (TypeError, ValueError, IndexError, RuntimeError, NotImplementedError) as error:
            raise Unknown(str(error)) from None

    def _check_growth(self, node: Any, inputs: list[Any]) -> None:
        """Raise Refused for sizes in the file that ask for more memory than an array may have."""
        kind, operands = node.op_type, [np.ravel(np.asarray(item)).astype(float) for item in inputs if item is not None]
        count = float(np.prod(operands[-1])) if kind != "Range" else 0.0
        if kind == "Range":
            count = abs((operands[1][0] - operands[0][0]) / (operands[2][0] or 1.0))
        elif kind in ("Tile", "Expand"):
            count *= operands[0].size
        elif kind == "OneHot":
            count = operands[0].size * operands[1][0]
        elif kind == "EyeLike":
            count = operands[0].size
        if not count <= MAX_ELEMENTS:
            self._check_size(node.name or node.output[0], [int(min(count, 2.0**62))])


def _text(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _hint(name: str, node: Any, outputs: Sequence[str]) -> str:
    """A name for a result: its own where a person gave it, else that of the node."""
    generated = re.search(r"(^|_)(output|val|t)?_?\d+$|/|:", name)
    if name in outputs or not generated or not node.name:
        return name
    return str(node.name).strip("/")
