"""Modules of Python's standard library in compiled code: heapq, bisect, itertools, random, time."""

import bisect
import functools
import heapq
import itertools
import operator
import random
import time

import numpy as np
import pytest

from pyopt import njit, prange


def check(function, *arguments):
    """Compare with CPython: result, or the class and text of the error, and changed lists."""
    outcomes = []
    for one in (function, njit(function)):
        given = [list(argument) if isinstance(argument, list) else argument for argument in arguments]
        random.seed(12)
        try:
            outcomes.append(("returned", one(*given), given))
        except (ValueError, IndexError, ZeroDivisionError) as error:
            outcomes.append(("raised", type(error), str(error)))
    assert outcomes[0] == outcomes[1]


def push_and_pop(items, more):
    """Have all that changes a heap."""
    heapq.heapify(items)
    taken = []
    for item in more:
        heapq.heappush(items, item)
        if item > 3:
            taken.append(heapq.heappop(items))
        taken.append(heapq.heappushpop(items, item * 2))
        taken.append(heapq.heapreplace(items, item - 1))
    return taken, items


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 40])
def test_heaps_have_the_order_of_cpython(seed, count):
    draw = random.Random(seed)
    items = [draw.randrange(12) for _ in range(count)]
    more = [draw.randrange(12) for _ in range(count)]
    check(push_and_pop, items, more)
    check(push_and_pop, [item / 4 for item in items], [item / 4 for item in more])


def tasks(priorities):
    """Have a queue of tuples that is empty at first."""
    queue = []
    for at, priority in enumerate(priorities):
        heapq.heappush(queue, (priority, at))
    order = []
    while queue:
        order.append(heapq.heappop(queue)[1])
    return order


def test_queues_of_tuples():
    check(tasks, [3.0, 1.0, 2.0, 1.0, 3.0])


@pytest.mark.parametrize("function", [heapq.heappop, lambda heap: heapq.heapreplace(heap, 1)])
def test_heaps_may_be_empty(function):
    def take(items):
        items.clear()
        return function(items)

    function = njit(function) if function is not heapq.heappop else function
    with pytest.raises(IndexError, match="index out of range"):
        njit(take)([1])


@pytest.mark.parametrize("count", [-1, 0, 2, 9])
def test_least_and_greatest(count):
    items = [5, 2, 8, 2, 9, 1]
    check(lambda a, n: (heapq.nsmallest(n, a), heapq.nlargest(n, a)), items, count)
    check(lambda a, n: heapq.nsmallest(n, a, key=lambda x: -x), items, count)
    check(lambda a, b: list(heapq.merge(a, b)), sorted(items), [0, 3, 10])


