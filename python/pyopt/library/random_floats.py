"""numpy.random's legacy distributions of real numbers."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.broadcasting import as_tuple
from pyopt.library.random_draws import as_real, draw_floats
from pyopt.library.shapes import product


@implements("numpy.random.standard_normal")
def random_standard_normal(size=None):
    """Draw from the standard normal distribution."""
    return draw_floats("normal", size, (0.0, 1.0))


@implements("numpy.random.randn")
def random_randn(*shape):
    """Draw an array of a shape from the standard normal distribution."""
    if len(shape) == 0:
        return random_standard_normal()
    return random_standard_normal(shape)


@implements("numpy.random.normal")
def random_normal(loc=0.0, scale=1.0, size=None):
    """Draw from a normal distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return draw_floats("normal", size, (as_real(loc), as_real(scale)))


@implements("numpy.random.lognormal")
def random_lognormal(mean=0.0, sigma=1.0, size=None):
    """Draw numbers whose logarithms have a normal distribution."""
    if sigma < 0:
        raise ValueError("sigma < 0")
    return draw_floats("lognormal", size, (as_real(mean), as_real(sigma)))


@implements("numpy.random.standard_exponential")
def random_standard_exponential(size=None):
    """Draw from the exponential distribution of mean 1."""
    return draw_floats("exponential", size, (1.0,))


@implements("numpy.random.exponential")
def random_exponential(scale=1.0, size=None):
    """Draw from an exponential distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return draw_floats("exponential", size, (as_real(scale),))


@implements("numpy.random.standard_gamma")
def random_standard_gamma(shape, size=None):
    """Draw from a gamma distribution of scale 1."""
    return random_gamma(shape, 1.0, size)


@implements("numpy.random.gamma")
def random_gamma(shape, scale=1.0, size=None):
    """Draw from a gamma distribution."""
    if shape < 0:
        raise ValueError("shape < 0")
    if scale < 0:
        raise ValueError("scale < 0")
    return draw_floats("gamma", size, (as_real(shape), as_real(scale)))


@implements("numpy.random.beta")
def random_beta(a, b, size=None):
    """Draw from a beta distribution."""
    if a <= 0:
        raise ValueError("a <= 0")
    if b <= 0:
        raise ValueError("b <= 0")
    return draw_floats("beta", size, (as_real(a), as_real(b)))


@implements("numpy.random.chisquare")
def random_chisquare(df, size=None):
    """Draw from a chi-square distribution."""
    if df <= 0:
        raise ValueError("df <= 0")
    return draw_floats("chisquare", size, (as_real(df),))


@implements("numpy.random.noncentral_chisquare")
def random_noncentral_chisquare(df, nonc, size=None):
    """Draw from a chi-square distribution that isn't central."""
    if df <= 0:
        raise ValueError("df <= 0")
    if nonc < 0:
        raise ValueError("nonc < 0")
    return draw_floats("noncentral_chisquare", size, (as_real(df), as_real(nonc)))


@implements("numpy.random.f")
def random_f(dfnum, dfden, size=None):
    """Draw from an F distribution."""
    if dfnum <= 0:
        raise ValueError("dfnum <= 0")
    if dfden <= 0:
        raise ValueError("dfden <= 0")
    return draw_floats("f", size, (as_real(dfnum), as_real(dfden)))


@implements("numpy.random.standard_t")
def random_standard_t(df, size=None):
    """Draw from Student's t distribution."""
    if df <= 0:
        raise ValueError("df <= 0")
    return draw_floats("t", size, (as_real(df),))


@implements("numpy.random.standard_cauchy")
def random_standard_cauchy(size=None):
    """Draw from the Cauchy distribution."""
    return draw_floats("cauchy", size, ())


@implements("numpy.random.pareto")
def random_pareto(a, size=None):
    """Draw from a Pareto distribution that begins at 0."""
    if a <= 0:
        raise ValueError("a <= 0")
    return draw_floats("pareto", size, (as_real(a),))


@implements("numpy.random.weibull")
def random_weibull(a, size=None):
    """Draw from a Weibull distribution."""
    if a < 0:
        raise ValueError("a < 0")
    return draw_floats("weibull", size, (as_real(a),))


@implements("numpy.random.power")
def random_power(a, size=None):
    """Draw from a distribution whose density is a power."""
    if a <= 0:
        raise ValueError("a <= 0")
    return draw_floats("power", size, (as_real(a),))


@implements("numpy.random.rayleigh")
def random_rayleigh(scale=1.0, size=None):
    """Draw from a Rayleigh distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return draw_floats("rayleigh", size, (as_real(scale),))


@implements("numpy.random.laplace")
def random_laplace(loc=0.0, scale=1.0, size=None):
    """Draw from a Laplace distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return draw_floats("laplace", size, (as_real(loc), as_real(scale)))


@implements("numpy.random.gumbel")
def random_gumbel(loc=0.0, scale=1.0, size=None):
    """Draw from a Gumbel distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return draw_floats("gumbel", size, (as_real(loc), as_real(scale)))


@implements("numpy.random.logistic")
def random_logistic(loc=0.0, scale=1.0, size=None):
    """Draw from a logistic distribution."""
    if scale < 0:
        raise ValueError("scale < 0")
    return draw_floats("logistic", size, (as_real(loc), as_real(scale)))


@implements("numpy.random.triangular")
def random_triangular(left, mode, right, size=None):
    """Draw from a triangular distribution."""
    if left > mode:
        raise ValueError("left > mode")
    if mode > right:
        raise ValueError("mode > right")
    if left == right:
        raise ValueError("left == right")
    return draw_floats("triangular", size, (as_real(left), as_real(mode), as_real(right)))


@implements("numpy.random.vonmises")
def random_vonmises(mu, kappa, size=None):
    """Draw angles from a von Mises distribution."""
    if kappa < 0:
        raise ValueError("kappa < 0")
    return draw_floats("vonmises", size, (as_real(mu), as_real(kappa)))


@implements("numpy.random.wald")
def random_wald(mean, scale, size=None):
    """Draw from an inverse Gaussian distribution."""
    if mean <= 0:
        raise ValueError("mean <= 0")
    if scale <= 0:
        raise ValueError("scale <= 0")
    return draw_floats("wald", size, (as_real(mean), as_real(scale)))


@implements("numpy.random.dirichlet")
def random_dirichlet(alpha, size=None):
    """Draw vectors of parts of 1 from a Dirichlet distribution."""
    shapes = np.asarray(alpha)
    for i in range(shapes.size):
        if shapes[i] <= 0:
            raise ValueError("alpha <= 0")
    if size is None:
        out = np.empty(shapes.size)
        draw_parts(out, shapes)
        return out
    return many_parts(shapes, as_tuple(size))


def draw_parts(out, shapes):
    """Draw parts of 1: gamma numbers by their sum."""
    total = 0.0
    for i in range(shapes.size):
        out[i] = random_gamma(shapes[i])
        total += out[i]
    inverse = 1.0 / total
    for i in range(shapes.size):
        out[i] *= inverse


def many_parts(shapes, size):
    """Draw an array of vectors of parts of 1."""
    out = np.empty(size + (shapes.size,))
    rows = intrinsics.reshape(out, (product(size), shapes.size))
    for i in range(rows.shape[0]):
        draw_parts(rows[i], shapes)
    return out
