"""Objects that write down each operation on them and their end, and can fail at any of them.

A :class:`World` is one run of a program: what happened in it, in order. The operation with the
number ``failing`` raises, and so do all behind the most that a run may have.
"""

import types

# A program that goes on for so long is stopped.
MOST = 400


class First(Exception):
    """One of the exceptions that operations raise."""


class Second(First):
    """One that handlers of `First` catch too."""


class Third(Exception):
    """One of another kind."""


KINDS = (First, Second, Third)


class World:
    """One run of a program."""

    def __init__(self, failing=0):
        self.failing = failing
        self.log = []
        self.count = 0
        self.made = 0

    def step(self, what, *operands):
        """Write an operation down; perhaps it fails. Returns a number to decide things by."""
        self.count += 1
        self.log.append((what, *map(label, operands)))
        if self.count == self.failing or self.count > MOST:
            raise KINDS[self.count % 3](self.count)
        return self.count * 2654435761 >> 9

    def new(self):
        """Make another probe."""
        return Probe(self)


def label(value):
    """Give a description that two runs share."""
    if isinstance(value, Probe):
        return f"#{value.name}"
    if isinstance(value, (list, tuple)):
        return type(value).__name__, *map(label, value)
    if isinstance(value, dict):
        return "dict", *((label(key), label(one)) for key, one in value.items())
    if isinstance(value, BaseException):
        return type(value).__name__, *map(label, value.args)
    if isinstance(value, (str, int, float, type(None), slice)):
        return repr(value) if not isinstance(value, slice) else "slice"
    return "function" if isinstance(value, types.FunctionType) else type(value).__name__


class Probe:
    """An object with every operation."""

    __slots__ = ("world", "name", "held", "__weakref__")
    __match_args__ = ("x", "y")

    def __init__(self, world):
        world.made += 1
        set_field(self, "world", world)
        set_field(self, "name", world.made)
        set_field(self, "held", {})

    def __del__(self):
        self.world.log.append(("free", self.name))

    def __bool__(self):
        return bool(self.world.step("bool", self) & 1)

    def __contains__(self, item):
        return bool(self.world.step("contains", self, item) & 1)

    def __hash__(self):
        self.world.step("hash", self)
        return self.name

    def __repr__(self):
        return f"#{self.name}"

    def __format__(self, spec):
        self.world.step("format", self, spec)
        return f"#{self.name}"

    def __call__(self, *arguments, **keywords):
        choice = self.world.step("call", self, arguments, keywords)
        return arguments[0] if arguments and choice & 1 else self.world.new()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.world.step("getattr", self, name)
        return self.held[name] if name in self.held else self.world.new()

    def __setattr__(self, name, value):
        self.world.step("setattr", self, name, value)
        self.held[name] = value

    def __delattr__(self, name):
        self.world.step("delattr", self, name)
        self.held.pop(name, None)

    def __getitem__(self, key):
        self.world.step("getitem", self, key)
        return self.held["item"] if "item" in self.held else self.world.new()

    def __setitem__(self, key, value):
        self.world.step("setitem", self, key, value)
        self.held["item"] = value

    def __delitem__(self, key):
        self.world.step("delitem", self, key)
        self.held.pop("item", None)

    def keys(self):
        self.world.step("keys", self)
        return [f"k{self.name}"]

    def __iter__(self):
        return Items(self.world, self.world.step("iter", self) % 4)

    def __enter__(self):
        self.world.step("enter", self)
        return self.world.new()

    def __exit__(self, *error):
        return bool(self.world.step("exit", self, *error[:2]) & 1)

    def __await__(self):
        self.world.step("await", self)
        sent = yield self.world.new()
        self.world.step("resumed", self, sent)
        return self.world.new()

    def __aiter__(self):
        return Items(self.world, self.world.step("aiter", self) % 4)

    async def __aenter__(self):
        self.world.step("aenter", self)
        return await self

    async def __aexit__(self, *error):
        await self
        return bool(self.world.step("aexit", self, *error[:2]) & 1)


class Items:
    """An iterator over a few new probes."""

    def __init__(self, world, count):
        self.world = world
        self.count = count

    def __iter__(self):
        return self

    def _take(self, end):
        self.world.step("next", self.count)
        self.count -= 1
        if self.count < 0:
            raise end
        return self.world.new()

    def __next__(self):
        return self._take(StopIteration)

    async def __anext__(self):
        return self._take(StopAsyncIteration)

    def __del__(self):
        self.world.log.append(("free iterator", self.count))


set_field = object.__setattr__


def _operator(name):
    def operate(self, *others):
        choice = self.world.step(name, self, *others)
        # An operation in place may give the object itself or another.
        return self if name[0] == "i" and choice & 1 else self.world.new()

    return operate


for _name in "add sub mul truediv floordiv mod matmul and or xor lshift rshift pow".split():
    for _kind in ("", "r", "i"):
        setattr(Probe, f"__{_kind}{_name}__", _operator(_kind + _name))
for _name in "lt le gt ge eq ne neg pos invert".split():
    setattr(Probe, f"__{_name}__", _operator(_name))
