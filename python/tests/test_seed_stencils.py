"""What the document on stencils states of behaviour and no other test has: sentence by sentence."""

import numpy as np
import pytest

from pyopt import njit, stencil

LINE = np.arange(6.0)
MODES = [{}, {"parallel": True}, {"parallel": {"stencil": False}}]


@stencil
def beside(a):
    return a[-1] + a[1]


@pytest.mark.parametrize("options", MODES)
def test_calls_from_compiled_code_are_those_from_python(options):
    assert njit(lambda a: beside(a), **options)(LINE).tolist() == beside(LINE).tolist()
    assert beside(LINE).tolist() == [0, 2, 4, 6, 8, 0]


def test_the_border_of_a_given_array_is_left_as_is():
    out = np.full(6, 9.0)
    assert beside(LINE, out=out) is out
    assert out.tolist() == [9, 2, 4, 6, 8, 9]


@pytest.mark.parametrize("options", MODES)
def test_the_border_of_a_given_array_is_left_as_is_in_compiled_code(options):
    @njit(**options)
    def apply(a, out):
        beside(a, out=out)

    out = np.full(6, 9.0)
    apply(LINE, out)
    assert out.tolist() == [9, 2, 4, 6, 8, 9]


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.complex64])
def test_the_result_is_an_array_of_what_the_kernel_gives(dtype):
    result = beside(LINE.astype(dtype))
    # Numbers of few bits are added as 64 bits where they are whole.
    assert result.dtype == (np.int64 if dtype == np.int32 else dtype)
    assert result.shape == LINE.shape
    assert stencil(lambda a: a[-1] > a[1])(LINE).dtype == np.bool_


def test_the_result_of_no_inner_element_is_zeros():
    assert stencil(lambda a: a[-3] + a[3])(LINE[:4]).tolist() == [0, 0, 0, 0]
    assert beside(LINE[:0]).shape == (0,)


def test_signatures_do_not_affect_each_other():
    assert [beside(one).dtype.kind for one in (LINE, LINE.astype(int), LINE)] == ["f", "i", "f"]
    # A later kernel of other types is compiled from the same source.
    assert beside(LINE.astype(complex)).dtype == np.complex128


def failing():
    """Give the stencils and arguments for which the document says ``ValueError``."""
    wrong_rank = stencil(neighborhood=((-1, 1),))(lambda a: a[0, 1])
    not_constant = stencil(lambda a, n: a[n])
    other_border = stencil(cval=1j)(lambda a: a[1])
    grid = np.ones((3, 4))
    return [
        pytest.param(wrong_rank, (grid,), "1 dimensional neighborhood specified for 2", id="neighborhood"),
        pytest.param(not_constant, (LINE, 1), "index is not constant", id="index"),
        pytest.param(other_border, (LINE,), "cval type does not match stencil return type", id="border"),
    ]


@pytest.mark.parametrize("options", [None, *MODES])
@pytest.mark.parametrize(("kernel", "arguments", "reason"), failing())
def test_errors(kernel, arguments, reason, options):
    call = kernel if options is None else njit(lambda *given: kernel(*given), **options)
    with pytest.raises(ValueError, match=reason):
        call(*arguments)
