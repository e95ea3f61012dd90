"""Loops and what is known of them."""

import os

_KINDS = {
    "for": "for loop",
    "while": "while loop",
    "prange": "prange loop",
    "array_expr": "array expression",
    "numpy": "array operation",
    "fill": "new array that is filled",
    "copy": "copy of an array",
    "comprehension": "comprehension",
    "setitem": "assignment to elements",
    "reduction": "reduction",
    "stencil": "stencil",
}


def in_words(message):
    """Say what parallel loops come from in words, and leave the directories of files out."""
    for kind, words in _KINDS.items():
        message = message.replace(f"the loop of {kind} ", f"the {words} ")
    return " ".join(os.path.basename(word) if os.sep in word else word for word in message.split(" "))


class Fact:
    """Something that was done to a loop, or that kept it from being faster."""

    __slots__ = ("advice", "column", "kind", "line", "origin", "text")

    def __init__(self, kind, text, advice=None, line=None, column=None, origin="pyopt"):
        """Make a fact."""
        #: One word for programs, such as ``vectorised``, ``checks-hoisted`` or ``order``.
        self.kind = kind
        #: The sentence.
        self.text = text
        #: What to do about it, or ``None``.
        self.advice = advice
        #: The line in the loop that it is about, or ``None``.
        self.line = line
        #: The column, from one, or ``None``.
        self.column = column
        #: Whose passes say so: ``pyopt`` or ``llvm``.
        self.origin = origin

    def __repr__(self):
        """Show the kind and the sentence."""
        return f"<{self.kind}: {self.text}>"

    def _key(self):
        return (self.kind, self.text, self.line)


class Loop:
    """A loop of the source: a statement, or an operation on whole arrays."""

    __slots__ = (
        "column",
        "depth",
        "done",
        "file",
        "interleaved",
        "kind",
        "line",
        "obstacles",
        "operations",
        "schedule",
        "source",
        "unrolled",
        "vector_width",
    )

    def __init__(self, file, line, column, kind, source, depth):
        """Make a loop of which nothing is known yet."""
        #: The file, as tracebacks name it.
        self.file = file
        #: The line of the statement, or of the expression.
        self.line = line
        #: The column, from one.
        self.column = column
        #: ``for``, ``while``, ``prange``, or the operation on arrays that it is: ``array_expr``, …
        self.kind = kind
        #: The source of the loop's head, or of the expression.
        self.source = source
        #: How many loops of the source are around it.
        self.depth = depth
        #: How many operations on arrays of the line it stands for.
        self.operations = 1
        #: What was done to it: facts.
        self.done = []
        #: What kept it from being faster: facts.
        self.obstacles = []
        #: How many elements a vector instruction takes, or ``None``.
        self.vector_width = None
        #: How many vectors an iteration of the vectorised loop takes, or ``None``.
        self.interleaved = None
        #: How many iterations were unrolled, or ``None``.
        self.unrolled = None
        #: ``static`` or ``dynamic`` if it runs on threads, or else ``None``.
        self.schedule = None

    @property
    def vectorised(self):
        """Whether it runs on vectors."""
        return self.vector_width is not None

    @property
    def parallel(self):
        """Whether it runs on threads."""
        return self.schedule is not None

    def __repr__(self):
        """Show the line and the source."""
        return f"<{_KINDS.get(self.kind, self.kind)} at line {self.line}: {self.source}>"

    def add_done(self, fact):
        """Note what was done."""
        self._add(self.done, fact)

    def add_obstacle(self, fact):
        """Note what prevented more."""
        self._add(self.obstacles, fact)

    def lines(self):
        """Describe the loop for people."""
        indent = "  " * (self.depth + 1)
        kind = _KINDS.get(self.kind, self.kind)
        text = f"{indent}line {self.line}: {kind}"
        lines = [f"{text}: {self.source}" if self.source else text]
        for fact in self.done:
            lines.append(f"{indent}  + {self._told(fact)}")
        for fact in self.obstacles:
            lines.append(f"{indent}  - {self._told(fact)}")
            if fact.advice:
                lines.append(f"{indent}      {fact.advice}")
        if not self.done and not self.obstacles:
            lines.append(f"{indent}  nothing to tell")
        return lines

    def _told(self, fact):
        elsewhere = fact.line is not None and fact.line != self.line
        return f"line {fact.line}: {fact.text}" if elsewhere else fact.text

    @staticmethod
    def _add(facts, fact):
        if all(fact._key() != other._key() for other in facts):
            facts.append(fact)
