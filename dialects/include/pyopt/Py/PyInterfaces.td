//===- PyInterfaces.td - Interfaces of the py dialect ---------------------===//

#ifndef PYOPT_PY_INTERFACES_TD
#define PYOPT_PY_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Py_UnwindOpInterface : OpInterface<"UnwindOpInterface"> {
  let description = [{
    A terminator with an unwind edge: when an operation of its block raises,
    the terminator included, control goes to the unwind successor. That
    block's first argument is the exception, made by the transfer; the others
    get the unwind operands. These are not defined in the block itself, so
    they have their values wherever in the block the exception comes from.
    An operation that raises in a block without an unwind edge leaves the
    function.
  }];
  let cppNamespace = "::pyopt::py";
  let methods = [
    InterfaceMethod<"The handler, null without an unwind edge.",
      "::mlir::Block *", "getUnwindDest">,
    InterfaceMethod<"What the handler gets besides the exception.",
      "::mlir::MutableOperandRange", "getUnwindDestOperandsMutable">
  ];
  let verify = [{ return ::pyopt::py::verifyUnwind($_op); }];
}

#endif // PYOPT_PY_INTERFACES_TD
