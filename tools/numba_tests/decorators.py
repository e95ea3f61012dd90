"""What stands for Numba's `jit` and `njit` in its tests: each call is compared with CPython's.

A test's function runs as Python, on the arguments of the test; pyopt's version runs before that,
on copies. Where the two differ or pyopt refuses, Numba is asked: what Numba does too is one of the
deliberate differences (ints of 64 bits, arguments converted to a signature), what Numba refuses is
no use-case.
"""

from __future__ import annotations

import sys
from types import CellType, FunctionType, MappingProxyType, SimpleNamespace

import numba
import numba.core.compiler
import numba.core.decorators
import pyopt
from numba.core import sigutils
from numpy.random import RandomState

from numba_tests.comparison import call, copied, difference, replay
from numba_tests.internals import internal
from numba_tests.records import Pair, record, record_start, refusal
from numba_tests.translation import (
    Untranslatable,
    fill,
    name_to_pyopt,
    names,
    reached,
    shell,
    take_settings,
    to_pyopt,
)
from numba_tests.universal import Universal

_numba_jit = numba.jit
_numba_njit = numba.njit
_numba_compile = numba.core.compiler.compile_extra
_numba_compile_by_class = numba.core.compiler.CompilerBase.compile_extra

_NUMBA_ERRORS = (numba.core.errors.NumbaError, numba.core.errors.UnsupportedBytecodeError)

# Options that say how Numba compiles, not what the function means.
_IGNORED = frozenset(
    "nopython cache debug no_cpython_wrapper no_cfunc_wrapper no_rewrites pipeline_class "
    "target_backend enable_pyobject _nrt _dbg_extend_lifetimes _dbg_optnone".split()
)


