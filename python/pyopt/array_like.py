"""Types of extensions' own that are like arrays: Numba's ``__array__`` and ``__array_wrap__``.

The code for ``__array__`` gives the address of the array in a value; that for
``__array_wrap__`` makes a value of the type of another one of an array. With the first, compiled code has the
length and elements of such values; with the second, too, slices and universal functions of one argument.
"""

import operator

import numpy as np

from pyopt import types

# By classes of types: the code of both, and the functions that type `__array_wrap__`.
_to_array = {}
_wrap = {}
_wrap_types = []


def register(name, kinds, implementation):
    """Enter the code for ``name`` and a class of types."""
    if name == "__array_wrap__":
        _wrap[kinds[0]] = implementation
        return
    if not _to_array:
        _register_functions()
    _to_array[kinds[0]] = implementation


def register_wrap_type(factory):
    """Enter what types ``__array_wrap__``: a function of a context that gives a function of two types."""
    _wrap_types.append(factory(None))
    return factory


def _nearest(table, type):
    return next((table[one] for one in type.__class__.__mro__ if one in table), None)


def _register_functions():
    from pyopt.extending import overload

    overload(len)(_length)
    overload(operator.getitem)(_item)
    for function in vars(np).values():
        if isinstance(function, np.ufunc) and function.nin == function.nout == 1:
            overload(function)(_mapped(function))


def _length(x):
    if _nearest(_to_array, x) is not None:
        return lambda x: len(_as_array(x))


def _item(x, index):
    if _nearest(_to_array, x) is None:
        return None
    if isinstance(index, types.SliceType) and _wrapped_type(x, x.as_array) is not None:
        return lambda x, index: _wrapped(x, _as_array(x)[index])
    return lambda x, index: _as_array(x)[index]


def _mapped(function):
    def overload_mapped(x):
        if _nearest(_to_array, x) is None:
            return None
        if _nearest(_wrap, x) is None:
            return lambda x: function(_as_array(x))
        return lambda x: _wrapped(x, function(_as_array(x)))

    return overload_mapped


def _wrapped_type(type, array):
    if _nearest(_wrap, type) is None:
        return None
    found = (typer(type, array) for typer in _wrap_types)
    return next((one for one in found if one is not None), None)


def _make_as_array():
    from pyopt.extending import intrinsic

    @intrinsic
    def as_array(context, x):
        signature = x.as_array(x)

        def generate(context, builder, _, arguments):
            from pyopt.intrinsics import cgutils

            place = cgutils.alloca_once_value(builder, arguments[0])
            return builder.load(_nearest(_to_array, x)(context, builder, signature, [place]))

        return signature, generate

    return as_array


def _make_wrapped():
    from pyopt.extending import intrinsic

    @intrinsic
    def wrapped(context, x, array):
        result = _wrapped_type(x, array)
        if result is None:
            return None
        signature = result(x, array)

        def generate(context, builder, _, arguments):
            return _nearest(_wrap, x)(context, builder, signature, arguments)

        return signature, generate

    return wrapped


_as_array, _wrapped = _make_as_array(), _make_wrapped()
