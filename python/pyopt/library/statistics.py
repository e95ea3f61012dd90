"""Order statistics, histograms, covariance, and reductions that leave out NaN."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.axes import reduction_axis, reduction_lanes
from pyopt.library.folding import size_kind
from pyopt.library.partial_sorting import select_number, select_pair, select_pairs, split_numbers
from pyopt.library.reductions import along, float_kind
from pyopt.library.shapes import as_array, flat
from pyopt.library.sorting import bisect_right, sort_vector


def check_order(c):
    """Refuse what isn't interpolated."""
    if c.dtype.kind == "c":
        intrinsics.unsupported("quantiles of complex numbers are not supported")


def median_vector(v, kind):
    """Find the median of a vector; NaN if there is one."""
    if v.size == 0:
        return kind.type(np.nan)
    ordered = v.copy()
    if split_numbers(ordered, None) < ordered.size:
        return kind.type(ordered[ordered.size - 1])
    middle = ordered.size // 2
    if ordered.size % 2 == 1:
        select_number(ordered, None, middle)
        return kind.type(ordered[middle])
    select_pair(ordered, 0, middle - 1)
    wide = np.float32 if kind.itemsize == 2 else kind.type
    return kind.type((wide(ordered[middle - 1]) + wide(ordered[middle])) / wide(2))


@implements("numpy.median")
def median(a, axis=None, keepdims: literal = False):
    """Find the median of the elements along an axis."""
    c = as_array(a)
    check_order(c)
    return along(c, axis, keepdims, float_kind(c), median_vector, float_kind(c))


def lower_position(q, size):
    """Find the last position in a vector that isn't behind a fraction of its length."""
    return int(np.floor(q * (size - 1)))


def quantile_sorted(ordered, q, kind):
    """Interpolate between the elements at a fraction of a vector's length, which are as if it were sorted."""
    if ordered.size == 0:
        return kind.type(np.nan)
    last = ordered[ordered.size - 1]
    if last != last:
        return kind.type(last)
    at = q * (ordered.size - 1)
    low = lower_position(q, ordered.size)
    high = min(low + 1, ordered.size - 1)
    fraction = at - low
    a = kind.type(ordered[low])
    b = kind.type(ordered[high])
    difference = b - a
    if fraction >= 0.5:
        return kind.type(b - difference * (1 - fraction))
    return kind.type(a + difference * fraction)


def checked_fraction(q):
    """Check that a fraction is one."""
    if not (q >= 0.0 and q <= 1.0):
        raise ValueError("Quantiles must be in the range [0, 1]")
    return q


def checked_percent(q):
    """Check that a percentage is one."""
    if not (q >= 0 and q <= 100):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return q


def quantile_vector(v, q):
    """Find a quantile of a vector."""
    ordered = v.copy()
    low = lower_position(q, ordered.size)
    if split_numbers(ordered, None) == ordered.size and low < ordered.size:
        select_pair(ordered, 0, low)
    return quantile_sorted(ordered, q, float_kind(ordered))


def several_quantiles(v, q, axis):
    """Find the quantiles of a vector that an array has the fractions of."""
    if axis is not None:
        intrinsics.unsupported("several quantiles along an axis are not supported")
    fractions = flat(q)
    ordered = v.copy()
    positions = np.empty(fractions.size, np.int64)
    for i in range(fractions.size):
        positions[i] = lower_position(checked_fraction(fractions[i]), ordered.size)
    if positions.size > 32:
        sort_vector(ordered)
    else:
        sort_vector(positions)
        select_pairs(ordered, positions)
    out = np.empty(fractions.size, np.float64)
    for i in range(fractions.size):
        out[i] = quantile_sorted(ordered, fractions[i], np.result_type(np.float64))
    return intrinsics.reshape(out, q.shape)


