"""Intervals of numbers; nothing here needs a compiler."""

import math


class Interval:
    """From one number to another."""

    def __init__(self, low, high):
        """Keep the ends."""
        self.low = low
        self.high = high

    def __eq__(self, other):
        """Whether the ends are the same."""
        return isinstance(other, Interval) and (self.low, self.high) == (other.low, other.high)

    def __hash__(self):
        """Hash the ends."""
        return hash((self.low, self.high))

    def __repr__(self):
        """Show the ends."""
        return f"Interval({self.low}, {self.high})"

    def width(self):
        """Give the distance of the ends."""
        return self.high - self.low


def hull(one, other):
    """Give the smallest interval that has both in it."""
    return Interval(min(one.low, other.low), max(one.high, other.high))


def next_up(x):
    """Give the next double above one that is positive and finite."""
    return math.nextafter(x, math.inf)
