"""What Eigen's AutoDiff lacks, written where a program needs it: two empty lines between one helper and the next."""

CODE = """
Scalar signum(Scalar x) { return std::isnan(x) ? x : Scalar((x > 0) - (x < 0)); }


Scalar larger(Scalar a, Scalar b) { return a > b || std::isnan(a) ? a : b; }


Scalar smaller(Scalar a, Scalar b) { return a < b || std::isnan(a) ? a : b; }


Scalar modulo(Scalar a, Scalar b) {
    const Scalar rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : std::copysign(rest, b);
}


Scalar floored(Scalar a, Scalar b) {
    const Scalar times = (a - modulo(a, b)) / b;
    return std::floor(times) + (times - std::floor(times) > Scalar(0.5) ? 1 : 0);
}


// Hurwitz's zeta function by the summation of Euler and Maclaurin.
Scalar zeta_value(Scalar s, Scalar q) {
    double sum = 0, a = q;
    for (int n = 0; n < 12; ++n, a += 1) sum += std::pow(a, -double(s));
    sum += std::pow(a, 1 - double(s)) / (s - 1) + std::pow(a, -double(s)) / 2;
    const double bernoulli[] = {1. / 6, -1. / 30, 1. / 42, -1. / 30, 5. / 66, -691. / 2730, 7. / 6, -3617. / 510};
    double factor = s, power = std::pow(a, -double(s) - 1), faculty = 2;
    for (int k = 0; k < 8; ++k) {
        sum += bernoulli[k] * factor * power / faculty;
        factor *= (s + 2 * k + 1) * (s + 2 * k + 2);
        faculty *= (2 * k + 3) * (2 * k + 4);
        power /= a * a;
    }
    return sum;
}


Scalar digamma_value(Scalar x) {
    double a = x, sum = 0;
    if (a <= 0 && a == std::floor(a)) return a == 0 ? -INFINITY : NAN;
    if (a < 0) return digamma_value(1 - x) - M_PI / std::tan(M_PI * a);
    for (; a < 12; a += 1) sum -= 1 / a;
    const double terms[] = {1. / 12, -1. / 120, 1. / 252, -1. / 240, 1. / 132, -691. / 32760, 1. / 12};
    double power = 1 / (a * a);
    for (const double term : terms) sum -= term * power, power /= a * a;
    return sum + std::log(a) - 1 / (2 * a);
}


Array each(const std::function<T(const T&)>& f, const Array& x) {
    Array y(x.size());
    for (int i = 0; i < x.size(); ++i) y[i] = f(x[i]);
    return y;
}

Array each(const std::function<T(const T&, const T&)>& f, const Array& a, const Array& b) {
    Array y(a.size());
    for (int i = 0; i < a.size(); ++i) y[i] = f(a[i], b[i]);
    return y;
}

Array each(const std::function<T(const T&, const T&, const T&)>& f, const Array& a, const Array& b, const Array& c) {
    Array y(a.size());
    for (int i = 0; i < a.size(); ++i) y[i] = f(a[i], b[i], c[i]);
    return y;
}


Numbers read(std::istream& data, size_t count) {
    Numbers found(count);
    data.read(reinterpret_cast<char*>(found.data()), count * sizeof(Scalar));
    if (!data) std::cerr << "the file with the large arrays is missing or too short\\n", std::exit(1);
    return found;
}


// Of equal elements the first.
T first_largest_of(const Line& x) {
    return *std::max_element(x.begin(), x.end(), [](const T& a, const T& b) { return a.value() < b.value(); });
}


T place_of(const Line& x) {
    size_t best = 0;
    for (size_t i = 1; i < x.size(); ++i)
        if (x[i].value() > x[best].value()) best = i;
    return number(best);
}


T place_of_least(const Line& x) {
    size_t best = 0;
    for (size_t i = 1; i < x.size(); ++i)
        if (x[i].value() < x[best].value()) best = i;
    return number(best);
}


Line places_of(const Line& x) {
    std::vector<size_t> order(x.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) { return x[i].value() < x[j].value(); });
    Line places;
    for (size_t place : order) places.push_back(number(place));
    return places;
}


// The logarithm of the magnitude.
T logarithm(const T& x) { return T(std::log(std::abs(x.value())), x.derivatives() / x.value()); }


Array single(const T& x) { return Array::Constant(1, x); }


// x repeated along the axes in which its shape is 1 and the other is not.
Array spread(const Array& x, const Places& from, const Places& to) {
    int count = 1;
    for (const int extent : to) count *= extent;
    Array y(count);
    for (int i = 0; i < count; ++i) {
        int rest = i, place = 0, step = 1;
        for (int axis = to.size() - 1; axis >= 0; --axis) {
            const int own = axis - int(to.size() - from.size());
            if (own >= 0 && from[own] != 1) place += rest % to[axis] * step;
            if (own >= 0) step *= from[own];
            rest /= to[axis];
        }
        y[i] = x[place];
    }
    return y;
}


Array joined(const std::vector<Array>& parts) {
    int count = 0, next = 0;
    for (const Array& part : parts) count += part.size();
    Array y(count);
    for (const Array& part : parts)
        for (const T& element : part) y[next++] = element;
    return y;
}


// The elements at these places; -1 is a place with another number.
Array take(const Array& x, const Places& places, Scalar other = 0) {
    Array y(places.size());
    for (size_t i = 0; i < places.size(); ++i) y[i] = places[i] < 0 ? number(other) : x[places[i]];
    return y;
}


// Sums of weighted products: a term is its row, the place in each operand, and its weight.
struct Term {
    int row;
    Places places;
    Scalar weight;
};

Array sums(int rows, const std::vector<Array>& operands, const std::vector<Term>& terms) {
    Array y(rows);
    for (T& element : y) element = number(0);
    for (const Term& term : terms) {
        T product = number(term.weight);
        for (size_t i = 0; i < operands.size(); ++i) product = T(product * operands[i][term.places[i]]);
        y[term.row] += product;
    }
    return y;
}


Array matmul(const Array& a, const Array& b, int n, int k, int m) {
    using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Matrix y = Eigen::Map<const Matrix>(a.data(), n, k).lazyProduct(Eigen::Map<const Matrix>(b.data(), k, m));
    return Eigen::Map<const Array>(y.data(), n * m);
}


Array transposed(const Array& x, int rows, int columns) {
    Array y(x.size());
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) y[j * rows + i] = x[i * columns + j];
    return y;
}


// One number of each line of elements.
Array along(const Array& x, const std::vector<Places>& lines, const std::function<T(const Line&)>& f) {
    Array y(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
        Line line;
        for (const int place : lines[i]) line.push_back(x[place]);
        y[i] = f(line);
    }
    return y;
}


// Each line of elements changed as a whole.
Array by_lines(const Array& x, const std::vector<Places>& places, const std::function<Line(const Line&)>& f) {
    Array y(x.size());
    for (const Places& one : places) {
        Line line;
        for (const int place : one) line.push_back(x[place]);
        line = f(line);
        for (size_t i = 0; i < one.size(); ++i) y[one[i]] = line[i];
    }
    return y;
}


T sum_of(const Line& x) {
    T y = number(0);
    for (const T& one : x) y += one;
    return y;
}


T mean_of(const Line& x) { return T(sum_of(x) / Scalar(x.size())); }


T product_of(const Line& x) {
    T y = number(1);
    for (const T& one : x) y = T(y * one);
    return y;
}


Line products_of(const Line& x) {
    Line y;
    for (const T& one : x) y.push_back(y.empty() ? one : T(y.back() * one));
    return y;
}


// The largest element times `way`, 1 or -1; equal ones share its derivatives.
T extreme_of(const Line& x, Scalar way) {
    Scalar best = x[0].value();
    for (const T& one : x) best = std::isnan(best) || one.value() * way <= best * way ? best : one.value();
    Line equal;
    for (const T& one : x)
        if (one.value() == best) equal.push_back(one);
    return equal.empty() ? number(best) : T(best, mean_of(equal).derivatives());
}


Line sorted_of(Line x) {
    std::stable_sort(x.begin(), x.end(), [](const T& a, const T& b) { return a.value() < b.value(); });
    return x;
}


T median_of(const Line& x) {
    const Line y = sorted_of(x);
    return mean_of({y[(y.size() - 1) / 2], y[y.size() / 2]});
}


T variance_of(const Line& x, Scalar ddof) {
    const T mean = mean_of(x);
    T y = number(0);
    for (const T& one : x) {
        const T distance = one - mean;
        y += T(distance * distance);
    }
    return T(y / Scalar(x.size() - ddof));
}


// The square root; at 0 the slope counts as 0.
T root(const T& x) { return x.value() == 0 ? number(0) : T(sqrt(x)); }


T logsumexp_of(const Line& x) {
    Scalar most = -INFINITY;
    for (const T& one : x) most = std::max(most, one.value());
    T y = number(0);
    for (const T& one : x) {
        const T below = one - most;
        y += T(exp(below));
    }
    const T found = log(y);
    return found + most;
}


Line log_softmax_of(Line x) {
    const T all = logsumexp_of(x);
    for (T& one : x) one = T(one - all);
    return x;
}


Line softmax_of(Line x) {
    x = log_softmax_of(x);
    for (T& one : x) one = T(exp(one));
    return x;
}


Line normalized_of(Line x, Scalar eps) {
    const T mean = mean_of(x), variance = variance_of(x, 0);
    const T shifted = variance + eps;
    const T scale = sqrt(shifted);
    for (T& one : x) {
        const T distance = one - mean;
        one = T(distance / scale);
    }
    return x;
}


T norm_of(const Line& x, Scalar order) {
    Scalar sum = 0;
    for (const T& one : x) sum += std::pow(std::abs(one.value()), order);
    const Scalar length = std::pow(sum, 1 / order);
    T y = number(0);
    if (length != 0)
        for (const T& one : x) {
            const Scalar part = std::abs(one.value()) / length;
            y.derivatives() += std::copysign(std::pow(part, order - 1), one.value()) * one.derivatives();
        }
    y.value() = length;
    return y;
}


// The element that the last one, a whole number, says the place of.
T chosen_of(const Line& x) {
    const int count = x.size() - 1, place = std::lround(x.back().value());
    return x[place < 0 ? place + count : place];
}


// The first elements of a line with values put at, or added to, the places among them.
Line put_of(const Line& x, size_t size, size_t count, bool accumulate) {
    Line y = x;
    for (size_t i = size; i < size + count; ++i) {
        const int place = std::lround(x[i].value());
        T& one = y[place < 0 ? place + size : place];
        one = accumulate ? T(one + x[i + count]) : x[i + count];
    }
    return y;
}


// Minus the element that the last one says the place of; 0 for a class that does not count.
T class_loss_of(const Line& x, Scalar ignored) {
    return x.back().value() == ignored ? number(0) : T(-chosen_of(x));
}


// Minus the sum of the products of the first half and the second.
T soft_loss_of(const Line& x) {
    const size_t count = x.size() / 2;
    T y = number(0);
    for (size_t i = 0; i < count; ++i) y -= T(x[i] * x[count + i]);
    return y;
}


Scalar counted(const Array& classes, Scalar ignored) {
    Scalar count = 0;
    for (const T& one : classes) count += one.value() != ignored;
    return count;
}


T largest_of(const Line& x) {
    T y = number(0);
    for (const T& one : x) y.value() = std::max(y.value(), std::abs(one.value()));
    Line equal;
    for (const T& one : x)
        if (std::abs(one.value()) == y.value() && one.value() != 0) equal.push_back(one.value() < 0 ? T(-one) : one);
    return equal.empty() ? y : mean_of(equal);
}


// A value with derivatives of our own making: for each operand its slope.
T with_gradient(const T& y, const std::vector<std::pair<T, T>>& slopes) {
    T found = number(y.value());
    for (const auto& [slope, x] : slopes) found.derivatives() += slope.value() * x.derivatives();
    return found;
}
"""
