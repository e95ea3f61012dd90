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


def copy_run(v, out, start, i, first, last):
    """Copy a part of a row to a row that it begins further behind in."""
    for k in range(first, last):
        out[i, start + k] = v[i, k]


def copy_rows(v, out, start):
    """Copy rows to others, from a position on."""
    size = v.shape[1]
    if intrinsics.is_parallel():
        units = v.shape[0] * size
        parts = intrinsics.parts(units, 1)
        for part in intrinsics.prange("numpy", parts):
            begin = units * part // parts
            end = units * (part + 1) // parts
            for i in range(begin // max(size, 1), (end + size - 1) // max(size, 1)):
                copy_run(v, out, start, i, max(begin - i * size, 0), min(end - i * size, size))
    else:
        for i in range(v.shape[0]):
            copy_run(v, out, start, i, 0, size)


def repeat_items(v, out, first, last):
    """Repeat rows of a matrix, each as often, along the second of three axes."""
    for i in range(first, last):
        if v.shape[1] == 1:
            x = v[i, 0]
            for t in range(out.shape[1]):
                out[i, t, 0] = x
        else:
            for t in range(out.shape[1]):
                for j in range(v.shape[1]):
                    out[i, t, j] = v[i, j]


def repeat_evenly(v, out):
    """Repeat the rows of a matrix, each as often, along the second of three axes."""
    if intrinsics.is_parallel():
        parts = intrinsics.parts(v.shape[0], out.shape[1] * out.shape[2])
        for part in intrinsics.prange("numpy", parts):
            repeat_items(v, out, v.shape[0] * part // parts, v.shape[0] * (part + 1) // parts)
    else:
        repeat_items(v, out, 0, v.shape[0])


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
