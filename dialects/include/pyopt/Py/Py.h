//===- Py.h - The py dialect, in C++ -------------------------------------===//

#ifndef PYOPT_PY_H
#define PYOPT_PY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "pyopt/Marks/Marks.h"
#include "pyopt/Py/PyDialect.h.inc"

#include "pyopt/Py/PyEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "pyopt/Py/PyTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pyopt/Py/PyAttributes.h.inc"

namespace pyopt::py {
/// Whether an unwind edge goes to a block that takes the exception and the
/// operands, which come from outside the operation's block.
::mlir::LogicalResult verifyUnwind(::mlir::Operation *op);
} // namespace pyopt::py

#include "pyopt/Py/PyInterfaces.h.inc"

#define GET_OP_CLASSES
#include "pyopt/Py/PyOps.h.inc"

#endif // PYOPT_PY_H
