"""Compiled by two releases of CPython 3.13: `pythonX.Y comprehensions.py` writes comprehensions.X.Y.Z.pyc."""


def squares(values):
    return [x * x for x in values]


def pairs(n):
    return [i * j for i in range(n) for j in range(i) if j % 2]


def distinct(n, x):
    found = {x % 3 for x in range(n)}
    return len(found) + x


def table(n):
    return {i: i * i for i in range(n)}


def total(values):
    return sum(x * 2 for x in values)


def functions(values):
    return [(lambda: x) for x in values]


if __name__ == "__main__":
    import importlib.util
    import marshal
    import sys
    from pathlib import Path

    source = Path(__file__).read_text()
    code = compile(source, "comprehensions.py", "exec", dont_inherit=True)
    header = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")
    path = Path(__file__).with_suffix(".{}.{}.{}.pyc".format(*sys.version_info))
    path.write_bytes(header + importlib.util.source_hash(source.encode()) + marshal.dumps(code))
