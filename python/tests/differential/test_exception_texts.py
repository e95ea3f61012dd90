"""What exceptions that are caught in compiled code say, by comparison with CPython."""

import pytest

from pyopt import TypingError, njit, prange


class Plain(Exception):
    pass


class Counting(Plain):
    def __init__(self, count, name="x"):
        super().__init__(count, name)
        self.count = count

    def __str__(self):
        return f"{self.count} of {self.args[1]}"


def raised(kind, n, text):
    if kind == 0:
        raise ValueError("constant")
    if kind == 1:
        raise ValueError(f"made of {n} and {text!r}")
    if kind == 2:
        raise KeyError(text)
    if kind == 3:
        raise KeyError(n)
    if kind == 4:
        raise IndexError
    if kind == 5:
        raise RuntimeError(n, text, 2.5, (n, None), b"b")
    if kind == 6:
        raise Plain()
    if kind == 7:
        raise Counting(n, text)
    if kind == 8:
        return n // (n - n)
    if kind == 9:
        return {text: 1}["missing"]
    if kind == 10:
        return [n][n]
    if kind == 11:
        return int(text)
    if kind == 12:
        raise StopIteration([n, 2])
    if kind == 13:
        raise OSError(2, "gone")
    return kind


def texts(kind, n, text):
    try:
        raised(kind, n, text)
    except Exception as error:
        return str(error), repr(error), f"{error}|{error!r:>40}", "%s" % error, "{}".format(error)  # noqa: UP031,UP032
    return "", "", "", "", ""


def own(kind, n, text):
    """The exception is raised where it is caught."""
    try:
        if kind == 0:
            raise ValueError("constant")
        if kind == 1:
            raise LookupError(text * n)
        if kind == 2:
            raise KeyError(n)
        if kind != 3:
            raise AssertionError(text)
    except (ValueError, LookupError) as error:
        return str(error)
    except AssertionError as error:
        return "failed: " + str(error)
    return "none"


def nested(n):
    got = []
    for at in range(n):
        try:
            try:
                raise ValueError(at)
            except ValueError as first:
                got.append(str(first))
                raise KeyError(str(first) + "!") from first
        except KeyError as second:
            got.append(str(second))
    return got


def made(n):
    """One that is never raised."""
    first, second = ValueError("never"), KeyError("x", n)
    return str(first), repr(first), str(second), repr(second), repr(IndexError())


@pytest.mark.parametrize("text", ["", "a", "é\U0001f600'\"", "x" * 100])
def test_texts_of_what_callees_raise(text):
    compiled = njit(texts)
    for kind in range(15):
        for n in (0, 1, -7, 1 << 62):
            assert compiled(kind, n, text) == texts(kind, n, text), (kind, n)


def test_texts_of_what_the_function_raises():
    compiled = njit(own)
    for kind in range(5):
        for n in (0, 1, 3):
            assert compiled(kind, n, "téxt") == own(kind, n, "téxt")
    assert njit(nested)(3) == nested(3)
    assert njit(made)(4) == made(4)


def test_they_are_printed(capfd):
    def show(n):
        try:
            raise ValueError(n, "x")
        except ValueError as error:
            print("got", error, sep=": ")

    njit(show)(3)
    assert capfd.readouterr().out == "got: (3, 'x')\n"


def test_in_generators_and_loops_on_threads():
    def items(n):
        for at in range(n):
            try:
                yield 10 // (at - 1)
            except ZeroDivisionError as error:
                yield len(str(error))

    compiled = njit(items)
    assert list(compiled(3)) == list(items(3))

    @njit(parallel=True)
    def on_threads(n):
        found = 0
        for at in prange(n):
            try:
                if at % 2:
                    raise ValueError("odd")
            except ValueError as error:
                found += len(str(error))
        return found

    assert on_threads(100) == 150


def test_what_is_not_told():
    def returned(n):
        try:
            raise ValueError(n)
        except ValueError as error:
            return error

    with pytest.raises(TypingError, match="an exception can't be returned to Python"):
        njit(returned)(1)
