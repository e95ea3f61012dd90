"""What a code generator asks its context: types and constants of LLVM for types of Numba's, conversions."""

import numpy as np

from pyopt import _core, conversions, own_types, types
from pyopt.intrinsics import boundary, calls, cgutils, data, function_values
from pyopt.intrinsics.ir import Constant, Function, FunctionType, IntType, PointerType, VoidType
from pyopt.intrinsics.typing_context import Delegated, Installed, TypingContext


class _CallConvention:
    """What leaves the function: an exception."""

    def return_user_exc(self, builder, exc, exc_args=None, loc=None, func_name=None):
        """Raise an exception of a class, with no argument or one text, at the end of the block."""
        import json

        arguments = tuple(exc_args or ())
        if len(arguments) > 1 or not all(isinstance(one, str) for one in arguments):
            raise NotImplementedError(
                f"an intrinsic that raises {exc.__name__}{arguments}: exceptions have one text at most"
            )
        names = _core.exception_class_names(exc)
        # Of a builtin class the compiler knows the bases.
        described = json.dumps(names[0] if exc.__module__ == "builtins" else names)
        message = "".join(f"({json.dumps(one, ensure_ascii=False)})" for one in arguments)
        builder.leave(f"typed.raise {described}{message}")

    def __getattr__(self, name):
        raise NotImplementedError(f"'call_conv.{name}' of an intrinsic's context")


# Of memory that compiled code allocates, and the size of what is in front of it.
_ALIGNMENT = 64


class _References:
    """Counts of references: the compiler counts, what an intrinsic returns too."""

    def incref(self, builder, type, value):
        """Write nothing."""

    decref = incref

    def allocate(self, builder, size):
        """Allocate bytes, which ``free`` gives back."""
        kind = FunctionType(boundary.BYTE_POINTER, [IntType(64)])
        return builder.call(Function(builder.module, kind, "malloc"), [size])

    def meminfo_alloc(self, builder, size):
        """Allocate counted bytes and give their owner: it can be that of what the intrinsic returns."""
        from pyopt.intrinsics.boundary import ARRAY_FIELDS

        signature = types.uint8[::1](types.intp)
        made = calls.call(builder, lambda size: np.empty(size, np.uint8), signature, [size])
        return builder.extract_value(made, ARRAY_FIELDS.index("meminfo"))

    def meminfo_alloc_aligned(self, builder, size, align):
        """Allocate counted bytes: they are always aligned to lines of the cache."""
        bytes = align.constant if isinstance(align, Constant) else align
        if not isinstance(bytes, int) or bytes > _ALIGNMENT:
            raise NotImplementedError(f"memory aligned to {bytes} in an intrinsic")
        return self.meminfo_alloc(builder, size)

    def meminfo_data(self, builder, meminfo):
        """Give the address of the bytes that ``meminfo_alloc`` has allocated."""
        return cgutils.pointer_add(builder, meminfo, _ALIGNMENT)

    def free(self, builder, ptr):
        """Give back what ``allocate`` has given."""
        kind = FunctionType(VoidType(), [boundary.BYTE_POINTER])
        builder.call(Function(builder.module, kind, "free"), [builder.bitcast(ptr, boundary.BYTE_POINTER)])

    def __getattr__(self, name):
        """Refuse what isn't there, by name."""
        raise NotImplementedError(f"'nrt.{name}' of an intrinsic's context")


