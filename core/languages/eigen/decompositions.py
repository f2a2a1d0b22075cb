"""Eigenvalues, singular values and pseudoinverses in C++: Eigen decomposes the values, the derivatives follow."""

CODE = """
// The numbers of an n by m array; with a place, their derivatives by the wanted number there.
Matrix as_matrix(const Array& x, int n, int m, int place = -1) {
    Matrix y(n, m);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) y(i, j) = place < 0 ? x[i * m + j].value() : x[i * m + j].derivatives()[place];
    return y;
}


// The elements of a matrix, and of its derivatives by the wanted numbers.
Array from_matrix(const Matrix& y, const std::function<Matrix(int)>& derivative) {
    Array found(y.size());
    const int m = y.cols();
    for (int i = 0; i < y.size(); ++i) found[i] = number(y(i / m, i % m));
    for (int place = 0; place < size; ++place) {
        const Matrix part = derivative(place);
        for (int i = 0; i < y.size(); ++i) found[i].derivatives()[place] = part(i / m, i % m);
    }
    return found;
}


// 1 over the difference of the values of column and row, or of their squares.
Matrix per_difference(const Matrix& s, bool squared) {
    Matrix y = Matrix::Zero(s.rows(), s.rows());
    for (int i = 0; i < s.rows(); ++i)
        for (int j = 0; j < s.rows(); ++j)
            if (i != j) y(i, j) = 1 / ((s(j, 0) - s(i, 0)) * (squared ? s(j, 0) + s(i, 0) : 1));
    return y;
}


// Of a matrix that has eigenvalues both triangles count alike.
Matrix symmetric_part(const Matrix& x) { return (x + x.transpose()) / 2; }


Array eigenvalues(const Array& x, int n) {
    const Eigen::SelfAdjointEigenSolver<Matrix> found(symmetric_part(as_matrix(x, n, n)));
    const Matrix v = found.eigenvectors();
    return from_matrix(found.eigenvalues(), [&](int place) {
        return Matrix((v.transpose() * as_matrix(x, n, n, place) * v).diagonal());
    });
}


Array eigenvectors(const Array& x, int n) {
    const Eigen::SelfAdjointEigenSolver<Matrix> found(symmetric_part(as_matrix(x, n, n)));
    const Matrix v = found.eigenvectors(), per = per_difference(found.eigenvalues(), false);
    return from_matrix(v, [&](int place) {
        const Matrix t = as_matrix(x, n, n, place), inner = v.transpose() * symmetric_part(t) * v;
        return Matrix(v * per.cwiseProduct(inner));
    });
}


// The derivative of u where u s v^T moves by t; that of v is the same for the transposed matrix.
Matrix moved_left(const Matrix& t, const Matrix& u, const Matrix& s, const Matrix& v) {
    const Matrix carried = t * v, inner = u.transpose() * carried * s.asDiagonal();
    const Matrix moved = u * per_difference(s, true).cwiseProduct(inner + inner.transpose());
    if (u.rows() == u.cols()) return moved;
    return moved + (carried - u * (u.transpose() * carried)) * s.cwiseInverse().asDiagonal();
}


// One of u, s and v^T, whose product an n by m matrix is.
Array svd_factor(const Array& x, int n, int m, int part) {
    const Eigen::JacobiSVD<Matrix> found(as_matrix(x, n, m), Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Matrix u = found.matrixU(), s = found.singularValues(), v = found.matrixV();
    return from_matrix(part == 0 ? u : part == 1 ? s : Matrix(v.transpose()), [&](int place) {
        const Matrix t = as_matrix(x, n, m, place);
        if (part == 0) return moved_left(t, u, s, v);
        if (part == 1) return Matrix((u.transpose() * t * v).diagonal());
        return Matrix(moved_left(t.transpose(), v, s, u).transpose());
    });
}


// The pseudoinverse; singular values below a part of the largest count as 0.
Array pseudoinverse(const Array& x, int n, int m, Scalar part) {
    const Matrix a = as_matrix(x, n, m);
    const Eigen::JacobiSVD<Matrix> found(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
    Matrix s = found.singularValues();
    const Scalar least = part * s.maxCoeff();
    for (int i = 0; i < s.size(); ++i) s(i, 0) = s(i, 0) > least ? 1 / s(i, 0) : 0;
    const Matrix y = found.matrixV() * s.asDiagonal() * found.matrixU().transpose(), back = y.transpose();
    const Matrix unreached = Matrix::Identity(n, n) - a * y, lost = Matrix::Identity(m, m) - y * a;
    return from_matrix(y, [&](int place) {
        const Matrix t = as_matrix(x, n, m, place), turned = t.transpose();
        return Matrix(y * back * turned * unreached + lost * turned * back * y - y * t * y);
    });
}
"""
