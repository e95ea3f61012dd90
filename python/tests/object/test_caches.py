"""What compiled code remembers of attributes, globals and callables never outlives its truth.

Each program changes classes, instances, modules and namespaces at random between runs of the same
compiled functions, and says all they find.
"""

import pytest
from twins import check

ATTRIBUTES = """
import random
import re
import types


@compiled
def load(object):
    return object.x


@compiled
def call(object):
    return object.x()


@compiled
def call_with(object, value):
    return object.x(value, value)


@compiled
def store(object, value):
    object.x = value


@compiled
def delete(object):
    del object.x


class Meta(type):
    pass


class Base:
    pass


class Other:
    def __init__(self, *names):
        for name in names:
            setattr(self, name, name)


class Plain(Base):
    pass


class Wide(Base):
    def __init__(self):
        for number in range(40):
            setattr(self, f"name{number}", number)


class Slotted:
    __slots__ = ("x", "y")


class WithSlot(Slotted, Base):
    pass


class Many(list, Base):
    pass


class Number(int, Base):
    pass


class Failure(Exception, Base):
    pass


class Typed(Base, metaclass=Meta):
    pass


class Data:
    def __get__(self, this, owner):
        return "data", this is None

    def __set__(self, this, value):
        log(("set", type(value)))


class NonData:
    def __get__(self, this, owner):
        return lambda *args: ("non-data", this is None, len(args))


def method(*args):
    return "method", len(args)


def hook(self, name):
    return lambda *args: ("hook", name, len(args))


def everything(self, name):
    if name == "x":
        return lambda *args: ("everything", len(args))
    return object.__getattribute__(self, name)


def keep(self, name, value):
    object.__setattr__(self, name, ("kept", value))


def main(seed):
    choose = random.Random(seed)
    module = types.ModuleType("module")
    module.y = 1
    objects = [
        Plain(), Plain(), Wide(), Slotted(), WithSlot(), Many(), Number(3), Failure(), Typed(),
        module, Plain, Typed, Base, 3, "text", lambda: 0, [].append, super(Plain, Plain()),
    ]
    classes = [Plain, Base, Wide, WithSlot, Slotted, Many, Number, Failure, Typed, Meta]
    made = [
        lambda: choose.randrange(9),
        lambda: method,
        lambda: lambda *args: ("lambda", len(args)),
        lambda: property(lambda self: lambda *args: ("property", len(args))),
        lambda: staticmethod(method),
        lambda: classmethod(method),
        lambda: Data(),
        lambda: NonData(),
        lambda: str.upper,
        lambda: len,
        lambda: Other,
        lambda: Other("a").__init__,
    ]

    def change(target):
        kind = choose.randrange(16)
        of_class = choose.choice(classes)
        if kind < 3:
            of_class.x = choose.choice(made)()
        elif kind < 5:
            del of_class.x
        elif kind < 7:
            target.x = choose.choice(made)()
        elif kind == 7:
            del target.x
        elif kind == 8:
            target.__dict__["x"] = choose.choice(made)()
        elif kind == 9:
            vars(target)[choose.choice([5, "z", ("x",)])] = 1
        elif kind == 10:
            target.__dict__ = {choose.choice("xyz"): 7, "w": 1}
        elif kind == 11:
            target.__class__ = choose.choice([Plain, Wide, Other])
        elif kind == 12:
            name, function = choose.choice(
                [("__getattr__", hook), ("__getattribute__", everything), ("__setattr__", keep)]
            )
            if name in vars(of_class):
                delattr(of_class, name)
            elif choose.random() < 0.4:
                setattr(of_class, name, function)
        elif kind == 13:
            Plain.__bases__ = choose.choice([(Base,), (Base, Other), (Other,)])
        elif kind == 14:
            for number in range(choose.randrange(4)):
                setattr(target, f"more{choose.randrange(20)}", number)
        else:
            objects[0] = Plain()
            objects[1] = choose.choice([Wide, Typed, Plain])()

    def attempt(function, *arguments):
        try:
            result = function(*arguments)
        except Exception as error:
            result = type(error), str(error)
        if callable(result) or hasattr(result, "append"):
            result = type(result)
        return re.sub(" at 0x[0-9a-f]+", "", str(result))

    for _ in range(60):
        target = choose.choice(objects[:6] if choose.random() < 0.7 else objects)
        log(attempt(change, target))
        for _ in range(choose.choice([1, 2, 50])):
            one = target if choose.random() < 0.8 else choose.choice(objects)
            seen = [attempt(load, one), attempt(call, one), attempt(call_with, one, 1)]
            if choose.random() < 0.2:
                seen.append(attempt(store, one, choose.choice(made)()))
            if choose.random() < 0.02:
                seen.append(attempt(delete, one))
            if hasattr(one, "__dict__") and not isinstance(one, type):
                seen.append([str(key) for key in one.__dict__][:3] if choose.random() < 0.01 else 0)
            log(str(seen))
"""


