"""Compiled by CPython 3.10 to 3.15: `pythonX.Y versions.py` writes versions.X.Y.pyc."""

import math


def polynomial(x, a, b=2.0):
    return math.sqrt(x * x) + a**2 - b


def accumulate(values, limit):
    total = 0.0
    for index in range(len(values)):
        value = values[index]
        if value > limit and not index == 3:
            total += polynomial(value, 1.0, b=0.5)
    return total


def window(values, start, stop):
    part = values[start:stop]
    part[0] = part[1] if part[0] is not None else 1.0
    return part


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def safe(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        return -1.0


def squares(n):
    for x in range(3):
        n += x
    return [x * x for x in range(n) if x & 1]


if __name__ == "__main__":
    import importlib.util
    import marshal
    import sys
    from pathlib import Path

    source = Path(__file__).read_text()
    code = compile(source, "versions.py", "exec", dont_inherit=True)
    header = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")
    path = Path(__file__).with_suffix(".{}.{}.pyc".format(*sys.version_info))
    path.write_bytes(header + importlib.util.source_hash(source.encode()) + marshal.dumps(code))
