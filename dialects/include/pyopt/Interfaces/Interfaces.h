//===- Interfaces.h - What operations say of themselves, in C++ -----------===//

#ifndef PYOPT_INTERFACES_H
#define PYOPT_INTERFACES_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace pyopt {

/// The exceptions that an operation may raise. The numbers are those of `Raises` in Rust.
enum class Raises {
  Nothing,
  /// That sizes don't broadcast: whichever operation raises it first, the user sees the same.
  Shape,
  Anything,
};

/// What raising writes to: orders errors, and nothing else, among themselves.
struct ErrorResource : mlir::SideEffects::Resource::Base<ErrorResource> {
  llvm::StringRef getName() final { return "pyopt.error"; }
};

/// What an operation may raise, those in its regions aside: by its interface, else by its effects.
Raises raisesOf(mlir::Operation *operation);

/// Attaches the interfaces to operations of upstream's dialects.
void registerExternalModels(mlir::DialectRegistry &registry);

} // namespace pyopt

#include "pyopt/Interfaces/Interfaces.h.inc"

#endif // PYOPT_INTERFACES_H
