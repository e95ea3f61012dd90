"""``jit_module``: decorates the functions of a module at once."""

import sys
from types import FunctionType

from pyopt.decorators import jit


def jit_module(**options):
    """Compile all functions that the calling module has defined so far, as ``jit(**options)`` would."""
    scope = sys._getframe(1).f_globals
    for name, value in list(scope.items()):
        if isinstance(value, FunctionType) and value.__module__ == scope["__name__"]:
            scope[name] = jit(value, **options)
