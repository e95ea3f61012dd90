"""``copy.copy`` and ``copy.deepcopy`` in compiled code.

What is in a container twice is in its deep copy twice, as in Python: the copies of what can be changed are
found by the address of what they are copies of.
"""

import copy

from pyopt import structures, types
from pyopt.collection_types import HELD
from pyopt.containers import Container, plain
from pyopt.definitions import define
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, overload
from pyopt.intrinsics import InMlir
from pyopt.open_containers import item_type

_UNCHANGED = (types.Number, types.Boolean, types.UnicodeType, types.Bytes, types.NoneType)


@overload(copy.copy, strict=False)
def _(x):
    if _is_unchanged(x) or isinstance(x, types.BaseTuple):
        return lambda x: x
    if isinstance(x, (types.List, types.Dict, types.Set, types.Array, Container)):
        return lambda x: x.copy()
    if isinstance(x, types.LiteralList):
        # A list that nobody changes.
        return lambda x: [item for item in x]
    made_again = getattr(x, "made_again", None)
    if made_again is not None:
        return made_again()
    raise TypingError(f"compiled code makes no copies of {x}")


@overload(copy.deepcopy, strict=False)
def _(x, memo=None):
    if memo is not None and not isinstance(memo, (types.NoneType, types.Omitted)):
        raise TypingError("in compiled code deepcopy() takes no memo")
    # Types of lists that nobody changes equal those of others.
    return _bodies.get(x.text) or _bodies.setdefault(x.text, _deep_copy_of(x))


#: What copies values of types, by their texts: code names it.
_bodies = {}


def _deep_copy_of(type):
    if _is_unchanged(type):
        return lambda x, memo=None: x
    if isinstance(type, types.Array):
        return lambda x, memo=None: x.copy()
    program = _Program()
    made = program.copy_of(type, "x")
    memos = "".join(f"    {memo} = {{}}\n" for memo in program.memos.values())
    source = f"{program.source}def deepcopy(x, memo=None):\n{memos}    return {made}\n"
    return define(source, "deepcopy", program.scope)


def _is_unchanged(type):
    """Whether nothing can change values of a type."""
    if isinstance(type, types.BaseTuple):
        return all(map(_is_unchanged, type.types))
    return isinstance(types.unliteral(type), _UNCHANGED)


@intrinsic
def address_of(typingctx, container):
    """Give the address of a list, dict or set, which tells it from others."""
    lines = [
        *structures.address_of("%arg0", container.text),
        "%address = builtin.unrealized_conversion_cast %arg0_number : i64 to si64",
        "return %address : si64",
    ]
    return types.int64(container), InMlir(lines)


class _Program:
    """Functions that copy values of types, and what they name."""

    def __init__(self):
        """Begin with nothing."""
        self.scope = {"address_of": address_of, "plain": plain}
        self.source = ""
        #: The names of the dicts of copies, by type; those of the functions that look into them end so.
        self.memos = {}

    def copy_of(self, type, value):
        """Give an expression of a copy of the value of a type that an expression gives."""
        if _is_unchanged(type):
            return value
        if isinstance(type, types.BaseTuple):
            if isinstance(type, types.NamedTuple | types.NamedUniTuple):
                raise TypingError(f"compiled code makes no deep copies of what {type} holds")
            return f"({self.each(type.types, value)},)"
        if isinstance(type, types.LiteralList):
            # A list that nobody changes; what it holds may be changed.
            return f"[{self.each(type.literal_value, value)}]"
        if isinstance(type, HELD):
            # A global, or a value of a dict of `collections`.
            return self.contents(type, f"plain({value})")
        if isinstance(type, (types.List, types.Dict, types.Set)) and not isinstance(type, Container):
            # There is one of what is copied, and nothing else is a list that nobody changes.
            is_one = value == "x" or type.text.startswith("!typed.sequence<")
            return self.contents(type, value) if is_one else self.remembered(type, value)
        raise TypingError(f"compiled code makes no deep copies of {type}")

    def each(self, parts, value):
        """Give expressions of copies of all parts of a tuple."""
        return ", ".join(self.copy_of(part, f"{value}[{at}]") for at, part in enumerate(parts))

    def contents(self, type, value):
        """Give an expression of a new container with copies of what another one has."""
        if isinstance(type, types.DictType):
            return f"{{key: {self.copy_of(type.value_type, 'item')} for key, item in {value}.items()}}"
        if _is_unchanged(type.dtype):
            return f"{value}.copy()"
        return f"[{self.copy_of(type.dtype, 'item')} for item in {value}]"

    def remembered(self, type, value):
        """Give an expression of the one copy of a container."""
        is_new = type not in self.memos
        memo = self.memos.setdefault(type, f"memo{len(self.memos)}")
        if is_new:
            made = self.contents(type, "value")
            self.source += (
                f"def copy_{memo}(value, {self.passed(type)}):\n"
                f"    address = address_of(value)\n"
                f"    if address not in {memo}:\n"
                f"        {memo}[address] = {made}\n"
                f"    return {memo}[address]\n"
            )
        return f"copy_{memo}({value}, {self.passed(type)})"

    def passed(self, type):
        """Name the dicts of copies that copying values of a type needs: of it, and of what it has."""
        found, open_types = {}, [type]
        while open_types:
            one = open_types.pop()
            if one in self.memos:
                found[self.memos[one]] = None
            open_types += _parts_of(one)
        return ", ".join(sorted(found))


def _parts_of(type):
    """Give the types of what values of a type hold that can be changed, or holds such."""
    if isinstance(type, types.BaseTuple | types.LiteralList):
        return list(type.types if isinstance(type, types.BaseTuple) else type.literal_value)
    parts = [type.value_type if isinstance(type, types.DictType) else item_type(type)]
    return [part for part in parts if part is not None and not _is_unchanged(part)]
