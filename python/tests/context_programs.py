"""Random programs with contexts: ``with`` in loops and handlers, left by all ways that there are."""

from contextlib import contextmanager

from program_writer import Writer


@contextmanager
def cleaning(log, x):
    log.append(x)
    try:
        yield x * 2
    finally:
        log.append(-x)


@contextmanager
def plain(log, x=3):
    log.append(x)
    yield x + 1
    log.append(x + 100)


@contextmanager
def swallowing(log, x):
    try:
        yield x
    except ValueError:
        log.append(77)
    else:
        log.append(76)
    log.append(78)


@contextmanager
def translating(log, x):
    try:
        yield x
    except ZeroDivisionError:
        log.append(55)
        raise ValueError("translated") from None
    finally:
        log.append(56)


@contextmanager
def around(log, x):
    with cleaning(log, x) as value:
        with swallowing(log, x):
            yield value


@contextmanager
def looping(log, x):
    total = 0
    for i in range(3):
        if i == x:
            break
        total += i
    yield total
    for i in range(2):
        if total == i:
            continue
        log.append(total + i)


MANAGERS = (cleaning, plain, swallowing, translating, around, looping)
_DEEPEST = 4


class _Writer(Writer):
    """Writes the body of one program."""

    def block(self, depth, is_in_loop):
        """Write some statements, with what is in them."""
        for _ in range(self.random.randint(1, 3)):
            self.left -= 1
            if self.left < 0:
                self.write(depth, "log.append(1)")
                return
            kind = self.random.random()
            if kind < 0.35 and depth < _DEEPEST:
                self.context(depth, is_in_loop)
            elif kind < 0.5 and depth < _DEEPEST:
                self.write(depth, f"for _ in range({self.random.randint(1, 3)}):")
                self.block(depth + 1, True)
            elif kind < 0.62 and depth < _DEEPEST:
                self.write(depth, "try:")
                self.block(depth + 1, is_in_loop)
                self.write(depth, f"except {self.any('ValueError', 'ZeroDivisionError')}:")
                self.write(depth + 1, "log.append(99)")
            elif kind < 0.75:
                self.write(depth, f"if x {self.any('==', '>', '<')} {self.random.randint(0, 4)}:")
                ways = ["raise ValueError('a')", "log.append(10 // (x - 2))", "return s, log", "x += 1"]
                ways += ["break", "continue"] if is_in_loop else []
                self.write(depth + 1, self.any(*ways))
            else:
                statements = (
                    "s += x",
                    "log.append(s)",
                    "x = (x * 3 + 1) % 5",
                    "log.append(6 // (x + s - 3))",
                )
                self.write(depth, self.any(*statements))

    def context(self, depth, is_in_loop):
        """Write a ``with``."""
        managers = [f"{self.any(*MANAGERS).__name__}(log, {self.any('x', 's', '1')}) as value"]
        if self.random.random() < 0.2:
            managers.append(f"{self.any(*MANAGERS).__name__}(log, 2)")
        self.write(depth, f"with {', '.join(managers)}:")
        self.block(depth + 1, is_in_loop)
        self.write(depth + 1, "s += value" if self.random.random() < 0.5 else "log.append(value)")


def program(seed):
    """Give the function of a seed, of a number and a list, and its text."""
    writer = _Writer(seed)
    writer.block(0, False)
    text = "\n".join(["def f(x, log):", "    s = 0", *writer.lines, "    return s, log"])
    scope = {manager.__name__: manager for manager in MANAGERS}
    exec(text, scope)
    return scope["f"], text
