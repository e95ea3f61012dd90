"""A generator of numbers and an average: classes whose methods are called in a loop."""

from bench.api import float64, int64, jitclass, njit
from bench.kernel import Kernel


@jitclass([("state", int64)])
class Numbers:
    """Numbers between 0 and 1, one of the other."""

    def __init__(self, seed):
        """Begin with a seed."""
        self.state = seed

    def next(self):
        """Draw a number."""
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return self.state / 0x7FFFFFFF


@jitclass([("count", int64), ("mean", float64), ("squares", float64)])
class Average:
    """The mean and the variance of what is added."""

    def __init__(self):
        """Begin with nothing."""
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0

    def add(self, value):
        """Take a value into account."""
        self.count += 1
        change = value - self.mean
        self.mean += change / self.count
        self.squares += change * (value - self.mean)

    @property
    def variance(self):
        """The mean of the squared differences."""
        return self.squares / self.count


@njit
def class_methods(seed, n):
    numbers = Numbers(seed)
    average = Average()
    for _ in range(n):
        average.add(numbers.next())
    return average.mean + average.variance


def make_args(size):
    """A seed, and how many numbers are drawn."""
    return 11, size


KERNEL = Kernel(function=class_methods, make_args=make_args, small=20, large=500_000)
