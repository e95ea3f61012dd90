"""The kernels, one module each, written as a user writes them. Each defines `KERNEL`."""

NAMES = (
    "add",
    "doloops",
    "fib_iter",
    "fib_rec",
    "collatz",
    "gcd",
    "harmonic",
    "calls",
    "reciprocals",
    "mandelbrot",
    "sum2d",
    "bubble_sort",
    "matmul",
    "axpy",
    "array_expr",
    "levenshtein",
    "prange_sum",
    "prange_rows",
    "fused_chain",
    "stencil5",
)
