"""Programs over arrays, compiled and interpreted."""

import numpy as np
import pytest
from arrays import matrices, vectors
from differential import check

LAYOUTS = ["C", "strided", "reversed", "readonly"]
MATRIX_LAYOUTS = ["C", "F", "strided", "reversed", "transposed"]
DTYPES = ["i1", "u1", "i4", "u4", "i8", "u8", "f4", "f8"]


# Sums by loops


def sum_2d(matrix):
    total = 0.0
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            total += matrix[i, j]
    return total


def sum_columns_first(m):
    rows, columns = m.shape
    acc = 0.0
    for c in range(columns):
        for r in range(rows):
            acc = acc + m[r, c]
    return acc


def sum_from_behind(grid):
    result = 0.0
    for i in range(1, len(grid) + 1):
        for j in range(1, grid.shape[1] + 1):
            result += grid[-i][-j]
    return result


def sum_diagonal(a):
    total = 0.0
    for k in range(min(a.shape[0], a.shape[1])):
        total += a[k, k] * 2
    return total


def count_large(a):
    count = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 20:
                count += 1
    return count


@pytest.mark.parametrize("layout", MATRIX_LAYOUTS)
@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "u1"])
@pytest.mark.parametrize("function", [sum_2d, sum_columns_first, sum_from_behind, sum_diagonal, count_large])
def test_loops_over_matrices(function, dtype, layout):
    check(function, *[(matrices(shape, dtype)[layout],) for shape in ((4, 5), (1, 3), (0, 2))], rtol=1e-12)


def sum_elements(xs):
    total = 0.0
    for x in xs:
        total += x
    return total


def maximum_position(values):
    best = 0
    for i in range(1, values.size):
        if values[i] > values[best]:
            best = i
    return best, values.ndim


def running(values):
    out = np.empty(len(values))
    total = 0.0
    for i in range(len(values)):
        total += values[i]
        out[i] = total
    return out


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [sum_elements, maximum_position, running])
def test_loops_over_vectors(function, dtype, layout):
    check(function, (vectors(11, dtype)[layout],), (vectors(1, dtype)[layout],), rtol=1e-12)


def test_other_ranks_and_truth_values():
    def total(a):
        result = 0
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                for k in range(a.shape[2]):
                    result += int(a[i, j, k])
        return result

    cube = np.arange(24).reshape(2, 3, 4) * 7 % 10
    check(total, (cube,), (cube.T,), (cube[:, ::-1],), (cube > 4,))


# In place


def bubble_sort(x):
    n = len(x)
    for end in range(n, 1, -1):
        for i in range(end - 1):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[i]


def bubble_sort_with_flag(values):
    swapped = True
    while swapped:
        swapped = False
        for k in range(1, values.shape[0]):
            a = values[k - 1]
            b = values[k]
            if a > b:
                values[k - 1] = b
                values[k] = a
                swapped = True
    return values


def insertion_sort(data):
    for i in range(1, data.size):
        key = data[i]
        j = i - 1
        while j >= 0 and data[j] > key:
            data[j + 1] = data[j]
            j -= 1
        data[j + 1] = key


def axpy(a, x, y):
    for i in range(x.shape[0]):
        y[i] = a * x[i] + y[i]


def axpy_in_place(alpha, xs, ys):
    for k in range(len(ys) - 1, -1, -1):
        ys[k] += alpha * xs[k]
    return ys


def transpose_into(out, a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j, i] = a[i, j]


@pytest.mark.parametrize("layout", LAYOUTS[:-1])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [bubble_sort, bubble_sort_with_flag, insertion_sort])
def test_sorting_in_place(function, dtype, layout):
    check(function, (vectors(17, dtype)[layout],), (vectors(2, dtype)[layout],), (vectors(0, dtype)["C"],))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", [axpy, axpy_in_place])
