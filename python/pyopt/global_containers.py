# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""Global lists, dicts and sets in compiled code: constants, as global arrays are.

Such a container is made once in a process, when compiled code first asks for it, of columns that are
constants of that code: an array of all numbers, one text of all texts. So the size of the code doesn't grow
with what the container holds, and code that is kept on disk holds it too. Nothing changes it afterwards: the
methods that would do so refuse that, at any depth.
"""

import pickle
from collections import Counter, deque
from hashlib import blake2b
from types import NoneType

import numpy as np

from pyopt import own_types, types
from pyopt.collection_types import HeldDictType, HeldListType, HeldSetType, enter_class, enter_held_operators
from pyopt.containers import held, kept, key_of, maker_of, method, plain
from pyopt.decorators import of_package
from pyopt.definitions import define
from pyopt.extending import overload, overload_method
from pyopt.open_containers import item_type

# Beyond these many values a program passes the container, whose making would be felt.
_MOST_VALUES = 1 << 20
# Each of other values than numbers and texts is a constant of the code.
_MOST_OBJECTS = 256
# What the first character that no text holds is searched among.
_SEPARATORS = range(0xD800)


class Refused(Exception):
    """Says why a global container can't be a constant."""


class GlobalListType(HeldListType):
    """The type of a global list."""

    is_constant = True


class GlobalDictType(HeldDictType):
    """The type of a global dict."""

    is_constant = True


class GlobalSetType(HeldSetType):
    """The type of a global set."""

    is_constant = True


class ConstantModel(own_types.StructRefModel):
    """The model of what never changes, which the compiler knows by the name of the field."""

    field = f"{types.STRUCTURE}.constant"


_KINDS = {list: GlobalListType, dict: GlobalDictType, set: GlobalSetType}
for _kind in _KINDS.values():
    own_types.register_model(_kind)(ConstantModel)
    enter_class(_kind)


def enter_kind(cls, kind):
    """Say which type the global objects of a class have."""
    _KINDS[cls] = kind


class FunctionsType(types.Type):
    """The type of functions in a global container: any of those that it holds, as the compiler has it."""

    is_kept = True

    def __init__(self, functions):
        """Describe one of functions, which are known by the compiler's texts of them."""
        #: The functions by their texts, in the compiler's order.
        self.functions = dict(sorted(functions.items()))
        listed = ", ".join(self.functions)
        super().__init__(f"Function({listed})", f"!typed.sequence<tuple<si64>, [{listed}]>")
        if len(self.functions) == 1:
            # The type says which one it is.
            self._text = listed.replace("#py.", "!typed.", 1)


_NUMBERS = {bool: types.boolean, int: types.int64, float: types.float64, complex: types.complex128}
_DTYPES = {type: kind for kind, type in _NUMBERS.items()}


def constant_is_made(high, low):
    """Whether the container of a key was made in this process: compiled code has it."""
    raise NotImplementedError("compiled code has it")


def made_constant(high, low, build):
    """Give the container of a key, which ``build`` has made: compiled code has it."""
    raise NotImplementedError("compiled code has it")


def keep_constant(high, low, container):
    """Keep a container for good, unless another thread did so first: compiled code has it."""
    raise NotImplementedError("compiled code has it")


of_package(constant_is_made, made_constant, keep_constant)


@method(GlobalListType, GlobalSetType)
def copy(self):
    return held(self).copy()


@overload_method(GlobalDictType, "copy", strict=False)
def _(self):
    return lambda self: {key: value for key, value in held(self).items()}


@overload(np.array, strict=False)
def _(object, dtype=None):
    if not isinstance(item_type(object), GlobalListType):
        return None
    return lambda object, dtype=None: np.array([plain(row) for row in plain(object)], dtype)


def _set_method(name):
    """Have a method of sets give what it gives of plain ones."""
    body = define(
        f"def {name}(self, other):\n    return held(self).{name}(plain(other))\n",
        name,
        {"held": held, "plain": plain},
    )
    method(GlobalSetType)(body)


for _name in (
    "union",
    "intersection",
    "difference",
    "symmetric_difference",
    "issubset",
    "issuperset",
    "isdisjoint",
):
    _set_method(_name)


#: The functions that give constants, by their keys: code names them.
_loaders = {}


