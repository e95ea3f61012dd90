"""A child process compiles, whatever another thread of its parent was doing when it forked."""

import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, sys, threading, time
from pyopt import njit

@njit
def shared(x):
    total = 0
    for i in range(x):
        total += i % 7
    return total

@njit
def own(x):
    return x + 1

compiles = threading.Thread(target=shared, args=(5,))
compiles.start()
time.sleep({delay})
child = os.fork()
if not child:
    signal.alarm(60)
    os._exit(0 if ({called}(5), own(1)) == ({result}, 2) else 1)
status = os.waitpid(child, 0)[1]
compiles.join()
sys.exit(status)
"""


@pytest.mark.parametrize(("called", "result"), [("own", 6), ("shared", 10)])
@pytest.mark.parametrize("delay", [0.001, 0.004, 0.01, 0.02, 0.04])
def test_first_compilation(called, result, delay):
    program = PROGRAM.format(called=called, result=result, delay=delay)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


IMPORTING = """
import os, signal, sys, threading
import importlib.machinery
import pyopt.forking

begun = threading.Event()

def slowly(original):
    def step(self, what, *others):
        result = original(self, what, *others)
        if getattr(what, "__name__", what) == "pyopt.errors":
            begun.set()
            pyopt.forking.sleep(0.3)
        return result
    return step

importlib.machinery.{step} = slowly(importlib.machinery.{step})
imports = threading.Thread(target=lambda: __import__("pyopt.errors"))
imports.start()
begun.wait()
child = os.fork()
if not child:
    signal.alarm(30)
    import pyopt.errors
    os._exit(0)
status = os.waitpid(child, 0)[1]
imports.join()
sys.exit(status)
"""


@pytest.mark.parametrize("step", ["FileFinder.find_spec", "SourceFileLoader.exec_module"])
def test_a_fork_waits_for_a_module_that_another_thread_imports(step):
    program = IMPORTING.format(step=step)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


ASKING = """
import os, signal, sys, threading
from pyopt import njit
from pyopt.extending import overload

begun, forked = threading.Event(), threading.Event()

def answer(x):
    return x + 41

@overload(answer)
def of_answer(x):
    begun.set()
    forked.wait()
    return lambda x: x + 41

@njit
def asks(x):
    return answer(x)

@njit
def own(x):
    return x + 1

signal.alarm(60)
compiles = threading.Thread(target=asks, args=(1,))
compiles.start()
begun.wait()
child = os.fork()
if not child:
    signal.alarm(60)
    os._exit(0 if own(1) == 2 else 1)
status = os.waitpid(child, 0)[1]
forked.set()
compiles.join()
sys.exit(status or asks(1) != 42)
"""


def test_a_fork_does_not_wait_for_a_compilation_that_asks_python():
    done = subprocess.run([sys.executable, "-c", ASKING], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
