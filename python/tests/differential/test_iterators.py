"""`enumerate`, `zip` and `reversed` over arrays, tuples, ranges and one another."""

import itertools

import numpy as np
import pytest
from compare import check, compile_once

from pyopt import errors

VECTORS = [np.arange(n) * 1.5 - 2 for n in (0, 1, 2, 7)]
INTEGERS = [np.arange(n, dtype=np.int32)[::-1] for n in (0, 1, 3, 7)]
STEPS = [-(2**62), -7, -3, -2, -1, 1, 2, 3, 7, 2**62]
BOUNDS = [-9, -2, -1, 0, 1, 2, 9]


def enumerated(a):
    total = 0.0
    for i, x in enumerate(a):
        total += i * x
    return total


def enumerated_from(a, start):
    total, last = 0.0, -1
    for last, x in enumerate(a, start):
        total += last * x
    return total, last


def enumerated_keyword(a):
    total = 0.0
    for i, x in enumerate(a, start=-3):
        total += i * x
    return total


def zipped(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total = total * 0.5 + x * y
    return total


def zipped_three(a, n, t):
    total = 0.0
    for x, i, y in zip(a, range(n), t):
        total += x * i + y
    return total


def zipped_with_itself(a):
    total = 0.0
    for before, behind in zip(a, a[1:]):
        total += behind - before * 0.5
    return total


def zipped_one(a):
    total = 0.0
    for (x,) in zip(a):
        total += x
    return total


def zipped_none():
    count = 0
    for _ in zip():
        count += 1
    return count


def nested_targets(a, b):
    total = 0.0
    for i, ((x, k), y) in enumerate(zip(enumerate_pairs(a), b)):
        total += i * x + k * y
    return total


def enumerate_pairs(a):
    return a


def nested(a, b):
    total = 0.0
    for i, (x, (k, y)) in enumerate(zip(a, enumerate(b, 2)), 1):
        total += i * x + k * y
    return total


def whole_item(a, b):
    total = 0.0
    for pair in zip(a, b):
        total += pair[0] - pair[1] + len(pair)
    return total


def rows(m):
    total = 0.0
    for i, row in enumerate(m):
        for j, x in enumerate(row):
            total += i * 10 * x + j
    return total


def rows_zipped(m, n):
    total = 0.0
    for left, right in zip(m, reversed(n)):
        total += (left * right).sum()
    return total


def writes(m):
    for i, row in enumerate(m):
        row[i % 2] = -1
    return m


def found_at(a, wanted):
    for i, x in enumerate(a):
        if x == wanted:
            return i
    return -1


def broken(a, b):
    count = 0
    for x, y in zip(a, b):
        if x > y:
            break
        count += 1
    else:
        return -1
    return count


def backwards(a):
    total = 0.0
    for x in reversed(a):
        total = total * 0.5 + x
    return total


def backwards_range(start, stop, step):
    total, count = 0, 0
    for i in reversed(range(start, stop, step)):
        total = total * 3 + i
        count += 1
        if count > 40:
            break
    return total, count


def backwards_to(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 3 + i
    return total


def indexed_backwards(a):
    for i in reversed(range(a.size - 1)):
        a[i] += a[i + 1] * 0.5
    return a


def enumerated_backwards(a):
    total = 0.0
    for i, x in enumerate(reversed(a)):
        total += i * x
    return total


def zipped_backwards(a, b):
    total = 0.0
    for i, x, y in zip(reversed(range(100, 110)), reversed(a), b):
        total += i * x - y
    return total


@pytest.mark.parametrize("a", [*VECTORS, *INTEGERS, (1, 2, 3), (2.5,)], ids=str)
def test_one_sequence(a):
    for function in (enumerated, enumerated_keyword, zipped_one, backwards, enumerated_backwards):
        check(function, a)
    for start in (-5, 0, 2**40):
        check(enumerated_from, a, start)
    check(found_at, a, 2)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(VECTORS, INTEGERS)), ids=str)
def test_two_sequences(a, b):
    for function in (zipped, nested, whole_item, broken, zipped_backwards):
        check(function, a, b)
        check(function, b, a)


