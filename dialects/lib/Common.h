//===- Common.h - Helpers the dialects' C++ files share -------------------===//

#ifndef PYOPT_LIB_COMMON_H
#define PYOPT_LIB_COMMON_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TypeUtilities.h"

namespace pyopt {

/// The type of `operand`, element-wise operations aside, is one number or bool.
inline bool isNumber(mlir::Type type) {
  return llvm::isa<mlir::IntegerType, mlir::FloatType, mlir::ComplexType,
                   mlir::IndexType>(type);
}

/// bool is `i1`; every other integer has a signedness.
inline bool isTypedInteger(mlir::Type type) {
  auto integer = llvm::dyn_cast<mlir::IntegerType>(type);
  return integer && (integer.getWidth() == 1 ? integer.isSignless()
                                             : !integer.isSignless());
}

} // namespace pyopt

#endif // PYOPT_LIB_COMMON_H
