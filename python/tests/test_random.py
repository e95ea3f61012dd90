"""numpy.random in compiled code: after a seed, the sequences of NumPy's RandomState."""

import os
import random

import numpy as np
import pytest

from pyopt import errors, njit, prange

# Calls of each distribution, with parameters for all of its algorithms.
CALLS = (
    "random_sample({})",
    "random({})",
    "ranf({})",
    "sample({})",
    "uniform(size={})",
    "uniform(-2, 7.5, {})",
    "standard_normal({})",
    "normal(size={})",
    "normal(3, 0.5, {})",
    "lognormal(0.5, 0.25, {})",
    "standard_exponential({})",
    "exponential(2.5, {})",
    "standard_gamma(0.3, {})",
    "standard_gamma(1, {})",
    "gamma(2.5, 3.0, {})",
    "gamma(0, 3.0, {})",
    "beta(0.5, 0.7, {})",
    "beta(2.5, 0.7, {})",
    "chisquare(3, {})",
    "noncentral_chisquare(3.0, 2.0, {})",
    "noncentral_chisquare(0.5, 2.0, {})",
    "noncentral_chisquare(0.5, 0, {})",
    "f(3, 4.5, {})",
    "standard_t(3.5, {})",
    "pareto(2.5, {})",
    "weibull(1.5, {})",
    "weibull(0, {})",
    "power(2.5, {})",
    "rayleigh(2, {})",
    "laplace(1, 2, {})",
    "gumbel(1, 2, {})",
    "logistic(1, 2, {})",
    "triangular(-1, 2, 5.0, {})",
    "vonmises(0.5, 4.0, {})",
    "vonmises(0.5, 1e-9, {})",
    "vonmises(0.5, 2e-6, {})",
    "wald(1.5, 2.5, {})",
    "randint(1, size={})",
    "randint(-5, 7, {})",
    "randint(0, 2**32, {})",
    "randint(-(2**62), 2**62, {})",
    "randint(100, size={})",
    "poisson(0.0, {})",
    "poisson(3.5, {})",
    "poisson(40, {})",
    "binomial(10, 0.3, {})",
    "binomial(10, 0.8, {})",
    "binomial(200, 0.3, {})",
    "binomial(5000, 0.6, {})",
    "binomial(0, 0.6, {})",
    "negative_binomial(5, 0.3, {})",
    "geometric(0.5, {})",
    "geometric(0.1, {})",
    "zipf(2.5, {})",
    "logseries(0.7, {})",
    "hypergeometric(7, 12, 5, {})",
    "hypergeometric(70, 120, 50, {})",
    "hypergeometric(700, 120, 500, {})",
    "multinomial(20, np.array([0.2, 0.3, 0.5]), {})",
    "multinomial(2000, (0.2, 0.3, 0.4), {})",
    "dirichlet(np.array([0.5, 2.0, 1.0]), {})",
    "choice(10, {})",
    "choice(np.array([2.5, 3.5, 9.0]), {})",
    "choice(np.array([2.5, 3.5, 9.0]), {}, True, np.array([0.25, 0.5, 0.25]))",
    "choice(200, {}, replace=False)",
    "choice(200, {}, False, np.arange(200) / 19900)",
)


def program(expression):
    """Make a function that seeds, draws a few times and hands out everything."""
    names = {"np": np}
    source = f"def f(seed):\n    np.random.seed(seed)\n    return {', '.join([expression] * 3)}\n"
    exec(source, names)
    return names["f"]


@pytest.mark.parametrize("call", CALLS)
def test_sequences(call):
    for size in ("None", "7", "(3, 50)", "0"):
        python = program(f"np.random.{call.format(size)}")
        compiled = njit(python)
        for seed in (0, 1, 42, 2**32 - 1):
            for one, other in zip(compiled(seed), python(seed), strict=True):
                assert np.asarray(one).dtype == np.asarray(other).dtype
                np.testing.assert_array_equal(one, other)


def check(python, *args):
    """Compare what a function gives after a seed with Python's."""
    compiled = njit(python)
    for seed in (0, 5):
        np.testing.assert_equal(compiled(seed, *args), python(seed, *args))


@pytest.mark.parametrize("seed", ["abc", "", "é€𝄞", b"xyz", b"", 2.5, -2.5, True, -7, 2**40, "a" * 1000])
def test_seeds_of_pythons_random(seed):
    def draw(seed):
        random.seed(seed)
        return random.random(), random.randint(0, 99), random.getrandbits(40)

    assert njit(draw)(seed) == draw(seed)


def test_draws_of_several_distributions_share_the_state():
    def mixed(seed, n):
        np.random.seed(seed)
        out = np.empty(n)
        for i in range(n):
            kind = i % 5
            if kind == 0:
                out[i] = np.random.normal()
            elif kind == 1:
                out[i] = np.random.rand()
            elif kind == 2:
                out[i] = np.random.randint(10)
            elif kind == 3:
                out[i] = np.random.gamma(2.0)
            else:
                out[i] = np.random.poisson(20.0)
        return out, np.random.randn(3, 2), np.random.rand(2), np.random.rand(1, 2, 3)

    check(mixed, 101)