class Context(Installed):
    """What a code generator gets first."""

    # The arguments of the code generator that is running, as it got them.
    _arguments = None
    # The function of the first call, its result, and how many operations there were behind it.
    _whole = None
    # What intrinsics compute isn't checked, whatever the function that calls them is compiled with.
    enable_boundscheck = False
    # References are counted; by the compiler, see `_References`.
    enable_nrt = True
    # What code is compiled for without any option.
    target_name = "cpu"

    def __init__(self):
        """Make one for a processor of 64 bits."""
        self.typing_context = TypingContext()
        self.call_conv = _CallConvention()
        self.nrt = _References()
        self.address_size = 64

    def __getattr__(self, name):
        """Refuse what isn't there, by name."""
        raise NotImplementedError(f"'{name}' of an intrinsic's context")

    def compile_internal(self, builder, function, signature, arguments):
        """Call a Python function, which is compiled for a signature; exceptions leave the intrinsic.

        One that gets the code generator's arguments as they are, as the only code, is compiled in its place.
        """
        given = self._arguments
        if given is None or [*map(id, arguments)] != [*map(id, given)] or builder.has_operations:
            return calls.call(builder, function, signature, arguments)
        try:
            result = calls.call(builder, function, signature, arguments)
        except Exception as error:
            # It can be the only code all the same; whatever else is done with it is refused.
            result = calls.Whole(error)
        self._whole = function, result, builder.operation_count
        return result

    def check_whole(self, builder, result):
        """Raise ``Delegated`` if a call's result is all that the code generator gives."""
        if self._whole is None:
            return
        function, made, count = self._whole
        if result is made and builder.operation_count == count:
            raise Delegated(function)
        if isinstance(made, calls.Whole):
            raise made.error

    def compile_subroutine(self, builder, function, signature, locals=None, caching=True):
        """Give what ``call_internal`` calls a Python function by, as ``fndesc``."""
        return calls.Subroutine(function, signature)

    def call_internal(self, builder, fndesc, signature, arguments):
        """Call what ``compile_subroutine`` gave; exceptions leave the intrinsic."""
        if not isinstance(fndesc, calls.Subroutine):
            raise TypeError(f"call_internal calls what compile_subroutine gives, not {fndesc!r}")
        return calls.call(builder, fndesc.function, signature, arguments)

    def get_function(self, fn, sig):
        """Give what writes the call of a function for a signature, of a builder and values.

        That is the code of ``lower_builtin`` for it, or else a call of what compiled code calls.
        """
        fn = getattr(fn, "dispatcher", fn)
        code = own_types.implementation_of(fn, sig)
        if code is not None:
            return lambda builder, args: code(self, builder, sig, args)
        function = calls.caller(fn, len(sig.args))
        return lambda builder, args: calls.call(builder, function, sig, args)

    def call_function_pointer(self, builder, funcptr, args, cconv=None):
        """Call the function at an address."""
        return builder.call(funcptr, args)

    def insert_const_string(self, mod, string):
        """Give the address of a text, in UTF-8, that ends with a zero."""
        return data.constant_bytes(mod, string.encode())

    def insert_const_bytes(self, mod, bytes, name=None):
        """Give the address of bytes."""
        return data.constant_bytes(mod, bytes)

    def printf(self, builder, format_string, *values):
        """Print values as C does; the format is an address."""
        kind = FunctionType(IntType(32), [boundary.BYTE_POINTER], var_arg=True)
        builder.call(Function(builder.module, kind, "printf"), [format_string, *values])

    def get_value_type(self, type):
        """Give the type of LLVM that values are of."""
        return boundary.value_type(type)

    get_argument_type = get_return_type = get_value_type

    def add_dynamic_addr(self, builder, intaddr, info):
        """Write an address of this process, where such code stays."""
        builder.function.declare(function_values.this_process())
        return builder.inttoptr(Constant(IntType(64), intaddr), boundary.BYTE_POINTER)

    def get_function_pointer_type(self, type):
        """Give the type of pointers to C functions of a type's signature."""
        signature = type.sig
        given = [boundary.value_type(one) for one in signature.args]
        result = signature.return_type
        returned = VoidType() if result in (types.void, types.none) else boundary.value_type(result)
        return FunctionType(returned, given).as_pointer()

    def get_data_type(self, type):
        """Give the type of LLVM that values have in memory."""
        return boundary.data_type(type)

    def get_abi_alignment(self, type):
        """Give the alignment of a type of LLVM in memory."""
        return cgutils.alignment_of(type)

    def get_abi_sizeof(self, type):
        """Give the bytes of a type of LLVM in memory."""
        return cgutils.size_of(type)

    def get_constant(self, type, value):
        """Make a constant number or truth value."""
        kind = boundary.value_type(type)
        if isinstance(type, types.Complex):
            return Constant(kind, [value.real, value.imag])
        return Constant(kind, value)

    def get_constant_generic(self, builder, type, value):
        """Make a constant, also a tuple."""
        if isinstance(type, types.BaseTuple):
            items = zip(type.types, value, strict=True)
            return Constant(
                boundary.value_type(type), [self.get_constant_generic(builder, *one) for one in items]
            )
        return self.get_dummy_value() if value is None else self.get_constant(type, value)

    def get_constant_null(self, type):
        """Make zeros of a type."""
        return Constant(boundary.value_type(type), None)

    def get_constant_undef(self, type):
        """Make a value of which nothing is known."""
        return boundary.undefined(type)

    def get_dummy_value(self):
        """Make the value that stands for None."""
        return Constant(boundary.BYTE_POINTER, None)

    def get_dummy_type(self):
        """Give the type of the value that stands for None."""
        return boundary.BYTE_POINTER

    def make_optional_value(self, builder, type, value):
        """Make an optional value that is there."""
        return calls.call(builder, lambda value: value, types.Optional(type)(type), [value])

    def make_optional_none(self, builder, type):
        """Make an optional value that isn't there."""
        return calls.call(builder, lambda: None, types.Optional(type)(), [])

    def make_tuple(self, builder, type, values):
        """Make a tuple."""
        made = boundary.undefined(type)
        for at, value in enumerate(values):
            made = builder.insert_value(made, value, at)
        return made

    def make_complex(self, builder, type, value=None):
        """Make or open a complex number: its parts are ``real`` and ``imag``."""
        return cgutils.StructProxy(builder, boundary.value_type(type), ("real", "imag"), value)

    def make_array(self, type):
        """Give what makes or opens an array."""
        return lambda context, builder, value=None, ref=None: cgutils.array_proxy(builder, type, value, ref)

    def populate_array(self, arr, **parts):
        """Set the parts of an array, as ``numba.np.arrayobj.populate_array`` does."""
        return cgutils.populate_array(arr, **parts)

    def make_helper(self, builder, type, value=None, ref=None):
        """Open a value of any type that has parts, or make one of zeros."""
        return cgutils.create_struct_proxy(type)(self, builder, value, ref)

    def cast(self, builder, value, source, target):
        """Convert a number, or a tuple of them."""
        return _cast(self, builder, value, types.unliteral(source), types.unliteral(target))

    def is_true(self, builder, type, value):
        """Say whether a number isn't zero."""
        return self.cast(builder, value, type, types.boolean)

    def pack_value(self, builder, type, value, pointer, align=None):
        """Write a value to memory."""
        kind = boundary.data_type(type)
        value = self.get_value_as_data(builder, type, value)
        builder.store(value, builder.bitcast(pointer, PointerType(kind)))

    def get_value_as_data(self, builder, type, value):
        """Give a value as memory has it."""
        is_bool = isinstance(type, types.Boolean)
        return builder.zext(value, boundary.data_type(type)) if is_bool else value

    def get_data_as_value(self, builder, type, data):
        """Give the value that memory has."""
        is_bool = isinstance(type, types.Boolean)
        return builder.icmp_unsigned("!=", data, data.type(0)) if is_bool else data

    def unpack_value(self, builder, type, pointer, align=None):
        """Read a value from memory."""
        return self.get_data_as_value(builder, type, builder.load(pointer, typ=boundary.data_type(type)))


