"""The same memory as other elements: ``real`` and ``imag``, ``view(dtype)``; ``strides``; ``out=``."""

import numpy as np
import pytest
from compare import check

from pyopt import errors, njit

Z = (np.arange(12.0) + 1j * np.arange(12.0)[::-1]).reshape(3, 4)
COMPLEX = [Z, Z.astype(np.complex64), Z.T, Z[::-1, ::2], Z[:0], Z[1], Z[:, 1], np.array(2 - 3j)]


def parts(z):
    return z.real, z.imag


def assigned_parts(z):
    z.real[0] = 7.0
    z.imag[1:] = z.real[1:] * 2
    z.imag += 1.0
    return z


def conjugated(z):
    z.imag[...] = -z.imag
    return z.real * z.imag


def same_size(a):
    return a.view(np.int64)


def sign_bits(a):
    bits = a.view(np.uint64)
    for i in range(bits.size):
        bits[i] ^= np.uint64(1) << np.uint64(63)
    return a


def smaller(a):
    return a.view(np.int16)


def larger(a):
    return a.view(np.float64)


def as_complex(a):
    return a.view(np.complex128).real.sum()


def itself(a):
    b = a.view()
    b[0] = 5
    return a


def distances(a):
    return a.strides


def walked(a):
    step = a.strides[0] // a.itemsize
    return step * len(a)


@pytest.mark.parametrize("z", COMPLEX, ids=lambda z: f"{z.dtype}{z.shape}{z.strides}")
def test_parts(z):
    check(parts, z)
    check(distances, z)


@pytest.mark.parametrize(
    "z", [z for z in COMPLEX if z.ndim == 2 and z.size], ids=lambda z: f"{z.dtype}{z.strides}"
)
def test_parts_are_views(z):
    check(assigned_parts, z.copy(order="K"))
    check(conjugated, z.copy(order="K"))


def test_parts_of_real_numbers():
    check(lambda a: a.real, np.arange(3.0))
    check(lambda a: a.imag, np.arange(3.0))


def test_parts_of_what_is_read_only():
    z = Z.copy()
    z.flags.writeable = False
    check(parts, z)
    with pytest.raises(errors.TypingError, match="can't assign"):
        njit(assigned_parts)(z)


@pytest.mark.parametrize("order", ["C", "F"])
def test_elements_of_the_same_size(order):
    a = np.array([[1.5, -0.0, np.nan], [np.inf, -2.5, 5e-324]], order=order)
    check(same_size, a)
    check(same_size, a[:, ::2])
    check(sign_bits, a.ravel(), numpy=True)
    check(sign_bits, a.ravel()[::-2], numpy=True)


@pytest.mark.parametrize("n", [0, 1, 4, 8])
def test_elements_of_other_sizes(n):
    check(smaller, np.arange(n, dtype=np.int64) * 123456789)
    check(smaller, np.arange(3 * n, dtype=np.float32).reshape(3, n))
    check(larger, np.arange(8 * n, dtype=np.uint8))
    check(larger, np.arange(6 * n, dtype=np.float32).reshape(3, 2 * n))
    check(as_complex, np.arange(2.0 * n))
    check(smaller, np.arange(n, dtype=np.int16))


def test_sizes_that_do_not_fit():
    check(larger, np.arange(9, dtype=np.uint8))
    check(larger, np.arange(9, dtype=np.float32).reshape(3, 3))
    with pytest.raises(errors.TypingError, match="elements of another size"):
        njit(smaller)(np.arange(8.0)[::2])
    with pytest.raises(errors.TypingError, match="can't be seen as bools"):
        njit(lambda a: a.view(np.bool_))(np.arange(8, dtype=np.uint8))


def test_the_same():
    check(itself, np.arange(4.0))
    check(distances, np.zeros((3, 4), np.int16).T)
    check(distances, np.zeros((3, 4), np.int16)[::-1, ::2])
    check(distances, np.ndarray((3, 2), np.int16, bytearray(13), 1))
    check(walked, np.arange(10.0)[::-3])


def added(a, b, out):
    return np.add(a, b, out)


def named(a, b, out):
    c = np.multiply(a, b, out=out)
    c[0] = 1
    return out


def square_root(a, out):
    np.sqrt(a, out)
    np.negative(out, out=out)
    return out


def shifted(a):
    np.add(a[:-1], a[1:], a[1:])
    np.maximum(a, 2.0, out=a)
    return a


def nothing(a):
    return np.sin(a, out=None)


def compared(a, b, out):
    return np.less(a, b, out)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.complex128])
def test_results_that_go_into_arrays(dtype):
    a, b = np.arange(6).astype(dtype), np.arange(6)[::-1].astype(dtype)
    check(added, a, b, np.zeros(6, dtype))
    check(added, a, dtype(2), np.zeros((2, 6), dtype))
    check(named, a, b, np.zeros(12, dtype)[::2])
    check(added, a, b, np.zeros(6, np.complex128))


def test_results_that_go_into_their_operands():
    check(shifted, np.arange(6.0))
    check(square_root, np.arange(6.0), np.ones(6))
    check(square_root, np.arange(6.0).reshape(2, 3).T, np.ones((3, 2)))
    check(nothing, np.arange(3.0))
    check(compared, np.arange(3.0), np.ones(3), np.zeros(3, np.bool_))


def test_results_that_do_not_fit():
    check(added, np.arange(3.0), np.arange(3.0), np.zeros(4), message=False)
    check(added, np.arange(3.0), np.arange(3.0), np.zeros(1), message=False)
    for out in (np.zeros(3, np.int64), np.zeros((), np.float64), 2.5):
        with pytest.raises(errors.TypingError, match="result"):
            njit(added)(np.arange(3.0), np.arange(3.0), out)
