"""Slices in an intrinsic: Numba's start, stop and step, of which the compiler stores those that are said."""

from pyopt.intrinsics.ir import IntType, LiteralStructType

_INTP = IntType(64)
#: The type of LLVM that values are of.
VALUE_TYPE = LiteralStructType([_INTP] * 3)
#: The parts of a value.
FIELDS = ("start", "stop", "step")
_LARGEST = (1 << 63) - 1
# What stands for a start, stop or step that isn't said, as in Numba: in a slice that goes up, or down.
_DEFAULTS = (0, _LARGEST, 1), (_LARGEST, -_LARGEST - 1, 1)


def _parts(type):
    return type.text.removeprefix("!typed.slice<").removesuffix(">").split(", ")


def has_value(type):
    """Whether slices of a type are of numbers, or None where a part isn't said."""
    return all(one in ("si64", "!typed.none") for one in _parts(type))


def stored(type):
    """Give the positions of the parts that slices of a type say."""
    return [at for at, one in enumerate(_parts(type)) if one != "!typed.none"]


def opened(lines, parts, type):
    """Write what makes the parts that a slice says one of LLVM's values."""
    said = {at: next(parts) for at in stored(type)}
    written = [said[at] if at in said else _default(lines, at, said.get(2)) for at in range(3)]
    return lines.aggregate(VALUE_TYPE, written)


def _default(lines, at, step):
    up, down = (lines.one(_INTP, f"llvm.mlir.constant({one[at]} : i64) : i64") for one in _DEFAULTS)
    if step is None:
        return up
    zero = lines.one(_INTP, "llvm.mlir.constant(0 : i64) : i64")
    goes_down = lines.one(IntType(1), f'llvm.icmp "slt" {step.name}, {zero.name} : i64')
    return lines.one(_INTP, f"llvm.select {goes_down.name}, {down.name}, {up.name} : i1, i64")
