"""What Numba has in ``numba.typed``: lists and dicts of its own, which pyopt doesn't have yet."""

from pyopt.missing import missing_class

List = missing_class("typed.List")
Dict = missing_class("typed.Dict")
