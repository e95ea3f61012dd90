"""Arrays of every layout for the tests."""

import numpy as np

RANDOM = np.random.default_rng(7)


def vectors(n, dtype):
    """Arrays of one length in every layout."""
    base = (RANDOM.random(4 * n) * 50).astype(dtype)
    frozen = base[:n].copy()
    frozen.flags.writeable = False
    return {
        "C": base[:n].copy(),
        "strided": base[::3][:n],
        "reversed": base[:n].copy()[::-1],
        "readonly": frozen,
    }


def matrices(shape, dtype):
    """Matrices of one shape in every layout."""
    base = (RANDOM.random((3 * shape[0], 3 * shape[1])) * 50).astype(dtype)
    plain = base[: shape[0], : shape[1]].copy()
    return {
        "C": plain,
        "F": np.asfortranarray(plain),
        "strided": base[::2, ::3][: shape[0], : shape[1]],
        "reversed": plain.copy()[::-1, ::-1],
        "transposed": plain.T.copy().T,
    }
