"""Some random programs where freed memory is overwritten; ``checked_allocator.py`` runs any number."""

import sysconfig
from pathlib import Path

import pytest
from checked_allocator import run

HERE = Path(__file__).parent

# What is compared with itself, lists of lists that come back from Python, loops over them, and lists of lists
# with the items of those that were passed: the compiler and the runtime once used what they had freed.
KNOWN = """
import numpy as np
from pyopt import njit, objmode, types

ROWS = types.List(types.List(types.int64))

@njit
def same(x):
    c = 5
    if c == c and not (c < c) and c is c:
        return x
    return -x

@njit
def rows(n):
    with objmode(made=ROWS):
        made = [list(range(i + 1)) for i in range(n)]
    made[0] = made[-1]
    return sum([sum(row) for row in made]), made

@njit
def longer(rows, ends):
    return [row + [end] for row in rows for end in ends]

rows_of_texts = [[]]
for ends in (("g", "d", "e"), ("a", "bc"), tuple("wxyz")):
    expected = [row + [end] for row in rows_of_texts for end in ends]
    rows_of_texts = longer(rows_of_texts, ends)
    assert rows_of_texts == expected

for n in range(1, 30):
    assert same(n) == n
    made = [list(range(i + 1)) for i in range(n)]
    made[0] = made[-1]
    assert rows(n) == (sum(map(sum, made)), made)
print("fine")
"""


PIECE = """
import ctypes
c = ctypes.CDLL(None)
c.malloc.restype = ctypes.c_void_p
piece = c.malloc(256)
ctypes.memset(piece, 7, 256)
c.free(ctypes.c_void_p(piece))
"""


def test_the_allocator_shows_what_uses_freed_memory():
    read = run(
        ["-c", PIECE + "print(ctypes.string_at(piece + 128, 1)[0])"], 165, capture_output=True, text=True
    )
    assert read.stdout.strip() == "165"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        # Nothing else is of this allocator there, so the next piece may be the same one.
        return
    again = run(["-c", PIECE + "c.malloc(100); c.free(ctypes.c_void_p(piece))"], capture_output=True)
    assert again.returncode != 0


@pytest.mark.parametrize(
    ("seed", "count", "size", "pattern"),
    [(4000, 40, ["--small"], 165), (5000, 30, ["--small"], 90), (6000, 10, [], 255)],
)
def test_random_programs(seed, count, size, pattern):
    arguments = [HERE / "random_programs.py", "--count", count, "--seed", seed, *size]
    done = run(arguments, pattern, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert f"{count} of {count} programs agree" in done.stdout


@pytest.mark.parametrize("pattern", [1, 90, 165, 255])
def test_what_was_once_used_after_it_was_freed(pattern):
    done = run(["-c", KNOWN], pattern, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr[-4000:]
