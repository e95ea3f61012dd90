"""What is known of a use-case: a line of JSON for each thing that happens to one."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from types import CodeType, FunctionType
from typing import IO

_file: IO[str] | None = None


@dataclass(frozen=True)
class Pair:
    """A function and the types of its arguments."""

    function: str
    types: str
    mode: str
    identity: str

    @staticmethod
    def of(function: FunctionType, types: str, options: dict) -> Pair:
        """The pair of a function, by what its code, its free variables and its options say."""
        told = [_code_text(function.__code__), repr(sorted(options.items(), key=str))]
        told += [_cell_text(cell) for cell in function.__closure__ or ()]
        identity = hashlib.sha256("\n".join(told).encode()).hexdigest()[:12]
        mode = "object" if options.get("forceobj") else "nopython"
        place = f"{function.__module__}.{function.__qualname__}:{function.__code__.co_firstlineno}"
        return Pair(place, types, mode, identity)


def _code_text(code: CodeType) -> str:
    consts = [_code_text(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return f"{code.co_qualname} {code.co_code.hex()} {consts} {code.co_names}"


def _cell_text(cell) -> str:
    try:
        value = cell.cell_contents
    except ValueError:
        return "unassigned"
    inner = getattr(value, "py_func", value)
    return _code_text(inner.__code__) if isinstance(inner, FunctionType) else _plain(repr(value))


def _plain(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def open_records(path: str) -> None:
    """Write to this file from now on."""
    global _file
    _file = open(path, "a")


def write(**line) -> None:
    """Write a line; it is in the file when this returns, whatever the process does next."""
    _file.write(json.dumps(line) + "\n")
    _file.flush()


def record_start(pair: Pair) -> None:
    """Note that pyopt is about to compile or run a pair."""
    write(start=asdict(pair))


def record(pair: Pair, outcome: str, reason: str = "") -> None:
    """Note what became of it."""
    write(pair=asdict(pair), outcome=outcome, reason=_plain(reason))


def refusal(error: BaseException) -> str:
    """The reason of a refusal, without the place in the source."""
    text = getattr(error, "message", None) or str(error)
    return f"{type(error).__name__}: {(text.strip() or '?').splitlines()[0]}"
