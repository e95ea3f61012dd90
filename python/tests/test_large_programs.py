"""Large programs give what CPython gives: what is bounded or shared in them is right."""

import dis
import linecache

import numpy as np
import pytest

from pyopt import njit, prange


def made(source):
    """The function `f` of a program, whose lines tracebacks can show."""
    name = f"<large program {len(linecache.cache)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names = {"np": np, "prange": prange}
    exec(compile(source, name, "exec"), names)
    return names["f"]


def test_many_reductions():
    loops = "".join(
        f"    s{k} = 0.0\n    for i in prange(len(a)):\n        s{k} += a[i] * {k}\n    t += s{k}\n"
        for k in range(70)
    )
    f = made(f"def f(a):\n    t = 0.0\n{loops}    return t, s0, s31, s32, s69\n")
    a = np.arange(20.0)
    assert njit(parallel=True)(f)(a) == f(a)


def test_many_stores():
    loops = "".join(
        f"    for i in prange(len(a)):\n        b[i] += a[i] * {k}\n        c[{k}, i] = b[i]\n"
        for k in range(40)
    )
    f = made(f"def f(a, b, c):\n{loops}    return b\n")
    a = np.arange(20.0)
    ours, theirs = np.zeros((40, 20)), np.zeros((40, 20))
    np.testing.assert_array_equal(njit(parallel=True)(f)(a, np.zeros(20), ours), f(a, np.zeros(20), theirs))
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("parallel", [False, True])
def test_many_arrays(parallel):
    lines = "".join(f"    x{k} = a * {k}.5 + b\n" for k in range(40))
    kept = ", ".join(f"x{k}" for k in range(40))
    f = made(f"def f(a, b):\n{lines}    return ({kept})\n")
    compiled = njit(parallel=parallel)(f)
    a = np.arange(6.0)
    for b in (np.ones(6), np.array([2.0])):
        for ours, theirs in zip(compiled(a, b), f(a, b), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    with pytest.raises(ValueError, match="could not be broadcast"):
        compiled(a, np.ones(5))


@pytest.mark.parametrize("parallel", [False, True])
def test_broadcasts_around_a_write(parallel):
    # The single element is repeated: each sum is of what it is at that time.
    f = made("def f(a, b):\n    x = a + b\n    b[0] = 7.0\n    y = a + b\n    return x, y\n")
    a = np.arange(4.0)
    ours = njit(parallel=parallel)(f)(a, np.array([1.0]))
    np.testing.assert_array_equal(ours, f(a, np.array([1.0])))


def test_an_error_releases_many_arrays():
    lines = "".join(f"    x{k} = a + {k}\n" for k in range(40))
    kept = ", ".join(f"x{k}" for k in range(40))
    f = made(
        f"def f(a, n):\n{lines}    if n < 0:\n        raise ValueError('negative')\n"
        f"    y = np.empty(n)\n    y[:] = 1.0\n    return ({kept}, y)\n"
    )
    compiled = njit(f)
    a = np.arange(3.0)
    assert len(compiled(a, 2)) == 41
    for _ in range(3):
        with pytest.raises(ValueError, match="negative"):
            compiled(a, -1)
    np.testing.assert_array_equal(compiled(a, 2)[39], a + 39)


@pytest.mark.parametrize("joint", [" + ", " + ("])
def test_long_expressions(joint):
    terms = joint.join("ab"[k % 2] for k in range(80))
    f = made(f"def f(a, b):\n    return {terms}{')' * (terms.count('('))}\n")
    a, b = np.arange(5.0), np.arange(5.0) / 3
    np.testing.assert_array_equal(njit(f)(a, b), f(a, b))


def nested(depth, change=""):
    """Functions in functions, each called twice, the innermost with a variable of the outermost."""
    lines = []
    for k in range(depth, -1, -1):
        indent = "    " * (depth - k + 1)
        lines.append(f"{indent}def g{k}(y):\n")
    lines.append(f"{'    ' * (depth + 2)}return y * c\n")
    for k in range(1, depth + 1):
        indent = "    " * (depth - k + 2)
        lines.append(f"{indent}return g{k - 1}(y) + g{k - 1}(y + 1)\n")
    text = "".join(lines)
    return made(f"def f(x):\n    c = x + 1\n{text}    s = g{depth}(x)\n{change}    return s\n")


@pytest.mark.parametrize("depth", [3, 12])
def test_closures_called_twice(depth):
    f = nested(depth)
    assert njit(f)(3) == f(3)


def test_closures_of_a_variable_that_changes():
    f = nested(4, f"    c = 5\n    s += g{4}(x)\n")
    assert njit(f)(3) == f(3)


def test_long_displays():
    items = ", ".join("x" if k % 3 else f"x + {k}" if k % 2 else str(k) for k in range(300))
    f = made(f"def f(x):\n    l = [{items}]\n    l.append(x)\n    return sum(l), len(l), l[299]\n")
    assert njit(f)(4) == f(4)
    g = made(f"def f(x):\n    t = ({items})\n    return t[0] + t[299]\n")
    assert njit(g)(4) == g(4)


def test_long_conditions():
    terms = " and ".join(f"(x != {k} or y == {k})" for k in range(100))
    f = made(f"def f(x, y):\n    if {terms}:\n        return 1\n    return 2\n")
    compiled = njit(f)
    for x, y in [(-1, 0), (50, 50), (50, 51), (99, 0)]:
        assert compiled(x, y) == f(x, y)


def depth(compiled):
    """How deep branches nest once control flow is structured."""
    lines = compiled.inspect_ir("typed-lift-control-flow").splitlines()
    return max((len(line) - len(line.lstrip())) // 2 for line in lines if "scf." in line)


LONG = 200
CONDITIONS = {
    "and": "    if {and}:\n        return 1\n    return 2\n",
    "or": "    if {or}:\n        y += 1.0\n    else:\n        y -= 1.0\n    return y\n",
    "value": "    return {value}\n",
    "while": "    n = 0\n    while n < 7 and {and}:\n        n += 1\n        x += 1\n    return n\n",
    "elif": "    r = -1.0\n    if x < -5:\n        r = 0.5\n{elif}    return r + y\n",
    "mixed": "    if {mixed}:\n        return x\n    return -x\n",
    "assigned": "    if {assigned}:\n        return k\n    return -1\n",
    "array": "    b = np.zeros(3)\n    if {assigned}:\n        b = b + k\n    return b.sum() + x\n",
}
PARTS = {
    "and": " and ".join(f"x != {k * 3}" for k in range(LONG)),
    "or": " or ".join(f"x == {k * 3}" for k in range(LONG)),
    "value": " or ".join(f"x * (x == {k * 3})" for k in range(LONG)),
    "mixed": " and ".join(f"(x != {k * 3} or y > {k})" for k in range(LONG)),
    "assigned": " or ".join(f"(k := x + {k}) == {k * 4}" for k in range(LONG)),
    "elif": "".join(f"    elif x == {k * 3}:\n        r = y * {k}\n" for k in range(LONG)),
}


@pytest.mark.parametrize("kind", CONDITIONS)
def test_long_conditions_do_not_nest(kind):
    body = CONDITIONS[kind]
    for name, text in PARTS.items():
        body = body.replace("{" + name + "}", text)
    f = made(f"def f(x, y):\n{body}")
    compiled = njit(f)
    for x, y in [(-9, 0.5), (0, 1.0), (1, 5.0), (3, 99.5), (300, 7.0), (597, 250.0), (598, -1.0), (900, 0.0)]:
        assert compiled(x, y) == f(x, y)
    # Some of CPython's compilers put a copy of the function's end into each branch, nested as it is written.
    returns = sum(one.opname.startswith("RETURN") for one in dis.get_instructions(f))
    has_copies = kind == "elif" and returns > LONG
    assert (depth(compiled) < LONG / 2) != has_copies


def test_many_loops_in_a_row():
    loops = "".join(
        f"    for i in range(n):\n        if a[i] > {k * 5}:\n            {end}\n        t += a[i]\n"
        f"        for j in range(i):\n            t += j * {k}\n"
        for k, end in enumerate(["break", "continue", "t -= 1.0", "break"] * 5)
    )
    f = made(f"def f(a, n):\n    t = 0.0\n{loops}    return t\n")
    a = np.arange(30.0)
    assert njit(f)(a, 30) == f(a, 30)
