"""Where compiled code's memory comes from: given back, on threads, after forks, by the system's allocator."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from differential.checked_allocator import environment
from differential.memory import growth

from pyopt import njit

MEBIBYTE = 1 << 20


def resident():
    """Give the bytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@njit
def filled(count, value):
    return np.full(count, value)


@linux_only
def test_large_arrays_are_given_back_at_once():
    filled(10, 1.0)
    before = resident()
    array = filled(64 * MEBIBYTE // 8, 1.0)
    assert resident() - before > 60 * MEBIBYTE
    del array
    assert resident() - before < 8 * MEBIBYTE


@linux_only
def test_many_small_pieces_are_not_kept():
    """Of what was freed the pool keeps little for long: it gives back while it is used."""

    @njit
    def texts(count):
        made = [str(number) + " and more" for number in range(count)]
        return len("".join(made))

    texts(10)
    before = resident()
    for _ in range(5):
        texts(1_000_000)
    assert resident() - before < 600 * MEBIBYTE


@njit
def work(count):
    found = {}
    parts = []
    for number in range(count):
        array = np.zeros(3)
        array[number % 3] = number
        found[str(number % 100)] = array.sum()
        parts.append(str(number))
    return len(found) + len(",".join(parts))


def test_arrays_are_freed_by_other_threads():
    make = njit(nogil=True)(lambda count: [np.zeros(number + 1) for number in range(count)])

    def run():
        made = []
        threads = [threading.Thread(target=lambda: made.extend(make(200))) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        while made:
            ends = [threading.Thread(target=made.clear)]
            ends[0].start()
            ends[0].join()

    assert growth(run) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_children_of_a_process_whose_threads_allocate():
    busy = njit(nogil=True)(work.py_func)
    expected = busy(1000)
    stop = threading.Event()

    def keep_busy():
        while not stop.is_set():
            busy(1000)

    threads = [threading.Thread(target=keep_busy) for _ in range(2)]
    for one in threads:
        one.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                os._exit(busy(1000) != expected)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for one in threads:
            one.join()


def test_the_systems_allocator_may_be_asked_for():
    program = """
import numpy as np
from pyopt import njit
@njit
def work(count):
    parts = [str(number) for number in range(count)]
    arrays = [np.zeros(number) for number in range(count)]
    return len(",".join(parts)) + len(arrays) + np.ones(4_000_000).sum()
assert work(300) == 300 + 4_000_000 + len(",".join(map(str, range(300))))
"""
    root = Path(__file__).parents[1]
    paths = os.environ | environment() | {"PYTHONPATH": str(root)}
    subprocess.run([sys.executable, "-c", program], check=True, env=paths)