@implements("numpy.quantile")
def quantile(a, q, axis=None, keepdims: literal = False):
    """Find the quantiles of the elements along an axis, interpolated linearly."""
    c = as_array(a)
    check_order(c)
    if isinstance(q, tuple):
        return quantile(c, np.array(q), axis, keepdims)
    if isinstance(q, list):
        return quantile(c, np.array(q), axis, keepdims)
    if isinstance(q, np.ndarray):
        if q.ndim == 0:
            return quantile(c, q[()], axis, keepdims)
        return several_quantiles(flat(c), q, axis)
    fraction = checked_fraction(float(q))
    if lacks_elements(c, axis):
        raise IndexError("an empty array has no quantiles")
    return along(c, axis, keepdims, float_kind(c), quantile_vector, fraction)


@implements("numpy.percentile")
def percentile(a, q, axis=None, keepdims: literal = False):
    """Find the percentiles of the elements along an axis, interpolated linearly."""
    return quantile(a, percents(q), axis, keepdims)


def percents(q):
    """Check percentages, and make fractions of them."""
    if isinstance(q, tuple):
        return percents(np.array(q))
    if isinstance(q, list):
        return percents(np.array(q))
    if isinstance(q, np.ndarray):
        for percent in flat(q):
            checked_percent(percent)
        return q / 100.0
    return checked_percent(q) / 100.0


def lacks_elements(c, axis):
    """Say whether the lanes along an axis are empty."""
    return reduction_lanes(c, reduction_axis(c, axis)).shape[1] == 0


def has_nan(kind):
    """Say whether elements of a type may be NaN or NaT."""
    return kind.kind == "f" or kind.kind == "c" or kind.kind == "m" or kind.kind == "M"


def without_nan(v):
    """Copy the elements of a vector that are numbers."""
    out = np.empty(v.size, v.dtype)
    count = 0
    for i in range(v.size):
        if v[i] == v[i]:
            out[count] = v[i]
            count += 1
    return out[:count]


def nansum_vector(v, kind):
    """Sum the elements of a vector that are numbers."""
    return np.sum(np.where(v == v, v, kind.type(0)), dtype=kind)


def nanprod_vector(v, kind):
    """Multiply the elements of a vector that are numbers."""
    return np.prod(np.where(v == v, v, kind.type(1)), dtype=kind)


def nanmin_vector(v, kind):
    """Find the least of the elements of a vector that are numbers, or the first one if none is."""
    left = without_nan(v)
    return np.min(left) if left.size > 0 else v[0]


def nanmax_vector(v, kind):
    """Find the greatest of the elements of a vector that are numbers, or the first one if none is."""
    left = without_nan(v)
    return np.max(left) if left.size > 0 else v[0]


def nanmean_vector(v, kind):
    """Average the elements of a vector that are numbers."""
    left = without_nan(v)
    return np.mean(left)


def nanvar_vector(v, ddof):
    """Find the variance of the elements of a vector that are numbers."""
    left = without_nan(v)
    if left.size <= ddof:
        return size_kind(v.dtype).type(np.nan)
    return np.var(left, ddof=ddof)


def nanmedian_vector(v, kind):
    """Find the median of the elements of a vector that are numbers."""
    return median_vector(without_nan(v), kind)


def nanquantile_vector(v, q):
    """Find a quantile of the elements of a vector that are numbers."""
    return quantile_vector(without_nan(v), q)


@implements("numpy.nansum")
def nansum(a, axis=None, keepdims: literal = False):
    """Sum the elements along an axis that are numbers."""
    c = as_array(a)
    if c.dtype.kind == "f" or c.dtype.kind == "c":
        return along(c, axis, keepdims, c.dtype, nansum_vector, c.dtype)
    return np.sum(c, axis, keepdims=keepdims)


@implements("numpy.nanprod")
def nanprod(a, axis=None, keepdims: literal = False):
    """Multiply the elements along an axis that are numbers."""
    c = as_array(a)
    if c.dtype.kind == "f" or c.dtype.kind == "c":
        return along(c, axis, keepdims, c.dtype, nanprod_vector, c.dtype)
    return np.prod(c, axis, keepdims=keepdims)


@implements("numpy.nanmin")
def nanmin(a, axis=None, keepdims: literal = False):
    """Find the least of the elements along an axis that are numbers."""
    c = as_array(a)
    if has_nan(c.dtype):
        if lacks_elements(c, axis):
            raise ValueError("zero-size array to reduction operation fmin which has no identity")
        return along(c, axis, keepdims, c.dtype, nanmin_vector, c.dtype)
    return np.min(c, axis, keepdims=keepdims)


