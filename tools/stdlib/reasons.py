"""Why a test of CPython's can't pass with object-mode functions, by the test's id."""

REASONS: dict[str, str] = {}
