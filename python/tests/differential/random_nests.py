"""Random nests of two loops, with branches and divisions in the inner one, against CPython.

``python -m tests.differential.random_nests FIRST LAST`` tries the programs of these seeds.
"""

import random
import sys

import numpy as np

from pyopt import njit

_HEAD = "def nest(a, b, c, x, y, w, z):\n"
_LOADS = ["a[i, j]", "a[j, i]", "b[i, j]", "b[j, 0]", "b[i, 1]", "x[i]", "x[j]", "y[j]", "a[j, j]"]
_CONDITIONS = [
    "i != j",
    "j != i",
    "j > i",
    "j != 2",
    "x[j] > 0.0",
    "t0 < 0.25",
    "t0 > s0",
    "z[0] > 0.0",
    "i == j",
]


def division(dividend, divisor):
    """Divide as compiled code does, where NumPy's numbers would give an infinity."""
    if divisor == 0.0:
        raise ZeroDivisionError("float division by zero")
    return dividend / divisor


class Program:
    """The source of a nest."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self._names = []
        self._sums = self._random.randrange(1, 4)
        self._counts = self._random.random() < 0.4
        self._divides = self._random.random() < 0.5
        self._stores_inside = self._random.random() < 0.15
        self.source = _HEAD + "".join(f"    {line}\n" for line in self._outer())

    def _outer(self):
        one = self._random.choice
        yield f"for i in range({one(['len(x)', 'a.shape[0]', 'a.shape[0] - 1'])}):"
        if self._random.random() < 0.2:
            yield f"    {one(['w[i] = 0.0', 'c[i, 0] = x[i]', 'c[i, 0] /= x[0] if x[0] else 1.0'])}"
        for at in range(self._sums):
            yield f"    s{at} = {one(['0.0', 'x[i]', '1e300', '-0.0'])}"
        if self._counts:
            yield "    n = 0"
        yield f"    for j in range({one(['len(x)', 'a.shape[1]', 'len(y)'])}):"
        yield from (f"        {line}" for line in self._block(2))
        for at in range(self._sums):
            is_divided = self._divides and self._random.random() < 0.3
            value = f"div(s{at}, x[i] + 0.5)" if is_divided else f"s{at}"
            yield f"    {one(['w[i] =', 'w[i] +=', 'c[i, 0] =', 'c[i, 1] +='])} {value}"
        if self._counts:
            yield "    c[i, 2] = n"

    def _block(self, depth):
        known = len(self._names)
        for _ in range(self._random.randrange(1, 3)):
            expression = self._expression(2)
            name = f"t{len(self._names)}"
            yield f"{name} = {expression}"
            self._names.append(name)
        yield from self._update()
        if depth and self._random.random() < 0.6:
            yield f"if {self._random.choice(_CONDITIONS)}:"
            yield from (f"    {line}" for line in self._block(depth - 1))
            if self._random.random() < 0.3:
                yield "else:"
                yield from (f"    {line}" for line in self._update())
        if depth and self._random.random() < 0.2:
            yield "if j < len(z):"
            yield f"    s0 += z[j] * {self._expression(0)}"
        del self._names[known:]

    def _update(self):
        at = self._random.randrange(self._sums)
        value = self._expression(1)
        kind = self._random.randrange(6)
        if kind == 0:
            yield f"if {value} < s{at}:"
            yield f"    s{at} = {value}"
            if self._counts:
                yield "    n = j"
        elif kind == 1 and self._counts:
            yield "n += 1"
        elif kind == 2:
            yield f"s{at} = s{at} * 0.5 + {value}"
        elif kind == 3 and self._stores_inside:
            yield f"c[i, j] += {value}"
        else:
            yield f"s{at} += {value}"

    def _expression(self, depth):
        if depth == 0 or self._random.random() < 0.25:
            return self._random.choice([*_LOADS, *self._names, *self._names, "0.5", "2.0"])
        left, right = self._expression(depth - 1), self._expression(depth - 1)
        kind = self._random.randrange(9)
        if kind == 0 and self._divides:
            return f"div({left}, {right})"
        if kind == 1:
            return f"np.sqrt(abs({left}))"
        return f"({left} {'+-*'[kind % 3]} {right})"

    def function(self, source):
        """The function of a source."""
        scope = {"np": np, "div": division}
        exec(source, scope)
        return scope["nest"]

    def compiled(self):
        """The function with divisions."""
        source = self.source.replace("def nest", "def div(p, q):\n    return p / q\n\n\ndef nest")
        scope = {"np": np}
        exec(source, scope)
        scope["div"] = njit(inline="always")(scope["div"])
        return njit(scope["nest"])


def arguments(seed, size):
    """Matrices and vectors, of which some share memory, and some have zeros."""
    choose = np.random.default_rng(seed)
    buffer = choose.standard_normal(6 * size * size + 6 * size + 64)
    if choose.random() < 0.3:
        buffer[choose.integers(0, len(buffer), max(1, size // 2))] = 0.0
    if choose.random() < 0.2:
        buffer[choose.integers(0, len(buffer), 3)] = [np.nan, np.inf, -0.0]
    overlaps = choose.random() < 0.3
    at, made = 0, []
    for shape in [(size, size)] * 3 + [(size,)] * 3 + [(max(1, size - 2),)]:
        count = int(np.prod(shape))
        made.append(buffer[at : at + count].reshape(shape))
        at += int(choose.integers(0, size)) if overlaps else count
    return buffer, made


def outcome(function, seed, size):
    """What a call leaves: the buffer, and the exception."""
    buffer, given = arguments(seed, size)
    raised = None
    with np.errstate(all="ignore"):
        try:
            function(*given)
        except ZeroDivisionError as error:
            raised = str(error)
    return buffer.tobytes(), raised


def difference(seed, sizes=(4, 5, 8, 13, 19)):
    """What CPython and compiled code disagree on; None if it is nothing."""
    program = Program(seed)
    plain, compiled = program.function(program.source), program.compiled()
    for size in sizes:
        for of_arguments in (seed, seed + 1, seed + 2):
            wanted, found = outcome(plain, of_arguments, size), outcome(compiled, of_arguments, size)
            if not _same(wanted, found):
                return f"seed {seed}, arguments {of_arguments}, size {size}:\n{program.source}"
    return None


def _same(wanted, found):
    one, other = (np.frombuffer(result[0]) for result in (wanted, found))
    return wanted[1] == found[1] and np.array_equal(one, other, equal_nan=True)


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        found = difference(number)
        if found is not None:
            print(found, flush=True)