@pytest.mark.parametrize("seed", range(40))
def test_attributes_that_change(seed):
    check(ATTRIBUTES, (seed,))


GLOBALS = """
import builtins
import random


@compiled
def load():
    return name, len, missing


@compiled
def call(value):
    return len(value), name(value)


@compiled
def store(value):
    global name
    name = value


def main(seed):
    global name, missing
    choose = random.Random(seed)
    space = globals()
    name, missing = str, 1
    builtins.extra_name = str
    twin = type(load)(load.__code__, {"__builtins__": builtins, "name": 1, "missing": 2})
    made = [lambda value: 7, str, repr, len, 3]

    def change():
        kind = choose.randrange(12)
        if kind < 2:
            space["name"] = choose.choice(made)
        elif kind == 2:
            space["len"] = choose.choice(made)
        elif kind == 3:
            space.pop("len", None)
        elif kind == 4:
            space.pop("name", None)
        elif kind == 5:
            builtins.missing = "builtin"
            space.pop("missing", None)
        elif kind == 6:
            del builtins.missing
        elif kind == 7:
            space[choose.choice("abcdef")] = 1
        elif kind == 8:
            space.pop(choose.choice("abcdef"), None)
        elif kind == 9:
            space[5] = 1
        elif kind == 10:
            store(choose.choice(made))
        else:
            builtins.len, kept = (lambda value: "other"), builtins.len
            try:
                log(attempt(load))
                log(attempt(call, "text"))
            finally:
                builtins.len = kept

    def attempt(function, *arguments):
        try:
            result = function(*arguments)
        except Exception as error:
            return type(error).__name__, str(error)
        return [one if isinstance(one, (int, str)) else type(one).__name__ for one in result]

    try:
        for _ in range(80):
            try:
                change()
            except Exception as error:
                log(str(error))
            for _ in range(choose.randrange(4)):
                log(attempt(load))
                log(attempt(twin))
                log(attempt(call, "text"))
    finally:
        vars(builtins).pop("missing", None)
        vars(builtins).pop("extra_name", None)
"""


@pytest.mark.parametrize("seed", range(20))
def test_globals_that_change(seed):
    check(GLOBALS, (seed,))


