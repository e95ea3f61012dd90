"""Python's ``time``: the system's clocks."""

from pyopt.library import implements, intrinsics

# Library functions have no global constants. The clocks of Linux are 0: time, 1: monotonic, 2: of the
# process, 3: of the thread.


@implements("time.time_ns")
def time_ns():
    """Give the time since 1970 in nanoseconds."""
    return intrinsics.clock(0)


@implements("time.time")
def time_since_1970():
    """Give the time since 1970 in seconds."""
    return intrinsics.clock(0) / 1e9


@implements("time.perf_counter_ns", "time.monotonic_ns")
def monotonic_ns():
    """Give a time that never goes back, in nanoseconds."""
    return intrinsics.clock(1)


@implements("time.perf_counter", "time.monotonic")
def monotonic():
    """Give a time that never goes back, in seconds."""
    return intrinsics.clock(1) / 1e9


@implements("time.process_time_ns")
def process_time_ns():
    """Give the time that this process has computed, in nanoseconds."""
    return intrinsics.clock(2)


@implements("time.process_time")
def process_time():
    """Give the time that this process has computed, in seconds."""
    return intrinsics.clock(2) / 1e9


@implements("time.thread_time_ns")
def thread_time_ns():
    """Give the time that this thread has computed, in nanoseconds."""
    return intrinsics.clock(3)


@implements("time.thread_time")
def thread_time():
    """Give the time that this thread has computed, in seconds."""
    return intrinsics.clock(3) / 1e9
