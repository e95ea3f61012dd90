"""Signals and what else interrupts a thread: their turn comes where CPython's instructions give it."""

import pytest
from twins import check

# Signals go to the whole process, in which a worker of pytest would be at work as well.
pytestmark = pytest.mark.serial

CALLS = {
    "call": "signal.raise_signal(signal.SIGINT)",
    "keywords": "signal.raise_signal(**{'signalnum': signal.SIGINT})",
    "stars": "signal.raise_signal(*[signal.SIGINT])",
    "method": "Raiser().interrupt()",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_behind_calls(call):
    """A signal's handler runs behind the call that raised it, and its exception is raised there."""
    check(
        f"""
        import signal
        class Raiser:
            @compiled
            def interrupt(self): signal.raise_signal(signal.SIGINT); log("not here")
        class Loud:
            def __del__(self): log("released")
        @compiled
        def main():
            loud = Loud()
            try:
                result = {call}
                log("too late")
            except KeyboardInterrupt:
                log("caught")
            finally:
                log("finally")
            {call}
        """
    )


def test_handler():
    """A handler that returns changes nothing; what it sees is the caller's frame."""
    check(
        """
        import signal
        @compiled
        def handler(number, frame): log((number, frame.f_code.co_name, frame.f_lineno))
        @compiled
        def main():
            before = signal.signal(signal.SIGUSR1, handler)
            try:
                log(1)
                return signal.raise_signal(signal.SIGUSR1), log(2)
            finally:
                signal.signal(signal.SIGUSR1, before)
        """
    )


def test_delegation():
    """What is interrupted is the innermost generator, not those that delegate to it."""
    pytest.importorskip("_testcapi")
    check(
        """
        import _testcapi
        @compiled
        def inner():
            try:
                yield
            except KeyboardInterrupt:
                return "inner"
        @compiled
        def outer():
            try:
                return (yield from inner())
            except KeyboardInterrupt:
                return "outer"
        def main():
            made = outer()
            made.send(None)
            _testcapi.raise_SIGINT_then_send_None(made)
        """
    )
