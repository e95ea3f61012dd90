"""Loop lifting: loops of object-mode functions that run on machine types."""

from types import CellType, FunctionType

from pyopt import _core
from pyopt.decorators import njit
from pyopt.errors import PyoptError

# So many kinds of arguments are remembered of those a loop can't be compiled for; the compiler is never
# asked again after that.
_MOST_REFUSED = 16


class LiftedLoop:
    """A loop: called with the variables it reads, it gives a tuple of those that are read behind it.

    It gives None for arguments that it can't be compiled for; then the function runs its loop itself.
    """

    def __init__(self, function):
        """Compile nothing yet."""
        self.dispatcher = njit(function)
        self.refused = set()

    def __call__(self, *args):
        """Run the loop, unless there are no machine types for it."""
        if self.refused and (len(self.refused) >= _MOST_REFUSED or _kinds(args) in self.refused):
            return None
        try:
            return self.dispatcher(*args)
        except PyoptError:
            pass
        except (TypeError, OverflowError):
            # Either of an argument that machine code can't take, or of the loop itself.
            if all(map(_is_passable, args)):
                raise
        self.refused.add(_kinds(args))
        return None


def lift(function):
    """Return a function that calls its outermost loops; the same one if there is none to lift."""
    lifted = _core.lift_loops(function.__code__)
    if lifted is None:
        return function
    code, codes = lifted
    closure = function.__closure__ or ()
    loops = [LiftedLoop(_with_code(function, one, closure)) for one in codes]
    made = _with_code(function, code, (*closure, *map(CellType, loops)))
    made.__defaults__ = function.__defaults__
    made.__kwdefaults__ = function.__kwdefaults__
    made.__annotations__ = function.__annotations__
    made.__dict__.update(function.__dict__)
    made.__doc__ = function.__doc__
    made.__wrapped__ = function
    made.lifted = loops
    return made


def _with_code(function, code, closure):
    made = FunctionType(code, function.__globals__, function.__name__, None, closure)
    made.__module__ = function.__module__
    made.__qualname__ = function.__qualname__
    return made


def _kinds(args):
    return tuple(getattr(one, "dtype", None) or type(one) for one in args)


def _is_passable(value):
    try:
        _core.typeof_text(value)
    except (TypeError, OverflowError):
        return False
    return True
