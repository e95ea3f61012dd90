"""What Numba has in ``numba.np.numpy_support``: dtypes and types of elements."""

import numpy as np

from pyopt import types
from pyopt.cfuncs import carray, farray
from pyopt.errors import NumbaNotImplementedError
from pyopt.types import from_dtype

__all__ = [
    "as_dtype",
    "as_struct_dtype",
    "carray",
    "farray",
    "from_dtype",
    "from_struct_dtype",
    "is_array",
    "is_contiguous",
    "is_fortran",
    "is_nonelike",
    "map_arrayscalar_type",
    "map_layout",
    "numpy_version",
    "type_can_asarray",
    "type_is_scalar",
]

numpy_version = tuple(map(int, np.__version__.split(".")[:2]))


def as_dtype(type):
    """Give the NumPy dtype of a type of elements."""
    if isinstance(type, (types.DType, types.Array)):
        return as_dtype(type.dtype)
    if isinstance(type, types.NestedArray):
        return np.dtype((as_dtype(type.dtype), type.shape))
    if isinstance(type, (types.CharSeq, types.UnicodeCharSeq)):
        return np.dtype(f"{'U' if isinstance(type, types.UnicodeCharSeq) else 'S'}{type.count}")
    if isinstance(type, types.Record):
        names = [name for name, _ in type.members]
        titles = [type.titles.get(name) for name in names]
        return np.dtype(
            {
                "names": names,
                "formats": [as_dtype(one) for _, one in type.members],
                "offsets": [type.offset(name) for name in names],
                "itemsize": type.size,
            }
            | ({"titles": titles} if type.titles else {}),
            align=type.aligned,
        )
    if isinstance(type, types.Scalar):
        return np.dtype(type.name)
    raise NumbaNotImplementedError(f"{type} cannot be represented as a NumPy dtype")


def is_nonelike(type):
    """Whether a type is that of None, or of a parameter that was left out and has the default None."""
    return type is None or isinstance(type, types.NoneType) or getattr(type, "value", type) is None


def type_can_asarray(type):
    """Whether values of a type can be made an array."""
    kinds = (types.Array, types.BaseTuple, types.Sequence, types.Scalar)
    return isinstance(type, kinds) and not isinstance(type, types.UnicodeType)


def from_struct_dtype(dtype):
    """Give the type of elements of a structured dtype."""
    if dtype.fields is None:
        raise TypeError(f"{dtype} has no fields")
    return from_dtype(dtype)


def as_struct_dtype(record):
    """Give the structured dtype of a type of elements."""
    if not isinstance(record, types.Record):
        raise TypeError(f"{record} is no record")
    return as_dtype(record)


def is_array(value):
    """Whether an object is an array."""
    return isinstance(value, np.ndarray)


def map_arrayscalar_type(value):
    """Give the type of one of NumPy's scalars."""
    if not isinstance(value, np.generic):
        raise NotImplementedError(f"{value!r} is no scalar of NumPy's")
    return from_dtype(value.dtype)


def map_layout(value):
    """Name the layout of an array as types of arrays do."""
    flags = value.flags
    return "C" if flags["C_CONTIGUOUS"] else "F" if flags["F_CONTIGUOUS"] else "A"


def type_is_scalar(type):
    """Whether values of a type are NumPy's scalars."""
    kinds = types.Boolean, types.Number, types.UnicodeType, types.NPTimedelta, types.NPDatetime
    return isinstance(type, kinds)


def is_contiguous(dims, strides, itemsize):
    """Whether a shape and strides are those of an array in C order."""
    return is_fortran(dims[::-1], strides[::-1], itemsize)


def is_fortran(dims, strides, itemsize):
    """Whether a shape and strides are those of an array in Fortran's order."""
    expected = itemsize
    for dim, stride in zip(dims, strides, strict=True):
        if dim > 1 and stride != expected:
            return False
        expected *= dim
    return True


def parse_dtype(dtype):
    """Give the type that an argument names as a dtype: a class, dtype or constant text; None for others."""
    if isinstance(dtype, types.StringLiteral):
        return types.from_dtype(np.dtype(dtype.literal_value))
    return getattr(dtype, "dtype", None) or getattr(dtype, "instance_type", None)
