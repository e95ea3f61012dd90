"""The decorators ``jit`` and ``njit``, and what loops say to the compiler: ``prange``, ``literal_unroll``."""

from pyopt import config
from pyopt.dispatcher import Dispatcher
from pyopt.entry_points import entry_point

_PARALLEL = ("comprehension", "fusion", "inplace_binop", "numpy", "prange", "reduction", "setitem", "stencil")
_FASTMATH = ("afn", "arcp", "contract", "fast", "ninf", "nnan", "nsz", "reassoc")


class prange:
    """Like ``range``; a loop over it runs in parallel where ``parallel=True`` is set."""

    def __new__(cls, *args):
        """Outside compiled code, be the range."""
        return range(*args)


class pndindex:
    """Like ``numpy.ndindex``; a loop over it runs in parallel where ``parallel=True`` is set."""

    def __new__(cls, *shape):
        """Outside compiled code, be the ``numpy.ndindex``."""
        import numpy as np

        return np.ndindex(*shape)


def literally(value):
    """Give the value; in compiled code it must be known when the function is compiled."""
    return value


def literal_unroll(items):
    """Give the items; a loop over them is compiled as a copy of its body for each item of its own type."""
    return items


def of_package(*values):
    """Make these the package's own: the compiler knows them by its name and theirs."""
    import pyopt

    for value in values:
        value.__module__ = pyopt.__name__
        setattr(pyopt, value.__name__, value)


of_package(prange, pndindex, literally, literal_unroll)


@entry_point
def jit(signature_or_function=None, **options):
    """Compile a function when it is called, or at once for the given signature or list of signatures.

    Options:

    * ``nopython``: true unless ``forceobj`` is set
    * ``forceobj``: object mode: any function, on Python objects, with the interpreter's own behaviour
    * ``parallel``: parallelise, or a dict that switches transformations off by name
    * ``target``: ``"cpu"``, or the name of a device that parallel loops run on, whatever the context is
    * ``fastmath``: allow inexact floating point transformations, or a set of LLVM's flag names
    * ``error_model``: ``"python"`` (division by zero raises) or ``"numpy"``; without it that of the caller,
      and of a function that Python calls ``"python"``
    * ``boundscheck``: check indices
    * ``nogil``: release the GIL while compiled code runs
    * ``inline``: ``"always"`` puts the body in the place of calls, before types are inferred
    * ``forceobj``: ``True`` compiles for Python objects instead, exactly as CPython behaves; with
      ``looplift=True`` loops that have machine types are compiled for those, where ints have 64 bits
    * ``debug``: describe functions, lines and variables to gdb, and check indices; with
      ``_dbg_optnone=True`` the code stays unoptimised, so that all variables have a value
    * ``cache``: keep what it is compiled to on disk, for later processes
    * ``locals``: types of numbers and truth values by the names of variables: what is assigned is converted
    * those in ``docs/options.md``: accepted, without an effect

    What can't be compiled is an error when the function is called, or for a signature at once, unless
    ``PYOPT_POSTPONE_ERRORS`` is set; what isn't supported is none before the call: a program that doesn't use
    it runs.
    """
    function = signatures = None
    if callable(signature_or_function) and not _is_signature(signature_or_function):
        function = signature_or_function
    elif signature_or_function is not None:
        signatures = signature_or_function
        if not (isinstance(signatures, (list, tuple, str)) or _is_signature(signatures)):
            _check_python_function(signatures)
    if options.get("nopython") is False:
        _warn_of_nopython()
    if options.get("forceobj") and options.get("nopython"):
        raise ValueError("Only one of 'nopython' or 'forceobj' can be True.")
    if config.DISABLE_JIT:
        return (lambda function: function) if function is None else function
    if options.get("forceobj"):
        return _object_mode(signature_or_function, options)
    checked = check_options(options)

    @entry_point
    def decorate(function):
        dispatcher = make_dispatcher(function, checked, options)
        if signatures is not None:
            dispatcher.declare(signatures if isinstance(signatures, list) else [signatures])
        return dispatcher

    return decorate if function is None else decorate(function)


def _warn_of_nopython():
    from warnings import warn

    from pyopt.errors import NumbaDeprecationWarning

    message = "The keyword argument 'nopython=False' was supplied. It has no effect: see forceobj=True"
    warn(message, NumbaDeprecationWarning, stacklevel=3)


def make_dispatcher(function, checked, options):
    """Make what compiles a Python function, with options in full and as they were given."""
    return dispatcher_of(_check_python_function(function), checked, refused_option(checked, options))


def dispatcher_of(function, options, refusal=None):
    """Make the dispatcher of a Python function, with options in full."""
    dispatcher = Dispatcher(function, options)
    dispatcher.refusal = refusal
    return dispatcher