def test_orders():
    def orders(seed, a, b):
        np.random.seed(seed)
        x, y = a.copy(), b.copy()
        np.random.shuffle(x)
        np.random.shuffle(y)
        z = x[::-1]
        np.random.shuffle(z)
        return x, y, z, np.random.permutation(9), np.random.permutation(a), np.random.permutation(b)

    check(orders, np.arange(20.0), np.arange(24).reshape(6, 4))
    check(orders, np.zeros(0), np.zeros((1, 3)))


ERRORS = (
    ("normal(scale=-1.0)", "scale < 0"),
    ("uniform(0.0, np.inf)", "Range exceeds valid bounds"),
    ("exponential(-1)", "scale < 0"),
    ("gamma(-1.0)", "shape < 0"),
    ("beta(0.0, 1.0)", "a <= 0"),
    ("beta(1.0, 0)", "b <= 0"),
    ("randint(5, 5)", "low >= high"),
    ("randint(0)", "high <= 0"),
    ("poisson(-1.0)", "lam < 0 or lam is NaN"),
    ("poisson(np.nan)", "lam < 0 or lam is NaN"),
    ("binomial(-1, 0.5)", "n < 0"),
    ("binomial(3, 1.5)", "p < 0, p > 1 or p is NaN"),
    ("geometric(0.0)", "p <= 0, p > 1 or p contains NaNs"),
    ("zipf(1.0)", "a <= 1 or a is NaN"),
    ("logseries(1.0)", "p < 0, p >= 1 or p is NaN"),
    ("hypergeometric(3, 4, 8)", "ngood + nbad < nsample"),
    ("triangular(3.0, 2.0, 4.0)", "left > mode"),
    ("triangular(2.0, 2.0, 2.0)", "left == right"),
    ("multinomial(3, np.array([0.7, 0.7, 0.1]))", "sum(pvals[:-1]"),
    ("dirichlet(np.array([0.0, 1.0]))", "alpha <= 0"),
    ("choice(3, 5, False)", "Cannot take a larger sample than population"),
    ("choice(3, 5, True, np.array([0.1, 0.2, 0.3]))", "do not sum to 1"),
    ("choice(0, 5)", "a must be greater than 0"),
    ("seed(-1)", "Seed must be between 0 and 2**32 - 1"),
    ("seed(2**32)", "Seed must be between 0 and 2**32 - 1"),
)


@pytest.mark.parametrize(("call", "message"), ERRORS)
def test_errors(call, message):
    names = {"np": np}
    exec(f"def f():\n    return np.random.{call}", names)
    for function in (names["f"], njit(names["f"])):
        with pytest.raises((ValueError, OverflowError)) as raised:
            function()
        assert message[:8] in str(raised.value)
    assert message in str(raised.value)


def test_numpys_own_state_is_another():
    @njit
    def draw():
        return np.random.rand()

    np.random.seed(1)
    first = np.random.rand()
    np.random.seed(1)
    assert draw() != first
    assert np.random.rand() == first


def test_what_is_not_supported():
    @njit
    def of_arrays(scale):
        return np.random.normal(0.0, scale)

    with pytest.raises(errors.TypingError, match="draw in a loop for arrays of them"):
        of_arrays(np.ones(3))


def test_a_forked_child_draws_others():
    @njit
    def draw(n):
        return np.random.rand(n)

    @njit
    def seed(number):
        np.random.seed(number)

    seed(7)
    draw(1)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, draw(4).tobytes())
        os._exit(0)
    os.waitpid(child, 0)
    drawn = np.frombuffer(os.read(reading, 64))
    assert drawn.size == 4
    assert not np.isin(drawn, draw(4)).any()


def test_draws_on_threads():
    @njit(parallel=True)
    def arrays(n):
        return np.random.rand(n), np.random.normal(2.0, 3.0, (4, n // 4)), np.random.randint(0, 10, n)

    @njit(parallel=True)
    def loop(n):
        out = np.empty(n)
        for i in prange(n):
            out[i] = np.random.rand()
        return out

    n = 1_000_000
    uniform, normal, integers = arrays(n)
    in_loop = loop(n)
    for values in (uniform, in_loop):
        assert np.unique(values).size > n - 10
        assert abs(values.mean() - 0.5) < 5 / np.sqrt(12 * n)
        assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.01
        halves = values.reshape(2, -1)
        assert abs(np.corrcoef(halves)[0, 1]) < 0.01
    assert abs(normal.mean() - 2.0) < 5 * 3 / np.sqrt(n)
    assert abs(normal.std() - 3.0) < 0.02
    assert abs(np.bincount(integers) / n - 0.1).max() < 0.003
    assert "parfor.launch" in arrays.inspect_ir("parfor-to-threads")

    # What is too little for several threads is drawn by the calling one.
    @njit(parallel=True)
    def few(seed):
        np.random.seed(seed)
        return np.random.rand(5)

    np.testing.assert_array_equal(few(3), np.random.RandomState(3).rand(5))


@pytest.mark.parametrize("kind", [np.float32, np.int32, np.uint8])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("normal", (1, 2)),
        ("exponential", (2,)),
        ("gamma", (2, 3)),
        ("beta", (2, 3)),
        ("poisson", (4,)),
        ("binomial", (10, 0.25)),
        ("geometric", (0.25,)),
        ("uniform", (1, 4)),
        ("laplace", (0, 1)),
        ("pareto", (3,)),
        ("vonmises", (0.5, 2)),
        ("hypergeometric", (5, 6, 7)),
    ],
)
def test_parameters_of_other_types(name, parameters, kind):
    # What the type can't hold is a float32.
    given = [kind(one) if kind(one) == one else np.float32(one) for one in parameters]
    draw = getattr(np.random, name)

    def sample(seed, *given):
        np.random.seed(seed)
        return draw(*given), draw(*given, 5)

    expected, found = sample(3, *given), njit(sample)(3, *given)
    assert found[0] == expected[0]
    np.testing.assert_array_equal(found[1], expected[1])


