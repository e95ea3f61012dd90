"""Compiles the .py files beside this one, and makes what fuzzing starts from of them.

Run it with CPython 3.11 after changing them, and with each other version that is read: theirs have
the version in their names. The corpus has a module for each of their functions: fuzzing goes
through small inputs much faster than through large ones. The dictionary has the instructions of
3.11, and the letters that `marshal` begins an object with.
"""

import ast
import importlib.util
import marshal
import opcode
import re
import sys
from pathlib import Path

DATA = Path(__file__).parent
FUZZ = DATA.parents[2] / "fuzz"
# Flags of a header with a hash of the source that isn't compared: the same bytes on each machine.
UNCHECKED_HASH = 1
VERSION = "{}.{}".format(*sys.version_info)
# The function of a module that needs a newer version than the module.
TOO_NEW = {"language.py": ("groups", (3, 11))}
IS_HOST = VERSION == "3.11"


def write(path: Path, source: str, code) -> None:
    """Write a .pyc file."""
    header = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH.to_bytes(4, "little")
    path.write_bytes(header + importlib.util.source_hash(source.encode()) + marshal.dumps(code))


corpus = FUZZ / "corpus" / "lift"
corpus.mkdir(parents=True, exist_ok=True)
for path in sorted(DATA.glob("*.py")):
    since = {"generics.py": (3, 12), "templates.py": (3, 14)}.get(path.name, (3, 10))
    if path.name == Path(__file__).name or sys.version_info < since:
        continue
    source = path.read_text()
    name, since = TOO_NEW.get(path.name, ("", (3, 10)))
    if sys.version_info < since:
        source = re.sub(rf"def {name}\(.*?\n\n\n", "", source, flags=re.DOTALL)
    compiled = path.with_suffix(".pyc" if IS_HOST else f".{VERSION}.pyc")
    write(compiled, source, compile(source, path.name, "exec", dont_inherit=True))
    if not IS_HOST:
        continue
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            code = compile(ast.Module([node], []), path.name, "exec", dont_inherit=True)
            write(corpus / f"{path.stem}-{node.name}.pyc", source, code)

if not IS_HOST:
    sys.exit()
with open(FUZZ / "lift.dict", "w") as file:
    print(f"# Made by {Path(__file__).relative_to(FUZZ.parent)}.", file=file)
    for name, number in sorted(opcode.opmap.items(), key=lambda item: item[1]):
        print(f'{name}="\\x{number:02x}\\x00"', file=file)
    for letter in "0NFTS.iIlfgxystruRa()[{<>zZAcC":
        print(f'"{letter}"\n"\\x{ord(letter) | 0x80:02x}"', file=file)
