"""Compiles the overload library: Python modules to code objects and a table of them in Rust.

Also writes the version of their bytecode, the names of the attributes of Python's own classes, and
what this Python says where compiled code raises in its place.

Arguments: the folder of the modules, the folder for the output. Run by the build script, with the
Python whose bytecode the front end reads. What the library's rules forbid is an error at its line.
"""

import ast
import builtins
import dis
import json
import marshal
import sys
from pathlib import Path

# What global names mean in all modules, besides builtins and the library's functions.
MODULES = {
    "np": "numpy",
    "math": "math",
    "cmath": "cmath",
    "intrinsics": "pyopt.library.intrinsics",
}
# Classes whose attributes compiled code must know the names of, for `getattr` and `hasattr`.
CLASSES = (bool, complex, float, int, list, object, range, slice, str, tuple)
# What errors say, which differs between versions, by the name of a constant.
ERRORS = {
    "int_true_division": "1 / 0",
    "int_floor_division": "1 // 0",
    "int_modulo": "1 % 0",
    "float_true_division": "1.0 / 0",
    "float_floor_division": "1.0 // 0",
    "float_modulo": "1.0 % 0",
    "complex_division": "1j / 0",
    "int_divmod": "divmod(1, 0)",
    "float_divmod": "divmod(1.0, 0)",
    "zero_power": "0 ** -1",
    "unbound_local_x": "(lambda: (x := x))()",
}
# Messages that the library's source has as one version says them, and what raises them.
MESSAGES = {
    "min() arg is an empty sequence": "min(())",
    "max() arg is an empty sequence": "max(())",
    "integer modulo by zero": "1 % 0",
    "r cannot be negative": "__import__('itertools').combinations((), -1)",
}
# Modules that hold no functions of the library.
SUPPORT = ("__init__", "intrinsics")


def main(source, target):
    """Write the code objects and the table."""
    functions = {}
    for path in sorted(source.glob("*.py")):
        if path.stem in SUPPORT:
            continue
        for node, code in definitions(path):
            if node.name in functions:
                fail(path, node.lineno, f"the library has another function '{node.name}'")
            functions[node.name] = (path, node, code)
    for path, _, code in functions.values():
        check_names(path, code, functions)
    entries = [entry(target, *function) for function in functions.values()]
    major, minor = sys.version_info[:2]
    errors = [f"        {name}: {json.dumps(said(source))},\n" for name, source in ERRORS.items()]
    rows = [
        f"        ({json.dumps(one.__name__)}, &{json.dumps(dir(one))}),\n" for one in CLASSES
    ]
    (target / "library.rs").write_text(
        "Library {\n"
        f"    compiled_by: Version::new({major}, {minor}),\n"
        f"    sources: &[\n{''.join(entries)}    ],\n"
        f"    errors: Errors {{\n{''.join(errors)}    }},\n"
        f"    class_names: &[\n{''.join(rows)}    ],\n"
        "}\n"
    )


def definitions(path):
    """Yield the functions of a module, each with its code object."""
    tree = _Messages().visit(ast.parse(path.read_text(), path))
    module = compile(tree, f"pyopt/library/{path.name}", "exec", dont_inherit=True)
    codes = {code.co_name: code for code in module.co_consts if hasattr(code, "co_name")}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, codes[node.name]


class _Messages(ast.NodeTransformer):
    """Has the library's errors say what this Python says."""

    def visit_Constant(self, node):
        """Exchange a message."""
        if isinstance(node.value, str) and node.value in MESSAGES:
            return ast.copy_location(ast.Constant(said(MESSAGES[node.value])), node)
        return node


def said(source):
    """Give the message of the error that an expression raises."""
    try:
        eval(source)
    except Exception as error:
        return str(error)
    sys.exit(f"error: {source} raises nothing")


def check_names(path, code, functions):
    """Every global name must be one that the library knows."""
    for instruction in dis.get_instructions(code):
        name = instruction.argval
        known = name in MODULES or name in functions or hasattr(builtins, str(name))
        if instruction.opname == "LOAD_GLOBAL" and not known:
            fail(path, instruction.positions.lineno, f"unknown name '{name}'")


def entry(target, path, node, code):
    """Write a function's code and defaults to a file; give its row of the table."""
    parameters = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
    literals = annotated(parameters, "literal")
    known = annotated(parameters, "known")
    changed = annotated(parameters, "changed")
    if node.args.kwarg:
        fail(path, node.lineno, "library functions take no keywords that they don't name")
    defaults = tuple(ast.literal_eval(default) for default in node.args.defaults)
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    named = tuple((one.arg, ast.literal_eval(default)) for one, default in named if default)
    file = target / f"{node.name}.code"
    file.write_bytes(marshal.dumps((code, defaults, named)))
    names = [name for call in node.decorator_list for name in implemented(path, call)]
    roles = [role for call in node.decorator_list for role in keyword(call, "role")]
    linked = [on for call in node.decorator_list for on in keyword(call, "linked")]
    role = f"Some(LibraryRole::{camel_case(roles[0])})" if roles else "None"
    symbol = json.dumps(f"pyopt.library.{node.name}")
    return (
        f"    Source {{ name: {json.dumps(node.name)}, symbol: {symbol}, "
        f"implements: &{json.dumps(names)}, literals: &{json.dumps(literals)}, "
        f"known: &{json.dumps(known)}, "
        f"changed: &{json.dumps(changed)}, role: {role}, "
        f"linked: {json.dumps(any(linked))}, "
        f"code: include_bytes!({json.dumps(str(file))}) }},\n"
    )


def annotated(parameters, name):
    """Give the positions of the parameters that are annotated with a name."""
    return [at for at, one in enumerate(parameters) if getattr(one.annotation, "id", None) == name]


def implemented(path, decorator):
    """Give the names that a decorator lists."""
    if not isinstance(decorator, ast.Call) or getattr(decorator.func, "id", None) != "implements":
        fail(path, decorator.lineno, "the one decorator of library functions is 'implements'")
    return [ast.literal_eval(argument) for argument in decorator.args]


def keyword(decorator, name):
    """Give the value of a decorator's keyword, if it has it."""
    return [ast.literal_eval(one.value) for one in decorator.keywords if one.arg == name]


def camel_case(keyword):
    """Give the name that a case of an enum has in Rust."""
    return keyword.title().replace("_", "")


def fail(path, line, message):
    """End with an error at a line."""
    sys.exit(f"{path}:{line}: error: {message}")


main(Path(sys.argv[1]), Path(sys.argv[2]))
