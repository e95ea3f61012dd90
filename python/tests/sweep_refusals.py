"""What the sweep over the overload library knows to be refused or different, each with its reason."""

# Functions by the ends of their names (any, where none is named), a part of the message, and why.
REFUSALS = [
    ("", "64[s]", "a function that isn't written for times says so with their type"),
    ("round around", "numbers are rounded", "truth values aren't rounded"),
    ("nan_to_num", "nan_to_num takes ints and floats", "complex numbers keep NaN"),
    ("array.__getitem__", "too many indices", "an array without dimensions takes no mask"),
    ("histogram", "no implementation of float", "complex numbers have no bins"),
    ("histogram", "for (complex128, complex128)", "complex numbers have no bins"),
    ("cov corrcoef", "of complex numbers", "the covariance of complex numbers isn't written"),
    ("median nanmedian", "quantiles of complex numbers", "complex numbers have no order but NumPy's own"),
    ("unwrap", "phases to unwrap are ints or floats", "truth values aren't phases"),
    (
        "builtins.min builtins.max",
        "for (complex128, complex128)",
        "complex numbers have no order but NumPy's own",
    ),
    ("builtins.min builtins.max", "no order", "complex numbers have no order but NumPy's own"),
]

# Patterns of an expression with dtype, values, shape, layout and problem, and why.
DIFFERENCES = [
    (r"dtype float16, got float32", "functions of floats take 8-bit ints and bools to float32, not float16"),
    (r"expected np\.float16", "the same of numbers"),
    (r"^np\.heaviside\(a, 0\.5\).*dtype float64, got float32", "the same beside a number"),
    (r"^sum\(v\)", "Python's sum adds narrow ints as int64, and nothing is a zero of the elements' type"),
    (
        r"^np\.(vander|convolve|correlate)\(.*complex128 special",
        "where complex infinities multiply, NaN comes in other parts",
    ),
    (
        r"^np\.interp\(a, p, p\).*special",
        "points with NaN don't increase: NumPy's result depends on the guess before",
    ),
    (r"^np\.average\(a\) m8", "NumPy fails to make a timedelta of the number of elements"),
    (r"^np\.histogram\(a, p\).*special", "edges with NaN or NaT don't increase"),
    (r"^np\.bincount.*MemoryError", "counts beyond the memory are another exception"),
    (r"^np\.(cov|corrcoef)\(m\).*shape \(\), got \(1, 1\)", "the rank can't depend on the number of rows"),
    (r"^np\.polyval\(v, x\).*\(0,\)", "no coefficients give a number, in NumPy an array of no dimension"),
    (
        r"^np\.(nan)?(percentile|quantile).*expected TypeError\('numpy boolean",
        "quantiles of bools are those of 0 and 1",
    ),
    (
        r"^np\.(nan)?(percentile|quantile).*int(8|64) extreme.*expected np\.float64",
        "NumPy's difference of two ints overflows before it is a float",
    ),
    (r"^np\.asarray_chkfinite.*[mM]8", "NaT isn't finite; NumPy looks at floats only"),
]
