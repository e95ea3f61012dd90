"""The compiler is chosen before a test imports pyopt."""

import dice  # noqa: F401
