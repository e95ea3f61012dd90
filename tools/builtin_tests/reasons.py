"""Why some of CPython's tests, and calls of what they compute, differ in compiled code."""

from __future__ import annotations

import re

_WIDE = "ints have 64 bits"
_IDENTITY = "what compiled code returns is a new object, and what is put in is copied"
_STATE = "compiled code draws from a state of its own, which no stand-in for random() reaches"
_WORDS = "the words of the error are others"
_KEYWORDS = "a wrong use of an argument that compiled code takes"
_LIST_AS_TUPLE = "a list display that nothing changes is a tuple"
_NAN = "values have no identity: NaN equals nothing, and its hash is 0"
_ORDER = "sets are in the order of insertion"
_SHIFT = "a negative shift count gives 0, as Numba's"
_DEEP = "looking into values takes more frames than the test leaves"
_TRIED = "trying expressions one by one shows"

# The first pattern that is found in the name of a test, or in the text of a program.
_REASONS: tuple[tuple[str, str], ...] = (
    # Programs.
    (r"maxsize|\*\* 1?[0-9]{2}|1 << 333|pow where|v1\(2, 145\)|2 \*\* v0", _WIDE),
    (r"(starts|ends)with\(\[", _LIST_AS_TUPLE),
    (r"update\(\[\(1, 2, 3\)\]\)|string_tests: v0\(v1, v2\)|test_str: v0\(b'x', b'a", _WORDS),
    (r"hex\(None, 0\)|encoding='ascii'|slice: v0\(0\.0|concat\(13, 29\)", _KEYWORDS),
    (r"(countOf|indexOf)\(\[v1, v1, 21\]|v0\(v1\) where v0 is (frozenset|hash)", _NAN),
    (r"[lr]shift\(2, -1\)", _SHIFT),
    (r"v0\.pop\(\)|v0\[v1\.pop\(\)\]|fromkeys", _ORDER),
    (r"x is y for x, y", _IDENTITY),
    (r"v0\('', (b'ascii'|'ascii', b'ignore')\)|None in v0", _KEYWORDS),
    (r"test_dict: v0\(v1\(\)\) where v0 is dict", "a subclass of str is a str"),
    # Tests.
    (r"test_str_invalid_call", _WORDS),
    (r"test_(extendedslicing|extended_set_del_slice|getslice|from_ssize|format_huge_item)", _WIDE),
    (r"SequenceTest\.test_index|(List|Tuple)Test\.test_index|TestSequence\.test_index", _WIDE),
    (r"test_(large_range|bigrand|bigrand_ranges|getrandbits|randbelow_logic|after_fork)", _WIDE),
    (r"RangeTest\.test_(comparison|count|index|range_iterators|iterator_setstate)", _WIDE),
    (r"test_(formatting|count|count_with_stride|bytes_and_bytearray_format)$", _WIDE),
    (r"VariousIteratorArgs\.test_(map|starmap)|ListTest\.test_overflow", _WIDE),
    (
        r"test_constructor_(type|value)_errors",
        "literals of a wrong type are refused when compiled, or are ints of 64 bits",
    ),
    (r"test_(repeat|replace_id|constructors|constructor_identity|copy|copy_method)$", _IDENTITY),
    (r"TestOptimizedCompares", _IDENTITY),
    (r"ByteArrayTest\.test_contains", _KEYWORDS),
    (r"ListTest\.test_repr|test_weakref_list_is_not_traversed", _DEEP),
    (r"TestSet\.test_weakref", _ORDER),
    (
        r"test_mutating_iteration_delete",
        f"{_TRIED} no change: the dict gets what it had when each is over",
    ),
    (r"test_(splittable_popitem|sizeof_exact)", "the size of CPython's own tables"),
    (r"BytesTest\.test_(endswith|startswith)", _LIST_AS_TUPLE),
    (r"BytesTest\.test_hex_separator_basics|SliceTest\.test_indices", _KEYWORDS),
    (r"test_comparison_operator_modifiying_heap", "instances of subclasses of int are ints"),
    (r"TestModules\.test_py_functions", f"{_TRIED} one module for both of the test's"),
    (r"PurePythonOrderedDict", f"{_TRIED} one module for both of the test's"),
    (
        r"CPythonOrderedDictTests\.test_dict_clear",
        "an OrderedDict that methods of dict have changed",
    ),
    (r"test_issue24347", "an OrderedDict whose keys change their hashes"),
    (
        r"test_random.*(randrange_uses_getrandbits|setstate_middle_arg|return_zero|gammavariate)",
        _STATE,
    ),
    (r"Operator.*test_concat", _KEYWORDS),
    (r"Operator.*test_(countOf|indexOf)|test_Set_hash_matches_frozenset", _NAN),
    (r"Operator.*test_[lr]shift", _SHIFT),
)


def reason(name: str) -> str | None:
    """The reason for a test, or for a program that a test runs, to differ."""
    return next((why for pattern, why in _REASONS if re.search(pattern, name)), None)
