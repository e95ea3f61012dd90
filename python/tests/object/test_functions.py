"""A function in object mode is a function to whoever looks at it."""

import copy
import functools
import gc
import inspect
import pickle
import sys
import types
import weakref

import pytest

from pyopt import _core, jit
from pyopt.errors import NumbaWarning, OptionError


@jit(forceobj=True)
def sample(a, b=2, *rest, c, d: int = 4, **more) -> str:
    """Doc."""
    return a, b, rest, c, d, more


@jit(forceobj=True)
def simple(a, b=2):
    """Add."""
    return a + b


CALLS = [
    ((1,), {"c": 3}), ((1, 5, 6, 7), {"c": 3, "z": 1}), ((), {}), ((1,), {}), ((), {"a": 1, "c": 2}),
    ((1, 2), {"a": 3, "c": 1}), ((1,), {"c": 1, "b": 3, "d": 4}),
]  # fmt: skip


@pytest.mark.parametrize(("args", "kwargs"), CALLS)
@pytest.mark.parametrize("function", [sample, simple])
def test_binding(function, args, kwargs):
    """Arguments are bound, and refused, as by the Python function."""

    def outcome(called):
        try:
            return called(*args, **kwargs)
        except TypeError as error:
            return str(error)

    assert outcome(function) == outcome(function.py_func)


def test_introspection():
    """All attributes of functions are there."""
    plain = sample.py_func
    names = "name qualname module doc code defaults kwdefaults globals closure annotations builtins"
    for name in names.split():
        name = f"__{name}__"
        assert getattr(sample, name) == getattr(plain, name), name
    assert inspect.signature(sample) == inspect.signature(plain)
    assert inspect.isfunction(sample) and inspect.isroutine(sample) and callable(sample)
    assert isinstance(sample, types.FunctionType)
    assert inspect.getsource(sample) == inspect.getsource(plain)
    assert repr(sample).startswith("<function sample at 0x")
    assert copy.copy(sample) is sample and copy.deepcopy(sample) is sample


def test_pickle():
    """Functions are pickled by reference."""
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(simple, protocol)) is simple


def test_attributes():
    """Attributes can be set, and code and defaults replaced."""

    @jit(forceobj=True)
    def function(a, b=1):
        return a, b

    function.note = 1
    assert function.__dict__ == {"note": 1}
    assert function(1) == (1, 1)
    function.__defaults__ = (7,)
    assert function(1) == (1, 7)
    function.__code__ = (lambda a, b: [b, a]).__code__
    assert function(1) == [7, 1]


def test_decorating():
    """Decorators, partials and single dispatch take it."""

    @functools.wraps(simple)
    def wrapper(*args):
        return simple(*args)

    assert wrapper.__wrapped__ is simple and wrapper(1) == 3
    assert functools.partial(simple, 1)(5) == 6

    @functools.singledispatch
    @jit(forceobj=True)
    def generic(value):
        return "any", value

    @generic.register
    @jit(forceobj=True)
    def _(value: int):
        return "int", value

    assert generic(1) == ("int", 1) and generic("x") == ("any", "x")


def test_methods():
    """It binds as methods do, also as class method, static method and property."""

    class Base:
        @jit(forceobj=True)
        def __init__(self, x):
            self.x = x

        @jit(forceobj=True)
        def add(self, y):
            return self.x + y

        @classmethod
        @jit(forceobj=True)
        def make(cls, x):
            return cls(x)

        @staticmethod
        @jit(forceobj=True)
        def double(x):
            return 2 * x

        @property
        @jit(forceobj=True)
        def square(self):
            return self.x**2

        @jit(forceobj=True)
        def __len__(self):
            return self.x

    class Derived(Base):
        @jit(forceobj=True)
        def __init__(self, x):
            super().__init__(x + 1)

        @jit(forceobj=True)
        def add(self, y):
            return super().add(y), __class__

    made = Derived.make(3)
    assert made.add(1) == (5, Derived) and made.square == 16 and Base.double(4) == 8 and len(made) == 4
    assert Base.add(made, 2) == 6 and inspect.ismethod(made.add)
    assert made.add.__func__ is Derived.__dict__["add"]


