"""Pipelines can be listed, and what is listed is what the tool runs."""

import pytest
from tools import passes_of

from pyopt import pipelines


@pytest.mark.parametrize("name", pipelines.names())
def test_the_list_is_what_runs(name):
    # The tool also writes options that have their defaults.
    listed = [f"builtin.module({one.split('{')[0].rstrip(')')}" for one in pipelines.passes(name)]
    assert listed == [one.split("{")[0].rstrip(")") for one in passes_of(name)]


def test_options_decide():
    name = "py-parallel-pipeline"
    assert "func.func(parfor-fuse)" in pipelines.passes(name)
    assert "func.func(parfor-fuse)" not in pipelines.passes(name, {"fusion": False})
    flags = pipelines.passes(name, {"fastmath": ["nnan", "nsz"], "diagnostics": 2})
    assert "set-fastmath{flags=nnan,nsz}" in flags
    assert "func.func(parfor-fuse{remarks=true})" in flags
    assert "typed-to-llvm" not in flags and "typed-to-abi" in flags


def test_what_there_is_not():
    with pytest.raises(ValueError, match="no pipeline 'py-gpu'; there are py-nopython-pipeline, "):
        pipelines.passes("py-gpu")
    with pytest.raises(ValueError, match="no option 'fuse'; there are error-model, "):
        pipelines.passes("py-parallel-pipeline", {"fuse": False})
    with pytest.raises(ValueError, match="option 'fusion' is true or false, not 'often'"):
        pipelines.passes("py-parallel-pipeline", {"fusion": "often"})
