"""What Numba has in ``numba.core.event``: listeners are told when compilations begin and end.

Of Numba's kinds of events there is ``numba:compile``. Those of its locks and passes can be listened to, and
don't happen. Programs send events of kinds of their own.
"""

import enum
import time
from abc import ABC, abstractmethod
from contextlib import contextmanager

_PREFIX = "numba:"
_KINDS = [_PREFIX + name for name in ("compile", "compiler_lock", "llvm_lock", "run_pass")]
# The listeners by the kind of what they are told.
_LISTENERS = {}


class EventStatus(enum.Enum):
    """Whether something begins or ends."""

    START = enum.auto()
    END = enum.auto()


class Event:
    """That something begins or ends."""

    def __init__(self, kind, status, data=None, exc_details=None):
        """Take what happens, what belongs to it, and of an end the exception, as ``__exit__`` gets it."""
        self.kind = _checked(kind)
        self.status = status
        self.data = data
        self._raised = exc_details is not None and exc_details[0] is not None

    @property
    def is_start(self):
        """Whether something begins."""
        return self.status is EventStatus.START

    @property
    def is_end(self):
        """Whether something ends."""
        return self.status is EventStatus.END

    @property
    def is_failed(self):
        """Whether it ends with an exception."""
        return self._raised

    def __repr__(self):
        """Name the kind, and the class of the data."""
        data = None if self.data is None else type(self.data).__qualname__
        return f"Event({self.kind}, {self.status}, data: {data})"


class Listener(ABC):
    """What is told of events."""

    @abstractmethod
    def on_start(self, event):
        """Be told that something begins."""

    @abstractmethod
    def on_end(self, event):
        """Be told that it ends."""

    def notify(self, event):
        """Be told of an event."""
        (self.on_start if event.is_start else self.on_end)(event)


class TimingListener(Listener):
    """Measures the seconds in which something goes on; what is nested in it counts once."""

    _depth = _begun = 0

    def on_start(self, event):
        """Begin to measure."""
        if self._depth == 0:
            self._begun = time.perf_counter()
        self._depth += 1

    def on_end(self, event):
        """Add what has passed."""
        self._depth -= 1
        if self._depth == 0:
            self.duration = getattr(self, "duration", 0) + time.perf_counter() - self._begun

    @property
    def done(self):
        """Whether there is a ``duration``: something has begun and ended."""
        return hasattr(self, "duration")


class RecordingListener(Listener):
    """Keeps the events in ``buffer``, each behind the time at which it came."""

    def __init__(self):
        """Begin with none."""
        self.buffer = []

    def notify(self, event):
        """Keep it."""
        self.buffer.append((time.time(), event))

    on_start = on_end = notify


def register(kind, listener):
    """Have a listener told of events of a kind."""
    if not isinstance(listener, Listener):
        raise TypeError(f"expected a Listener, not {listener!r}")
    _LISTENERS.setdefault(_checked(kind), []).append(listener)


def unregister(kind, listener):
    """Have it told of no more."""
    _LISTENERS[_checked(kind)].remove(listener)


def broadcast(event):
    """Tell those that listen of an event."""
    for listener in list(_LISTENERS.get(event.kind, ())):
        listener.notify(event)


def start_event(kind, data=None):
    """Tell that something begins."""
    broadcast(Event(kind, EventStatus.START, data))


def end_event(kind, data=None, exc_details=None):
    """Tell that it ends."""
    broadcast(Event(kind, EventStatus.END, data, exc_details))


class trigger_event:
    """``with trigger_event(kind):`` tells that its body begins, and that it ends."""

    def __init__(self, kind, data=None):
        """Take what happens."""
        self._event = kind, data

    def __enter__(self):
        """Tell that it begins."""
        start_event(*self._event)

    def __exit__(self, *exception):
        """Tell that it ends; exceptions go on."""
        end_event(*self._event, exception)


@contextmanager
def install_listener(kind, listener):
    """``with install_listener(kind, listener):`` has it told in its body alone."""
    register(kind, listener)
    try:
        yield listener
    finally:
        unregister(kind, listener)


@contextmanager
def install_timer(kind, callback):
    """``with install_timer(kind, callback):`` calls with the seconds that events of a kind took."""
    with install_listener(kind, TimingListener()) as timer:
        yield timer
    if timer.done:
        callback(timer.duration)


def install_recorder(kind):
    """``with install_recorder(kind) as recorder:`` keeps the events of its body in ``recorder.buffer``."""
    return install_listener(kind, RecordingListener())


def compilation(dispatcher, types, returns):
    """Give what tells of a compilation, as ``with`` takes it."""
    from pyopt.compile_result import types_of

    return trigger_event(
        "numba:compile", {"dispatcher": dispatcher, "args": types_of(types), "return_type": returns}
    )


def _checked(kind):
    if kind.startswith(_PREFIX) and kind not in _KINDS:
        raise ValueError(f"{kind} is not a valid event kind, it starts with the reserved prefix '{_PREFIX}'")
    return kind
