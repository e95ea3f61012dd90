"""Who holds which object when: the same objects go at the same moments as under CPython.

``random_functions.py`` runs as many random programs as one likes.
"""

import pytest
from random_functions import check_program, source_of
from twins import check


@pytest.mark.parametrize("seed", range(120))
def test_random_program(seed):
    try:
        check_program(seed, most=25)
    except Exception as error:
        error.add_note(source_of(seed)[0])
        raise


@pytest.mark.parametrize("seed", [2, 3, 8])
def test_no_leak(seed):
    """Thousands of calls, most of which fail somewhere, leave nothing behind."""
    check_program(seed, most=10, calls=1200)


def test_programs_follow_from_their_numbers():
    assert source_of(5) == source_of(5)
    assert source_of(5) != source_of(6)


LOUD = """
        class Loud:
            def __init__(self, name): self.name = name
            def __del__(self): log(f"del {self.name}")
            def __iter__(self): return iter([Loud(1), Loud(2)])
            def __enter__(self): return Loud("entered")
            def __exit__(self, *error): return True
            def __call__(self, *args, **kwargs): raise ValueError("called")
            def __hash__(self): raise TypeError("unhashable")
        def items():
            try:
                yield Loud("item"); yield
            finally:
                log("closed")
"""

CASES = {
    "a loop that returns": "for x in items():\n    return log('before')",
    "a loop that raises": "for x in items():\n    log('before'); raise ValueError(log('after'))",
    "a loop that is left": "for x in items():\n    log('before'); break\nlog('behind')",
    "a context that ends an exception": "with Loud('manager'):\n    raise ValueError(Loud('value'))",
    "a call that fails": "Loud('f')(Loud('a'), Loud('b'), k=Loud('k'))",
    "a call with stars that fails": "Loud('f')(Loud('a'), *Loud('stars'), **{'k': Loud('k')})",
    "a call with an iterable": "log(len((lambda *args: args)(*Loud('iterable')))); log('behind')",
    "a set that fails": "{1, Loud('a'), Loud('b')}",
    "a dict that fails": "{1: Loud('a'), Loud('b'): Loud('c')}",
    "unpacking": "log.x, y = Loud('several')",
    "a chained comparison": "log('less' if Loud('a') is Loud('b') is Loud('c') else 'not')",
}


@pytest.mark.parametrize("body", CASES.values(), ids=CASES)
def test_order(body):
    """What random programs showed to be different once."""
    lines = "\n".join("            " + line for line in body.split("\n"))
    check(f"{LOUD}\n        @compiled\n        def main():\n{lines}\n")


def test_error_of_keywords():
    """An error that the call replaces goes at once, with the frames it holds."""
    check(
        """
        class Loud:
            def __del__(self): log("del")
        @compiled
        def keywords(d):
            local = Loud()
            try:
                raise ValueError
            except ValueError:
                print(**d, **d)
        def main():
            try:
                keywords({"a": 1})
            except (TypeError, KeyError) as error:
                log(error)
            log("end")
        """
    )
