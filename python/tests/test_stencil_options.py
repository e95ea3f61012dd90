"""The stencil decorator's own checks."""

import pickle

import numpy as np
import pytest

from pyopt import errors, stencil


@stencil
def kernel(a, w):
    """Add neighbours."""
    return a[-1] + a[1] * w[0]


def test_a_stencil_keeps_kernel_and_names():
    assert kernel.kernel is kernel.py_func
    assert kernel.__name__ == "kernel"
    assert kernel.__doc__ == "Add neighbours."
    assert kernel.mode == "constant"
    assert kernel.neighborhood is None
    assert pickle.loads(pickle.dumps(kernel)) is kernel


def test_options():
    made = stencil("constant", neighborhood=((-1, 1), (0, 2)), cval=2, standard_indexing=("w",))(
        kernel.kernel
    )
    assert made.neighborhood == ((-1, 1), (0, 2))
    assert made.stencil_options == ("constant", ((-1, 1), (0, 2)), 2, ["w"])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"neighborhood": (1,)}, "expected a pair of ints"),
        ({"neighborhood": ((1, -1),)}, "above the highest"),
        ({"neighborhood": ((0, 1.5),)}, "expected a pair of ints"),
        ({"standard_indexing": ("x",)}, "no parameter 'x'"),
        ({"standard_indexing": "a"}, "first parameter 'a'"),
        ({"border": 1}, "unknown stencil option 'border'"),
    ],
)
def test_options_that_make_no_sense(options, reason):
    with pytest.raises(ValueError, match=reason):
        stencil(**options)(kernel.kernel)


def test_unknown_modes_and_kernels():
    # Numba's error, and pyopt's for options.
    for kind in (errors.NumbaValueError, errors.OptionError):
        with pytest.raises(kind, match="unknown stencil option 'border'"):
            stencil(border="wrap")(kernel.kernel)
    with pytest.raises(errors.OptionError, match="'wrap' isn't supported"):
        stencil("wrap")(kernel.kernel)
    with pytest.raises(TypeError, match="Python function"):
        stencil(7)
    with pytest.raises(errors.StencilError, match="no array parameter"):
        stencil(lambda: 1)


def test_wrong_argument_count():
    for arguments in [(np.zeros(3),), (), (np.zeros(3),) * 3]:
        with pytest.raises(TypeError) as expected:
            kernel.kernel(*arguments)
        with pytest.raises(TypeError) as found:
            kernel(*arguments)
        assert str(found.value) == str(expected.value)


def test_kernels_that_contradict_their_options_or_arguments():
    grid = np.ones((4, 5))

    @stencil(neighborhood=((-1, 1),))
    def one_dimensional(a):
        return a[0, 1]

    @stencil
    def not_constant(a, n):
        return a[n]

    @stencil(cval=1j)
    def wrong_border(a):
        return a[1]

    for kernel, args, reason in (
        (one_dimensional, (grid,), "neighborhood"),
        (not_constant, (grid[0], 1), "constant"),
        (wrong_border, (grid[0],), "cval"),
    ):
        with pytest.raises(ValueError, match=reason):
            kernel(*args)
