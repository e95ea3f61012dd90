"""Random programs whose inner functions assign variables of the outer one, and how they are compared."""

import random

from pyopt import TypingError, njit

ARGUMENTS = (0, 1, 4, 7)
ERRORS = (ValueError, RecursionError, NameError)


class Writer:
    """Writes one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.variables = [f"v{i}" for i in range(self.random.randint(1, 3))]
        self.functions = []

    def put(self, indent, text):
        self.lines.append("    " * indent + text)

    def chance(self, share):
        return self.random.random() < share

    def expression(self, names):
        choose, one, other = self.random.choice, self.random.choice(names), self.random.choice(names)
        forms = [one, str(self.random.randint(-3, 3)), f"{one} + {other}", f"{one} * 3 % 17", f"{one} - n"]
        return choose([*forms, f"{choose(self.functions)}({one})"] if self.functions else forms)

    def assignment(self, names, targets):
        target = self.random.choice(targets)
        if self.functions and self.chance(0.4):
            return f"{target} = {self.random.choice(self.functions)}({self.random.choice(names)}) % 1000"
        return f"{target} = {self.expression(names)}" if self.chance(0.6) else f"{target} += 2"

    def block(self, indent, names, targets, depth):
        """Write some statements that read names and assign targets."""
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.choice(("assign", "assign", "if", "for", "try"))
            if kind == "assign" or depth > 1:
                self.put(indent, self.assignment(names, targets))
            elif kind == "if":
                self.put(indent, f"if {self.random.choice(names)} % 2 == {self.random.randint(0, 1)}:")
                self.block(indent + 1, names, targets, depth + 1)
                if self.chance(0.5):
                    self.put(indent, "else:")
                    self.block(indent + 1, names, targets, depth + 1)
            elif kind == "for":
                self.put(indent, f"for i{indent} in range({self.random.randint(1, 3)}):")
                self.block(indent + 1, [*names, f"i{indent}"], targets, depth + 1)
            else:
                self.put(indent, "try:")
                self.block(indent + 1, names, targets, depth + 1)
                self.put(indent + 1, f"if {self.random.choice(names)} % 3 == 0:")
                self.put(indent + 2, "raise ValueError('x')")
                self.put(indent, "except ValueError:")
                self.block(indent + 1, names, targets, depth + 1)

    def function(self, name):
        """Write an inner function that assigns some of the variables, which may call itself."""
        assigned = [one for one in self.variables if self.chance(0.6)]
        self.put(1, f"def {name}(x):")
        if assigned:
            self.put(2, f"nonlocal {', '.join(assigned)}")
        if self.chance(0.3):
            self.put(2, "if x > 5:")
            self.put(3, f"return {name}(x // 2)")
        self.block(2, [*self.variables, "x"], [*assigned, "x"], 1)
        if assigned and self.chance(0.3):
            self.put(2, "def inner(y):")
            self.put(3, f"nonlocal {assigned[0]}")
            self.put(3, f"{assigned[0]} += y")
            self.put(3, f"return {assigned[0]}")
            self.put(2, "x = inner(x) + inner(1)")
        self.put(2, "return x % 1000")

    def program(self):
        """Write the function; one of its variables may be assigned behind an inner function."""
        self.put(0, "def program(n):")
        late = self.chance(0.3)
        for at, name in enumerate(self.variables[late:]):
            self.put(1, f"{name} = n + {at}")
        for at in range(self.random.randint(1, 3)):
            self.function(f"g{at}")
            if late and at == 0:
                self.put(1, f"{self.variables[0]} = n * 2")
            self.functions.append(f"g{at}")
        any_function = self.random.choice(self.functions)
        if self.chance(0.3):
            self.put(1, f"kept = [{any_function}]")
            self.put(1, "v0 += kept[0](3)")
        self.block(1, [*self.variables, "n"], self.variables, 0)
        if self.chance(0.3):
            self.put(1, f"v0 += sum([{any_function}(k) for k in range(3)])")
        if self.chance(0.3):
            self.put(1, f"v0 += sorted([3, 1, 2], key={any_function})[0]")
        calls = " + ".join(f"{one}(n)" for one in self.functions)
        self.put(1, f"return {', '.join(self.variables)}, {calls}")
        return "\n".join(self.lines)


def outcome(function, argument):
    try:
        return function(argument)
    except ERRORS as error:
        return type(error)


def compare(seed):
    """Say what a program does otherwise in compiled code; None if nothing, False if it is refused."""
    source = Writer(seed).program()
    scope = {}
    exec(source, scope)
    compiled = njit(scope["program"])
    try:
        for argument in ARGUMENTS:
            found, expected = outcome(compiled, argument), outcome(scope["program"], argument)
            if found != expected:
                return f"seed {seed}: {found} and not {expected} for {argument}\n{source}"
    except TypingError as error:
        # Python finds out when it runs whether a variable has a value.
        assert "may have no value yet" in str(error), f"seed {seed}: {error}\n{source}"
        return False
    return None
