"""Object mode against CPython: `python -m bench.object_mode`.

Times the same functions under the interpreter and in object mode, interleaved, and prints the
ratio; a result that differs is an error.
"""

from __future__ import annotations

import statistics
import time

from pyopt import jit


def call_small(n):
    """Calls of a small function."""

    def run(f):
        for i in range(n):
            f(i, i)

    return run


def add(a, b):
    """A small function."""
    return a + b


def sum_loop(n):
    """A loop over ints."""
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i * 2
    return total


def floats(n):
    """A loop over floats."""
    x = 0.5
    for _ in range(n):
        x = 3.7 * x * (1.0 - x)
    return x


def containers(n):
    """Lists and dicts."""
    counts = {}
    items = []
    for i in range(n):
        key = i & 15
        counts[key] = counts.get(key, 0) + 1
        items.append((key, i))
    return counts, sum(value for _, value in items[-10:]), items[3][1]


def text(n):
    """Strings."""
    out = ""
    for i in range(n):
        out += str(i)
    return len(out.split("1")), f"{out[:5]}-{n}"


class Point:
    """An object with attributes and methods."""

    def __init__(self, x, y):
        """Take two numbers."""
        self.x = x
        self.y = y

    def norm(self):
        """A method."""
        return self.x * self.x + self.y * self.y


def attributes(n):
    """Attributes and method calls."""
    point = Point(1, 2)
    total = 0
    for i in range(n):
        point.x = i
        total += point.norm() + point.y
    return total


def recursion(n):
    """Calls of itself."""
    return n if n < 2 else recursion(n - 1) + recursion(n - 2)


def numbers(n):
    """A generator."""
    for i in range(n):
        yield i * 2


FUNCTIONS = {sum_loop: 20000, floats: 20000, containers: 5000, text: 5000, attributes: 5000}


def sample(function, *args):
    """Seconds of one call."""
    start = time.perf_counter()
    function(*args)
    return time.perf_counter() - start


def compare(name, plain, compiled, rounds=15):
    """Print the medians of both and their ratio."""
    plain(), compiled()
    pairs = [(sample(plain), sample(compiled)) for _ in range(rounds)]
    cpython, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    times = f"CPython {cpython * 1e3:8.3f} ms  object mode {ours * 1e3:8.3f} ms"
    print(f"{name:12} {times}  {ours / cpython:5.2f}")


def main():
    """Time everything."""
    global recursion
    for function, n in FUNCTIONS.items():
        made = jit(forceobj=True)(function)
        assert made(n) == function(n), function.__name__
        compare(function.__name__, lambda f=function, n=n: f(n), lambda f=made, n=n: f(n))
    run = call_small(20000)
    made = jit(forceobj=True)(add)
    compare("call", lambda: run(add), lambda: run(made))
    original = recursion
    compiled = jit(forceobj=True)(original)

    def under(function):
        def call():
            global recursion
            recursion = function
            return function(18)

        return call

    compare("recursion", under(original), under(compiled))
    recursion = original
    made = jit(forceobj=True)(numbers)
    compare("generator", lambda: sum(numbers(20000)), lambda: sum(made(20000)))


if __name__ == "__main__":
    main()
