"""Benchmarks and demo: the same Python source under CPython, NumPy, pyopt and Numba.

`python -m bench` measures (see `bench.__main__`), `python -m bench.demo` shows. Both are run by
`cargo xtask bench` and `cargo xtask demo`.
"""
