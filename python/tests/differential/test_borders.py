"""Indices that are clamped to the borders of arrays, and branches on where the borders are."""

import numpy as np
import pytest

from pyopt import njit

SIZES = [0, 1, 2, 3, 5, 8, 33]
RADII = [0, 1, 2, -1, -3, 7, 40, -40, 2**61 - 1, 2**62, -(2**62), 2**63 - 1, -(2**63)]


def clamped(a, r):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = a[min(max(i - r, 0), a.shape[0] - 1)]
    return out


def clamped_the_other_way(a, r):
    out = np.zeros(a.shape[0])
    n = a.shape[0]
    for i in range(n):
        out[i] = a[max(0, min(n - 1, i + r))] - a[min(n - 1, max(i, 1) - 1)]
    return out


def neighbours(a, r):
    out = np.zeros(a.shape[0])
    n = a.shape[0]
    for i in range(n):
        low = i - 1 if i > 0 else 0
        if i < n - 1:
            high = i + 1
        else:
            high = n - 1
        out[i] = a[low] + 2 * a[i] + 4 * a[high]
    return out


def guarded(a, r):
    total = 0.0
    for i in range(len(a)):
        total = total * 0.5 + a[i]
        if i >= 2:
            total += 3 * a[i - 2]
        if i + 3 <= len(a) - 1:
            total -= a[i + 3]
    return total


def inside_of_both(a, r):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        if 0 < i and i < a.shape[0] - 1:
            out[i] = a[i - 1] + a[i + 1] - 2 * a[i]
        else:
            out[i] = -1
    return out


def outside_of_both(a, r):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        if i < 1 or i >= a.shape[0] - 1:
            out[i] = a[i]
        else:
            out[i] = a[i - 1] * 0.25 + a[i + 1] * 0.25 + a[i] * 0.5
    return out


def counted_from_the_end(a, r):
    out = np.zeros(a.shape[0])
    n = a.shape[0]
    for i in range(n):
        out[i] = a[max(min(i, n - 1) - n, -n)] + a[min(i - 2, n - 1) if i >= 2 - n else 0]
    return out


def stopped(a, r):
    for i in range(len(a)):
        low = max(i - 1, 0)
        if a[low] > 0.9 or a[min(i + 2, len(a) - 1)] < 0.02:
            return i
    return -1


def blurred(a, r):
    n = a.shape[0]
    image = np.zeros((3, n))
    for j in range(3):
        for i in range(n):
            image[j, i] = a[i] * (j + 1)
    out = np.zeros((3, n))
    for j in range(3):
        up, down = max(j - 1, 0), min(j + 1, 2)
        for i in range(n):
            left, right = max(i - 1, 0), min(i + 1, n - 1)
            out[j, i] = image[up, i] + image[down, i] + image[j, left] + image[j, right]
    return out


FUNCTIONS = [
    clamped,
    clamped_the_other_way,
    neighbours,
    guarded,
    inside_of_both,
    outside_of_both,
    counted_from_the_end,
    stopped,
    blurred,
]


def wrapped(value):
    """Give an int as compiled code has it."""
    return (value + 2**63) % 2**64 - 2**63


@pytest.mark.parametrize("function", FUNCTIONS)
def test_borders(function):
    compiled = njit(function)
    for size in SIZES:
        a = np.random.default_rng(size).random(size)
        for r in RADII:
            sums = [i + sign * r for i in range(size) for sign in (1, -1)]
            if function in (clamped, clamped_the_other_way) and any(one != wrapped(one) for one in sums):
                continue
            np.testing.assert_array_equal(compiled(a, r), function(a, r), err_msg=f"{size} {r}")


def test_sums_that_wrap_around():
    """Where a sum wraps around, what compiled code clamps is the wrapped one, in all loops alike."""

    def kept(a, r):
        out = np.zeros(a.shape[0], np.int64)
        for i in range(a.shape[0]):
            at = i + r
            out[i] = at
            a[min(max(at, 0), a.shape[0] - 1)] += 1.0
        return out

    compiled = njit(kept)
    for r in (2**63 - 1, 2**63 - 4, -(2**63), 2**62, 2**61):
        a = np.zeros(9)
        expected = [wrapped(i + r) for i in range(9)]
        assert compiled(a, r).tolist() == expected
        counts = np.zeros(9)
        for at in expected:
            counts[min(max(at, 0), 8)] += 1
        np.testing.assert_array_equal(a, counts)


@pytest.mark.parametrize("seed", range(20))
def test_random_windows(seed):
    random = np.random.default_rng(seed)
    terms = []
    for _ in range(random.integers(1, 4)):
        offset = random.choice(["", "+ r", "- r", "+ 1", "- 2", "+ r - 1", "+ s"])
        at = f"i {offset}"
        kind = random.integers(5)
        if kind == 0:
            terms.append(f"a[max(min({at}, n - 1), 0)]")
        elif kind == 1:
            terms.append(f"a[min(n - 1, max(0, {at}))]")
        elif kind == 2:
            terms.append(f"(a[{at}] if 0 <= {at} and {at} < n else 0.5)")
        elif kind == 3:
            terms.append(f"(0.25 if {at} < 0 or {at} >= n else a[{at}])")
        else:
            terms.append(f"a[max({at}, -n) if {at} < n else -1]")
    source = (
        "def f(a, r, s):\n    n = a.shape[0]\n    t = 0.0\n    out = np.zeros(n)\n    for i in range(n):\n"
        f"        out[i] = {' + '.join(terms)}\n        t = t * 0.5 + out[i]\n    return out, t\n"
    )
    names = {"np": np}
    exec(source, names)
    compiled = njit(names["f"])
    for size in SIZES:
        a = random.random(size)
        for r, s in ((0, 0), (1, -1), (3, 2), (-2, 50), (100, -100)):
            found, expected = compiled(a, r, s), names["f"](a, r, s)
            np.testing.assert_array_equal(found[0], expected[0], err_msg=f"{source} {size} {r} {s}")
            assert found[1] == expected[1]
