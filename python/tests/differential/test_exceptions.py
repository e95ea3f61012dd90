"""``try`` in compiled code: handlers by class, ``else``, ``finally``, raising again, arguments."""

import numpy as np
import pytest
from assertions import assertion_with_arguments
from compare import check, combinations, compile_once, outcome
from memory import growth
from versions import needs_exception_groups, needs_todays_unbound

from pyopt import errors, njit, prange


def fail(n):
    if n == 1:
        raise ValueError("one")
    if n == 2:
        raise KeyError(n)
    if n == 3:
        raise IndexError
    return 10 // n


def bare(n):
    try:
        return fail(n)
    except:  # noqa: E722
        return -1


def every_exception(n):
    try:
        return fail(n)
    except Exception:
        return -1


def by_class(n):
    try:
        return fail(n)
    except ZeroDivisionError:
        return -1
    except (IndexError, ValueError) as error:  # noqa: F841
        return -2


def by_base(n):
    try:
        return fail(n)
    except LookupError:
        return -1
    except ArithmeticError:
        return -2


def with_else(n):
    x = 0
    try:
        x = fail(n)
    except ValueError:
        x = -1
    else:
        x += 100
    return x


def with_finally(n):
    x = 0
    try:
        x = fail(n)
    finally:
        x += 1000
    return x


def return_in_finally(n):
    try:
        return fail(n)
    finally:
        return 5  # noqa: B012


def everything(n):
    x = 0
    try:
        x += fail(n)
    except ValueError:
        x += 1
        return x
    except KeyError:
        x += 2
    else:
        x += 3
    finally:
        x += 1000
    return x


def nested(n):
    try:
        try:
            return fail(n)
        except ValueError:
            return -1
        finally:
            n += 1
    except (KeyError, ZeroDivisionError):
        return n


def raised_again(n):
    try:
        return fail(n)
    except ValueError:
        raise
    except KeyError as error:
        raise error
    except IndexError:
        raise RuntimeError("instead")


def raised_again_after_another(n):
    try:
        return fail(n)
    except KeyError:
        try:
            fail(1)
        except ValueError:
            pass
        raise


def raised_in_handler(n):
    try:
        try:
            return fail(n)
        except ValueError:
            return fail(2)
    except KeyError:
        return 7


def raise_without_exception(n):
    if n > 2:
        raise
    return n


def left_loops(n):
    total = 0
    for i in range(8):
        try:
            if i == n:
                break
            if i % 3 == 2:
                continue
            total += fail(i)
        except (ValueError, KeyError):
            total += 100
        except ZeroDivisionError:
            if n == 5:
                return -total
        finally:
            total += 1000
    else:
        total = -total
    return total


def unbound_in_handler(n):
    try:
        x = fail(n)
        y = x + 1
    except ValueError:
        y = 3
    return x, y


def local_at_raise(n):
    x = 1
    try:
        x = 2
        fail(n)
        x = 3
        fail(n + 1)
        x = 4
    except Exception:
        return x
    return -x


def changed_type(n):
    x = 1
    try:
        x = 0.5
        fail(n)
    except ValueError:
        pass
    return x


def prepared(n):
    error = ValueError("prepared")
    if n > 1:
        raise error
    return n


def chosen(n):
    error = ValueError("a", n) if n > 1 else TypeError(n / 2)
    raise error


def from_none(n):
    try:
        return fail(n)
    except ValueError:
        raise RuntimeError("hidden") from None


def in_while(n):
    count = 0
    while True:
        try:
            count += 1
            if count > n:
                raise StopIteration
            fail(count % 4)
        except StopIteration:
            return count
        except LookupError:
            n -= 1
        except Exception:
            count += 1


PROGRAMS = (
    bare,
    every_exception,
    by_class,
    by_base,
    with_else,
    with_finally,
    return_in_finally,
    everything,
    nested,
    raised_again,
    raised_again_after_another,
    raised_in_handler,
    raise_without_exception,
    left_loops,
    local_at_raise,
    changed_type,
    prepared,
    chosen,
    from_none,
    in_while,
)


@pytest.mark.parametrize(("function", "args"), combinations(PROGRAMS, (0, 1, 2, 3, 5, 10)))
def test_programs(function, args):
    check(function, *args, tolerance=None)


@needs_todays_unbound
@pytest.mark.parametrize("n", (0, 1, 2, 3, 5, 10))
def test_an_unbound_local(n):
    check(unbound_in_handler, n, tolerance=None)


def arguments(n, x, flag):
    raise ValueError("text", n, x, flag, (n, (x, "inner")), None)


def one_argument(n, x, flag):
    raise KeyError(n)


