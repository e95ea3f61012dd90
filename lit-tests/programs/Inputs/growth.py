"""growth.py PY-TRANSLATE PYOPT: what passes do on programs of N and 2 N statements.

Counts, not seconds: what the statistics of passes say, and how many operations a module has.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

VECTOR = "!typed.array<1, f64, C>"


def reductions(n: int) -> str:
    """Loops over one space, each with a result of its own."""
    loops = "".join(
        f"    s{k} = 0.0\n    for i in prange(len(a)):\n        s{k} += a[i] * {k}.5\n    t += s{k}\n"
        for k in range(n)
    )
    return f"from pyopt import prange\ndef f(a):\n    t = 0.0\n{loops}    return t\n"


def expressions(n: int) -> str:
    """Array expressions whose arrays are all kept."""
    made = "".join(f"    x{k} = a * {k}.5 + b\n" for k in range(n))
    kept = ", ".join(f"x{k}" for k in range(n))
    return f"def f(a, b):\n{made}    return ({kept},)\n"


def chain(n: int) -> str:
    """One expression of so many terms, the first ones innermost."""
    return f"def f(a, b):\n    return {' + '.join('ab'[k % 2] for k in range(n))}\n"


def nested(n: int) -> str:
    """One expression of so many terms, the last ones innermost."""
    terms = " + (".join("ab"[k % 2] for k in range(n))
    return f"def f(a, b):\n    return {terms}{')' * (n - 1)}\n"


def closures(n: int) -> str:
    """Functions in functions, each called twice."""

    def inner(k: int, indent: str) -> str:
        if k == 0:
            return f"{indent}def g0(y):\n{indent}    return y + c\n"
        body = inner(k - 1, indent + "    ")
        called = f"{indent}    return g{k - 1}(y) + g{k - 1}(y * 2.0)\n"
        return f"{indent}def g{k}(y):\n{body}{called}"

    return f"def f(a):\n    c = a[0]\n{inner(n, '    ')}    return g{n}(a[1])\n"


def conditions(n: int) -> str:
    """A long condition."""
    return f"def f(a, b):\n    return {' and '.join(f'a[{k}] != b[{k}]' for k in range(n))}\n"


def compiled(program: str, parallel: bool) -> str:
    """The module in LLVM's dialect and the statistics of the passes on the way."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "program.py")
        source.write_text(program)
        arguments = re.search(r"def f\((.*)\)", program)[1].split(", ")
        signature = f"f({', '.join(VECTOR for _ in arguments)})"
        translate = [sys.argv[1], str(source), "-s", signature]
        lifted = subprocess.run(translate, check=True, capture_output=True, text=True).stdout
        pipeline = "--py-parallel-pipeline" if parallel else "--py-nopython-pipeline"
        options = [pipeline, "--mlir-pass-statistics", "--mlir-disable-threading"]
        run = [*sys.argv[2:], *options]
        done = subprocess.run(run, input=lifted, check=True, capture_output=True, text=True)
        return done.stdout + done.stderr


def statistic(name: str) -> Callable[[str], int]:
    """How to find what passes have counted under a name."""
    return lambda text: sum(map(int, re.findall(rf"\(S\) +(\d+) {name} ", text)))


def operations(text: str) -> int:
    """How many operations the module has."""
    return len(re.findall(r"^ +(?:%\S+ = )?llvm\.", text, re.MULTILINE))


CASES = [
    (reductions, 50, True, statistic("compared")),
    (reductions, 50, True, statistic("searches")),
    (reductions, 50, True, operations),
    (expressions, 50, False, statistic("expanded")),
    (expressions, 50, False, operations),
    (chain, 100, False, statistic("moved")),
    (nested, 50, False, statistic("moved")),
    (closures, 48, False, operations),
    (conditions, 50, False, statistic("blocks")),
    (conditions, 200, False, statistic("cuts")),
]

for make, size, parallel, count in CASES:
    small, large = (count(compiled(make(n), parallel)) for n in (size, 2 * size))
    kind = f"{make.__name__}: {small} at {size}, {large} at {2 * size}"
    print(kind, "is linear" if 0 < large <= 2.5 * small else "grows", flush=True)
