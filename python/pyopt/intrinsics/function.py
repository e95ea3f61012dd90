"""The function of an intrinsic: blocks that a builder fills, as text of MLIR."""

import re

from pyopt.intrinsics import slots
from pyopt.intrinsics.ir import Block, Constant, Value


class Phi(Value):
    """A value that depends on where control came from: an argument of its block."""

    def __init__(self, function, type, name):
        """Make one without sources."""
        super().__init__(type, name)
        self.function = function
        self.incoming = []

    def add_incoming(self, value, block):
        """Say what it is behind a block."""
        handles = self.function.handles
        if value.name in handles:
            # The argument is of the compiler's type, and stands for itself.
            handles[self.name] = self.name, handles[value.name][1]
        self.incoming.append((value, block))


class Operation:
    """An operation: the ``{}`` of its text stand for its operands, or ``action`` does it in Python."""

    __slots__ = ("action", "operands", "result", "text")

    def __init__(self, result, text, operands=(), action=None):
        """Keep the parts."""
        self.result = result
        self.text = text
        self.operands = operands
        self.action = action

    def __str__(self):
        """Write it in MLIR's syntax."""
        names = [one.name for one in self.operands]
        text = self.text.format(*names) if names else self.text
        return text if self.result is None else f"{self.result.name} = {text}"


class Module:
    """What an intrinsic's functions are declared in."""

    def __init__(self, name):
        """Make an empty one of an intrinsic's function."""
        self.name = name
        self.globals = {}
        #: How many data were declared in it.
        self.data_count = 0

    def declare_intrinsic(self, intrinsic, tys=(), fnty=None):
        """Declare one of LLVM's intrinsics."""
        from pyopt.intrinsics.ir import Function, FunctionType, IntType

        if intrinsic == "llvm.powi" and len(tys) == 1:
            tys = [*tys, IntType(32)]
        if intrinsic in ("llvm.ctlz", "llvm.cttz", "llvm.fma"):
            tys = tys[:1]
        suffix = "".join(f".{'p0' if one.is_pointer else one.text}" for one in tys)
        if fnty is None:
            fnty = FunctionType(*_described(intrinsic, tys))
        return Function(self, fnty, intrinsic + suffix)

    def get_global(self, name):
        """Give what was declared."""
        return self.globals[name]


class Parameter:
    """A parameter of the function, which programs give attributes: these have no effect."""

    def __init__(self):
        """Make one without attributes."""
        self.attributes = set()

    def add_attribute(self, attribute):
        """Note an attribute."""
        self.attributes.add(attribute)


