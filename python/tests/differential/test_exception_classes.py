"""Exception classes of the program's own, causes, what exceptions hold, and their tracebacks."""

import traceback

import numpy as np
import pytest

from pyopt import _core, njit
from pyopt.errors import TypingError


class Full(Exception):
    pass


class TooFull(Full):
    def __init__(self, shelf, by):
        super().__init__(f"{shelf} by {by}")
        self.by = by


class Missing(KeyError, AttributeError):
    pass


class Silent(Exception):
    def __init__(self, *args):
        super().__init__()
        self.kept = args


FULL = Full("shelf", 3)
PLAIN = ValueError("as it is")


def raise_some(i):
    if i == 0:
        raise Full
    if i == 1:
        raise Full("a", i, 2.5)
    if i == 2:
        raise TooFull("lower", i)
    if i == 3:
        raise TooFull()
    if i == 4:
        raise FULL
    if i == 5:
        raise PLAIN
    if i == 6:
        raise Missing("key")
    if i == 7:
        raise np.linalg.LinAlgError("singular")
    if i == 8:
        raise Silent(i, (None, True))
    return i


def catch_some(i):
    try:
        return compiled_raise_some(i)
    except TooFull:
        return -1
    except (AttributeError, ValueError):
        return -2
    except Full:
        return -3


def catch_bases(i):
    try:
        compiled_raise_some(i)
    except LookupError:
        return 1
    except Silent as error:
        return 2 + 2 * isinstance(error, (Full, Silent))
    finally:
        i += 1
    return i


def raise_from(i):
    try:
        return compiled_raise_some(i)
    except Full as error:
        if i == 0:
            raise
        if i == 1:
            raise RuntimeError(i) from error
        raise Missing from error
    except ValueError:
        raise KeyError("plain") from None
    except KeyError:
        raise Full("b") from OverflowError("c")


def raise_from_twice(i):
    try:
        return compiled_raise_from(i)
    except Exception as error:
        raise Silent("outer", i) from error


compiled_raise_some = njit(raise_some)
compiled_raise_from = njit(raise_from)


def outcome(function, *arguments):
    """What a call returns, or the chain of exceptions with their lines."""
    try:
        return function(*arguments)
    except Exception as error:
        chain = []
        while error is not None:
            lines = [(one.name, one.lineno) for one in traceback.extract_tb(error.__traceback__)[1:]]
            chain.append((type(error), error.args, vars(error), lines))
            error = error.__cause__
        return chain


@pytest.mark.parametrize("function", [raise_some, catch_some, catch_bases, raise_from, raise_from_twice])
def test_exceptions_are_pythons(function):
    compiled = njit(function)
    for i in range(10):
        if i == 3 and function is not raise_some:
            continue  # compiled code catches what can't be made
        expected = outcome(function, i)
        found = outcome(compiled, i)
        if isinstance(expected, list):
            # Making an exception fails where Python makes it, a line of the class's own.
            expected = [(*one[:3], [line for line in one[3] if line[0] != "__init__"]) for one in expected]
        assert found == expected, i


def local_class(base):
    class Local(base):
        pass

    def fail(x):
        try:
            if x > 1:
                raise Local(x)
        except base:
            return -1.0
        return x

    return Local, fail


@pytest.mark.parametrize("base", [Exception, Full, OSError, BaseException])
def test_classes_of_closures(base):
    _, fail = local_class(base)
    compiled = njit(fail)
    assert [compiled(x) for x in (0.5, 1.5)] == [fail(x) for x in (0.5, 1.5)] == [0.5, -1.0]


def test_equal_names_are_different_classes():
    first, _ = local_class(ValueError)
    second, _ = local_class(ValueError)

    @njit
    def fail(x):
        try:
            if x == 0:
                raise first(x)
            raise second(x)
        except first:
            return 1
        except second:
            return 2

    assert (fail(0), fail(1)) == (1, 2)


def raise_array(a, n):
    raise Full(a, np.full(n, 7.5), (n, "text", a[1:]))


def raise_again(a, n):
    try:
        compiled_raise_array(a, n)
    except Full as error:
        raise ValueError(np.arange(n), n) from error


def catch_array(a, n):
    try:
        compiled_raise_array(a, n)
    except Full:
        return a.sum()
    return 0.0


compiled_raise_array = njit(raise_array)


@pytest.mark.parametrize("function", [raise_array, raise_again, catch_array])
def test_arrays_in_exceptions(function):
    compiled = njit(function)
    a = np.arange(4.0)
    for n in (0, 3):
        before = _core.memory_stats()
        expected, found = outcome(function, a, n), outcome(compiled, a, n)
        assert str(found) == str(expected)
        if function is raise_array:
            assert found[0][1][0] is a
        del found, expected
        after = _core.memory_stats()
        assert after[0] - before[0] == after[1] - before[1]


def test_what_python_handles_is_raised_again():
    @njit
    def again():
        raise

    with pytest.raises(RuntimeError, match="No active exception to reraise"):
        again()
    with pytest.raises(ZeroDivisionError):
        try:
            1 / 0  # noqa: B018
        except ZeroDivisionError:
            again()


def again_for_classes(n):
    try:
        raise
    except KeyError:
        return "key"
    except RuntimeError:
        return "none"


def again_for_its_text(n):
    try:
        if n:
            raise
        raise ValueError
    except LookupError as error:
        return repr(error)
    except RuntimeError as error:
        return str(error)
    finally:
        n += 1


def again_for_others(n):
    total = 0
    for i in range(n):
        try:
            total += i
            if i == 2:
                raise
        except ValueError:
            total += 100
        finally:
            total += 10
    return total


@pytest.mark.parametrize("function", [again_for_classes, again_for_its_text, again_for_others])
@pytest.mark.parametrize("handled", [KeyError("k"), IndexError(3), ValueError("v"), None], ids=repr)
def test_handlers_take_what_python_handles(function, handled):
    def result(called):
        try:
            return called(3)
        except Exception as error:
            return repr(error)

    def inside(called):
        if handled is None:
            return result(called)
        try:
            raise handled
        except Exception:
            return result(called)

    assert inside(njit(function)) == inside(function)


def test_a_long_chain_of_causes_is_freed():
    @njit
    def chain(n):
        try:
            raise Full(0)
        except Full as error:
            last = error
        for i in range(n):
            try:
                raise ValueError(i) from last
            except ValueError as error:
                last = error
        raise last

    before = _core.memory_stats()
    with pytest.raises(ValueError, match="299") as raised:
        chain(300)
    depth, error = 0, raised.value
    while error.__cause__ is not None:
        depth, error = depth + 1, error.__cause__
    assert (depth, error.args) == (300, (0,))
    after = _core.memory_stats()
    assert after[0] - before[0] == after[1] - before[1]


@njit
def two_places(i):
    if i == 1:
        raise ValueError
    i = 3 * i
    if i == 6:
        raise ValueError
    return i


def test_equal_raises_have_their_own_lines():
    first, second = outcome(two_places, 1), outcome(two_places, 2)
    assert second[0][3][0][1] - first[0][3][0][1] == 3


def attribute(i):
    try:
        return 1 // i
    except ZeroDivisionError as error:
        return len(error.args)


def length(i):
    try:
        return 1 // i
    except ZeroDivisionError as error:
        return len(error)


@pytest.mark.parametrize(
    ("function", "message"),
    [(attribute, "the attribute 'args' of an exception"), (length, "len")],
)
def test_what_exceptions_hold_is_refused(function, message):
    with pytest.raises(TypingError, match=message):
        njit(function)(1)
