"""``twice(x)`` in compiled code, by an operation of its own."""

from pyopt.extensions import use_core

use_core("scale._core")

from pyopt import types
from pyopt.extending import intrinsic
from pyopt.intrinsics import InMlir


@intrinsic
def twice(typingctx, x):
    """Give twice a number."""
    if isinstance(x, types.Number):
        code = InMlir(['%0 = "scale.twice"(%arg0) : (f64) -> f64', "return %0 : f64"])
        return types.float64(types.float64), code
