"""Libraries that are built on Numba, run with pyopt in its place."""
