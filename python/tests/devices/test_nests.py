"""Nests of loops on a device: one thread for each iteration of the nest."""

import numpy as np
import pytest
from available import NAME, needs_device

from pyopt import device_context, njit, prange, to_device

pytestmark = needs_device


def five_points(a, b):
    for i in prange(1, a.shape[0] - 1):
        for j in prange(1, a.shape[1] - 1):
            b[i, j] = 0.2 * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def five_points_serial_inside(a, b):
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = 0.2 * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def five_points_as_slices(a, b):
    b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])


def product(a, b):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * a[k % a.shape[0], j]
            b[i, j] = total


def scaled_rows(a, b):
    for i in prange(a.shape[0]):
        first = 2.0 * a[i, 0]
        for j in prange(a.shape[1]):
            b[i, j] = a[i, j] / (first + 1.0)


def sums_in_elements(a, b):
    for i in prange(a.shape[0]):
        b[i, 0] = 0.0
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            b[i, 0] += a[i, j]


def recurrence(a, b):
    for i in prange(a.shape[0]):
        for j in range(1, a.shape[1]):
            b[i, j] = b[i, j - 1] + a[i, j]


NESTS = [
    five_points,
    five_points_serial_inside,
    five_points_as_slices,
    product,
    scaled_rows,
    sums_in_elements,
    recurrence,
]


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (3, 40), (70, 1), (65, 130), (0, 5), (5, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("nest", NESTS)
def test_results_are_those_of_python(nest, shape, order):
    if shape[1] == 0 and nest in (scaled_rows, sums_in_elements):
        pytest.skip("there is no first column")
    a = np.asarray(np.random.default_rng(3).random(shape), order=order)
    expected, found = np.zeros(shape, order=order), np.zeros(shape, order=order)
    nest(a, expected)
    with device_context(NAME):
        njit(parallel=True)(nest)(a, found)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("nest", [five_points_serial_inside, five_points_as_slices])
def test_arrays_may_overlap(nest):
    """The iterations of a serial loop see what those before have stored, and slices are copied."""
    memory = np.random.default_rng(3).random((40, 30))
    expected, found = memory.copy(), memory.copy()
    nest(expected[:20], expected[20:])
    with device_context(NAME):
        njit(parallel=True)(nest)(found[:20], found[20:])
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_an_inner_loop_reads_what_it_has_stored_through_another_array():
    def shifted(a, b):
        for i in prange(a.shape[0]):
            for j in range(a.shape[1]):
                b[i, j] = a[i, j] + 1.0

    expected = np.zeros((8, 33))
    found = np.zeros((8, 33))
    shifted(expected[:, :-1], expected[:, 1:])
    with device_context(NAME):
        njit(parallel=True)(shifted)(found[:, :-1], found[:, 1:])
    np.testing.assert_array_equal(found, expected)
    memory = np.zeros(400)
    with device_context(NAME):
        njit(parallel=True)(shifted)(memory[:64].reshape(1, 64), memory[1:65].reshape(1, 64))
    np.testing.assert_array_equal(memory[:65], np.arange(65.0))


def test_counts_in_elements_that_are_looked_up():
    def count(digits, counts):
        for i in prange(counts.shape[0]):
            for j in prange(digits.shape[0]):
                counts[i, digits[j]] += 1

    digits = np.random.default_rng(3).integers(0, 4, 300)
    expected, found = np.zeros((5, 4), np.int64), np.zeros((5, 4), np.int64)
    count(digits, expected)
    with device_context(NAME):
        njit(parallel=True)(count)(digits, found)
    np.testing.assert_array_equal(found, expected)


def test_three_dimensions():
    def seven_points(a, b):
        for i in prange(1, a.shape[0] - 1):
            for j in prange(1, a.shape[1] - 1):
                for k in prange(1, a.shape[2] - 1):
                    b[i, j, k] = (
                        a[i - 1, j, k]
                        + a[i + 1, j, k]
                        + a[i, j - 1, k]
                        + a[i, j + 1, k]
                        + a[i, j, k - 1]
                        + a[i, j, k + 1]
                    )

    compiled = njit(parallel=True)(seven_points)
    for shape in [(3, 3, 3), (20, 3, 5), (9, 30, 3), (300, 3, 3), (7, 8, 41)]:
        a = np.random.default_rng(3).random(shape)
        expected, found = np.zeros(shape), np.zeros(shape)
        seven_points(a, expected)
        with device_context(NAME):
            compiled(a, found)
        np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_products_with_vectors(dtype):
    @njit(parallel=True)
    def product(a, b):
        return a @ b

    random = np.random.default_rng(3)
    a, b = random.normal(size=(40, 30)).astype(dtype), random.normal(size=30).astype(dtype)
    with device_context(NAME):
        found = product(a, b)
    np.testing.assert_allclose(found, a @ b, rtol=1e-4, atol=1e-5)


def test_sums_over_nests():
    def sums(a):
        total = 1.0
        count = 0
        for i in prange(a.shape[0]):
            for j in prange(a.shape[1]):
                total += 2.0 * a[i, j]
                count += 1
        return total, count

    def total_of_rows(a):
        total = 0.0
        for i in prange(a.shape[0]):
            total += a[i].sum()
        return total

    for function in (sums, total_of_rows):
        compiled = njit(parallel=True)(function)
        for shape in [(3, 500), (300, 7), (1, 1), (0, 3), (3, 0), (1000, 999)]:
            a = np.random.default_rng(3).random(shape)
            with device_context(NAME):
                found = compiled(a)
            np.testing.assert_allclose(found, function(a), rtol=1e-11)


def test_more_rows_than_a_grid_has():
    @njit(parallel=True)
    def rows(a):
        for i in prange(a.shape[0]):
            for j in prange(a.shape[1]):
                a[i, j] = i % 251

    a = np.zeros((600_000, 32), np.uint8)
    with device_context(NAME):
        rows(a)
    assert (a == (np.arange(600_000) % 251).astype(np.uint8)[:, None]).all()
    assert rows.device_stats()[NAME].launches == 2


@pytest.mark.parametrize("nest", [five_points, five_points_serial_inside, five_points_as_slices, product])
def test_device_arrays_move_nothing(nest):
    compiled = njit(parallel=True)(nest)
    a = np.random.default_rng(3).random((40, 50))
    expected = np.zeros_like(a)
    nest(a, expected)
    with device_context(NAME):
        on_device, found = to_device(a), to_device(np.zeros_like(a))
        compiled(on_device, found)
        compiled(on_device, found)
    # The arrays themselves, once.
    stats = compiled.device_stats()[NAME]
    assert stats.launches == 2 and stats.copies_in <= 2 and stats.copies_out == 0, stats
    np.testing.assert_allclose(found.copy_to_host(), expected, rtol=1e-14)


def test_what_is_allocated_is_not_copied_to_the_device():
    @njit(parallel=True)
    def interior(a):
        out = np.empty_like(a)
        for i in prange(1, a.shape[0] - 1):
            out[i] = a[i - 1] + a[i + 1]
        out[0] = 0.0
        out[-1] = 0.0
        return out

    a = np.arange(100.0)
    with device_context(NAME):
        found = interior(a)
    assert interior.device_stats()[NAME].copies_in == 1
    np.testing.assert_array_equal(found[1:-1], a[:-2] + a[2:])

    @njit(parallel=True)
    def stored_before(a):
        out = np.empty_like(a)
        out[0] = 7.0
        for i in prange(1, a.shape[0]):
            out[i] = a[i]
        return out

    with device_context(NAME):
        assert stored_before(a)[0] == 7.0
