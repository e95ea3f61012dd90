"""The builder of an intrinsic's code, with the methods of llvmlite's ``IRBuilder``."""

from contextlib import contextmanager

from pyopt.intrinsics import instructions, slots
from pyopt.intrinsics.ir import Constant


class IRBuilder:
    """Writes operations at the end of a block, or in front of one in it."""

    def __init__(self, block=None):
        """Begin at the end of a block."""
        self.block = block
        self.anchor = None

    @property
    def basic_block(self):
        """The block that is written to."""
        return self.block

    @property
    def function(self):
        """The function that the block is of."""
        return self.block.function

    @property
    def has_operations(self):
        """Whether anything has been written."""
        return any(block.operations or block.is_terminated for block in self.function.blocks)

    @property
    def operation_count(self):
        """How many operations have been written, and how many blocks."""
        return sum(1 + len(block.operations) for block in self.function.blocks)

    @property
    def module(self):
        """What functions are declared in."""
        return self.function.module

    # Where operations go.

    def position_at_end(self, block):
        """Go to the end of a block."""
        self.block, self.anchor = block, None

    def position_at_start(self, block):
        """Go to the start of a block."""
        self.block, self.anchor = block, 0

    def append_basic_block(self, name=""):
        """Make a block."""
        return self.function.append_basic_block(name)

    @contextmanager
    def goto_block(self, block):
        """Write at the end of another block, in front of its terminator, and come back."""
        before, anchor = self.block, self.anchor
        count = len(before.operations)
        self.block = block
        self.anchor = len(block.operations) if block.is_terminated else None
        try:
            yield
        finally:
            if anchor is not None and before is block and anchor == count:
                anchor = len(block.operations)
            self.block, self.anchor = before, anchor

    def goto_entry_block(self):
        """Write at the end of the first block, and come back."""
        return self.goto_block(self.function.entry_basic_block)

    def emit(self, type, text, *operands, pure=False, action=None):
        """Write an operation on operands, whose names stand for the ``{}`` of its text."""
        function = self.function
        if self.block.is_terminated and self.anchor is None:
            raise ValueError("an operation behind the terminator of its block")
        function.is_pure &= pure
        used = [function.use(operand) for operand in operands]
        for one in used:
            function.check_is_read(one)
        operation, value = function.named(type, text, used, action)
        if self.anchor is None:
            self.block.operations.append(operation)
        else:
            self.block.operations.insert(self.anchor, operation)
            self.anchor += 1
        return value

    def write(self, operations):
        """Write operations that are there already."""
        if self.anchor is None:
            self.block.operations += operations
        else:
            self.block.operations[self.anchor : self.anchor] = operations
            self.anchor += len(operations)

    def comment(self, text):
        """Write nothing."""

    # Control flow.

    def _terminate(self, text, operands, targets):
        if self.block.is_terminated:
            raise ValueError("a block has two terminators")
        self.function.is_pure = False
        self.block.terminator = text, [self.function.use(one) for one in operands], targets

    def branch(self, target):
        """Go to a block."""
        self._terminate("cf.br", [], [target])

    def cbranch(self, cond, truebr, falsebr):
        """Go to one of two blocks."""
        self._terminate("cf.cond_br", [cond], [truebr, falsebr])

    def switch(self, value, default):
        """Go to the block of the case that a value is, or to another; give what cases are added to."""
        self._terminate("switch", [value], [default])
        return instructions.Switch(self.block, value.type)

    def ret(self, value):
        """Refuse: what an intrinsic gives is what its code generator returns."""
        raise NotImplementedError("IRBuilder.ret in an intrinsic: return the value from the code generator")

    ret_void = ret

    def leave(self, text):
        """Leave the function at the end of the block by an operation of the dialect ``typed``."""
        self._terminate(text, [], [])

    def unreachable(self):
        """Say that this is never reached."""
        self._terminate("llvm.unreachable", [], [])

    def phi(self, typ, name=""):
        """Take a value of each predecessor of the block."""
        return self.function.phi(self.block, typ)

    @contextmanager
    def if_then(self, pred, likely=None):
        """Write what happens under a condition."""
        then, end = self.append_basic_block(), self.append_basic_block()
        self.cbranch(pred, then, end)
        self.position_at_end(then)
        yield end
        if not self.block.is_terminated:
            self.branch(end)
        self.position_at_end(end)

    @contextmanager
    def if_else(self, pred, likely=None):
        """Write what happens under a condition, and what otherwise."""
        then, otherwise, end = (self.append_basic_block() for _ in range(3))
        self.cbranch(pred, then, otherwise)

        @contextmanager
        def arm(block):
            self.position_at_end(block)
            yield
            if not self.block.is_terminated:
                self.branch(end)

        yield arm(then), arm(otherwise)
        self.position_at_end(end)

    # Memory.

    def alloca(self, typ, size=None, name=""):
        """Give the address of room on the stack."""
        from pyopt.intrinsics.ir import Constant, IntType

        count = Constant(IntType(64), 1) if size is None else size
        text = f"llvm.alloca {{}} x {typ} : ({count.type}) -> !llvm.ptr"
        place = self.emit(typ.as_pointer(), text, count)
        self.function.places.add(place.name)
        self.function.rooms.append(place.name)
        return place

    def load(self, ptr, name="", align=None, typ=None):
        """Read from an address."""
        kind = typ or instructions.pointee(ptr)
        if ptr.name in self.function.slots:
            return slots.read(self, ptr, kind)
        # What is written to it later would not be seen here.
        self.function.places.discard(ptr.name)
        aligned = f" {{{{alignment = {align} : i64}}}}" if align else ""
        return self.emit(kind, f"llvm.load {{}}{aligned} : !llvm.ptr -> {kind}", ptr)

    def store(self, value, ptr, align=None):
        """Write to an address."""
        instructions.expect_pointer(ptr)
        if self.function.is_handle(value):
            slots.write(self, ptr, value)
            return
        aligned = f" {{{{alignment = {align} : i64}}}}" if align else ""
        self.emit(None, f"llvm.store {{}}, {{}}{aligned} : {value.type}, !llvm.ptr", value, ptr)

    def gep(self, ptr, indices, inbounds=False, name="", source_etype=None):
        """Give the address of a part of what an address points to."""
        kind = source_etype or instructions.pointee(ptr)
        return instructions.element_address(self, ptr, kind, indices)

    def load_atomic(self, ptr, ordering, align, name="", typ=None):
        """Read from an address at once."""
        kind = typ or instructions.pointee(ptr)
        text = f"llvm.load {{}} atomic {ordering} {{{{alignment = {align} : i64}}}} : !llvm.ptr -> {kind}"
        return self.emit(kind, text, ptr)

    def store_atomic(self, value, ptr, ordering, align):
        """Write to an address at once."""
        instructions.expect_pointer(ptr)
        text = f"llvm.store {{}}, {{}} atomic {ordering} {{{{alignment = {align} : i64}}}}"
        self.emit(None, f"{text} : {value.type}, !llvm.ptr", value, ptr)

    def atomic_rmw(self, op, ptr, val, ordering, name=""):
        """Change what is at an address at once, and give what was there."""
        op = f"_{op}" if op in ("and", "or", "xor") else op
        return self.emit(
            val.type, f"llvm.atomicrmw {op} {{}}, {{}} {ordering} : !llvm.ptr, {val.type}", ptr, val
        )

    def cmpxchg(self, ptr, cmp, val, ordering, failordering=None, name=""):
        """Exchange what is at an address if it is what is expected: what was there, and whether it was."""
        from pyopt.intrinsics.ir import IntType, LiteralStructType

        return self.emit(
            LiteralStructType([val.type, IntType(1)]),
            f"llvm.cmpxchg {{}}, {{}}, {{}} {ordering} {failordering or ordering} : !llvm.ptr, {val.type}",
            *(ptr, cmp, val),
        )

    def fence(self, ordering, targetscope=None, name=""):
        """Order accesses of memory."""
        self.emit(None, f"llvm.fence {ordering}")

    # Parts.

    def extract_value(self, agg, idx, name="", typ=None):
        """Give an element of a struct or array."""
        path, kind = instructions.path(agg.type, idx)
        known = self.function.part(agg, path)
        if known is not None:
            return instructions.pointing(known, kind)
        text = f"llvm.extractvalue {{}}[{instructions.written(path)}] : {agg.type}"
        made = self.emit(kind, text, agg, pure=True)
        self.function.take(made, agg, path)
        return made

    def insert_value(self, agg, value, idx, name=""):
        """Give a struct or array with another element."""
        path, kind = instructions.path(agg.type, idx)
        instructions.expect(value, kind)
        # A handle is known by what it stands for, and not by what LLVM has.
        stored = Constant(kind, None) if self.function.is_handle(value) else value
        text = f"llvm.insertvalue {{}}, {{}}[{instructions.written(path)}] : {agg.type}"
        made = self.emit(agg.type, text, stored, agg, pure=True)
        self.function.put(made, agg, value, path)
        return made

    def extract_element(self, vector, idx, name=""):
        """Give an element of a vector."""
        kind = vector.type.element
        return self.emit(kind, f"llvm.extractelement {{}}[{{}} : {idx.type}] : {vector.type}", vector, idx)

    def insert_element(self, vector, value, idx, name=""):
        """Give a vector with another element."""
        text = f"llvm.insertelement {{}}, {{}}[{{}} : {idx.type}] : {vector.type}"
        return self.emit(vector.type, text, value, vector, idx)

    def shuffle_vector(self, vector1, vector2, mask, name=""):
        """Give elements of two vectors, of the numbers that a constant vector has."""
        return instructions.shuffle(self, vector1, vector2, mask)

    # Numbers.

    def icmp_signed(self, cmpop, lhs, rhs, name=""):
        """Compare integers that have signs, or pointers."""
        return instructions.compare_integers(self, cmpop, lhs, rhs, "s")

    def icmp_unsigned(self, cmpop, lhs, rhs, name=""):
        """Compare integers that have no signs, or pointers."""
        return instructions.compare_integers(self, cmpop, lhs, rhs, "u")

    def fcmp_ordered(self, cmpop, lhs, rhs, name="", flags=()):
        """Compare floats; false if one is NaN."""
        return instructions.compare_floats(self, cmpop, lhs, rhs, "o")

    def fcmp_unordered(self, cmpop, lhs, rhs, name="", flags=()):
        """Compare floats; true if one is NaN."""
        return instructions.compare_floats(self, cmpop, lhs, rhs, "u")

    def select(self, cond, lhs, rhs, name="", flags=()):
        """Give one of two values."""
        instructions.expect(rhs, lhs.type)
        if self.function.is_handle(lhs):
            return self._select_by_branches(cond, lhs, rhs)
        text = f"llvm.select {{}}, {{}}, {{}} : {cond.type}, {lhs.type}"
        return self.emit(lhs.type, text, cond, lhs, rhs, pure=True)

    def _select_by_branches(self, cond, lhs, rhs):
        blocks = then, otherwise, end = [self.append_basic_block() for _ in range(3)]
        self.cbranch(cond, then, otherwise)
        self.position_at_end(end)
        made = self.phi(lhs.type)
        for block, value in zip(blocks, (lhs, rhs), strict=False):
            made.add_incoming(value, block)
            with self.goto_block(block):
                self.branch(end)
        return made

    def neg(self, value, name="", flags=()):
        """Negate an integer."""
        return self.sub(value.type(0), value)

    def not_(self, value, name="", flags=()):
        """Invert the bits of an integer."""
        return self.xor(value, value.type(-1))

    def fneg(self, arg, name="", flags=()):
        """Negate a float."""
        return self.emit(arg.type, f"llvm.fneg {{}} : {arg.type}", arg, pure=True)

    def fma(self, a, b, c, name="", flags=()):
        """Multiply and add, rounded once."""
        return self.emit(
            a.type,
            f"llvm.intr.fma({{}}, {{}}, {{}}) : ({a.type}, {a.type}, {a.type}) -> {a.type}",
            *(a, b, c),
            pure=True,
        )

    def ctlz(self, cond, flag, name=""):
        """Count the zeros in front of the first one; with the flag of a number other than 0."""
        return instructions.count_zeros(self, "ctlz", cond, flag)

    def cttz(self, cond, flag, name=""):
        """Count the zeros behind the last one; with the flag of a number other than 0."""
        return instructions.count_zeros(self, "cttz", cond, flag)

    def call(self, fn, args, name="", cconv=None, tail=False, fastmath=(), attrs=(), arg_attrs=None):
        """Call one of LLVM's intrinsics, or a function of C's that is loaded, by its name."""
        return instructions.call(self, fn, args)

    def asm(self, ftype, asm, constraint, args, side_effect, name=""):
        """Run instructions of the machine."""
        from pyopt.intrinsics.ir import InlineAsm

        return self.call(InlineAsm(ftype, asm, constraint, side_effect), args)

    def assume(self, cond):
        """Say that a condition holds."""
        self.emit(None, "llvm.intr.assume {} : i1", cond)

    def load_reg(self, reg_type, reg_name, name=""):
        """Refuse."""
        raise NotImplementedError("IRBuilder.load_reg in an intrinsic")


