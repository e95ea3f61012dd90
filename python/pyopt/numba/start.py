"""Heeds ``PYOPT_AS_NUMBA``; run at the start of Python by ``pyopt_as_numba.pth`` or ``sitecustomize``."""

import os

from pyopt.numba import install
from pyopt.numba.variables import is_wanted

if is_wanted(os.environ):
    install()
