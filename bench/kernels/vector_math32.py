"""The functions of `vector_math` in single precision."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel
from bench.kernels import vector_math


@njit
def vector_math32(x):
    return np.sin(x) * np.exp(-x) + np.cos(x) * np.log(x + np.float32(2.0)) + np.tanh(x)


KERNEL = Kernel(
    function=vector_math32,
    make_args=lambda size: (vector_math.make_args(size)[0].astype(np.float32),),
    small=5,
    large=100_000,
    reference=vector_math.KERNEL.reference,
    tolerance=2e-6,
)
