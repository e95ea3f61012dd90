"""The named pipelines: which passes run, in which order, under which options."""

from pyopt import _core


def names():
    """Give the names of the pipelines."""
    return _core.pipeline_names()


def passes(name, options=None):
    """List the passes that a pipeline runs: in order, each with the anchors around it.

    ``options`` are those of the pipeline: ``passes("py-parallel-pipeline", {"fusion": False})``.
    """
    settings = [f"{option}={_text(value)}" for option, value in (options or {}).items()]
    return _core.pipeline_passes(name, " ".join(settings))


def _text(value):
    """Write an option's value as it stands in a textual pipeline."""
    match value:
        case bool():
            return str(value).lower()
        case list() | tuple():
            return ",".join(map(str, value))
        case _:
            return f"{{{value}}}"
