"""Object mode under a CPython whose frames compiled code can't run on: the interpreter runs the function.

What it does is then CPython's behaviour by construction. Its loops may still be lifted to machine types.
"""

from types import FunctionType
from weakref import WeakSet

from pyopt.errors import UnsupportedError
from pyopt.host import VERSION, copy_function_attributes
from pyopt.object_mode_members import NAMES, of_object_mode

# The functions that were made here.
_MADE = WeakSet()


def make(function):
    """Make a function that runs another one's code and has the attributes of object mode."""
    made = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy_function_attributes(function, made)
    made.__dict__.update(function.__dict__)
    made.py_func = function
    for name in NAMES:
        setattr(made, name, of_object_mode(made, name))
    made.compile = lambda signature=None: made
    for name in ("inspect_ir", "inspect_llvm", "inspect_asm", "explain"):
        setattr(made, name, _refuse)
    _MADE.add(made)
    return made


def is_made(function):
    """Whether a function comes from here."""
    return function in _MADE


def _refuse(stage=None):
    version = ".".join(map(str, VERSION))
    raise UnsupportedError(
        f"the interpreter runs functions of object mode under CPython {version}: there is no code to look at"
    )
