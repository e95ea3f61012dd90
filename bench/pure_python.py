"""What `njit`, `prange` and `stencil` mean, in plain Python: the CPython column."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable

import numpy as np

prange = range


def njit(function: Callable | None = None, **options: object) -> Callable:
    """Leave the function alone, with or without options."""
    return function if function is not None else lambda decorated: decorated


# The types of fields mean nothing here.
int64 = float64 = None


class typed:
    """Typed containers are the built-in ones."""

    List, Dict = list, dict


def jitclass(spec: list) -> Callable:
    """Leave a class alone."""
    return lambda decorated: decorated


def stencil(kernel: Callable) -> Callable:
    """Apply `kernel` around each element whose neighborhood is inside; the border is zero."""

    @functools.wraps(kernel)
    def apply(array: np.ndarray) -> np.ndarray:
        recorder = _Recorder()
        kernel(recorder)
        interior = [
            range(max(0, -min(offsets)), size - max(0, max(offsets)))
            for offsets, size in zip(zip(*recorder.offsets, strict=True), array.shape, strict=True)
        ]
        # Kernels here return the element type of their floating-point input.
        result = np.zeros_like(array)
        for position in itertools.product(*interior):
            result[position] = kernel(_Neighborhood(array, position))
        return result

    return apply


class _Recorder:
    """Stands for an array to learn at which offsets a kernel reads it."""

    def __init__(self) -> None:
        self.offsets: list[tuple[int, ...]] = []

    def __getitem__(self, offset: tuple[int, ...]) -> float:
        self.offsets.append(offset)
        return 1.0


class _Neighborhood:
    """An array seen from one position: indices are relative to it."""

    def __init__(self, array: np.ndarray, position: tuple[int, ...]) -> None:
        self.array = array
        self.position = position

    def __getitem__(self, offset: tuple[int, ...]) -> float:
        return self.array[tuple(p + o for p, o in zip(self.position, offset, strict=True))]
