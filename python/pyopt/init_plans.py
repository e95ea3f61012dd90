"""What the source of an ``__init__`` does with the instance, and from which statement on it needs one.

Up to there fields are variables. A method that is called before is made again as a function of fields'
values: one that stores fields gives all of them, any other one what it returns.
"""

import ast
import inspect
from types import FunctionType

from pyopt.data_class_constructors import FIELD, _Settling, fields_of, is_of_class, settling
from pyopt.errors import TypingError
from pyopt.respelling import at_place, definition_of


class _Uses(ast.NodeVisitor):
    """The uses of the instance in a statement: fields that are stored and read, calls, and all others."""

    def __init__(self, statement, instance):
        self.instance = instance
        self.stored, self.loaded, self.called = set(), set(), set()
        self.is_used = False
        self.visit(statement)

    def _is_own(self, node):
        is_attribute = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        return is_attribute and node.value.id == self.instance

    def visit_Attribute(self, node):
        if not self._is_own(node):
            self.generic_visit(node)
        elif isinstance(node.ctx, ast.Load):
            self.loaded.add(node.attr)
        else:
            self.stored.add(node.attr)

    def visit_Call(self, node):
        if ast.unparse(node.func) == "super().__init__":
            for one in (*node.args, *node.keywords):
                self.visit(one)
        elif self._is_own(node.func):
            self.called.add(node.func.attr)
            for one in (*node.args, *node.keywords):
                self.visit(one)
        else:
            self.generic_visit(node)

    def visit_Name(self, node):
        # `super()` names it, too.
        self.is_used |= node.id in (self.instance, "super")

    def visit_FunctionDef(self, node):
        inner = _Uses(
            ast.Module(node.body if isinstance(node.body, list) else [node.body], []), self.instance
        )
        self.loaded |= inner.loaded
        self.is_used |= inner.is_used or bool(inner.stored or inner.called)

    visit_Lambda = visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef


def _surely_stored(statement, instance):
    """Name the fields that a statement stores whatever happens."""
    if isinstance(statement, ast.If):
        branches = (statement.body, statement.orelse)
        return set.intersection(*(_all_stored(one, instance) for one in branches))
    if isinstance(statement, ast.With):
        return _all_stored(statement.body, instance)
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return _Uses(statement, instance).stored if getattr(statement, "value", None) else set()
    return set()


def _all_stored(statements, instance):
    return set().union(*(_surely_stored(one, instance) for one in statements))


class Plan:
    """How the ``__init__`` of a class is made again."""

    def __init__(self, cls, owner, names_of_bases):
        """Read the function; what a base stores is known behind ``super().__init__()``."""
        self.cls, self.owner = cls, owner
        function = vars(owner)["__init__"]
        self.instance = function.__code__.co_varnames[0]
        #: The first statement that needs the instance; None if there is none.
        self.split = None
        #: The methods that are called before, by the line and column of the call, with the fields that are
        #: known there and those that it gives, or None.
        self.calls = {}
        known = set()
        body = definition_of(function, "__init__").body
        self._names = names_of_bases.union(*(_Uses(one, self.instance).stored for one in body))
        for at, statement in enumerate(body):
            if _is_super(statement):
                known |= names_of_bases
                continue
            if not self._passes(statement, known):
                self.split = at
                break
            known |= _surely_stored(statement, self.instance)
        self.names = sorted(self._names)
        if self.split is not None and self._names - known:
            name = min(self._names - known)
            raise TypingError(
                f"the __init__ of {cls.__name__} uses '{self.instance}' before it stores '{name}': store it "
                "before"
            )

    def _passes(self, statement, known):
        """Whether a statement needs no instance; enters what it calls."""
        uses = _Uses(statement, self.instance)
        others = {one for one in uses.called | uses.loaded if not is_of_class(self.cls, one)}
        if uses.is_used or (uses.loaded & others) - self._names:
            return False
        called = uses.called & others
        whole = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        for name in sorted(called):
            method = self._method(name)
            if method is None:
                return False
            loaded, stored, surely = method
            if stored:
                # All is as before where nothing follows in the statement.
                if (
                    not whole
                    or uses.called != {name}
                    or statement.value.func.attr != name
                    or loaded - known - stored
                ):
                    return False
                self.calls[name] = (sorted(known), sorted(known | surely))
                known |= surely
                self._names |= stored
            elif loaded - known:
                return False
            else:
                self.calls[name] = (sorted(loaded), None)
        return True

    def _method(self, name):
        """Give the fields that a method reads and stores, and those that it surely stores."""
        function = inspect.getattr_static(self.cls, name, None)
        if not isinstance(function, FunctionType) or name in self.calls:
            return None
        body = definition_of(function, name).body
        instance = function.__code__.co_varnames[0]
        uses = _Uses(ast.Module(body, []), instance)
        others = {one for one in uses.called if not is_of_class(self.cls, one)}
        if (
            uses.is_used
            or others
            or any(isinstance(one, ast.Yield) for one in ast.walk(ast.Module(body, [])))
        ):
            return None
        loaded = {one for one in uses.loaded if not is_of_class(self.cls, one)}
        if loaded - uses.stored - self._names:
            return None
        return loaded, uses.stored, _all_stored(body, instance)

    def methods(self):
        """Give the methods that are called before there is an instance: classes and names."""
        return [(next(one for one in self.cls.__mro__ if name in vars(one)), name) for name in self.calls]

    def constructor(self, owners, names, make):
        """Make the function that makes an instance."""
        called = {}
        for owner, name in self.methods():
            known, given = self.calls[name]
            fields = sorted({*known, *(given or ())})
            change = _Settling if given is not None else _Reading
            called[f"<{name}>"] = settling(name, [owner], fields, make, known, given, self.cls, change=change)
        return settling(
            "__init__", owners, names, make, [], None, self.cls, called, lambda *given: _Init(self, *given)
        )