@entry_point
def njit(signature_or_function=None, **options):
    """Compile as ``jit`` does; the name says that there is no fallback to the interpreter.

    ``nopython`` and ``forceobj`` are ignored, with a warning.
    """
    ignored = [name for name in ("nopython", "forceobj") if name in options]
    for name in ignored:
        import warnings

        del options[name]
        warnings.warn(f"{name} is set for njit and is ignored", RuntimeWarning, stacklevel=2)
    return jit(signature_or_function, **options)


# Options of Numba's that say how its compiler works, and their values.
_WITHOUT_EFFECT = (
    *("_dbg_extend_lifetimes", "_nrt", "forceinline", "no_cfunc_wrapper", "no_cpython_wrapper"),
    *("no_rewrites", "nopython", "pipeline_class"),
)


def check_options(options):
    """Give the options in full, as a decorator may be given them again; raise for those it can't honour."""
    rest = dict(options)
    take = rest.pop
    for name in _WITHOUT_EFFECT:
        take(name, None)
    _only(take("forceobj", False), (False, None), "forceobj", "expected True or False")
    # Only object mode has loops to lift.
    _only(take("looplift", False), (True, False, None), "looplift", "expected True or False")
    cache = take("cache", False)
    _only(cache, (True, False, None), "cache", "expected True or False")
    inline = take("inline", "never")
    # A function, a model of costs for Numba's compiler, leaves it to this one.
    if not callable(inline):
        _only(inline, ("never", "always"), "inline", "expected 'never', 'always' or a function")
    parallel = _parallel(take("parallel", False))
    error_model = take("error_model", None)
    if error_model not in (None, "python", "numpy"):
        raise _option_error(f"error_model={error_model!r}: expected 'python' or 'numpy'")
    # As it was given: programs read it, and `bindings` finds the flags.
    fastmath = take("fastmath", None)
    fastmath_flags(fastmath)
    checked = {
        "nopython": True,
        "parallel": parallel,
        "fastmath": fastmath,
        "error_model": error_model,
        "inline": "always" if inline == "always" else "never",
        "locals": _locals(take("locals", None)),
        "target": _target(take("target", None), parallel),
        "cache": bool(cache),
    }
    for name in ("debug", "_dbg_optnone", "boundscheck", "nogil"):
        # As in Numba, code that is debugged checks indices unless it is told not to.
        defaults = {"debug": bool(config.DEBUGINFO_DEFAULT), "boundscheck": checked.get("debug")}
        value = take(name, None)
        _only(value, (True, False, None), name, "expected True or False")
        checked[name] = bool(defaults.get(name) if value is None else value)
    if config.BOUNDSCHECK is not None:
        checked["boundscheck"] = bool(config.BOUNDSCHECK)
    for name in rest:
        if not config.POSTPONE_ERRORS:
            raise _unknown(name)
    return checked


def _object_mode(function, options):
    """Decorate for object mode, where signatures and the options of machine code have no effect."""
    rest = dict(options)
    if rest.pop("forceobj") is not True:
        raise _option_error(f"forceobj={options['forceobj']!r}: expected True or False")
    loop_lift = rest.pop("looplift", False)
    _only(loop_lift, (True, False, None), "looplift", "expected True or False")
    checked = check_options(rest)
    if checked["nogil"]:
        _warn_of_nogil()
    cache = checked["cache"]
    made = make_loop_lifting if loop_lift else make_object_mode
    make = _uncached(made) if cache else made
    if callable(function) and not _is_signature(function):
        return make(function)
    return make if function is None else _checking(make, function)


def _warn_of_nogil():
    from warnings import warn

    from pyopt.errors import NumbaWarning

    message = "Code running in object mode won't allow parallel execution despite nogil=True."
    warn(message, NumbaWarning, stacklevel=4)


def _checking(make, signatures):
    """Give a decorator that expects a type for each parameter, though objects are passed as they are."""

    @entry_point
    def check_and_make(function):
        from pyopt.types import parse_signature

        count = _check_python_function(function).__code__.co_argcount
        for one in signatures if isinstance(signatures, list) else [signatures]:
            given = len(parse_signature(one).args)
            if given not in (0, count):
                raise TypeError(
                    f"Signature mismatch: {given} argument types given, but function takes {count} arguments"
                    f": {one} for {function.__qualname__}"
                )
        return make(function)

    return check_and_make


def _uncached(make):
    def warn_and_make(function):
        from pyopt.errors import warn_uncached

        warn_uncached(_check_python_function(function), "it is compiled in object mode")
        return make(function)

    return warn_and_make


def make_object_mode(function):
    """Make the object-mode version of a Python function.

    It is compiled when it is called first, or run by the interpreter where compiled code can't take the place
    of its frames.
    """
    from pyopt import _core

    if is_object_mode(function):
        raise TypeError(f"A jit decorator was called on an already jitted function: {function.__qualname__}")
    if not _core.OWN_FRAMES:
        from pyopt import interpreted

        return interpreted.make(_check_python_function(function))

    import copyreg

    from pyopt.pickling import reduce_object_mode

    copyreg.pickle(_core.ObjectModeFunction, reduce_object_mode)
    return _core.make_function(_check_python_function(function))


