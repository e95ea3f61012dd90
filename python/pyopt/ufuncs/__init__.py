"""Universal functions of the program's own: ``vectorize`` and ``guvectorize``."""

from pyopt.entry_points import entry_point
from pyopt.ufuncs.dufunc import DUFunc
from pyopt.ufuncs.gufunc import GUFunc

__all__ = ["DUFunc", "GUFunc", "guvectorize", "vectorize"]


@entry_point
def vectorize(ftylist_or_function=(), **options):
    """Make a universal function of a function of scalars; it does all that NumPy's own can do.

    Without signatures it is compiled when it is called with new types. With signatures, types as in
    ``["float32(float32, float32)", "float64(float64, float64)"]``, it is compiled at once for these alone;
    NumPy takes the first that the arguments can be cast to safely.

    Options:

    * ``target``: ``"cpu"``, or ``"parallel"`` for loops on all threads
    * ``identity``: what ``reduce`` gives for nothing: 0, 1, None, or ``"reorderable"`` for nothing, where
      axes may be reduced in any order
    * those of ``jit`` but ``parallel`` and ``forceobj``; division by zero gives what NumPy gives
    """
    if options.get("target") == "cuda":
        return _refused("vectorize")
    if callable(ftylist_or_function) and not hasattr(ftylist_or_function, "text"):
        return DUFunc(ftylist_or_function, **options)
    signatures = _listed(ftylist_or_function)

    @entry_point
    def decorate(function):
        made = DUFunc(function, **options)
        made.declare(signatures)
        return made

    return decorate


@entry_point
def guvectorize(*args, **options):
    """Make a generalised universal function: ``guvectorize([types], "(m,n),(n)->(m)")``.

    The function takes the core parts of its operands, the outputs last, and writes the outputs. In types
    such as ``void(float64[:,:], float64[:], float64[:])`` an operand without core dimensions is a number if
    it is an input, else an array of one element. Without types it is compiled when it is called.

    Options are those of ``vectorize``, and ``writable_args``: the positions, or names, of inputs that the
    function writes to.
    """
    if len(args) not in (1, 2):
        raise TypeError("guvectorize() takes one or two positional arguments")
    if options.get("target") == "cuda":
        return _refused("guvectorize")
    signatures = _listed(args[0]) if len(args) == 2 else []

    @entry_point
    def decorate(function):
        made = GUFunc(function, args[-1], **options)
        made.declare(signatures)
        return made

    return decorate


def _refused(name):
    from pyopt.missing import Missing

    return lambda function: Missing(f"{name}(target='cuda')")


def _listed(signatures):
    is_one = isinstance(signatures, str) or hasattr(signatures, "text")
    return [signatures] if is_one else list(signatures or ())
