"""Places on the stack for values that LLVM has no form of: each read becomes the value that was written last.

A read finds it in its block, or else on every way to the block: where ways meet, the block gets an argument.
"""

from pyopt.intrinsics.ir import Value


class Access:
    """A write of a value to a place, or a read, among the operations of a block."""

    operands = ()

    def __init__(self, place, value, is_write):
        """Keep the place's name, and the value that stands for what is written or read."""
        self.place = place
        self.value = value
        self.is_write = is_write

    def __str__(self):
        """Be no operation."""
        return ""


def resolve(function):
    """Give what stands for what each read of a place gives, by the names of the compiler's values."""
    return _Resolver(function).names


class _Resolver:
    def __init__(self, function):
        self._function = function
        self._before = {id(block): [] for block in function.blocks}
        for block in function.blocks:
            for target in block.terminator[2] if block.terminator else ():
                self._before[id(target)].append(block)
        self._at_end = {}
        self._at_start = {}
        self.names = {}
        reads = []
        for block in function.blocks:
            known = {}
            for one in block.operations:
                if not isinstance(one, Access):
                    continue
                if one.is_write:
                    known[one.place] = one.value
                elif one.place in known:
                    self._rename(one.value, known[one.place])
                else:
                    reads.append((block, one))
                    known[one.place] = one.value
            self._at_end |= {(id(block), place): value for place, value in known.items()}
        for block, one in reads:
            self._rename(one.value, self._entering(block, one))

    def _rename(self, value, other):
        handles = self._function.handles
        self.names[handles[value.name][0]] = handles[other.name][0]

    def _entering(self, block, read):
        """Give the value that a place has at the start of a block."""
        key = id(block), read.place
        if key in self._at_start:
            return self._at_start[key]
        before = self._before[id(block)]
        if not before:
            raise NotImplementedError("an intrinsic reads what LLVM has no form for before it is written")
        if len(before) == 1:
            self._at_start[key] = found = self._leaving(before[0], read)
            return found
        self._at_start[key] = made = self._function.phi(block, read.value.type)
        # Ways may come by the block itself.
        self._function.handles[made.name] = made.name, self._function.handles[read.value.name][1]
        for one in before:
            made.incoming.append((self._leaving(one, read), one))
        return made

    def _leaving(self, block, read):
        found = self._at_end.get((id(block), read.place))
        return self._entering(block, read) if found is None else found


def write(builder, place, value):
    """Write a value that LLVM has no form of to a place."""
    function = builder.function
    _, text = function.handles[value.name]
    if function.slots.setdefault(place.name, text) != text or place.name not in function.places:
        raise NotImplementedError(f"an intrinsic that does with a value of {text} but pass it on")
    builder.write([Access(place.name, value, True)])


def read(builder, place, kind):
    """Read a value that LLVM has no form of from a place."""
    function = builder.function
    _, made = function.named(kind, "")
    function.handles[made.name] = made.name, function.slots[place.name]
    value = Value(kind, made.name)
    builder.write([Access(place.name, value, False)])
    return value
