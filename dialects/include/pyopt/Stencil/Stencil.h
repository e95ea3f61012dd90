//===- Stencil.h - The stencil dialect, in C++ -------------------------------------===//

#ifndef PYOPT_STENCIL_H
#define PYOPT_STENCIL_H

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
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyopt/Typed/Typed.h"

#include "pyopt/Stencil/StencilDialect.h.inc"

#define GET_OP_CLASSES
#include "pyopt/Stencil/StencilOps.h.inc"

#endif // PYOPT_STENCIL_H
