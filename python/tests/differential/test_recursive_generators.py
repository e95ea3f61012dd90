"""Recursions whose results a generator yields to what computes them: the base is that it yields nothing."""

import pytest

from pyopt import njit

TREE = {1: [2, 3], 2: [], 3: [4], 4: []}


def count(tree, node):
    def below(node):
        return 1 + sum(below(child) for child in tree[node])

    return below(node)


def depth(tree, node):
    def below(node):
        return 1 + max((below(child) for child in tree[node]), default=0)

    return below(node)


def text(tree, node):
    def below(node):
        return str(node) + "(" + ",".join(below(child) for child in tree[node]) + ")"

    return below(node)


def mapped(tree, node):
    def below(node):
        return 0.5 + sum(map(below, tree[node]))

    return below(node)


def is_known(tree, node):
    def below(node):
        return node == 4 or any(below(child) for child in tree[node])

    return below(node)


@pytest.mark.parametrize("program", [count, depth, text, mapped, is_known])
def test_programs(program):
    for node in TREE:
        assert njit(program)(TREE, node) == program(TREE, node)


@njit
def size(tree, node):
    return 1 + sum(size(tree, child) for child in tree[node])


def test_a_function_that_is_compiled():
    assert size(TREE, 1) == 4
