"""Which test modules are run, which modules of tests they share, and what programs may name."""

from __future__ import annotations

import sys

# Test modules of CPython about what compiled code has. The one of texts got another name in 3.13.
_TEXTS = "test_str" if sys.version_info >= (3, 13) else "test_unicode"
DEFAULT = (
    f"{_TEXTS} test_bytes test_dict test_set test_list test_tuple test_range test_slice "
    "test_heapq test_bisect test_deque test_itertools test_random test_enumerate test_sort "
    "test_format test_string test_defaultdict test_ordered_dict test_collections test_operator"
).split()

# Modules that hold tests which test modules inherit.
SHARED = frozenset(
    f"test.{name}" for name in "string_tests seq_tests list_tests mapping_tests".split()
)

# Modules whose functions and classes may stand in a program.
NAMED = frozenset(
    "builtins heapq _heapq bisect _bisect itertools collections random _random operator _operator "
    "functools _functools math string sys".split()
)
