"""Kernels on a device, beside CuPy and kernels that were written by hand for numba-cuda.

    python bench/devices.py [--device cuda:0] [--seconds 0.3] [--json FILE]

All arrays are on the device; what is timed is the launch and the wait for it, many launches at a
time. For kernels that are bound by memory the table gives the bytes that they have to move by their
time, and this as a share of a copy's on the same device. CuPy and numba-cuda are left out where
they aren't installed, or the device isn't theirs.
"""

import argparse
import json
import math
import sys
from functools import partial
from time import perf_counter

import numpy as np
import pyopt
from pyopt import device_context, njit, prange
from pyopt.offload import synchronize, totals

try:
    import cupy
except ImportError:
    cupy = None
# Versions of numba-cuda ask for a name that NumPy 2.5 has no more.
if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack
try:
    from numba import cuda
except ImportError:
    cuda = None


@njit(parallel=True)
def copy(x, y):
    """Copy an array."""
    for i in prange(x.shape[0]):
        y[i] = x[i]


@njit(parallel=True)
def axpy(a, x, y):
    """Add a multiple of an array to another one."""
    for i in prange(x.shape[0]):
        y[i] += a * x[i]


@njit(parallel=True)
def five_points(a, b):
    """Average neighbours in two dimensions."""
    b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])


@njit(parallel=True)
def five_points_nested(a, b):
    """Average neighbours in two dimensions, by loops in loops."""
    for i in prange(1, a.shape[0] - 1):
        for j in prange(1, a.shape[1] - 1):
            b[i, j] = 0.2 * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


@njit(parallel=True)
def five_points_serial_inside(a, b):
    """Average neighbours in two dimensions, the inner loop a plain one."""
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = 0.2 * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


@njit(parallel=True)
def seven_points_nested(a, b):
    """Average neighbours in three dimensions, by loops in loops."""
    for i in prange(1, a.shape[0] - 1):
        for j in prange(1, a.shape[1] - 1):
            for k in prange(1, a.shape[2] - 1):
                b[i, j, k] = 0.125 * (
                    2.0 * a[i, j, k]
                    + a[i - 1, j, k]
                    + a[i + 1, j, k]
                    + a[i, j - 1, k]
                    + a[i, j + 1, k]
                    + a[i, j, k - 1]
                    + a[i, j, k + 1]
                )


@njit(parallel=True)
def seven_points(a, b):
    """Average neighbours in three dimensions."""
    b[1:-1, 1:-1, 1:-1] = 0.125 * (
        2.0 * a[1:-1, 1:-1, 1:-1]
        + a[:-2, 1:-1, 1:-1]
        + a[2:, 1:-1, 1:-1]
        + a[1:-1, :-2, 1:-1]
        + a[1:-1, 2:, 1:-1]
        + a[1:-1, 1:-1, :-2]
        + a[1:-1, 1:-1, 2:]
    )


@njit(parallel=True)
def total(x):
    """Sum an array."""
    result = 0.0
    for i in prange(x.shape[0]):
        result += x[i]
    return result


@njit(parallel=True)
def chain(x, y, out):
    """Compute a chain of elementwise operations."""
    for i in prange(x.shape[0]):
        t = x[i] * y[i] + 1.0
        out[i] = math.sqrt(t * t + x[i]) - y[i]


@njit(parallel=True)
def black_scholes(price, strike, years, rate, volatility, call, put):
    """Price options."""
    for i in prange(price.shape[0]):
        root = math.sqrt(years[i])
        d1 = (
            math.log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]
        ) / (volatility * root)
        d2 = d1 - volatility * root
        n1 = 0.5 + 0.5 * math.erf(d1 * 0.7071067811865476)
        n2 = 0.5 + 0.5 * math.erf(d2 * 0.7071067811865476)
        discounted = strike[i] * math.exp(-rate * years[i])
        call[i] = price[i] * n1 - discounted * n2
        put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1)


@njit(parallel=True)
def n_body(x, y, z, ax, ay, az):
    """Compute the forces of bodies on each other."""
    for i in prange(x.shape[0]):
        sx = 0.0
        sy = 0.0
        sz = 0.0
        for j in range(x.shape[0]):
            dx = x[j] - x[i]
            dy = y[j] - y[i]
            dz = z[j] - z[i]
            d = dx * dx + dy * dy + dz * dz + 0.01
            w = 1.0 / (d * math.sqrt(d))
            sx += w * dx
            sy += w * dy
            sz += w * dz
        ax[i] = sx
        ay[i] = sy
        az[i] = sz