@pytest.mark.parametrize("a", VECTORS, ids=str)
def test_more_sequences(a):
    for n, t in itertools.product((-1, 0, 2, 9), ((1, 2, 3), (0.5,), (1, 2, 3, 4, 5, 6, 7, 8))):
        check(zipped_three, a, n, t)
    check(zipped_with_itself, a)
    check(zipped_none)
    check(indexed_backwards, a.copy())


@pytest.mark.parametrize("shape", [(0, 2), (1, 3), (3, 2), (4, 4)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows(shape, order):
    m = np.array(np.arange(np.prod(shape)).reshape(shape) * 0.5, order=order)
    for view in (m, m[::-1], m[:, ::-1]):
        check(rows, view)
        check(rows_zipped, view, m)
    check(writes, m.copy(order))


def test_a_pair_of_pairs():
    check(nested_targets, ((1.5, 2), (3.5, 4)), (1, 2, 3))


@pytest.mark.parametrize("step", STEPS)
def test_reversed_ranges(step):
    for start, stop in itertools.product(BOUNDS, BOUNDS):
        check(backwards_range, start, stop, step)
    for start, stop in ((-(2**63), 2**63 - 1), (2**63 - 1, -(2**63)), (-(2**63), -(2**63) + 5)):
        check(backwards_range, start, stop, step)


@pytest.mark.parametrize("n", [-(2**63), -1, 0, 1, 2, 20])
def test_reversed_ranges_from_zero(n):
    check(backwards_to, n)


def shared(a, twice):
    pairs = zip(a, a)
    total = 0.0
    for x, _ in pairs:
        total += x
    if twice:
        for x, _ in pairs:
            total += x
    return total


def mixed_items(x):
    total = 0.0
    for item in zip(range(3), (1, 2.5, x)):
        total += item[1]
    return total


def reversed_zip(a):
    total = 0.0
    for x, _ in reversed(zip(a, a)):
        total += x
    return total


def from_float(a):
    total = 0.0
    for i, x in enumerate(a, 0.5):
        total += i * x
    return total


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (shared, (VECTORS[2], True), "an iterator can be used by one for loop only"),
        (mixed_items, (1,), "whose items have no common type"),
        (reversed_zip, (VECTORS[2],), "has no last item"),
        (from_float, (VECTORS[2],), r"enumerate\(\) counts from an int, not from float64"),
    ],
)
def test_what_is_refused(function, args, message):
    with pytest.raises((errors.TypingError, errors.LoweringError), match=message):
        compile_once(function)(*args)


def zipped_not_strictly(a, b):
    return [x * y for x, y in zip(a, b, strict=False)]


def zipped_strictly(a, b):
    found = []
    try:
        for x, y in zip(a, b, strict=True):
            found.append((x, y))
    except ValueError as error:
        return found, str(error)
    return found, ""


def four_strictly(a, b, c, d):
    found = []
    try:
        for row in zip(a, b, (x * 0.5 for x in c), enumerate(d), strict=True):
            found.append(row)
    except ValueError as error:
        return found, str(error)
    return found, ""


def one_strictly(a):
    return (
        [x for (x,) in zip(a, strict=True)],
        list(zip(a, strict=True)),
        dict(zip(a, range(len(a)), strict=True)),
    )


def test_strict_zip():
    check(zipped_not_strictly, [1, 2, 3], (4.5, 5.5))
    check(one_strictly, [3, 1, 2])
    texts = ["a", "bc", "", "d"]
    for many in range(4):
        for others in range(4):
            check(zipped_strictly, list(range(5, 5 + many)), texts[:others])
    compiled = compile_once(four_strictly)
    for counts in itertools.product(range(3), repeat=4):
        args = [np.arange(count) for count in counts]
        assert compiled(*args) == four_strictly(*args), counts


def test_strict_zip_is_refused():
    with pytest.raises(errors.TypingError, match=r"strict= of zip\(\) has to be written as True or False"):
        compile_once(lambda a, flag: [x for (x,) in zip(a, strict=flag)])([1], True)
    with pytest.raises(errors.TypingError, match=r"zip\(\) takes no keyword but strict"):
        compile_once(lambda a: [x for (x,) in zip(a, lenient=True)])([1])
