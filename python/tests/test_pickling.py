"""Compiled functions are pickled: by name, or with their code and all that it refers to."""

import copy
import math
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from pyopt import njit

SCALE = 3


def make_adder(n):
    @njit
    def adder(x):
        return x + n

    return adder


def make_composed(n):
    inner = make_adder(n)

    def plain(x):
        return inner(x) * SCALE

    @njit(error_model="numpy")
    def outer(x, shift=np.float64(0.5), *, sign=1):
        return (plain(x) + math.floor(shift)) * sign

    return outer


@njit
def known(x):
    return x


def test_functions_of_modules_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(known)) is known
    assert len(pickle.dumps(known)) < 80


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_closures_are_themselves_in_their_own_process(protocol):
    adder = make_adder(5)
    assert pickle.loads(pickle.dumps(adder, protocol)) is adder
    pair = pickle.loads(pickle.dumps((adder, adder), protocol))
    assert pair[0] is pair[1]
    assert copy.copy(adder) is copy.deepcopy(adder) is adder


def elsewhere(value, expression, with_cloudpickle=False):
    """Evaluate an expression of what was pickled in another process."""
    if with_cloudpickle:
        data = pytest.importorskip("cloudpickle").dumps(value)
    else:
        data = pickle.dumps(value)
    program = f"import pickle, sys\nf = pickle.loads({data!r})\nprint(repr({expression}))\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return eval(done.stdout)


@pytest.mark.parametrize("with_cloudpickle", [False, True])
def test_closures_work_in_other_processes(with_cloudpickle):
    expression = "(f(1), f(1.5), f.__name__, f.signatures.__len__(), pickle.loads(pickle.dumps(f)) is f)"
    assert elsewhere(make_adder(5), expression, with_cloudpickle) == (6, 6.5, "adder", 2, True)


def test_closures_over_closures_defaults_and_globals():
    function = make_composed(4)
    expression = "(f(1), f(1, sign=-1), f(2, shift=7.5), f.targetoptions['error_model'])"
    assert elsewhere(function, expression) == (15, -15, 25, "numpy")
    assert (function(1), function(1, sign=-1), function(2, shift=7.5)) == (15, -15, 25)


def make_countdown():
    @njit
    def countdown(n):
        return 0 if n <= 0 else 1 + countdown(n - 1)

    return countdown


def make_pair():
    @njit("int64(int64)")
    def even(n):
        return 1 if n == 0 else odd(n - 1)

    @njit("int64(int64)")
    def odd(n):
        return 0 if n == 0 else even(n - 1)

    return even, odd


def test_functions_that_refer_to_each_other():
    assert elsewhere(make_countdown(), "f(7)") == 7
    assert elsewhere(make_pair(), "(f[0](10), f[1](10), f[0](9.5))") == (1, 0, 0)


def test_declared_signatures_are_kept():
    n = 2
    function = njit(["float64(float64)"])(lambda x: x + n)
    assert elsewhere(function, "(f(1), [str(one) for one in f.nopython_signatures])") == (
        3.0,
        ["(float64,) -> float64"],
    )
    lazy = njit(lambda x: x + n)
    lazy(1)
    assert elsewhere(lazy, "(f.signatures, f(1.5))") == ([], 3.5)


def test_functions_of_the_main_program():
    program = """
    import multiprocessing, pickle
    from pyopt import njit

    OFFSET = 10

    @njit
    def helper(x):
        return x + OFFSET

    @njit
    def f(x):
        return helper(x) * 2

    if __name__ == "__main__":
        assert pickle.loads(pickle.dumps(f)) is f
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            print(pool.map(f, [1, 2.5]))
    """
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(textwrap.dedent(program))
        command = [sys.executable, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.stdout == "[22, 25.0]\n", done.stderr


def test_what_cannot_be_pickled_says_so():
    lock = __import__("threading").Lock()
    function = njit(lambda x: x if lock else 0)
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(function)


def test_forgotten_functions_are_made_anew():
    function = make_adder(7)
    data = pickle.dumps(function)
    del function
    assert pickle.loads(data)(1) == 8
