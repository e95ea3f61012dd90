"""The context managers of ``contextlib`` as generators, which is how compiled code has any."""

import contextlib


@contextlib.contextmanager
def _suppress(*exceptions):
    try:
        yield
    except exceptions:
        pass


@contextlib.contextmanager
def _nullcontext(enter_result=None):
    yield enter_result


@contextlib.contextmanager
def _closing(thing):
    try:
        yield thing
    finally:
        thing.close()


#: What stands for a class.
KNOWN = {
    contextlib.suppress: _suppress,
    contextlib.nullcontext: _nullcontext,
    contextlib.closing: _closing,
}
