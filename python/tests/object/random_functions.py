"""Random functions in object mode: who holds which object when, with failures at every operation.

Each program is run under CPython and compiled, once as it is and once for each of its operations
with that one failing. What happens to its objects, in which order and to the end of each, the
result or exception with its traceback, and the reference counts of what it got are the same.

``python random_functions.py --count 1000 --seed 7`` runs that many; every program follows from its
number, so ``--count 1 --seed N`` repeats one. ``--calls 10000`` also calls each so many times and
looks for memory that is left over.
"""

import argparse
import gc
import random
import sys
import textwrap
import warnings
from itertools import pairwise

from probes import KINDS, First, Probe, Second, Third, World, label
from twins import describe_exception

from pyopt import jit

KIND_OF_FUNCTION = ("function", "function", "generator", "coroutine", "asynchronous generator")
NAMES = ("a", "b", "c", "x", "y", "z", "n")
BINARY = ("+", "-", "*", "/", "//", "%", "@", "&", "|", "^", "<<", ">>", "**")
COMPARE = ("<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not")
CONSTANTS = ("None", "1", "'s'", "2.5", "True", "()", "(1, 's')")
RAISED = ("First(1)", "Second", "Third('t')", "ValueError")
CAUGHT = ("First", "Second", "(Third, ValueError)", "Exception", "TypeError")


