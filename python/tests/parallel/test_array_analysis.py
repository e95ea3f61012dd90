"""What is known of the sizes of arrays never changes a result: slices, masks, asserts, broadcasts.

PYTEST_DONT_REWRITE: the asserts of compiled functions are Python's.
"""

import numpy as np
import pytest

from pyopt import njit

OPTIONS = [
    pytest.param({}, id="serial"),
    pytest.param({"parallel": True}, id="parallel"),
    pytest.param({"parallel": {"fusion": False}}, id="unfused"),
]
SIZES = [0, 1, 2, 3, 4, 5, 17]


def outcome(function, arguments):
    """Run a function on copies: what it returns or raises, and what it leaves in its arguments."""
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        result = function(*copies)
    except (AssertionError, ValueError, IndexError) as error:
        result = type(error)
    return result, copies


def check(function, options, cases):
    """Compare a function with itself, compiled."""
    compiled = njit(**options)(function)
    for arguments in cases:
        expected, left = outcome(function, arguments)
        got, ours = outcome(compiled, arguments)
        if isinstance(expected, type):
            assert got is expected, (expected, got, arguments)
            continue
        assert not isinstance(got, type), (got, arguments)
        for one, other in zip(
            expected if isinstance(expected, tuple) else (expected,),
            got if isinstance(got, tuple) else (got,),
            strict=True,
        ):
            np.testing.assert_allclose(other, one, rtol=1e-13)
            assert np.shape(other) == np.shape(one)
        for one, other in zip(left, ours, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-13)


def array(n, seed=0):
    """An array of numbers none of which is like another."""
    return np.arange(1.0 + seed, n + 1.0 + seed) ** 1.5


def inner_and_shifted(a, b):
    n = len(a)
    return a[1 : n - 1] + b[0 : n - 2]


def three_points(a, b):
    n = a.shape[0]
    b[1 : n - 1] = a[0 : n - 2] + a[1 : n - 1] + a[2:n]
    return b[1 : n - 1] * 2.0


def three_from_the_end(a, b):
    # n - 3 is -1 where n is 2: the last position.
    n = len(a)
    return a[0 : n - 3] + a[3:n]


def three_left_out(a, b):
    return a[:-3] + a[3:]


def mixed_ends(a, b):
    n = len(a)
    return a[1 : n - 2] + a[0 : n - 3] + a[2 : n - 1]


def last_ones(a, b):
    return a[-2:] + a[:2]


def beyond(a, b):
    n = len(a)
    return a[0 : n + 3] + a[-n:]


def every_second(a, b):
    return a[::2] + b[::2], a[1:-1:2] - b[1:-1:2], a[::-1] * b


def every_other(a, b):
    n = len(a)
    return a[0 : n - 1 : 2] + a[1:n:2]


def nested(a, b):
    c = a[1:]
    d = b[:-1]
    return c[1:] + d[:-1], c[:-1][1:] * d[2:]


def cut(a, b):
    k = len(a[1:-1])
    return a[:k] + b[2:], b[:k] * a[1:-1]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    "function",
    [
        inner_and_shifted,
        three_points,
        three_from_the_end,
        three_left_out,
        mixed_ends,
        last_ones,
        beyond,
        every_second,
        every_other,
        nested,
        cut,
    ],
)
def test_slices(function, options):
    cases = [(array(n), array(m, 100)) for n in SIZES for m in {n, n + 1, 1, 0}]
    check(function, options, cases)


def same_bounds(a, b, i, j):
    return a[i:j] + b[i:j]


def same_length(a, b, i, j):
    return a[i : i + 3] + b[j : j + 3]


def equal_bounds(a, b, i, j):
    assert len(a) == len(b)
    x = a[i:j] * 2.0
    y = b[i:j] + x
    return y.sum(), x, y


def known_bounds(a, b, i, j):
    assert i == j
    return a[i:] + b[j:]


def stepping(a, b, i, j):
    if j == 0:
        j = 1
    return a[::j] + b[::j]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("function", [same_bounds, same_length, equal_bounds, known_bounds, stepping])
def test_bounds_at_run_time(function, options):
    cases = [
        (array(n), array(m, 50), i, j)
        for n, m in [(0, 0), (1, 1), (2, 2), (5, 5), (5, 4), (5, 1), (1, 6)]
        for i in (-6, -2, 0, 1, 3, 7)
        for j in (-6, -1, 0, 1, 3, 4, 9)
    ]
    check(function, options, cases)


def asserted_length(a, b):
    assert len(a) == len(b)
    return a + b, (a * b).sum()


def asserted_shapes(a, b):
    assert a.shape == b.shape
    c = np.sqrt(a) + b
    d = c - a
    return d * 2.0, c.max() if len(a) > 0 else 0.0


def raised_unless_equal(a, b):
    if a.shape != b.shape:
        raise ValueError("shapes")
    return a - b


def returned_unless_equal(a, b):
    if len(a) != len(b):
        return a * 1.0
    return a - b


def asserted_in_a_branch(a, b):
    # Only one of the ways to the sum knows that the sizes are equal.
    if len(a) > 2:
        assert len(a) == len(b)
    return a + b


def asserted_one_more(a, b):
    assert len(a) == len(b) + 1
    return a[1:] + b, a[:-1] * b


def caught(a, b):
    try:
        assert len(a) == len(b)
    except Exception:
        pass
    return a + b


def either(a, b):
    assert len(a) == len(b) or len(b) == 1
    return a + b


def both(a, b):
    n = len(a)
    assert n == len(b) and n > 0
    return a + b


def checked_later(a, b):
    c = a * 2.0 + b
    d = c * c
    assert len(a) == len(b)
    return c + b + d


