"""Types and values of LLVM under llvmlite's names: what an intrinsic computes with.

Nothing is compiled here. A value is a name in the text of a function of MLIR's dialect ``llvm``, which
``pyopt.intrinsics.function`` writes; the compiler parses and verifies it.
"""

import hashlib
import struct

__all__ = [
    *("ArrayType", "Block", "Constant", "DoubleType", "FloatType", "Function", "FunctionType"),
    *("GlobalVariable", "HalfType", "InlineAsm", "IRBuilder", "IntType", "LiteralStructType"),
    *("PointerType", "Type", "Undefined", "Value"),
    *("VectorType", "VoidType"),
]


class Type:
    """A type of LLVM; ``text`` is its form in MLIR. Two are equal if they have the same text."""

    is_pointer = False

    def __init__(self, text):
        """Keep the form."""
        self.text = text

    def __repr__(self):
        """Give the form."""
        return self.text

    def __eq__(self, other):
        """Compare the forms: what pointers point to doesn't count."""
        return self.text == other.text if isinstance(other, Type) else NotImplemented

    def __hash__(self):
        """Hash the form."""
        return hash(self.text)

    def __call__(self, value):
        """Make a constant."""
        return Constant(self, value)

    def as_pointer(self, addrspace=0):
        """Give the type of pointers to it."""
        return PointerType(self, addrspace)


class VoidType(Type):
    """What a function without result gives."""

    def __init__(self):
        """Describe it."""
        super().__init__("!llvm.void")


class IntType(Type):
    """An integer of some bits."""

    def __init__(self, bits):
        """Describe it by its bits."""
        if not isinstance(bits, int) or not 0 < bits <= 1 << 16:
            raise ValueError(f"an integer has from 1 to 65536 bits, not {bits!r}")
        super().__init__(f"i{bits}")
        self.width = bits


class HalfType(Type):
    """A float of 16 bits."""

    format, bits = "<e", "<H"

    def __init__(self):
        """Describe it."""
        super().__init__("f16")


class FloatType(Type):
    """A float of 32 bits."""

    format, bits = "<f", "<I"

    def __init__(self):
        """Describe it."""
        super().__init__("f32")


class DoubleType(Type):
    """A float of 64 bits."""

    format, bits = "<d", "<Q"

    def __init__(self):
        """Describe it."""
        super().__init__("f64")


class PointerType(Type):
    """A pointer, and what code here takes for what it points to."""

    is_pointer = True

    def __init__(self, pointee=None, addrspace=0):
        """Keep what it points to; None is not known."""
        if addrspace:
            raise NotImplementedError(f"pointers into address space {addrspace}")
        super().__init__("!llvm.ptr")
        self.pointee = pointee
        self.addrspace = 0


class _Aggregate(Type):
    def __len__(self):
        """Count the elements."""
        return len(self.elements)


class LiteralStructType(_Aggregate):
    """Elements of several types."""

    def __init__(self, elems, packed=False):
        """Describe it by the types of its elements."""
        self.elements = tuple(elems)
        listed = ", ".join(one.text for one in self.elements)
        super().__init__(f"!llvm.struct<{'packed ' if packed else ''}({listed})>")
        self.packed = packed


class _Repeated(_Aggregate):
    """Several elements of one type."""

    def __init__(self, text, element, count):
        """Keep the type of the elements and their number."""
        self.element = element
        self.count = count
        super().__init__(text)

    @property
    def elements(self):
        """The types of the elements."""
        return (self.element,) * self.count


class ArrayType(_Repeated):
    """Elements of one type."""

    def __init__(self, element, count):
        """Describe it by the type of its elements and their number."""
        super().__init__(f"!llvm.array<{count} x {element.text}>", element, count)


class VectorType(_Repeated):
    """Numbers that are computed with at once."""

    def __init__(self, element, count):
        """Describe it by the type of its elements and their number."""
        super().__init__(f"vector<{count}x{element.text}>", element, count)


