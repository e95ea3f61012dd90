"""What stands for Numba's universal functions in its tests: each call is compared with Numba's.

CPython has no universal functions of the program's own, so Numba's are the reference here. In
compiled functions they are pyopt's for pyopt and Numba's for Numba.
"""

from __future__ import annotations

import sys
from types import FunctionType, SimpleNamespace

import numba
import numba.np.ufunc
import pyopt
from numba.core import sigutils, types

from numba_tests.comparison import call, copied, difference
from numba_tests.internals import internal
from numba_tests.records import Pair, record, record_start, refusal
from numba_tests.translation import Untranslatable, to_pyopt

_METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")
# Options that say how Numba compiles, not what the function means.
_IGNORED = ("nopython", "cache", "is_dynamic")

_REAL = {
    name: getattr(numba.np.ufunc, name)
    for name in ("vectorize", "guvectorize", "Vectorize", "GUVectorize")
}
_real_dufunc = numba.np.ufunc.dufunc.DUFunc


class Universal:
    """A universal function of the tests."""

    # How many calls of Numba's are on the stack: what they call isn't compared itself.
    depth = 0

    def __init__(self, function, numba_made, layout: str | None, options: dict):
        """Keep the function, what Numba makes of it, and the layout of a generalised one."""
        self.py_func = function
        self.numba_made = numba_made
        self.layout = layout
        self.options = {name: one for name, one in options.items() if name not in _IGNORED}
        self.signatures = []
        self.pyopt_made = None
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(self, name, getattr(function, name))

    def __getattr__(self, name):
        """Give a method that compares; all else is Numba's."""
        found = getattr(self.numba_made, name)
        if name in _METHODS:
            return lambda *args, **keywords: self._compare(name, args, keywords)
        return found

    def __reduce__(self):
        """Be Numba's in what is pickled."""
        return self.numba_made.__reduce__()

    def __call__(self, *arguments, **keywords):
        """Compare a call."""
        return self._compare("__call__", arguments, keywords)

    def add(self, signature):
        """Compile for a signature too."""
        self.signatures.append(signature)
        self.pyopt_made = None
        return self.numba_made.add(signature)

    def build_ufunc(self):
        """Be the function that Numba's builder made."""
        self.numba_made = self.numba_made.build_ufunc()
        return self

    def version(self, compiler: str):
        """Pyopt's or Numba's."""
        if compiler == "numba":
            return self.numba_made
        if self.pyopt_made is None:
            try:
                self.pyopt_made = self._make()
            except Exception as error:
                self.pyopt_made = error
        if isinstance(self.pyopt_made, Exception):
            raise self.pyopt_made
        return self.pyopt_made

    def _make(self):
        signatures = list(map(_signature_to_pyopt, self.signatures))
        if self.layout is None:
            return pyopt.vectorize(signatures, **self.options)(self.py_func)
        given = (signatures, self.layout) if signatures else (self.layout,)
        return pyopt.guvectorize(*given, **self.options)(self.py_func)

    def _compare(self, method: str, arguments: tuple, keywords: dict):
        if Universal.depth:
            return getattr(self.numba_made, method)(*arguments, **keywords)
        told = [f".{method}", *map(_described, arguments)]
        told += [f"{name}={_described(one)}" for name, one in keywords.items()]
        pair = Pair.of(self.py_func, ", ".join(told), {**self.options, "given": self.signatures})
        copies = copied((arguments, keywords), {})
        record_start(pair)
        error = found = None
        try:
            found = call(getattr(self.version("pyopt"), method), *copies)
            if isinstance(found.raised, pyopt.errors.PyoptError):
                error = found.raised
        except (pyopt.errors.PyoptError, Untranslatable) as refused:
            error = refused
        except Exception as raised:
            # What is wrong about the options or the types may also be said when it is made.
            found = SimpleNamespace(value=None, raised=raised, printed="", arguments=copies)
        Universal.depth += 1
        try:
            expected = call(getattr(self.numba_made, method), arguments, keywords)
        finally:
            Universal.depth -= 1
        self._record(pair, expected, found, error)
        if expected.raised is not None:
            raise expected.raised
        return expected.value

    def _record(self, pair: Pair, expected, found, error) -> None:
        why = internal(self.py_func, {}) if isinstance(self.py_func, FunctionType) else None
        if error is not None:
            if expected.raised is not None:
                why = f"Numba raises {type(expected.raised).__name__}: {refusal(error)}"
            record(pair, "refused" if why is None else "internal", why or refusal(error))
            return
        # That there is no loop for the types is Numba's way to refuse too.
        no_loop = type(expected.raised).__name__ == "UFuncTypeError"
        if isinstance(expected.raised, numba.core.errors.NumbaError) or no_loop:
            record(pair, "internal", "Numba refuses it too, pyopt compiles it")
            return
        differs = difference(expected, found)
        if differs is None:
            record(pair, "agrees")
        else:
            record(pair, "differs" if why is None else "internal", why or differs)