def loader_of(value, function_text):
    """Give the function that compiled code calls where it names a global container.

    ``function_text`` gives the compiler's text of a function in the program, and None for anything else.

    Raises:
        Refused: there is no constant of what it holds.

    """
    enter_held_operators()
    program = _Program(function_text)
    type = program.type_of([value])
    program.write("build()", type, program.columns(type, [value]))
    key = program.key(type)
    # Another program may have other functions of the same names.
    known = key, *map(id, program.functions)
    return _loaders.get(known) or _loaders.setdefault(known, program.loader(key))


def _parts_of(containers):
    """Give columns of what containers of a class hold together: of dicts the keys and the values."""
    if isinstance(containers[0], dict):
        return [[part for one in containers for part in parts(one)] for parts in (dict.keys, dict.values)]
    # The order of a set of texts is another one in each process.
    ordered = sorted if isinstance(containers[0], set) else iter
    return [[item for one in containers for item in ordered(one)]]


def _type_of_objects(values):
    """Give the type of what stands in code one by one: members of enumerations, named tuples and the like."""
    kind = type(values[0]).__name__
    try:
        found = {_type_of_object(value) for value in values}
        pickle.dumps(values)
    except Exception as error:
        raise Refused(f"with a {kind}") from error
    if len(found) != 1 or len(values) > _MOST_OBJECTS:
        what = f"of more than {_MOST_OBJECTS} objects" if len(found) == 1 else "with objects of several types"
        raise Refused(f"{what}: {kind}")
    return found.pop()


def _type_of_object(value):
    found = own_types.typeof_impl(value)
    # As of all arrays that are constants, nothing changes its elements.
    return found.copy(readonly=True) if isinstance(found, types.Array) else found


# What puts an item in, by what is held.
_PUT = {
    types.List: "held(made).append(kept(made, {0}))",
    types.Set: "held(made).add(kept(made, {0}))",
    types.Dict: "held(made)[key_of(made, {0})] = kept(made, {1})",
}


# How the names of constants begin that say what a container holds.
_CONTENT = ("numbers", "lengths", "text", "item")


