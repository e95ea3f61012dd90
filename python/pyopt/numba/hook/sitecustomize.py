"""The start-up hook of an environment that pyopt isn't installed in, but only on ``PYTHONPATH``.

Python imports one module of this name, the first on the path. Behind it comes the one it hides.
"""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

_here = os.path.dirname(__file__)
_hidden = PathFinder.find_spec(__name__, [one for one in sys.path if os.path.abspath(one or ".") != _here])
if _hidden is not None:
    _hidden.loader.exec_module(module_from_spec(_hidden))

import pyopt.numba.start  # noqa: E402, F401
