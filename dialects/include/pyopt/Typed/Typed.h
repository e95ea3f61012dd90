//===- Typed.h - The typed dialect, in C++ -------------------------------------===//

#ifndef PYOPT_TYPED_H
#define PYOPT_TYPED_H

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
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "pyopt/Interfaces/Interfaces.h"
#include "pyopt/Marks/Marks.h"

#include "pyopt/Typed/TypedDialect.h.inc"

#include "pyopt/Typed/TypedEnums.h.inc"

namespace pyopt::typed {
/// Reference counts: orders acquires and releases among themselves.
struct OwnerResource : mlir::SideEffects::Resource::Base<OwnerResource> {
  llvm::StringRef getName() final { return "typed.owner"; }
};

/// What debuggers show: orders assignments of variables among themselves.
struct DebuggerResource : mlir::SideEffects::Resource::Base<DebuggerResource> {
  llvm::StringRef getName() final { return "typed.debugger"; }
};

/// What generators keep while they are suspended.
struct GeneratorResource : mlir::SideEffects::Resource::Base<GeneratorResource> {
  llvm::StringRef getName() final { return "typed.generator"; }
};
} // namespace pyopt::typed

#define GET_TYPEDEF_CLASSES
#include "pyopt/Typed/TypedTypes.h.inc"

namespace pyopt::typed {
/// The type of the keys of a dict or set.
inline mlir::Type getKeyType(mlir::Type table) {
  if (auto dict = llvm::dyn_cast<DictType>(table))
    return dict.getKey();
  return llvm::cast<SetType>(table).getItem();
}
} // namespace pyopt::typed

#define GET_ATTRDEF_CLASSES
#include "pyopt/Typed/TypedAttributes.h.inc"

#define GET_OP_CLASSES
#include "pyopt/Typed/TypedOps.h.inc"

#endif // PYOPT_TYPED_H
