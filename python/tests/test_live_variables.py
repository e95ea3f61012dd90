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
    arguments = {block: [f"%b{block}a{i}" for i in range(rng.randint(0, 3))] for block in range(1, count)}
    # A value defined in the entry is seen everywhere; others where their block's chain of sole
    # predecessors leads.
    parents = {block: rng.randrange(block) for block in range(1, count)}
    extra = {block: [] for block in range(count)}
    for block in range(1, count):
        extra[parents[block]].append(block)
    targets = {}
    for block in range(count):
        wanted = extra[block][:2]
        for child in extra[block][2:]:
            parents[child] = 0
        while len(wanted) < 2 and count > 1 and rng.random() < 0.7:
            wanted.append(rng.randrange(1, count))
        targets[block] = wanted
    predecessors = {block: [] for block in range(count)}
    for block, wanted in targets.items():
        for target in wanted:
            predecessors[target].append(block)
    lines = [f'py.func @f{number}(%p0, %p1) attributes {{arg_names = ["p0", "p1"], globals = "m"}} {{']
    known = {0: ["%p0", "%p1"]}
    for block in range(count):
        seen = predecessors[block]
        visible = list(known[seen[0]]) if len(seen) == 1 and seen[0] < block else list(known[0])
        if block:
            names = arguments[block]
            types = ", ".join(f"{name}: !py.object" for name in names)
            lines.append(f"^bb{block}({types}):" if names else f"^bb{block}:")
            visible += names
        for step in range(rng.randint(0, 3)):
            name = f"%b{block}v{step}"
            kind = rng.choice(["binary add", "constant", "unary neg", "getattr"])
            if kind == "constant":
                lines.append(f"  {name} = py.constant {step} : i64")
            elif kind == "binary add":
                lines.append(f"  {name} = py.binary add {rng.choice(visible)}, {rng.choice(visible)}")
            elif kind == "unary neg":
                lines.append(f"  {name} = py.unary neg {rng.choice(visible)}")
            else:
                lines.append(f'  {name} = py.getattr {rng.choice(visible)} "x"')
            visible.append(name)
        known[block] = visible

        def edge(target, names=visible):
            passed = [rng.choice(names) for _ in arguments[target]]
            types = ", ".join("!py.object" for _ in passed)
            return f"^bb{target}({', '.join(passed)} : {types})" if passed else f"^bb{target}"

        wanted = targets[block]
        if not wanted:
            end = rng.choice(["return", "return", "raise"])
            lines.append(f"  py.{end} {rng.choice(visible)}")
        elif len(wanted) == 1:
            lines.append(f"  cf.br {edge(wanted[0])}")
        else:
            lines.append(f"  %b{block}c = py.truth {rng.choice(visible)}")
            lines.append(f"  cf.cond_br %b{block}c, {edge(wanted[0])}, {edge(wanted[1])}")
    return "\n".join([*lines, "}"])


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

    def walk(self, rng):
        """Follow a random path; fail where a reference is missing, used up or left over."""
        parameters, lines = self.blocks["^bb0"]
        owned = set(parameters)
        for _ in range(STEPS):
            for line in lines[:-1]:
                result, _, operation = line.rpartition(" = ")
                operands = re.findall(r"%\w+", operation)
                for operand in operands:
                    assert operand in owned, f"{line}: {operand} is not alive"
                if operation.startswith("py.del"):
                    owned.remove(operands[0])
                elif result:
                    assert result not in owned, f"{line}: {result} is alive from an earlier turn"
                    owned.add(result)
            last = lines[-1]
            if last.startswith("py.return"):
                owned.remove(re.search(r"%\w+", last)[0])
                assert not {name for name in owned if name not in self.conditions()}, (
                    f"{last}: left over {owned}"
                )
                return
            if last.startswith("py.raise"):
                assert re.search(r"%\w+", last)[0] in owned
                return
            way = rng.choice(re.findall(r"(\^bb\d+)(?:\(([^)]*)\))?", last))
            passed = re.findall(r"%\w+", way[1].split(":")[0])
            for name in passed:
                owned.remove(name)
            parameters, lines = self.blocks[way[0]]
            owned.update(parameters)
            owned -= self.conditions()

    def conditions(self):
        """Values that are no objects."""
        return {
            line.split(" = ")[0]
            for _, lines in self.blocks.values()
            for line in lines
            if "= py.truth" in line
        }


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
