"""Edit distances of arrays and strings."""

import numpy as np
import pytest
from arrays import laid_out
from compare import check

# Levenshtein distance


def levenshtein(a, b):
    m, n = len(a), len(b)
    distances = np.zeros((m + 1, n + 1), np.int64)
    for i in range(m + 1):
        distances[i, 0] = i
    for j in range(n + 1):
        distances[0, j] = j
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            distances[i, j] = min(
                distances[i - 1, j] + 1, distances[i, j - 1] + 1, distances[i - 1, j - 1] + cost
            )
    return distances[m, n]


def levenshtein_renamed(source, target):
    rows = len(source) + 1
    columns = len(target) + 1
    table = np.zeros((rows, columns), np.int64)
    for r in range(rows):
        table[r, 0] = r
    for c in range(columns):
        table[0, c] = c
    for r in range(1, rows):
        for c in range(1, columns):
            change = 0 if source[r - 1] == target[c - 1] else 1
            table[r, c] = min(table[r - 1, c] + 1, table[r, c - 1] + 1, table[r - 1, c - 1] + change)
    return table[rows - 1, columns - 1]


def levenshtein_two_rows(a, b):
    previous = np.arange(len(b) + 1)
    current = np.zeros(len(b) + 1, np.int64)
    for i in range(len(a)):
        current[0] = i + 1
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            current[j + 1] = min(previous[j] + cost, previous[j + 1] + 1, current[j] + 1)
        previous, current = current, previous
    return previous[len(b)]


def levenshtein_one_row(a, b):
    row = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        diagonal = row[0]
        row[0] = i
        for j in range(1, len(b) + 1):
            above = row[j]
            if a[i - 1] == b[j - 1]:
                row[j] = diagonal
            else:
                row[j] = 1 + min(diagonal, above, row[j - 1])
            diagonal = above
    return row[-1]


def levenshtein_branches(a, b):
    table = np.empty((len(a) + 1, len(b) + 1), np.int32)
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0:
                table[i, j] = j
            elif j == 0:
                table[i, j] = i
            elif a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1]
            else:
                best = table[i - 1, j - 1]
                if table[i - 1, j] < best:
                    best = table[i - 1, j]
                if table[i, j - 1] < best:
                    best = table[i, j - 1]
                table[i, j] = best + 1
    return int(table[len(a), len(b)])


def levenshtein_early(a, b):
    if len(a) == 0:
        return len(b)
    if len(b) == 0:
        return len(a)
    previous = np.arange(len(b) + 1)
    for i in range(len(a)):
        current = np.empty(len(b) + 1, np.int64)
        current[0] = i + 1
        for j in range(len(b)):
            current[j + 1] = min(previous[j] + (a[i] != b[j]), previous[j + 1] + 1, current[j] + 1)
        previous = current
    return previous[len(b)]


def levenshtein_while(a, b):
    row = np.arange(len(b) + 1)
    i = 0
    while i < len(a):
        diagonal = row[0]
        row[0] = i + 1
        j = 1
        while j <= len(b):
            best = diagonal + (0 if a[i] == b[j - 1] else 1)
            best = min(best, row[j] + 1)
            best = min(best, row[j - 1] + 1)
            diagonal = row[j]
            row[j] = best
            j += 1
        i += 1
    return row[len(b)]


def levenshtein_bounded(a, b):
    row = np.arange(len(b) + 1)
    for i in range(len(a)):
        diagonal, row[0] = row[0], i + 1
        smallest = row[0]
        for j in range(len(b)):
            changed = diagonal + (0 if a[i] == b[j] else 1)
            diagonal = row[j + 1]
            row[j + 1] = min(changed, diagonal + 1, row[j] + 1)
            smallest = min(smallest, row[j + 1])
        if smallest > 4:
            return -1
    return row[len(b)]


def levenshtein_weighted(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1))
    for i in range(1, len(a) + 1):
        table[i, 0] = table[i - 1, 0] + 0.75
    for j in range(1, len(b) + 1):
        table[0, j] = table[0, j - 1] + 1.25
    for i in range(len(a)):
        for j in range(len(b)):
            cost = 0.0 if a[i] == b[j] else 1.5
            table[i + 1, j + 1] = min(table[i, j + 1] + 0.75, table[i + 1, j] + 1.25, table[i, j] + cost)
    return table[len(a), len(b)]


def levenshtein_transposed(a, b):
    table = np.zeros((len(b) + 1, len(a) + 1), np.int64)
    for i in range(len(a) + 1):
        table[0, i] = i
    for j in range(1, len(b) + 1):
        table[j, 0] = j
        for i in range(1, len(a) + 1):
            table[j, i] = min(
                table[j - 1, i - 1] + int(a[i - 1] != b[j - 1]), table[j, i - 1] + 1, table[j - 1, i] + 1
            )
    return table[-1, -1]


LEVENSHTEINS = (
    levenshtein,
    levenshtein_renamed,
    levenshtein_two_rows,
    levenshtein_one_row,
    levenshtein_branches,
    levenshtein_early,
    levenshtein_while,
    levenshtein_bounded,
    levenshtein_weighted,
    levenshtein_transposed,
)
WORDS = ("kitten", "sitting", "", "intention", "execution", "a")


@pytest.mark.parametrize("function", LEVENSHTEINS)
@pytest.mark.parametrize("kind", ["C-u1", "reversed-u1", "strided-i4", "readonly-i8", "C-i2"])
def test_levenshtein_of_arrays(function, kind):
    layout, dtype = kind.split("-")
    words = [laid_out(np.frombuffer(word.encode(), np.uint8).astype(dtype), layout) for word in WORDS]
    for one in words:
        for other in words:
            check(function, one, other)


@pytest.mark.parametrize("function", LEVENSHTEINS)
def test_levenshtein_of_strings(function):
    words = (*WORDS, "größer", "日本語", "日本")
    for one in words:
        for other in words:
            check(function, one, other)
