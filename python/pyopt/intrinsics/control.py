"""Control flow of code generators: loops, conditions, early exits; names of ``numba.core.cgutils``."""

from contextlib import ExitStack, contextmanager

from pyopt.intrinsics.zeros import is_null, is_scalar_zero


def terminate(builder, target):
    """Go to a block, unless the code here goes somewhere already."""
    if not builder.block.is_terminated:
        builder.branch(target)


def cbranch_or_continue(builder, cond, target):
    """Go to a block under a condition; give the block of what follows otherwise."""
    following = builder.append_basic_block()
    builder.cbranch(cond, target, following)
    builder.position_at_end(following)
    return following


@contextmanager
def early_exit_if(builder, stack, cond):
    """Write what happens under a condition; what follows is under its contrary until the stack is closed."""
    then, otherwise = stack.enter_context(builder.if_else(cond))
    with then:
        yield
    stack.enter_context(otherwise)


def early_exit_if_null(builder, stack, obj):
    """Write what happens if a pointer is null; see ``early_exit_if``."""
    return early_exit_if(builder, stack, is_null(builder, obj))


class Loop:
    """A loop that is written: its index, and what ends it."""

    def __init__(self, index, do_break):
        """Keep both."""
        self.index = index
        self.do_break = do_break

    def __iter__(self):
        """Unpack to both."""
        return iter((self.index, self.do_break))


@contextmanager
def for_range(builder, count, start=None, intp=None):
    """Write the body of a loop over ``range(start, count)``."""
    intp = intp or count.type
    start = intp(0) if start is None else start
    with _counted(builder, {start: intp(1)}, count, "<") as ((index,), end):
        yield Loop(index, lambda: builder.branch(end))


@contextmanager
def for_range_slice(builder, start, stop, step, intp=None, inc=True):
    """Write the body of a loop from a start up (or down, without ``inc``) to a stop, by a step.

    It gets the index, and how often the loop has run before.
    """
    zero, one = start.type(0), start.type(1)
    with _counted(builder, {start: step, zero: one}, stop, "<" if inc else ">") as (indices, _):
        yield indices


@contextmanager
def _counted(builder, steps, stop, comparison):
    """Write the body of a loop that counts from several starts, each by its step, until the first stops."""
    before = builder.basic_block
    condition, body, end = (builder.append_basic_block() for _ in range(3))
    builder.branch(condition)
    builder.position_at_end(condition)
    indices = []
    for start in steps:
        indices.append(builder.phi(start.type))
        indices[-1].add_incoming(start, before)
    builder.cbranch(builder.icmp_signed(comparison, indices[0], stop), body, end)
    builder.position_at_end(body)
    yield tuple(indices), end
    if not builder.block.is_terminated:
        for index, step in zip(indices, steps.values(), strict=True):
            index.add_incoming(builder.add(index, step), builder.basic_block)
        builder.branch(condition)
    builder.position_at_end(end)


@contextmanager
def for_range_slice_generic(builder, start, stop, step):
    """Write the bodies of a loop up and of one down, of which a step's sign takes one at run time."""
    loops = [for_range_slice(builder, start, stop, step, inc=inc) for inc in (True, False)]

    @contextmanager
    def arm(condition, loop):
        with condition, loop as indices:
            yield indices

    is_up = builder.icmp_signed(">=", step, step.type(0))
    with builder.if_else(is_up, likely=True) as arms:
        yield tuple(map(arm, arms, loops))


@contextmanager
def loop_nest(builder, shape, intp, order="C"):
    """Write the body of nested loops; give the indices."""
    if not shape:
        yield ()
        return
    order = range(len(shape)) if order == "C" else reversed(range(len(shape)))
    indices = [None] * len(shape)
    with ExitStack() as stack:
        for at in order:
            indices[at] = stack.enter_context(for_range(builder, shape[at], intp=intp)).index
        yield indices


@contextmanager
def if_likely(builder, pred):
    """Write what happens under a condition."""
    with builder.if_then(pred, likely=True):
        yield


@contextmanager
def if_unlikely(builder, pred):
    """Write what happens under a condition."""
    with builder.if_then(pred, likely=False):
        yield


@contextmanager
def ifnot(builder, pred):
    """Write what happens unless a condition holds."""
    with builder.if_then(builder.not_(pred)):
        yield


@contextmanager
def if_zero(builder, value, likely=False):
    """Write what happens if a number is zero."""
    with builder.if_then(is_scalar_zero(builder, value), likely=likely):
        yield


def guard_null(context, builder, value, exc_tuple):
    """Raise an exception, of a class and its arguments, if a number or pointer is zero."""
    _raise_if(context, builder, is_null(builder, value), *exc_tuple)


def guard_zero(context, builder, value, exc_tuple):
    """Raise an exception, of a class and its arguments, if a number is zero."""
    _raise_if(context, builder, is_scalar_zero(builder, value), *exc_tuple)


def guard_memory_error(context, builder, pointer, msg=None):
    """Raise ``MemoryError`` if a pointer is null."""
    guard_null(context, builder, pointer, (MemoryError,) if msg is None else (MemoryError, msg))


def do_boundscheck(context, builder, ind, dimlen, axis=None):
    """Raise ``IndexError`` unless an index is one of a dimension."""
    is_outside = builder.icmp_unsigned(">=", ind, dimlen)
    _raise_if(context, builder, is_outside, IndexError, "index is out of bounds")


def _raise_if(context, builder, condition, kind, *arguments):
    with if_unlikely(builder, condition):
        context.call_conv.return_user_exc(builder, kind, arguments)