def test_axpy(function, layout):
    x, y = vectors(13, "f8")[layout], vectors(13, "f8")["strided"]
    check(function, (2.5, x, y), (2, x, y), (np.float32(0.5), vectors(13, "f4")[layout], y))


def test_writing_through_other_layouts():
    source = matrices((3, 5), "f8")
    for layout in MATRIX_LAYOUTS:
        check(
            transpose_into, (np.zeros((5, 3)), source[layout]), (matrices((5, 3), "f8")[layout], source["C"])
        )


# Matrices and images


def matmul(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            acc = 0.0
            for k in range(a.shape[1]):
                acc += a[i, k] * b[k, j]
            out[i, j] = acc
    return out


def matmul_ikj(left, right):
    n, m = left.shape
    p = right.shape[1]
    product = np.zeros((n, p))
    for i in range(n):
        for k in range(m):
            factor = left[i, k]
            for j in range(p):
                product[i, j] += factor * right[k, j]
    return product


def matmul_into(c, a, b):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@pytest.mark.parametrize("left", MATRIX_LAYOUTS)
@pytest.mark.parametrize("right", ["C", "F", "reversed"])
def test_matmul(left, right):
    a, b = matrices((4, 3), "f8")[left], matrices((3, 5), "f8")[right]
    check(matmul, (a, b), (a.astype("i4"), b))
    check(matmul_ikj, (a, b))
    check(matmul_into, (np.zeros((4, 5)), a, b))


def escape(cx, cy, limit):
    x = 0.0
    y = 0.0
    for i in range(limit):
        x, y = x * x - y * y + cx, 2.0 * x * y + cy
        if x * x + y * y > 4.0:
            return i
    return limit


def mandelbrot(image, limit):
    height, width = image.shape
    for row in range(height):
        for column in range(width):
            image[row, column] = escape(column / width * 3.0 - 2.0, row / height * 2.0 - 1.0, limit)
    return image


def mandelbrot_complex(image, limit):
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            c = complex(j * 0.1 - 2.0, i * 0.1 - 1.0)
            z = 0j
            n = 0
            while n < limit and z.real * z.real + z.imag * z.imag <= 4.0:
                z = z * z + c
                n += 1
            image[i, j] = n


def julia(out, cr, ci):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            zr, zi, n = j * 0.2 - 1.5, i * 0.2 - 1.0, 0
            while zr * zr + zi * zi < 4 and n < 50:
                zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
                n += 1
            out[i, j] = n


@pytest.mark.parametrize("dtype", ["u1", "i4", "f8"])
def test_mandelbrot(dtype):
    check(mandelbrot, (np.zeros((12, 18), dtype), 20), (np.zeros((7, 9), dtype, order="F"), 30))
    check(mandelbrot_complex, (np.zeros((10, 12), dtype), 25))
    check(julia, (np.zeros((10, 12), dtype), -0.4, 0.6))


def levenshtein(a, b):
    distances = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    for i in range(len(a) + 1):
        distances[i, 0] = i
    for j in range(len(b) + 1):
        distances[0, j] = j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            distances[i, j] = min(
                distances[i - 1, j] + 1, distances[i, j - 1] + 1, distances[i - 1, j - 1] + cost
            )
    return distances[len(a), len(b)]


def levenshtein_two_rows(s, t):
    previous = np.arange(len(t) + 1)
    current = np.empty_like(previous)
    for i in range(len(s)):
        current[0] = i + 1
        for j in range(len(t)):
            change = previous[j] + (s[i] != t[j])
            current[j + 1] = min(change, previous[j + 1] + 1, current[j] + 1)
        previous, current = current, previous
    return previous[len(t)]


@pytest.mark.parametrize("dtype", ["u1", "i4", "i8"])
@pytest.mark.parametrize("function", [levenshtein, levenshtein_two_rows])
def test_levenshtein(function, dtype):
    words = [np.frombuffer(word, "u1").astype(dtype) for word in (b"kitten", b"sitting", b"", b"intention")]
    check(function, *[(one, other) for one in words for other in words])
