"""The outcome of each use-case, and tables of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

# From the best to the worst: the worst of its calls is the outcome of a use-case.
_ORDER = ("compiled", "agrees", "internal", "refused", "differs", "crashed")
_FAILED = ("refused", "differs", "crashed")


class Module:
    """What became of the use-cases of a module."""

    def __init__(self, name: str):
        """Begin with none."""
        self.name = name
        self.outcomes: dict[tuple, tuple[str, str]] = {}
        self.tests: dict[str, str] = {}
        self.crashes: list[str] = []

    def read(self, lines: Iterable[dict], done) -> int | None:
        """Take the records of a process; the number of the test to go on with, if it crashed."""
        test = at = started = None
        for line in lines:
            if "test" in line:
                test, at = line["test"], line["at"]
            elif "ended" in line:
                self.tests[test] = line["ended"]
                test = None
            elif "start" in line:
                started = line["start"]
            else:
                self._add(line["pair"], line["outcome"], line["reason"])
                started = None
        if done.returncode == 0:
            return None
        errors = done.stderr.strip().splitlines() or ["no output"]
        if at is None:
            self.crashes.append(f"not run: {errors[-1]}")
            return None
        how = f"exit status {done.returncode}"
        self.crashes.append(f"{test}: {how}: {errors[-1][:150]}")
        self.tests[test] = how
        if started is not None:
            self._add(started, "crashed", how)
        return at + 1

    def _add(self, pair: dict, outcome: str, reason: str) -> None:
        key = tuple(pair.values())
        before = self.outcomes.get(key, (outcome, reason))
        both = (before, (outcome, reason))
        self.outcomes[key] = max(both, key=lambda one: _ORDER.index(one[0]))

    def _count(self, *outcomes: str, mode: str = "nopython") -> int:
        return sum(
            key[2] == mode and found in outcomes for key, (found, _) in self.outcomes.items()
        )

    def agreeing(self) -> int:
        """Use-cases that compile and agree; one that is never called only has to compile."""
        return self._count("compiled", "agrees")

    def counted(self) -> int:
        """All use-cases in nopython mode."""
        return self._count("compiled", "agrees", *_FAILED)

    def row(self) -> str:
        """The module's line of the table."""
        agree, total = self.agreeing(), self.counted()
        good = self._count("compiled", "agrees", mode="object")
        objects = f"{good} of {good + self._count(*_FAILED, mode='object')}"
        other = self._count("internal") + self._count("internal", mode="object")
        stopped = sum(ended not in ("done", "skipped") for ended in self.tests.values())
        return (
            f"{self.name:36}{total:>10}{agree:>8}{percent(agree, total):>9}"
            f"{self._count('refused'):>9}{self._count('differs', 'crashed'):>8}{objects:>12}"
            f"{other:>13}{f'{stopped} of {len(self.tests)}':>15}"
        )

    def failures(self) -> Iterable[str]:
        """A line for each use-case that fails."""
        for (function, types, mode, _), (outcome, reason) in self.outcomes.items():
            if outcome in _FAILED:
                yield f"{outcome} {function} {types} ({mode}): {reason}"

    def listed(self) -> dict:
        """Everything, to be written as JSON."""
        pairs = [
            {"function": function, "types": types, "mode": mode, "outcome": outcome, "reason": why}
            for (function, types, mode, _), (outcome, why) in self.outcomes.items()
        ]
        return {"module": self.name, "use-cases": pairs, "tests": self.tests}


def percent(part: int, whole: int) -> str:
    """A share in words."""
    return f"{100 * part / whole:.1f} %" if whole else "none"


def grouped(modules: list[Module], *outcomes: str) -> list[tuple[int, str, str]]:
    """Reasons with their numbers and an example, the most frequent first."""
    chosen = outcomes or _FAILED
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for module in modules:
        for (function, types, _, _), (outcome, reason) in module.outcomes.items():
            if outcome in chosen:
                head = reason if outcome == "internal" else f"{outcome}: {reason}"
                head = re.sub(r"\d+", "N", head)[:140]
                if outcome == "differs":
                    head = head.split(",")[0][:70]
                counts[head] += 1
                examples.setdefault(head, f"{function} {types}"[:120])
    return [(count, head, examples[head]) for head, count in counts.most_common()]