def caught_arguments(n, x, flag):
    try:
        raise ValueError(n, x)
    except ValueError:
        if flag:
            raise
    return x


@pytest.mark.parametrize(
    ("function", "args"),
    combinations(
        (arguments, one_argument, assertion_with_arguments, caught_arguments),
        ((1, 2.5, True), (7, -0.0, True), (-3, float("inf"), False), (9, 1j, True)),
    ),
)
def test_arguments(function, args):
    how, expected = outcome(function, args)
    got_how, got = outcome(compile_once(function), args)
    assert got_how == how
    if how == "returned":
        assert got == expected
    else:
        assert type(got) is type(expected)
        assert got.args == expected.args


def array_errors(a, b, n):
    try:
        c = a + b
        return c.sum() + a[n]
    except ValueError:
        return -1.0
    except IndexError:
        return -2.0


def array_in_handler(a, b, n):
    c = np.ones(2)
    try:
        c = a * 2
        c = c + b
    except ValueError:
        c = c + 1.0
    finally:
        c[0] += n
    return c


def allocation(a, b, n):
    try:
        return np.zeros(n * 10**17).sum()
    except MemoryError:
        return -1.0


def negative_size(a, b, n):
    try:
        return np.zeros(n - 10).sum()
    except ValueError:
        return -1.0


def rows(a, b, n):
    kept = a
    for i in range(5):
        try:
            kept = np.concatenate((kept[:i], b))
            if i == n:
                kept = kept + a[: i + 1]
            elif i > n:
                raise KeyError(i)
        except (ValueError, KeyError):
            kept = kept * 2
    return kept


ARRAYS = [(np.arange(3.0), np.arange(size * 1.0), n) for size in (3, 4) for n in (0, 1, 2, 5, -3, -4)]


@pytest.mark.parametrize("args", ARRAYS)
@pytest.mark.parametrize("function", [array_errors, array_in_handler, negative_size, rows])
def test_arrays(function, args):
    check(function, *args, boundscheck=True, numpy=True)


def test_memory_error():
    assert compile_once(allocation)(np.ones(1), np.ones(1), 5) == -1.0


@pytest.mark.parametrize("function", [array_errors, array_in_handler, rows])
def test_nothing_leaks(function):
    compiled = compile_once(function, boundscheck=True)

    def run():
        for args in ARRAYS:
            compiled(*args)

    assert growth(run) == 0


@pytest.mark.parametrize("function", [caught_arguments, arguments])
def test_arguments_of_exceptions_do_not_leak(function):
    compiled = compile_once(function)

    def run():
        for flag in (True, False):
            outcome(compiled, (1, 2.5, flag))

    assert growth(run) == 0


def deep(n):
    try:
        return deep(n + 1)
    except RecursionError:
        return 5


def test_recursion_is_caught():
    assert compile_once(deep)(0) == 5


def catches_in_prange(a):
    out = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        try:
            out[i] = 10 // a[i]
        except ZeroDivisionError:
            out[i] = -1.0
    return out


def reduction_in_prange(a):
    total = 0
    for i in prange(a.shape[0]):
        try:
            total += 10 // a[i]
        except ZeroDivisionError:
            total += 1000
    return total


def raised_again_in_prange(a):
    total = 0
    for i in prange(a.shape[0]):
        try:
            total += 10 // a[i]
        except ZeroDivisionError:
            raise ValueError(5) from None
    return total


@pytest.mark.parametrize("function", [catches_in_prange, reduction_in_prange, raised_again_in_prange])
@pytest.mark.parametrize("parallel", [False, True])
def test_try_in_prange(function, parallel):
    for values in ([1, 2, 0, 5], list(range(100)), [3, 4]):
        check(function, np.array(values), parallel=parallel, numpy=False)


def test_traceback():
    @njit
    def outer(n):
        try:
            return fail(n)
        except ValueError:
            raise

    with pytest.raises(ValueError, match="one") as raised:
        outer(1)
    assert [entry.name for entry in raised.traceback][-1] == "fail"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "    try:\n        return 1 // n\n    except* ValueError:\n        n = 1\n    return n",
            r"'except\*' is not",
            marks=needs_exception_groups,
        ),
        ("    try:\n        return 1 // n\n    except n:\n        return n", "'except' can't catch int64"),
        ("    raise KeyError() from n", "int64 can't be the cause of an exception"),
        ("    raise n", "can't raise int64"),
        ("    raise ValueError(max)", r"an exception can't hold Function\(max\)"),
    ],
)
def test_refusals(text, message):
    names = {}
    exec(f"def f(n):\n{text}", names)
    with pytest.raises(errors.TypingError, match=message):
        njit(names["f"])(1)
