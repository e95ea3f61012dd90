//===- Marks.h - The pyopt dialect, in C++ ----------------------------------===//

#ifndef PYOPT_MARKS_H
#define PYOPT_MARKS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"
#include "pyopt/Parfor/ParforAttributes.h"

#include "pyopt/Marks/MarksDialect.h.inc"

#endif // PYOPT_MARKS_H
