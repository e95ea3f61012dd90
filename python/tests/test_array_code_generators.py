"""Code generators that index arrays, and box functions that call those of Numba's for one kind of values."""

import threading

import numpy as np
import pytest

from pyopt import errors, njit, prange, types
from pyopt.conversions import can_convert
from pyopt.extending import (
    lower_builtin,
    make_attribute_wrapper,
    models,
    overload_method,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)
from pyopt.intrinsics import cgutils
from pyopt.numba.array_indexing import basic_indexing, get_array_index_type, make_array, normalize_indices
from pyopt.numba.boxing import unbox_array
from pyopt.own_types import NativeValue


def atomic_add(array, index, value):
    array[index] += value


@type_callable(atomic_add)
def _(context):
    def typer(array, index, value):
        found = get_array_index_type(array, index)
        if found is not None and context.can_convert(value, found.result):
            return found.result
        return None

    return typer


@lower_builtin(atomic_add, types.Buffer, types.Any, types.Any)
def _(context, builder, signature, arguments):
    kind, index_type, value_type = signature.args
    array, index, value = arguments
    if isinstance(index_type, types.BaseTuple):
        index_types, indices = index_type.types, cgutils.unpack_tuple(builder, index, count=len(index_type))
    else:
        index_types, indices = (index_type,), (index,)
    opened = make_array(kind)(context, builder, array)
    index_types, indices = normalize_indices(context, builder, index_types, indices)
    checked = context.enable_boundscheck
    pointer, shapes, _ = basic_indexing(
        context, builder, kind, opened, index_types, indices, boundscheck=checked
    )
    assert not shapes
    value = context.cast(builder, value, value_type, kind.dtype)
    data = context.get_value_as_data(builder, kind.dtype, value)
    operation = "fadd" if isinstance(kind.dtype, types.Float) else "add"
    return builder.atomic_rmw(operation, pointer, data, "monotonic")


def test_elements_are_added_to_at_once():
    add = njit(lambda a, i, x: atomic_add(a, i, x))
    a, b = np.arange(4), np.ones((2, 3))
    assert (add(a, 1, 5), add(a, -1, 2.5), add(a[::-2], np.uint8(1), 1)) == (1, 3, 6)
    assert add(b, (1, -2), 0.5) == 1.0
    assert a.tolist() == [0, 7, 2, 5] and b.tolist() == [[1, 1, 1], [1, 1.5, 1]]


@njit(parallel=True)
def count(total, n):
    for _ in prange(n):
        atomic_add(total, 0, 1)


def test_threads_add_to_one_element():
    total = np.zeros(1, np.uint64)
    threads = [threading.Thread(target=count, args=(total, 20000)) for _ in range(4)]
    [one.start() for one in threads]
    [one.join() for one in threads]
    assert total[0] == 80000


@pytest.mark.parametrize("index", [0.5, (0, 0, 0), slice(None)])
def test_other_indices_have_no_type(index):
    with pytest.raises(errors.TypingError, match="atomic_add"):
        njit(lambda a, i: atomic_add(a, i, 1.0))(np.ones((2, 2)), index)


def test_views_are_refused():
    assert get_array_index_type(types.float64[:, ::1], types.int64).result == types.float64[::1]
    with pytest.raises(
        errors.TypingError, match=r"1 indices of array\(float64, 2d, C\) in an intrinsic: a view"
    ):
        njit(lambda a: atomic_add(a, 0, a[0]))(np.ones((2, 2)))


class Counter:
    def __init__(self):
        self.hook = np.zeros(1, dtype=np.uint64)


class CounterType(types.Type):
    def __init__(self):
        super().__init__(name="Counter")


@typeof_impl.register(Counter)
def _(value, context):
    return CounterType()


@register_model(CounterType)
class _Model(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("hook", types.uint64[::1])])


make_attribute_wrapper(CounterType, "hook", "hook")


@unbox(CounterType)
def _(kind, object, c):
    hook = c.pyapi.object_getattr_string(object, "hook")
    made = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    made.hook = unbox_array(types.uint64[::1], hook, c).value
    c.pyapi.decref(hook)
    return NativeValue(made._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@overload_method(CounterType, "update", jit_options={"nogil": True})
def _(self, n=1):
    return lambda self, n=1: atomic_add(self.hook, 0, n)


def test_arrays_of_objects_are_unboxed():
    @njit
    def f(counter, n):
        for _ in range(n):
            counter.update()
        counter.update(5)
        return counter.hook[0]

    counter = Counter()
    assert f(counter, 10) == counter.hook[0] == 15
    counter.hook = None
    with pytest.raises((TypeError, ValueError)):
        f(counter, 1)


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        (types.int64, types.int64, types.Conversion.exact),
        (types.int32, types.int64, types.Conversion.promote),
        (types.int32, types.float64, types.Conversion.safe),
        (types.float64, types.int32, types.Conversion.unsafe),
        (types.complex128, types.float64, None),
        (types.boolean, types.int8, types.Conversion.safe),
        (types.unicode_type, types.int8, None),
        (types.literal(3), types.int64, types.Conversion.exact),
    ],
)
def test_conversions_are_graded(source, target, found):
    assert can_convert(source, target) is found
