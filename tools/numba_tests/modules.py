"""Which of Numba's test modules are run, and which of them make up each area of the language."""

# The areas whose use-cases must compile and agree, with their modules under `numba.tests`.
AREAS: dict[str, tuple[str, ...]] = {
    "usecases": ("test_usecases",),
    "flow_control": ("test_flow_control",),
    "loops": ("test_looplifting", "test_iteration"),
    "ranges": ("test_range",),
    "operators": ("test_operators",),
    "mathlib": ("test_mathlib",),
    "complex": ("test_complex",),
    "builtins": ("test_builtins",),
    "tuples": ("test_tuples",),
    "closure": ("test_closure",),
    "recursion": ("test_recursion",),
    "exceptions": ("test_exceptions",),
    "slices": ("test_slices",),
    "indexing": ("test_indexing", "test_fancy_indexing"),
    "array_exprs": ("test_array_exprs",),
    "return values": ("test_return_values", "test_array_return"),
    "parallel": ("test_parfors", "test_parfors_passes", "test_map_filter_reduce"),
    "ufuncs": (
        "npyufunc.test_ufunc",
        "npyufunc.test_gufunc",
        "npyufunc.test_vectorize_decor",
        "npyufunc.test_update_inplace",
        "npyufunc.test_parallel_low_work",
    ),
}

# The areas whose tests run as they are, with pyopt in Numba's place (`surface`).
SURFACE: dict[str, tuple[str, ...]] = {
    "dispatcher": ("test_dispatcher",),
    "extending": ("test_extending", "test_extending_types"),
    "cfunc": ("test_cfunc",),
    "ctypes, cffi": ("test_ctypes", "test_cffi"),
    "pickling": ("test_serialize",),
    "caching": ("test_caching",),
    "jit options": (
        "test_jitmethod",
        "test_func_interface",
        "test_optional",
        "test_literal_dispatch",
        "test_fastmath",
        "test_errormodels",
        "test_nested_calls",
    ),
    "function types": ("test_function_type",),
    "dicts": ("test_dictobject", "test_dicts"),
    "lists": ("test_lists", "test_listobject", "test_typedlist"),
    "sets": ("test_sets",),
    "texts": ("test_unicode", "test_unicode_names", "test_print"),
    "hashing": ("test_hashing",),
    "random": ("test_random",),
    "heapq": ("test_heapq",),
    "enums": ("test_enums",),
    "buffers": ("test_buffer_protocol",),
    "comprehensions": ("test_comprehension",),
}

# Further modules, reported without a goal.
OTHERS = (
    "npyufunc.test_dufunc",
    "npyufunc.test_errors",
    "npyufunc.test_parallel_ufunc_issues",
    "test_array_analysis",
    "test_array_iterators",
    "test_array_methods",
    "test_array_reductions",
    "test_array_manipulation",
    "test_dyn_array",
    "test_mandelbrot",
    "test_ssa",
    "test_try_except",
    "test_typeinfer",
    "test_ufuncs",
    "test_unpack_sequence",
)
