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

begun, original = threading.Event(), importlib.machinery.SourceFileLoader.exec_module

def slowly(loader, module):
    original(loader, module)
    if module.__name__ == "pyopt.errors":
        begun.set()
        pyopt.forking.sleep(0.3)

importlib.machinery.SourceFileLoader.exec_module = slowly
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


def test_a_fork_waits_for_a_module_that_another_thread_imports():
    done = subprocess.run([sys.executable, "-c", IMPORTING], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
