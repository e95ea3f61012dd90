"""``print`` in compiled code is Python's own."""

import numpy as np
import pytest

from pyopt import errors, njit


def several(a, b):
    print(a, b, "text", (a, 2.5, (True,)), None, 1j)
    print()
    print(a, sep="")


def separated(a, b):
    print(a, b, sep="-", end="|\n")
    print(a, b, sep=None, end=" ")
    print("ä", "b", sep="")


def in_loop(n):
    for i in range(n):
        print(i, [i, 2 * i])
    return n


def flushes(now, time):
    print(time, flush=now)
    print(str(time), f"{time}", flush=None)
    print((time, 1), end="", flush=True)


def prints_arrays(a):
    print(a, a * 2, a[0])


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (several, (1, -2.5)),
        (several, (True, "x")),
        (separated, (3, 4)),
        (in_loop, (3,)),
        (in_loop, (0,)),
        (flushes, (1, np.timedelta64(100, "ms"))),
        (flushes, (0, np.datetime64("2020-02-29"))),
        (flushes, (True, np.datetime64("NaT", "s"))),
        (prints_arrays, (np.arange(4),)),
        (prints_arrays, (np.arange(6.0).reshape(2, 3),)),
    ],
)
def test_what_is_printed(function, args, capsys):
    expected = function(*args), capsys.readouterr().out
    assert (njit(function)(*args), capsys.readouterr().out) == expected


class Broken:
    """A stream that takes nothing."""

    def write(self, text):
        """Raise."""
        raise OSError("broken stream")


def test_what_printing_raises_leaves(monkeypatch):
    compiled = njit(in_loop)
    compiled(0)
    monkeypatch.setattr("sys.stdout", Broken())
    with pytest.raises(OSError, match="broken stream"):
        compiled(1)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: print(1, flush="x"), "print\\(\\) can't take 'flush' in compiled code"),
        (lambda: print(1, sep=2), "print\\(\\) can't take 'sep' in compiled code"),
        (lambda: print(slice(3)), "slice<a:b> can't be printed in compiled code"),
    ],
)
def test_what_is_refused(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)()
