"""Configuration of the FileCheck tests: `target/venv/bin/lit -v lit-tests`.

`--param roundtrip=1` makes `%pyopt` verify that every input survives printing and parsing, as text
and as bytecode. A test that can't take part says `UNSUPPORTED: roundtrip`. `--param checked=1` has
the allocator overwrite what is freed, so that its use shows, and end the process where something
is freed twice.
"""

from pyopt.lit import configure

tools = {"pyopt": "target/release/pyopt", "py_translate": "target/release/py-translate"}
configure(config, lit_config, __file__, name="pyopt", **tools)

# lit doesn't pass the environment on. Caches of threads would keep freed pieces from the pattern.
if lit_config.params.get("checked", "0") == "1":
    config.environment["GLIBC_TUNABLES"] = "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"
    config.environment["MALLOC_PERTURB_"] = "165"
    config.environment["PYOPT_ALLOCATOR"] = "system"
