"""What the compiler writes since CPython 3.14."""


def template(name, width, price):
    return t"{name!r:>{width}} costs {price:.2f}", t"{name}{price!s}"


def short_cuts(values):
    return all(x for x in values), any(x > 1 for x in values), tuple(x for x in values)


def other(values, all):
    return all(x for x in values)
