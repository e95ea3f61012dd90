"""`explain`: what was done to loops, and what prevented more.

The texts are those of the first tier, of a machine with vectors of at least 256 bits.
"""

import re
import sys
import textwrap

import numpy as np
import pytest

from pyopt import njit, prange
from pyopt.explanation import Explanation

A = np.arange(1.0, 40.0)
RECURRENCE = (
    "a recurrence runs one element after the other: what doesn't depend on it is faster in its own loop"
)


def explained(function, *args):
    function(*args)
    explanation = function.explain()
    assert isinstance(explanation, Explanation)
    return explanation


def kinds(facts):
    return [fact.kind for fact in facts]


def only(explanation):
    assert len(explanation.loops) == 1, str(explanation)
    return explanation.loops[0]


def test_code_of_other_files_is_part_of_loops():
    @njit(parallel=True)
    def columns(a):
        return a.sum(axis=0) + 1

    assert any("folding.py" in loop.file for loop in explained(columns, np.ones((4, 5))).loops)


@njit
def scale(a, b):
    for i in range(a.shape[0]):
        b[i] = a[i] * 2.0


@njit
def total(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
    return s


@njit(fastmath=True)
def total_in_any_order(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
    return s


@njit
def recurrence(a):
    for i in range(1, a.shape[0]):
        a[i] = a[i - 1] * 0.5 + a[i]


@njit
def search(a, x):
    i = 0
    while a[i] < x:
        i += 1
    return i


@njit
def checked(a, b, c):
    for i in range(a.shape[0]):
        c[i] = a[i] / b[i]


@njit
def running(a):
    s = 0.0
    for i in range(a.shape[0]):
        if s > 1e6:
            raise ValueError("too large")
        s += a[i]
    return s


@njit
def sorted_parts(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += np.median(a[: i + 1])
    return s


@njit
def columns(a, b):
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            b[i, j] = a[i, j] + 1.0


@njit
def expression(a, b):
    return np.sum((a * 2.0 + b) / 3.0)


@njit(parallel=True)
def norms(a):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        out[i] = np.sqrt((a[i] * a[i]).sum())
    return out


def test_a_loop_that_is_vectorised():
    loop = only(explained(scale, A, A.copy()))
    assert loop.vectorised and loop.vector_width >= 2
    assert (loop.kind, loop.source, loop.depth) == ("for", "for i in range(a.shape[0])", 0)
    assert kinds(loop.done) == ["vectorised"] and not loop.obstacles
    assert loop.line == scale.py_func.__code__.co_firstlineno + 2
    assert loop.file == __file__


def test_the_order_of_a_sum():
    loop = only(explained(total, A))
    assert not loop.vectorised
    (fact,) = loop.obstacles
    assert fact.kind == "order" and "`s += a[i]`" in fact.text or "`s`" in fact.text
    assert "fastmath" in fact.advice
    assert only(explained(total_in_any_order, A)).vectorised


def test_a_recurrence():
    loop = only(explained(recurrence, A.copy()))
    assert kinds(loop.obstacles) == ["dependence"]
    # The element is carried in a register, so it is the loop that LLVM speaks of.
    assert "`for i in range(1, a.shape[0]):`" in loop.obstacles[0].text


def test_a_loop_of_unknown_length():
    loop = only(explained(search, A, 5.0))
    assert (loop.kind, loop.source) == ("while", "while a[i] < x")
    assert kinds(loop.obstacles) == ["count"]


def test_checks_that_run_ahead():
    loop = only(explained(checked, A, A, A.copy()))
    assert loop.vectorised
    assert kinds(loop.done) == ["vectorised", "checks-hoisted"]
    assert not loop.obstacles


def test_a_check_that_stays():
    loop = only(explained(running, A))
    assert "check" in kinds(loop.obstacles)
    fact = next(fact for fact in loop.obstacles if fact.kind == "check")
    assert "ValueError: too large" in fact.text
    assert fact.line == running.py_func.__code__.co_firstlineno + 5
    assert "exit" not in kinds(loop.obstacles)


def test_a_call():
    loop = only(explained(sorted_parts, A))
    assert kinds(loop.obstacles) == ["call"]
    assert "median" in loop.obstacles[0].text


def test_loops_that_change_places():
    a = np.ones((20, 30))
    outer, inner = explained(columns, a, a.copy()).loops
    assert (outer.depth, inner.depth) == (0, 1)
    assert "interchanged" in kinds(outer.done)
    assert outer.vectorised or inner.vectorised


def test_an_array_expression():
    (loop,) = explained(expression, A, A).loops
    assert loop.kind in ("array_expr", "reduction")
    assert loop.vectorised
    assert "fused" in kinds(loop.done)


def test_a_parallel_loop():
    loops = explained(norms, np.ones((20, 30))).loops
    outer = loops[0]
    assert (outer.kind, outer.schedule, outer.parallel) == ("prange", "static", True)
    assert "all iterations do the same" in next(fact.text for fact in outer.done if fact.kind == "parallel")
    assert any(loop.vectorised for loop in loops[1:])


def test_the_text():
    text = str(explained(recurrence, A.copy()))
    line = recurrence.py_func.__code__.co_firstlineno
    expected = f"""\
        {__name__}.recurrence(a: {recurrence.signatures[0][0]}) -> none, optimised at lean
        {__file__}:
          line {line + 2}: for loop: for i in range(1, a.shape[0])
            - each iteration needs what the one before computed: `for i in range(1, a.shape[0]):`
                {RECURRENCE}
    """
    assert text == textwrap.dedent(expected).rstrip()


def without_widths(text):
    return re.sub(r"\d+ elements at a time(, \d+ vectors an iteration)?", "N elements at a time", text)


@pytest.mark.parametrize(
    ("function", "args", "expected"),
    [
        (
            columns,
            (np.ones((20, 30)), np.ones((20, 30))),
            """\
              line 2: for loop: for j in range(a.shape[1])
                + vectorised: N elements at a time
                + changes places with the loop in it, which then walks along rows
                line 3: for loop: for i in range(a.shape[0])
                  + vectorised: N elements at a time
            """,
        ),
        (
            expression,
            (A, A),
            """\
              line 2: array expression: np.sum((a * 2.0 + b) / 3.0)
                + vectorised: N elements at a time
                + the operations on arrays of the line became one loop
            """,
        ),
        (
            norms,
            (np.ones((20, 30)),),
            """\
              line 3: prange loop: for i in prange(a.shape[0])
                + runs on threads, with a static schedule: all iterations do the same
                line 4: array expression: (a[i] * a[i]).sum()
                  + vectorised: N elements at a time
                  + the operations on arrays of the line became one loop
            """,
        ),
        (
            sorted_parts,
            (A,),
            """\
              line 3: for loop: for i in range(a.shape[0])
                - line 4: calls a function that isn't part of the loop: `np.median(a[:i + 1])`
                    small functions that can't raise become part of their callers
            """,
        ),
        (
            total,
            (A,),
            """\
          line 3: for loop: for i in range(a.shape[0])
            - line 4: floats are added in the order of iterations, which decides their rounding: `s += a[i]`
                fastmath=True, or {'reassoc'}, allows any order; so does the sum of an array expression
            """,
        ),
    ],
)
def test_texts(function, args, expected):
    """Lines are counted from the function's first."""
    told = str(explained(function, *args)).split("\n", 2)[2]
    first = function.py_func.__code__.co_firstlineno
    told = re.sub(r"line (\d+)", lambda found: f"line {int(found[1]) - first}", told)
    wanted = textwrap.dedent(expected).strip()
    told = textwrap.dedent(without_widths(told))
    if sys.version_info < (3, 11):
        # 3.10 knows lines alone: the whole line stands for a part of it.
        told, wanted = (re.sub(r"(expression|part of the loop): .*", r"\1", one) for one in (told, wanted))
    assert told == wanted


def test_a_function_without_loops():
    @njit
    def add(a, b):
        return a + b

    add(1, 2)
    assert str(add.explain()).endswith("\n  no loops")


def test_source_that_cant_be_read():
    names = {}

    def run(source):
        # "<string>" has a source in CPython 3.13: what `python -c` runs.
        exec(compile(source, "<no file>", "exec"), names)

    run("def doubled(a):\n  for i in range(len(a)):\n    a[i] *= 2.0\n")
    loop = only(explained(njit(names["doubled"]), A.copy()))
    assert loop.vectorised and loop.source is None and loop.line == 2
    run("def total(a):\n  s = 0.0\n  for x in a:\n    s += x\n  return s\n")
    loop = only(explained(njit(names["total"]), A))
    assert (loop.line, kinds(loop.obstacles), loop.obstacles[0].line) == (3, ["order"], 4)


def test_which_signature():
    @njit
    def doubled(a):
        for i in range(a.shape[0]):
            a[i] *= 2

    with pytest.raises(ValueError, match="isn't compiled yet"):
        doubled.explain()
    doubled(A.copy())
    doubled(np.arange(20))
    with pytest.raises(ValueError, match="choose one"):
        doubled.explain()
    assert only(doubled.explain("(int64[::1],)")).vectorised


def test_explaining_changes_nothing():
    b, c = A.copy(), A.copy()
    recurrence(b)
    before = recurrence.inspect_llvm()
    assert str(recurrence.explain()) == str(recurrence.explain())
    assert recurrence.inspect_llvm() == before
    recurrence(c)
    assert np.array_equal(b, c)


def test_statements_that_are_merged_where_arrays_turn_out_to_be_apart():
    @njit
    def both(a, b, x, y):
        x[:] = a + b
        y[:] = a - b

    first, second = explained(both, *np.ones((4, 5))).loops
    assert "compared" not in kinds(first.done)
    assert {"compared", "fused"} <= set(kinds(second.done))
    assert "not-fused" not in kinds(second.obstacles)
