"""What tests count on that CPython 3.10 doesn't have."""

import sys

import pytest


def _since_311(reason):
    return pytest.mark.skipif(sys.version_info < (3, 11), reason=reason)


needs_columns = _since_311("code of CPython 3.10 has lines without columns")
needs_exception_groups = _since_311("CPython 3.10 has no 'except*'")
needs_todays_unbound = _since_311("an unbound local is reported in the words of CPython 3.11 and later")
needs_joined_ends = _since_311("CPython 3.10 writes the end of a block in each branch that comes to it")
needs_flag_boundaries = _since_311("flags of CPython 3.10 have neither boundaries nor items")
