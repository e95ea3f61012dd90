"""Polynomials in compiled code: ``p = polynomial(1.0, 0.0, 2.0)`` is a function there."""

from pyopt.extensions import use_core

use_core("poly._core")

from pyopt import types
from pyopt.extending import intrinsic
from pyopt.intrinsics import InMlir


def polynomial(*coefficients):
    """Make a function of compiled code that evaluates a polynomial, its highest power first."""
    constant = f"poly.constant {[float(one) for one in coefficients]}"
    kind = f"!poly.polynomial<{len(coefficients) - 1}>"

    @intrinsic
    def evaluate(typingctx, x):
        if isinstance(x, types.Number):
            return types.float64(types.float64), InMlir(
                [
                    f"%p = {constant} : {kind}",
                    f"%value = poly.eval %p at %arg0 : {kind}",
                    "return %value : f64",
                ]
            )

    return evaluate