@pytest.mark.parametrize(
    "name", ["bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right"]
)
def test_bisection(name):
    function = getattr(bisect, name)
    for value in (-1, 0, 1, 2, 4, 5, 9):
        check(lambda a, x: (function(a, x), a), [0, 1, 1, 2, 4, 4, 4, 8], value)
        check(lambda a, x: (function(a, x, 2, 5), a), [0, 1, 1, 2, 4, 4, 4, 8], value)
        check(lambda a, x: (function(a, x, lo=1), a), [0.5, 1.5, 1.5], value)
    check(lambda a: function(a, 1, -1), [1, 2])
    check(lambda a: (function(a, 3, key=lambda x: x // 2), a), [1, 3, 4, 6, 9])
    if not name.startswith("insort"):
        v = np.array([1.0, 2.0, 2.0, 7.0])
        assert njit(lambda a, x: function(a, x))(v, 2.0) == function(v, 2.0)


ITERATORS = {
    "chain": lambda a, b: [x for x in itertools.chain(a, b, (7, 8))],
    "chain of iterables": lambda a, b: list(itertools.chain.from_iterable([a, b, a])),
    "no chain": lambda a, b: [x for x in itertools.chain(b)],
    "count": lambda a, b: [x for x, _ in zip(itertools.count(3), a)],
    "count by": lambda a, b: list(itertools.islice(itertools.count(1, 0.5), 4)),
    "cycle": lambda a, b: list(itertools.islice(itertools.cycle(a), 11)),
    "repeat": lambda a, b: list(itertools.repeat(2.5, 3)),
    "repeat for ever": lambda a, b: [x * y for x, y in zip(a, itertools.repeat(2))],
    "accumulate": lambda a, b: list(itertools.accumulate(a)),
    "accumulate by": lambda a, b: list(itertools.accumulate(a, lambda x, y: x * y, initial=2)),
    "accumulate with": lambda a, b: list(itertools.accumulate(a, operator.mul)),
    "compress": lambda a, b: list(itertools.compress(a, [True, False, True, True])),
    "dropwhile": lambda a, b: list(itertools.dropwhile(lambda x: x < 4, a)),
    "takewhile": lambda a, b: list(itertools.takewhile(lambda x: x < 4, a)),
    "filterfalse": lambda a, b: list(itertools.filterfalse(lambda x: x % 2, a)),
    "filter of none": lambda a, b: list(itertools.filterfalse(None, a)),
    "starmap": lambda a, b: list(itertools.starmap(lambda x, y: x - y, zip(a, b))),
    "islice": lambda a, b: list(itertools.islice(a, 2)),
    "islice from": lambda a, b: list(itertools.islice(a, 1, 3)),
    "islice by": lambda a, b: list(itertools.islice(a, 0, None, 2)),
    "pairwise": lambda a, b: list(itertools.pairwise(a)),
    "groups": lambda a, b: [(x, list(g)) for x, g in itertools.groupby(a + a[::-1], lambda x: x // 2)],
    "groups of equals": lambda a, b: [x for x, _ in itertools.groupby("aabbba")],
    "no groups": lambda a, b: [x for x, _ in itertools.groupby(a[:0])],
    "zip_longest": lambda a, b: list(itertools.zip_longest(a, b, a, fillvalue=-1)),
    "product": lambda a, b: list(itertools.product(a, b)),
    "product of three": lambda a, b: list(itertools.product(a, (0.5, 1.5), b)),
    "powers": lambda a, b: list(itertools.product(a, repeat=2)),
    "permutations": lambda a, b: list(itertools.permutations(a, 2)),
    "permutations of a tuple": lambda a, b: list(itertools.permutations((1, 2, 3))),
    "combinations": lambda a, b: list(itertools.combinations(a, 3)),
    "replaced": lambda a, b: list(itertools.combinations_with_replacement(a, 2)),
    "reduce": lambda a, b: functools.reduce(operator.add, itertools.chain(a, b), 0),
}


@pytest.mark.parametrize("name", ITERATORS)
def test_iterators(name):
    check(ITERATORS[name], [3, 1, 4, 1, 5], [9, 2])


def take_from(items, position):
    """Go on with an iterator behind a slice of it."""
    iterator = iter(items)
    first = list(itertools.islice(iterator, position))
    return first, list(iterator)


def test_slices_take_no_more_than_they_give():
    check(take_from, [1, 2, 3, 4], 2)
    check(lambda a: list(itertools.islice(a, -1)), [1])
    check(lambda a: list(itertools.islice(a, 0, 2, 0)), [1])


DRAWS = {
    "random": lambda: [random.random() for _ in range(700)],
    "uniform": lambda: [random.uniform(-2, 3.5) for _ in range(9)],
    "triangular": lambda: [random.triangular(), random.triangular(1, 5), random.triangular(0, 4, 1)],
    "gauss": lambda: [random.gauss(1.0, 2.0) for _ in range(9)],
    "normal": lambda: [random.normalvariate(1, 2) for _ in range(99)],
    "lognormal": lambda: [random.lognormvariate(0.0, 0.25) for _ in range(9)],
    "exponential": lambda: [random.expovariate(1.5) for _ in range(9)],
    "vonmises": lambda: [random.vonmisesvariate(-1.0, 4) for _ in range(99)] + [random.vonmisesvariate(0, 0)],
    "gamma": lambda: [random.gammavariate(a, 2.0) for a in (0.3, 1.0, 4.5) for _ in range(60)],
    "beta": lambda: [random.betavariate(0.5, 2.0) for _ in range(60)],
    "pareto": lambda: [random.paretovariate(3) for _ in range(9)],
    "weibull": lambda: [random.weibullvariate(1, 1.5) for _ in range(9)],
    "bits": lambda: [random.getrandbits(k) for k in (0, 1, 7, 31, 32, 33, 53, 63) for _ in range(4)],
    "randrange": lambda: [random.randrange(n) for n in (1, 2, 3, 64, 1000, 2**40) for _ in range(9)],
    "steps": lambda: [random.randrange(3, 50, 7) for _ in range(9)] + [random.randrange(9, -9, -4)],
    "randint": lambda: [random.randint(-3, 3) for _ in range(50)],
    "choice": lambda: [random.choice((4, 5, 6)) for _ in range(9)],
    "choices": lambda: random.choices([1, 2, 3], k=7) + random.choices([1, 2, 3], [1, 5, 2], k=9),
    "choices by sums": lambda: random.choices([1.5, 2.5], cum_weights=[1.0, 4.0], k=9),
    "sample": lambda: random.sample([1, 2, 3, 4, 5], 3) + random.sample(range(10**4), 12),
    "no range": lambda: random.randrange(0),
    "no step": lambda: random.randrange(1, 5, 0),
    "too many": lambda: random.sample([1, 2], 3),
    "of nothing": lambda: random.choices([1][:0], weights=[1.0][:0]),
    "no gamma": lambda: random.gammavariate(0.0, 1.0),
}


@pytest.mark.parametrize("name", DRAWS)
def test_random_sequences(name):
    draw = DRAWS[name]

    @njit
    def seed(number):
        random.seed(number)

    for number in (0, 7, -7, 2**31, 2**63 - 1):
        seed(number)
        random.seed(number)
        try:
            expected = draw()
        except (ValueError, IndexError) as error:
            with pytest.raises(type(error), match=str(error)[:20].replace("(", ".").replace(")", ".")):
                njit(draw)()
        else:
            # What is exponentiated may be rounded otherwise.
            assert njit(draw)() == pytest.approx(expected, rel=1e-15, abs=0)


def test_shuffling():
    @njit
    def shuffled(number, items):
        random.seed(number)
        random.shuffle(items)
        return items

    for count in (0, 1, 2, 30):
        expected = [float(i) for i in range(count)]
        random.seed(5)
        random.shuffle(expected)
        if count:
            assert shuffled(5, [float(i) for i in range(count)]) == expected
        assert shuffled(5, np.arange(float(count))).tolist() == expected


def test_the_generator_is_not_that_of_numpy():
    @njit
    def both():
        random.seed(1)
        np.random.seed(1)
        return random.random(), np.random.random()

    random.seed(1)
    assert both() == (random.random(), np.random.RandomState(1).random_sample())


def test_threads_draw_from_generators_of_their_own():
    @njit(parallel=True)
    def draws(count):
        out = np.empty(count)
        for i in prange(count):
            out[i] = random.random()
        return out

    assert len(set(draws(100_000).tolist())) == 100_000


def test_seeds_may_come_from_the_system():
    @njit
    def fresh():
        random.seed()
        return random.random()

    assert fresh() != fresh()


@pytest.mark.parametrize("name", ["time", "perf_counter", "monotonic", "process_time", "thread_time"])
def test_clocks(name):
    for clock in (getattr(time, name), getattr(time, f"{name}_ns")):
        read = njit(lambda: clock())  # noqa: B023
        before, now, after = clock(), read(), clock()
        assert before <= now <= after
        assert type(now) is type(before)


def test_clocks_are_read_where_they_stand():
    @njit
    def spent(count):
        start = time.perf_counter_ns()
        total = 0.0
        for i in range(count):
            total += np.sin(i)
        return time.perf_counter_ns() - start, total

    assert spent(10**5)[0] > 0


PASSED_ITERATORS = {
    "sorted zip": lambda a, b: sorted(zip(a, b)),
    "mapped zip": lambda a, b: list(map(lambda t: t[0] - t[1], zip(a, b))),
    "mapped enumerate": lambda a, b: list(map(lambda t: t[0] * t[1], enumerate(a, 2))),
    "filtered": lambda a, b: list(filter(lambda t: t[0] > 1, zip(a, b))),
    "nested": lambda a, b: [x for x in itertools.chain(enumerate(zip(a, b)), enumerate(zip(b, a)))],
    "reversed": lambda a, b: list(map(lambda x: x + 1, reversed(a))),
    "iter": lambda a, b: list(itertools.chain(iter(a), iter(range(3)))),
    "starred": lambda a, b: list(itertools.starmap(lambda x, y: x - y, zip(a, b))),
    "greatest": lambda a, b: max(zip(a, b), key=lambda t: t[1]),
    "no items": lambda a, b: list(map(lambda t: t[0], zip(a, b[:0]))),
}


@pytest.mark.parametrize("name", PASSED_ITERATORS)
def test_iterators_are_passed_to_functions(name):
    check(PASSED_ITERATORS[name], [3, 1, 4, 1, 5], [9, 2])


def test_iterators_are_passed_to_own_functions():
    @njit
    def total(pairs, start):
        for x, y in pairs:
            start += x * y
        return start

    assert njit(lambda a, b: total(zip(a, b), 1) + total(start=2, pairs=enumerate(a)))([1, 2], [3, 4]) == 16


def compared_by(items, words):
    def by(a, b):
        return (a > b) - (a < b)

    key = functools.cmp_to_key(by)
    items = items.copy()
    items.sort(key=functools.cmp_to_key(lambda a, b: b - a))
    longest = max(words, key=functools.cmp_to_key(lambda a, b: len(a) - len(b)))
    return items, longest, sorted(words, key=key), key(1) < key(2), key(1) == key(1), key(3) >= key(4)


def test_keys_of_comparisons():
    check(compared_by, [3, 1, 4, 1, 5], ["b", "ccc", "aa"])


def looked_up(items, text, x):
    return (
        (operator.countOf(items, x), operator.countOf(text, "a"), operator.countOf(range(5), x)),
        (operator.indexOf(items, x), operator.indexOf(text, "a"), operator.indexOf((y for y in items), x)),
    )


def test_items_are_looked_up():
    check(looked_up, [3, 1, 4, 1], "banana", 1)
    with pytest.raises(ValueError, match="x not in sequence"):
        njit(lambda items: operator.indexOf(items, 7))([1, 2])


def test_random_bytes():
    def drawn(count):
        random.seed(7)
        return [random.randbytes(n) for n in range(count)], random.random()

    check(drawn, 12)
