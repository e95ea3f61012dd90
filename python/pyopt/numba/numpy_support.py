"""What Numba has in ``numba.np.numpy_support``: dtypes and types of elements."""

import numpy as np

from pyopt import types
from pyopt.types import from_dtype

__all__ = ["as_dtype", "from_dtype", "is_nonelike", "numpy_version", "type_can_asarray"]

numpy_version = tuple(map(int, np.__version__.split(".")[:2]))


def as_dtype(type):
    """Give the NumPy dtype of a type of elements."""
    if isinstance(type, (types.DType, types.Array)):
        return as_dtype(type.dtype)
    if isinstance(type, types.NestedArray):
        return np.dtype((as_dtype(type.dtype), type.shape))
    if isinstance(type, types.Record):
        return np.dtype(
            {
                "names": list(type.fields),
                "formats": [as_dtype(one) for one, _ in type.fields.values()],
                "offsets": [offset for _, offset in type.fields.values()],
                "itemsize": type.size,
            }
        )
    if isinstance(type, types.Scalar):
        return np.dtype(type.name)
    raise NotImplementedError(f"there is no NumPy dtype of {type}")


def is_nonelike(type):
    """Whether a type is that of None, or of a parameter that was left out and has the default None."""
    return type is None or isinstance(type, types.NoneType) or getattr(type, "value", type) is None


def type_can_asarray(type):
    """Whether values of a type can be made an array."""
    kinds = (types.Array, types.Sequence, types.Scalar)
    return isinstance(type, kinds) and not isinstance(type, types.UnicodeType)