def _described(value: object) -> str:
    try:
        return str(numba.typeof(value))
    except Exception:
        return type(value).__name__


def _signature_to_pyopt(signature):
    args, returns = sigutils.normalize_signature(signature)
    result = None if returns in (None, types.none, types.void) else to_pyopt(returns)
    return pyopt.types.Signature(result, tuple(map(to_pyopt, args)))


def _plain(function):
    return getattr(function, "py_func", function)


def _options(options: dict) -> dict:
    return {name: one for name, one in options.items() if one is not None}


def vectorize(ftylist_or_function=(), **options):
    """Numba's `vectorize`, for its tests."""
    if not _is_called_by_tests():
        return _REAL["vectorize"](ftylist_or_function, **options)
    if isinstance(ftylist_or_function, FunctionType) or hasattr(ftylist_or_function, "py_func"):
        function = _plain(ftylist_or_function)
        return Universal(function, _REAL["vectorize"](**options)(function), None, _options(options))

    def decorate(function):
        made = _REAL["vectorize"](ftylist_or_function, **options)(_plain(function))
        universal = Universal(_plain(function), made, None, _options(options))
        universal.signatures = _listed(ftylist_or_function)
        return universal

    return decorate


def guvectorize(*args, **options):
    """Numba's `guvectorize`, for its tests."""
    if not _is_called_by_tests():
        return _REAL["guvectorize"](*args, **options)

    def decorate(function):
        made = _REAL["guvectorize"](*args, **options)(_plain(function))
        universal = Universal(_plain(function), made, args[-1], _options(options))
        universal.signatures = _listed(args[0]) if len(args) == 2 else []
        return universal

    return decorate


def _builder(name: str):
    def build(function, *args, **options):
        made = _REAL[name](_plain(function), *args, **options)
        if not _is_called_by_tests():
            return made
        layout = args[0] if name == "GUVectorize" else None
        return Universal(_plain(function), made, layout, _options(options))

    return build


def _dufunc(function, identity=None, cache=False, targetoptions=None):
    made = _real_dufunc(_plain(function), identity, cache, targetoptions or {})
    options = {"identity": identity} | (targetoptions or {})
    return Universal(_plain(function), made, None, _options(options))


def _listed(signatures) -> list:
    is_one = isinstance(signatures, (str, tuple)) or not hasattr(signatures, "__iter__")
    is_one = is_one and signatures != ()
    return [signatures] if is_one else list(signatures)


def _is_called_by_tests() -> bool:
    return sys._getframe(2).f_globals.get("__name__", "").startswith("numba.tests.")


def install() -> None:
    """Put these in the place of Numba's, before the tests are imported."""
    for home in (numba, numba.np.ufunc):
        home.vectorize = vectorize
        home.guvectorize = guvectorize
    numba.np.ufunc.Vectorize = _builder("Vectorize")
    numba.np.ufunc.GUVectorize = _builder("GUVectorize")


def install_in(module) -> None:
    """Put these in the place of the `dufunc` that a module of tests imported."""
    for name, value in vars(module).items():
        if value is numba.np.ufunc.dufunc:
            setattr(module, name, SimpleNamespace(DUFunc=_dufunc))
