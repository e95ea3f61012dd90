"""What Numba has in ``numba.core.sigutils`` and ``numba.core.typing``: signatures."""

from pyopt.templates import signature
from pyopt.types import Signature, is_signature, parse_signature, typeof

__all__ = ["Signature", "is_signature", "normalize_signature", "signature", "typeof"]


def __getattr__(name):
    if name == "Context":
        from pyopt.intrinsics.typing_context import TypingContext

        return TypingContext
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def normalize_signature(signature):
    """Give the argument types and the return type, or None, of a signature in any form."""
    if not is_signature(signature):
        raise TypeError(f"invalid signature: {signature!r} (of {type(signature)}) is none")
    returns, args = parse_signature(signature)
    return args, returns
