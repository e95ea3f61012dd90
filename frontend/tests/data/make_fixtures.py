"""Compiles the .py files beside this one; run it with CPython 3.11 after changing them."""

from pathlib import Path
from py_compile import PycInvalidationMode, compile

for source in Path(__file__).parent.glob("*.py"):
    if source.name != Path(__file__).name:
        compile(
            str(source),
            cfile=str(source.with_suffix(".pyc")),
            dfile=source.name,
            doraise=True,
            invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        )
