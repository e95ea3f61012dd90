"""Going through all elements or positions of arrays: ``flat``, ``ndenumerate`` and ``ndindex``."""

import numpy as np
import pytest
from compare import check

from pyopt import errors, njit

A = np.arange(24.0).reshape(2, 3, 4)

LAYOUTS = [
    A,
    np.asfortranarray(A),
    A[::-1, :, ::2],
    A.transpose(1, 0, 2),
    A[:, :0],
    A[0],
    A[0].T,
    A[0, 1],
    A[0, 1, ::-2],
    np.array(2.5),
    np.asfortranarray(A.astype(np.int8)[0]),
    (A > 7).T,
    np.ndarray((3, 2), np.int16, bytearray(range(13)), 1),
]


def weighted(a):
    s, k = 0.0, 1
    for x in a.flat:
        s = s * 0.5 + x * k
        k += 1
    return s, k


def positions_and_elements(a):
    out = np.zeros((a.size, a.ndim + 1))
    k = 0
    for position, x in np.ndenumerate(a):
        d = 0
        for i in position:
            out[k, d] = i
            d += 1
        out[k, d] = x
        k += 1
    return out


def first_above(a, limit):
    for (i, j), x in np.ndenumerate(a):
        if x > limit:
            return i, j
    return -1, -1


def written_while_read(a):
    for (i, j), x in np.ndenumerate(a):
        a[(i + 1) % a.shape[0], j] += x
    return a


def by_ndindex(a):
    s = 0.0
    for i, j in np.ndindex(a.shape):
        s = s * 0.5 + a[i, j] * (i - j)
        if s > 1e6:
            continue
    return s


def sizes(n, m):
    count, last = 0, (0, 0)
    for at in np.ndindex(n, m):
        count += 1
        last = at
    return count, last


def one_size(n):
    s = 0
    for (i,) in np.ndindex(n):
        s += i
    return s


def no_size():
    count = 0
    for _ in np.ndindex(()):
        count += 1
    return count


def with_others(a, b):
    s = 0.0
    for k, (x, y) in enumerate(zip(a.flat, b.flat)):
        s += k * x * y
    for x in a.flat:
        if x > 5:
            break
        s -= x
    else:
        s = -s
    return s


def of_c_order(a, i):
    a.flat[i] = 2 * a.flat[i]
    return len(a.flat)


@pytest.mark.parametrize("a", LAYOUTS, ids=lambda a: f"{a.dtype}{a.shape}{a.strides}")
def test_elements(a):
    check(weighted, a)


@pytest.mark.parametrize("a", [a for a in LAYOUTS if a.ndim], ids=lambda a: f"{a.dtype}{a.shape}{a.strides}")
def test_positions(a):
    check(positions_and_elements, a)


@pytest.mark.parametrize("a", [a for a in LAYOUTS if a.ndim == 2], ids=lambda a: f"{a.dtype}{a.shape}")
def test_matrices(a):
    check(first_above, a, 5)
    check(by_ndindex, a)
    check(with_others, a, a[::-1])
    if a.dtype != bool:
        check(written_while_read, a.copy())
        check(written_while_read, a.copy(order="F"))


@pytest.mark.parametrize(("n", "m"), [(0, 3), (3, 0), (1, 1), (4, 5), (-1, 2), (2, -1)])
def test_sizes(n, m):
    check(sizes, n, m)


def test_sizes_in_other_numbers():
    check(one_size, 4)
    check(one_size, 0)
    check(no_size)


def test_assignment_in_c_order():
    check(of_c_order, A.copy(), 5)
    check(of_c_order, A[0, 0].copy(), -1)


def test_what_is_refused():
    with pytest.raises(errors.TypingError, match=r"ndindex\(\) takes ints or a tuple of ints, not float64"):
        one_size_of(2.5)


@njit
def one_size_of(x):
    s = 0
    for (i,) in np.ndindex(x):
        s += i
    return s
