//===- PyFrameOps.td - Locals in the interpreter's frame ------------------===//

#ifndef PYOPT_PY_FRAME_OPS_TD
#define PYOPT_PY_FRAME_OPS_TD

//===----------------------------------------------------------------------===//
// Frame form: what `py-translate-bytecode{frame=true}` makes for object mode.
// Locals and cells are in the frame, where whoever looks at it finds them, and
// are released when they are rebound. Every operation that may raise has the
// byte offset of its instruction as the attribute `offset`.
//===----------------------------------------------------------------------===//

def Py_LoadLocalOp : Py_Op<"load_local"> {
  let summary = "reads a local of the frame";
  let description = [{
    `index` counts as `co_localsplus` does. A local that may be unbound is
    `checked`: reading it raises UnboundLocalError then. What the frame has for
    a variable that inner functions share is its cell.

    Example: `%0 = py.load_local 1 "x" checked`
  }];
  let arguments = (ins I64Attr:$index, StrAttr:$name, UnitAttr:$checked);
  let results = (outs Py_ObjectType:$result);
  let assemblyFormat = "$index $name (`checked` $checked^)? attr-dict";
}

def Py_StoreLocalOp : Py_Op<"store_local"> {
  let summary = "assigns to a local of the frame and releases what it was";
  let description = "Example: `py.store_local 1 \"x\" = %0`";
  let arguments = (ins I64Attr:$index, StrAttr:$name, Py_ObjectType:$value);
  let assemblyFormat = "$index $name `=` $value attr-dict";
}

def Py_DeleteLocalOp : Py_Op<"delete_local"> {
  let summary = "unbinds a local of the frame; raises UnboundLocalError without a value";
  let description = "Example: `py.delete_local 1 \"x\"`";
  let arguments = (ins I64Attr:$index, StrAttr:$name);
  let assemblyFormat = "$index $name attr-dict";
}

def Py_PopOp : Py_Op<"pop"> {
  let summary = "gives a temporary up";
  let description = [{
    CPython's stack holds the value until here, whatever it was used for last: a
    loop's iterator while the value is computed that is returned from its body.

    Example: `py.pop %iterator`
  }];
  let arguments = (ins Py_ObjectType:$value);
  let assemblyFormat = "$value attr-dict";
}

#endif // PYOPT_PY_FRAME_OPS_TD