CALLABLES = """
import random
import sys


def interpreted(a, b=2, *rest, c=3, **others):
    return "interpreted", a, b, rest, c, sorted(others)


@compiled
def starred(a, b=2, *rest, c=3, **others):
    return "compiled", a, b, rest, c, sorted(others)


@compiled
def simple(a, b):
    return "simple", a, b


def plain(a, b=5):
    return "plain", a, b


@compiled
def only(a, /, b=4, *, c, d=6):
    return "only", a, b, c, d


@compiled
def generator(a, b=2):
    yield a
    yield b


class Class:
    def __init__(self, *args, **names):
        self.args = args, sorted(names)

    def __call__(self, *args, **names):
        return "instance", args, sorted(names)

    def method(self, a=1, b=2):
        return "method", a, b

    @classmethod
    def of_class(cls, *args):
        return cls.__name__, args

    @staticmethod
    @compiled
    def static(a, b=3):
        return a, b

    @compiled
    def compiled_method(self, a=1, *, b=2):
        return "compiled method", a, b


@compiled
def none(f):
    return f()


@compiled
def one(f, a):
    return f(a)


@compiled
def two(f, a, b):
    return f(a, b)


@compiled
def four(f, a, b):
    return f(a, b, a, b)


@compiled
def named(f, a, b):
    return f(a, b=b)


@compiled
def both_named(f, a, b):
    return f(b=b, a=a, c=1)


@compiled
def stranger(f, a, b):
    return f(a, z=b, c=2)


@compiled
def positional(f, a, b):
    return f(a, a=b)


def main(seed):
    choose = random.Random(seed)
    thing = Class()
    callables = [
        interpreted, starred, simple, plain, only, generator, Class, thing, thing.method,
        Class.method, thing.of_class, Class.static, thing.compiled_method, Class.compiled_method,
        len, max, print, isinstance, str, int, type, tuple, list, dict, sorted, [].append,
        str.upper, list.append, dict.get, {}.get, "a b".split, str.split, 3, None, "text",
        abs, sum, range, ord, repr, zip, enumerate, bytes, getattr, object, super,
        "".join, [3, 1].pop, list.pop, set.add, int.from_bytes, str.join, dict.fromkeys,
    ]
    values = [1, 2, "text", [1, 2], (3, 4), {"a": 1}, None, str, -1, 2.5]
    callers = [none, one, two, four, named, both_named, stranger, positional]
    plain.__defaults__ = (5,)

    def attempt(caller, function, a, b):
        counts = [sys.getrefcount(one) for one in (a, b, function)]
        try:
            arguments = {none: (), one: (a,)}.get(caller, (a, b))
            result = caller(function, *arguments)
        except Exception as error:
            result = type(error), str(error)
        kind = type(result).__name__
        text = str(result) if kind in ("tuple", "list", "int", "str", "bool") else kind
        if kind == "generator":
            text = list(result)
        del result
        return text.split(" at 0x")[0] if isinstance(text, str) else text

    for step in range(250):
        function, caller = choose.choice(callables), choose.choice(callers)
        a, b = choose.choice(values), choose.choice(values)
        if function in (print, super):
            continue
        log(attempt(caller, function, a, b))
        if step % 40 == 0:
            plain.__defaults__ = choose.choice([None, (5,), (6, 7)])
            only.__kwdefaults__ = choose.choice([None, {"d": 6}, {"c": 1, "d": 2}])
            simple.__defaults__ = choose.choice([None, (8,)])
        if step % 60 == 0:
            plain.__code__ = (lambda a, b=5, *c: ("new code", a, b, c)).__code__
        if step % 60 == 30:
            simple.__code__ = choose.choice([starred, simple, only]).__code__
"""


@pytest.mark.parametrize("seed", range(20))
def test_calls_of_anything(seed):
    check(CALLABLES, (seed,))


def test_references_of_calls():
    check(
        """
        class Thing:
            def __del__(self):
                log("gone")

            def __repr__(self):
                return "thing"

        @compiled
        def give(f):
            log("before")
            f(Thing())
            log("after")
            f(Thing(), Thing())

        @compiled
        def fails(a):
            raise ValueError(a)

        @compiled
        def keeps(a):
            a = None
            log("replaced")

        def main():
            for f in (print, lambda *args: None, fails, keeps, print.__init__, len, [].append, str):
                try:
                    give(f)
                except Exception as error:
                    log(type(error))
                    del error
                log("next")
        """
    )


def test_items_of_any_type():
    check(
        """
        class Mine(list):
            def __getitem__(self, index):
                return "mine", index

            def __setitem__(self, index, value):
                log((index, value))

        @compiled
        def load(items, index):
            return items[index]

        @compiled
        def store(items, index, value):
            items[index] = value

        def attempt(function, *arguments):
            try:
                return function(*arguments)
            except Exception as error:
                return type(error), str(error)

        def main():
            indices = [0, 1, -1, -3, -4, 3, True, 2**40, -(2**70), None, "a", 1.0, slice(1, 2)]
            for index in indices:
                for items in ([1, 2, 3], (1, 2, 3), {0: 1, "a": 2}, "abc", b"abc", Mine([1]), 5,
                              range(3), [], (), bytearray(b"abc")):
                    log(attempt(load, items, index))
                    log(attempt(store, items, index, 7))
                    log(items)
        """
    )


def test_a_type_whose_objects_have_a_dict_or_none():
    """What the type has is hidden by an object's own, wherever the object keeps it."""
    check(
        """
        class Machine:
            state = "class"
            def work(self): return "class"
        @compiled
        def ask(machine):
            return machine.state, machine.work()
        def main():
            for _ in range(3):
                plain = Machine()
                plain.__dict__
                plain.other = 1
                for _ in range(90):
                    ask(plain)
                own = Machine()
                own.state = "own"
                own.work = lambda: "own"
                log((ask(own), ask(plain), ask(Machine())))
        """
    )