def _binary(name, is_total):
    def method(self, lhs, rhs, name="", flags=()):
        instructions.expect(rhs, lhs.type)
        return self.emit(lhs.type, f"llvm.{operation} {{}}, {{}} : {lhs.type}", lhs, rhs, pure=is_total)

    operation = name
    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"LLVM's ``{name}``."
    return method


def _cast(name, is_total):
    def method(self, value, typ, name=""):
        if value.type == typ:
            return instructions.pointing(value, typ)
        text = f"llvm.{operation} {{}} : {value.type} to {typ}"
        return self.emit(typ, text, value, pure=is_total)

    operation = name
    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"LLVM's ``{name}``; a value of the type already is itself."
    return method


def _intrinsic(name):
    def method(self, value, name=""):
        text = f"llvm.intr.{operation}({{}}) : ({value.type}) -> {value.type}"
        return self.emit(value.type, text, value, pure=True)

    operation = name
    method.__doc__ = f"LLVM's ``{name}``."
    return method


def _overflowing(name):
    def method(self, lhs, rhs, name=""):
        from pyopt.intrinsics.ir import IntType, LiteralStructType

        kind = LiteralStructType([lhs.type, IntType(1)])
        text = f'"llvm.intr.{operation}.with.overflow"({{}}, {{}}) : ({lhs.type}, {lhs.type}) -> {kind}'
        return self.emit(kind, text, lhs, rhs, pure=True)

    operation = name
    method.__doc__ = f"LLVM's ``{name}.with.overflow``: the result, and whether it is wrong."
    return method


# What is total may be moved to where the program wouldn't have computed it.
for _name in ("add", "sub", "mul", "fadd", "fsub", "fmul", "fdiv", "frem"):
    setattr(IRBuilder, _name, _binary(_name, True))
for _name in ("and", "or"):
    setattr(IRBuilder, f"{_name}_", _binary(_name, True))
IRBuilder.xor = _binary("xor", True)
for _name in ("sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr"):
    setattr(IRBuilder, _name, _binary(_name, False))
for _name in ("zext", "sext", "trunc", "sitofp", "uitofp", "fpext", "fptrunc", "bitcast"):
    setattr(IRBuilder, _name, _cast(_name, True))
for _name in ("fptosi", "fptoui", "inttoptr", "ptrtoint", "addrspacecast"):
    setattr(IRBuilder, _name, _cast(_name, False))
for _name in ("ctpop", "bswap", "bitreverse"):
    setattr(IRBuilder, _name, _intrinsic(_name))
for _name in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
    setattr(IRBuilder, f"{_name}_with_overflow", _overflowing(_name))
