"""Functions of Numba's ``unsafe`` modules that programs use for shapes; they are for compiled code."""

from pyopt.extending import overload
from pyopt.library import intrinsics
from pyopt.types import Array, BaseTuple, IntegerLiteral


def tuple_setitem(tup, idx, val):
    """Give a tuple with another item at a position."""
    return (*tup[:idx], val, *tup[idx:][1:])


@overload(tuple_setitem)
def _tuple_setitem(tup, idx, val):
    return (lambda tup, idx, val: intrinsics.replace(tup, idx, val)) if isinstance(tup, BaseTuple) else None


def to_fixed_tuple(np_array, length):
    """Give the items of a vector as a tuple, of which the length is constant."""
    return tuple(np_array[:length].tolist())


@overload(to_fixed_tuple, prefer_literal=True)
def _to_fixed_tuple(np_array, length):
    if not isinstance(np_array, Array) or np_array.ndim != 1 or not isinstance(length, IntegerLiteral):
        return None
    items = "".join(f"np_array[{at}], " for at in range(length.literal_value))
    return _made(f"lambda np_array, length: ({items})")


def build_full_slice_tuple(sz):
    """Give as many whole slices as is asked for, which is constant."""
    return (slice(None, None),) * sz


@overload(build_full_slice_tuple, prefer_literal=True)
def _build_full_slice_tuple(sz):
    if not isinstance(sz, IntegerLiteral):
        return None
    return _made(f"lambda sz: ({'slice(None, None), ' * sz.literal_value})")


def _made(source):
    return eval(source, {"__name__": __name__})