class Compiled:
    """A function of the tests as its dispatcher."""

    # How many Python runs of compiled functions are on the stack: they aren't compiled themselves.
    python_depth = 0
    # The sub-passes of `parallel=True` that pyopt leaves out.
    switched_off: tuple[str, ...] = ()

    def __init__(self, function: FunctionType, options: dict, signatures: list | None):
        """Keep the function; compile it for the signatures, if there are any."""
        self.py_func = function
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__
        self.options = {name: value for name, value in options.items() if value is not None}
        self.object_mode = bool(self.options.get("forceobj"))
        self.dispatchers = {}
        self.seen = []
        self.is_refused = False
        self.given = None if signatures is None else [_normal(one) for one in signatures]
        if self.given is not None and not Compiled.python_depth:
            self._compile_signatures()

    def __get__(self, instance, owner=None):
        """Bind as a method, as functions do."""
        return self if instance is None else MethodOf(self, instance)

    @property
    def overloads(self):
        """Numba's mapping of signatures: each gives what can be called."""
        return _Overloads(self)

    @property
    def signatures(self):
        """The argument types it was called with, or compiled for."""
        return [args for args, _ in self.given] if self.given is not None else self.seen

    def compile(self, signature):
        """Compile for a signature."""
        self.given = [*(self.given or []), _normal(signature)]
        self._compile_signatures()
        return _Overloads(self)[signature]

    def disable_compile(self, val=True):
        """Accept that no more is compiled."""

    def dispatcher(self, compiler: str):
        """The dispatcher of pyopt or of Numba."""
        if not self.dispatchers:
            # Both at once: globals and free variables have the values of now.
            shells = {one: shell(self.py_func) for one in ("pyopt", "numba")}
            for one, function in shells.items():
                try:
                    self.dispatchers[one] = self._decorate(function, one)
                except Exception as error:
                    self.dispatchers[one] = error
            for one, function in shells.items():
                fill(function, self.py_func, lambda value, one=one: self._converted(value, one))
                self._name_itself(function, one)
        made = self.dispatchers[compiler]
        if isinstance(made, Exception):
            raise made
        return made

    def _converted(self, value: object, compiler: str) -> object:
        if isinstance(value, Compiled):
            return value.dispatcher(compiler)
        if isinstance(value, Universal):
            return value.version(compiler)
        if type(value) in (tuple, list):
            return type(value)(self._converted(one, compiler) for one in value)
        return name_to_pyopt(value) if compiler == "pyopt" else value

    def _name_itself(self, function: FunctionType, compiler: str) -> None:
        # While a recursive function is decorated, its name stands for nothing yet.
        made = self.dispatchers[compiler]
        function.__globals__.setdefault(self.__name__, made)
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        for name, cell in cells:
            if name == self.__name__ and cell == CellType():
                cell.cell_contents = made

    def _decorate(self, function: FunctionType, compiler: str):
        if compiler == "numba":
            return _numba_jit(function, **self.options)
        options = {name: one for name, one in self.options.items() if name not in _IGNORED}
        if options.get("parallel") is True and Compiled.switched_off:
            options["parallel"] = dict.fromkeys(Compiled.switched_off, False)
        return pyopt.jit(function, **options)

    def _pair(self, types: str) -> Pair:
        return Pair.of(self.py_func, types, self.options)

    def _compile_signatures(self) -> None:
        for args, returns in self.given:
            pair = self._pair(str(args))
            try:
                self._compile_by_pyopt(pair, args, returns)
            except Exception as error:
                self.is_refused = True
                self._refused(pair, error, args, ())
            else:
                record(pair, "compiled")

    def _compile_by_pyopt(self, pair: Pair, args: tuple, returns) -> None:
        record_start(pair)
        dispatcher = self.dispatcher("pyopt")
        if self.object_mode:
            dispatcher.compile()
            return
        made = tuple(map(to_pyopt, args))
        result = None if returns is None else to_pyopt(returns)
        dispatcher.compile(pyopt.types.Signature(result, made))

    def _refused(self, pair: Pair, error: Exception, args: tuple, values: tuple) -> None:
        """Record why pyopt refuses, or that Numba does too, and then raise Numba's error."""
        rule = internal(self.py_func, self.options, values)
        if rule is not None:
            record(pair, "internal", rule)
            return
        try:
            self.dispatcher("numba").compile(args)
        except _NUMBA_ERRORS as numba_error:
            record(pair, "internal", f"Numba refuses it too: {refusal(error)}")
            raise numba_error
        except Exception as numba_error:
            # Numba doesn't say no by an error of its own: counted against pyopt.
            record(pair, "refused", f"{refusal(error)} ({type(numba_error).__name__} in Numba)")
            return
        record(pair, "refused", refusal(error))

    def __call__(self, *arguments, **keywords):
        """Compare a call by pyopt with one by CPython; do what CPython's does."""
        if Compiled.python_depth or self.is_refused:
            return self.py_func(*arguments, **keywords)
        types = tuple(_typeof(one) for one in (*arguments, *keywords.values()))
        if types not in self.seen:
            self.seen.append(types)
        given = self.given[0][0] if self.given else None
        pair = self._pair(str(types if given is None or len(self.given) > 1 else given))
        copies, memo = [], {}
        for _ in ("pyopt", "numba", "CPython again"):
            copies.append((copied(arguments, memo), copied(keywords, memo)))
            memo = {}
        error = found = None
        record_start(pair)
        take_settings()
        try:
            dispatcher = self.dispatcher("pyopt")
            if self.given is not None and not self.object_mode:
                for args, _ in self.given:
                    tuple(map(to_pyopt, args))
                dispatcher.disable_compile()
            found = call(dispatcher, *self._taken(*copies[0], "pyopt"))
        except (pyopt.errors.PyoptError, Untranslatable) as refused:
            error = refused
        if found is not None and is_refusal(found.raised, given is not None):
            error = found.raised
        Compiled.python_depth += 1
        try:
            expected = call(self.py_func, arguments, keywords)
        finally:
            Compiled.python_depth -= 1
        if error is not None:
            self._refused(pair, error, given or types, arguments)
            return replay(expected)
        why = difference(expected, found)
        if why is None:
            record(pair, "agrees")
        else:
            self._differs(pair, why, expected, found, copies)
        return replay(expected)

    def _taken(self, arguments: tuple, keywords: dict, compiler: str) -> tuple:
        keywords = {name: self._converted(one, compiler) for name, one in keywords.items()}
        return tuple(self._converted(one, compiler) for one in arguments), keywords

    def _differs(self, pair: Pair, why: str, expected, found, copies) -> None:
        if self._is_random(expected, copies[2]):
            record(
                pair,
                "internal",
                "draws random numbers",
            )
            return
        try:
            dispatcher = self.dispatcher("numba")
            for args, returns in self.given or ():
                if args not in dispatcher.overloads:
                    dispatcher.disable_compile(False)
                    dispatcher.compile(args if returns is None else returns(*args))
                    dispatcher.disable_compile()
        except _NUMBA_ERRORS:
            record(pair, "internal", "Numba refuses it too, pyopt compiles it")
            return
        numba_found = call(dispatcher, *self._taken(*copies[1], "numba"))
        single = "float32" in pair.types or "complex64" in pair.types
        if isinstance(numba_found.raised, _NUMBA_ERRORS):
            record(pair, "internal", "Numba refuses it too, pyopt compiles it")
        elif difference(numba_found, found, single) is None:
            record(pair, "agrees", f"with Numba: {why}")
        else:
            record(pair, "differs", why)

    def _is_random(self, expected, copies) -> bool:
        drawn = any(
            isinstance(getattr(one, "__self__", None), RandomState) for one in reached(self.py_func)
        )
        if not drawn and "random" not in names(self.py_func.__code__):
            return False
        Compiled.python_depth += 1
        try:
            return difference(expected, call(self.py_func, *copies)) is not None
        finally:
            Compiled.python_depth -= 1