class _Program:
    """The functions that make a container, and the constants that they name."""

    def __init__(self, function_text):
        """Begin with nothing; ``function_text`` is that of ``loader_of``."""
        self.function_text = function_text
        self.functions = []
        names = (held, key_of, kept, constant_is_made, made_constant, keep_constant)
        self.scope = {one.__name__: one for one in names}
        self.source = ""
        self.values = 0

    def type_of(self, values):
        """Give the type that these values have in common."""
        self.values += len(values)
        if self.values > _MOST_VALUES:
            raise Refused(f"of more than {_MOST_VALUES} values")
        if values and all(map(callable, values)):
            return self.type_of_functions(values)
        kinds = set(map(type, values))
        if NoneType in kinds and len(kinds) > 1:
            return types.Optional(self.type_of([value for value in values if value is not None]))
        if kinds == {int, float}:
            # As in a list that is passed.
            kinds = {float}
        if len(kinds) != 1:
            several = " and ".join(sorted(kind.__name__ for kind in kinds))
            raise Refused(f"of values of several types: {several}" if kinds else "without items")
        (kind,) = kinds
        if kind is int and not all(-(1 << 63) <= value < 1 << 63 for value in values):
            raise Refused("with an int beyond 64 bits")
        if kind in _NUMBERS:
            return _NUMBERS[kind]
        if kind is str:
            return types.unicode_type
        if kind is tuple and len({len(value) for value in values}) == 1 and values[0]:
            return types.Tuple([self.type_of(column) for column in zip(*values, strict=True)])
        if kind not in _KINDS:
            return _type_of_objects(values)
        if kind is Counter and any(type(count) is not int for value in values for count in value.values()):
            raise Refused("of counts that aren't ints")
        if kind is deque and any(value.maxlen is not None for value in values):
            raise Refused("with a greatest length")
        found = _KINDS[kind](*map(self.type_of, _parts_of(values)))
        if found.refused:
            raise Refused(f"that would be {found}: {found.refused}")
        return found

    def type_of_functions(self, values):
        """Give the type of functions."""
        found = {self.function_text(value): value for value in values}
        if None in found:
            return _type_of_objects(values)
        if len(found) > _MOST_OBJECTS:
            raise Refused(f"of more than {_MOST_OBJECTS} functions")
        self.functions += found.values()
        return FunctionsType(found)

    def write(self, head, type, parts):
        """Write a function that makes a container of what expressions of its parts go through."""
        make = self.name("make", maker_of(type))
        names = [f"one{at}" for at in range(len(parts))]
        items = f"zip({', '.join(parts)})" if len(parts) > 1 else parts[0]
        self.source += (
            f"def {head}:\n    made = {make}()\n    for {', '.join(names)} in {items}:\n"
            f"        {_PUT[type.held.__class__].format(*names)}\n    return made\n"
        )

    def columns(self, type, containers):
        """Give expressions of the parts of containers of a type, of all together."""
        columns = _parts_of(containers) if containers else [[]] * len(type.parts)
        return [self.items(*each) for each in zip(type.parts, columns, strict=True)]

    def items(self, type, values):
        """Give an expression over which a loop goes through values of a type."""
        if type in _DTYPES:
            return self.name("numbers", np.array(values, _DTYPES[type]))
        if isinstance(type, types.UnicodeType):
            return self.texts(values)
        if isinstance(type, types.BaseTuple) and not isinstance(type, types.NamedTuple | types.NamedUniTuple):
            columns = zip(*values, strict=True) if values else [()] * len(type.types)
            listed = ", ".join(self.items(*each) for each in zip(type.types, columns, strict=True))
            return f"zip({listed})"
        if isinstance(type, tuple(_KINDS.values())):
            return self.containers(type, values)
        if isinstance(type, types.Optional):
            some = next((value for value in values if value is not None), None)
            inner = self.items(type.type, [some if value is None else value for value in values])
            flags = self.name("numbers", np.array([value is not None for value in values]))
            return f"[one if is_there else None for one, is_there in zip({inner}, {flags})]"
        if isinstance(type, FunctionsType):
            places = {text: at for at, text in enumerate(type.functions)}
            at = self.name("numbers", np.array([places[self.function_text(one)] for one in values], np.int64))
            return f"[{self.name('functions', tuple(type.functions.values()))}[at] for at in {at}]"
        return f"({', '.join([self.name('item', value) for value in values])},)[: {len(values)}]"

    def texts(self, values):
        """Give an expression of texts: one that is split."""
        known = set().union(*values)
        separator = next((one for one in map(chr, _SEPARATORS) if one not in known), None)
        if separator is None or any("\ud800" <= one <= "\udfff" for one in known):
            raise Refused("with a text of surrogates")
        made = f"{self.name('text', separator.join(values))}.split({separator!r})"
        return made if values else f"{made}[:0]"

    def containers(self, type, values):
        """Give an expression of containers: of the items of all, and how many each has."""
        parts = self.columns(type, values)
        lengths = self.name("lengths", np.array(list(map(len, values)), np.int64))
        names = [f"part{at}" for at in range(len(parts))]
        function = f"each{len(self.scope)}"
        self.scope[function] = None
        slices = [f"{name}[start : start + length]" for name in names]
        self.write(f"{function}_made(start, length, {', '.join(names)})", type, slices)
        self.source += (
            f"def {function}({', '.join(names)}):\n    start = 0\n    for length in {lengths}:\n"
            f"        yield {function}_made(start, length, {', '.join(names)})\n        start += length\n"
        )
        return f"{function}({', '.join(f'[item for item in {part}]' for part in parts)})"

    def name(self, stem, value):
        """Give the name of a constant, which is a new one."""
        name = f"{stem}{len(self.scope)}"
        self.scope[name] = value
        return name

    def key(self, type):
        """Give what tells a container of a type from others: a digest of that and of all that it holds."""
        digest = blake2b(f"{type}\n{self.source}".encode(), digest_size=16)
        for name, value in self.scope.items():
            if name.startswith(_CONTENT):
                content = value.tobytes() if isinstance(value, np.ndarray) else pickle.dumps(value, 4)
                digest.update(len(content).to_bytes(8, "big") + content)
        return digest.hexdigest()

    def loader(self, key):
        """Give the function that gives the container of a key."""
        high, low = (int.from_bytes(bytes.fromhex(half), "big", signed=True) for half in (key[:16], key[16:]))
        name = f"constant_{key}"
        self.source += (
            f"def {name}():\n    if not constant_is_made({high}, {low}):\n"
            f"        keep_constant({high}, {low}, build())\n    return made_constant({high}, {low}, build)\n"
        )
        return define(self.source, name, self.scope)
