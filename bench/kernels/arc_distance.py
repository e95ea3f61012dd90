"""Distances on a sphere, as one array expression (NPBench's arc_distance)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def arc_distance(theta1, phi1, theta2, phi2):
    square = (
        np.sin((theta2 - theta1) / 2) ** 2
        + np.cos(theta1) * np.cos(theta2) * np.sin((phi2 - phi1) / 2) ** 2
    )
    return 2 * np.arctan2(np.sqrt(square), np.sqrt(1 - square))


def reference(theta1, phi1, theta2, phi2):
    """One operation after the other."""
    across = np.cos(theta1) * np.cos(theta2) * np.sin((phi2 - phi1) / 2) ** 2
    square = np.sin((theta2 - theta1) / 2) ** 2 + across
    return 2 * np.arctan2(np.sqrt(square), np.sqrt(1 - square))


KERNEL = Kernel(
    function=arc_distance,
    make_args=lambda size: tuple(np.random.default_rng(48).random((4, size))),
    small=5,
    large=100_000,
    reference=reference,
    tolerance=1e-11,
)
