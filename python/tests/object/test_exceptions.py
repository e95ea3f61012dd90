"""Exceptions in object mode: try, with, raise, groups; and matching of patterns."""

import pytest
from twins import check

PROGRAMS = {
    "except": """
        try:
            log(1 / a)
        except ZeroDivisionError as e:
            log(e); return "zero"
        except (TypeError, ValueError):
            return "other"
        else:
            return "else"
        finally:
            log("finally")
    """,
    "nested": """
        import sys
        try:
            try:
                raise ValueError(a)
            except ValueError as e:
                log(sys.exc_info()[1])
                raise KeyError(1) from e
        except KeyError as e:
            log(sys.exc_info()[1]); log(e.__cause__); log(e.__context__)
        log(sys.exc_info())
        raise RuntimeError("end")
    """,
    "bare raise": """
        try:
            a.nothing
        except AttributeError:
            log("seen")
            raise
    """,
    "raise nothing": "raise",
    "raise class": "raise ValueError",
    "raise what is no exception": "raise a",
    "wrong cause": "raise ValueError from a",
    "from none": """
        try:
            1 / 0
        except ZeroDivisionError:
            raise ValueError("x") from None
    """,
    "except what is no class": """
        try:
            1 / 0
        except a:
            pass
    """,
    "finally overrides": """
        for x in range(3):
            try:
                if x == 1: continue
                if x == 2: return x
            finally:
                log(x)
                if x == 2: break
        return "end"
    """,
    "finally returns": """
        try:
            raise ValueError
        finally:
            return 1
    """,
    "loop": """
        n = 0
        while True:
            try:
                n += 1
                if n > 3: raise StopIteration(n)
            except StopIteration as e:
                return e.value
            finally:
                log(n)
    """,
    "name is deleted": """
        try:
            1 / 0
        except ZeroDivisionError as e:
            pass
        return e
    """,
    "unbound in handler": """
        try:
            x = a.nothing
        except AttributeError:
            return x
    """,
    "local changes": """
        x = 1
        try:
            x = 2
            int(a)
            x = 3
            int("z")
        except (ValueError, TypeError):
            return x
    """,
    "with": """
        class Manager:
            def __init__(self, swallow): self.swallow = swallow
            def __enter__(self): log("enter"); return self
            def __exit__(self, *exc): log(exc[:2]); return self.swallow
        with Manager(True) as m, Manager(False):
            log(m.swallow)
            int(a)
            raise KeyError(a)
        with Manager(False):
            return "inner"
    """,
    "with nothing": "with a: pass",
    "with half": """
        class Half:
            def __enter__(self): pass
        with Half(): pass
    """,
    "enter raises": """
        class Manager:
            def __enter__(self): raise ValueError("enter")
            def __exit__(self, *exc): log("exit")
        with Manager(): pass
    """,
    "groups": """
        try:
            inner = ExceptionGroup("h", [ValueError(3), KeyError(4)])
            raise ExceptionGroup("g", [ValueError(1), TypeError(2), inner])
        except* ValueError as e:
            log(e)
        except* TypeError as e:
            log(e)
            raise OSError("new")
    """,
    "group of one": """
        try:
            raise ValueError(a)
        except* ValueError as e:
            log(e)
        try:
            raise ValueError(a)
        except* TypeError as e:
            log(e)
    """,
    "group again": """
        try:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
        except* ValueError:
            raise
    """,
    "group of groups": """
        try:
            raise ValueError
        except* ExceptionGroup:
            pass
    """,
    "match": """
        class Point:
            __match_args__ = ("x", "y")
            def __init__(self, x, y): self.x, self.y = x, y
        def kind(v):
            match v:
                case 1 | 2: return "small"
                case str(s): return s
                case [x]: return ("one", x)
                case [x, *rest] if rest: return (x, rest)
                case {"k": v, **rest}: return (v, rest)
                case {}: return "mapping"
                case Point(0, y=y): return ("y", y)
                case Point(x, y): return (x, y)
                case None | True: return "constant"
                case _: return "other"
        for v in (1, "s", [1], (1, 2, 3), {"k": 1, "z": 2}, {}, Point(0, 5), Point(1, 2), None, True, 4.5, a):
            log(kind(v))
        match a:
            case {"p": x}: return x
            case (x, y): return y
            case int(): return "int"
            case complex(real=r): return r
    """,
    "wrong pattern": """
        class C: pass
        match C():
            case C(1): pass
    """,
}

VALUES = [(0,), (2,), ("ab",), ([1, 2],), ({"p": 1},), (None,)]


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_program(body):
    """Each program does the same, with the same exception, traceback, cause and context."""
    import textwrap

    lines = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    check(f"@compiled\ndef main(a):\n{lines}\n", *VALUES)


def test_references():
    """Objects go where CPython lets them go, on the way out with an exception too."""
    check(
        """
        class Loud:
            def __init__(self, name): self.name = name
            def __del__(self): log(self.name)
            def fail(self, *args): raise ValueError(self.name)

        @compiled
        def inner(a, b):
            c = Loud("c")
            return [Loud("d"), Loud("e").fail(Loud("f"))]

        @compiled
        def main():
            try:
                inner(Loud("a"), Loud("b"))
            except ValueError as e:
                log("caught")
            log("after")
            x = Loud("x")
            try:
                x = Loud("y")
                x.fail()
            except ValueError:
                log("handler")
            del x
            for i in range(2):
                x = Loud(i)
            log("end")
        """
    )
