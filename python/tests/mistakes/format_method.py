from pyopt import njit


@njit
def show(x):
    print("value: {:.2f}".format(x))
    return x


show(3.0)
