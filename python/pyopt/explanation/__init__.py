"""What became of a function's loops: what ``explain`` of a compiled function gives.

The compiler tells what its passes and LLVM's did, each remark at a line and a column. Here the remarks are
given to the loops that they are about, and said in terms of the program.
"""

from pyopt.explanation.collecting import collect
from pyopt.explanation.loops import Fact, Loop

__all__ = ["Explanation", "Fact", "Loop"]


class Explanation:
    """What was done to the loops of one specialisation; its text is for people."""

    __slots__ = ("function", "loops", "tier")

    def __init__(self, function, tier, loops):
        """Keep what is known."""
        #: The function with the types of its parameters, as text.
        self.function = function
        #: How far LLVM optimised: ``lean``, ``O3``, or ``none``.
        self.tier = tier
        #: The loops, in the order of the source.
        self.loops = loops

    @classmethod
    def of(cls, function, code):
        """Explain the code of a function."""
        return cls(function, code.tier, collect(code.explain()))

    def __str__(self):
        """Describe the loops for people."""
        lines = [f"{self.function}, optimised at {self.tier}"]
        file = None
        for loop in self.loops:
            if loop.file != file:
                file = loop.file
                lines.append(f"{file}:")
            lines += loop.lines()
        if not self.loops:
            lines.append("  no loops")
        return "\n".join(lines)

    __repr__ = __str__