@implements("numpy.nanmax")
def nanmax(a, axis=None, keepdims: literal = False):
    """Find the greatest of the elements along an axis that are numbers."""
    c = as_array(a)
    if has_nan(c.dtype):
        if lacks_elements(c, axis):
            raise ValueError("zero-size array to reduction operation fmax which has no identity")
        return along(c, axis, keepdims, c.dtype, nanmax_vector, c.dtype)
    return np.max(c, axis, keepdims=keepdims)


@implements("numpy.nanmean")
def nanmean(a, axis=None, keepdims: literal = False):
    """Average the elements along an axis that are numbers."""
    c = as_array(a)
    if c.dtype.kind == "f" or c.dtype.kind == "c":
        return along(c, axis, keepdims, c.dtype, nanmean_vector, c.dtype)
    return np.mean(c, axis, keepdims=keepdims)


@implements("numpy.nanvar")
def nanvar(a, axis=None, ddof=0, keepdims: literal = False):
    """Find the variance of the elements along an axis that are numbers."""
    c = as_array(a)
    if c.dtype.kind == "f" or c.dtype.kind == "c":
        return along(c, axis, keepdims, size_kind(c.dtype), nanvar_vector, ddof)
    return np.var(c, axis, ddof=ddof, keepdims=keepdims)


@implements("numpy.nanstd")
def nanstd(a, axis=None, ddof=0, keepdims: literal = False):
    """Find the standard deviation of the elements along an axis that are numbers."""
    return np.sqrt(nanvar(a, axis, ddof, keepdims))


@implements("numpy.nanmedian")
def nanmedian(a, axis=None, keepdims: literal = False):
    """Find the median of the elements along an axis that are numbers."""
    c = as_array(a)
    check_order(c)
    return along(c, axis, keepdims, float_kind(c), nanmedian_vector, float_kind(c))


@implements("numpy.nanquantile")
def nanquantile(a, q, axis=None, keepdims: literal = False):
    """Find a quantile of the elements along an axis that are numbers."""
    c = as_array(a)
    check_order(c)
    if isinstance(q, tuple):
        return nanquantile(c, np.array(q), axis, keepdims)
    if isinstance(q, list):
        return nanquantile(c, np.array(q), axis, keepdims)
    if isinstance(q, np.ndarray):
        if q.ndim == 0:
            return nanquantile(c, q[()], axis, keepdims)
        return several_quantiles(without_nan(flat(c)), q, axis)
    return along(c, axis, keepdims, float_kind(c), nanquantile_vector, checked_fraction(float(q)))


@implements("numpy.nanpercentile")
def nanpercentile(a, q, axis=None, keepdims: literal = False):
    """Find a percentile of the elements along an axis that are numbers."""
    return nanquantile(a, percents(q), axis, keepdims)


@implements("numpy.bincount")
def bincount(x, weights=None, minlength=0):
    """Count how often each number from 0 on occurs, or add up its weights."""
    values = flat(x)
    if values.dtype.kind != "i" and values.dtype.kind != "u" and values.dtype.kind != "b":
        intrinsics.unsupported("bincount counts integers")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    largest = -1
    for i in range(values.size):
        if np.int64(values[i]) < 0:
            raise ValueError("'list' argument must have no negative elements")
        largest = max(largest, np.int64(values[i]))
    if largest == 9223372036854775807:
        raise MemoryError("unable to allocate an array")
    size = max(minlength, largest + 1)
    if weights is None:
        counts = np.zeros(size, np.int64)
        for i in range(values.size):
            counts[np.int64(values[i])] += 1
        return counts
    given = flat(weights)
    if given.size != values.size:
        raise ValueError("The weights and list don't have the same length.")
    sums = np.zeros(size, np.float64)
    for i in range(values.size):
        sums[np.int64(values[i])] += given[i]
    return sums


def check_edges(edges):
    """Refuse edges of bins that go back."""
    for i in range(edges.size - 1):
        if edges[i] > edges[i + 1]:
            raise ValueError("`bins` must increase monotonically, when an array")


