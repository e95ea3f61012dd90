//===- PyScopeOps.td - Names, locals, cells and imports -------------------===//

#ifndef PYOPT_PY_SCOPE_OPS_TD
#define PYOPT_PY_SCOPE_OPS_TD

//===----------------------------------------------------------------------===//
// Locals
//===----------------------------------------------------------------------===//

def Py_UnboundOp : Py_ValueOp<"unbound", [Pure]> {
  let summary = "a local variable that has no value yet";
  let assemblyFormat = "attr-dict";
}

def Py_CheckBoundOp : Py_ValueOp<"check_bound"> {
  let summary = "the value of a local; raises UnboundLocalError without one";
  let description = [{
    Inserted only where definite assignment does not prove the local bound.
  }];
  let arguments = (ins Py_ObjectType:$value, StrAttr:$name);
  let assemblyFormat = "$value $name attr-dict";
  let hasFolder = 1;
}

def Py_DelOp : Py_Op<"del"> {
  let summary = "the last use of a value is behind us";
  let description = [{
    Releases the reference that the value is; `py-live-variables` inserts it. A
    local without a value releases nothing.
  }];
  let arguments = (ins Py_ObjectType:$value);
  let assemblyFormat = "$value attr-dict";
}

def Py_NewReferenceOp : Py_ValueOp<"new_reference"> {
  let summary = "another reference to the same object, with a lifetime of its own";
  let description = [{
    `py-live-variables` inserts it where a value is passed to a block and used
    later too. A local without a value stays without one.

    Example: `%1 = py.new_reference %0`
  }];
  let arguments = (ins Py_ObjectType:$value);
  let assemblyFormat = "$value attr-dict";
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

def Py_GlobalOp : Py_ValueOp<"global"> {
  let summary = "reads a global name or builtin";
  let description = [{
    The symbol is that of the `py.binding`; without one the name is not
    resolved, which is an error only where its type is needed.

    Example: `%0 = py.global @"__main__.np"`
  }];
  let arguments = (ins FlatSymbolRefAttr:$binding);
  let assemblyFormat = "$binding attr-dict";
}

def Py_SetGlobalOp : Py_Op<"set_global"> {
  let summary = "assigns to a global name";
  let arguments = (ins FlatSymbolRefAttr:$binding, Py_ObjectType:$value);
  let assemblyFormat = "$binding `=` $value attr-dict";
}

def Py_DeleteGlobalOp : Py_Op<"delete_global"> {
  let summary = "`del` of a global name; raises NameError without it";
  let arguments = (ins FlatSymbolRefAttr:$binding);
  let assemblyFormat = "$binding attr-dict";
}

//===----------------------------------------------------------------------===//
// Names of class bodies and modules
//===----------------------------------------------------------------------===//

def Py_NamespaceOp : Py_ValueOp<"namespace", [Pure]> {
  let summary = "the mapping that holds the names of a class body or module";
  let description = [{
    What `locals()` is there: it comes with the call that runs the body. Only
    a `py.func` marked `namespaced` has one.

    Example: `%ns = py.namespace`
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Py_LoadNameOp : Py_ValueOp<"load_name"> {
  let summary = "a name of the namespace, else a global name or builtin";
  let description = [{Example: `%0 = py.load_name %ns "x" or @"m.x"`}];
  let arguments = (ins Py_ObjectType:$scope, StrAttr:$name, FlatSymbolRefAttr:$binding);
  let assemblyFormat = "$scope $name `or` $binding attr-dict";
}

def Py_StoreNameOp : Py_Op<"store_name"> {
  let summary = "assigns to a name of the namespace";
  let arguments = (ins Py_ObjectType:$scope, StrAttr:$name, Py_ObjectType:$value);
  let assemblyFormat = "$scope $name `=` $value attr-dict";
}

def Py_DeleteNameOp : Py_Op<"delete_name"> {
  let summary = "`del` of a name of the namespace; raises NameError without it";
  let arguments = (ins Py_ObjectType:$scope, StrAttr:$name);
  let assemblyFormat = "$scope $name attr-dict";
}

def Py_LoadClassDerefOp : Py_ValueOp<"load_class_deref"> {
  let summary = "a name of the namespace, else what a cell holds";
  let description = [{
    How a class body reads a variable of the function around it.

    Example: `%0 = py.load_class_deref %ns "x" or %cell`
  }];
  let arguments = (ins Py_ObjectType:$scope, StrAttr:$name, Py_ObjectType:$cell);
  let assemblyFormat = "$scope $name `or` $cell attr-dict";
}

def Py_SetupAnnotationsOp : Py_Op<"setup_annotations"> {
  let summary = "gives the namespace an `__annotations__` where it has none";
  let arguments = (ins Py_ObjectType:$scope);
  let assemblyFormat = "$scope attr-dict";
}

def Py_PrintExprOp : Py_Op<"print_expr"> {
  let summary = "passes a value to `sys.displayhook`, as interactive code does";
  let arguments = (ins Py_ObjectType:$value);
  let assemblyFormat = "$value attr-dict";
}

//===----------------------------------------------------------------------===//
// Type parameters
//===----------------------------------------------------------------------===//

def Py_IntrinsicOp : Py_ValueOp<"intrinsic"> {
  let summary = "what the interpreter does for type parameters and template strings";
  let description = [{
    The names are those of the interpreter's intrinsic functions: `typevar`,
    `typevar_with_bound`, `typealias` and so on, and `template`,
    `interpolation` and `formatted_interpolation` for template strings. Only
    code that declares type parameters or has such strings has them, which
    isn't compiled for machine types.

    Example: `%1 = py.intrinsic "typevar"(%name)`
  }];
  let arguments = (ins StrAttr:$name, Variadic<Py_ObjectType>:$operands);
  let assemblyFormat = "$name `(` $operands `)` attr-dict";
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

def Py_MakeCellOp : Py_ValueOp<"make_cell"> {
  let summary = "a cell for a variable that inner functions share";
  let arguments = (ins Optional<Py_ObjectType>:$initial);
  let assemblyFormat = "(`(` $initial^ `)`)? attr-dict";
}

def Py_FreeCellOp : Py_ValueOp<"free_cell", [Pure]> {
  let summary = "the cell of a free variable: an item of the function's closure";
  let description = [{
    The symbol is that of the `py.binding` that says what the variable means
    where that is known; `index` counts the free variables.

    Example: `%0 = py.free_cell 0 @f.x`
  }];
  let arguments = (ins I64Attr:$index, FlatSymbolRefAttr:$binding);
  let assemblyFormat = "$index $binding attr-dict";
  let hasVerifier = 1;
}

class Py_CellReadOp<string mnemonic, list<Trait> traits = []>
    : Py_Op<mnemonic, traits> {
  let arguments = (ins Py_ObjectType:$cell, StrAttr:$name, UnitAttr:$free);
  let assemblyFormat = "$cell $name (`free` $free^)? attr-dict";
}

def Py_LoadCellOp : Py_CellReadOp<"load_cell"> {
  let summary = "reads a cell";
  let description = [{
    An empty cell raises UnboundLocalError, or NameError when the variable is
    a free one.

    Example: `%1 = py.load_cell %0 "x" free`
  }];
  let results = (outs Py_ObjectType:$result);
}

def Py_DeleteCellOp : Py_CellReadOp<"delete_cell"> {
  let summary = "empties a cell";
  let description = "Raises as `py.load_cell` does when the cell is empty already.";
}

def Py_StoreCellOp : Py_Op<"store_cell"> {
  let summary = "writes a cell";
  let arguments = (ins Py_ObjectType:$cell, Py_ObjectType:$value);
  let assemblyFormat = "$cell `=` $value attr-dict";
}

//===----------------------------------------------------------------------===//
// Imports and what the interpreter knows by itself
//===----------------------------------------------------------------------===//

def Py_ImportOp : Py_ValueOp<"import"> {
  let summary = "`import name`, `from name import …`";
  let arguments = (ins StrAttr:$name, Py_ObjectType:$level, Py_ObjectType:$fromlist);
  let assemblyFormat = "$name `level` $level `from` $fromlist attr-dict";
}

def Py_ImportFromOp : Py_ValueOp<"import_from"> {
  let summary = "one name of a `from … import`";
  let arguments = (ins Py_ObjectType:$module, StrAttr:$name);
  let assemblyFormat = "$module $name attr-dict";
}

def Py_ImportStarOp : Py_Op<"import_star"> {
  let summary = "`from module import *`";
  let arguments = (ins Py_ObjectType:$scope, Py_ObjectType:$module);
  let assemblyFormat = "$scope `=` $module attr-dict";
}

def Py_LoadAssertionErrorOp : Py_ValueOp<"load_assertion_error", [Pure]> {
  let summary = "the class that `assert` raises; rebinding its name changes nothing";
  let assemblyFormat = "attr-dict";
}

def Py_LoadBuildClassOp : Py_ValueOp<"load_build_class"> {
  let summary = "`builtins.__build_class__`, which a class statement calls";
  let assemblyFormat = "attr-dict";
}

def Py_CallSuperOp : Py_ValueOp<"call_super"> {
  let summary = "`super()`: a call without arguments that may look at its caller's frame";
  let description = [{
    When the callee is the builtin `super`, the call is
    `super(__class__, first parameter)`, with its errors where the cell is
    empty or the parameter deleted; any other callee is called without
    arguments. `first` is the parameter's value or cell.

    Example: `%2 = py.call_super %callee(%class_cell, %self)`
  }];
  let arguments = (ins Py_ObjectType:$callee, Py_ObjectType:$class_cell,
                       Py_ObjectType:$first);
  let assemblyFormat = "$callee `(` $class_cell `,` $first `)` attr-dict";
}

#endif // PYOPT_PY_SCOPE_OPS_TD
