"""Compares how the tests of a library end under two compilers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from libraries.reasons import feature, reason
from libraries.running import Outcomes

HEADER = (
    f"{'library':16}{'tests':>7}{'Numba':>7}{'pyopt':>7}{'share':>8}{'but for features':>18}"
    f"{'compiling':>16}{'in all':>14}"
)


@dataclass
class Comparison:
    """The tests of a library that pass under Numba, and what becomes of them under pyopt."""

    name: str
    numba: Outcomes
    pyopt: Outcomes
    passed: int = 0
    counted: int = 0
    reasons: Counter = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    missing: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Compare the tests that both have run; what can't be imported counts as failed."""
        stopped = self._import_error()
        for name in sorted(self.numba.named("passed")):
            test = self.pyopt.tests.get(name)
            if test is None and stopped is None and not self.pyopt.is_complete:
                continue
            self.counted += 1
            if test is not None and test["outcome"] == "passed":
                self.passed += 1
                continue
            why = reason(test) if test is not None else stopped or "wasn't collected"
            self.reasons[why] += 1
            self.examples.setdefault(why, name)
            self.missing[feature(why)] += 1

    def _import_error(self) -> str | None:
        failed = (test for test in self.pyopt.tests.values() if test.get("when") == "import")
        return next((f"at import: {reason(test)}" for test in failed), None)

    @property
    def share(self) -> float:
        """The share of Numba's tests that pass."""
        return self.passed / max(self.counted, 1)

    @property
    def share_but_for_features(self) -> float:
        """The share without the tests that fail for a feature that is missing as a whole."""
        known = sum(count for name, count in self.missing.items() if name is not None)
        return self.passed / max(self.counted - known, 1)

    def row(self) -> str:
        """Give the line of the table."""
        note = "" if self.numba.is_complete and self.pyopt.is_complete else "  (time was over)"
        return (
            f"{self.name:16}{len(self.numba.tests):>7}{self.counted:>7}{self.passed:>7}"
            f"{self.share:>8.1%}{self.share_but_for_features:>18.1%}"
            f"{_times(self.numba.compiled, self.pyopt.compiled):>16}"
            f"{_times(self.numba.seconds, self.pyopt.seconds):>14}{note}"
        )

    def differences(self) -> list[str]:
        """Give each reason, with how many tests it stops, the feature it is for and an example."""
        lines = []
        for why, count in self.reasons.most_common():
            kind = feature(why)
            lines.append(
                f"{count:>5}  {why}{f' [{kind}]' if kind else ''}    ({self.examples[why]})"
            )
        return lines


def _times(numba: float, pyopt: float) -> str:
    return f"{numba:.0f} s, {pyopt:.0f} s"