class Writer:
    """Writes one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.kind = self.random.choice(KIND_OF_FUNCTION)
        self.lines = []
        self.loops = 0
        # In the handlers of exception groups nothing may jump out.
        self.groups = 0
        self.nested = 0

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def pick(self, choices):
        return self.random.choice(choices)

    def name(self):
        return self.pick(NAMES)

    def expression(self, depth=2):
        """One expression; it mostly is about names."""
        if depth == 0 or self.chance(25):
            return self.name() if self.chance(85) else self.pick(CONSTANTS)
        return self.pick(EXPRESSIONS)(self, lambda: self.expression(depth - 1))

    def arguments(self, part):
        kinds = (part, part, lambda: f"*{part()}", lambda: f"**{self.name()}")
        made = [self.pick(kinds)() for _ in range(self.random.randrange(4))]
        keywords = [f"k={part()}"] if self.chance(25) else []
        stars = [one for one in made if one.startswith("**")]
        made = [one for one in made if one not in stars]
        # CPython 3.11 forgets keywords when a lone iterable of arguments fails.
        if len(made) == 1 and made[0].startswith("*"):
            made.insert(0, self.name())
        return ", ".join(made + keywords + stars)

    def target(self):
        part = self.name
        return self.pick(
            [self.name()] * 4
            + [f"{part()}.x", f"{part()}[{part()}]", f"{part()}[{part()}:]", f"{part()}, {part()}"]
            + [f"{part()}, *{part()}", f"*{part()}, {part()}", f"({part()}, {part()}), {part()}"]
        )

    def put(self, indent, line):
        self.lines.append("    " * indent + line)

    def block(self, indent, depth):
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent, depth)

    def simple(self):
        """One statement without a body."""
        expression = self.expression()
        choices = [f"{self.target()} = {expression}"] * 12
        choices += [expression, f"{self.name()} {self.pick(BINARY)}= {expression}"] * 6
        choices += [f"del {self.pick([self.name(), 'a.x', 'b[c]'])}", f"assert {self.name()}, b"]
        choices += [f"raise {self.pick(RAISED)}", f"raise {self.pick(RAISED)} from {self.name()}"]
        choices += ["global g; g = x", "from math import pi as x", "raise"]
        if not self.groups:
            returns = "return" if self.kind == "asynchronous generator" else f"return {expression}"
            choices += [returns] + ["break", "continue"] * bool(self.loops)
        if self.kind != "function" and not self.nested:
            value = self.name()
            await_ = [f"{self.name()} = await {value}"] * 4
            yield_ = [f"{self.name()} = yield {value}"] * 4
            choices += {
                "generator": yield_ + [f"{self.name()} = yield from {value}"] * 2,
                "coroutine": await_,
                "asynchronous generator": yield_ + await_,
            }[self.kind]
        return self.pick(choices)

    def statement(self, indent, depth):
        if depth == 0 or self.chance(45):
            return self.put(indent, self.simple())
        return self.pick(STATEMENTS)(self, indent, depth - 1)

    def program(self):
        head = {"coroutine": "async ", "asynchronous generator": "async "}.get(self.kind, "")
        self.put(0, "@compiled")
        self.put(0, f"{head}def main(a, b, c):")
        if self.kind != "function":
            self.put(1, "a = await a" if self.kind == "coroutine" else "yield a")
        self.put(1, "x = y = a.x; z = b[c]; n = b + c")
        for _ in range(6):
            # Mostly what fails doesn't end the program.
            guarded = self.chance(80)
            if guarded:
                self.put(1, "try:")
            self.statement(1 + guarded, 3)
            if guarded:
                self.put(1, f"except {self.pick(('Exception', 'Exception as x', 'First as n'))}:")
                self.put(2, self.simple())
        return "\n".join(self.lines) + "\n"


def _comprehension(writer, part):
    form = writer.pick(("[{}]", "len({{{}}})", "tuple({})", "[*({})]"))
    # The interpreter hands an iterator over to the comprehension's frame, machine code lends it.
    inner = f"{part()} for v in [*{part()}]" + (f" if {part()}" if writer.chance(50) else "")
    return form.format(inner)


EXPRESSIONS = (
    *[lambda w, part: f"({part()} {w.pick(BINARY)} {part()})"] * 3,
    lambda w, part: f"({part()} {w.pick(COMPARE)} {part()})",
    lambda w, part: f"({part()} {w.pick(COMPARE)} {part()} {w.pick(COMPARE)} {part()})",
    lambda w, part: f"({part()} {w.pick(('and', 'or'))} {part()})",
    lambda w, part: f"({part()} if {part()} else {part()})",
    lambda w, part: f"({w.pick(('-', '~', 'not '))}{part()})",
    *[lambda w, part: f"{w.name()}({w.arguments(part)})"] * 3,
    *[lambda w, part: f"{w.name()}.method({w.arguments(part)})"] * 2,
    lambda w, part: f"{w.name()}.y",
    lambda w, part: f"{w.name()}[{part()}]",
    lambda w, part: f"{w.name()}[{part()}:{part()}]",
    lambda w, part: f"({part()}, {part()})",
    lambda w, part: f"[{part()}, *{part()}]",
    lambda w, part: f"{{{part()}: {part()}, **{w.name()}}}",
    # The order of a set's items is that of addresses where exceptions are among them.
    lambda w, part: f"len({{{part()}, {part()}}})",
    lambda w, part: f"f'{{{w.name()}}}{{{w.name()}!r:>{{{w.name()}}}}}'",
    lambda w, part: f"(lambda v, u={part()}: (v, {w.name()}))({part()})",
    _comprehension,
    lambda w, part: f"({w.name()} := {part()})",
)


def _if(writer, indent, depth):
    writer.put(indent, f"if {writer.expression()}:")
    writer.block(indent + 1, depth)
    if writer.chance(50):
        writer.put(indent, "else:")
        writer.block(indent + 1, depth)


def _loop(writer, indent, depth):
    asynchronous = writer.kind.startswith(("co", "as")) and not writer.nested and writer.chance(50)
    head = f"{'async ' * asynchronous}for {writer.target()} in {writer.expression(1)}:"
    writer.put(indent, head if asynchronous or writer.chance(70) else f"while {writer.name()} < b:")
    groups, writer.groups = writer.groups, 0
    writer.loops += 1
    writer.block(indent + 1, depth)
    writer.loops -= 1
    writer.groups = groups
    if writer.chance(30):
        writer.put(indent, "else:")
        writer.block(indent + 1, depth)


def _try(writer, indent, depth):
    writer.put(indent, "try:")
    writer.block(indent + 1, depth)
    handlers = writer.random.randrange(3)
    star = "*" * (handlers > 0 and writer.chance(20))
    for _ in range(handlers):
        name = f" as {writer.name()}" if writer.chance(50) else ""
        writer.put(indent, f"except{star} {writer.pick(CAUGHT)}{name}:")
        writer.groups += len(star)
        writer.block(indent + 1, depth)
        writer.groups -= len(star)
    if handlers and writer.chance(30):
        writer.put(indent, "else:")
        writer.block(indent + 1, depth)
    if not handlers or writer.chance(40):
        writer.put(indent, "finally:")
        writer.block(indent + 1, depth)


def _with(writer, indent, depth):
    asynchronous = writer.kind.startswith(("co", "as")) and not writer.nested and writer.chance(50)
    managers = [writer.expression(1) for _ in range(writer.random.randint(1, 2))]
    managers = [one + (f" as {writer.name()}" if writer.chance(50) else "") for one in managers]
    writer.put(indent, f"{'async ' * asynchronous}with {', '.join(managers)}:")
    writer.block(indent + 1, depth)


def _function(writer, indent, depth):
    if writer.nested:
        return writer.put(indent, "pass")
    if writer.chance(50):
        writer.put(indent, "@compiled")
    writer.put(indent, f"def inner(v, *w, k={writer.expression(1)}):")
    saved = writer.loops, writer.groups
    writer.loops = writer.groups = 0
    writer.nested += 1
    if writer.chance(50):
        writer.put(indent + 1, "nonlocal n, x")
    writer.block(indent + 1, min(depth, 1))
    writer.put(indent + 1, "return n")
    writer.nested -= 1
    writer.loops, writer.groups = saved
    writer.put(indent, f"{writer.name()} = inner({writer.arguments(writer.name)})")


def _match(writer, indent, depth):
    writer.put(indent, f"match {writer.expression(1)}:")
    patterns = ("Probe(x, y=z)", "[x, *y]", "{'k': z, **x}", "None | 1", "(x, y)", "First() as z")
    for pattern in writer.random.sample(patterns, 2):
        guard = f" if {writer.name()}" if writer.chance(30) else ""
        writer.put(indent + 1, f"case {pattern}{guard}:")
        writer.block(indent + 2, depth)
    writer.put(indent + 1, "case _:")
    writer.block(indent + 2, depth)


STATEMENTS = (_if, _loop, _loop, _try, _try, _try, _with, _with, _function, _match)


def source_of(seed):
    """Write the program of a number: its text and the kind of its function."""
    for attempt in range(100):
        writer = Writer(f"{seed}.{attempt}")
        source = writer.program()
        try:
            with warnings.catch_warnings():
                # A literal that is compared by identity, an assertion that always holds.
                warnings.simplefilter("ignore", SyntaxWarning)
                compile(source, "program", "exec")
        except SyntaxError:
            # A name that is declared too late, break out of a handler of groups, …
            continue
        return source, writer.kind
    raise AssertionError(f"no program {seed}")


class Program:
    """One of the two versions of a program."""

    def __init__(self, source, kind, decorator):
        self.kind = kind
        self.space = {"__name__": "program", "compiled": decorator, "Probe": Probe, "g": None}
        self.space |= {"First": First, "Second": Second, "Third": Third}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            exec(compile(source, "program", "exec"), self.space)
        self.main = self.space["main"]

    def run(self, failing):
        """Call it once; all that can be seen of it."""
        world = World(failing)
        given = [world.new() for _ in range(3)]
        handled = sys.exc_info()
        try:
            outcome = "returned", label(self.drive(world, given))
        except Exception as error:  # noqa: BLE001
            outcome = "raised", without_places(describe_exception(error))
        assert sys.exc_info() == handled
        world.log.append("done")
        self.space["g"] = None
        gc.collect()
        for probe in given:
            probe.held.clear()
        counts = [sys.getrefcount(probe) for probe in given]
        return outcome, world.log, counts, world.count

    def drive(self, world, given):
        """Call the function, and go through what it makes."""
        made = self.main(*given)
        if self.kind == "function":
            return made
        choose = random.Random(world.failing)
        for step in range(10):
            action = choose.choice(("send", "send", "send", "throw", "close") if step else ("first",))
            try:
                world.log.append((action, label(self.resume(made, action, world))))
            except (*KINDS, ValueError) as error:
                world.log.append(without_places(describe_exception(error)))
        return None

    def resume(self, made, action, world):
        """Resume a generator of any kind once."""
        if self.kind != "asynchronous generator":
            if action == "first":
                return made.send(None)
            if action == "send":
                return made.send(world.new())
            return made.throw(First("thrown")) if action == "throw" else made.close()
        if action == "close":
            awaited = made.aclose()
        elif action == "throw":
            awaited = made.athrow(First("thrown"))
        else:
            awaited = made.asend(None if action == "first" else world.new())
        try:
            while True:
                world.log.append(("awaits", label(awaited.send(None))))
        except StopIteration as end:
            return end.value


def without_places(described):
    """Leave out lines and columns: CPython has those of the instruction before one merged with it."""
    if not described:
        return described
    kept = {key: value for key, value in described.items() if key != "columns"}
    kept["entries"] = [name for name, _ in kept["entries"]]
    kept |= {key: without_places(kept[key]) for key in ("cause", "context")}
    return kept | {"group": [without_places(one) for one in kept["group"]]}


def check_program(seed, most=40, calls=0):
    """Compare the two versions of a program; returns how often it was run compiled."""
    source, kind = source_of(seed)
    plain = Program(source, kind, lambda function: function)
    compiled = Program(source, kind, jit(forceobj=True))
    operations = plain.run(0)[-1]
    runs = [0, *range(1, min(operations, most) + 1)]
    gc.collect()
    gc.freeze()
    # Cycles go where `run` says, not where the collector happens to look.
    gc.disable()
    try:
        for failing in runs:
            expected, found = plain.run(failing), compiled.run(failing)
            if found != expected:
                parts = zip(("outcome", "log", "counts", "count"), found, expected, strict=True)
                wrong = next(part for part in parts if part[1] != part[2])
                raise AssertionError(f"failing {failing}: {difference(*wrong)}")
        if calls:
            check_leaks(plain, compiled, runs, calls)
    finally:
        gc.enable()
        gc.unfreeze()
    return len(runs) + calls


def difference(what, found, expected):
    """Say where two results differ first."""
    if what == "log":
        pairs = list(zip(found, expected, strict=False))
        at = next((at for at, (one, two) in enumerate(pairs) if one != two), len(pairs))
        return f"entry {at}: {found[at - 1 : at + 2]}, expected {expected[at - 1 : at + 2]}"
    return f"{what}: {found}, expected {expected}"


def check_leaks(plain, compiled, runs, calls):
    """Run a program many times: no more blocks and references are left than under CPython."""
    # What other parts of the process allocate meanwhile isn't there each time; a leak is.
    for _ in range(3):
        expected, found = growth(plain, runs, calls), growth(compiled, runs, calls)
        more = [one - other for one, other in zip(found, expected, strict=True)]
        if max(more) < calls / 20 + 10:
            return
    raise AssertionError(f"{calls} calls left {found}, under CPython {expected}")


def growth(program, runs, calls):
    """How many memory blocks, and references on what lives on, calls leave behind."""

    def measure():
        gc.collect()
        constants = [*program.main.__code__.co_consts, None, True, First, Probe, program.main]
        return sys.getallocatedblocks(), sum(map(sys.getrefcount, constants))

    def repeat(count):
        for call in range(count):
            program.run(runs[call % len(runs)])

    repeat(calls)
    states = [measure()]
    # Free lists and tables grow now and then; what leaks does so each time.
    for _ in range(3):
        repeat(calls // 3)
        states.append(measure())
    steps = [[after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(states)]
    return [3 * min(parts) for parts in zip(*steps, strict=True)]


def main():
    """Run programs from the command line."""
    parser = argparse.ArgumentParser(description=textwrap.dedent(__doc__))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=40, help="failing operations of a program")
    parser.add_argument("--calls", type=int, default=0, help="calls to look for leaks with")
    options = parser.parse_args()
    failed = runs = 0
    for seed in range(options.seed, options.seed + options.count):
        try:
            runs += check_program(seed, options.most, options.calls)
        except AssertionError as error:
            failed += 1
            print(
                f"--- program {seed}: {error}\n{source_of(seed)[0] if options.count == 1 else ''}", flush=True
            )
    print(f"{options.count} programs, {runs} runs, {failed} programs differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
