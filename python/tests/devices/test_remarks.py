"""What is told of loops that stay on the host: why, and what was copied to it for them."""

import numpy as np
from available import NAME, needs_device

from pyopt import device_context, njit, prange

pytestmark = needs_device


def mixed(x, texts):
    for i in prange(x.shape[0]):
        x[i] += 1
    lengths = np.empty(len(texts))
    for i in prange(len(texts)):
        lengths[i] = len(texts[i]) + x[i]
    for i in prange(x.shape[0]):
        x[i] *= 2
    return lengths


def line_with(text, told):
    (found,) = [line for line in told.splitlines() if text in line]
    return found


def test_the_remark_says_what_was_copied(capsys):
    compiled = njit(parallel=True)(mixed)
    x = np.zeros(100)
    with device_context(NAME):
        found = compiled(x, ("a", "bcd"))
        compiled(x, ("a", "bcd"))
        compiled.parallel_diagnostics()
    np.testing.assert_array_equal(found, [2, 4])
    np.testing.assert_array_equal(x, 6)
    told = line_with("the loop stays on the host", capsys.readouterr().out)
    line = mixed.__code__.co_firstlineno + 4
    assert told.startswith(f"line {line}: ")
    assert told.endswith("; 1600 bytes were copied to the host for it, in 2 copies")


def test_what_was_not_copied_is_not_told(capsys):
    @njit(parallel=True)
    def alone(texts):
        lengths = np.empty(len(texts))
        for i in prange(len(texts)):
            lengths[i] = len(texts[i])
        return lengths

    with device_context(NAME):
        alone(("a", "bcd"))
        alone.parallel_diagnostics()
    told = line_with("the loop stays on the host", capsys.readouterr().out)
    assert "copied" not in told