@implements("numpy.histogram")
def histogram(a, bins=10, range=None):
    """Count the elements in bins: so many of equal width, or between given edges."""
    values = flat(a)
    if isinstance(bins, np.ndarray):
        edges = bins
        check_edges(edges)
        counts = np.zeros(max(edges.size - 1, 0), np.int64)
        for x in values:
            if edges.size > 1 and x >= edges[0] and x <= edges[edges.size - 1]:
                counts[min(bisect_right(edges, x) - 1, counts.size - 1)] += 1
        return counts, edges
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if range is None:
        low = float(values.min()) if values.size > 0 else 0.0
        high = float(values.max()) if values.size > 0 else 1.0
    else:
        low = float(range[0])
        high = float(range[1])
    if low > high:
        raise ValueError("max must be larger than min in range parameter.")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError("the range of the histogram is not finite")
    if low == high:
        low -= 0.5
        high += 0.5
    return count_uniform(values, bins, low, high)


def count_uniform(values, bins, low, high):
    """Count the elements in bins of equal width."""
    edges = np.linspace(low, high, bins + 1).astype(float_kind(values))
    counts = np.zeros(bins, np.int64)
    scale = bins / (high - low)
    if scale > 0 and scale < np.inf:
        for i in range(values.size):
            x = float(values[i])
            if x >= low and x <= high:
                count_in(counts, edges, x, (x - low) * scale)
    else:
        for i in range(values.size):
            x = float(values[i])
            if x >= low and x <= high:
                count_in(counts, edges, x, (x - low) / (high - low) * bins)
    return counts, edges


def count_in(counts, edges, x, place):
    """Count a number in the bin that it belongs to, which is the one estimated or beside it."""
    at = max(min(int(place), counts.size - 1), 0)
    if x < edges[at]:
        counts[at - 1] += 1
    elif x >= edges[at + 1] and at != counts.size - 1:
        counts[at + 1] += 1
    else:
        counts[at] += 1


@implements("numpy.cov")
def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    """Estimate the covariance of variables, which are rows."""
    rows = variables(m, y, rowvar)
    center = np.empty(rows.shape[0], np.float64)
    for i in range(rows.shape[0]):
        center[i] = np.mean(rows[i])
    if ddof is None:
        less = 0 if bias else 1
    else:
        less = ddof
    degrees = max(rows.shape[1] - less, 0)
    out = np.empty((rows.shape[0], rows.shape[0]), np.float64)
    for i in range(rows.shape[0]):
        for j in range(i + 1):
            total = 0.0
            for k in range(rows.shape[1]):
                total += (rows[i, k] - center[i]) * (rows[j, k] - center[j])
            out[i, j] = total / degrees
            out[j, i] = out[i, j]
    if as_array(m).ndim < 2 and y is None:
        return intrinsics.reshape(out, ())[()]
    return out


def variables(m, y, rowvar):
    """Give the variables of one or two arrays as rows of floats."""
    a = rows_of_floats(m, rowvar)
    if y is None:
        return a
    return np.vstack((a, rows_of_floats(y, rowvar)))


def rows_of_floats(m, rowvar):
    """Give the variables of one array as rows of floats."""
    c = as_array(m)
    if c.dtype.kind == "c":
        intrinsics.unsupported("the covariance of complex numbers is not supported")
    if c.dtype.kind == "m" or c.dtype.kind == "M":
        intrinsics.unsupported("times have no covariance")
    rows = np.atleast_2d(c).astype(np.float64)
    if c.ndim == 2 and not rowvar:
        return np.ascontiguousarray(rows.T)
    return rows


@implements("numpy.corrcoef")
def corrcoef(x, y=None, rowvar=True):
    """Estimate the correlation of variables, which are rows."""
    c = cov(x, y, rowvar)
    if isinstance(c, np.ndarray):
        out = np.empty(c.shape, np.float64)
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                r = c[i, j] / np.sqrt(c[i, i]) / np.sqrt(c[j, j])
                out[i, j] = min(max(r, -1.0), 1.0) if r == r else r
        return out
    return c / c
