"""Structures that are passed by reference: ``numba.experimental.structref``.

A reference is an own type (``pyopt.own_types``) of one field, the memory: in compiled code a list of one
tuple, which the operations ``typed.struct_new``, ``field_get`` and ``field_set`` make and access; in Python
an object that holds the memory, in the proxy that ``define_boxing`` names.
"""

from pyopt import _core, own_types, types
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, overload, register_native
from pyopt.intrinsics import InMlir
from pyopt.types.structures import REFERENCE, in_memory, is_kept_list, is_plain


class _TypeRef(types.Type):
    """The type of a type of references, where a program names one."""

    __slots__ = ("instance_type",)

    def __init__(self, instance_type):
        super().__init__(f"typeref[{instance_type.name}]")
        self.instance_type = instance_type

    @property
    def key(self):
        """The structure's type: programs may have several classes of one name."""
        return type(self.instance_type), self.instance_type.key


@own_types.register_model(_TypeRef)
class _TypeRefModel(own_types.PlainModel):
    """A model without fields."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [])


own_types.typeof_impl.register(types.StructRef, lambda type, context: _TypeRef(type))


@own_types.unbox(_TypeRef)
def _(object):
    return []


def register(struct_type):
    """Make a class that is derived from ``types.StructRef`` known: its model and the access to fields."""
    _check_is_derived(struct_type)
    own_types.register_model(struct_type)(own_types.StructRefModel)
    define_attributes(struct_type)
    return struct_type


def _check_is_derived(struct_type):
    if struct_type is types.StructRef:
        raise ValueError(f"cannot register {types.StructRef}")


def define_attributes(struct_typeclass):
    """Let compiled code read and write the fields of references, which ``register`` does."""
    register_native("attribute:*", read_field, struct_typeclass)
    register_native("setattribute:*", store_field, struct_typeclass)


def _place(type, name):
    """Give the position and type of a field."""
    fields = type._fields
    at = next((at for at, (one, _) in enumerate(fields) if one == name), None)
    if at is None:
        raise TypingError(f"{type} has no field '{name}'")
    return at, fields[at][1]


def read_field(name):
    """Give what reads a field of a reference."""

    def structure_field(context, reference):
        at, field = _place(reference, name)
        memory, lines = memory_of("%arg0", reference)
        if is_kept_list(field):
            # What is read is a list that may be changed.
            lines += check_is_own(memory, reference)
        kept = in_memory(field).text
        lines.append(f"%kept = typed.field_get {memory}[{at}] : {reference.memory.text} -> {kept}")
        if isinstance(field, types.StructRef) and not field.is_made_blank:
            lines += _check_is_set("%kept", f"the attribute '{name}' of {reference}")
        lines += _as("%field", "%kept", kept, field.text)
        lines.append(f"return %field : {field.text}")
        return field(reference), InMlir(lines)

    return structure_field


def store_field(name):
    """Give what stores a field of a reference."""

    def set_structure_field(context, reference, value):
        at, field = _place(reference, name)
        memory, lines = memory_of("%arg0", reference)
        if not is_plain(field):
            lines += check_is_own(memory, reference)
        kept = in_memory(field).text
        value = "%arg1"
        if not is_kept_list(field):
            lines.append(f"%value = typed.keep %arg1 : {field.text}")
            value = "%value"
        lines += _as("%kept", value, field.text, kept)
        lines.append(f"typed.field_set %kept, {memory}[{at}] : {kept}, {reference.memory.text}")
        lines.append(f"%none = typed.singleton : {types.none.text}")
        lines.append(f"return %none : {types.none.text}")
        return types.none(reference, field), InMlir(lines)

    return set_structure_field


def _as(name, value, found, wanted):
    """Give the lines that have the words of a value as another type of as many words."""
    return [f"{name} = builtin.unrealized_conversion_cast {value} : {found} to {wanted}"]


def address_of(reference, text):
    """Give the lines that have the address of what a reference of a type refers to, as a number."""
    return [
        *_as(f"{reference}_address", reference, text, "!llvm.ptr"),
        f"{reference}_number = llvm.ptrtoint {reference}_address : !llvm.ptr to i64",
    ]


def _check_is_set(reference, what):
    """Give the lines that raise AttributeError where a reference is null: its field was never set."""
    return [
        *address_of(reference, REFERENCE.text),
        f"{reference}_zero = llvm.mlir.constant(0 : i64) : i64",
        f'{reference}_null = llvm.icmp "eq" {reference}_number, {reference}_zero : i64',
        f'typed.raise_if {reference}_null, "AttributeError"("{what} was never set")',
    ]


def check_is_own(memory, type):
    """Give the lines that note a change of a structure, and raise RuntimeError where other threads use it.

    These are the fields of the header that the runtime's ``sharing`` has.
    """
    text = type.memory.text
    return [
        *_as(f"{memory}_address", memory, text, "!llvm.ptr"),
        f"{memory}_shared = llvm.getelementptr {memory}_address[40] : (!llvm.ptr) -> !llvm.ptr, i8",
        f"{memory}_changed = llvm.getelementptr {memory}_address[44] : (!llvm.ptr) -> !llvm.ptr, i8",
        f"{memory}_yes = llvm.mlir.constant(1 : i32) : i32",
        f"{memory}_no = llvm.mlir.constant(0 : i32) : i32",
        # Neither access may move behind the change.
        f"llvm.store volatile {memory}_yes, {memory}_changed : i32, !llvm.ptr",
        f"{memory}_users = llvm.load volatile {memory}_shared : !llvm.ptr -> i32",
        f'{memory}_refused = llvm.icmp "ne" {memory}_users, {memory}_no : i32',
        # What is refused changes nothing.
        f"{memory}_still = llvm.select {memory}_refused, {memory}_no, {memory}_yes : i1, i32",
        f"llvm.store volatile {memory}_still, {memory}_changed : i32, !llvm.ptr",
        f'typed.raise_if {memory}_refused, "RuntimeError"("{type} is changed while other threads use it")',
    ]


def memory_of(reference, type):
    """Give the name of the memory of a reference, and the lines that take it."""
    parts, memory = f"{reference}_parts", f"{reference}_memory"
    text = type.memory.text
    return memory, [
        f"{parts} = typed.as_tuple {reference} : {type.text}",
        f"{memory} = typed.tuple_get {parts}[0] : tuple<{text}> -> {text}",
    ]


@intrinsic
def new(typingctx, struct_type):
    """Make a reference to a new structure of a type, whose fields are zeros; None in optional ones."""
    if not isinstance(struct_type, _TypeRef):
        raise TypingError(f"structref.new takes a type that is derived from StructRef, not {struct_type}")
    made = struct_type.instance_type
    lines = []
    name = _write_new(lines, made, "%new")
    lines.append(f"return {name} : {made.text}")
    return made(struct_type), InMlir(lines)


def _write_new(lines, type, name):
    """Write what makes a structure; fields that are references, lists or texts get new ones: none is null."""
    text = type.memory.text
    lines.append(f"{name}_memory = typed.struct_new : {text}")
    for at, (_, field) in enumerate(type._fields):
        inner = f"{name}_{at}"
        if isinstance(field, types.StructRef) and not field.is_made_blank:
            # Read before it is set, such a field is an error.
            continue
        if isinstance(field, types.StructRef):
            _write_new(lines, field, inner)
            lines += _as(f"{inner}_kept", inner, field.text, in_memory(field).text)
            inner = f"{inner}_kept"
        elif _has_text(field):
            lines.append(f"{inner}_zeros = typed.field_get {name}_memory[{at}] : {text} -> {field.text}")
            inner = _write_texts(lines, field, f"{inner}_zeros")
        elif is_kept_list(field):
            lines.append(f"{inner} = typed.list_new : {field.text}")
        else:
            continue
        lines.append(f"typed.field_set {inner}, {name}_memory[{at}] : {in_memory(field).text}, {text}")
    lines.append(f"{name}_parts = typed.tuple({name}_memory) : tuple<{text}>")
    lines.append(f"{name} = typed.as_sequence {name}_parts : {type.text}")
    return name


_TEXTS = (types.unicode_type, types.bytes_type)


def _has_text(type):
    return type in _TEXTS or (isinstance(type, types.BaseTuple) and any(map(_has_text, type.types)))


def _write_texts(lines, type, name):
    """Write what puts empty texts to where a value of zeros has texts; give its name."""
    made = f"{name}_made"
    if type in _TEXTS:
        lines.append(f'{made} = typed.constant "" : {type.text}')
        return made
    if not _has_text(type):
        return name
    items = f"tuple<{', '.join(one.text for one in type.types)}>"
    is_named = type.text != items
    if is_named:
        lines.append(f"{name}_items = typed.as_tuple {name} : {type.text}")
        name = f"{name}_items"
    parts = []
    for at, one in enumerate(type.types):
        part = f"{name}_{at}"
        lines.append(f"{part} = typed.tuple_get {name}[{at}] : {items} -> {one.text}")
        parts.append(_write_texts(lines, one, part))
    lines.append(f"{made} = typed.tuple({', '.join(parts)}) : {items}")
    if is_named:
        lines.append(f"{made}_named = typed.as_sequence {made} : {type.text}")
        made = f"{made}_named"
    return made


def define_constructor(py_class, struct_typeclass, fields):
    """Let compiled code make structures by calling a class with their fields, whose types may be any."""
    listed = ", ".join(fields)
    stores = "".join(f"        made.{name} = {name}\n" for name in fields)
    source = (
        f"def constructor({listed}):\n"
        f"    struct_type = struct_typeclass(list(zip(fields, [{listed}])))\n"
        f"    def construct({listed}):\n"
        f"        made = new(struct_type)\n{stores}        return made\n"
        f"    return construct\n"
    )
    scope = {"struct_typeclass": struct_typeclass, "new": new, "fields": list(fields), "__name__": __name__}
    exec(source, scope)
    overload(py_class)(scope["constructor"])


def define_boxing(struct_type, obj_class):
    """Say which class of Python's, derived from ``StructRefProxy``, objects for references are of."""
    _check_is_derived(struct_type)
    own_types.box(struct_type)(lambda type, memory: obj_class._numba_box_(type, memory))
    own_types.unbox(struct_type)(lambda proxy: proxy._meminfo)


