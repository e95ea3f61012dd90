"""While loops, nested loops, break, continue and else."""

import pytest
from compare import check, combinations

# While loops, breaks, else


def while_else(n):
    k = 2
    while k * k <= n:
        if n % k == 0:
            found = k
            break
        k += 1
    else:
        found = 0
    return found


def while_true(n):
    guess = 0
    while True:
        if guess * guess >= n:
            break
        guess += 1
    return guess


def while_return(n):
    x = n
    while True:
        if x < 3:
            return x
        if x % 5 == 0:
            return -x
        x -= 1


def while_continue(n):
    i = odd = 0
    while i < n:
        i += 1
        if i % 2 == 0:
            continue
        odd += i
    return odd, i


def while_two_conditions(n):
    a, b = 0, n
    while a < b and b - a > 2 or a == 1:
        a += 1
        b -= a % 3
    return a, b


def while_not(n):
    done = False
    steps = 0
    while not done:
        steps += 3
        done = steps > n
    return steps


def while_float(n):
    x = 1.0 * n
    steps = 0
    while x > 0.25:
        x = x / 2
        steps += 1
    return x, steps


def while_in_while(n):
    i = total = 0
    while i < n:
        j = i
        while j > 0:
            if j == 7:
                break
            total += j
            j -= 2
        else:
            total += 1000
        i += 1
    return total


def for_in_while(n):
    total = 0
    while n > 0:
        for k in range(n):
            if k == 5:
                break
            total += k
        n -= 3
    return total


def while_in_for(n):
    total = 0
    for k in range(n):
        m = k
        while m % 3 != 0:
            m -= 1
            total += m
    return total


def break_two_levels(n):
    found = -1
    for i in range(n):
        for j in range(n):
            if i * j == 12:
                found = 100 * i + j
                break
        if found >= 0:
            break
    return found


def return_from_nested(n):
    for i in range(n):
        j = 0
        while j < n:
            if i + j == 8 and i > j:
                return i, j
            j += 1
    return -1, -1


def three_levels(n):
    total = 0
    for i in range(n):
        for j in range(i, n, 2):
            for k in range(j, i, -1):
                if k == 6:
                    continue
                if i + j + k > 30:
                    break
                total += i * j - k
    return total


def loop_carried_swap(n):
    a, b, c = 1, 2, 3
    for i in range(n):
        a, b, c = b, c, a
        if i % 4 == 3:
            a, b = b, a
    return a, b, c


def early_zero_trip(n):
    total = 5
    for i in range(n, 0):
        total = 0
    while n < 0:
        total = -1
        n += 1
    return total


def last_of_condition(n):
    last = 0
    for i in range(n):
        if i % 7 == 3:
            last = i
        elif i % 5 == 2:
            last = -i
        else:
            pass
    return last


def triangular_products(n):
    p = 1
    for i in range(1, n + 1):
        q = 0
        for j in range(i):
            q += i ^ j
        p = p * q + 1
    return p


WHILES = (
    while_else,
    while_true,
    while_return,
    while_continue,
    while_two_conditions,
    while_not,
    while_float,
    while_in_while,
    for_in_while,
    while_in_for,
    break_two_levels,
    return_from_nested,
    three_levels,
    loop_carried_swap,
    early_zero_trip,
    last_of_condition,
    triangular_products,
)


@pytest.mark.parametrize(("function", "args"), combinations(WHILES, (0, 1, 4, 9, 12, 25)))
def test_while_and_nested_loops(function, args):
    check(function, *args)
