"""What writers of random programs have in common: choices from a seed, and lines at a depth."""

import random


class Writer:
    """Writes the body of one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.left = 14
        self.lines = []

    def any(self, *choices):
        """Give one of them."""
        return self.random.choice(choices)

    def write(self, depth, line):
        """Write a line."""
        self.lines.append(f"{'    ' * (depth + 1)}{line}")
