"""Arrays for tests, in every layout that NumPy has."""

import numpy as np

LAYOUTS_1D = ("C", "strided", "reversed", "readonly", "unaligned", "odd")
LAYOUTS_2D = ("C", "F", "strided", "reversed", "transposed", "rows_reversed", "readonly", "unaligned")
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e308, 5e-324])
WRITABLE_1D = tuple(name for name in LAYOUTS_1D if name != "readonly")
WRITABLE_2D = tuple(name for name in LAYOUTS_2D if name != "readonly")


def values(shape, dtype, seed=1):
    """Make an array of small numbers, both signs where the type has them, without zeros."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.random(shape) > 0.5
    if dtype.kind == "f":
        return ((random.random(shape) * 8 + 0.125) * random.choice([-1, 1], shape)).astype(dtype)
    low = -9 if dtype.kind == "i" else 1
    made = random.integers(low, 10, shape)
    return np.where(made == 0, 3, made).astype(dtype)


def laid_out(array, layout):
    """Copy an array into memory of a layout; the copy is a view of a larger one where that needs it."""
    if layout == "C":
        return array.copy(order="C")
    if layout == "F":
        return array.copy(order="F")
    if layout == "readonly":
        made = array.copy()
        made.flags.writeable = False
        return made
    if layout == "transposed":
        return np.moveaxis(np.moveaxis(array, 0, -1).copy(), -1, 0)
    if layout == "unaligned":
        raw = np.zeros(array.nbytes + 1, np.uint8)
        made = np.ndarray(array.shape, array.dtype, raw.data, 1)
    elif layout == "odd":
        # A field of a packed record: strides that are no multiple of the element.
        record = np.zeros(array.shape, [("head", np.uint8), ("value", array.dtype)])
        made = record["value"]
    elif layout == "reversed":
        made = np.zeros(array.shape, array.dtype)[(slice(None, None, -1),) * array.ndim]
    elif layout == "rows_reversed":
        made = np.zeros(array.shape, array.dtype)[::-1]
    elif layout == "strided":
        larger = tuple((step + 2) * extent for step, extent in enumerate(array.shape))
        made = np.zeros(larger, array.dtype)[tuple(slice(None, None, step + 2) for step in range(array.ndim))]
    else:
        raise ValueError(f"unknown layout {layout!r}")
    made[...] = array
    return made


def vector(n, dtype="f8", layout="C", seed=1):
    """Make a 1-D array."""
    return laid_out(values(n, dtype, seed), layout)


def matrix(rows, columns, dtype="f8", layout="C", seed=1):
    """Make a 2-D array."""
    return laid_out(values((rows, columns), dtype, seed), layout)
