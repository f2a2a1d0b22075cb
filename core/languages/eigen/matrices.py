"""Functions of matrices in C++, each element with its derivatives."""

CODE = """
// The solution of a x = b by elimination with pivots: a is n by n, b n by m.
Array solved(Array a, Array b, int n, int m) {
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k; i < n; ++i)
            if (std::abs(a[i * n + k].value()) > std::abs(a[pivot * n + k].value())) pivot = i;
        for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
        for (int j = 0; j < m; ++j) std::swap(b[k * m + j], b[pivot * m + j]);
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            const T factor = a[i * n + k] / a[k * n + k];
            for (int j = 0; j < n; ++j) a[i * n + j] -= T(factor * a[k * n + j]);
            for (int j = 0; j < m; ++j) b[i * m + j] -= T(factor * b[k * m + j]);
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) b[i * m + j] = T(b[i * m + j] / a[i * n + i]);
    return b;
}


// The lower triangle y with y times its transpose = a; of a, which is symmetric, both halves count alike.
Array lower_factor(const Array& a, int n) {
    Array y = Array::Constant(n * n, number(0));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            T rest = T((a[i * n + j] + a[j * n + i]) / Scalar(2));
            for (int k = 0; k < j; ++k) rest -= T(y[i * n + k] * y[j * n + k]);
            y[i * n + j] = i == j ? T(sqrt(rest)) : T(rest / y[j * n + j]);
        }
    return y;
}


T determinant(const Array& a, int n) {
    if (n == 1) return a[0];
    T y = number(0);
    for (int column = 0; column < n; ++column) {
        Places rest;
        for (int i = 1; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (j != column) rest.push_back(i * n + j);
        const T minor = determinant(take(a, rest), n - 1);
        const T part = a[column] * minor;
        y = column % 2 ? T(y - part) : T(y + part);
    }
    return y;
}
"""
