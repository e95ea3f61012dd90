"""``functools.cmp_to_key`` in compiled code: a key that is an instance of a dataclass."""

import functools
from dataclasses import dataclass

from pyopt.extending import overload


@dataclass
class _Key:
    obj: object
    compare: object

    def __lt__(self, other):
        return self.compare(self.obj, other.obj) < 0

    def __gt__(self, other):
        return self.compare(self.obj, other.obj) > 0

    def __le__(self, other):
        return self.compare(self.obj, other.obj) <= 0

    def __ge__(self, other):
        return self.compare(self.obj, other.obj) >= 0

    def __eq__(self, other):
        return self.compare(self.obj, other.obj) == 0

    __hash__ = None


@overload(functools.cmp_to_key)
def _(mycmp):
    return _cmp_to_key


def _cmp_to_key(mycmp):
    def key(obj):
        return _Key(obj, mycmp)

    return key
