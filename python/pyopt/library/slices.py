"""The methods of slices."""

from pyopt.library import implements


@implements("slice.indices")
def slice_indices(part, length):
    """Find where a slice of so many items starts and stops, and its step."""
    if length < 0:
        raise ValueError("length should not be negative")
    step = 1 if part.step is None else part.step
    if step == 0:
        raise ValueError("slice step cannot be zero")
    lower = -1 if step < 0 else 0
    upper = length - 1 if step < 0 else length
    start = upper if step < 0 else lower
    if part.start is not None:
        start = bounded(part.start, length, lower, upper)
    stop = lower if step < 0 else upper
    if part.stop is not None:
        stop = bounded(part.stop, length, lower, upper)
    return start, stop, step


def bounded(position, length, lower, upper):
    """Count a position from the end if it is negative, and move it into the bounds."""
    if position < 0:
        return max(position + length, lower)
    return min(position, upper)
