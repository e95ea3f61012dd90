"""The compiler is chosen before a test imports pyopt."""

import poly  # noqa: F401
