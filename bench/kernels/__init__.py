"""The kernels, one module each, written as a user writes them. Each defines `KERNEL`."""

NUMERIC = (
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
    "gemm",
    "matmul_ikj",
    "two_mm",
    "atax",
    "bicg",
    "mvt",
    "gesummv",
    "syrk",
    "trmm",
    "trisolv",
    "lu",
    "cholesky",
    "durbin",
    "gramschmidt",
    "correlation",
    "covariance",
    "jacobi1d",
    "jacobi2d",
    "seidel2d",
    "heat3d",
    "fdtd2d",
    "deriche",
    "adi",
    "floyd_warshall",
    "nussinov",
    "doitgen",
    "conv2d",
    "softmax",
    "spmv",
    "azimint",
    "nbody",
    "crc16",
    "go_fast",
    "black_scholes",
    "arc_distance",
    "vector_math",
    "vector_math32",
)

# Data structures, searches, images and strings: branches, indices and integers rather than
# arithmetic on arrays.
ALGORITHMS = (
    "hash_counts",
    "union_find",
    "dijkstra",
    "run_lengths",
    "binary_search",
    "sieve",
    "histogram",
    "bit_tricks",
    "box_blur",
    "bilateral",
    "nearest_neighbours",
    "deposit",
    "tridiagonal",
    "fft",
    "rolling_median",
    "summed_area",
    "gather_scatter",
    "grayscale",
    "sobel",
    "viterbi",
    "life",
    "knapsack",
    "increasing",
    "merge_sort",
    "radix_sort",
    "queens",
    "flood_fill",
    "breadth_first",
    "matches",
)

# Texts, dicts, sets, lists and classes.
CONTAINERS = tuple(
    f"containers.{name}"
    for name in (
        "count_words",
        "int_dict",
        "tuple_dict",
        "set_algebra",
        "append_pop",
        "sort_by_key",
        "join_texts",
        "split_text",
        "format_floats",
        "text_levenshtein",
        "dijkstra_queue",
        "class_methods",
    )
)

NAMES = NUMERIC + ALGORITHMS + CONTAINERS

# On threads; `bench.parallel` measures them.
PARALLEL = tuple(
    f"parallel.{name}"
    for name in (
        "expression",
        "chain",
        "options",
        "integral",
        "rows",
        "mandelbrot",
        "relaxation",
        "five_points",
        "product",
        "nearest",
        "standardized",
        "columns",
        "outer",
        "regression",
        "attraction",
        "sparse",
        "monte_carlo",
        "blur",
        "row_norms",
    )
)


def of_section(section: str) -> tuple[str, ...]:
    """The kernels that a section of the benchmarks measures."""
    if section.startswith("parallel"):
        return PARALLEL
    steady = {"steady state": NUMERIC, "algorithms": ALGORITHMS, "containers": CONTAINERS}
    return steady.get(section, NAMES)
