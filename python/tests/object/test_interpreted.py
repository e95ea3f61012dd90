"""Object mode under a CPython whose frames compiled code doesn't know: the interpreter runs the function."""

import inspect
import sys
import traceback
import types

import pytest

from pyopt import _core, errors, jit

pytestmark = pytest.mark.skipif(_core.OWN_FRAMES, reason="compiled code runs on the frames of CPython 3.11")


def test_what_is_made_is_a_function_of_its_own():
    def original(a, /, b=2, *c, d: int = 4, **e) -> str:
        """Text."""
        return a, b, c, d, e

    original.mark = 1
    made = jit(forceobj=True)(original)
    assert made is not original
    assert type(made) is types.FunctionType
    assert made.py_func is original
    assert made.__code__ is original.__code__
    assert inspect.signature(made) == inspect.signature(original)
    assert (made.__doc__, made.__name__, made.__qualname__) == (
        original.__doc__,
        original.__name__,
        original.__qualname__,
    )
    assert made.mark == 1
    assert made(1) == original(1)
    assert made(1, 3, 5, d=6, f=7) == (1, 3, (5,), 6, {"f": 7})
    with pytest.raises(TypeError) as here:
        made()
    with pytest.raises(TypeError) as there:
        original()
    assert str(here.value) == str(there.value)


def test_closures_are_shared():
    count = 0

    @jit(forceobj=True)
    def step():
        nonlocal count
        count += 1
        return lambda: count

    assert step()() == 1
    count = 5
    assert step()() == 6 == count


def test_frames_are_the_interpreters():
    @jit(forceobj=True)
    def frame(a):
        b = [a]
        return sys._getframe(), dict(locals()), b

    found, seen, b = frame(3)
    assert found.f_code is frame.__code__
    assert seen == {"a": 3, "b": b}

    @jit(forceobj=True)
    def fails(a):
        return a / 0

    with pytest.raises(ZeroDivisionError) as raised:
        fails(1)
    names = [entry.name for entry in traceback.extract_tb(raised.value.__traceback__)]
    assert names[1:] == ["fails"]


def test_generators_and_coroutines_run():
    @jit(forceobj=True)
    def generator(n):
        got = []
        for i in range(n):
            got.append((yield i))
        return got

    made = generator(2)
    assert (next(made), made.send("a")) == (0, 1)
    with pytest.raises(StopIteration) as ended:
        made.send("b")
    assert ended.value.value == ["a", "b"]

    @jit(forceobj=True)
    async def coroutine():
        return 4

    with pytest.raises(StopIteration) as ended:
        coroutine().send(None)
    assert ended.value.value == 4


def test_there_is_no_code_to_look_at():
    made = jit(forceobj=True)(lambda: 1)
    assert made.compile() is made
    message = (
        r"the interpreter runs functions of object mode under CPython 3\.\d+: there is no code to look at"
    )
    for look in (made.inspect_llvm, made.inspect_asm, lambda: made.inspect_ir("py-release-references")):
        with pytest.raises(errors.UnsupportedError, match=message):
            look()


def test_a_function_is_decorated_once():
    made = jit(forceobj=True)(lambda: 1)
    with pytest.raises(TypeError, match="already jitted function"):
        jit(forceobj=True)(made)