def by_hand():
    """Give the same kernels for numba-cuda, each a function of our arguments that launches it."""
    threads = 256

    @cuda.jit
    def k_copy(x, y):
        i = cuda.grid(1)
        if i < x.shape[0]:
            y[i] = x[i]

    @cuda.jit
    def k_axpy(a, x, y):
        i = cuda.grid(1)
        if i < x.shape[0]:
            y[i] += a * x[i]

    @cuda.jit
    def k_five(a, b):
        j, i = cuda.grid(2)
        if 0 < i < a.shape[0] - 1 and 0 < j < a.shape[1] - 1:
            b[i, j] = 0.2 * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])

    @cuda.jit
    def k_seven(a, b):
        k, j, i = cuda.grid(3)
        if 0 < i < a.shape[0] - 1 and 0 < j < a.shape[1] - 1 and 0 < k < a.shape[2] - 1:
            b[i, j, k] = 0.125 * (
                2.0 * a[i, j, k]
                + a[i - 1, j, k]
                + a[i + 1, j, k]
                + a[i, j - 1, k]
                + a[i, j + 1, k]
                + a[i, j, k - 1]
                + a[i, j, k + 1]
            )

    @cuda.jit
    def k_chain(x, y, out):
        i = cuda.grid(1)
        if i < x.shape[0]:
            t = x[i] * y[i] + 1.0
            out[i] = math.sqrt(t * t + x[i]) - y[i]

    @cuda.jit
    def k_black_scholes(price, strike, years, rate, volatility, call, put):
        i = cuda.grid(1)
        if i < price.shape[0]:
            root = math.sqrt(years[i])
            d1 = (
                math.log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]
            ) / (volatility * root)
            d2 = d1 - volatility * root
            n1 = 0.5 + 0.5 * math.erf(d1 * 0.7071067811865476)
            n2 = 0.5 + 0.5 * math.erf(d2 * 0.7071067811865476)
            discounted = strike[i] * math.exp(-rate * years[i])
            call[i] = price[i] * n1 - discounted * n2
            put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1)

    @cuda.jit
    def k_n_body(x, y, z, ax, ay, az):
        i = cuda.grid(1)
        if i < x.shape[0]:
            sx = 0.0
            sy = 0.0
            sz = 0.0
            for j in range(x.shape[0]):
                dx = x[j] - x[i]
                dy = y[j] - y[i]
                dz = z[j] - z[i]
                d = dx * dx + dy * dy + dz * dz + 0.01
                w = 1.0 / (d * math.sqrt(d))
                sx += w * dx
                sy += w * dy
                sz += w * dz
            ax[i] = sx
            ay[i] = sy
            az[i] = sz

    reduce = cuda.reduce(lambda one, other: one + other)

    def flat(kernel, at=0):
        def run(*args):
            kernel[(args[at].shape[0] + threads - 1) // threads, threads](*args)

        return run

    def cut(extent, size):
        return (extent + size - 1) // size

    def five(a, b):
        k_five[(cut(a.shape[1], 32), cut(a.shape[0], 8)), (32, 8)](a, b)

    def seven(a, b):
        blocks = cut(a.shape[2], 32), cut(a.shape[1], 4), cut(a.shape[0], 2)
        k_seven[blocks, (32, 4, 2)](a, b)

    return {
        "copy": flat(k_copy),
        "axpy": flat(k_axpy, 1),
        "five_points": five,
        "five_points_nested": five,
        "five_points_serial_inside": five,
        "seven_points": seven,
        "seven_points_nested": seven,
        "total": lambda x: reduce(x),
        "chain": flat(k_chain),
        "black_scholes": flat(k_black_scholes),
        "n_body": flat(k_n_body),
    }


def by_cupy():
    """Give what CuPy's users write for the same."""

    def copy(x, y):
        y[:] = x

    @cupy.fuse()
    def fused_axpy(a, x, y):
        return y + a * x

    @cupy.fuse()
    def fused_chain(x, y):
        t = x * y + 1.0
        return cupy.sqrt(t * t + x) - y

    return {
        "copy": copy,
        "axpy": lambda a, x, y: cupy.copyto(y, fused_axpy(a, x, y)),
        "five_points": five_points.py_func,
        "seven_points": seven_points.py_func,
        "total": lambda x: x.sum().item(),
        "chain": lambda x, y, out: cupy.copyto(out, fused_chain(x, y)),
    }


def cases(scale):
    """Give the cases: a function, arguments, bytes that have to move, and operations on numbers."""
    random = np.random.default_rng(7)
    n = int(1 << 26) // scale
    side, edge, bodies = (
        int(8192 / math.sqrt(scale)),
        int(400 / scale ** (1 / 3)),
        32768 // int(math.sqrt(scale)),
    )
    x, y = random.random(n), random.random(n)
    grid, cube = random.random((side, side)), random.random((edge, edge, edge))
    options = n // 4
    price, strike, years = (
        random.uniform(low, high, options) for low, high in ((5, 30), (1, 100), (0.25, 10))
    )
    places = [random.random(bodies) for _ in range(3)]
    return [
        (copy, (x, y), 16 * n, 0),
        (axpy, (1.5, x, y), 24 * n, 2 * n),
        (five_points, (grid, np.zeros_like(grid)), 16 * side**2, 5 * side**2),
        (five_points_nested, (grid, np.zeros_like(grid)), 16 * side**2, 5 * side**2),
        (five_points_serial_inside, (grid, np.zeros_like(grid)), 16 * side**2, 5 * side**2),
        (seven_points, (cube, np.zeros_like(cube)), 16 * edge**3, 8 * edge**3),
        (seven_points_nested, (cube, np.zeros_like(cube)), 16 * edge**3, 8 * edge**3),
        (total, (x,), 8 * n, n),
        (chain, (x, y, np.zeros(n)), 24 * n, 0),
        (
            black_scholes,
            (price, strike, years, 0.02, 0.3, np.zeros(options), np.zeros(options)),
            40 * options,
            0,
        ),
        (n_body, (*places, *(np.zeros(bodies) for _ in range(3))), 0, 20 * bodies**2),
    ]


def timed(run, wait, seconds):
    """Give the seconds of a run: the best of five series that together take so long."""
    run()
    wait()
    begun = perf_counter()
    run()
    wait()
    repeat = max(1, int(seconds / 5 / max(perf_counter() - begun, 1e-7)))
    best = math.inf
    for _ in range(5):
        begun = perf_counter()
        for _ in range(repeat):
            run()
        wait()
        best = min(best, (perf_counter() - begun) / repeat)
    return best


def main():
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--seconds", type=float, default=0.3, help="of each measurement")
    parser.add_argument("--scale", type=int, default=1, help="divides the sizes, for slow devices")
    parser.add_argument("--json", help="a file for the numbers")
    options = parser.parse_args()
    device, is_cuda = options.device, options.device.startswith("cuda")
    hand = by_hand() if cuda is not None and is_cuda else {}
    others = by_cupy() if cupy is not None and is_cuda else {}
    found, bandwidth = [], None
    for function, args, moved, operations in cases(options.scale):
        name = function.py_func.__name__
        row = {"name": name}
        with device_context(device):
            ours = [pyopt.to_device(one) if isinstance(one, np.ndarray) else one for one in args]
            begun = perf_counter()
            try:
                function(*ours)
                synchronize()
            except Exception as error:
                print(f"{name}: {type(error).__name__}: {error}", flush=True)
                continue
            row["first"] = perf_counter() - begun
            before = totals(device)
            function(*ours)
            after = totals(device)
            row["launches"] = after.launches - before.launches
            row["moved"] = after.bytes_in + after.bytes_out - before.bytes_in - before.bytes_out
            row["ours"] = timed(partial(function, *ours), synchronize, options.seconds)
        compared = {}
        if name in hand:
            compared["hand"] = hand[name], cuda.to_device, cuda.synchronize
        if name in others:
            compared["cupy"] = others[name], cupy.asarray, cupy.cuda.Device().synchronize
        for other, (run, to_device, wait) in compared.items():
            try:
                theirs = [to_device(one) if isinstance(one, np.ndarray) else one for one in args]
                row[other] = timed(partial(run, *theirs), wait, options.seconds)
            except Exception as error:
                print(f"{name} of {other}: {type(error).__name__}: {error}", flush=True)
        if name == "copy" and "cupy" in row:
            bandwidth = moved / row["cupy"]
        if bandwidth is None:
            bandwidth = moved / row["ours"]
        row["rate"] = moved / row["ours"]
        row["share"] = row["rate"] / bandwidth if moved else None
        row["flops"] = operations / row["ours"]
        found.append(row)
        print(shown(row), flush=True)
    found.append(launch_cost(device, hand, options.seconds))
    print(f"bandwidth of a copy {bandwidth / 1e9:.0f} GB/s", flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(found, file, indent=1)


def shown(row):
    """Write the numbers of a case as a line."""
    parts = [f"{row['name']:25} {row['ours'] * 1e6:10.1f} us"]
    for other in ("hand", "cupy"):
        if other in row:
            parts.append(f"{other} {row[other] * 1e6:10.1f} us ({row[other] / row['ours']:.2f} x)")
    if row["share"] is not None:
        parts.append(f"{row['rate'] / 1e9:7.0f} GB/s ({row['share']:.0%})")
    elif row["flops"]:
        parts.append(f"{row['flops'] / 1e9:7.0f} GFLOP/s")
    parts.append(
        f"{row['launches']} launches, {row['moved']} bytes moved, first call {row['first']:.2f} s"
    )
    return "  ".join(parts)


def launch_cost(device, hand, seconds):
    """Time calls on small arrays: what a launch costs the thread that launches."""
    small = np.ones(256)
    row = {"name": "launch"}
    with device_context(device):
        x, y = pyopt.to_device(small), pyopt.to_device(small)
        row["ours"] = enqueued(lambda: axpy(1.0, x, y), synchronize, seconds)
    if "axpy" in hand:
        x, y = cuda.to_device(small), cuda.to_device(small)
        row["hand"] = enqueued(lambda: hand["axpy"](1.0, x, y), cuda.synchronize, seconds)
    print(
        "launch        ",
        {name: f"{one * 1e6:.2f} us" for name, one in row.items() if name != "name"},
        flush=True,
    )
    return row


def enqueued(run, wait, seconds):
    """Give the seconds of a call that only launches: a queue takes many before callers wait."""
    best = math.inf
    until = perf_counter() + seconds
    run()
    while perf_counter() < until:
        wait()
        begun = perf_counter()
        for _ in range(100):
            run()
        best = min(best, (perf_counter() - begun) / 100)
    wait()
    return best


if __name__ == "__main__":
    sys.exit(main())
