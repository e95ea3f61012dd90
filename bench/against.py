"""This tree against another one: `python -m bench.against TREE [--section NAME] [--kernel NAME]`.

Every sample is a fresh process with pyopt of one of the trees, drawn in turn: the other tree's,
this one's, and the other's once more, which measures noise. Each row has the least time of a tree's
samples, as disturbances only add. Both trees must be built for this interpreter.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

from bench import child, kernels
from bench.dispatch import CASES
from bench.measurement import interleave
from bench.report import duration, ratio, table

HERE = Path(__file__).parent.parent

# The rows of each section.
SECTIONS = {
    "first-call": kernels.NAMES,
    "second-function": kernels.NAMES,
    "steady": kernels.NAMES,
    "dispatch": list(CASES),
}


def compare(section: str, name: str, trees: dict[str, Path], rounds: int) -> dict[str, float]:
    """The least seconds of each tree; raises RuntimeError where one fails."""
    samplers = {
        label: lambda tree=tree: child.measure(section, "pyopt", name, tree=tree)
        for label, tree in trees.items()
    }
    for sample in samplers.values():
        sample()  # Fills the caches of compiled library functions and of byte code.
    samples = interleave(samplers, rounds, budget=float("inf"))
    return {label: min(times) for label, times in samples.items()}


def main() -> None:
    """Print a table and the geometric means for each section."""
    parser = argparse.ArgumentParser(prog="python -m bench.against", description=__doc__)
    parser.add_argument("tree", type=Path, help="the root of the other tree")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="this part only")
    parser.add_argument("--kernel", action="append", metavar="NAME", help="this row only")
    parser.add_argument("--rounds", type=int, default=5, help="samples a tree (default 5)")
    options = parser.parse_args()
    other = options.tree.resolve()
    trees = {"before": other, "now": HERE, "before again": other}
    for section in options.section or SECTIONS:
        rows, changes, noise = [["", "before", "now", "now faster", "noise"]], [], []
        for name in SECTIONS[section]:
            if options.kernel and name not in options.kernel:
                continue
            try:
                least = compare(section, name, trees, options.rounds)
            except RuntimeError as error:
                rows.append([name, str(error), "", "", ""])
                continue
            before, now, again = (least[label] for label in trees)
            changes.append(before / now)
            noise.append(before / again)
            ratios = ratio(before, now), ratio(before, again)
            rows.append([name, duration(before), duration(now), *ratios])
            print(section, *rows[-1], flush=True)
        if changes:
            means = (f"{statistics.geometric_mean(each):.3f}x" for each in (changes, noise))
            rows.append(["geometric mean", "", "", *means])
        print(f"\n{section}\n{table(rows)}\n", flush=True)


if __name__ == "__main__":
    main()
