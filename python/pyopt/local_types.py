"""``locals=``: variables whose type is declared, so that what is assigned to them is converted.

The function is made again from its source, with ``name = type(name)`` behind each assignment of such a
variable. Lines and columns stay those of the source.
"""

import ast

from pyopt.respelling import at_place, respell

# What the conversions are called meanwhile; no names of a program's.
_PREFIX = "<type>"


def with_local_types(function, types):
    """Give a Python function that converts what it assigns to the variables named in ``types``."""
    values = {_PREFIX + name: type for name, type in types.items()}
    return respell(function, _Conversions(types).visit, values, "locals")


class _Conversions(ast.NodeTransformer):
    """Puts the conversions behind assignments, at the beginning of loop bodies, and of the function."""

    def __init__(self, types):
        self.types = types
        self.function = None

    def visit_FunctionDef(self, node):
        if self.function is not None:
            return node  # its variables are its own
        self.function = node
        self.generic_visit(node)
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        node.body[:0] = self._conversions([one.arg for one in parameters], node.body[0])
        return node

    def visit_Lambda(self, node):
        return node

    def visit_NamedExpr(self, node):
        self.generic_visit(node)
        for name in {node.target.id} & self.types.keys():
            node.value = ast.copy_location(_call(name, node.value), node.value)
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        return [node, *self._conversions(_stored(node.targets), node)]

    def visit_AugAssign(self, node):
        return [node, *self._conversions(_stored([node.target]), node)]

    def visit_AnnAssign(self, node):
        return [node, *self._conversions(_stored([node.target]) if node.value else [], node)]

    def visit_For(self, node):
        self.generic_visit(node)
        node.body[:0] = self._conversions(_stored([node.target]), node.target)
        return node

    def visit_With(self, node):
        self.generic_visit(node)
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        node.body[:0] = self._conversions(_stored(targets), node)
        return node

    def _conversions(self, names, place):
        made = []
        for name in names:
            if name in self.types:
                converted = _call(name, ast.Name(name, ast.Load()))
                made.append(ast.Assign([ast.Name(name, ast.Store())], converted))
        return [at_place(statement, place) for statement in made]


def _call(name, value):
    return ast.Call(ast.Name(_PREFIX + name, ast.Load()), [value], [])


def _stored(targets):
    """Name the variables that targets of an assignment store to."""
    nodes = (node for target in targets for node in ast.walk(target))
    return [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
