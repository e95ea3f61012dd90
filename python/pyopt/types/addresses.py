"""Types of addresses that C code knows: pointers and C functions."""

import platform

from pyopt.types import base
from pyopt.types.composite import FunctionType, Signature
from pyopt.types.text import from_text, named, split


class CPointer(base.Type):
    """A pointer to values of a type."""

    __slots__ = ("addrspace", "dtype")

    def __init__(self, dtype, addrspace=None):
        """Keep the type of what it points to; there is one address space."""
        self.dtype = base.expect_type(dtype)
        self.addrspace = addrspace
        super().__init__(f"{dtype.name}*", f"!typed.pointer<{dtype.text}>")


class EphemeralPointer(CPointer):
    """A pointer to a place that may be gone when the function that has made it returns."""

    __slots__ = ()


class RawPointer(base.Opaque):
    """An address of which nothing else is known: C's ``void *``."""

    __slots__ = ()


voidptr = named(RawPointer("void*", "!typed.pointer<!typed.none>"))


class ExternalFunctionPointer(base.Callable):
    """The address of a C function with a signature."""

    # A dictionary, so that there can be a class of both kinds of functions.
    __slots__ = ("__dict__",)

    @staticmethod
    def get_pointer(function):
        """Give the address of a function of ``ctypes``, or as the type was told to when it was made."""
        from pyopt.c_types import get_pointer

        return get_pointer(function)

    def __init__(self, sig, get_pointer=None, cconv=None):
        """Keep the signature; where the address comes from is no part of the type."""
        if get_pointer is not None:
            self.get_pointer = get_pointer
        self.sig = as_c_signature(sig)
        self.cconv = cconv
        returns = self.sig.return_type
        result = "()" if isinstance(returns, base.NoneType) else returns.text
        arguments = ", ".join(one.text for one in self.sig.args)
        listed = ", ".join(map(str, self.sig.args))
        name = f"ExternalFunctionPointer({returns.name}({listed}))"
        super().__init__(name, f"!typed.c_function<({arguments}) -> {result}>")


class CFunctionType(FunctionType, ExternalFunctionPointer):
    """A C function as programs are told of it: it is one of those of a signature, too."""

    __slots__ = ()

    def __init__(self, pointer):
        """Describe the function that is at an address."""
        base.Type.__init__(self, pointer.name, pointer.text)
        self.signature = self.sig = pointer.sig
        self.cconv = pointer.cconv


def as_c_signature(signature):
    """Give a signature whose types C has; raise for one that it can't have."""
    returns, arguments = signature
    if returns is None:
        raise TypeError(f"the signature {signature} of a C function needs a return type")
    arguments = [
        ExternalFunctionPointer(one.signature) if isinstance(one, FunctionType) else one for one in arguments
    ]
    for one in arguments:
        if not is_c_type(one):
            raise TypeError(f"C functions take no values of type {one}")
    if not isinstance(returns, base.NoneType) and not is_c_type(returns):
        raise TypeError(f"C functions return no values of type {returns}")
    if any(isinstance(one, base.Complex) for one in arguments) and _registers(arguments) > 8:
        # A complex number that has no registers left goes to memory as a whole.
        raise TypeError("C functions take no complex numbers beside more than 8 floats")
    return Signature(returns, arguments)


def is_c_type(type):
    """Whether values of a type can be passed to C functions."""
    if isinstance(type, base.Float):
        return type.bitwidth > 16
    if isinstance(type, base.Complex):
        # Other processors pass them otherwise.
        return platform.machine() == "x86_64"
    kinds = (base.Integer, base.Boolean, CPointer, RawPointer, ExternalFunctionPointer)
    return isinstance(type, kinds) and not type.is_foreign


def _registers(arguments):
    """Count the registers for floats that arguments take."""
    return sum(
        2
        if isinstance(one, base.Complex) and one.bitwidth == 128
        else isinstance(one, (base.Float, base.Complex))
        for one in arguments
    )


def pointer_from_text(_, inner):
    """Read the compiler's form of a pointer."""
    return CPointer(from_text(inner))


def function_from_text(_, inner):
    """Read the compiler's form of a C function."""
    return ExternalFunctionPointer(signature_from_text(inner))


def signature_from_text(text):
    """Read the compiler's form of a signature."""
    at = _closing(text)
    result = text[at:].removeprefix(") -> ")
    result = from_text("!typed.none" if result == "()" else result)
    return Signature(result, map(from_text, split(text[1:at])))


def _closing(text):
    """Say where the parenthesis is closed that a text begins with."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return at
    raise ValueError(f"no end of the arguments of {text}")
