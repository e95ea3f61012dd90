"""What programs that call SciPy's BLAS and LAPACK themselves take from ``numba.np.linalg``, and products."""

import numpy as np

from pyopt import types
from pyopt.errors import NumbaTypeError, TypingError
from pyopt.extending import overload, register_jitable
from pyopt.numba.numpy_support import as_dtype

__all__ = [
    *("F_INT_nbtype", "F_INT_nptype", "_blas_kinds", "_check_homogeneous_types", "_check_linalg_matrix"),
    *("_copy_to_fortran_order", "_get_inner_prod", "ensure_blas", "ensure_lapack", "get_blas_kind"),
]

#: The integers of SciPy's interface.
F_INT_nptype, F_INT_nbtype = np.int32, types.int32

_blas_kinds = {types.float32: "s", types.float64: "d", types.complex64: "c", types.complex128: "z"}


def get_blas_kind(dtype, func_name="<BLAS function>"):
    """Give the letter that the names of functions for a type of elements begin with."""
    kind = _blas_kinds.get(dtype)
    if kind is None:
        raise NumbaTypeError(f"unsupported dtype for {func_name}()")
    return kind


def ensure_blas():
    """Raise ``ImportError`` without SciPy's BLAS."""
    try:
        import scipy.linalg.cython_blas  # noqa: F401
    except ImportError:
        raise ImportError("scipy 0.16+ is required for linear algebra") from None


def ensure_lapack():
    """Raise ``ImportError`` without SciPy's LAPACK."""
    try:
        import scipy.linalg.cython_lapack  # noqa: F401
    except ImportError:
        raise ImportError("scipy 0.16+ is required for linear algebra") from None


def _check_linalg_matrix(a, func_name, la_prefix=True):
    """Refuse what isn't the type of a matrix of floats or complex numbers."""
    name = f"{'np.linalg' if la_prefix else 'np'}.{func_name}()"
    a = a.type if isinstance(a, types.Optional) else a
    if not isinstance(a, types.Array):
        raise TypingError(f"{name} only supported for array types")
    if a.ndim != 2:
        raise TypingError(f"{name} only supported on 2-D arrays.")
    if not isinstance(a.dtype, (types.Float, types.Complex)):
        raise TypingError(f"{name} only supported on float and complex arrays.")


def _check_homogeneous_types(func_name, *types):
    """Refuse types of arrays whose elements differ in type."""
    if any(one.dtype != types[0].dtype for one in types[1:]):
        raise TypingError(f"np.linalg.{func_name}() only supports inputs that have homogeneous dtypes.")


def _copy_to_fortran_order(a):
    """Copy an array, with its columns one behind the other."""
    return a.copy(order="F")


@overload(_copy_to_fortran_order)
def _of_columns(a):
    def copied(a):
        made = np.empty(a.shape[::-1], a.dtype).T
        made[...] = a
        return made

    return copied


def _get_inner_prod(dta, dtb):
    """Give a function for the inner product of vectors of two types of elements."""
    is_of_floats = all(isinstance(one, (types.Float, types.Complex)) for one in (dta, dtb))
    if not is_of_floats:

        @register_jitable
        def product(a, b):
            total = 0
            for at in range(len(a)):
                total = total + a[at] * b[at]
            return total

        return product
    dtype = np.promote_types(as_dtype(dta), as_dtype(dtb))

    @register_jitable
    def product_of_floats(a, b):
        return np.dot(a.astype(dtype), b.astype(dtype))

    return product_of_floats