def test_a_noncentrality_that_is_no_number():
    @njit
    def draw(df):
        return np.random.noncentral_chisquare(df, np.nan)

    assert np.isnan(draw(0.5)) and np.isnan(draw(5.0))


def test_choices_from_lists():
    def draws(seed):
        np.random.seed(seed)
        shares, names = [0.25, 0.5, 0.25], [4, 5, 6]
        changed = [x * 2 for x in names]
        return (
            np.random.choice(3, 4, p=shares),
            np.random.choice(3, p=[0.5, 0.25, 0.25]),
            np.random.choice([1.5, 2.5], 3),
            np.random.choice(changed, 2, replace=False, p=np.array(shares)),
            np.random.permutation([1, 2, 3]),
            np.random.permutation(changed),
        )

    for expected, found in zip(draws(7), njit(draws)(7), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_states_of_generators_are_kept_and_restored():
    from pyopt.numba import random_states as states

    @njit
    def draw(n):
        return [(random.random(), np.random.normal()) for _ in range(n)]

    both = states.rnd_get_np_state_ptr(), states.rnd_get_py_state_ptr()
    draw(5)
    # A normal number that is kept for the next call isn't part of a state.
    for one in both:
        states.rnd_set_state(one, states.rnd_get_state(one))
    kept = [states.rnd_get_state(one) for one in both]
    drawn = draw(700)
    for one, state in zip(both, kept, strict=True):
        states.rnd_set_state(one, state)
    assert draw(700) == drawn

    theirs = random.Random(5)
    *words, position = theirs.getstate()[1]
    states.rnd_set_state(both[1], (position, words))
    states.rnd_seed(both[0], 9)
    ours = np.random.RandomState(9)
    assert draw(3) == [(theirs.random(), ours.normal()) for _ in range(3)]
    states.rnd_seed(both[0], bytes(range(64)))
    ours = np.random.RandomState(np.frombuffer(bytes(range(64)), np.uint32))
    assert draw(1)[0][1] == ours.normal()
    for wrong in ((625, words), (0, words[1:])):
        with pytest.raises(ValueError, match="a list of 624 words"):
            states.rnd_set_state(both[0], wrong)


def test_seeds_that_are_none():
    @njit
    def draws(seed):
        np.random.seed(seed)
        first = np.random.random()
        np.random.seed()
        return first, np.random.random()

    assert len({one for _ in range(5) for one in draws(None)}) == 10
    assert draws(3)[0] == np.random.RandomState(3).random()
    with pytest.raises(errors.TypingError, match="takes an int or None"):
        draws(1.5)


def test_parameters_that_python_divides_by():
    for draw in (lambda: random.paretovariate(0.0), lambda: random.weibullvariate(1, 0.0)):
        with pytest.raises(ZeroDivisionError):
            njit(draw)()


def test_lists_and_buffers_are_shuffled():
    def shuffled(seed, items, memory):
        np.random.seed(seed)
        words = [str(x) for x in items]
        np.random.shuffle(items)
        np.random.shuffle(words)
        np.random.shuffle(memory)
        return words

    for function in (shuffled, njit(shuffled)):
        items, array = list(range(9)), np.arange(20)
        words = function(5, items, memoryview(array))
        if function is shuffled:
            expected = words, items, array.tolist()
    assert (words, items, array.tolist()) == expected
    with pytest.raises(errors.TypingError):
        njit(shuffled)(5, [1], memoryview(b"abc"))


def test_records_are_shuffled():
    def reordered(records):
        np.random.seed(3)
        np.random.shuffle(records)
        return np.random.permutation(records.T[0] if records.ndim > 1 else records), records.dtype.kind

    def made(*shape):
        records = np.zeros(6, [("a", np.int64), ("b", np.float32)])
        records["a"], records["b"] = np.arange(6), np.arange(6) * 1.5
        return records.reshape(shape)

    for shape in ((6,), (3, 2)):
        found, expected = made(*shape), made(*shape)
        for one, other in zip(njit(reordered)(found), reordered(expected), strict=True):
            np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(found, expected)
