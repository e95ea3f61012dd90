"""Random programs with contexts of devices: ``with`` in loops and handlers, left in all ways."""

from available import NAME
from program_writer import Writer

from pyopt import device_context, njit, prange


@njit(parallel=True)
def bump(x, k):
    """Run one parallel loop, where the context says."""
    for i in prange(x.shape[0]):
        x[i] += k


@njit(parallel=True)
def twice(x, k):
    """Run two loops, one of them on the CPU."""
    bump(x, k)
    with device_context("cpu"):
        bump(x, 2 * k)


_DEEPEST = 4


class _Writer(Writer):
    """Writes the body of one program."""

    def block(self, depth, is_in_loop):
        """Write some statements, with what is in them."""
        for _ in range(self.random.randint(1, 3)):
            self.left -= 1
            if self.left < 0:
                self.write(depth, "bump(x, 1)")
                return
            kind = self.random.random()
            if kind < 0.35 and depth < _DEEPEST:
                names = [self.any(f'"{NAME}"', f'"{NAME}"', "DEVICE", '"cpu"')]
                names += ['"cpu"'] if self.random.random() < 0.2 else []
                self.write(depth, f"with {', '.join(f'device_context({name})' for name in names)}:")
                self.block(depth + 1, is_in_loop)
            elif kind < 0.45 and depth < _DEEPEST:
                self.write(depth, f"for _ in range({self.random.randint(1, 3)}):")
                self.block(depth + 1, True)
            elif kind < 0.57 and depth < _DEEPEST:
                self.write(depth, "try:")
                self.block(depth + 1, is_in_loop)
                self.write(depth, f"except {self.any('ValueError', 'ZeroDivisionError')}:")
                self.write(depth + 1, "bump(x, 5)")
            elif kind < 0.68:
                self.write(depth, f"if n {self.any('==', '>', '<')} {self.random.randint(0, 4)}:")
                ways = ["raise ValueError('a')", "x[0] = 10 // (n - 2)", "return x[1]", "n += 1"]
                ways += ["break", "continue"] if is_in_loop else []
                self.write(depth + 1, self.any(*ways))
            else:
                statements = ("bump(x, n)", "twice(x, 1)", "n = (n * 3 + 1) % 5")
                self.write(depth, self.any(*statements))


def program(seed):
    """Give the function of a seed, of an array and a number, and its text."""
    writer = _Writer(seed)
    writer.block(0, False)

    text = "\n".join(["def f(x, n):", *writer.lines, "    return x[0]"])
    scope = {"bump": bump, "twice": twice, "device_context": device_context, "DEVICE": NAME}
    exec(text, scope)
    return scope["f"], text
