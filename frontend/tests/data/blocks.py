"""Blocks that are entered with the call of a name, as those of `objmode` are."""

from contextlib import nullcontext


def following(x):
    with nullcontext():
        print(x)
    with nullcontext():
        pass
    return x


def handling(values):
    for value in values:
        with nullcontext():
            try:
                print(value)
            except ValueError:
                print(values)
        print(value)