def _cast(context, builder, value, source, target):
    if source == target:
        return value
    if isinstance(source, types.BaseTuple) and isinstance(target, types.BaseTuple):
        if len(source.types) == len(target.types):
            items = [
                _cast(context, builder, builder.extract_value(value, at), before, after)
                for at, (before, after) in enumerate(zip(source.types, target.types, strict=True))
            ]
            return context.make_tuple(builder, target, items)
    if isinstance(target, types.Complex):
        if isinstance(source, types.Complex):
            parts = [builder.extract_value(value, at) for at in range(2)]
            source = source.underlying_float
        else:
            parts = [value, None]
        real = target.underlying_float
        halves = [
            Constant(boundary.value_type(real), 0.0)
            if one is None
            else _cast(context, builder, one, source, real)
            for one in parts
        ]
        return context.make_tuple(builder, _Pair(target), halves)
    declared = conversions.implementation_of(source, target)
    if declared is not None:
        return declared(context, builder, source, target, value)
    if isinstance(target, types.Optional):
        value = _cast(context, builder, value, source, target.type)
        return context.make_optional_value(builder, target.type, value)
    convert = _conversion(source, target)
    if convert is None:
        raise TypeError(f"{source} can't be converted to {target}")
    return convert(builder, value, boundary.value_type(target))


class _Pair(types.Type):
    """A complex number as a pair of floats."""

    __slots__ = ()

    def __init__(self, type):
        super().__init__(type.name, type.text)


def _conversion(source, target):
    whole = (types.Integer, types.Boolean)
    is_signed = isinstance(source, types.Integer) and source.signed
    if isinstance(target, types.Boolean):
        if isinstance(source, types.Float):
            return lambda builder, value, _: builder.fcmp_unordered("!=", value, value.type(0.0))
        return lambda builder, value, _: builder.icmp_unsigned("!=", value, value.type(0))
    if isinstance(source, whole) and isinstance(target, types.Integer):

        def integers(builder, value, kind):
            if value.type.width >= kind.width:
                return builder.trunc(value, kind)
            return (builder.sext if is_signed else builder.zext)(value, kind)

        return integers
    if isinstance(source, whole) and isinstance(target, types.Float):
        return lambda builder, value, kind: (builder.sitofp if is_signed else builder.uitofp)(value, kind)
    if isinstance(source, types.Float) and isinstance(target, types.Integer):
        return lambda builder, value, kind: (builder.fptosi if target.signed else builder.fptoui)(value, kind)
    if isinstance(source, types.Float) and isinstance(target, types.Float):

        def floats(builder, value, kind):
            wider = source.bitwidth < target.bitwidth
            return (builder.fpext if wider else builder.fptrunc)(value, kind)

        return floats
    pointers = (types.RawPointer, types.CPointer)
    if isinstance(source, pointers) and isinstance(target, pointers):
        return lambda builder, value, kind: builder.bitcast(value, kind)
    if isinstance(source, pointers) and isinstance(target, types.Integer):
        return lambda builder, value, kind: builder.ptrtoint(value, kind)
    if isinstance(source, types.Integer) and isinstance(target, pointers):
        return lambda builder, value, kind: builder.inttoptr(value, kind)
    return None


INTP = IntType(64)
