"""``py-live-variables``: on every path each value is released once and not used after that."""

import random
import re

import pytest
from tools import pyopt, translate

PASS = "--pass-pipeline=builtin.module(py.func(py-live-variables))"
FUNCTIONS = 400
WALKS = 20
STEPS = 60


def random_function(number, rng):
    """Write a function with a random control flow graph, whose blocks use what dominates them."""
    count = rng.randint(1, 9)
    handlers = range(count, count + rng.randint(0, 2) * (count > 1))
    arguments = {block: [f"%b{block}a{i}" for i in range(rng.randint(0, 3))] for block in range(1, count)}
    arguments |= {block: [f"%b{block}a{i}" for i in range(rng.randint(1, 3))] for block in handlers}
    targets = {block: [] for block in range(count)}
    for block in range(1, count):
        # Every block can be reached; what is left of the ways goes anywhere.
        open_blocks = [parent for parent in range(block) if len(targets[parent]) < 2]
        targets[rng.choice(open_blocks)].append(block)
    for block in [*range(count), *handlers]:
        wanted = targets.setdefault(block, [])
        while len(wanted) < 2 and count > 1 and rng.random() < 0.6:
            wanted.append(rng.randrange(1, count))
    predecessors = {
        block: [from_ for from_, wanted in targets.items() if block in wanted] for block in targets
    }
    protected = {
        block: rng.choice(handlers)
        for block in range(1, count)
        if handlers and len(targets[block]) == 1 and rng.random() < 0.6
    }
    lines = [f'py.func @f{number}(%p0, %p1) attributes {{arg_names = ["p0", "p1"], globals = "m"}} {{']
    known = {}
    for block in [*range(count), *handlers]:
        if block in handlers and block not in protected.values():
            continue
        # A value is seen where its block alone leads, and the entry's values everywhere.
        seen = predecessors[block]
        alone = len(seen) == 1 and targets[seen[0]].count(block) == 1 and seen[0] in known
        alone = alone and block not in handlers
        visible = ["%p0", "%p1"] if block == 0 else list(known[seen[0] if alone else 0])
        if block:
            types = ", ".join(f"{name}: !py.object" for name in arguments[block])
            lines.append(f"^bb{block}({types}):" if types else f"^bb{block}:")
            visible += arguments[block]
        before = list(visible)
        for step in range(rng.randint(0, 3)):
            name = f"%b{block}v{step}"
            operation = rng.choice(
                [
                    f"py.constant {step} : i64",
                    f"py.binary add {rng.choice(visible)}, {rng.choice(visible)}",
                    f"py.unary neg {rng.choice(visible)}",
                    f'py.getattr {rng.choice(visible)} "x"',
                ]
            )
            lines.append(f"  {name} = {operation}")
            visible.append(name)
        known[block] = visible

        def edge(target, names, colon=True):
            wanted = arguments[target][1 if target in handlers else 0 :]
            passed = ", ".join(rng.choice(names) for _ in wanted)
            types = " : " + ", ".join("!py.object" for _ in wanted) if colon else ""
            return f"^bb{target}({passed}{types})" if passed else f"^bb{target}"

        wanted = targets[block]
        if not wanted:
            end = rng.choice(["return", "return", "raise"])
            lines.append(f"  py.{end} {rng.choice(visible)}")
        elif block in protected:
            normal = edge(wanted[0], visible, colon=False)
            lines.append(f"  py.try_br {normal} unwind {edge(protected[block], before, colon=False)}")
        elif len(wanted) == 1:
            lines.append(f"  cf.br {edge(wanted[0], visible)}")
        else:
            lines.append(f"  %b{block}c = py.truth {rng.choice(visible)}")
            ways = ", ".join(edge(target, visible) for target in wanted)
            lines.append(f"  cf.cond_br %b{block}c, {ways}")
    return "\n".join([*lines, "}"])


RAISING = ("py.binary", "py.unary", "py.getattr", "py.truth")


