//===- Signs.h - What is known of the signs of floats ---------------------===//

#ifndef PYOPT_LIB_SIGNS_H
#define PYOPT_LIB_SIGNS_H

#include "mlir/IR/Value.h"

namespace pyopt::typed {

/// What is known of a float that may always be NaN too; each is part of the one before.
enum class Sign {
  Any,
  /// At least 0: -0.0 as well.
  NotNegative,
  /// More than 0.
  Positive,
};

/// The sign of a float, by how it is computed.
Sign signOf(mlir::Value value);

} // namespace pyopt::typed

#endif // PYOPT_LIB_SIGNS_H