def define_proxy(py_class, struct_typeclass, fields):
    """Define both the constructor of a class and the conversion to its objects."""
    define_constructor(py_class, struct_typeclass, fields)
    define_boxing(struct_typeclass, py_class)


class StructRefProxy:
    """What Python has for a reference. Derived classes may define ``__new__``, and properties."""

    __slots__ = ("_meminfo", "_type")

    @classmethod
    def _numba_box_(cls, ty, mi):
        """Make an object for a reference of a type that holds the memory."""
        made = super().__new__(cls)
        made._type = ty
        made._meminfo = mi
        return made

    def __new__(cls, *args):
        """Make a structure as compiled code does."""
        constructor = cls.__dict__.get("__pyopt_constructor__")
        if constructor is None:
            constructor = cls.__pyopt_constructor__ = _constructor(cls)
        return constructor(*args)

    @property
    def _numba_type_(self):
        """The type of the reference."""
        return self._type


class SharedInstance(StructRefProxy):
    """What Python has for a reference, with what stands for it as an argument at hand."""

    __slots__ = ("_pyopt_stand_in",)

    @classmethod
    def _numba_box_(cls, ty, mi):
        """Make an object for a reference of a type that holds the memory."""
        made = object.__new__(cls)
        made._adopt(ty, mi)
        return made

    def _adopt(self, type, memory):
        # Programs may have fields of these names.
        StructRefProxy._type.__set__(self, type)
        StructRefProxy._meminfo.__set__(self, memory)
        stand_in = tuple.__new__(own_types.own_type(type).stand_in, [memory])
        SharedInstance._pyopt_stand_in.__set__(self, stand_in)


own_types.typeof_impl.register(
    SharedInstance, lambda instance, context: StructRefProxy._type.__get__(instance)
)


def define_shared(struct_type, cls):
    """Say which class, derived from ``SharedInstance``, objects for references are of."""
    _core.register_holder(cls)
    own_types.box(struct_type)(cls._numba_box_)
    own_types.unbox(struct_type)(StructRefProxy._meminfo.__get__)


own_types.typeof_impl.register(StructRefProxy, lambda proxy, context: proxy._type)


def _constructor(cls):
    from pyopt import njit

    @njit
    def construct(*args):
        return cls(*args)

    return construct


def __getattr__(name):
    if name == "_Utils":
        # Only code generators need it.
        from pyopt.intrinsics.structures import Utils

        return Utils
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
