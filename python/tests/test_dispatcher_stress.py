"""Many threads call many functions with many signatures at once; run by hand for longer:

``python python/tests/test_dispatcher_stress.py --threads 32 --functions 100 --seconds 60``
"""

import argparse
import gc
import pickle
import random
import threading
import time

import numpy as np
import pytest

from pyopt import njit

pytestmark = pytest.mark.serial

# Arguments of ten types, and what `twice` gives for them.
VALUES = [
    *(True, 3, 2.5, 1 + 2j),
    *(np.int8(4), np.uint32(5), np.float32(1.5)),
    *(np.arange(4), np.arange(3.0), (1, 2.5)),
]


def make(number):
    """Make a function of its own, lazily compiled or with declared signatures."""

    def twice(x, times=2):
        return x, times + number

    return njit(["UniTuple(float64, 2)(float64, int64)"])(twice) if number % 10 == 9 else njit(twice)


def check(function, number, value):
    """Call a function and compare; one in ten converts to its declared signature or refuses."""
    if number % 10 == 9:
        if isinstance(value, (complex, tuple, np.ndarray)):
            with pytest.raises(TypeError, match="No matching definition"):
                function(value)
            return
        assert function(value) == (float(value), 2.0 + number)
        return
    passed, times = function(value, times=3)
    assert times == 3 + number
    assert np.array_equal(passed, value)


def stress(threads, functions, seconds, seed=0):
    """Run for some seconds; gives the number of calls, of specialisations, and what went wrong."""
    made = [make(number) for number in range(functions)]
    stop = time.monotonic() + seconds
    calls, failures = [0] * threads, []
    start = threading.Barrier(threads)

    def work(index):
        chance = random.Random(seed * 1000 + index)
        start.wait()
        try:
            while time.monotonic() < stop:
                number = chance.randrange(functions)
                check(made[number], number, chance.choice(VALUES))
                calls[index] += 1
                what = chance.random()
                if what < 0.001:
                    made[number].recompile()
                elif what < 0.002:
                    assert pickle.loads(pickle.dumps(made[number])) is made[number]
                elif what < 0.0022:
                    made[number] = make(number)
                elif what < 0.0024:
                    gc.collect()
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    workers = [threading.Thread(target=work, args=(index,)) for index in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(calls), sum(len(one.overloads) for one in made), failures


def test_threads_functions_and_signatures():
    calls, specialisations, failures = stress(threads=8, functions=12, seconds=3)
    assert failures == []
    assert calls > 100
    assert specialisations > 12


def test_one_new_type_at_once_is_compiled_once():
    function = make(0)
    start = threading.Barrier(16)

    def work():
        start.wait()
        check(function, 0, 2.5)

    workers = [threading.Thread(target=work) for _ in range(16)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sum(function.stats.cache_misses.values()) == 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for option, default in (("--threads", 32), ("--functions", 100), ("--seconds", 60), ("--seed", 0)):
        parser.add_argument(option, type=int, default=default)
    given = parser.parse_args()
    calls, specialisations, failures = stress(**vars(given))
    print(f"{calls} calls, {specialisations} specialisations alive, {len(failures)} failures")
    for failure in failures[:5]:
        print(repr(failure))