class MethodOf:
    """A compiled function bound to an instance."""

    def __init__(self, function: Compiled, instance: object):
        """Keep both."""
        self.function = function
        self.instance = instance

    def __call__(self, *arguments, **keywords):
        """Call with the instance first."""
        return self.function(self.instance, *arguments, **keywords)


class _Overloads(dict):
    """Numba's table of compiled versions: each is the function itself."""

    def __init__(self, function: Compiled):
        super().__init__({args: _result_of(function) for args in function.signatures})
        self.function = function

    def __missing__(self, signature):
        return _result_of(self.function)


class _Unknown(str):
    """Machine code and IR that Numba doesn't make here: a test that looks into them goes on."""

    def __contains__(self, part):
        return True

    def __getattr__(self, name):
        return self

    def __call__(self, *_, **__):
        return self


def _result_of(function: Compiled) -> SimpleNamespace:
    """What stands for Numba's result of a compilation."""
    return SimpleNamespace(entry_point=function, library=_Unknown())


def is_refusal(error: BaseException | None, converts: bool) -> bool:
    """Whether an exception is a compiler's refusal, or that of an argument it has no type for."""
    if isinstance(error, pyopt.errors.PyoptError):
        return True
    # With a signature, arguments that can't be converted raise TypeError, as with Numba.
    return not converts and isinstance(error, TypeError) and str(error).startswith("argument ")


def _normal(signature) -> tuple:
    args, returns = sigutils.normalize_signature(signature)
    return tuple(args), returns


def _typeof(value: object) -> object:
    if isinstance(value, Compiled):
        return f"function {value.__name__}"
    try:
        return numba.typeof(value)
    except Exception:
        return type(value).__name__


def jit(signature_or_function=None, locals=MappingProxyType({}), **options):
    """Numba's `jit`, for its tests; all else gets the real one."""
    if not _is_called_by_tests(2):
        return _numba_jit(signature_or_function, locals=locals, **options)
    return _jit(signature_or_function, dict(locals), options)


def njit(signature_or_function=None, locals=MappingProxyType({}), **options):
    """Numba's `njit`, for its tests."""
    if not _is_called_by_tests(2):
        return _numba_njit(signature_or_function, locals=locals, **options)
    options.pop("forceobj", None)
    return _jit(signature_or_function, dict(locals), options)


def _jit(signature_or_function, locals: dict, options: dict):
    if locals:
        options["locals"] = locals
    signatures = None
    given = signature_or_function
    if isinstance(given, list):
        signatures = given
    elif given is not None and sigutils.is_signature(given):
        signatures = [given]
    elif given is not None:
        return Compiled(_python_function(given), options, None)
    return lambda function: Compiled(_python_function(function), options, signatures)


def _python_function(function: object) -> FunctionType:
    if isinstance(function, Compiled):
        raise TypeError("A jit decorator was called on an already jitted function")
    if not isinstance(function, FunctionType):
        raise TypeError(f"The decorated object is not a function (got type {type(function)}).")
    return function


def compile_extra(typing, target, function, args, return_type, flags, locals, **rest):
    """Numba's `compile_extra`, for its tests: compiles for one signature."""
    if not _is_called_by_tests(2):
        return _numba_compile(typing, target, function, args, return_type, flags, locals, **rest)
    options = {"forceobj": True, "looplift": True} if flags.force_pyobject else {}
    signature = tuple(args) if return_type is None else return_type(*args)
    return SimpleNamespace(entry_point=Compiled(function, options, [signature]))


def compile_by_class(compiler, function):
    """`compile_extra` of Numba's compiler classes, for its tests."""
    if not _is_called_by_tests(2):
        return _numba_compile_by_class(compiler, function)
    return SimpleNamespace(entry_point=Compiled(function, {}, [tuple(compiler.state.args)]))


def _is_called_by_tests(depth: int) -> bool:
    name = sys._getframe(depth).f_globals.get("__name__", "")
    return name == "numba.tests" or name.startswith("numba.tests.")


def install() -> None:
    """Put these in the place of Numba's."""
    numba.jit = numba.core.decorators.jit = jit
    numba.njit = numba.core.decorators.njit = njit
    numba.core.compiler.compile_extra = compile_extra
    numba.core.compiler.CompilerBase.compile_extra = compile_by_class
