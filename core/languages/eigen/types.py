"""What every program with Eigen's AutoDiff begins with: its numbers and arrays, and how they are printed."""

import re

from cadena.core.languages.eigen import decompositions as eigen_decompositions
from cadena.core.languages.eigen import helpers as eigen_helpers
from cadena.core.languages.eigen import matrices as eigen_matrices

HEAD = """
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>
"""

# What only decompositions need, and takes the compiler a second.
DECOMPOSITIONS = """
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
"""

TYPES = """
using Derivatives = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
using T = Eigen::AutoDiffScalar<Derivatives>;  // a value, and its derivatives by all wanted numbers
using Array = Eigen::Array<T, Eigen::Dynamic, 1>;  // the elements of an array of any shape, row by row
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
using Numbers = std::vector<Scalar>;
using Places = std::vector<int>;
using Line = std::vector<T>;  // some elements of an array, one after the other

T number(Scalar value) { return T(value, Derivatives::Zero(size)); }

T variable(Scalar value, int place) { return T(value, size, place); }

Array numbers(const Numbers& values) {
    Array y(values.size());
    for (size_t i = 0; i < values.size(); ++i) y[i] = number(values[i]);
    return y;
}

Array variables(const Numbers& values, int place) {
    Array y(values.size());
    for (size_t i = 0; i < values.size(); ++i) y[i] = variable(values[i], place + i);
    return y;
}

std::string text(Scalar value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    char digits[64];
    std::string found(digits, std::to_chars(digits, digits + 64, value).ptr);
    return found.find_first_of(".e") == std::string::npos ? found + ".0" : found;
}

std::string listed(const Numbers& values, const Places& shape, size_t axis, size_t& next) {
    if (axis == shape.size()) return text(values[next++]);
    std::string found = "[";
    for (int i = 0; i < shape[axis]; ++i) found += (i ? ", " : "") + listed(values, shape, axis + 1, next);
    return found + "]";
}

void print(const std::string& label, const Numbers& values, const Places& shape) {
    size_t next = 0;
    std::cout << label << " = " << listed(values, shape, 0, next) << "\\n";
}

Numbers values(const T& x) { return {x.value()}; }

Numbers values(const Array& x) {
    Numbers found;
    for (const T& one : x) found.push_back(one.value());
    return found;
}

Numbers gradient(const T& y, int place, int count) {
    if (!y.derivatives().size()) return Numbers(count, 0);  // the sum of nothing
    const Derivatives part = y.derivatives().segment(place, count);
    return Numbers(part.data(), part.data() + count);
}
"""

NAME = re.compile(r"^(?:Scalar|T|Array|Line|Numbers|Matrix) (\w+)\(", re.MULTILINE)


def _named(code: str) -> tuple[str, str]:
    heading = NAME.search(code)
    assert heading is not None, code
    return heading[1], code


CODES = (eigen_helpers.CODE, eigen_matrices.CODE, eigen_decompositions.CODE)
HELPERS: dict[str, str] = {name: text for code in CODES for name, text in map(_named, code.strip().split("\n\n\n"))}
