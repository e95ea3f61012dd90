"""pyopt under Numba's name: ``import numba`` gives pyopt, and libraries built on Numba run on it unchanged.

There are three ways in:

* ``python -m pyopt.numba script.py`` (or ``-m module``, or ``-c code``) runs a program so;
* ``PYOPT_AS_NUMBA=1`` in the environment does so for every Python that has pyopt installed;
* ``pyopt.numba.install()`` does so in a running program, before anything has imported Numba.

With the first two, processes that the program starts follow. What pyopt doesn't have can be imported, and
raises ``UnsupportedError`` where it is used.
"""

import os
import sys

#: The version of Numba whose names are there, and of the llvmlite that belongs to it.
NUMBA_VERSION = "0.68.1"
LLVMLITE_VERSION = "0.50.0"


def install():
    """Make ``import numba`` and ``import llvmlite`` mean pyopt in this process."""
    if is_installed():
        return
    present = sys.modules.keys() & {"numba", "llvmlite"}
    if present:
        raise RuntimeError(
            f"{', '.join(sorted(present))} is imported already: install pyopt in its place first"
        )
    from pyopt.numba.finder import Finder
    from pyopt.numba.variables import take_over

    take_over(os.environ)
    sys.meta_path.insert(0, Finder())


def is_installed():
    """Whether ``import numba`` means pyopt."""
    return any(type(finder).__module__ == "pyopt.numba.finder" for finder in sys.meta_path)