class FunctionType(Type):
    """Types of arguments and of the result."""

    def __init__(self, return_type, args, var_arg=False):
        """Keep them."""
        self.return_type = return_type
        self.args = tuple(args)
        self.var_arg = var_arg
        listed = [one.text for one in self.args] + ["..."] * var_arg
        super().__init__(f"!llvm.func<{return_type.text} ({', '.join(listed)})>")


class _Undefined:
    """What no value is known of."""

    def __repr__(self):
        """Give llvmlite's name."""
        return "undef"


Undefined = _Undefined()


class Value:
    """The result of an operation, or an argument."""

    def __init__(self, type, name):
        """Keep the type, and the name in the function's text."""
        self.type = type
        self.name = name

    def __repr__(self):
        """Give the name and the type."""
        return f"<{self.name} : {self.type}>"


class Constant(Value):
    """A constant: a number, None for zeros of any type, ``Undefined``, or a sequence of elements."""

    def __init__(self, type, constant):
        """Keep both; each function that uses the constant names it."""
        super().__init__(type, None)
        if isinstance(type, IntType) and constant is not None and constant is not Undefined:
            constant = int(constant) & ((1 << type.width) - 1)
        if isinstance(constant, (list, tuple, bytes, bytearray)):
            kinds = type.elements
            if len(kinds) != len(constant):
                raise ValueError(f"{type} has {len(kinds)} elements, not {len(constant)}")
            constant = [
                one if isinstance(one, Constant) else Constant(kind, one)
                for kind, one in zip(kinds, constant, strict=True)
            ]
        self.constant = constant

    @classmethod
    def literal_struct(cls, elems):
        """Make a constant struct of constants."""
        return cls(LiteralStructType([one.type for one in elems]), list(elems))

    @classmethod
    def literal_array(cls, elems):
        """Make a constant array of constants of one type."""
        return cls(ArrayType(elems[0].type, len(elems)), list(elems))

    def inttoptr(self, typ):
        """Give a constant address."""
        return ConstantCast("inttoptr", self, typ)

    def ptrtoint(self, typ):
        """Give an address as a constant integer."""
        return ConstantCast("ptrtoint", self, typ)

    def bitcast(self, typ):
        """Give the constant as one of another type of as many bits."""
        return ConstantCast("bitcast", self, typ)

    @property
    def key(self):
        """What is equal for equal constants of a type: 0.0 and -0.0 aren't, nor are 1 and True."""
        value = self.constant
        if isinstance(value, list):
            return tuple(one.key for one in value)
        return (type(value), repr(value)) if value is not Undefined else Undefined

    @property
    def signed(self):
        """The number of a constant integer."""
        value = self.constant or 0
        return value - (1 << self.type.width) if value >> (self.type.width - 1) else value

    def declarations(self):
        """Write what declares data that the constant has addresses of."""
        parts = self.constant if isinstance(self.constant, list) else ()
        return [line for one in parts for line in one.declarations()]

    def write(self, emit):
        """Give the value, by ``emit(type, text of an operation)``, which names what an operation gives."""
        type, constant = self.type, self.constant
        if constant is Undefined:
            return emit(type, f"llvm.mlir.undef : {type}")
        if constant is None:
            return emit(type, f"llvm.mlir.zero : {type}")
        if isinstance(constant, list):
            made = emit(type, f"llvm.mlir.undef : {type}")
            for at, one in enumerate(constant):
                made = emit(type, _inserted(one.write(emit), made, at, type, emit))
            return made
        if isinstance(type, IntType):
            value = f"{'true' if constant else 'false'}" if type.width == 1 else f"{self.signed} : {type}"
            suffix = "" if type.width == 1 else f" : {type}"
            return emit(type, f"llvm.mlir.constant({value}){suffix or ' : i1'}")
        if hasattr(type, "format"):
            (bits,) = struct.unpack(type.bits, struct.pack(type.format, constant))
            digits = struct.calcsize(type.bits) * 2
            return emit(type, f"llvm.mlir.constant(0x{bits:0{digits}X} : {type}) : {type}")
        raise TypeError(f"there is no constant {constant!r} of type {type}")


