"""Random programs with exceptions that are caught: ``random_programs`` with ``try`` in all its forms.

``python random_tries.py --count 10000 --seed 7`` runs that many.
"""

import sys

from random_programs import Writer, main

FAIL = """
def fail(p):
    if p % 7 == 0:
        raise KeyError("seven")
    if p % 5 == 0:
        raise IndexError
    return 100 // (p % 4) + guard(p - 1)


def guard(p):
    try:
        if p % 3 == 0:
            raise OverflowError("three")
        if p % 8 == 1:
            raise StopIteration
        return p
    except OverflowError:
        return -p
    finally:
        p += 1


"""
RAISED = ("ValueError", "KeyError", "IndexError", "RuntimeError", "OverflowError", "TypeError")
CAUGHT = (
    "except:",
    "except Exception:",
    "except ValueError:",
    "except KeyError as error:",
    "except (IndexError, OverflowError):",
    "except ZeroDivisionError:",
    "except LookupError:",
    "except ArithmeticError as error:",
    "except (RuntimeError, ValueError, StopIteration) as error:",
)
# Arrays whose sizes may not fit.
UNEQUAL = (
    "v[:] = v[: {index} % 4] + v",
    "x = (v + v[{index} % 3 :]).sum()",
    "w[1:] = w[{index} & 1 :]",
    "v[:2] = v[::2]",
)


class TryWriter(Writer):
    """Writes one program with handlers."""

    def __init__(self, seed, small):
        """Begin with a number that everything follows from."""
        super().__init__(seed, small)
        self.handlers = []

    def program(self):
        """Write a function that ends with the results, or with an exception that nothing catches."""
        return FAIL + super().program()

    def block(self, depth, count, in_loop=False):
        """Write fewer statements the deeper they are."""
        super().block(depth, min(count, 5 - depth), in_loop)

    def statement(self, depth, in_loop):
        """Write one statement, more often than not one that ``try`` has to do with."""
        choice = self.random.random()
        if choice < 0.2 and depth < min(self.deepest + 2, 5):
            self.protect(depth, in_loop)
        elif choice < 0.3:
            self.raise_or_call(depth)
        elif choice < 0.35 and self.handlers:
            self.raise_again(depth)
        else:
            super().statement(depth, in_loop)

    def protect(self, depth, in_loop):
        """Write ``try`` with handlers, ``else`` and ``finally``."""
        handlers = self.random.randint(0, 2)
        self.line(depth, "try:")
        self.block(depth + 1, self.random.randint(1, 3), in_loop)
        for clause in self.clauses(handlers):
            self.line(depth, clause)
            self.handlers.append("error" if clause.endswith("error:") else None)
            self.block(depth + 1, self.random.randint(1, 2), in_loop)
            self.handlers.pop()
        if handlers and self.random.random() < 0.3:
            self.line(depth, "else:")
            self.block(depth + 1, self.random.randint(1, 2), in_loop)
        if not handlers or self.random.random() < 0.3:
            self.line(depth, "finally:")
            self.block(depth + 1, self.random.randint(1, 2), in_loop)

    def clauses(self, count):
        """Choose handlers; one that takes everything comes last."""
        chosen = {self.random.choice(CAUGHT): None for _ in range(count)}
        return sorted(chosen, key="except:".__eq__)

    def raise_or_call(self, depth):
        """Write what raises often."""
        what = self.random.randint(0, 3)
        if what == 0:
            self.line(depth, f"if {self.condition(1)}:")
            arguments = self.random.choice(("", "()", f'("at {len(self.lines)}")'))
            self.line(depth + 1, f"raise {self.random.choice(RAISED)}{arguments}")
        elif what == 1:
            self.line(depth, self.random.choice(UNEQUAL).format(index=self.integer(1)))
        else:
            self.line(depth, f"{self.random.choice('km')} = fail({self.integer(1)})")

    def raise_again(self, depth):
        """Write ``raise`` in a handler."""
        name = self.handlers[-1]
        self.line(depth, f"if {self.condition(1)}:")
        self.line(depth + 1, "raise error" if name and self.random.random() < 0.3 else "raise")


def source_of(seed, small=False):
    """Give the program of a number."""
    return TryWriter(seed, small).program()


if __name__ == "__main__":
    sys.exit(main(source_of, message=False))