def one_element(a, b):
    assert len(b) == 1
    return a + b, b * a, b + b


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    "function",
    [
        asserted_length,
        asserted_shapes,
        raised_unless_equal,
        returned_unless_equal,
        asserted_in_a_branch,
        asserted_one_more,
        caught,
        either,
        both,
        checked_later,
        one_element,
    ],
)
def test_checked_sizes(function, options):
    cases = [(array(n), array(m, 9)) for n in (0, 1, 2, 3, 8) for m in (0, 1, 2, 3, 7, 8)]
    check(function, options, cases)


def masked(a, b, m):
    return a[m] + b[m]


def mask_changed(a, b, m):
    x = a[m]
    m[0] = not m[0]
    return x + b[m]


def mask_inverted(a, b, m):
    x = a[m]
    m[:] = ~m
    y = b[m]
    return x.sum() + y.sum(), x.size, y.size


def mask_in_a_loop(a, b, m):
    x = a[m]
    total = 0.0
    for i in range(3):
        y = b[m]
        if len(x) == len(y):
            total += (x + y).sum()
        m[i] = not m[i]
        x = a[m]
    return total


def mask_through_a_view(a, b, m):
    v = m[1:]
    x = a[m]
    v[0] = not v[0]
    y = b[m]
    return x.size - y.size, x.sum() - y.sum()


def other_mask(a, b, m):
    k = ~m
    return a[m].sum() + b[k].sum(), a[k] + b[k]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    "function",
    [masked, mask_changed, mask_inverted, mask_in_a_loop, mask_through_a_view, other_mask],
)
def test_masks(function, options):
    cases = [(array(n), array(n, 3), np.arange(n) % 3 == k) for n in (4, 5, 9) for k in range(3)]
    check(function, options, cases)


def grown_in_a_loop(a, n):
    b = a
    for _ in range(n):
        b = np.append(b, 1.0)
    return b + 1.0, b.size


def shrunk_in_a_loop(a, n):
    b = a
    total = 0.0
    for _ in range(n):
        total += (b + b[::-1]).sum()
        b = b[1:]
    return total + b.sum(), b * 2.0


def kept_in_a_loop(a, n):
    b = np.zeros_like(a)
    c = a
    for i in range(n):
        b = b + c
        c = c * 0.5 + i
    return b + a, b + c


def swapped_in_a_loop(a, n):
    b = np.ones(len(a) + 1)
    for _ in range(n):
        t = a
        a = b
        b = t
    return a * 2.0, b * 3.0, len(a) - len(b)


def chained_in_a_loop(a, n):
    x = a
    y = a
    z = a
    for _ in range(n):
        z = y
        y = x
        x = x[1:]
    return x + 1.0, y + 1.0, z + 1.0, (z[: len(x)] + x).sum()


def while_loop(a, n):
    b = a
    c = a
    while n > 0:
        c = b + c
        b = b[:-1] if n % 2 == 0 and len(b) == 1 else b * 2.0
        n -= 1
    return b * 1.0, c * 1.0


def chosen(a, n):
    b = a[1:] if n > 2 else a[:-1]
    c = a[1:] * 2.0 if n > 1 else np.ones(len(a))
    return b + a[1:], c.size, (c + 1.0)[: len(b)] + b[: len(c)]


def nested_loops(a, n):
    b = a * 1.0
    for i in range(n):
        for j in range(2):
            b = b + a[::-1]
        for j in range(i):
            b = b[:-1] if len(b) == 1 else b * 0.5
    return b + 1.0


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    "function",
    [
        grown_in_a_loop,
        shrunk_in_a_loop,
        kept_in_a_loop,
        swapped_in_a_loop,
        chained_in_a_loop,
        while_loop,
        chosen,
        nested_loops,
    ],
)
def test_loops_and_branches(function, options):
    cases = [(array(size), n) for size in (1, 2, 5, 9) for n in (0, 1, 2, 3)]
    check(function, options, cases)


def broadcast_chain(x, y, z):
    s = x + y
    return s * z, s + x


def fitted(x, y, z):
    n, m = x.shape
    out = np.empty((n, m))
    out[:] = y
    return out + x, out * z


def columns(x, y, z):
    assert x.shape[1] == len(z)
    return x * z + x, x.T.copy() @ y[:, 0] if x.shape[0] == y.shape[0] else z * 1.0


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("function", [broadcast_chain, fitted, columns])
def test_sizes_of_one_are_repeated(function, options):
    cases = [
        (array(n * m).reshape(n, m), array(k * j, 5).reshape(k, j), array(i, 8))
        for n, m in [(1, 1), (3, 4), (1, 4), (3, 1), (0, 4)]
        for k, j in [(1, 1), (3, 4), (1, 4), (3, 1)]
        for i in (1, 4, 2)
    ]
    check(function, options, cases)


def logistic_regression(y, x, w, iterations):
    assert x.shape == (y.shape[0], w.shape[0])
    for _ in range(iterations):
        w -= np.dot(((1.0 / (1.0 + np.exp(-y * np.dot(x, w))) - 1.0) * y), x)
    return w


def unasserted_regression(y, x, w, iterations):
    for _ in range(iterations):
        w -= np.dot(((1.0 / (1.0 + np.exp(-y * np.dot(x, w))) - 1.0) * y), x)
    return w


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("function", [logistic_regression, unasserted_regression])
def test_logistic_regression(function, options):
    cases = [
        (np.sign(array(n) - 3.5) + 0.5, (array(k * m) % 1.0).reshape(k, m), array(d) % 1.0, i)
        for n, k in [(4, 4), (4, 3), (1, 1), (1, 4), (0, 0)]
        for m, d in [(3, 3), (3, 2), (1, 1), (3, 1)]
        for i in (0, 1, 5)
    ]
    check(function, options, cases)
