import json

from pyopt import njit


@njit
def encode(x):
    return json.dumps(x)


encode(3.0)