class ConstantCast(Constant):
    """A constant that is another one, cast."""

    def __init__(self, cast, value, type):
        """Keep the cast, what is cast, and the type."""
        super().__init__(type, Undefined)
        self.cast = cast
        self.value = value

    @property
    def key(self):
        """The cast, and what is cast."""
        return self.cast, self.value.type, self.value.key

    def write(self, emit):
        """Write the operation."""
        value = self.value.write(emit)
        if value.type == self.type:
            return Value(self.type, value.name)
        return emit(self.type, f"llvm.{self.cast} {value.name} : {value.type} to {self.type}")

    def declarations(self):
        """Write what declares the data whose address is cast."""
        return self.value.declarations()


class GlobalVariable(Constant):
    """The address of data that is in the module, with an initializer: a constant, or a variable."""

    def __init__(self, module, typ, name, addrspace=0):
        """Describe data of a type; the name is a hint."""
        super().__init__(PointerType(typ, addrspace), Undefined)
        self.module = module
        # A function may have several variables that are alike.
        self._number = module.data_count = module.data_count + 1
        self.name = name
        self.value_type = typ
        self.initializer = None
        self.global_constant = False
        self.linkage = "internal"
        self.align = None
        self.unnamed_addr = False

    def _text(self):
        if self.initializer is None:
            raise NotImplementedError("data of a module without an initializer in an intrinsic")
        aligned = f", alignment = {self.align} : i64" if self.align else ""
        attributes = f"{{addr_space = 0 : i32{aligned}}}"
        elements = self.initializer.constant
        if self.value_type.text.endswith(" x i8>") and isinstance(elements, list):
            escaped = "".join(f"\\{one.constant or 0:02X}" for one in elements)
            return f'("{escaped}") {attributes}'
        lines = []

        def emit(type, text):
            made = Value(type, f"%{len(lines)}")
            lines.append(f"  {made.name} = {text}")
            return made

        made = self.initializer.write(emit)
        body = "\n".join([*lines, f"  llvm.return {made.name} : {made.type}"])
        return f"() {attributes} : {self.value_type} {{\n{body}\n}}"

    @property
    def symbol(self):
        """The name in the module: constants that are equal have one, a variable is its function's own."""
        if self.global_constant:
            return f"pyopt.constant.{hashlib.sha256(self._text().encode()).hexdigest()}"
        described = f"{self.module.name} {self.name} {self._number}{self._text()}"
        return f"pyopt.variable.{hashlib.sha256(described.encode()).hexdigest()}"

    @property
    def key(self):
        """The symbol."""
        return self.symbol

    def write(self, emit):
        """Write the address."""
        return emit(self.type, f'llvm.mlir.addressof @"{self.symbol}" : !llvm.ptr')

    def declarations(self):
        """Write the data."""
        kind = "constant " if self.global_constant else ""
        return [f'llvm.mlir.global internal {kind}@"{self.symbol}"{self._text()}']


class InlineAsm:
    """Instructions of the machine, which are called."""

    def __init__(self, ftype, asm, constraint, side_effect=False):
        """Keep the parts."""
        self.ftype = self.function_type = ftype
        self.asm = asm
        self.constraint = constraint
        self.side_effect = side_effect


def _inserted(value, aggregate, at, type, emit):
    if isinstance(type, VectorType):
        position = Constant(IntType(32), at).write(emit)
        return f"llvm.insertelement {value.name}, {aggregate.name}[{position.name} : i32] : {type}"
    return f"llvm.insertvalue {value.name}, {aggregate.name}[{at}] : {type}"


class Block:
    """A basic block: operations, values that it gets from its predecessors, and where it goes."""

    def __init__(self, function, name):
        """Make an empty one."""
        self.function = function
        self.name = name
        self.operations = []
        self.phis = []
        #: What follows: None, or the operation's text up to the targets, and these with conditions.
        self.terminator = None
        #: The constants of a switch.
        self.cases = []

    @property
    def is_terminated(self):
        """Whether it says where it goes."""
        return self.terminator is not None


class Function:
    """A function that is called: one of LLVM's intrinsics, by its name."""

    def __init__(self, module, ftype, name):
        """Keep the name and the type."""
        self.module = module
        self.ftype = self.function_type = ftype
        self.name = name
        self.args = ()
        self.attributes = set()