def is_object_mode(function):
    """Whether a function is the object-mode version of another one."""
    from pyopt import _core

    if _core.OWN_FRAMES:
        return isinstance(function, _core.ObjectModeFunction)
    from pyopt import interpreted

    return interpreted.is_made(function)


def make_loop_lifting(function):
    """Make the object-mode version of a function whose loops are compiled for machine types."""
    from pyopt.loops import lift

    return make_object_mode(lift(_check_python_function(function)))


def _only(value, allowed, name, reason):
    if not any(value is one or (value == one and type(value) is type(one)) for one in allowed):
        raise _option_error(f"{name}={value!r}: {reason}")


def _target(value, parallel):
    """Give the name of what calls run on; None where the context says."""
    if value is None or value == "cpu":
        return value
    if not isinstance(value, str):
        raise _option_error(f"target={value!r}: expected 'cpu' or the name of a device")
    if not parallel:
        raise _option_error(f"target={value!r}: devices run parallel loops, of parallel=True")
    return value


def _parallel(value):
    if value is None or isinstance(value, bool):
        return bool(value)
    if not isinstance(value, dict):
        raise _option_error(f"parallel={value!r}: expected True, False or a dict")
    for name, wanted in value.items():
        if name not in _PARALLEL:
            from pyopt.errors import UnknownNameError

            known = ", ".join(_PARALLEL)
            raise UnknownNameError(f"parallel: unknown transformation {name!r}; there are {known}")
        if not isinstance(wanted, bool):
            raise _option_error(f"parallel: {name!r} is {wanted!r}, expected True or False")
    return dict(value) or True


def in_full(options):
    """Give checked options as the compiler takes them."""
    parallel = options["parallel"]
    wanted = parallel if isinstance(parallel, dict) else {}
    return options | {
        "parallel": bool(parallel),
        "parallel_off": sorted(name for name in wanted if not wanted[name]),
        "inline": options["inline"] == "always",
        "fastmath": fastmath_flags(options["fastmath"]),
    }


def fastmath_flags(value):
    """Give the names of LLVM's flags that a value of the option ``fastmath`` stands for.

    That is None where the decorator says nothing: such a function has the flags of its callers.
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return ["fast"] if value else []
    if not isinstance(value, (dict, set, frozenset, list, tuple)):
        raise _option_error(f"fastmath={value!r}: Expected fastmath option(s) to be True, False or flags")
    for name in value:
        if name not in _FASTMATH:
            known = ", ".join(_FASTMATH)
            raise _option_error(f"Unrecognized fastmath flags: {name!r}; there are {known}")
    return sorted(name for name in value if not isinstance(value, dict) or value[name])


def _locals(types):
    """Give the types of variables that mean a conversion, by name."""
    types = dict(types or {})
    for name, type in types.items():
        if not hasattr(type, "text"):
            raise _option_error(f"locals: the type of '{name}' is {type!r}, expected a type")
    return {name: type for name, type in types.items() if hasattr(type, "bitwidth") or type.text == "i1"}


def _is_signature(value):
    # Types can be called, to write signatures: `int64(int64)`.
    return hasattr(value, "text")


def _check_python_function(function):
    if isinstance(function, Dispatcher):
        name = function.__qualname__
        raise TypeError(
            f"A jit decorator was called on an already jitted function: {name}; "
            f"the Python function is {name}.py_func"
        )
    if not hasattr(function, "__code__") or not hasattr(function, "__globals__"):
        kind = (
            f"a class, {type(function)}" if isinstance(function, type) else f"an object of {type(function)}"
        )
        raise TypeError(f"The decorated object is not a function, but {kind}")
    return function


def _unknown(name):
    from pyopt.errors import DeprecationError, UnknownOptionError

    if name in ("argtypes", "restype"):
        return DeprecationError(
            f"Deprecated keyword argument `{name}`. "
            "Signatures should be passed as the first positional argument."
        )
    return UnknownOptionError(f"unknown option '{name}'")


def refused_option(checked, options):
    """Give the error of an option that can't be honoured, which is raised when the function is used."""
    known = {"forceobj", "looplift", *_WITHOUT_EFFECT, *checked}
    for name in options:
        if name not in known:
            return _unknown(name)
    if options.get("pipeline_class") is None:
        return None
    from pyopt.errors import UnsupportedError

    hint = "passes are added with pyopt.rewrites, or by an extension"
    return UnsupportedError("pipeline_class isn't supported: the compiler isn't written in Python", hint=hint)


def _option_error(message):
    from pyopt.errors import OptionError

    return OptionError(message)
