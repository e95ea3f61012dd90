"""Work along the second of three axes, on threads by rows or by columns.

Each result is computed by one thread in the order that one thread alone would take.
"""

from pyopt.library import intrinsics


def by_columns(function, v, out, other, number, combine):
    """Apply a function of a row and a range of columns to the results, in one piece or for threads."""
    if intrinsics.is_parallel():
        # Threads that write next to each other would wait for each other: so many columns stay together.
        width = max(v.shape[2] // 16, 1)
        units = v.shape[0] * width
        parts = intrinsics.parts(units, 16 * v.shape[1])
        for part in intrinsics.prange("reduction", parts):
            begin = units * part // parts
            end = units * (part + 1) // parts
            for i in range(begin // width, (end + width - 1) // width):
                start = 16 * max(begin - i * width, 0)
                stop = v.shape[2] if end >= (i + 1) * width else 16 * (end - i * width)
                function(v, out, other, number, combine, i, start, stop)
    else:
        for i in range(v.shape[0]):
            function(v, out, other, number, combine, i, 0, v.shape[2])


def by_rows(function, v, out, other, number, combine):
    """Apply a function of a row to the results, which are a column."""
    if intrinsics.is_parallel():
        parts = intrinsics.parts(v.shape[0], v.shape[1])
        for part in intrinsics.prange("reduction", parts):
            for i in range(v.shape[0] * part // parts, v.shape[0] * (part + 1) // parts):
                function(v, out, other, number, combine, i)
    else:
        for i in range(v.shape[0]):
            function(v, out, other, number, combine, i)


def copy_lanes(v, out, start):
    """Copy three axes to others, along the second one from a position on."""
    if intrinsics.is_parallel():
        size = v.shape[1]
        units = v.shape[0] * size
        parts = intrinsics.parts(units, v.shape[2])
        for part in intrinsics.prange("numpy", parts):
            begin = units * part // parts
            end = units * (part + 1) // parts
            for i in range(begin // max(size, 1), (end + size - 1) // max(size, 1)):
                first = max(begin - i * size, 0)
                last = min(end - i * size, size)
                out[i, start + first : start + last, :] = v[i, first:last, :]
    else:
        out[:, start : start + v.shape[1], :] = v


def repeat_lanes_to(v, starts, out):
    """Repeat the items of the second of three axes; those of each go from one start to the next."""
    if intrinsics.is_parallel():
        units = v.shape[0] * v.shape[1]
        parts = intrinsics.parts(units, out.shape[1] * v.shape[2] // max(v.shape[1], 1))
        for part in intrinsics.prange("numpy", parts):
            for unit in range(units * part // parts, units * (part + 1) // parts):
                repeat_item(v, starts, out, unit // v.shape[1], unit % v.shape[1])
    else:
        for i in range(v.shape[0]):
            for k in range(v.shape[1]):
                repeat_item(v, starts, out, i, k)


def repeat_item(v, starts, out, i, k):
    """Repeat one item of the second of three axes."""
    for at in range(starts[k], starts[k + 1]):
        for j in range(v.shape[2]):
            out[i, at, j] = v[i, k, j]
