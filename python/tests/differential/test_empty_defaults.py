"""`d.get(key, ())` of containers that are only gone through, and keys that may be None."""

import pytest

from pyopt import errors, njit


def neighbours(graph):
    found = []
    for node in (1, 2, 3):
        for other in graph.get(node, ()):
            found.append(other)
    return found


@pytest.mark.parametrize("graph", [{1: [2, 5], 3: [1]}, {1: {2, 5}, 3: {1}}, {1: {2: 0}, 3: {5: 0}}])
def test_containers_that_are_gone_through(graph):
    assert njit(neighbours)(graph) == neighbours(graph)


def test_what_reads_items():
    def program(graph):
        return (
            [len(graph.get(node, ())) for node in (1, 2, 3)],
            [5 in graph.get(node, ()) for node in (1, 2, 3)],
            sorted(graph.get(9, ())),
            list(graph.get(1, ())),
            sum(graph.pop(1, ())),
        )

    assert njit(program)({1: [2, 5], 3: [1]}) == program({1: [2, 5], 3: [1]})


def test_what_could_be_told_apart_is_refused():
    with pytest.raises(errors.TypingError, match="have no common type"):
        njit(lambda graph: graph.get(1, ()))({1: [2]})
    with pytest.raises(errors.TypingError, match="have no common type"):
        njit(lambda graph: graph.get(1, ()) == ())({1: [2]})


@pytest.mark.parametrize("given", [0, 1])
def test_none_is_in_no_container_of_others(given):
    def of_texts(given):
        key = "a" if given else None
        return (
            key in {"a": 1},
            key in {"a", "b"},
            key in ["a", "c"],
            key in {"a": 1}.keys(),  # noqa: SIM118
            key not in {"b": 1},
        )

    def of_ints(given):
        key = 3 if given else None
        found = [1, 3]
        found.append(4)
        return key in {3: 1}, key in {3}, key in found, key in range(5), key in (3, None), found.count(4)

    assert njit(of_texts)(given) == of_texts(given)
    assert njit(of_ints)(given) == of_ints(given)


def test_none_is_in_a_list_that_has_it():
    def program(given):
        key = 3 if given else None
        found = [1, None, 3]
        return key in found, None in found, key in [1, 2]

    for given in (0, 1):
        assert njit(program)(given) == program(given)
