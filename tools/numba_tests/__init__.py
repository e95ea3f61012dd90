"""Numba's own test modules: pyopt compiles their use-cases, CPython checks the results."""