class _Reading(_Settling):
    """Makes a method that stores nothing a function of the fields that it reads."""

    def visit_FunctionDef(self, node):
        is_nested = self.instance is not None
        node = super().visit_FunctionDef(node)
        if not is_nested:
            node.body[-1].value = ast.Constant(None)
        return node

    def visit_Return(self, node):
        return self.generic_visit(node)


class _Init(_Settling):
    """Makes fields variables up to where the instance is used, and calls what methods have become."""

    def __init__(self, plan, *given):
        super().__init__(*given)
        self.plan = plan

    def visit_FunctionDef(self, node):
        if self.instance is not None or self.plan.split is None:
            return super().visit_FunctionDef(node)
        body = node.body
        rest = body[self.plan.split :]
        node.body = body[: self.plan.split] or [ast.copy_location(ast.Pass(), rest[0])]
        node = super().visit_FunctionDef(node)
        made = ast.Name(self.instance, ast.Store())
        node.body[-1] = at_place(ast.Assign([made], node.body[-1].value), rest[0])
        node.body += [_Returning(self.instance).visit(one) for one in rest]
        node.body.append(at_place(ast.Return(ast.Name(self.instance, ast.Load())), rest[-1]))
        return node

    def _call(self, node):
        """Give the call that a call of a method is, and the fields that it gives; None for any other one."""
        is_own = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
        if not is_own or node.func.value.id != self.instance or node.func.attr not in self.plan.calls:
            return None
        known, given = self.plan.calls[node.func.attr]
        fields = [at_place(ast.Name(FIELD + name, ast.Load()), node) for name in known]
        function = at_place(ast.Name(f"<{node.func.attr}>", ast.Load()), node.func)
        arguments = [self.visit(one) for one in node.args]
        keywords = [self.visit(one) for one in node.keywords]
        return ast.copy_location(ast.Call(function, [*fields, *arguments], keywords), node), given

    def visit_Expr(self, node):
        found = self._call(node.value) if isinstance(node.value, ast.Call) else None
        if found is None or found[1] is None:
            return super().visit_Expr(node)
        call, given = found
        fields = at_place(fields_of(given, ast.Store()), node)
        return ast.copy_location(ast.Assign([fields], call), node)

    def visit_Call(self, node):
        found = self._call(node)
        return self.generic_visit(node) if found is None else found[0]


class _Returning(ast.NodeTransformer):
    """Has an ``__init__`` give the instance where it returns."""

    def __init__(self, instance):
        self.instance = instance

    def visit_FunctionDef(self, node):
        return node

    visit_Lambda = visit_FunctionDef

    def visit_Return(self, node):
        return at_place(ast.Return(ast.Name(self.instance, ast.Load())), node)


def _is_super(statement):
    return ast.unparse(statement).startswith("super().__init__(")
