from pyopt import njit


class Encoder:
    def encode(self, x):
        return str(x)


ENCODER = Encoder()


def dumps(x):
    return ENCODER.encode(x)


@njit
def written(x):
    return dumps(x)


written(3.0)