class Function:
    """A printed function, executed with references instead of objects."""

    def __init__(self, text):
        """Take the text apart into blocks."""
        header = re.search(r"py\.func @\w+\((.*?)\) attributes", text)
        self.blocks = {"^bb0": (re.findall(r"%\w+", header[1]), [])}
        lines = self.blocks["^bb0"][1]
        for line in text.splitlines()[1:]:
            line = line.split("//")[0].strip()
            label = re.match(r"(\^bb\d+)(?:\((.*)\))?:$", line)
            if label:
                lines = []
                self.blocks[label[1]] = (re.findall(r"%\w+", label[2] or ""), lines)
            elif line and line != "}":
                lines.append(line)
        every = [line for _, lines in self.blocks.values() for line in lines]
        self.conditions = {line.split(" = ")[0] for line in every if "= py.truth" in line}
        self.live = self.live_at_start()

    def live_at_start(self):
        """Find the values that each block or what follows it uses or deletes."""
        uses, makes, follow = {}, {}, {}
        for label, (parameters, lines) in self.blocks.items():
            makes[label] = {*parameters, *(line.split(" = ")[0] for line in lines if " = " in line)}
            uses[label] = {name for line in lines for name in re.findall(r"%\w+", line)} - makes[label]
            follow[label] = re.findall(r"\^bb\d+", lines[-1])
        live = {label: set(used) for label, used in uses.items()}
        changed = True
        while changed:
            before = sum(map(len, live.values()))
            for label in live:
                for following in follow[label]:
                    live[label] |= live[following] - makes[label]
            changed = sum(map(len, live.values())) != before
        return live

    def walk(self, rng):
        """Follow a random path; fail where a reference is missing, used up or left over."""
        parameters, lines = self.blocks["^bb0"]
        owned = set(parameters)
        for _ in range(STEPS):
            way = self.run(lines, owned, rng)
            if way is None:
                return
            parameters, lines = self.blocks[way]
            assert not owned & set(parameters), f"{way}: {parameters} are alive from an earlier turn"
            owned.update(parameters)

    def run(self, lines, owned, rng):
        """Execute a block; give the next one."""
        last = lines[-1]
        unwind = re.search(r"unwind (\^bb\d+)(?:\(([^)]*)\))?", last)
        for line in lines[:-1]:
            result, _, operation = line.rpartition(" = ")
            operands = re.findall(r"%\w+", operation)
            for operand in operands:
                assert operand in owned, f"{line}: {operand} is not alive"
            if operation.startswith(RAISING) and rng.random() < 0.1:
                if unwind is None:
                    return None
                # The transfer keeps what the handler gets and uses, and gives up the rest.
                needed = self.live[unwind[1]] | set(re.findall(r"%\w+", unwind[2] or ""))
                assert needed <= owned, f"{line}: {needed - owned} are needed by the handler"
                owned &= self.live[unwind[1]]
                return unwind[1]
            if operation.startswith("py.del"):
                owned.remove(operands[0])
            elif result and result not in self.conditions:
                assert result not in owned, f"{line}: {result} is alive from an earlier turn"
                owned.add(result)
            else:
                owned.add(result)
        if last.startswith("py.return"):
            owned.remove(re.search(r"%\w+", last)[0])
            assert owned <= self.conditions, f"{last}: left over {owned}"
            return None
        if last.startswith("py.raise"):
            assert re.search(r"%\w+", last)[0] in owned
            return None
        ways = re.findall(r"(\^bb\d+)(?:\(([^)]*)\))?", last.split(" unwind ")[0])
        target, passed = rng.choice(ways)
        for name in re.findall(r"%\w+", passed.split(":")[0]):
            owned.remove(name)
        owned -= self.conditions
        return target


def test_every_path_of_random_graphs_releases_once():
    rng = random.Random(7)
    source = "\n".join(random_function(number, rng) for number in range(FUNCTIONS))
    printed = pyopt(PASS, input=source.encode()).decode()
    functions = re.findall(r"^  py\.func .*?^  }", printed, flags=re.DOTALL | re.MULTILINE)
    assert len(functions) == FUNCTIONS
    for text in functions:
        function = Function(text)
        for _ in range(WALKS):
            function.walk(rng)


NUMBA = """
def straight(a, b, c):
    d = a * b
    e = d + c
    return e * a

def attribute(a, b):
    return a.x.y + b.z

def early(a, b, c):
    d = a + b
    if d > c:
        return d
    return a * c

def loop(n, k):
    total = 0
    for i in range(n):
        total += i * k
    return total

def while_loop(n, k):
    total = 0
    while total < n:
        total += k
    return total

def ternary(a, b, c):
    x = a if c else b
    return x + 1
"""


@pytest.fixture(scope="module")
def deletions(tmp_path_factory):
    """The lines on which arguments are deleted, by function and argument."""
    path = tmp_path_factory.mktemp("live") / "functions.py"
    path.write_text(NUMBA)
    text = pyopt(
        "--pass-pipeline=builtin.module(py-translate-bytecode,py.func(py-live-variables))",
        "--mlir-print-debuginfo",
        "--mlir-print-local-scope",
        input=translate(path),
    ).decode()
    found = {}
    for function in re.findall(r"^  py\.func .*?^  }", text, flags=re.DOTALL | re.MULTILINE):
        name, parameters, names = re.match(
            r"\s*py\.func @(\w+)\((.*?)\) attributes \{arg_names = \[(.*?)\]", function
        ).groups()
        values = dict(zip(re.findall(r"%arg\d+", parameters), re.findall(r'"(\w+)"', names), strict=True))
        lines = {argument: set() for argument in values.values()}
        for value, line in re.findall(r"py\.del (%arg\d+) loc\(.*?:(\d+):", function):
            lines[values[value]].add(int(line))
        found[name] = lines
    return found


def test_arguments_are_deleted_behind_their_last_use(deletions):
    assert deletions["straight"] == {"a": {5}, "b": {3}, "c": {4}}
    assert deletions["attribute"] == {"a": {8}, "b": {8}}


def test_arguments_are_deleted_where_numba_deletes_them(deletions):
    pytest.importorskip("numba", reason="Numba isn't installed: only the fixed expectations are checked")
    namespace = {}
    exec(compile(NUMBA, "functions.py", "exec"), namespace)  # noqa: S102
    for name, ours in deletions.items():
        assert ours == numba_deletions(namespace[name]), name


def numba_deletions(function):
    """Give the lines of Numba's deletions of arguments."""
    from numba.core import ir, postproc
    from numba.core.compiler import run_frontend

    function_ir = run_frontend(function)
    postproc.PostProcessor(function_ir).run(emit_dels=True)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    lines = {name: set() for name in names}
    for block in function_ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, ir.Del) and statement.value in lines:
                lines[statement.value].add(statement.loc.line)
    return lines
