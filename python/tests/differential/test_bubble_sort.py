"""Bubble sort in place."""

import numpy as np
import pytest
from arrays import WRITABLE_1D, vector
from compare import check

DTYPES = ("i1", "i2", "i4", "i8", "u1", "u4", "f4", "f8")

# Bubble sort


def bubble_sort(a):
    n = len(a)
    for end in range(n - 1, 0, -1):
        for i in range(end):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]


def bubble_sort_renamed(values):
    count = len(values)
    for last in range(count - 1, 0, -1):
        for position in range(last):
            if values[position] > values[position + 1]:
                values[position], values[position + 1] = values[position + 1], values[position]


def bubble_sort_temporary(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(0, n - i - 1):
            if a[j] > a[j + 1]:
                t = a[j]
                a[j] = a[j + 1]
                a[j + 1] = t


def bubble_sort_flag(a):
    swapped = True
    while swapped:
        swapped = False
        for i in range(1, len(a)):
            if a[i - 1] > a[i]:
                a[i - 1], a[i] = a[i], a[i - 1]
                swapped = True


def bubble_sort_early(a):
    n = len(a)
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a


def bubble_sort_down(a):
    n = a.size
    for i in range(n):
        for j in range(n - 1, i, -1):
            if a[j] < a[j - 1]:
                a[j], a[j - 1] = a[j - 1], a[j]


def bubble_sort_descending(a):
    n = len(a)
    for end in range(n - 1, 0, -1):
        for i in range(end):
            if a[i] < a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]


def bubble_sort_while(a):
    end = len(a) - 1
    while end > 0:
        i = 0
        while i < end:
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
            i += 1
        end -= 1


def bubble_sort_counting(a):
    swaps = 0
    for end in range(len(a) - 1, 0, -1):
        for i in range(end):
            x, y = a[i], a[i + 1]
            if x > y:
                a[i] = y
                a[i + 1] = x
                swaps += 1
    return swaps


def bubble_sort_negative_indices(a):
    n = len(a)
    for end in range(1, n):
        for i in range(-n, -end):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]


def bubble_sort_last_swap(a):
    end = len(a) - 1
    while end > 0:
        last = 0
        for i in range(end):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                last = i
        end = last


def cocktail_sort(a):
    low, high = 0, len(a) - 1
    while low < high:
        for i in range(low, high):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
        high -= 1
        for i in range(high, low, -1):
            if a[i - 1] > a[i]:
                a[i - 1], a[i] = a[i], a[i - 1]
        low += 1
    return a, low


SORTS = (
    bubble_sort,
    bubble_sort_renamed,
    bubble_sort_temporary,
    bubble_sort_flag,
    bubble_sort_early,
    bubble_sort_down,
    bubble_sort_descending,
    bubble_sort_while,
    bubble_sort_counting,
    bubble_sort_negative_indices,
    bubble_sort_last_swap,
    cocktail_sort,
)


@pytest.mark.parametrize("layout", WRITABLE_1D)
@pytest.mark.parametrize("function", SORTS)
def test_bubble_sort(function, layout):
    for n in (0, 1, 2, 17):
        check(function, vector(n, layout=layout))


@pytest.mark.parametrize("dtype", (*DTYPES, "u2", "u8", "i2"))
@pytest.mark.parametrize("function", [bubble_sort, bubble_sort_flag, bubble_sort_counting])
def test_bubble_sort_of_other_types(function, dtype):
    for layout in ("C", "reversed"):
        check(function, vector(15, dtype, layout))


def test_bubble_sort_with_special_floats():
    special = np.array([np.inf, -0.0, 0.0, -np.inf, np.nan, 1.0, -1.0, 5e-324])
    for function in SORTS:
        if function not in (bubble_sort_flag, bubble_sort_last_swap):
            check(function, special)
