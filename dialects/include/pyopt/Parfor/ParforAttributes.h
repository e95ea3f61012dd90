//===- ParforAttributes.h - The attributes of the parfor dialect, in C++ --===//

#ifndef PYOPT_PARFOR_ATTRIBUTES_H
#define PYOPT_PARFOR_ATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"

#include "pyopt/Parfor/ParforEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pyopt/Parfor/ParforAttributes.h.inc"

#endif // PYOPT_PARFOR_ATTRIBUTES_H