class NativeFunction:
    """The function that a code generator fills."""

    def __init__(self, name=""):
        """Make one with an empty entry block."""
        self.module = Module(name)
        #: As in Numba: those for the result and for what is raised, and those of the arguments.
        self.args = [Parameter(), Parameter()]
        self.is_pure = True
        self._count = 0
        self.blocks = []
        self._constants = {}
        self._constant_lines = []
        #: What the constants are, by name.
        self.constants = {}
        #: Lines that declare what is called.
        self.declarations = []
        #: The compiler's values that calls gave, and their types, by the names of what stands for them.
        self.typed = {}
        #: The blocks in which calls gave them.
        self.homes = {}
        #: The names of those of which the code has parts, which it may use until it returns.
        self.opened = set()
        #: The names of those that were passed to calls, or are returned.
        self.left = set()
        #: The names and types of the compiler's values that handles stand for, by the names of these.
        self.handles = {}
        #: The names of all places on the stack.
        self.rooms = []
        #: Those that nothing reads yet; the compiler's types of those that such values are written to.
        self.places = set()
        self.slots = {}
        #: What was put into structs and arrays, by their names and by the path to it.
        self.parts = {}
        self.entry_basic_block = self.append_basic_block("entry")

    def declare(self, line):
        """Declare a function that is called."""
        if line not in self.declarations:
            self.declarations.append(line)

    def append_basic_block(self, name=""):
        """Make a block."""
        block = Block(self, f"^b{len(self.blocks)}")
        self.blocks.append(block)
        return block

    def named(self, type, text, operands=(), action=None):
        """Give an operation, and the value that it gives, if it has a type."""
        if type is None:
            return Operation(None, text, operands, action), None
        self._count += 1
        value = Value(type, f"%{self._count}")
        return Operation(value, text, operands, action), value

    def put(self, made, aggregate, value, path):
        """Note that a struct or array is another one with a value put into it."""
        kept = {
            one: part
            for one, part in self.parts.get(aggregate.name, {}).items()
            if one[: len(path)] != path and path[: len(one)] != one
        }
        self.parts[made.name] = kept | {path: value}

    def part(self, aggregate, path):
        """Give what was put into a struct or array at a path; None if that isn't known."""
        return self.parts.get(aggregate.name, {}).get(path)

    def take(self, made, aggregate, path):
        """Note that a value is the part of a struct or array at a path."""
        inside = {
            one[len(path) :]: part
            for one, part in self.parts.get(aggregate.name, {}).items()
            if one[: len(path)] == path
        }
        if inside:
            self.parts[made.name] = inside

    def dominates(self, block, end):
        """Whether each way to a block goes through another one."""
        reached, open_blocks = {id(block)}, [self.entry_basic_block]
        while open_blocks:
            one = open_blocks.pop()
            if id(one) in reached:
                continue
            if one is end:
                return False
            reached.add(id(one))
            open_blocks += one.terminator[2] if one.terminator else ()
        return True

    def is_handle(self, value):
        """Whether a value stands for one that LLVM has no form of."""
        return value.name in self.handles

    def has_handles(self, value):
        """Whether a value is, or has in it, what LLVM has no form of or a call gave."""
        if value.name in self.handles or value.name in self.typed:
            return True
        return any(map(self.has_handles, self.parts.get(value.name, {}).values()))

    def check_is_read(self, value):
        """Refuse what LLVM's operations can't read; note what a call gave and they do."""
        if self.is_handle(value):
            _, text = self.handles[value.name]
            raise NotImplementedError(f"an intrinsic that does with a value of {text} but pass it on")
        if value.name in self.typed:
            self.opened.add(value.name)

    def use(self, value):
        """Give a value that has a name here: constants get one at the start of the function."""
        if not isinstance(value, Value):
            raise TypeError(f"expected a value, got {value!r}")
        if not isinstance(value, Constant):
            return value
        key = value.type, value.key
        if key not in self._constants:
            for line in value.declarations():
                self.declare(line)

            def emit(type, text):
                operation, made = self.named(type, text)
                self._constant_lines.append(operation)
                return made

            self._constants[key] = made = value.write(emit)
            self.constants[made.name] = value
        return self._constants[key]

    def lend_rooms(self):
        """Have places on the stack be there for as long as the caller runs, which the code becomes part of.

        A place whose life begins in the code and ends nowhere stays when LLVM inlines it.
        """
        for block in self.blocks:
            kept = []
            for one in block.operations:
                kept.append(one)
                if isinstance(one, Operation) and one.result is not None and one.result.name in self.rooms:
                    kept.append(Operation(None, "llvm.intr.lifetime.start {} : !llvm.ptr", [one.result]))
            block.operations = kept

    def phi(self, block, type):
        """Make an argument of a block."""
        self._count += 1
        made = Phi(self, type, f"%{self._count}")
        block.phis.append(made)
        return made

    def body(self, start):
        """Write the blocks behind lines that come first."""
        renamed = slots.resolve(self) if self.slots else {}
        edges = {id(block): self._targets(block) for block in self.blocks}
        lines = [*start, *self._constant_lines]
        for block in self.blocks:
            if block is not self.entry_basic_block:
                parameters = ", ".join(": ".join(self._passed(phi)) for phi in block.phis)
                lines.append(f"{block.name}{f'({parameters})' if parameters else ''}:")
            lines += block.operations
            lines.append(edges[id(block)])
        text = "\n".join(map(str, lines))
        if not renamed:
            return text
        for name, other in renamed.items():
            # What was read may have been written to another place.
            while other in renamed:
                other = renamed[other]
            renamed[name] = other
        return re.sub(r"%\d+", lambda found: renamed.get(found[0], found[0]), text)

    def _passed(self, value):
        """Give the name and the type of what is passed to a block for a value."""
        return self.handles.get(value.name) or (value.name, value.type.text)

    def _targets(self, block):
        if block.terminator is None:
            raise ValueError("a block of an intrinsic has no terminator")
        text, operands, targets = block.terminator
        if text == "return" or not targets:
            return text
        names = [operand.name for operand in operands]
        edges = [self._edge(block, one) for one in targets]
        if text == "switch":
            return self._cases(block, *names, *edges)
        return f"{text} {', '.join(names + edges)}"

    def _cases(self, block, value, *edges):
        """Write comparisons of a value, one a case, each with an edge; the last edge is for other values."""
        *edges, default = edges
        lines = []
        for at, (case, edge) in enumerate(zip(block.cases, edges, strict=True)):
            text = f'llvm.icmp "eq" {value}, {self.use(case).name} : {case.type}'
            operation, is_case = self.named(case.type, text)
            following = default if at + 1 == len(edges) else f"{block.name}_{at + 1}"
            lines += [str(operation), f"cf.cond_br {is_case.name}, {edge}, {following}"]
            if at + 1 < len(edges):
                lines.append(f"{following}:")
        return "\n".join(lines or [f"cf.br {default}"])

    def _edge(self, block, target):
        passed = []
        for phi in target.phis:
            found = [value for value, source in phi.incoming if source is block]
            if len(found) != 1:
                raise ValueError("a phi needs one value for each predecessor of its block")
            passed.append(self._passed(self.use(found[0])))
            if passed[-1][1] != self._passed(phi)[1]:
                raise NotImplementedError(f"a phi of {self._passed(phi)[1]} and a value of another origin")
        names, types = (", ".join(one[at] for one in passed) for at in range(2))
        return f"{target.name}({names} : {types})" if passed else target.name


def _described(intrinsic, kinds):
    """Give the types of the result and of the arguments of one of LLVM's intrinsics for some types."""
    from pyopt.intrinsics.ir import IntType, VoidType

    bit = IntType(1)
    if intrinsic == "llvm.memset":
        return VoidType(), [kinds[0], IntType(8), kinds[1], bit]
    if intrinsic in ("llvm.memcpy", "llvm.memmove"):
        return VoidType(), [*kinds, bit]
    if intrinsic == "llvm.assume":
        return VoidType(), [bit]
    kind = kinds[0]
    if intrinsic in ("llvm.ctlz", "llvm.cttz"):
        return kind, [kind, bit]
    if intrinsic in ("llvm.fma", "llvm.fmuladd"):
        return kind, [kind] * 3
    two = ("pow", "copysign", "minnum", "maxnum", "minimum", "maximum", "smin", "smax", "umin", "umax")
    if intrinsic.removeprefix("llvm.") in two:
        return kind, [kind] * 2
    return kind, [*kinds] if intrinsic == "llvm.powi" else [kind]
