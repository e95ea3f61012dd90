"""Global objects of ``collections``, and global containers of arrays and of None: constants."""

from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from copy import deepcopy

import numpy as np
import pytest

from pyopt import errors, njit

QUEUE = deque([3, 1, 2])
PAIRS = deque([(1, "a"), (2, "b")])
COUNTS = Counter("abracadabra")
OTHERS = Counter({"a": 1, "q": 5})
PLACES = Counter([(1, 2), (1, 2), (0, 0)])
ORDER = OrderedDict([("b", 1), ("a", 2)])
GRAPH = OrderedDict([("a", ["b", "c"]), ("b", []), ("c", ["b"])])
OF_QUEUES = {"a": deque([1, 2]), "b": deque([3])}
SOME = {"a": 1, "b": None, "c": 3}
LISTED = [None, "x", "y"]
ARRAYS = [np.arange(3.0), np.ones(2)]
MATRICES = {"c": np.ones((2, 3)), "d": np.zeros((1, 1))}
GROUPS = defaultdict(list, {"a": [1]})
SHORT = deque([1, 2], maxlen=2)
FRACTIONS = Counter({"a": 0.5})
EMPTY = deque()
LAYERS = ChainMap({"a": 1})


def walked(start):
    seen, queue = [start], deque([start])
    while queue:
        for node in GRAPH[queue.popleft()]:
            if node not in seen:
                seen.append(node)
                queue.append(node)
    return seen


def copied():
    queue, counts, order = QUEUE.copy(), COUNTS.copy(), ORDER.copy()
    queue.append(4)
    counts["z"] += 1
    order["q"] = 5
    both = COUNTS + OTHERS
    both["b"] -= 1
    return queue, counts, order, both, len(QUEUE), len(COUNTS), len(ORDER)


@pytest.mark.parametrize(
    "function",
    [
        lambda: (QUEUE[0], QUEUE[-1], len(QUEUE), 2 in QUEUE, bool(QUEUE), QUEUE.maxlen),
        lambda: (sum(QUEUE), max(QUEUE), sorted(QUEUE), list(QUEUE), [x for x in reversed(QUEUE)]),
        lambda: (QUEUE.index(1), QUEUE.count(1), QUEUE == deque([3, 1, 2]), QUEUE + QUEUE, QUEUE * 2),
        lambda: QUEUE[5],
        lambda: QUEUE,
        lambda: ([text * count for count, text in PAIRS], PAIRS[0]),
        lambda: (COUNTS["a"], COUNTS["zz"], "zz" in COUNTS, len(COUNTS), COUNTS.get("b")),
        lambda: (COUNTS.most_common(2), COUNTS.total(), sorted(COUNTS.elements())),
        lambda: (COUNTS + OTHERS, COUNTS - OTHERS, COUNTS & OTHERS, COUNTS | OTHERS),
        lambda: (
            COUNTS == OTHERS,
            COUNTS == Counter(COUNTS),
            COUNTS >= Counter("a"),
            sum(COUNTS.values()),
            dict(COUNTS),
            Counter(COUNTS),
        ),
        lambda: COUNTS,
        lambda: (PLACES[1, 2], PLACES[5, 5]),
        lambda: (ORDER["a"], list(ORDER), list(ORDER.items()), list(ORDER.values()), "b" in ORDER),
        lambda: (ORDER.get("z", 5), max(ORDER, key=ORDER.get), [key for key in reversed(ORDER)]),
        lambda: (ORDER == OrderedDict([("a", 2), ("b", 1)]), ORDER == {"a": 2, "b": 1}),
        lambda: ORDER["z"],
        lambda: ORDER,
        lambda: walked("a"),
        lambda: (sum(OF_QUEUES["a"]), [len(queue) for queue in OF_QUEUES.values()]),
        lambda: copied(),
        lambda: [(key, SOME[key] is None) for key in SOME],
        lambda: (SOME["a"], SOME["b"], [text is None for text in LISTED], LISTED[1]),
        lambda: [float(array.sum()) for array in ARRAYS],
        lambda: [MATRICES[key].shape for key in MATRICES],
    ],
)
def test_reading(function):
    try:
        expected = function()
    except Exception as error:
        with pytest.raises(type(error)) as raised:
            njit(function)()
        assert str(raised.value) == str(error)
        return
    found = njit(function)()
    assert repr(found) == repr(expected)
    assert type(found) is type(expected)


CHANGES = """
QUEUE[0] = 5; del QUEUE[0]; QUEUE.append(1); QUEUE.appendleft(1); QUEUE.pop(); QUEUE.popleft()
QUEUE.clear(); QUEUE.extend([1]); QUEUE.extendleft([1]); QUEUE.insert(0, 1); QUEUE.remove(1)
QUEUE.reverse(); QUEUE.rotate(1)
other = QUEUE; other += [1]
COUNTS["a"] = 3; COUNTS["a"] += 1; del COUNTS["a"]; COUNTS.update("ab"); COUNTS.subtract("ab"); COUNTS.clear()
COUNTS.pop("a"); COUNTS.popitem(); COUNTS.setdefault("a", 5)
ORDER["a"] = 3; del ORDER["a"]; ORDER.popitem(); ORDER.move_to_end("a"); ORDER.pop("a"); ORDER.clear()
ORDER.update({"z": 1}); ORDER.setdefault("z", 1)
GRAPH["a"].append("z")
OF_QUEUES["a"].append(1)
"""


def _changes():
    for line in CHANGES.strip().splitlines():
        yield from [line] if line.startswith("other") else line.split("; ")
    for operator in "+-|&":
        yield f"other = COUNTS; other {operator}= OTHERS"


@pytest.mark.parametrize("change", list(_changes()))
def test_changes_are_refused(change):
    before = deepcopy((QUEUE, COUNTS, ORDER, GRAPH, OF_QUEUES))
    scope = dict(globals())
    exec(f"def change():\n    {change}\n", scope)
    with pytest.raises(errors.TypingError, match=r"a global \w+ is a constant of compiled code"):
        njit(scope["change"])()
    assert before == (QUEUE, COUNTS, ORDER, GRAPH, OF_QUEUES)


def test_what_a_signature_is_declared_for_has_the_object_of_then():
    queue = deque([1, 2])

    @njit("int64(int64)")
    def f(x):
        return queue[0] + x

    queue[0] = 50
    assert f(1) == 2
    assert njit(lambda x: f(x))(1) == 2


def test_elements_of_global_arrays_are_constants_too():
    def change():
        ARRAYS[0][0] = 5.0

    with pytest.raises(errors.TypingError, match="readonly"):
        njit(change)()


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: GROUPS["a"], r"a global defaultdict, of which \[\] may put a key in"),
        (lambda: len(SHORT), "a global deque with a greatest length"),
        (lambda: FRACTIONS["a"], "a global Counter of counts that aren't ints"),
        (lambda: len(EMPTY), "a global deque without items"),
        (lambda: LAYERS["a"], "a global ChainMap"),
    ],
)
def test_what_is_no_constant(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)()