def test_lifetime():
    """A function goes with its last reference, cycles included, and its code is shared."""

    def make():
        @jit(forceobj=True)
        def inner():
            return inner

        return inner

    function = make()
    other = make()
    assert function() is function and other() is other and function.__code__ is other.__code__
    alive = weakref.ref(function)
    del function
    gc.collect()
    assert alive() is None
    assert other() is other


def test_no_leak():
    """Ten thousand calls leave no object behind."""
    sentinel = object()

    @jit(forceobj=True)
    def work(value, fail):
        items = [value, (value, value), {value: value}]
        for item in items:
            other = item
        if fail:
            raise ValueError(other)
        return f"{items!r}"

    def call(fail):
        try:
            work(sentinel, fail)
        except ValueError:
            pass

    call(True)
    call(False)
    gc.collect()
    objects, references = len(gc.get_objects()), sys.getrefcount(sentinel)
    for index in range(10_000):
        call(index % 2 == 0)
    gc.collect()
    assert sys.getrefcount(sentinel) == references
    assert abs(len(gc.get_objects()) - objects) < 50


def test_tracing():
    """Under a tracer a function runs in the interpreter, where every line is seen."""
    lines = []

    def tracer(frame, event, argument):
        if frame.f_code is simple.__code__:
            lines.append(event)
        return tracer

    old = sys.gettrace()
    sys.settrace(tracer)
    try:
        assert simple(1) == 3
    finally:
        sys.settrace(old)
    assert lines == ["call", "line", "return"]


def test_inspection():
    """The stages can be looked at."""
    assert "py.load_local" in simple.inspect_ir("py-translate-bytecode")
    assert "llvm.func" in simple.inspect_ir("py-to-object-mode")
    assert "pyopt_object_binary_add" in simple.inspect_llvm()
    assert "pyopt_object_entry_function" in simple.inspect_asm()


def test_options():
    """Those of machine code, and signatures, mean nothing here; others don't exist."""
    assert isinstance(jit(lambda: 1, forceobj=True), _core.ObjectModeFunction)
    for options in ({"parallel": True}, {"fastmath": True}):
        assert isinstance(jit(forceobj=True, **options)(lambda: 1), _core.ObjectModeFunction)
    with pytest.warns(NumbaWarning, match="won't allow parallel execution despite nogil=True") as told:
        assert isinstance(jit(forceobj=True, nogil=True)(lambda: 1), _core.ObjectModeFunction)
    assert told[0].filename == __file__
    assert isinstance(jit("int64(int64)", forceobj=True)(lambda x: x), _core.ObjectModeFunction)
    with pytest.raises(ValueError, match="Only one of 'nopython' or 'forceobj'"):
        jit(forceobj=True, nopython=True)(lambda: 1)
    with pytest.raises(OptionError, match="looplift='yes'"):
        jit(forceobj=True, looplift="yes")
    with pytest.raises(TypeError, match="already jitted"):
        jit(simple, forceobj=True)
    with pytest.raises(TypeError, match="a class"):
        jit(int, forceobj=True)


def test_implicit_methods():
    """`type` makes static and class methods of the functions it does so with."""

    class Base:
        @jit(forceobj=True)
        def __new__(cls, value):
            made = super().__new__(cls)
            made.value = value
            return made

        @jit(forceobj=True)
        def __init_subclass__(cls, **keywords):
            cls.keywords = keywords

        @jit(forceobj=True)
        def __class_getitem__(cls, item):
            return cls, item

    class Derived(Base, key=1):
        pass

    assert Derived(2).value == 2
    assert Derived.keywords == {"key": 1}
    assert Derived[3] == (Derived, 3)
    assert isinstance(Base.__dict__["__new__"], staticmethod)
    assert isinstance(Base.__dict__["__init_subclass__"], classmethod)


def test_class():
    """`__class__` is that of functions, which `types.coroutine` asks for."""
    assert sample.__class__ is types.FunctionType
    with pytest.raises(TypeError, match="__class__ assignment only supported"):
        sample.__class__ = int

    @types.coroutine
    @jit(forceobj=True)
    def generator():
        yield 1

    assert generator.__code__.co_flags & inspect.CO_ITERABLE_COROUTINE
    assert list(generator()) == [1]
