"""Lists displayed where Python's functions take a value: objects that equal lists, and no tuples."""

import bisect
import collections
import copy
import functools
import heapq
import itertools
import operator

import pytest

from pyopt import njit

LISTS = [[1, 2], [3], [3]]
SORTED = [[1], [2], [3]]
TUPLE = ([1, 2], [3], [3])
DICT = {1: [3]}

#: Expressions, and what they are about.
CASES = [
    *[
        (source, LISTS)
        for source in [
            *("[3] in x", "[4] in x", "[3] not in x", "(3,) == [3]", "operator.contains(x, [3])"),
            *(
                "x.index([3])",
                "x.index([3], 2)",
                "x.index([5])",
                "x.count([3])",
                "x.count([3]) + x.count([1, 2])",
            ),
            *(
                "x.remove([3])",
                "x.insert(1, [4])",
                "x.append([4])",
                "x.extend([[4]])",
                "x + [[3]]",
                "[[0]] + x",
            ),
            *("[x[1]].count([3])", "(x[1],).count([3])", "(x[1],).index([3])", "sum(x, [0])", "sum(x, [])"),
            *(
                "[3] in collections.deque(x)",
                "collections.deque(x).count([3])",
                "collections.deque(x).index([3])",
            ),
            *(
                "functools.reduce(lambda a, b: a + b, x)",
                "dict.fromkeys([1, 2], [3])",
                "next(iter(x[:0]), [4])",
            ),
            "list(itertools.accumulate(x, lambda a, b: a + b, initial=[5]))",
            "list(itertools.zip_longest(x, x[:1], fillvalue=[8]))",
            "list(itertools.takewhile(lambda one: one != [3], x))",
            *("list(zip(x, [[5], [6]]))", "list(enumerate([[5], [6]]))", "list(itertools.product(x, [[1]]))"),
            *(
                "x == [[1, 2], [3], [3]]",
                "x < [[1, 3]]",
                "([3], 1) in [(x[1], 1)]",
                "[(x[1], 1)].index(([3], 1))",
            ),
            *("str([3])", "'%s' % [3]", "'{}'.format([3])", "f'{[3]}'", "','.join(['a', 'b'])", "len([[3]])"),
            *(
                "[3, 1].index(1)",
                "isinstance([3], list)",
                "[3] * 2 == [3, 3]",
                "max(x, key=lambda a: a == [3])",
            ),
        ]
    ],
    *[(source, TUPLE) for source in ("[3] in x", "x.index([3])", "x.count([3])", "x.index([4])")],
    *[
        (source, DICT)
        for source in [
            *("[3] in x.values()", "(1, [3]) in x.items()", "{1: [3]} == x"),
            *("x.get(5, [7])", "x.get(1, [7])", "x.pop(5, [7])", "x.setdefault(5, [7])"),
        ]
    ],
    *[
        (source, SORTED)
        for source in [
            *("bisect.bisect_left(x, [2])", "bisect.bisect(x, [2])", "bisect.insort(x, [2])"),
            *("heapq.heapreplace(x, [2])", "heapq.heappushpop(x, [0])", "heapq.heappushpop(x, [2])"),
            "heapq.heappush(x, [0])",
        ]
    ],
]

NAMES = {module.__name__: module for module in (bisect, collections, functools, heapq, itertools, operator)}


def outcome(function, argument):
    """Give what a call returns, the argument as it is then, and the class of an error."""
    argument = copy.deepcopy(argument)
    try:
        return repr(function(argument)), argument
    except (ValueError, KeyError, IndexError) as error:
        return type(error), argument


@pytest.mark.parametrize(("source", "argument"), CASES, ids=[source for source, _ in CASES])
def test_expression(source, argument):
    function = eval(f"lambda x: {source}", NAMES)
    assert outcome(njit(function), argument) == outcome(function, argument)
