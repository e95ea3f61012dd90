"""The compiler is chosen before a test imports pyopt."""

import scale  # noqa: F401
