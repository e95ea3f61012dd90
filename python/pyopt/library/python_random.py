"""Python's ``random``: after a seed, the sequences of ``random.Random``.

Compiled code draws from a generator of its own, one for each thread.
"""

import math

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.bisection import position_right


@implements("random.seed")
def python_seed(a=None, version=2):
    """Give this thread's generator the state that Python makes of a number, or one nobody can foresee."""
    if a is None:
        intrinsics.draw("python_seed", None, (0, 0))
    elif isinstance(a, (str, bytes)):
        intrinsics.text("seed_python", intrinsics.host_text("random_key", a))
    elif isinstance(a, (int, float)):
        # The hash of a float counts with all of its bits.
        intrinsics.draw("python_seed", None, (abs(a) if isinstance(a, int) else hash(a), 1))
    else:
        intrinsics.unsupported("random.seed takes a number, a text or bytes")


@implements("random.random")
def random_unit():
    """Draw from 0 to 1, which is excluded."""
    return intrinsics.draw("python_unit", 0.0, ())


@implements("random.getrandbits")
def getrandbits(k):
    """Draw an int of so many bits."""
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    if k > 63:
        raise OverflowError("ints of compiled code have no more than 63 random bits")
    return intrinsics.draw("python_bits", 0, (k,))


@implements("random.randbytes")
def randbytes(n):
    """Draw so many bytes: those of an int of as many bits, from the least, of which 32 are drawn at once."""
    if n < 0:
        raise ValueError("number of bits must be non-negative")
    codes = []
    for first in range(0, n, 4):
        count = min(4, n - first)
        word = intrinsics.draw("python_bits", 0, (8 * count,))
        for _ in range(count):
            codes.append(word & 255)
            word >>= 8
    return bytes(codes)


def random_below(n):
    """Draw an int below one that is positive: of as many bits, until it fits."""
    bits = 0
    while n >> bits > 0:
        bits += 1
    number = intrinsics.draw("python_bits", 0, (bits,))
    while number >= n:
        number = intrinsics.draw("python_bits", 0, (bits,))
    return number


@implements("random.randrange")
def randrange(start, stop=None, step=1):
    """Draw an item of a range."""
    if stop is None:
        if start <= 0:
            raise ValueError("empty range for randrange()")
        return random_below(start)
    if step == 0:
        raise ValueError("zero step for randrange()")
    count = len(range(start, stop, step))
    if count <= 0:
        raise ValueError("empty range in randrange()")
    return start + step * random_below(count)


@implements("random.randint")
def randint(a, b):
    """Draw an int between two, which are included."""
    return randrange(a, b + 1)


@implements("random.choice")
def choose(seq):
    """Draw an item."""
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[random_below(len(seq))]


@implements("random.choices")
def choose_many(population, weights=None, *, cum_weights=None, k=1):
    """Draw items, each from all, evenly or by weights."""
    made = []
    if weights is None and cum_weights is None:
        for _ in range(k):
            made.append(population[math.floor(random_unit() * len(population))])
        return made
    sums = cumulative_weights(weights) if cum_weights is None else np.array(cum_weights)
    if len(sums) != len(population):
        raise ValueError("The number of weights does not match the population")
    if len(sums) == 0:
        raise IndexError("list index out of range")
    total = sums[-1] + 0.0
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    for _ in range(k):
        made.append(population[position_right(sums, random_unit() * total, 0, len(population) - 1)])
    return made


def cumulative_weights(weights):
    """Sum weights up to each one."""
    sums = np.array(weights)
    for i in range(1, len(sums)):
        sums[i] += sums[i - 1]
    return sums


@implements("random.shuffle")
def shuffle_items(x):
    """Bring the items into any order."""
    for i in range(len(x) - 1, 0, -1):
        j = random_below(i + 1)
        x[i], x[j] = x[j], x[i]


@implements("random.sample")
def sample_items(population, k):
    """Draw so many items, each position at most once."""
    size = len(population)
    if k < 0 or k > size:
        raise ValueError("Sample larger than population or is negative")
    made = []
    room = 21
    if k > 5:
        room += 4 ** math.ceil(math.log(k * 3) / math.log(4))
    if size <= room:
        places = np.arange(size)
        for i in range(k):
            j = random_below(size - i)
            made.append(population[places[j]])
            places[j] = places[size - i - 1]
    else:
        taken = set()
        for _ in range(k):
            j = random_below(size)
            while j in taken:
                j = random_below(size)
            taken.add(j)
            made.append(population[j])
    return made


@implements("random.uniform")
def uniform_between(a, b):
    """Draw from an interval."""
    return a + (b - a) * random_unit()


@implements("random.triangular")
def triangular_between(low=0.0, high=1.0, mode=None):
    """Draw from a triangular distribution."""
    u = random_unit()
    first = float(low)
    last = float(high)
    if mode is None:
        c = 0.5
    else:
        if first == last:
            return first
        c = (mode - first) / (last - first)
    if u > c:
        u = 1.0 - u
        c = 1.0 - c
        first, last = last, first
    return first + (last - first) * math.sqrt(u * c)


@implements("random.gauss")
def gauss(mu=0.0, sigma=1.0):
    """Draw from a normal distribution; numbers come in pairs."""
    return intrinsics.draw("python_gauss", 0.0, (float(mu), float(sigma)))


@implements("random.normalvariate")
def normalvariate(mu=0.0, sigma=1.0):
    """Draw from a normal distribution."""
    return intrinsics.draw("python_normal", 0.0, (float(mu), float(sigma)))


@implements("random.lognormvariate")
def lognormvariate(mu=0.0, sigma=1.0):
    """Draw what has a normally distributed logarithm."""
    return math.exp(normalvariate(mu, sigma))


@implements("random.expovariate")
def expovariate(lambd=1.0):
    """Draw from an exponential distribution of a rate."""
    if lambd == 0:
        raise ZeroDivisionError("float division by zero")
    return intrinsics.draw("python_exponential", 0.0, (float(lambd),))


@implements("random.vonmisesvariate")
def vonmisesvariate(mu, kappa):
    """Draw an angle around a mean one."""
    return intrinsics.draw("python_vonmises", 0.0, (float(mu), float(kappa)))


@implements("random.gammavariate")
def gammavariate(alpha, beta):
    """Draw from a gamma distribution."""
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    return intrinsics.draw("python_gamma", 0.0, (float(alpha), float(beta)))


@implements("random.betavariate")
def betavariate(alpha, beta):
    """Draw from a beta distribution."""
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    return intrinsics.draw("python_beta", 0.0, (float(alpha), float(beta)))


@implements("random.paretovariate")
def paretovariate(alpha):
    """Draw from Pareto's distribution."""
    if alpha == 0:
        raise ZeroDivisionError("float division by zero")
    return intrinsics.draw("python_pareto", 0.0, (float(alpha),))


@implements("random.weibullvariate")
def weibullvariate(alpha, beta):
    """Draw from Weibull's distribution."""
    if beta == 0:
        raise ZeroDivisionError("float division by zero")
    return intrinsics.draw("python_weibull", 0.0, (float(alpha), float(beta)))
